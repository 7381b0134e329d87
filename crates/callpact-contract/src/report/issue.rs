//! One thing that is wrong with the arguments of a call.

use std::{borrow::Cow, fmt};

use serde::Serialize;

use super::Path;
use crate::text::NOT_SHOWN;

/// The class of an [`Issue`].
///
/// ```
/// use callpact::{IssueKind, Policy, ToolInput, read_str};
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

/// One thing wrong with the arguments.
///
/// Its [`Display`](fmt::Display) is one line for the model: `path: expected …, found …; hint`.
///
/// ```
/// use callpact::{Policy, ToolInput, read_str};
///
/// #[derive(Debug, ToolInput)]
/// struct Page {
///     #[tool_param(max = 100)]
///     size: u32,
/// }
///
/// let report = read_str::<Page>(r#"{"size": 200}"#, &Policy::lax()).unwrap_err();
/// let issue = &report.issues[0];
/// assert_eq!((&*issue.path.to_string(), &*issue.found), ("size", "200"));
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
    pub expected: Cow<'static, str>,
    /// What it was, cut and escaped; empty where nothing was found or it must not be shown.
    pub found: Cow<'static, str>,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Cow<'static, str>>,
    /// What the value should have been, in as few words as carry it; empty where there are no fewer.
    #[serde(skip)]
    pub(crate) dense: Cow<'static, str>,
    /// The part of it that may be shown.
    #[serde(skip)]
    pub(crate) shown: ShownText,
    #[serde(skip)]
    pub(crate) clue: IssueClue,
}

/// What the reader knew where it found an issue, for whoever looks for its hint. The issue says the same with and without
/// it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IssueClue {
    /// The number of what the checker noted about it.
    pub(crate) trouble: Option<usize>,
    /// Which step of the path is the key of a map.
    pub(crate) entry: Option<usize>,
    /// Whether the hint leaves open what to send in place of a value that means nothing.
    pub(crate) may_be_left_out: bool,
    /// Whether the hint was tried.
    pub(crate) is_tried: bool,
    /// Whether a reader refused the value without a reason.
    pub(crate) is_unexplained: bool,
}

impl Issue {
    /// The issue of a value that a reader refused without a reason.
    pub(crate) fn unexplained(path: Path) -> Self {
        let mut issue = Self::new(path, IssueKind::Invalid, "not accepted", "");
        issue.clue.is_unexplained = true;
        issue
    }

    /// Whether a reader refused the value without a reason, so that its schema accepts more than the reader does.
    #[doc(hidden)]
    pub fn is_unexplained(&self) -> bool {
        self.clue.is_unexplained
    }
}

impl PartialEq for IssueClue {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for IssueClue {}

/// How much of the model's own text an [`Issue`] shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShownText {
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
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            path,
            kind,
            expected: expected.into(),
            found: found.into(),
            hint: None,
            dense: Cow::Borrowed(""),
            shown: ShownText::Open,
            clue: IssueClue::default(),
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
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
            (ShownText::Hidden, _) => return,
            (_, IssueKind::CutOff) => "a text cut off (its end is not shown)".into(),
            (ShownText::Text { line, column }, _) => {
                format!("something at line {line}, column {column} {NOT_SHOWN}").into()
            }
            (ShownText::Open, _) => NOT_SHOWN.into(),
        };
        self.shown = ShownText::Hidden;
    }
}

/// What stands in front of what was found, and of a hint.
pub(super) const FOUND: &str = ", found ";
pub(super) const HINT: &str = "; ";

/// Writes the words between the path of an issue and what was expected.
#[inline]
pub(super) fn write_lead(kind: IssueKind, out: &mut String) {
    // Each of them is written as a constant, which is not called for.
    match kind {
        IssueKind::Missing => out.push_str(": missing; expected "),
        IssueKind::UnknownKey => out.push_str(": not a parameter"),
        IssueKind::Invalid => out.push_str(": "),
        _ => out.push_str(": expected "),
    }
}

/// Whether a line says what was found.
#[inline]
pub(super) fn tells_found(kind: IssueKind) -> bool {
    !matches!(
        kind,
        IssueKind::Missing | IssueKind::UnknownKey | IssueKind::Invalid
    )
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(96);
        self.path.write(&mut line);
        write_lead(self.kind, &mut line);
        if self.kind != IssueKind::UnknownKey {
            line.push_str(&self.expected);
        }
        if tells_found(self.kind) && !self.found.is_empty() {
            line.push_str(FOUND);
            line.push_str(&self.found);
        }
        if let Some(hint) = &self.hint {
            line.push_str(HINT);
            line.push_str(hint);
        }
        f.write_str(&line)
    }
}
