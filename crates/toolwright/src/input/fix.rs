//! What the reader changed on its way from the text to the value.

use std::fmt;

use serde::Serialize;

use super::Path;

/// The class of a [`Fix`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FixKind {
    /// A number that was sent as a string.
    NumberFromText,
    /// A number that was sent for a decimal in text form.
    TextFromNumber,
    /// A number like `5.0` for an integer.
    IntegerFromNumber,
    /// `true` or `false` that was sent as a string.
    BooleanFromText,
    /// `null` for a parameter that may be left out.
    NullAsAbsent,
    /// `""` for a parameter that may be left out.
    EmptyAsAbsent,
    /// Another accepted name of a parameter or of a value.
    Alias,
    /// Key/value pairs for a map, as strict providers make a model send them.
    MapFromPairs,
    /// A parameter that does not exist was dropped.
    UnknownDropped,
}

impl FixKind {
    /// The name as it stands in JSON and in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NumberFromText => "number_from_text",
            Self::TextFromNumber => "text_from_number",
            Self::IntegerFromNumber => "integer_from_number",
            Self::BooleanFromText => "boolean_from_text",
            Self::NullAsAbsent => "null_as_absent",
            Self::EmptyAsAbsent => "empty_as_absent",
            Self::Alias => "alias",
            Self::MapFromPairs => "map_from_pairs",
            Self::UnknownDropped => "unknown_dropped",
        }
    }
}

/// One change: where, of which class, from what to what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fix {
    /// Where.
    pub path: Path,
    /// Of which class.
    pub kind: FixKind,
    /// What was sent, cut and escaped.
    pub from: String,
    /// What was read.
    pub to: String,
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            kind,
            from,
            to,
        } = self;
        match kind {
            FixKind::UnknownDropped => write!(f, "{path}: not a parameter, ignored"),
            _ => write!(f, "{path}: {from} read as {to}"),
        }
    }
}
