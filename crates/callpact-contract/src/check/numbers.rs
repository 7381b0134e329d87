//! Bounds and steps of numbers in the sense of JSON Schema.

use std::cmp::Ordering;

use serde_json::Number;

use super::values::whole;
use crate::{
    json::{is_multiple, is_whole_multiple, whole_order},
    schema::NumberEnd,
};

pub(super) fn number_fits(ends: &[(NumberEnd, Number)], number: &Number) -> bool {
    // A number that does not fit an `f64` is outside every range.
    let is = |end: &Number, fits: fn(Ordering) -> bool| compare(number, end).is_some_and(fits);
    ends.iter().all(|(kind, end)| match kind {
        NumberEnd::Minimum => is(end, Ordering::is_ge),
        NumberEnd::Maximum => is(end, Ordering::is_le),
        NumberEnd::ExclusiveMinimum => is(end, Ordering::is_gt),
        NumberEnd::ExclusiveMaximum => is(end, Ordering::is_lt),
        NumberEnd::Multiple => multiple(number, end),
    })
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
