//! How much of the words of a report is shown where they are too long.

use super::{Issue, IssueKind};

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
    const fn hides_bounds(&self) -> bool {
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

/// What was expected in fewer words.
pub(super) enum Brief<'a> {
    /// Without its article, and of a missing parameter without its description.
    Noun(&'a str),
    /// A range as `integer 1..50`, which is never cut: half of it is another one.
    Between(&'static str, &'a str, &'a str),
}

/// Between the ends of a range.
const BETWEEN: &str = "..";

impl Brief<'_> {
    /// How many bytes it has.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Noun(words) => words.len(),
            Self::Between(kind, from, to) => kind.len() + from.len() + BETWEEN.len() + to.len(),
        }
    }

    #[inline]
    pub(super) fn write(&self, room: &Room, out: &mut String) {
        match self {
            Self::Noun(noun) => put_first(noun, room.expected, out),
            Self::Between(kind, ..) if room.hides_bounds() => out.push_str(kind.trim_end()),
            Self::Between(kind, from, to) => {
                out.push_str(kind);
                out.push_str(from);
                out.push_str(BETWEEN);
                out.push_str(to);
            }
        }
    }
}

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

/// What was expected in fewer words.
#[inline(always)]
#[allow(clippy::inline_always)] // each line asks twice
pub(super) fn brief(issue: &Issue) -> Brief<'_> {
    let mut words = issue.shown_expected();
    match issue.kind {
        IssueKind::Invalid => return Brief::Noun(words),
        IssueKind::Missing => words = without_description(words),
        _ => {}
    }
    let article = match words.as_bytes() {
        [b'a', b' ', ..] => 2,
        [b'a', b'n', b' ', ..] => 3,
        _ => 0,
    };
    let noun = words.get(article..).unwrap_or_default();
    range(noun).unwrap_or(Brief::Noun(noun))
}

fn without_description(words: &str) -> &str {
    if !words.ends_with(')') {
        return words;
    }
    let pairs = words.as_bytes().windows(2);
    let end = pairs.into_iter().position(|pair| pair == b" (");
    end.and_then(|end| words.get(..end)).unwrap_or(words)
}

/// The range of a kind of number.
#[inline]
fn range(noun: &str) -> Option<Brief<'_>> {
    let (kind, rest) = match noun.as_bytes().split_first_chunk() {
        Some((b"integer ", _)) => ("integer ", noun.get(8..)?),
        Some((b"number f", _)) => ("number ", noun.get(7..)?),
        _ => return None,
    };
    let ends = rest.strip_prefix("from ")?;
    let end = ends.bytes().position(|byte| byte == b' ')?;
    let (from, rest) = ends.split_at_checked(end)?;
    Some(Brief::Between(kind, from, rest.strip_prefix(" to ")?))
}
