//! Where the author's code refuses a value.

use std::fmt::Display;

/// The place that gets the author's words about a value. They are read only if the checker accepted the text.
pub struct Refusal<'a>(pub(super) &'a mut Option<String>);

impl Refusal<'_> {
    /// This place, borrowed for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> Refusal<'_> {
        Refusal(self.0)
    }

    /// Keeps the first words about why a value is refused.
    #[cold]
    pub(crate) fn refuse(self, why: impl Display) {
        if self.0.is_none() {
            *self.0 = Some(why.to_string());
        }
    }
}
