//! Compares short texts without a call.

/// Whether two texts are equal. Names are short, and a call costs more than comparing them in place: by both
/// ends, which meet or overlap in the middle.
#[inline(always)]
#[allow(clippy::inline_always)] // inlining is the purpose
pub(crate) fn is_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // Most names are of this length.
    if a.len() >= 8 {
        return if a.len() <= 16 {
            are_ends_equal::<8>(a, b)
        } else {
            a == b
        };
    }
    if a.len() >= 4 {
        are_ends_equal::<4>(a, b)
    } else if a.len() >= 2 {
        are_ends_equal::<2>(a, b)
    } else {
        a.first() == b.first()
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // see above
fn are_ends_equal<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    // The ends of names differ more often than their beginnings.
    a.last_chunk::<N>() == b.last_chunk::<N>() && a.first_chunk::<N>() == b.first_chunk::<N>()
}

/// `==` for a const function.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_equal;

    #[test]
    fn texts_are_equal_when_every_byte_is() {
        let text = b"abcdefghijklmnopqrst";
        for length in 0..text.len() {
            let all = &text[..length];
            assert!(is_equal(all, all));
            assert!(!is_equal(all, &text[..=length]));
            for at in 0..length {
                let mut other = all.to_vec();
                other[at] ^= 1;
                assert!(!is_equal(all, &other), "{length} {at}");
            }
        }
    }
}
