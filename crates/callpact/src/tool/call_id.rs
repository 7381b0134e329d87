//! The id of a call in its context.

use std::sync::Arc;

/// The longest id that needs no allocation. Those of the providers and UUIDs are shorter.
const SHORT: usize = 39;

/// The id of a call. Every call has its own context, so an id of the usual length is stored inline.
#[derive(Clone)]
pub(super) enum CallId {
    Short(u8, [u8; SHORT]),
    Long(Arc<str>),
}

impl CallId {
    pub(super) fn new(id: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (bytes.get_mut(..id.len()), u8::try_from(id.len())) {
            (Some(start), Ok(length)) => {
                start.copy_from_slice(id.as_bytes());
                Self::Short(length, bytes)
            }
            _ => Self::Long(id.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Short(length, bytes) => {
                let id = bytes.get(..usize::from(*length));
                // The bytes were copied from a text.
                let id = id.and_then(|id| std::str::from_utf8(id).ok());
                id.unwrap_or_default()
            }
            Self::Long(id) => id,
        }
    }
}

impl Default for CallId {
    fn default() -> Self {
        Self::Short(0, [0; SHORT])
    }
}

#[cfg(test)]
mod tests {
    use super::{CallId, SHORT};

    #[test]
    fn every_id_is_given_back() {
        let longest = "ä".repeat(SHORT / 2) + "x";
        for id in [
            "",
            "call-1",
            &longest,
            &"x".repeat(SHORT + 1),
            &"ä".repeat(500),
        ] {
            let is_short = matches!(CallId::new(id), CallId::Short(..));
            assert_eq!(
                (CallId::new(id).as_str(), is_short),
                (id, id.len() <= SHORT)
            );
        }
        assert_eq!(CallId::default().as_str(), "");
    }
}
