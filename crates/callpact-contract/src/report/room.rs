//! How much of the words of a report is shown where they are too long.

/// How much of a path, of what was expected and of what was found is shown, in characters.
pub(super) struct Room {
    pub(super) path: usize,
    pub(super) expected: usize,
    /// Of the author's own words.
    pub(super) said: usize,
    pub(super) found: usize,
    /// Whether the expectation is shortened.
    pub(super) brief: bool,
    pub(super) hints: Hints,
}

/// Which hints are told.
#[derive(Clone, Copy)]
pub(super) enum Hints {
    All,
    /// Each one in the first line that has it.
    Once,
    None,
}

impl Room {
    const fn of(expected: usize, found: usize) -> Self {
        Self {
            path: usize::MAX,
            expected,
            said: usize::MAX,
            found,
            brief: false,
            hints: Hints::All,
        }
    }

    const fn brief(expected: usize, found: usize, said: usize) -> Self {
        Self {
            brief: true,
            said,
            ..Self::of(expected, found)
        }
    }

    /// Room for long names.
    const fn tight(path: usize, expected: usize, said: usize, hints: Hints) -> Self {
        Self {
            path,
            hints,
            ..Self::brief(expected, 0, said)
        }
    }

    /// Whether not even the ends of a range are shown.
    pub(super) const fn hides_bounds(&self) -> bool {
        self.expected <= MIN_WORDS
    }
}

/// Less and less room. First less of what was found, which the model knows; then fewer words for what was
/// expected; then a part of these words and of the author's own, and each hint once. Where names are long, a part of
/// them, and at last no hints.
pub(super) static ROOMS: [Room; 15] = [
    Room::of(usize::MAX, usize::MAX),
    Room::of(usize::MAX, FOUND_FIRST),
    Room::brief(usize::MAX, FOUND_FIRST, usize::MAX),
    Room::brief(usize::MAX, 0, usize::MAX),
    Room::brief(usize::MAX, 0, 320),
    Room::brief(60, 0, 240),
    Room::brief(40, 0, 160),
    Room::brief(26, 0, 100),
    Room::tight(usize::MAX, 26, 80, Hints::Once),
    Room::tight(usize::MAX, 16, 60, Hints::Once),
    Room::tight(40, 16, 60, Hints::Once),
    Room::tight(28, 16, 40, Hints::Once),
    Room::tight(28, 16, 30, Hints::None),
    Room::tight(20, 16, 30, Hints::None),
    Room::tight(MIN_PATH, MIN_WORDS, 30, Hints::None),
];
/// How much of what was found is shown where not all of it has room.
pub(super) const FOUND_FIRST: usize = 40;
/// The least that is shown of a path and of what was expected.
const MIN_PATH: usize = 12;
const MIN_WORDS: usize = 12;

/// How long a part is where there is room for so many characters: nothing without room.
#[inline]
pub(super) fn cut_to(length: usize, most: usize) -> usize {
    if length <= most {
        length
    } else if most == 0 {
        0
    } else {
        most + 1
    }
}

/// Writes at most so many characters of a text that is fit to be shown.
#[inline]
pub(super) fn put_first(text: &str, most: usize, out: &mut String) {
    if text.len() > most
        && let Some((end, _)) = text.char_indices().nth(most)
    {
        out.push_str(text.get(..end).unwrap_or_default());
        out.push('…');
    } else {
        out.push_str(text);
    }
}
