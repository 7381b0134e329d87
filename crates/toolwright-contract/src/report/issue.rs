//! One thing that is wrong with the arguments of a call.

use std::fmt;

use serde::Serialize;

use super::Path;
use crate::text::NOT_SHOWN;

/// The class of an [`Issue`].
///
/// ```
/// use toolwright::{IssueKind, Policy, ToolInput, read_str};
///
/// #[derive(Debug, ToolInput)]
/// struct Page {
///     number: u32,
///     #[tool_param(max = 100)]
///     size: u32,
/// }
///
/// let report = read_str::<Page>(r#"{"size": 200}"#, &Policy::lax()).unwrap_err();
/// let kinds: Vec<_> = report.issues.iter().map(|issue| issue.kind).collect();
/// assert_eq!(kinds, [IssueKind::OutOfRange, IssueKind::Missing]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IssueKind {
    /// A required parameter is not there.
    Missing,
    /// A value of another type.
    WrongType,
    /// A number outside its range, or not a multiple of its step.
    OutOfRange,
    /// A string too short or too long.
    Length,
    /// A string that does not match its pattern or its type's text form.
    Pattern,
    /// A value outside a closed list.
    NotAChoice,
    /// A parameter that does not exist, where unknown ones are denied.
    UnknownKey,
    /// A parameter given twice.
    DuplicateKey,
    /// Too few or too many items.
    ItemCount,
    /// An item given twice where items are unique.
    DuplicateItem,
    /// A value that fits none of several forms, or more than one.
    NoVariant,
    /// A rule of the tool's author across fields.
    Invalid,
    /// The arguments are not an object.
    NotAnObject,
    /// The arguments are not JSON.
    NotJson,
    /// The arguments end in the middle.
    CutOff,
    /// Something follows the arguments.
    TrailingText,
    /// Nested too deeply.
    TooDeep,
    /// Too long a text.
    TooLarge,
    /// More than one object where one call was asked for, and they differ.
    SeveralObjects,
    /// Markup of a call inside a string, which may have swallowed another parameter.
    LeakedMarkup,
    /// A change that the host does not want to be made for the model.
    RefusedFix,
}

impl IssueKind {
    /// The name as it stands in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::WrongType => "wrong_type",
            Self::OutOfRange => "out_of_range",
            Self::Length => "length",
            Self::Pattern => "pattern",
            Self::NotAChoice => "not_a_choice",
            Self::UnknownKey => "unknown_key",
            Self::DuplicateKey => "duplicate_key",
            Self::ItemCount => "item_count",
            Self::DuplicateItem => "duplicate_item",
            Self::NoVariant => "no_variant",
            Self::Invalid => "invalid",
            Self::NotAnObject => "not_an_object",
            Self::NotJson => "not_json",
            Self::CutOff => "cut_off",
            Self::TrailingText => "trailing_text",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
            Self::SeveralObjects => "several_objects",
            Self::LeakedMarkup => "leaked_markup",
            Self::RefusedFix => "refused_fix",
        }
    }
}

/// How much of what was expected and of what was found is shown, in characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    expected: usize,
    found: usize,
    /// Whether the expectation is shortened.
    brief: bool,
}

impl Room {
    pub(super) const ALL: Self = Self::of(usize::MAX, usize::MAX);

    pub(super) const fn of(expected: usize, found: usize) -> Self {
        Self {
            expected,
            found,
            brief: false,
        }
    }

    pub(super) const fn brief(expected: usize, found: usize) -> Self {
        Self {
            expected,
            found,
            brief: true,
        }
    }
}

/// One thing wrong with the arguments.
///
/// Its [`Display`](fmt::Display) is one line for the model: `path: expected …, found …; hint`.
///
/// ```
/// use toolwright::{Policy, ToolInput, read_str};
///
/// #[derive(Debug, ToolInput)]
/// struct Page {
///     #[tool_param(max = 100)]
///     size: u32,
/// }
///
/// let report = read_str::<Page>(r#"{"size": 200}"#, &Policy::lax()).unwrap_err();
/// let issue = &report.issues[0];
/// assert_eq!((issue.path.to_string().as_str(), issue.found.as_str()), ("size", "200"));
/// assert_eq!(issue.to_string(), "size: expected an integer from 0 to 100, found 200");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Issue {
    /// Where.
    pub path: Path,
    /// Of which class.
    pub kind: IssueKind,
    /// What the value should have been.
    pub expected: String,
    /// What it was, cut and escaped; empty where nothing was found or it must not be shown.
    pub found: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The part of it that may be shown.
    #[serde(skip)]
    pub(crate) shown: Shown,
}

/// How much of the model's own text an [`Issue`] shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    /// As its kind implies: an issue about the text quotes it.
    #[default]
    Open,
    /// The text from this place on, both counted from one.
    Text { line: usize, column: usize },
    /// Nothing of it.
    Hidden,
}

impl Issue {
    /// An issue without a hint.
    pub fn new(
        path: Path,
        kind: IssueKind,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            path,
            kind,
            expected: expected.into(),
            found: found.into(),
            hint: None,
            shown: Shown::Open,
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Issue {
    /// Whether it is about the text and may quote any of it.
    pub(crate) fn quotes_text(&self) -> bool {
        matches!(
            self.kind,
            IssueKind::NotJson | IssueKind::CutOff | IssueKind::TrailingText
        )
    }

    /// Leaves what it says of the text, without the text.
    #[cold]
    pub(crate) fn hide_text(&mut self) {
        self.found = match (self.shown, self.kind) {
            (Shown::Hidden, _) => return,
            (_, IssueKind::CutOff) => "a text cut off (its end is not shown)".to_owned(),
            (Shown::Text { line, column }, _) => {
                format!("something at line {line}, column {column} {NOT_SHOWN}")
            }
            (Shown::Open, _) => NOT_SHOWN.to_owned(),
        };
        self.shown = Shown::Hidden;
    }
}

/// A piece of a line, with its length in characters.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) text: &'a str,
    pub(super) length: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let length = if text.is_ascii() {
            text.len()
        } else {
            text.chars().count()
        };
        Self { text, length }
    }

    /// How many characters it takes where there is room for so many.
    pub(super) fn length_in(self, most: usize) -> usize {
        if self.length > most {
            most + 1
        } else {
            self.length
        }
    }

    /// At most so many characters of it, which are fit to be shown.
    pub(super) fn put(self, most: usize, out: &mut String) {
        if self.length > most
            && let Some((end, _)) = self.text.char_indices().nth(most)
        {
            out.push_str(self.text.get(..end).unwrap_or_default());
            out.push('…');
        } else {
            out.push_str(self.text);
        }
    }
}

/// What was expected in fewer words.
enum Brief<'a> {
    /// Without its article, and of a missing parameter without its description.
    Noun(Piece<'a>),
    /// A range as `integer 1..50`, which is never cut: half of it is another one.
    Range(&'static str, Piece<'a>, Piece<'a>),
}

/// What the line of an issue says behind its path, measured once.
pub(super) struct Words<'a> {
    lead: &'static str,
    expected: Piece<'a>,
    brief: Brief<'a>,
    /// The words of the author are shown whole.
    whole: bool,
    found: Piece<'a>,
    hint: Option<Piece<'a>>,
}

impl<'a> Words<'a> {
    pub(super) fn of(issue: &'a Issue, found: &'a str) -> Self {
        let (lead, expected, found) = match issue.kind {
            IssueKind::Missing => (": missing; expected ", &*issue.expected, ""),
            IssueKind::UnknownKey => (": not a parameter", "", ""),
            IssueKind::Invalid => (": ", &*issue.expected, ""),
            _ => (": expected ", &*issue.expected, found),
        };
        Self {
            lead,
            expected: Piece::of(expected),
            brief: brief(issue.kind, expected),
            whole: issue.kind == IssueKind::Invalid,
            found: Piece::of(found),
            hint: issue.hint.as_deref().map(Piece::of),
        }
    }

    /// Gives each piece to a function, with how many of its characters there is room for.
    pub(super) fn each(&self, room: Room, with_hint: bool, mut put: impl FnMut(Piece<'_>, usize)) {
        const ALL: usize = usize::MAX;
        let ascii = |text| Piece {
            text,
            length: str::len(text),
        };
        put(ascii(self.lead), ALL);
        match &self.brief {
            _ if self.whole => put(self.expected, ALL),
            _ if !room.brief => put(self.expected, room.expected),
            Brief::Noun(noun) => put(*noun, room.expected),
            Brief::Range(kind, from, to) => {
                for piece in [ascii(kind), *from, ascii(".."), *to] {
                    put(piece, ALL);
                }
            }
        }
        if !self.found.text.is_empty() && room.found > 0 {
            put(ascii(", found "), ALL);
            put(self.found, room.found);
        }
        if let Some(hint) = self.hint
            && with_hint
        {
            put(ascii("; "), ALL);
            put(hint, ALL);
        }
    }
}

fn brief(kind: IssueKind, expected: &str) -> Brief<'_> {
    let mut words = expected;
    if kind == IssueKind::Missing
        && words.ends_with(')')
        && let Some((start, _)) = words
            .match_indices('(')
            .find(|(start, _)| words.get(..*start).is_some_and(|form| form.ends_with(' ')))
    {
        words = words.get(..start - 1).unwrap_or_default();
    }
    let noun = words
        .strip_prefix("an ")
        .or_else(|| words.strip_prefix("a "))
        .unwrap_or(words);
    let range = |kind: &str| {
        let (from, rest) = noun.strip_prefix(kind)?.split_once(' ')?;
        Some((from, rest.strip_prefix("to ")?))
    };
    for (kind, short) in [("integer from ", "integer "), ("number from ", "number ")] {
        if let Some((from, to)) = range(kind) {
            return Brief::Range(short, Piece::of(from), Piece::of(to));
        }
    }
    Brief::Noun(Piece::of(noun))
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(96);
        self.path.write(&mut line);
        let words = Words::of(self, &self.found);
        words.each(Room::ALL, true, |piece, most| piece.put(most, &mut line));
        f.write_str(&line)
    }
}
