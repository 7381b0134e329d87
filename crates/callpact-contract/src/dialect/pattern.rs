//! Regular expressions, and which of them providers take.

use super::profile::Patterns;

impl Patterns {
    /// Whether a pattern may be written as a keyword, with or without a length next to it.
    pub(crate) const fn takes(self, pattern: &str, beside_length: bool) -> bool {
        match self {
            _ if !is_expression(pattern) => false,
            Self::All => true,
            Self::None => false,
            Self::WithoutLength => !beside_length && !has_assertion(pattern),
            Self::WithoutAssertions => !has_assertion(pattern),
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

/// Whether a text can be a regular expression anywhere: its groups, classes and escapes are complete.
pub(crate) const fn is_expression(pattern: &str) -> bool {
    let bytes = pattern.as_bytes();
    let (mut i, mut groups, mut in_class) = (0, 0_usize, false);
    while i < bytes.len() {
        match bytes[i] {
            b'\\' if i + 1 == bytes.len() => return false,
            b'\\' => i += 1,
            b']' if in_class => in_class = false,
            _ if in_class => {}
            b'[' => in_class = true,
            b'(' => groups += 1,
            b')' if groups == 0 => return false,
            b')' => groups -= 1,
            _ => {}
        }
        i += 1;
    }
    groups == 0 && !in_class
}

#[cfg(test)]
mod tests {
    use super::Patterns;

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
                Patterns::WithoutAssertions.takes(pattern, false),
                plain,
                "{pattern}"
            );
        }
        assert!(Patterns::WithoutLength.takes("a", false));
        assert!(!Patterns::WithoutLength.takes("a", true));
        assert!(!Patterns::WithoutLength.takes(r"\ba", false));
    }
}
