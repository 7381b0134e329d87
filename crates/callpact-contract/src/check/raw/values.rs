//! Numbers and equal values in the sense of JSON Schema.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::super::values::{canonical, whole};
use crate::json::{is_multiple, is_whole_multiple, whole_order};

pub(super) fn number_fits(map: &Map<String, Value>, number: &Number) -> bool {
    let end = |key, fits: fn(Ordering) -> bool| match map.get(key) {
        // A number that does not fit an `f64` is outside every range.
        Some(Value::Number(end)) => compare(number, end).is_some_and(fits),
        _ => true,
    };
    end("minimum", Ordering::is_ge)
        && end("maximum", Ordering::is_le)
        && end("exclusiveMinimum", Ordering::is_gt)
        && end("exclusiveMaximum", Ordering::is_lt)
        && match map.get("multipleOf") {
            Some(Value::Number(step)) => multiple(number, step),
            _ => true,
        }
}

pub(super) fn within(number: u64, min: Option<u64>, max: Option<u64>) -> bool {
    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
}

fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => Some(whole_order(a, b.as_f64()?)),
        (None, Some(b)) => Some(whole_order(b, a.as_f64()?).reverse()),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (whole(number), whole(step)) {
        return number.checked_rem(step) == Some(0);
    }
    match (whole(number), number.as_f64(), step.as_f64()) {
        (Some(number), _, Some(step)) => is_whole_multiple(number, step),
        (None, Some(number), Some(step)) => is_multiple(number, step),
        _ => true,
    }
}

/// Whether two values are equal in the sense of JSON Schema, in which 1 equals 1.0.
pub(in super::super) fn equal(a: &Value, b: &Value) -> bool {
    use Value::{Array, Number, Object};
    let may_differ_in_form = matches!(
        (a, b),
        (Number(_), Number(_)) | (Array(_), Array(_)) | (Object(_), Object(_))
    );
    a == b || may_differ_in_form && canonical(a) == canonical(b)
}
