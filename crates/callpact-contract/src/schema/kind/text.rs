//! Strings.

use super::pattern::{Matcher, Pattern};
use crate::{
    schema::{
        Held,
        fault::Fault,
        json::{Json, count},
        phrases::{put_one_of, put_range},
    },
    text::{SHOWN, put_cut, quote, same},
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
    /// The text form of a type such as a date, in words; empty for free text.
    pub form: &'static str,
}

/// A rule that a field adds to a text; built by generated code.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
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
        form: "",
    };

    /// A text that a type reads in its own form, described in words.
    #[must_use]
    pub const fn form(form: &'static str) -> Self {
        Self {
            min_length: None,
            max_length: None,
            pattern: None,
            choices: Held::Static(&[]),
            form,
        }
    }

    /// One of these values.
    #[must_use]
    pub const fn one_of(choices: &'static [Choice]) -> Self {
        Self {
            min_length: None,
            max_length: None,
            pattern: None,
            choices: Held::Static(choices),
            form: "",
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
            && self.choices.is_empty()
    }

    /// The first rule that a string breaks.
    pub(crate) fn broken_rule(&self, value: &str) -> Fault {
        let is_listed = || self.choices.iter().any(|choice| choice.name == value);
        if !self.choices.is_empty() && !is_listed() {
            return Fault::Choice;
        }
        let has_length = self.min_length.is_some() || self.max_length.is_some();
        if has_length
            && is_outside(
                value.chars().count() as u64,
                self.min_length,
                self.max_length,
            )
        {
            return Fault::Length;
        }
        match &self.pattern {
            Some(pattern) if !pattern.is_match(value) => Fault::Form,
            _ => Fault::None,
        }
    }

    pub(in crate::schema) fn takes_empty(&self) -> bool {
        matches!(self.broken_rule(""), Fault::None)
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
            pattern: self.fixed_pattern(),
            choices: self.choices.fixed(),
            ..*self
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
            form: self.form,
        }
    }

    /// These rules with the only values.
    pub(in crate::schema) const fn with_choices(&self, choices: &'static [Choice]) -> Self {
        Self {
            pattern: self.fixed_pattern(),
            choices: Held::Static(choices),
            ..*self
        }
    }

    /// Why the type does not take a rule; empty if it does.
    pub(in crate::schema) const fn refuse(&self, rule: TextRule) -> &'static str {
        if !self.choices.part().is_empty() {
            return "this rule says nothing new beside a fixed list of values";
        }
        if !self.form.is_empty() {
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
        if !self.form.is_empty() {
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
    pub(in crate::schema) const fn fault(&self, value: &str) -> Fault {
        // A remaining pattern is the type's own, and only the reader can check it.
        if !self.form.is_empty() || self.pattern.is_some() {
            return Fault::Form;
        }
        if !self.lists(value) {
            return Fault::Choice;
        }
        if is_outside(characters(value), self.min_length, self.max_length) {
            Fault::Length
        } else {
            Fault::None
        }
    }

    pub(in crate::schema) fn describe(&self, words: &mut String) {
        if !self.choices.is_empty() {
            let names = self.choices.iter().map(|choice| choice.name.part());
            return put_one_of(names, quote, words);
        }
        words.push_str("a string");
        if !self.form.is_empty() {
            words.push_str(": ");
            words.push_str(self.form);
            return;
        }
        put_range(self.min_length, self.max_length, "character", words);
        if let Some(pattern) = &self.pattern {
            words.push_str(" matching ");
            put_cut(pattern.text.part(), SHOWN, words);
        }
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
                broken.all(|fault| matches!(fault, Fault::None))
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
        Some(Self {
            min_length: larger(self.min_length, other.min_length),
            max_length: smaller(self.max_length, other.max_length),
            pattern,
            choices: Held::Static(&[]),
            form: if self.form.is_empty() {
                other.form
            } else {
                self.form
            },
        })
    }

    /// The rules of a foreign schema.
    pub(in crate::schema) fn from_json(raw: &Json) -> Self {
        Self {
            min_length: count(raw, "minLength"),
            max_length: count(raw, "maxLength"),
            pattern: raw
                .get("pattern")
                .and_then(Json::text)
                .map(Pattern::of_json),
            choices: Held::Static(&[]),
            form: raw.get("format").and_then(Json::text).map_or("", form),
        }
    }
}

/// A format in words.
fn form(format: &str) -> &'static str {
    match format {
        "date-time" => "a date and time such as 2026-01-31T09:30:00Z",
        "date" => "a date such as 2026-01-31",
        "time" => "a time such as 09:30:00Z",
        "duration" => "an ISO 8601 duration such as PT90S",
        "email" | "idn-email" => "an e-mail address",
        "hostname" | "idn-hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" | "url" | "iri" => "a URL",
        "uri-reference" | "iri-reference" => "a URL or a part of one",
        "uuid" => "a UUID",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON pointer",
        "byte" | "base64" => "base64 text",
        _ => "",
    }
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
