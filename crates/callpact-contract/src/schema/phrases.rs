//! Phrases that several kinds share in their descriptions.

use serde_json::Value;

use crate::text::{SHOWN, put_cut, quote, whole};

/// How many values of a list are named before the others are counted.
pub(super) const NAMED: usize = 12;

pub(crate) fn range(min: Option<u64>, max: Option<u64>, unit: &str) -> String {
    let mut words = String::new();
    put_range(min, max, unit, &mut words);
    words
}

/// `at least 1 item is` or `2 to 3 items are`, for a rule about the number of items.
pub(crate) fn items_are(least: u64, most: Option<u64>) -> String {
    let words = range((least > 0).then_some(least), most, "item");
    let verb = if words.ends_with('s') { "are" } else { "is" };
    format!("{} {verb}", words.trim_start_matches(" of "))
}

pub(super) fn put_range(min: Option<u64>, max: Option<u64>, unit: &str, words: &mut String) {
    let (word, first, second) = match (min, max) {
        (Some(min), Some(max)) if min == max => (" of exactly ", min, None),
        (Some(min), Some(max)) => (" of ", min, Some(max)),
        (Some(min), None) => (" of at least ", min, None),
        (None, Some(max)) => (" of at most ", max, None),
        (None, None) => return,
    };
    words.push_str(word);
    whole(first.into(), words);
    if let Some(second) = second {
        words.push_str(" to ");
        whole(second.into(), words);
    }
    words.push(' ');
    words.push_str(unit);
    if second.is_some() || first != 1 {
        words.push('s');
    }
}

/// The values of a list.
pub(crate) fn listed(values: &[Value]) -> String {
    let write = |value: &Value, words: &mut String| match value {
        Value::String(text) => quote(text, words),
        Value::Array(_) | Value::Object(_) => put_cut(&value.to_string(), SHOWN, words),
        other => words.push_str(&other.to_string()),
    };
    let mut words = roomy();
    put_one_of(values.iter(), write, &mut words);
    words
}

/// `one of a, b, c and 9 more`; or a single value.
pub(super) fn put_one_of<T>(
    values: impl ExactSizeIterator<Item = T>,
    write: impl Fn(T, &mut String),
    words: &mut String,
) {
    let total = values.len();
    if total != 1 {
        words.push_str("one of ");
    }
    for (i, value) in values.take(NAMED).enumerate() {
        if i > 0 {
            words.push_str(", ");
        }
        write(value, words);
    }
    if total > NAMED {
        words.push_str(" and ");
        whole((total - NAMED) as i128, words);
        words.push_str(" more");
    }
}

/// Room for most schemas in words.
pub(super) fn roomy() -> String {
    String::with_capacity(48)
}
