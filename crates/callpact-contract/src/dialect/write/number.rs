//! Numbers with a fraction as JSON, and the notes about them.

use super::{
    sink::ByteSink,
    value::{CommaWriter, decimal},
    variants::VariantParts,
};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::{Bound, Number},
};

pub(super) const fn rules<'a>(
    rules: &'a Number,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    bound(
        b",\"minimum\":",
        b",\"exclusiveMinimum\":",
        b"-1e18",
        rules.min.as_ref(),
        profile,
        comma,
        sink,
    );
    bound(
        b",\"maximum\":",
        b",\"exclusiveMaximum\":",
        b"1e18",
        rules.max.as_ref(),
        profile,
        comma,
        sink,
    );
    if let Some(step) = &rules.multiple_of
        && profile.has(keyword::FRACTION)
    {
        comma.key(b",\"multipleOf\":", sink);
        decimal(step, sink);
    }
}

const fn bound<'a>(
    key: &'static [u8],
    exclusive_key: &'static [u8],
    farthest: &'static [u8],
    bound: Option<&'a Bound>,
    profile: &Profile,
    comma: &mut CommaWriter,
    sink: &mut ByteSink<'a>,
) {
    let Some(bound) = bound else {
        if profile.bounds_all {
            comma.key(key, sink);
            sink.bytes(farthest);
        }
        return;
    };
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

/// Puts rules into words that the dialect has no keyword for.
pub(super) const fn notes<'a>(
    rules: &'a Number,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    note_bound("minimum", "above", rules.min.as_ref(), profile, list, sink);
    note_bound("maximum", "below", rules.max.as_ref(), profile, list, sink);
    if let Some(step) = &rules.multiple_of
        && !profile.has(keyword::FRACTION)
    {
        list.label("multiple of", sink);
        decimal(step, sink);
    }
}

const fn note_bound<'a>(
    label: &'a str,
    exclusive_label: &'a str,
    bound: Option<&'a Bound>,
    profile: &Profile,
    list: &mut VariantParts,
    sink: &mut ByteSink<'a>,
) {
    let Some(bound) = bound else { return };
    let (label, need) = if bound.exclusive {
        (exclusive_label, keyword::EXCLUSIVE)
    } else {
        (label, keyword::BOUNDS)
    };
    if !profile.has(need) {
        list.label(label, sink);
        decimal(&bound.at, sink);
    }
}
