//! Strings as JSON, and the notes about them.

use super::{
    sink::ByteSink,
    value::{CommaWriter, count, names},
    variants::VariantParts,
    whole::put_whole,
};
use crate::{
    dialect::profile::{PatternSupport, Profile},
    schema::{Format, Held, Text},
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
            format: None,
            form: _,
        }
    )
}

pub(super) const fn rules<'a>(
    rules: &'a Text,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
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
        && profile.patterns.takes(pattern.text.part())
    {
        put_pattern(pattern.text.part(), profile, comma, sink);
    }
    match &rules.format {
        Some(format) if profile.keeps_format(*format) => {
            comma.key(b",\"format\":", sink);
            sink.string(format.name());
        }
        Some(format) if takes_as_pattern(*format, rules, profile) => {
            comma.key(b",\"pattern\":", sink);
            sink.string(format.pattern());
        }
        _ => {}
    }
    if !rules.choices.part().is_empty() {
        comma.key(b",\"enum\":", sink);
        names(rules.choices.part(), sink);
    }
}

/// A pattern that the dialect takes.
pub(super) const fn put_pattern<'a>(
    pattern: &'a str,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    comma.key(b",\"pattern\":\"", sink);
    if matches!(profile.patterns, PatternSupport::Whole) {
        put_whole(pattern, sink);
    } else {
        sink.escaped(pattern);
    }
    sink.bytes(b"\"");
}

/// Whether the pattern of a format is written. One of the author goes before it.
const fn takes_as_pattern(format: Format, rules: &Text, profile: &Profile) -> bool {
    let own = match &rules.pattern {
        Some(pattern) => profile.patterns.takes(pattern.text.part()),
        None => false,
    };
    profile.format_patterns && !own && !format.pattern().is_empty()
}

/// Puts rules into words that the dialect has no keyword for.
pub(super) const fn notes<'a>(
    rules: &'a Text,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'a>,
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
        && !profile.patterns.takes(pattern.text.part())
    {
        list.label("pattern", sink);
        sink.escaped(pattern.text.part());
    }
}
