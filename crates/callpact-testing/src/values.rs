//! Values of any kind, and single parts of values.

use serde_json::{Number, Value};

use crate::Rng;
use callpact::schema::{Schema, Union, Variant};

/// The schema that a part of a value follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SchemaNode<'s> {
    Value(&'s Schema),
    /// The object of one variant.
    Variant(&'s Union, &'s Variant),
}

/// A whole number as a JSON number.
pub fn whole(value: i128) -> Value {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => Value::from(value),
        (_, Ok(value)) => Value::from(value),
        #[allow(clippy::cast_precision_loss)] // as serde_json reads numbers
        _ => Number::from_f64(value as f64).map_or(Value::Null, Value::Number),
    }
}

/// A character, often an unusual one.
pub fn character(rng: &mut Rng) -> char {
    const ALL: [char; 20] = [
        'a', 'b', 'z', 'A', '0', '9', ' ', '"', '\\', '/', '\n', 'ü', 'ß', '日', '🦀', '\u{301}',
        '\u{202e}', '\0', '_', '-',
    ];
    *rng.pick(&ALL)
}

/// A key; some are names that schemas use, some are unusual.
pub fn word(rng: &mut Rng) -> String {
    const ALL: [&str; 14] = [
        "k",
        "other",
        "a",
        "x",
        "name",
        "ünïcode",
        "",
        "a b",
        "type",
        "key",
        "Red",
        "page",
        "z9",
        "日",
    ];
    (*rng.pick(&ALL)).to_owned()
}

/// Any JSON.
pub fn any(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth == 0 { 8 } else { 10 }) {
        0 => Value::Null,
        1 => true.into(),
        2 => false.into(),
        3 => Value::from(i64::try_from(rng.below(5)).unwrap_or(0)),
        4 => Value::from(*rng.pick(&[0.5, -0.0, 1.0, 1e30, 2.0])),
        5 => Value::from(*rng.pick(&[u64::MAX, 9_007_199_254_740_993, 9_100_000_000_000_000])),
        6 | 7 => Value::from(word(rng)),
        8 => (0..rng.below(3)).map(|_| any(rng, depth - 1)).collect(),
        _ => (0..rng.below(3))
            .map(|_| (word(rng), any(rng, depth - 1)))
            .collect(),
    }
}
