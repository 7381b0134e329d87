//! The growth of the output of a mended text, which keeps its memory bounded.

/// How much to grow a buffer that has `length` and may have `most`: by a quarter, since the old and the
/// new room exist together during the copy, and to the limit once that is near.
pub(super) fn step(length: usize, more: usize, most: usize) -> usize {
    let near = length.saturating_add(length / 2) >= most;
    let step = if near {
        most.saturating_sub(length)
    } else {
        length / 4
    };
    step.max(more)
}

/// Makes room for this many bytes at the end of the output.
pub(super) fn make_room(out: &mut String, more: usize, most: usize) {
    if out.capacity() - out.len() < more {
        out.reserve_exact(step(out.len(), more, most));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_by_quarter_up_to_limit() {
        for (length, more, most, grows) in [
            (0, 16, 1000, 16),
            (100, 1, 1000, 25),
            (100, 40, 1000, 40),
            (666, 1, 1000, 166),
            (667, 1, 1000, 333),
            (1000, 8, 1000, 8),
        ] {
            assert_eq!(step(length, more, most), grows, "{length} of {most}");
        }
        let mut out = String::with_capacity(100);
        out.push_str(&"x".repeat(92));
        make_room(&mut out, 8, 1000);
        assert_eq!(out.capacity(), 100);
        make_room(&mut out, 9, 1000);
        assert_eq!(out.capacity(), 92 + 92 / 4);
    }
}
