//! Regular expressions, as far as their form goes.

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
