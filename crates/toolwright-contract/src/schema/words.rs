//! A schema in words, for the side of an issue that says what was expected.

use super::{
    Kind, Schema,
    again::{AGAIN_WORDS, is_again},
    phrases::roomy,
};
use crate::text::{put_cut, whole};

/// How many bytes of the author's words are shown.
const DESCRIBED: usize = 120;

/// Describes the values of a schema in a few words.
pub(crate) fn expected(schema: &Schema) -> String {
    let mut words = roomy();
    describe(schema, &mut words);
    words
}

/// Describes the values of a schema, with the author's description.
pub(crate) fn described(schema: &Schema) -> String {
    let mut words = String::with_capacity(48 + schema.description.len().min(DESCRIBED));
    describe(schema, &mut words);
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

fn describe(schema: &Schema, words: &mut String) {
    match &schema.kind {
        Kind::Any => words.push_str("any value"),
        Kind::Boolean => words.push_str("true or false"),
        Kind::Integer(rules) => rules.describe(words),
        Kind::Number(rules) => rules.describe(words),
        Kind::Text(rules) => rules.describe(words),
        Kind::List(rules) => rules.describe(words),
        Kind::Tuple(items) => {
            words.push_str("an array of exactly ");
            whole(items.len() as i128, words);
            words.push_str(" items");
        }
        Kind::Map(_) | Kind::Object(_) => words.push_str("an object"),
        Kind::Union(rules) => rules.describe(words, expected),
    }
    if schema.nullable && !matches!(schema.kind, Kind::Any) {
        words.push_str(", or null");
    }
}
