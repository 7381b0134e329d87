//! Whole numbers as JSON, and the notes about them.

use super::{
    sink::ByteSink,
    value::{CommaWriter, INTEGER, open, whole},
    variants::VariantParts,
};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::Integer,
};

pub(super) const fn rules<'a>(
    rules: &'a Integer,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    if rules.splits() && profile.has(keyword::BOUNDS) {
        comma.key(b",\"anyOf\":[", sink);
        half(kept(rules.min, profile), Some(-1), rules, profile, sink);
        sink.bytes(b",");
        half(Some(1), kept(rules.max, profile), rules, profile, sink);
        sink.bytes(b"]");
        return;
    }
    // A list says everything that its bounds would.
    let listed = keeps_choices(rules, profile) && lists_all(rules);
    if profile.has(keyword::BOUNDS) && !listed {
        let (mut min, mut max) = (rules.min, rules.max);
        if rules.nonzero && matches!(min, Some(0)) {
            min = Some(1);
        }
        if rules.nonzero && matches!(max, Some(0)) {
            max = Some(-1);
        }
        let is_open = min.is_none() && max.is_none() && rules.choices.part().is_empty();
        if profile.bounds_all && is_open {
            min = Some(-profile.farthest);
            max = Some(profile.farthest);
        }
        whole(b",\"minimum\":", kept(min, profile), comma, sink);
        whole(b",\"maximum\":", kept(max, profile), comma, sink);
    }
    if profile.has(keyword::MULTIPLE) && !listed {
        whole(b",\"multipleOf\":", rules.multiple_of, comma, sink);
    }
    if keeps_choices(rules, profile) {
        comma.key(b",\"enum\":[", sink);
        let mut i = 0;
        while i < rules.choices.part().len() {
            if i > 0 {
                sink.bytes(b",");
            }
            sink.integer(rules.choices.part()[i]);
            i += 1;
        }
        sink.bytes(b"]");
    }
}

/// Whether there is a list of the only values that may be a keyword.
const fn keeps_choices(rules: &Integer, profile: &Profile) -> bool {
    let mut rest = rules.choices.part();
    let mut keeps = profile.has(keyword::NUMERIC_ENUM) && !rest.is_empty();
    while let [value, others @ ..] = rest {
        keeps = keeps && !profile.is_too_far(*value);
        rest = others;
    }
    keeps
}

/// A bound that may be a keyword.
const fn kept(bound: Option<i128>, profile: &Profile) -> Option<i128> {
    match bound {
        Some(bound) if profile.keeps_bound(bound) => Some(bound),
        Some(bound) if profile.clamps && bound < 0 => Some(-profile.farthest),
        Some(_) if profile.clamps => Some(profile.farthest),
        _ => None,
    }
}

/// A bound that may not be a keyword.
const fn moved(bound: Option<i128>, profile: &Profile) -> Option<i128> {
    match bound {
        Some(bound) if !profile.keeps_bound(bound) => Some(bound),
        _ => None,
    }
}

/// The whole numbers on one side of zero.
const fn half<'a>(
    min: Option<i128>,
    max: Option<i128>,
    rules: &'a Integer,
    profile: &Profile,
    sink: &mut ByteSink<'a>,
) {
    open(&INTEGER, profile, sink);
    let mut comma = CommaWriter(true);
    whole(b",\"minimum\":", min, &mut comma, sink);
    whole(b",\"maximum\":", max, &mut comma, sink);
    if profile.has(keyword::MULTIPLE) {
        whole(b",\"multipleOf\":", rules.multiple_of, &mut comma, sink);
    }
    sink.bytes(b"}");
}

/// Whether there is a list of the only values, all of which follow the other rules.
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

/// Puts rules into words that the dialect has no keyword for.
pub(super) const fn notes<'a>(
    rules: &'a Integer,
    description: &'a str,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    let (min, max) = (moved(rules.min, profile), moved(rules.max, profile));
    let told = match (min, max) {
        (Some(min), Some(max)) => says_range(description, min, max),
        _ => false,
    };
    if let Some(min) = min
        && !told
    {
        list.label("minimum", sink);
        sink.integer(min);
    }
    if let Some(max) = max
        && !told
    {
        list.label("maximum", sink);
        sink.integer(max);
    }
    if !profile.has(keyword::BOUNDS) && rules.splits() {
        list.next(sink);
        sink.bytes(b"not zero");
    }
    if let Some(step) = rules.multiple_of
        && !profile.has(keyword::MULTIPLE)
    {
        list.label("multiple of", sink);
        sink.integer(step);
    }
    if !rules.choices.part().is_empty() && !keeps_choices(rules, profile) {
        list.label("one of", sink);
        let mut i = 0;
        while i < rules.choices.part().len() {
            if i > 0 {
                sink.bytes(b", ");
            }
            sink.integer(rules.choices.part()[i]);
            i += 1;
        }
    }
}

/// Whether the author's words contain this range, as `1 to 50`. A number alone could be about
/// anything.
const fn says_range(description: &str, min: i128, max: i128) -> bool {
    // Two numbers of up to 40 characters and a word.
    let mut room = [0u8; 84];
    let mut sink = ByteSink::into(&mut room);
    sink.integer(min);
    sink.bytes(b" to ");
    sink.integer(max);
    sink.flush();
    let len = sink.len();
    let (range, _) = room.split_at(len);
    let text = description.as_bytes();
    let mut start = 0;
    while start + len <= text.len() {
        let mut same = 0;
        while same < len && text[start + same] == range[same] {
            same += 1;
        }
        let before = start > 0 && continues_number(text[start - 1]);
        let after = start + len < text.len() && text[start + len].is_ascii_digit();
        if same == len && !before && !after {
            return true;
        }
        start += 1;
    }
    false
}

const fn continues_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}
