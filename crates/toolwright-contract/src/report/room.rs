//! How much of the words of a report is shown where they are too long.

use super::IssueKind;
use crate::text::length;

/// How much of a path, of what was expected and of what was found is shown, in characters.
pub(super) struct Room {
    pub(super) path: usize,
    pub(super) expected: usize,
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
    pub(super) const ALL: Self = Self::of(usize::MAX, usize::MAX);

    const fn of(expected: usize, found: usize) -> Self {
        Self {
            path: usize::MAX,
            expected,
            found,
            brief: false,
            hints: Hints::All,
        }
    }

    const fn brief(expected: usize, found: usize) -> Self {
        Self {
            brief: true,
            ..Self::of(expected, found)
        }
    }

    /// Room for long names.
    const fn tight(path: usize, expected: usize, hints: Hints) -> Self {
        Self {
            path,
            hints,
            ..Self::brief(expected, 0)
        }
    }

    /// Whether not even the ends of a range are shown.
    pub(super) const fn hides_bounds(&self) -> bool {
        self.expected <= MIN_WORDS
    }
}

/// Less and less room. First less of what was found, which the model knows; then fewer words for what was
/// expected; then a part of these words, and each hint once. Where names are long, a part of them, and at last no
/// hints.
pub(super) const LESS: [Room; 13] = [
    Room::of(usize::MAX, 40),
    Room::brief(usize::MAX, 40),
    Room::brief(usize::MAX, 0),
    Room::brief(60, 0),
    Room::brief(40, 0),
    Room::brief(26, 0),
    Room::tight(usize::MAX, 26, Hints::Once),
    Room::tight(usize::MAX, 16, Hints::Once),
    Room::tight(40, 16, Hints::Once),
    Room::tight(28, 16, Hints::Once),
    Room::tight(28, 16, Hints::None),
    Room::tight(20, 16, Hints::None),
    Room::tight(MIN_PATH, MIN_WORDS, Hints::None),
];
/// The least that is shown of a path and of what was expected.
const MIN_PATH: usize = 12;
const MIN_WORDS: usize = 12;

/// What was expected, perhaps in fewer words.
#[derive(Clone, Copy)]
pub(super) enum Brief<'a> {
    /// All of it.
    Whole(&'a str),
    /// Without its article, and of a missing parameter without its description.
    Noun(&'a str),
    /// A range as `integer 1..50`, which is never cut: half of it is another one.
    Between(&'static str, &'a str, &'a str),
}

impl Brief<'_> {
    /// What stands between the ends of a range.
    pub(super) const BETWEEN: &'static str = "..";

    /// How many characters it has.
    pub(super) fn length(&self, is_ascii: bool) -> usize {
        let length = |part: &str| if is_ascii { part.len() } else { length(part) };
        match self {
            Self::Whole(words) | Self::Noun(words) => length(words),
            Self::Between(kind, from, to) => {
                kind.len() + length(from) + Self::BETWEEN.len() + length(to)
            }
        }
    }
}

/// How many characters a part takes where there is room for so many: none without room.
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

/// What was expected in fewer words.
pub(super) fn brief(kind: IssueKind, expected: &str) -> Brief<'_> {
    let mut words = expected;
    if kind == IssueKind::Missing
        && words.ends_with(')')
        && let Some(form) = words.as_bytes().windows(2).position(|pair| pair == b" (")
    {
        words = words.get(..form).unwrap_or_default();
    }
    let noun = words
        .strip_prefix("an ")
        .or_else(|| words.strip_prefix("a "))
        .unwrap_or(words);
    for (kind, short) in [("integer from ", "integer "), ("number from ", "number ")] {
        if let Some(ends) = noun.strip_prefix(kind)
            && let Some(end) = ends.bytes().position(|byte| byte == b' ')
            && let Some((from, rest)) = ends.split_at_checked(end)
            && let Some(to) = rest.strip_prefix(" to ")
        {
            return Brief::Between(short, from, to);
        }
    }
    Brief::Noun(noun)
}
