//! The changes that a reader makes between the text and the value.

use std::{borrow::Cow, fmt};

use serde::Serialize;

use super::{Issue, IssueKind, Path};

/// Writes [`FixKind`] and what is said of each class: its name, then for a damage in the text what was found;
/// how the model avoids it; and what of the arguments a fix of it quotes.
macro_rules! fix_kinds {
    ($(#[$page:meta])* pub enum FixKind { $(
        $(#[$doc:meta])*
        $kind:ident = $name:literal $(, found $found:literal)? $(, mend $mend:literal)? $(, quotes $quotes:ident)?;
    )* }) => {
        $(#[$page])*
        pub enum FixKind {
            $($(#[$doc])* $kind,)*
        }

        impl FixKind {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The name as it stands in JSON and in metrics.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// The damage in a text in words; `None` for a fix of a value.
            const fn damage(self) -> Option<&'static str> {
                match self {
                    $(Self::$kind => fix_kinds!(@some $($found)?),)*
                }
            }

            /// How the model avoids the damage in its text.
            pub(crate) const fn mend(self) -> Option<&'static str> {
                match self {
                    $(Self::$kind => fix_kinds!(@some $($mend)?),)*
                }
            }

            /// What of the arguments a fix of this class quotes.
            pub(super) const fn quotes(self) -> QuotedPart {
                match self {
                    $(Self::$kind => fix_kinds!(@quoted $($quotes)?),)*
                }
            }
        }
    };
    (@some) => { None };
    (@some $text:literal) => { Some($text) };
    (@quoted) => { QuotedPart::Nothing };
    (@quoted $quotes:ident) => { QuotedPart::$quotes };
}

/// What of the arguments a fix quotes. The value that a fix of a value shows was hidden when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuotedPart {
    Nothing,
    Key,
    Value,
}

fix_kinds! {
    /// The class of a [`Fix`].
    ///
    /// ```
    /// use callpact::{FixKind, Policy, read_str};
    ///
    /// let read = read_str::<u8>("\"5\"", &Policy::lax())?;
    /// assert_eq!(read.fixes[0].kind, FixKind::NumberFromText);
    /// // A policy can do without a class.
    /// let strict = Policy::lax().refusing(FixKind::NumberFromText);
    /// assert!(read_str::<u8>("\"5\"", &strict).is_err());
    /// # Ok::<(), callpact::Report>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum FixKind {
        /// A number that was sent as a string.
        NumberFromText = "number_from_text";
        /// A number that was sent for a decimal in text form.
        TextFromNumber = "text_from_number";
        /// A number like `5.0` for an integer.
        IntegerFromNumber = "integer_from_number";
        /// `true` or `false` that was sent as a string.
        BooleanFromText = "boolean_from_text";
        /// `null` for a parameter that may be left out.
        NullAsAbsent = "null_as_absent";
        /// `""` for a parameter that may be left out.
        EmptyAsAbsent = "empty_as_absent";
        /// Another accepted name of a parameter or of a value.
        Alias = "alias";
        /// Key/value pairs for a map, as strict providers make a model send them.
        MapFromPairs = "map_from_pairs";
        /// A parameter that does not exist was dropped.
        UnknownDropped = "unknown_dropped",
            quotes Key;
        /// A byte order mark in front of the arguments.
        ByteOrderMark = "byte_order_mark",
            found "a byte order mark",
            mend "take out the byte order mark";
        /// A markdown fence around the arguments.
        Fence = "fence",
            found "a markdown fence",
            mend "leave out the fence";
        /// Words around the only object.
        SurroundingText = "surrounding_text",
            found "the text around the object",
            mend "send the object alone, without words around it";
        /// An object that stands more than once.
        RepeatedObject = "repeated_object",
            found "the same object again",
            mend "send the object once";
        /// A leading, trailing or doubled comma.
        ExtraComma = "extra_comma",
            found "an extra comma",
            mend "take out the extra comma";
        /// A comment between values.
        Comment = "comment",
            found "a comment",
            mend "take out comments";
        /// Single quotes around a string.
        QuoteStyle = "quote_style",
            found "quotes that are not double ones",
            mend "put keys and strings in double quotes";
        /// `True`, `None` and the like instead of `true` and `null`.
        PythonLiteral = "python_literal",
            found "words such as `True`",
            mend "write `true`, `false` and `null`",
            quotes Value;
        /// A key without quotes.
        UnquotedKey = "unquoted_key",
            found "keys without quotes",
            mend "put keys and strings in double quotes",
            quotes Key;
        /// A raw control character, such as a line break, inside a string.
        ControlCharacter = "control_character",
            found "raw control characters",
            mend "inside a string write a line break as `\\n`, a tab as `\\t`";
        /// An escape such as `\n` between values.
        EscapeOutside = "escape_outside",
            found "an escape between values",
            mend "write `\\n` inside strings only";
        /// A space that JSON does not know, between values.
        SpecialSpace = "special_space",
            found "a special space",
            mend "use plain spaces between values";
        /// An escape that JSON does not know and that has one meaning, such as `\'`.
        InvalidEscape = "invalid_escape",
            found "`'` with a backslash",
            mend "write `'` without a backslash";
        /// Half a character, which became U+FFFD.
        LoneSurrogate = "lone_surrogate",
            found "half a character",
            mend "write both halves of the character, or the character itself";
        /// A key that stands more than once, with equal values.
        DuplicateMerged = "duplicate_merged",
            found "the same key with the same value again",
            mend "give every key once";
        /// A closing bracket too many behind the arguments.
        ExtraBracket = "extra_bracket",
            found "extra closing brackets",
            mend "take out the extra closing bracket";
        /// Two values with a line break or nothing between them instead of a comma.
        MissingComma = "missing_comma",
            found "two values without a comma",
            mend "put a comma between two values";
        /// A key and its value without a colon between them.
        MissingColon = "missing_colon",
            found "a key without a colon",
            mend "put a colon between a key and its value";
        /// A list in parentheses, or parentheses around one value.
        Parentheses = "parentheses",
            found "parentheses",
            mend "put a list in `[` and `]`, without parentheses";
        /// A call such as `callback(…)` around the arguments.
        Callback = "callback",
            found "the call around the object",
            mend "send the object alone, without a call around it";
        /// The arguments as JSON inside a JSON string.
        DoubleEncoded = "double_encoded",
            mend "send the object without backslashes in front of its quotes";
        /// An array or object as JSON inside a JSON string.
        StructureFromText = "structure_from_text";
        /// The arguments inside a key such as `arguments`.
        Wrapped = "wrapped";
        /// The name of a parameter in another case, such as `filePath` for `file_path`.
        KeyCase = "key_case";
        /// A value of a closed list in another case.
        ChoiceCase = "choice_case";
        /// A single value for a list.
        ListFromSingle = "list_from_single";
        /// A list of one number for the number.
        SingleFromList = "single_from_list";
        /// Lists of a key and a value for a map.
        MapFromLists = "map_from_lists";
    }
}

impl FixKind {
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

    /// The damage in words, for a class without further details.
    pub(crate) const fn found(self) -> &'static str {
        match self.damage() {
            Some(found) => found,
            None => self.name(),
        }
    }
}

/// One change: where, of which class, from what to what.
///
/// ```
/// use callpact::{Policy, ToolInput, read_str};
///
/// #[derive(ToolInput)]
/// struct Page { number: u32 }
///
/// let read = read_str::<Page>(r#"{"number": "7"}"#, &Policy::lax())?;
/// assert_eq!(read.value.number, 7);
/// let fix = &read.fixes[0];
/// assert_eq!((fix.path.to_string().as_str(), &*fix.to), ("number", "7"));
/// assert_eq!(fix.to_string(), r#"number: "7" read as 7"#);
/// # Ok::<(), callpact::Report>(())
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
    /// What was changed, without the place: `"7" read as 7`.
    pub fn reason(&self) -> String {
        let Self { kind, from, to, .. } = self;
        match kind {
            FixKind::UnknownDropped => "not a parameter, ignored".to_owned(),
            _ if to.is_empty() => format!("{from}, ignored"),
            _ => format!("{from} read as {to}"),
        }
    }

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
/// use callpact::{Policy, input::describe_fixes, read_str};
///
/// let read = read_str::<serde_json::Value>("{'a': 'b', 'c': True}", &Policy::repair())?;
/// assert_eq!(
///     describe_fixes(&read.fixes),
///     ["arguments: quotes that are not double ones, 3 times, mended", "c: True read as true"]
/// );
/// # Ok::<(), callpact::Report>(())
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
        write!(f, "{}: {}", self.path, self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::{Fix, FixKind};
    use crate::{
        policy::Policy,
        report::{Path, Step},
    };

    #[test]
    fn every_fix_kind_has_name_and_position() {
        let first = FixKind::ByteOrderMark as u32;
        let last = FixKind::Callback as u32;
        // First those of values, then those of the text, then those of the form.
        for (number, &kind) in (0..).zip(FixKind::ALL) {
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
    fn policy_refuses_only_selected_fix_kinds() {
        let some = [FixKind::NumberFromText, FixKind::Fence];
        let (only, refusing) = (
            Policy::repair().only(&some),
            Policy::repair().refusing(some[1]),
        );
        for &kind in FixKind::ALL {
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
