//! A schema in words, for the expected side of an issue.

use std::borrow::Cow;

use super::{Kind, Schema, Tagging, again::AGAIN_WORDS, phrases::roomy};
use crate::text::{put_cut, whole};

/// How many bytes of the author's description are shown.
const DESCRIBED: usize = 120;

/// Describes the values of a schema in a few words.
pub(crate) fn expected(schema: &Schema) -> Cow<'static, str> {
    match of_form(schema) {
        Some(words) if !schema.nullable && !schema.takes_nothing() => Cow::Borrowed(words),
        _ => {
            let mut words = roomy();
            describe(schema, &mut words);
            Cow::Owned(words)
        }
    }
}

/// What a value must be in as few words as carry it: `expected integer 1..50`, `must match ^a$`. Empty where a schema
/// has no rules.
pub(crate) fn dense(schema: &Schema) -> Cow<'static, str> {
    if schema.takes_nothing() || matches!(schema.kind, Kind::Any) {
        return Cow::Borrowed("");
    }
    let mut words = roomy();
    let says_must = matches!(&schema.kind, Kind::Text(rules) if rules.has_only_pattern());
    if !says_must {
        words.push_str("expected ");
    }
    put_dense(schema, &mut words);
    if takes_null(schema) {
        words.push_str(" or null");
    }
    Cow::Owned(words)
}

/// Writes the values of a schema in as few words as carry them.
pub(crate) fn put_dense(schema: &Schema, words: &mut String) {
    match &schema.kind {
        Kind::Any => words.push_str("any value"),
        Kind::Boolean => words.push_str(match schema.only_boolean() {
            Some(true) => "true",
            Some(false) => "false",
            None => "true or false",
        }),
        Kind::Integer(rules) => rules.describe_densely(words),
        Kind::Number(rules) => rules.describe_densely(words),
        Kind::Text(rules) => rules.describe_densely(words),
        Kind::List(rules) => {
            words.push_str("array");
            rules.describe_counts(words);
        }
        Kind::Tuple(items) => {
            words.push_str("array of exactly ");
            whole(items.len() as i128, words);
            words.push_str(" items");
        }
        Kind::Map(_) | Kind::Object(_) => words.push_str("object"),
        Kind::Union(rules) => {
            let values = |schema: &Schema| {
                let mut words = roomy();
                put_dense(schema, &mut words);
                Cow::Owned(words)
            };
            rules.describe(words, &values);
        }
    }
}

/// The words of a kind without rules, which take no memory.
fn of_form(schema: &Schema) -> Option<&'static str> {
    match &schema.kind {
        Kind::Any => Some("any value"),
        Kind::Boolean => Some(match schema.only_boolean() {
            Some(true) => "true",
            Some(false) => "false",
            None => "true or false",
        }),
        Kind::Number(rules) if rules.takes_any() => Some("a number"),
        Kind::Text(rules) if rules.takes_any() && rules.form.is_empty() => Some("a string"),
        Kind::Map(_) | Kind::Object(_) => Some("an object"),
        _ => None,
    }
}

/// What the author says of a schema.
pub(crate) fn note(schema: &Schema) -> &str {
    match schema.description.part() {
        "" if schema.is_again() => AGAIN_WORDS,
        said => said,
    }
}

/// Writes what an author says behind the words of a schema.
pub(crate) fn put_note(note: &str, words: &mut String) {
    if !note.is_empty() {
        words.push_str(" (");
        put_cut(note, DESCRIBED, words);
        words.push(')');
    }
}

/// Describes the values of a schema, with the author's description.
pub(crate) fn described(schema: &Schema) -> String {
    let mut words = String::with_capacity(48 + schema.description.len().min(DESCRIBED));
    describe(schema, &mut words);
    put_note(note(schema), &mut words);
    words
}

fn describe(schema: &Schema, words: &mut String) {
    if schema.takes_nothing() && !schema.is_loose() {
        words.push_str(if schema.nullable { "null" } else { "no value" });
        return;
    }
    describe_values(schema, words);
    if takes_null(schema) && !matches!(schema.kind, Kind::Any) {
        words.push_str(", or null");
    }
}

/// Whether null is a value, also as a form of a union.
fn takes_null(schema: &Schema) -> bool {
    let forms = match &schema.kind {
        Kind::Union(rules) if rules.tagging == Tagging::None => Some(rules),
        _ => None,
    };
    schema.nullable || forms.is_some_and(|rules| rules.contents().any(takes_null))
}

/// The values of a schema, except null.
fn values(schema: &Schema) -> Cow<'static, str> {
    of_form(schema).map_or_else(
        || {
            let mut words = roomy();
            describe_values(schema, &mut words);
            Cow::Owned(words)
        },
        Cow::Borrowed,
    )
}

fn describe_values(schema: &Schema, words: &mut String) {
    match &schema.kind {
        Kind::Integer(rules) => rules.describe(words),
        Kind::List(rules) => rules.describe(words),
        Kind::Tuple(items) => {
            words.push_str("an array of exactly ");
            whole(items.len() as i128, words);
            words.push_str(" items");
        }
        Kind::Union(rules) => rules.describe(words, &values),
        kind => match (of_form(schema), kind) {
            (Some(form), _) => words.push_str(form),
            (None, Kind::Number(rules)) => rules.describe(words),
            (None, Kind::Text(rules)) => rules.describe(words),
            (None, _) => {}
        },
    }
}
