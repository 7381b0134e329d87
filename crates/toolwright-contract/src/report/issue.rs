//! One thing that is wrong with the arguments of a call.

use std::fmt;

use serde::Serialize;

use super::Path;

/// The class of an [`Issue`].
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
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Issue {
    /// Its line, written piece by piece: a report is a part of what a call costs.
    pub(super) fn write(&self, out: &mut String) {
        self.path.write(out);
        let (words, found) = match self.kind {
            IssueKind::Missing => (": missing; expected ", ""),
            IssueKind::UnknownKey => (": not a parameter", ""),
            IssueKind::Invalid => (": ", ""),
            _ => (": expected ", &*self.found),
        };
        out.push_str(words);
        if self.kind != IssueKind::UnknownKey {
            out.push_str(&self.expected);
        }
        if !found.is_empty() {
            out.push_str(", found ");
            out.push_str(found);
        }
        if let Some(hint) = &self.hint {
            out.push_str("; ");
            out.push_str(hint);
        }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::with_capacity(96);
        self.write(&mut line);
        f.write_str(&line)
    }
}
