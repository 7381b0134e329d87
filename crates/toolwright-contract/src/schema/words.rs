//! A schema in words, for the side of an issue that says what was expected.

use std::fmt::Write;

use serde_json::Value;

use super::{
    Integer, Kind, Number, Schema, Tagging, Text, Union,
    again::{AGAIN_WORDS, is_again},
};
use crate::text::{SHOWN, put_cut, quote, whole};

/// How many values of a list are named before the rest is counted.
const NAMED: usize = 12;
/// How many of the author's words.
const DESCRIBED: usize = 120;

/// What a value of this schema is, in a few words.
pub(crate) fn expected(schema: &Schema) -> String {
    let mut words = roomy();
    expect(schema, &mut words);
    words
}

/// The same with what the value is for.
pub(crate) fn described(schema: &Schema) -> String {
    let mut words = String::with_capacity(48 + schema.description.len().min(DESCRIBED));
    expect(schema, &mut words);
    let said = match schema.description.part() {
        "" if is_again(schema) => AGAIN_WORDS,
        said => said,
    };
    if !said.is_empty() {
        words.push_str(" (");
        put_cut(said, DESCRIBED, &mut words);
        words.push(')');
    }
    words
}

fn expect(schema: &Schema, words: &mut String) {
    match &schema.kind {
        Kind::Any => words.push_str("any value"),
        Kind::Boolean => words.push_str("true or false"),
        Kind::Integer(rules) => integer(rules, words),
        Kind::Number(rules) => number(rules, words),
        Kind::Text(rules) => text(rules, words),
        Kind::List(rules) => {
            words.push_str("an array");
            put_range(rules.min_items, rules.max_items, "item", words);
            if rules.unique {
                words.push_str(", none twice");
            }
        }
        Kind::Tuple(items) => {
            words.push_str("an array of exactly ");
            whole(items.len() as i128, words);
            words.push_str(" items");
        }
        Kind::Map(_) | Kind::Object(_) => words.push_str("an object"),
        Kind::Union(rules) => union(rules, words),
    }
    if schema.nullable {
        words.push_str(", or null");
    }
}

fn integer(rules: &Integer, words: &mut String) {
    if !rules.choices.is_empty() {
        return put_one_of(
            rules.choices.iter(),
            |value, words| whole(*value, words),
            words,
        );
    }
    words.push_str("an integer");
    match (rules.min, rules.max) {
        (Some(min), Some(max)) => {
            words.push_str(" from ");
            whole(min, words);
            words.push_str(" to ");
            whole(max, words);
        }
        (Some(min), None) => {
            words.push_str(" of at least ");
            whole(min, words);
        }
        (None, Some(max)) => {
            words.push_str(" of at most ");
            whole(max, words);
        }
        (None, None) => {}
    }
    if rules.nonzero {
        words.push_str(", not zero");
    }
    if let Some(step) = rules.multiple_of {
        words.push_str(", a multiple of ");
        whole(step, words);
    }
}

fn number(rules: &Number, words: &mut String) {
    words.push_str("a number");
    let mut join = " ";
    if let Some(bound) = &rules.min {
        let word = if bound.exclusive {
            "above"
        } else {
            "of at least"
        };
        put(words, format_args!("{join}{word} {}", bound.at.value));
        join = " and ";
    }
    if let Some(bound) = &rules.max {
        let word = if bound.exclusive {
            "below"
        } else {
            "of at most"
        };
        put(words, format_args!("{join}{word} {}", bound.at.value));
    }
    if let Some(step) = &rules.multiple_of {
        put(words, format_args!(", a multiple of {}", step.value));
    }
}

fn text(rules: &Text, words: &mut String) {
    if !rules.choices.is_empty() {
        let names = rules.choices.iter().map(|choice| choice.name.part());
        return put_one_of(names, quote, words);
    }
    words.push_str("a string");
    if !rules.form.is_empty() {
        words.push_str(": ");
        words.push_str(rules.form);
        return;
    }
    put_range(rules.min_length, rules.max_length, "character", words);
    if let Some(pattern) = &rules.pattern {
        words.push_str(" matching ");
        put_cut(pattern.text.part(), SHOWN, words);
    }
}

fn union(rules: &Union, words: &mut String) {
    let names = |words: &mut String| {
        put_one_of(
            rules.variants.iter().map(|variant| variant.name.part()),
            quote,
            words,
        );
    };
    match &rules.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            words.push_str("an object whose `");
            words.push_str(tag.part());
            words.push_str("` is ");
            names(words);
        }
        Tagging::External
            if rules
                .variants
                .iter()
                .all(|variant| variant.content.is_some()) =>
        {
            words.push_str("an object with a single key, ");
            names(words);
        }
        Tagging::External => {
            names(words);
            words.push_str(", those with content as an object's single key");
        }
        Tagging::None => {
            let forms = rules
                .variants
                .iter()
                .filter_map(|variant| variant.content.as_deref());
            words.push_str(&join_or(forms.map(expected)));
        }
    }
}

pub(crate) fn range(min: Option<u64>, max: Option<u64>, unit: &str) -> String {
    let mut words = String::new();
    put_range(min, max, unit, &mut words);
    words
}

fn put_range(min: Option<u64>, max: Option<u64>, unit: &str, words: &mut String) {
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

/// `one of a, b, c and 9 more`; a single value stands alone.
fn put_one_of<T>(
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

fn join_or(forms: impl Iterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for form in forms {
        if !seen.contains(&form) {
            seen.push(form);
        }
    }
    seen.truncate(NAMED);
    seen.join(" or ")
}

/// Room for what most schemas are in words.
fn roomy() -> String {
    String::with_capacity(48)
}

fn put(words: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = words.write_fmt(more);
}
