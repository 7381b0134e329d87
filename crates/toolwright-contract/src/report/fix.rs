//! The changes that a reader makes between the text and the value.

use std::{borrow::Cow, fmt};

use serde::Serialize;

use super::{Issue, IssueKind, Path};

/// The class of a [`Fix`].
///
/// ```
/// use toolwright::{FixKind, Policy, read_str};
///
/// let read = read_str::<u8>("\"5\"", &Policy::lax())?;
/// assert_eq!(read.fixes[0].kind, FixKind::NumberFromText);
/// // A policy can do without a class.
/// let strict = Policy::lax().refusing(FixKind::NumberFromText);
/// assert!(read_str::<u8>("\"5\"", &strict).is_err());
/// # Ok::<(), toolwright::Report>(())
/// ```
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
    /// A byte order mark in front of the arguments.
    ByteOrderMark,
    /// A markdown fence around the arguments.
    Fence,
    /// Words around the only object.
    SurroundingText,
    /// An object that stands more than once.
    RepeatedObject,
    /// A leading, trailing or doubled comma.
    ExtraComma,
    /// A comment between values.
    Comment,
    /// Single quotes around a string.
    QuoteStyle,
    /// `True`, `None` and the like instead of `true` and `null`.
    PythonLiteral,
    /// A key without quotes.
    UnquotedKey,
    /// A raw control character, such as a line break, inside a string.
    ControlCharacter,
    /// An escape such as `\n` between values.
    EscapeOutside,
    /// A space that JSON does not know, between values.
    SpecialSpace,
    /// An escape that JSON does not know and that has one meaning, such as `\'`.
    InvalidEscape,
    /// Half a character, which became U+FFFD.
    LoneSurrogate,
    /// A key that stands more than once, with equal values.
    DuplicateMerged,
    /// A closing bracket too many behind the arguments.
    ExtraBracket,
    /// Two values with a line break or nothing between them instead of a comma.
    MissingComma,
    /// A key and its value without a colon between them.
    MissingColon,
    /// A list in parentheses, or parentheses around one value.
    Parentheses,
    /// A call such as `callback(…)` around the arguments.
    Callback,
    /// The arguments as JSON inside a JSON string.
    DoubleEncoded,
    /// An array or object as JSON inside a JSON string.
    StructureFromText,
    /// The arguments inside a key such as `arguments`.
    Wrapped,
    /// The name of a parameter in another case, such as `filePath` for `file_path`.
    KeyCase,
    /// A value of a closed list in another case.
    ChoiceCase,
    /// A single value for a list.
    ListFromSingle,
    /// A list of one number for the number.
    SingleFromList,
    /// Lists of a key and a value for a map.
    MapFromLists,
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
            Self::ByteOrderMark => "byte_order_mark",
            Self::Fence => "fence",
            Self::SurroundingText => "surrounding_text",
            Self::RepeatedObject => "repeated_object",
            Self::ExtraComma => "extra_comma",
            Self::Comment => "comment",
            Self::QuoteStyle => "quote_style",
            Self::PythonLiteral => "python_literal",
            Self::UnquotedKey => "unquoted_key",
            Self::ControlCharacter => "control_character",
            Self::EscapeOutside => "escape_outside",
            Self::SpecialSpace => "special_space",
            Self::InvalidEscape => "invalid_escape",
            Self::LoneSurrogate => "lone_surrogate",
            Self::DuplicateMerged => "duplicate_merged",
            Self::ExtraBracket => "extra_bracket",
            Self::MissingComma => "missing_comma",
            Self::MissingColon => "missing_colon",
            Self::Parentheses => "parentheses",
            Self::Callback => "callback",
            Self::DoubleEncoded => "double_encoded",
            Self::StructureFromText => "structure_from_text",
            Self::Wrapped => "wrapped",
            Self::KeyCase => "key_case",
            Self::ChoiceCase => "choice_case",
            Self::ListFromSingle => "list_from_single",
            Self::SingleFromList => "single_from_list",
            Self::MapFromLists => "map_from_lists",
        }
    }

    /// The bit of this class in a policy.
    pub(crate) const fn bit(self) -> u64 {
        1 << self as u32
    }

    /// Whether the text itself was mended, and not the form of a value in it.
    pub const fn is_textual(self) -> bool {
        self.damage().is_some()
    }

    /// Whether something that was given is not in the value: it was dropped, or taken as absent. A null
    /// for a parameter that may be left out says no more than its absence.
    pub const fn is_loss(self) -> bool {
        matches!(
            self,
            Self::UnknownDropped | Self::EmptyAsAbsent | Self::LoneSurrogate
        )
    }

    /// Whether a strict dialect makes a model write the value so: it requires every parameter and has no
    /// maps.
    pub const fn is_form_of_dialect(self) -> bool {
        matches!(self, Self::NullAsAbsent | Self::MapFromPairs)
    }

    /// Whether a map was written as a list of its entries.
    pub const fn is_map_from_list(self) -> bool {
        matches!(self, Self::MapFromPairs | Self::MapFromLists)
    }

    /// The damage in a text in words, and how the model avoids it; `None` for a fix of a value.
    const fn damage(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::ByteOrderMark => ("a byte order mark", "take out the byte order mark"),
            Self::Fence => ("a markdown fence", "leave out the fence"),
            Self::SurroundingText => (
                "the text around the object",
                "send the object alone, without words around it",
            ),
            Self::RepeatedObject => ("the same object again", "send the object once"),
            Self::ExtraComma => ("an extra comma", "take out the extra comma"),
            Self::Comment => ("a comment", "take out comments"),
            Self::QuoteStyle => (
                "quotes that are not double ones",
                "put keys and strings in double quotes",
            ),
            Self::PythonLiteral => ("words such as `True`", "write `true`, `false` and `null`"),
            Self::UnquotedKey => (
                "keys without quotes",
                "put keys and strings in double quotes",
            ),
            Self::ControlCharacter => (
                "raw control characters",
                "inside a string write a line break as `\\n`, a tab as `\\t`",
            ),
            Self::EscapeOutside => (
                "an escape between values",
                "write `\\n` inside strings only",
            ),
            Self::SpecialSpace => ("a special space", "use plain spaces between values"),
            Self::InvalidEscape => ("`'` with a backslash", "write `'` without a backslash"),
            Self::LoneSurrogate => (
                "half a character",
                "write both halves of the character, or the character itself",
            ),
            Self::DuplicateMerged => (
                "the same key with the same value again",
                "give every key once",
            ),
            Self::ExtraBracket => (
                "extra closing brackets",
                "take out the extra closing bracket",
            ),
            Self::MissingComma => (
                "two values without a comma",
                "put a comma between two values",
            ),
            Self::MissingColon => (
                "a key without a colon",
                "put a colon between a key and its value",
            ),
            Self::Parentheses => (
                "parentheses",
                "put a list in `[` and `]`, without parentheses",
            ),
            Self::Callback => (
                "the call around the object",
                "send the object alone, without a call around it",
            ),
            Self::NumberFromText
            | Self::TextFromNumber
            | Self::IntegerFromNumber
            | Self::BooleanFromText
            | Self::NullAsAbsent
            | Self::EmptyAsAbsent
            | Self::Alias
            | Self::MapFromPairs
            | Self::UnknownDropped
            | Self::DoubleEncoded
            | Self::StructureFromText
            | Self::Wrapped
            | Self::KeyCase
            | Self::ChoiceCase
            | Self::ListFromSingle
            | Self::SingleFromList
            | Self::MapFromLists => return None,
        })
    }

    /// The damage in words, for a class without further details.
    pub(crate) const fn found(self) -> &'static str {
        match self.damage() {
            Some((found, _)) => found,
            None => self.name(),
        }
    }

    /// How the model avoids the damage in its text.
    pub(crate) const fn mend(self) -> Option<&'static str> {
        match (self, self.damage()) {
            (Self::DoubleEncoded, _) => {
                Some("send the object without backslashes in front of its quotes")
            }
            (_, Some((_, mend))) => Some(mend),
            (_, None) => None,
        }
    }
}

/// One change: where, of which class, from what to what.
///
/// ```
/// use toolwright::{Policy, ToolInput, read_str};
///
/// #[derive(ToolInput)]
/// struct Page { number: u32 }
///
/// let read = read_str::<Page>(r#"{"number": "7"}"#, &Policy::lax())?;
/// assert_eq!(read.value.number, 7);
/// let fix = &read.fixes[0];
/// assert_eq!((fix.path.to_string().as_str(), &*fix.to), ("number", "7"));
/// assert_eq!(fix.to_string(), r#"number: "7" read as 7"#);
/// # Ok::<(), toolwright::Report>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Fix {
    /// Where.
    pub path: Path,
    /// Of which class.
    pub kind: FixKind,
    /// What was sent, cut and escaped.
    pub from: Cow<'static, str>,
    /// What was read.
    pub to: Cow<'static, str>,
}

impl Fix {
    /// The issue of a change that the host does not want.
    #[cold]
    pub(crate) fn into_refusal(self) -> Issue {
        let expected = match (self.kind, &*self.to) {
            (FixKind::UnknownDropped, _) => {
                return Issue::new(self.path, IssueKind::UnknownKey, "no such parameter", "");
            }
            (FixKind::KeyCase | FixKind::Alias, name) => format!("the name {name}").into(),
            (_, "absent") => "nothing, the parameter left out".into(),
            (_, "") => "JSON without it".into(),
            _ => self.to,
        };
        Issue::new(self.path, IssueKind::RefusedFix, expected, self.from)
    }
}

/// A line for each fix; what was mended in the text by several fixes of one class is one line.
///
/// ```
/// use toolwright::{Policy, input::describe_fixes, read_str};
///
/// let read = read_str::<serde_json::Value>("{'a': 'b', 'c': True}", &Policy::repair())?;
/// assert_eq!(
///     describe_fixes(&read.fixes),
///     ["arguments: quotes that are not double ones, 3 times, mended", "c: True read as true"]
/// );
/// # Ok::<(), toolwright::Report>(())
/// ```
pub fn describe_fixes(fixes: &[Fix]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut told = Vec::new();
    for fix in fixes {
        let alike = |kind: FixKind| fixes.iter().filter(|fix| fix.kind == kind).count();
        let times = if fix.kind.is_textual() {
            alike(fix.kind)
        } else {
            1
        };
        if times == 1 {
            lines.push(fix.to_string());
        } else if !told.contains(&fix.kind) {
            told.push(fix.kind);
            let what = fix.kind.found();
            lines.push(format!("arguments: {what}, {times} times, mended"));
        }
    }
    lines
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
            _ if to.is_empty() => write!(f, "{path}: {from}, ignored"),
            _ => write!(f, "{path}: {from} read as {to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fix, FixKind};
    use crate::{
        policy::Policy,
        report::{Path, Step},
    };

    /// All of them, in their order: first those of values, then those of the text, then those of the form.
    fn kinds() -> Vec<FixKind> {
        vec![
            FixKind::NumberFromText,
            FixKind::TextFromNumber,
            FixKind::IntegerFromNumber,
            FixKind::BooleanFromText,
            FixKind::NullAsAbsent,
            FixKind::EmptyAsAbsent,
            FixKind::Alias,
            FixKind::MapFromPairs,
            FixKind::UnknownDropped,
            FixKind::ByteOrderMark,
            FixKind::Fence,
            FixKind::SurroundingText,
            FixKind::RepeatedObject,
            FixKind::ExtraComma,
            FixKind::Comment,
            FixKind::QuoteStyle,
            FixKind::PythonLiteral,
            FixKind::UnquotedKey,
            FixKind::ControlCharacter,
            FixKind::EscapeOutside,
            FixKind::SpecialSpace,
            FixKind::InvalidEscape,
            FixKind::LoneSurrogate,
            FixKind::DuplicateMerged,
            FixKind::ExtraBracket,
            FixKind::MissingComma,
            FixKind::MissingColon,
            FixKind::Parentheses,
            FixKind::Callback,
            FixKind::DoubleEncoded,
            FixKind::StructureFromText,
            FixKind::Wrapped,
            FixKind::KeyCase,
            FixKind::ChoiceCase,
            FixKind::ListFromSingle,
            FixKind::SingleFromList,
            FixKind::MapFromLists,
        ]
    }

    #[test]
    fn every_kind_has_a_name_and_a_place_of_its_own() {
        let first = FixKind::ByteOrderMark as u32;
        let last = FixKind::Callback as u32;
        for (number, kind) in (0..).zip(kinds()) {
            assert_eq!(kind as u32, number);
            assert_eq!(
                kind.is_textual(),
                (first..=last).contains(&number),
                "{kind:?}"
            );
            let mut name = String::new();
            for c in format!("{kind:?}").chars() {
                if c.is_ascii_uppercase() && !name.is_empty() {
                    name.push('_');
                }
                name.push(c.to_ascii_lowercase());
            }
            assert_eq!(kind.name(), name);
        }
    }

    #[test]
    fn a_policy_refuses_what_it_was_told_to_refuse() {
        let some = [FixKind::NumberFromText, FixKind::Fence];
        let (only, refusing) = (
            Policy::repair().only(&some),
            Policy::repair().refusing(some[1]),
        );
        for kind in kinds() {
            assert_eq!(only.refuses(kind), !some.contains(&kind), "{kind:?}");
            assert_eq!(refusing.refuses(kind), kind == some[1], "{kind:?}");
            assert!(!Policy::repair().refuses(kind), "{kind:?}");
        }
    }

    #[test]
    fn what_was_changed_in_words() {
        let said = |kind, from: &str, to: &str| {
            let fix = Fix {
                path: Path::from_iter([Step::Key("a".to_owned())]),
                kind,
                from: from.to_owned().into(),
                to: to.to_owned().into(),
            };
            fix.to_string()
        };
        let number = said(FixKind::NumberFromText, "\"5\"", "5");
        assert_eq!(number, "a: \"5\" read as 5");
        let comma = said(FixKind::ExtraComma, "a comma too many", "");
        assert_eq!(comma, "a: a comma too many, ignored");
        // The path names the parameter already.
        let dropped = said(FixKind::UnknownDropped, "\"a\"", "absent");
        assert_eq!(dropped, "a: not a parameter, ignored");
    }
}
