//! The rules of numbers and texts.

use super::{
    sink::Sink,
    value::{Comma, count, decimal, names, type_name, whole},
};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::{Bound, Integer, Number, Text},
};

/// Whether zero is cut out of the middle of the range.
pub(super) const fn splits(rules: &Integer) -> bool {
    let below = match rules.min {
        Some(min) => min < 0,
        None => true,
    };
    let above = match rules.max {
        Some(max) => max > 0,
        None => true,
    };
    rules.nonzero && below && above && rules.choices.part().is_empty()
}

pub(super) const fn integer(
    rules: &Integer,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    if splits(rules) && profile.has(keyword::BOUNDS) {
        comma.key("anyOf", sink);
        sink.byte(b'[');
        half(rules.min, Some(-1), rules, profile, sink);
        sink.byte(b',');
        half(Some(1), rules.max, rules, profile, sink);
        sink.byte(b']');
        return;
    }
    // A list says all that its bounds would.
    let listed = profile.has(keyword::NUMERIC_ENUM) && lists_all(rules);
    if profile.has(keyword::BOUNDS) && !listed {
        let (mut min, mut max) = (rules.min, rules.max);
        if rules.nonzero && matches!(min, Some(0)) {
            min = Some(1);
        }
        if rules.nonzero && matches!(max, Some(0)) {
            max = Some(-1);
        }
        whole("minimum", min, comma, sink);
        whole("maximum", max, comma, sink);
    }
    if profile.has(keyword::MULTIPLE) && !listed {
        whole("multipleOf", rules.multiple_of, comma, sink);
    }
    if !rules.choices.part().is_empty() && profile.has(keyword::NUMERIC_ENUM) {
        comma.key("enum", sink);
        sink.byte(b'[');
        let mut i = 0;
        while i < rules.choices.part().len() {
            if i > 0 {
                sink.byte(b',');
            }
            sink.integer(rules.choices.part()[i]);
            i += 1;
        }
        sink.byte(b']');
    }
}

/// The whole numbers on one side of zero.
const fn half(
    min: Option<i128>,
    max: Option<i128>,
    rules: &Integer,
    profile: &Profile,
    sink: &mut Sink<'_>,
) {
    sink.raw("{\"type\":");
    type_name("integer", false, profile, sink);
    let mut comma = Comma(true);
    whole("minimum", min, &mut comma, sink);
    whole("maximum", max, &mut comma, sink);
    if profile.has(keyword::MULTIPLE) {
        whole("multipleOf", rules.multiple_of, &mut comma, sink);
    }
    sink.byte(b'}');
}

/// Whether there is a list of the only values, and each of them follows the other rules.
const fn lists_all(rules: &Integer) -> bool {
    let mut i = 0;
    while i < rules.choices.part().len() {
        let value = rules.choices.part()[i];
        let low = matches!(rules.min, Some(min) if value < min);
        let high = matches!(rules.max, Some(max) if value > max);
        let odd = matches!(rules.multiple_of, Some(step) if step == 0 || value % step != 0);
        if low || high || odd || (rules.nonzero && value == 0) {
            return false;
        }
        i += 1;
    }
    !rules.choices.part().is_empty()
}

pub(super) const fn number(
    rules: &Number,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    bound(
        "minimum",
        "exclusiveMinimum",
        rules.min.as_ref(),
        profile,
        comma,
        sink,
    );
    bound(
        "maximum",
        "exclusiveMaximum",
        rules.max.as_ref(),
        profile,
        comma,
        sink,
    );
    if let Some(step) = &rules.multiple_of
        && profile.has(keyword::MULTIPLE)
    {
        comma.key("multipleOf", sink);
        decimal(step, sink);
    }
}

const fn bound(
    key: &str,
    exclusive_key: &str,
    bound: Option<&Bound>,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    let Some(bound) = bound else { return };
    let (key, need) = if bound.exclusive {
        (exclusive_key, keyword::EXCLUSIVE)
    } else {
        (key, keyword::BOUNDS)
    };
    if profile.has(need) {
        comma.key(key, sink);
        decimal(&bound.at, sink);
    }
}

pub(super) const fn text(rules: &Text, profile: &Profile, comma: &mut Comma, sink: &mut Sink<'_>) {
    if profile.keeps_length(rules.min_length) {
        count("minLength", rules.min_length, comma, sink);
    }
    if profile.keeps_length(rules.max_length) {
        count("maxLength", rules.max_length, comma, sink);
    }
    if let Some(pattern) = &rules.pattern
        && keeps_pattern(rules, pattern.text.part(), profile)
    {
        comma.key("pattern", sink);
        sink.string(pattern.text.part());
    }
    if !rules.choices.part().is_empty() {
        comma.key("enum", sink);
        names(rules.choices.part(), sink);
    }
}

/// Whether the dialect keeps the pattern of a text as a keyword.
pub(super) const fn keeps_pattern(rules: &Text, pattern: &str, profile: &Profile) -> bool {
    let beside_length =
        profile.has(keyword::LENGTH) && (rules.min_length.is_some() || rules.max_length.is_some());
    profile.patterns.takes(pattern, beside_length)
}
