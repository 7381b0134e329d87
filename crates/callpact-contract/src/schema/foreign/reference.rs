//! Why a reference does not lead to a schema.

use crate::text::cut;

pub(super) enum ReferenceFault {
    /// It leads to another document.
    Outside,
    Nothing,
    /// It leads to another value of the document.
    NoSchema,
}

impl ReferenceFault {
    pub(super) fn words(&self, reference: &str) -> String {
        let shown = cut(reference, 100);
        match self {
            Self::Outside => format!(
                "`{shown}` does not point into this schema; write the form out, or refer to `#/$defs/…`"
            ),
            Self::Nothing => format!("there is nothing at `{shown}`"),
            Self::NoSchema => format!("`{shown}` is not a schema"),
        }
    }
}
