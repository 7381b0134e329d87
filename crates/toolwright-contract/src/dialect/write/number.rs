//! Numbers with a fraction as JSON, and the notes about them.

use super::{
    sink::Sink,
    value::{Comma, decimal},
    variants::Parts,
};
use crate::{
    dialect::{keyword, profile::Profile},
    schema::{Bound, Number},
};

pub(super) const fn rules(
    rules: &Number,
    profile: &Profile,
    comma: &mut Comma,
    sink: &mut Sink<'_>,
) {
    bound(
        ",\"minimum\":",
        ",\"exclusiveMinimum\":",
        rules.min.as_ref(),
        profile,
        comma,
        sink,
    );
    bound(
        ",\"maximum\":",
        ",\"exclusiveMaximum\":",
        rules.max.as_ref(),
        profile,
        comma,
        sink,
    );
    if let Some(step) = &rules.multiple_of
        && profile.has(keyword::MULTIPLE)
    {
        comma.key(",\"multipleOf\":", sink);
        decimal(step, sink);
    }
}

const fn bound(
    key: &'static str,
    exclusive_key: &'static str,
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

/// Says in words what the dialect has no keyword for.
pub(super) const fn notes(
    rules: &Number,
    profile: &Profile,
    list: &mut Parts,
    sink: &mut Sink<'_>,
) {
    note_bound("minimum", "above", rules.min.as_ref(), profile, list, sink);
    note_bound("maximum", "below", rules.max.as_ref(), profile, list, sink);
    if let Some(step) = &rules.multiple_of
        && !profile.has(keyword::MULTIPLE)
    {
        list.label("multiple of", sink);
        decimal(step, sink);
    }
}

const fn note_bound(
    label: &str,
    exclusive_label: &str,
    bound: Option<&Bound>,
    profile: &Profile,
    list: &mut Parts,
    sink: &mut Sink<'_>,
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
