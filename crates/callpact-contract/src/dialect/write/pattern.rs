//! Regular expressions, and which of them providers take.

use super::whole::is_whole;
use crate::{dialect::profile::PatternSupport, text::is_expression};

impl PatternSupport {
    /// Whether a pattern may be written as a keyword.
    pub(crate) const fn takes(self, pattern: &str) -> bool {
        match self {
            _ if !is_expression(pattern) => false,
            Self::All => true,
            Self::None => false,
            Self::WithoutAssertions => !has_assertion(pattern),
            Self::Whole => is_whole(pattern),
        }
    }
}

/// Whether an expression has lookaround, a word boundary or a back reference. The text of a class is searched too,
/// since a rule in words loses nothing.
const fn has_assertion(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let mut i = 0;
    while i + 1 < bytes.len() {
        match (bytes[i], bytes[i + 1]) {
            (b'\\', b'b' | b'B' | b'A' | b'z' | b'Z' | b'G' | b'k' | b'1'..=b'9') => {
                return true;
            }
            (b'\\', _) => i += 1,
            (b'(', b'?') if i + 2 < bytes.len() => match bytes[i + 2] {
                b'=' | b'!' => return true,
                b'<' if i + 3 < bytes.len() && matches!(bytes[i + 3], b'=' | b'!') => return true,
                _ => {}
            },
            _ => {}
        }
        i += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::dialect::profile::PatternSupport;

    #[test]
    fn assertions_are_found_and_escaped_signs_are_not() {
        for (pattern, plain) in [
            ("^[a-z]+$", true),
            (r"\bfoo\b", false),
            (r"(a)\1", false),
            (r"^\\b$", true),
            ("(?=a)b", false),
            ("(?<!a)b", false),
            ("(?<year>a)", true),
            ("(?:a)", true),
            (r"\(?=", true),
            ("", true),
            ("\\", false),
            ("(?", false),
            ("(", false),
            ("a)", false),
            ("[a", false),
            ("[(]", true),
        ] {
            assert_eq!(
                PatternSupport::WithoutAssertions.takes(pattern),
                plain,
                "{pattern}"
            );
        }
    }
}
