//! Strings as JSON, and the notes about them.

use super::{
    sink::Sink,
    value::{Comma, count, names},
    variants::Parts,
};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::{Held, Text},
};

/// Whether there is no rule except the form, which is only words.
const fn is_free(rules: &Text) -> bool {
    matches!(
        rules,
        Text {
            min_length: None,
            max_length: None,
            pattern: None,
            choices: Held::Static([]),
            form: _,
        }
    )
}

pub(super) const fn rules<'a>(
    rules: &'a Text,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'a>,
) {
    if is_free(rules) {
        return;
    }
    if profile.keeps_length(rules.min_length) {
        count(b",\"minLength\":", rules.min_length, comma, sink);
    }
    if profile.keeps_length(rules.max_length) {
        count(b",\"maxLength\":", rules.max_length, comma, sink);
    }
    if let Some(pattern) = &rules.pattern
        && keeps_pattern(rules, pattern.text.part(), profile)
    {
        comma.key(b",\"pattern\":", sink);
        sink.string(pattern.text.part());
    }
    if !rules.choices.part().is_empty() {
        comma.key(b",\"enum\":", sink);
        names(rules.choices.part(), sink);
    }
}

/// Whether the dialect keeps the pattern of a text as a keyword.
const fn keeps_pattern(rules: &Text, pattern: &str, profile: &Profile) -> bool {
    let beside_length =
        profile.has(keyword::LENGTH) && (rules.min_length.is_some() || rules.max_length.is_some());
    profile.patterns.takes(pattern, beside_length)
}

/// Puts rules into words that the dialect has no keyword for.
pub(super) const fn notes<'a>(
    rules: &'a Text,
    profile: &Profile,
    list: &mut Parts,
    sink: &mut Sink<'a>,
) {
    if is_free(rules) {
        return;
    }
    if !profile.keeps_length(rules.min_length) {
        list.count("minimum length", rules.min_length, sink);
    }
    if !profile.keeps_length(rules.max_length) {
        list.count("maximum length", rules.max_length, sink);
    }
    if let Some(pattern) = &rules.pattern
        && !keeps_pattern(rules, pattern.text.part(), profile)
    {
        list.label("pattern", sink);
        sink.escaped(pattern.text.part());
    }
}
