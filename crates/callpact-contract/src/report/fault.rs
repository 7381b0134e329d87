//! A fault of one value as it is kept while a call is read: short, and without words.

use std::borrow::Cow;

use super::{
    Issue, IssueKind,
    issue::{Clue, FoundForm, Shown, WantedKind},
    path::{Few, FewParts, add_in_front, trail_of},
    room::put_first,
    trail::{Part, Trail},
};
use crate::{
    schema::{Kind, Schema, described, expected},
    text::{length, quote, quoted, whole},
};

/// A value of a constant schema that is not as it is declared, or is missing, at a place of a few steps.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // each says one thing alone
pub(crate) struct Fault {
    /// The steps of its place, see [`Few`]. The short fields stand together: eight faults are to be small.
    parts: FewParts,
    pub(crate) schema: &'static Schema,
    pub(crate) given: Given,
    pub(crate) hint: Option<Cow<'static, str>>,
    pub(crate) kind: IssueKind,
    pub(crate) form: FoundForm,
    start: u8,
    /// Its place leads through an array.
    pub(super) has_index: bool,
    /// Its value must not be shown.
    pub(crate) is_secret: bool,
    /// The steps alone say which schema holds, since there is no union on the way.
    pub(crate) is_certain: bool,
}

/// The value that was given, as far as it may be told.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Nothing,
    Integer(i64),
    /// A finite one.
    Number(f64),
    /// A short text, without quotes.
    Text(Short),
    Words(Cow<'static, str>),
}

/// A short text in its own memory. The last byte says how long it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short([u8; SHORT + 1]);

/// How long a short text is at most.
const SHORT: usize = 15;

impl Short {
    #[inline]
    fn length(&self) -> usize {
        usize::from(self.0[SHORT])
    }

    #[inline]
    fn is_ascii(&self) -> bool {
        // Of all bytes at once.
        u128::from_ne_bytes(self.0) & u128::from_ne_bytes([0x80; SHORT + 1]) == 0
    }

    fn text(&self) -> &str {
        let bytes = self.0.get(..self.length()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// The text in quotes, where nothing was escaped and nothing cut away.
pub(super) fn text_in_quotes(words: &str) -> Option<&str> {
    let text = words.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains('\\')).then_some(text)
}

/// The first byte in quotes.
pub(super) fn first_quoted(words: &str) -> Option<u8> {
    words.strip_prefix('"')?.bytes().next()
}

impl Given {
    #[inline]
    pub(crate) fn text(text: &str) -> Self {
        let length = text.len();
        let mut bytes = [0; SHORT + 1];
        match bytes.get_mut(..length) {
            Some(part) if length <= SHORT => {
                part.copy_from_slice(text.as_bytes());
                #[allow(clippy::cast_possible_truncation)] // it is short
                let last = length as u8;
                bytes[SHORT] = last;
                Self::Text(Short(bytes))
            }
            _ => Self::Words(quoted(text).into()),
        }
    }

    /// The text that is known whole.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text.text()),
            Self::Words(words) => text_in_quotes(words),
            Self::Nothing | Self::Integer(_) | Self::Number(_) => None,
        }
    }

    /// The first byte of a text.
    #[inline]
    pub(super) fn first_byte(&self) -> Option<u8> {
        match self {
            Self::Text(text) if text.length() > 0 => Some(text.0[0]),
            Self::Words(words) => first_quoted(words),
            Self::Text(_) | Self::Nothing | Self::Integer(_) | Self::Number(_) => None,
        }
    }

    /// The least characters that its words have.
    #[inline]
    pub(super) fn least_length(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Integer(_) | Self::Number(_) => 1,
            Self::Text(text) if text.is_ascii() => text.length() + 2,
            Self::Text(text) => text.text().chars().count() + 2,
            Self::Words(words) => length(words),
        }
    }

    /// Its words as a text of their own.
    pub(crate) fn into_words(self) -> Cow<'static, str> {
        match self {
            Self::Nothing => Cow::Borrowed(""),
            Self::Words(words) => words,
            Self::Integer(_) | Self::Number(_) | Self::Text(_) => {
                let mut words = String::with_capacity(24);
                self.write(&mut words);
                words.into()
            }
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Nothing => {}
            Self::Integer(value) => whole((*value).into(), out),
            // As JSON writes it, so that 1e300 does not become three hundred digits.
            Self::Number(value) => {
                out.push_str(&serde_json::to_string(value).unwrap_or_default());
            }
            Self::Text(text) => quote(text.text(), out),
            Self::Words(words) => out.push_str(words),
        }
    }
}

impl Given {
    /// Writes at most so many characters of its words.
    pub(super) fn write_first(&self, most: usize, out: &mut String) {
        match self {
            Self::Words(words) => put_first(words, most, out),
            Self::Text(_) => put_first(&self.clone().into_words(), most, out),
            // A number is shorter than any room for it.
            number => number.write(out),
        }
    }
}

impl Fault {
    /// A fault whose place is still to be told.
    #[inline]
    pub(crate) fn new(kind: IssueKind, schema: &'static Schema) -> Self {
        Self {
            parts: Few::NONE.parts,
            schema,
            given: Given::Nothing,
            hint: None,
            kind,
            form: FoundForm::Unknown,
            start: Few::NONE.start,
            has_index: false,
            is_secret: false,
            is_certain: false,
        }
    }

    /// Adds a key in front of the other steps; whether there is room for it.
    #[inline]
    pub(crate) fn add_key(&mut self, key: &'static str) -> bool {
        add_in_front(Part::Key(key), &mut self.parts, &mut self.start)
    }

    /// Like `add_key`, for a step into an array.
    #[inline]
    pub(crate) fn add_index(&mut self, index: usize) -> bool {
        self.has_index = true;
        add_in_front(Part::Index(index), &mut self.parts, &mut self.start)
    }

    #[inline]
    pub(super) fn trail(&self) -> Trail<'_> {
        trail_of(&self.parts, self.start)
    }

    #[inline]
    pub(super) fn clue(&self) -> Clue {
        Clue {
            found: self.form,
            wanted: WantedKind::of(self.schema),
        }
    }

    pub(super) fn to_issue(&self) -> Issue {
        let expected = match self.kind {
            IssueKind::Missing => described(self.schema).into(),
            _ => expected(self.schema),
        };
        let few = Few {
            parts: self.parts,
            start: self.start,
        };
        Issue {
            path: few.to_path(),
            kind: self.kind,
            expected,
            found: self.given.clone().into_words(),
            hint: self.hint.clone(),
            shown: Shown::Open,
            clue: self.clue(),
        }
    }
}

impl WantedKind {
    #[inline]
    pub(crate) fn of(schema: &Schema) -> Self {
        match schema.kind {
            Kind::Text(_) => Self::Text,
            Kind::List(_) => Self::List,
            Kind::Any | Kind::Union(_) => Self::Unknown,
            Kind::Boolean
            | Kind::Integer(_)
            | Kind::Number(_)
            | Kind::Tuple(_)
            | Kind::Map(_)
            | Kind::Object(_) => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, Given};
    use crate::text::quoted;

    #[test]
    fn eight_faults_are_as_small_as_memory_comes() {
        assert!(size_of::<Fault>() <= 128);
    }

    #[test]
    fn a_given_value_is_told_the_same_in_every_form() {
        let texts = [
            "",
            "a",
            "fifteen letters",
            "sixteen letters.",
            "\"",
            "\\",
            "\n",
            "é",
            "null",
            " ",
        ];
        for text in texts {
            let words = quoted(text);
            let given = Given::text(text);
            assert!(given.least_length() <= words.chars().count());
            let whole = Given::Words(words.clone().into());
            assert_eq!(whole.least_length(), words.chars().count());
            assert_eq!(given.as_text(), Some(text));
            if !words.contains('\\') {
                assert_eq!(whole.as_text(), Some(text));
            }
            let is_letter = |given: &Given| {
                let first = given.first_byte();
                first.is_some_and(|byte| byte.is_ascii_alphabetic())
            };
            assert_eq!(is_letter(&given), is_letter(&whole));
            assert_eq!(given.into_words(), words);
        }
        for (given, words) in [
            (Given::Nothing, ""),
            (Given::Integer(-70), "-70"),
            (Given::Number(1e300), "1e+300"),
        ] {
            assert!(given.least_length() <= words.len());
            assert!(given.as_text().is_none() && given.first_byte().is_none());
            assert_eq!(given.into_words(), words);
        }
    }
}
