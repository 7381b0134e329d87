//! Strings.

use super::{
    format::{Format, FormatChecks},
    pattern::{Matcher, Pattern},
};
use crate::{
    schema::{
        Held,
        fault::ValueFault,
        json::{JsonValue, count},
        phrases::{put_one_of, put_range},
    },
    text::{put_cut, quote_whole, same},
};

/// One value of a closed list of strings.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The value on the wire.
    pub name: Held<str>,
    /// Other spellings that the lax policy accepts.
    pub aliases: &'static [&'static str],
    /// The meaning of the value; empty if none was given.
    pub description: Held<str>,
}

impl Choice {
    /// A value without aliases and description.
    #[must_use]
    pub const fn plain(name: &'static str) -> Self {
        Self {
            name: Held::Static(name),
            aliases: &[],
            description: Held::Static(""),
        }
    }

    /// A value of a schema made at run time.
    pub(in crate::schema) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned().into(),
            ..Self::plain("")
        }
    }
}

/// Rules of a string.
#[derive(Clone, Debug)]
pub struct Text {
    /// Smallest number of characters.
    pub min_length: Option<u64>,
    /// Largest number of characters.
    pub max_length: Option<u64>,
    /// An expression that must match somewhere in the string.
    pub pattern: Option<Pattern>,
    /// If not empty, the only values.
    pub choices: Held<[Choice]>,
    /// The form, if it has a name.
    pub format: Option<Format>,
    /// The form in words; empty for free text.
    pub form: Held<str>,
}

/// A rule that a field adds to a text; built by generated code.
#[allow(missing_docs)] // named after the settings of the attribute
#[derive(Clone, Copy, Debug)]
pub enum TextRule {
    MinLength(u64),
    MaxLength(u64),
    Pattern(&'static str, fn(&str) -> bool),
}

impl Text {
    /// No rule at all.
    // Written out, so that a constant can take its other rules from it.
    pub const ANY: Self = Self {
        min_length: None,
        max_length: None,
        pattern: None,
        choices: Held::Static(&[]),
        format: None,
        form: Held::Static(""),
    };

    /// A text that a type reads in its own form, described in words.
    #[must_use]
    pub const fn form(form: &'static str) -> Self {
        Self {
            min_length: None,
            max_length: None,
            pattern: None,
            choices: Held::Static(&[]),
            format: None,
            form: Held::Static(form),
        }
    }

    /// A text of a format, in the words of a type.
    #[must_use]
    pub const fn formatted(format: Format, words: &'static str) -> Self {
        let mut text = Self::form(words);
        text.format = Some(format);
        text
    }

    /// One of these values.
    #[must_use]
    pub const fn one_of(choices: &'static [Choice]) -> Self {
        Self {
            min_length: None,
            max_length: None,
            pattern: None,
            choices: Held::Static(choices),
            format: None,
            form: Held::Static(""),
        }
    }

    /// No string fits, since two rules exclude each other.
    const NOTHING: Self = Self {
        min_length: Some(1),
        max_length: Some(0),
        ..Self::ANY
    };

    /// Whether no string follows all rules.
    pub(in crate::schema) fn takes_nothing(&self) -> bool {
        are_crossed(self.min_length, self.max_length)
    }

    /// Whether every string is a value, regardless of other types.
    #[inline]
    pub(crate) fn takes_any(&self) -> bool {
        self.min_length.is_none()
            && self.max_length.is_none()
            && self.pattern.is_none()
            && self.format.is_none()
            && self.choices.is_empty()
    }

    /// The first rule that a string breaks.
    pub(crate) fn broken_rule(&self, value: &str) -> ValueFault {
        let is_listed = || self.choices.iter().any(|choice| choice.name == value);
        if !self.choices.is_empty() && !is_listed() {
            return ValueFault::Choice;
        }
        let has_length = self.min_length.is_some() || self.max_length.is_some();
        if has_length
            && is_outside(
                value.chars().count() as u64,
                self.min_length,
                self.max_length,
            )
        {
            return ValueFault::Length;
        }
        match &self.pattern {
            Some(pattern) if !pattern.is_match(value) => ValueFault::Form,
            _ if self.format.is_some_and(|format| !format.is_match(value)) => ValueFault::Form,
            _ => ValueFault::None,
        }
    }

    pub(in crate::schema) fn takes_empty(&self) -> bool {
        matches!(self.broken_rule(""), ValueFault::None)
    }

    /// Whether a closed list contains `""`.
    pub(in crate::schema) const fn lists_empty(&self) -> bool {
        let mut rest = self.choices.part();
        while let [choice, others @ ..] = rest {
            if choice.name.part().is_empty() {
                return true;
            }
            rest = others;
        }
        false
    }

    pub(in crate::schema) const fn fixed(&self) -> Self {
        Self {
            min_length: self.min_length,
            max_length: self.max_length,
            pattern: self.fixed_pattern(),
            choices: self.choices.fixed(),
            format: self.format,
            form: self.form.fixed(),
        }
    }

    const fn fixed_pattern(&self) -> Option<Pattern> {
        match &self.pattern {
            Some(pattern) => Some(pattern.fixed()),
            None => None,
        }
    }

    /// These rules and one more.
    pub(in crate::schema) const fn with(&self, rule: TextRule) -> Self {
        let (min, max) = match rule {
            TextRule::MinLength(count) => (Some(count), None),
            TextRule::MaxLength(count) => (None, Some(count)),
            TextRule::Pattern(..) => (None, None),
        };
        Self {
            min_length: larger(self.min_length, min),
            max_length: smaller(self.max_length, max),
            pattern: match rule {
                TextRule::Pattern(text, is_match) => Some(Pattern {
                    text: Held::Static(text),
                    matcher: Matcher::Function(is_match),
                }),
                TextRule::MinLength(_) | TextRule::MaxLength(_) => self.fixed_pattern(),
            },
            choices: self.choices.fixed(),
            format: self.format,
            form: self.form.fixed(),
        }
    }

    /// These rules with the only values.
    pub(in crate::schema) const fn with_choices(&self, choices: &'static [Choice]) -> Self {
        Self {
            min_length: self.min_length,
            max_length: self.max_length,
            pattern: self.fixed_pattern(),
            choices: Held::Static(choices),
            format: self.format,
            form: self.form.fixed(),
        }
    }

    /// Why the type does not take a rule; empty if it does.
    pub(in crate::schema) const fn refuse(&self, rule: TextRule) -> &'static str {
        if !self.choices.part().is_empty() {
            return "this rule says nothing new beside a fixed list of values";
        }
        if !self.form.part().is_empty() {
            return "the type has a text form of its own: rules of length and pattern belong on `String`";
        }
        match rule {
            TextRule::Pattern(..) if self.pattern.is_some() => {
                "the type has a `pattern` of its own"
            }
            TextRule::Pattern(..) => "",
            TextRule::MinLength(count) | TextRule::MaxLength(count) => {
                refuse_count(count, self.min_length, self.max_length)
            }
        }
    }

    /// Why the type does not take a list of values; empty if it does.
    pub(in crate::schema) const fn refuse_one_of(&self, values: &[Choice]) -> &'static str {
        if !self.form.part().is_empty() {
            return "the type has a text form of its own: `one_of` belongs on `String` or on an enum";
        }
        let mut i = 0;
        while i < values.len() {
            if !self.lists(values[i].name.part()) {
                return "`one_of` names a value that the type does not have";
            }
            i += 1;
        }
        ""
    }

    /// Whether there is no closed list, or it contains this value.
    const fn lists(&self, value: &str) -> bool {
        let choices = self.choices.part();
        let mut i = 0;
        while i < choices.len() {
            if same(choices[i].name.part(), value) {
                return true;
            }
            i += 1;
        }
        choices.is_empty()
    }

    /// The first rule that a literal breaks.
    pub(in crate::schema) const fn fault(&self, value: &str) -> ValueFault {
        // A remaining pattern is the type's own, and only the reader can check it.
        if !self.form.part().is_empty() || self.pattern.is_some() {
            return ValueFault::Form;
        }
        if !self.lists(value) {
            return ValueFault::Choice;
        }
        if is_outside(characters(value), self.min_length, self.max_length) {
            ValueFault::Length
        } else {
            ValueFault::None
        }
    }

    pub(in crate::schema) fn describe(&self, words: &mut String) {
        if !self.choices.is_empty() {
            let names = self.choices.iter().map(|choice| choice.name.part());
            return put_one_of(names, quote_whole, words);
        }
        if !self.form.is_empty() {
            return words.push_str(&self.form);
        }
        words.push_str("a ");
        self.describe_in_form(words);
    }

    /// Describes the rules in as few words as carry them.
    pub(in crate::schema) fn describe_densely(&self, words: &mut String) {
        if !self.choices.is_empty() || !self.form.is_empty() {
            return self.describe(words);
        }
        if let Some(pattern) = &self.pattern
            && self.has_only_pattern()
        {
            words.push_str("must match ");
            return put_cut(pattern.text.part(), usize::MAX, words);
        }
        self.describe_in_form(words);
    }

    /// Describes the rules without the article, as in `string of 1 to 3 characters matching ^a`.
    pub(crate) fn describe_in_form(&self, words: &mut String) {
        words.push_str("string");
        put_range(self.min_length, self.max_length, "character", words);
        if let Some(pattern) = &self.pattern {
            words.push_str(" matching ");
            put_cut(pattern.text.part(), usize::MAX, words);
        }
    }

    /// Whether a pattern is the only rule.
    pub(in crate::schema) fn has_only_pattern(&self) -> bool {
        self.pattern.is_some()
            && self.choices.is_empty()
            && self.form.is_empty()
            && self.min_length.is_none()
            && self.max_length.is_none()
    }

    /// The texts that follow both rules; `None` if the result cannot be expressed.
    pub(in crate::schema) fn and(&self, other: &Self) -> Option<Self> {
        let (listed, rules) = if self.choices.is_empty() {
            (other, self)
        } else {
            (self, other)
        };
        if !listed.choices.is_empty() {
            let takes = |one: &&Choice| {
                let mut broken = [rules, listed]
                    .into_iter()
                    .map(|one_of| one_of.broken_rule(&one.name));
                broken.all(|fault| matches!(fault, ValueFault::None))
            };
            let choices: Vec<Choice> = listed.choices.iter().filter(takes).cloned().collect();
            if choices.is_empty() {
                return Some(Self::NOTHING);
            }
            return Some(Self {
                choices: choices.into(),
                ..Self::ANY
            });
        }
        let pattern = match (&self.pattern, &other.pattern) {
            (Some(one), Some(another)) if one.text != another.text => return None,
            (one, another) => one.as_ref().or(another.as_ref()).cloned(),
        };
        let format = match (self.format, other.format) {
            (Some(one), Some(another)) if one != another => return None,
            (one, another) => one.or(another),
        };
        Some(Self {
            min_length: larger(self.min_length, other.min_length),
            max_length: smaller(self.max_length, other.max_length),
            pattern,
            choices: Held::Static(&[]),
            format,
            form: if self.form.is_empty() {
                other.form.clone()
            } else {
                self.form.clone()
            },
        })
    }

    /// The rules of a foreign schema.
    /// Notes why an expression cannot be checked.
    pub(in crate::schema) fn from_json(
        raw: &JsonValue,
        checks: FormatChecks,
        mut note: impl FnMut(&'static str),
    ) -> Self {
        let pattern = raw.text_at("pattern");
        let pattern = pattern.and_then(|text| Pattern::of_json(text).map_err(&mut note).ok());
        let name = raw.text_at("format");
        let format = name.and_then(Format::named);
        Self {
            min_length: count(raw, "minLength"),
            max_length: count(raw, "maxLength"),
            pattern,
            choices: Held::Static(&[]),
            format: format.filter(|_| checks == FormatChecks::On),
            form: match (format, name) {
                (Some(format), _) => Held::Static(format.words()),
                (None, Some(name)) => unknown_form(name),
                (None, None) => Held::Static(""),
            },
        }
    }
}

/// A format that is not checked, in words. A name that is long or no word is not repeated.
fn unknown_form(name: &str) -> Held<str> {
    const LONGEST: usize = 40;
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    Held::Static(match name {
        "idn-email" => "an e-mail address",
        "idn-hostname" => "a host name",
        "url" | "iri" => "a URL",
        "iri-reference" => "a URL or a part of one",
        "byte" | "base64" => "base64 text",
        // These are about secrets and single characters.
        "password" | "char" | "" => "",
        name if name.len() <= LONGEST && name.bytes().all(is_sign) => {
            return format!("text in the format {name}").into();
        }
        _ => "",
    })
}

pub(super) const fn larger(own: Option<u64>, said: Option<u64>) -> Option<u64> {
    match (own, said) {
        (Some(a), Some(b)) if a > b => own,
        (_, Some(_)) => said,
        (_, None) => own,
    }
}

pub(super) const fn smaller(own: Option<u64>, said: Option<u64>) -> Option<u64> {
    match (own, said) {
        (Some(a), Some(b)) if a < b => own,
        (_, Some(_)) => said,
        (_, None) => own,
    }
}

/// The type's own counts, for example of an array of fixed length, leave no room for another count.
pub(super) const fn refuse_count(count: u64, min: Option<u64>, max: Option<u64>) -> &'static str {
    if is_outside(count, min, max) {
        "the bound lies outside what the type allows"
    } else {
        ""
    }
}

/// Whether the smallest count is above the largest.
pub(crate) fn are_crossed(min: Option<u64>, max: Option<u64>) -> bool {
    min.zip(max).is_some_and(|(min, max)| min > max)
}

pub(super) const fn is_outside(count: u64, min: Option<u64>, max: Option<u64>) -> bool {
    let low = matches!(min, Some(min) if count < min);
    let high = matches!(max, Some(max) if count > max);
    low || high
}

const fn characters(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut n = 0;
    let mut i = 0;
    while i < bytes.len() {
        // Every byte except a continuation byte starts a character.
        if bytes[i] & 0xC0 != 0x80 {
            n += 1;
        }
        i += 1;
    }
    n
}
