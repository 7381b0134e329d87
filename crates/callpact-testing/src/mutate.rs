//! One change to a value that may break its schema.

use serde_json::{Map, Value, json};

use callpact::schema::{Integer, Kind, Schema, Tagging, Text, Union, Variant};

use crate::{
    Rng,
    values::{SchemaNode, any, character, whole, word},
};

/// Changes a value of a node in one way.
pub(crate) fn mutate(value: &mut Value, node: SchemaNode<'_>, rng: &mut Rng) {
    if rng.one_in(6) {
        *value = other(value, rng);
        return;
    }
    match node {
        SchemaNode::Variant(union, variant) => self::variant(value, union, variant, rng),
        SchemaNode::Value(schema) => match &schema.kind {
            Kind::Integer(rules) => *value = integer(value, rules, rng),
            Kind::Number(_) => *value = number(value, schema, rng),
            Kind::Text(rules) => *value = text(value, rules, rng),
            Kind::List(_) | Kind::Tuple(_) => items(value, rng),
            Kind::Map(_) | Kind::Object(_) => entries(value, schema, rng),
            _ => *value = other(value, rng),
        },
    }
}

/// A value of another type, or the same value in another notation.
fn other(value: &Value, rng: &mut Rng) -> Value {
    match rng.below(12) {
        0 | 1 => Value::Null,
        2 => "".into(),
        3 => "null".into(),
        4 => Value::Array(vec![value.clone()]),
        5 => json!({ "value": value }),
        6 => json!([]),
        7 => json!({}),
        8 => nested(value.clone(), 3 + rng.below(8)),
        9 => value.to_string().into(),
        _ => any(rng, 1),
    }
}

fn nested(mut value: Value, levels: usize) -> Value {
    for _ in 0..levels {
        value = Value::Array(vec![value]);
    }
    value
}

/// Numbers on which readers and validators may disagree.
fn far(rng: &mut Rng) -> Value {
    match rng.below(16) {
        0 => whole((1 << 53) - 1),
        1 => whole(1 << 53),
        2 => whole((1 << 53) + 1),
        3 => whole(i64::MAX.into()),
        4 => whole(i128::from(i64::MAX) + 1),
        5 => whole(i64::MIN.into()),
        6 => whole(i128::from(i64::MIN) - 1),
        7 => whole(u64::MAX.into()),
        8 => whole(i128::from(u64::MAX) + 1),
        9 => json!(-0.0),
        10 => json!(1e30),
        11 => json!(-1e300),
        12 => json!(1e-7),
        13 => json!(9_007_199_254_740_992.0),
        14 => json!(9_007_199_254_740_994.0),
        _ => json!(0),
    }
}

fn integer(value: &Value, rules: &Integer, rng: &mut Rng) -> Value {
    let now = value.as_i64().map_or(0, i128::from);
    let step = |rng: &mut Rng| *rng.pick(&[-1, 1, -2, 1000, -70_000, 1 << 40]);
    match rng.below(12) {
        0 | 1 => whole(rules.min.unwrap_or(now) + step(rng)),
        2 | 3 => whole(rules.max.unwrap_or(now) + step(rng)),
        4 => whole(now + step(rng)),
        5 => whole(0),
        6 => value.to_string().into(),
        #[allow(clippy::cast_precision_loss)] // that is the point
        7 => json!(now as f64),
        #[allow(clippy::cast_precision_loss)]
        8 => json!(now as f64 + 0.5),
        9 => whole(-now),
        _ => far(rng),
    }
}

fn number(value: &Value, schema: &Schema, rng: &mut Rng) -> Value {
    let Kind::Number(rules) = &schema.kind else {
        return Value::Null;
    };
    let now = value.as_f64().unwrap_or(0.0);
    let step = |rng: &mut Rng| *rng.pick(&[0.0, 0.0, 1e-9, -1e-9, 0.5, -0.5, 1000.0, -1000.0]);
    match rng.below(8) {
        0 | 1 => json!(rules.min.as_ref().map_or(now, |bound| bound.at.value) + step(rng)),
        2 | 3 => json!(rules.max.as_ref().map_or(now, |bound| bound.at.value) + step(rng)),
        4 => value.to_string().into(),
        5 => json!(now + rng.pick(&[0.1, 0.05, 0.001, 1.0])),
        6 => json!(-now),
        _ => far(rng),
    }
}

fn text(value: &Value, rules: &Text, rng: &mut Rng) -> Value {
    let now = value.as_str().unwrap_or("").to_owned();
    let repeat = |n: u64, rng: &mut Rng| -> String { (0..n).map(|_| character(rng)).collect() };
    match rng.below(10) {
        0 => repeat(rules.max_length.unwrap_or(3) + 1, rng).into(),
        1 => repeat(rules.min_length.unwrap_or(1).saturating_sub(1), rng).into(),
        2 => now.chars().skip(1).collect::<String>().into(),
        3 => format!("{now}{}", character(rng)).into(),
        4 => format!("{}{now}", character(rng)).into(),
        5 if !rules.choices.is_empty() => {
            let choice = rng.pick(&rules.choices);
            choice
                .aliases
                .first()
                .copied()
                .unwrap_or(&choice.name)
                .into()
        }
        5 | 6 => now.to_uppercase().into(),
        7 => now.to_lowercase().into(),
        8 => now.replace(['a', 'e', '-', '.', ':'], "ü").into(),
        _ => Value::from(word(rng)),
    }
}

fn items(value: &mut Value, rng: &mut Rng) {
    let Value::Array(items) = value else {
        *value = other(value, rng);
        return;
    };
    let at = rng.below(items.len());
    match (rng.below(7), items.get(at).cloned()) {
        (0 | 1, Some(item)) => items.push(item),
        (2, Some(Value::Number(number))) => {
            // Another notation of the number.
            items.push(number.as_f64().map_or(Value::Null, Value::from));
        }
        (2, Some(item)) => items.insert(0, item),
        (3, Some(_)) => {
            items.remove(at);
        }
        (4, Some(_)) => items.clear(),
        (5, _) => items.reverse(),
        (6, Some(Value::Object(mut map))) => {
            map.insert("stranger".to_owned(), Value::Null);
            items.push(Value::Object(map));
        }
        _ => items.push(any(rng, 1)),
    }
}

fn entries(value: &mut Value, schema: &Schema, rng: &mut Rng) {
    let Value::Object(map) = value else {
        *value = other(value, rng);
        return;
    };
    let keys: Vec<String> = map.keys().cloned().collect();
    match rng.below(6) {
        0 | 1 if !keys.is_empty() => {
            map.remove(rng.pick(&keys));
        }
        2 if !keys.is_empty() => {
            // A name that is almost right.
            let key = rng.pick(&keys);
            if let Some(value) = map.remove(key) {
                let near = if rng.one_in(2) {
                    key.to_uppercase()
                } else {
                    format!("{key}s")
                };
                map.insert(near, value);
            }
        }
        3 if schema.fields().next().is_some() => {
            let names = schema.fields().flat_map(|field| {
                std::iter::once(&*field.name).chain(field.aliases.iter().copied())
            });
            let names: Vec<&str> = names.collect();
            map.insert((*rng.pick(&names)).to_owned(), any(rng, 1));
        }
        _ => {
            map.insert(word(rng), any(rng, 1));
        }
    }
}

fn variant(value: &mut Value, union: &Union, variant: &Variant, rng: &mut Rng) {
    let another = rng.pick(&union.variants);
    let near = if rng.one_in(3) {
        variant.name.to_lowercase()
    } else {
        another
            .aliases
            .first()
            .unwrap_or(&&*another.name)
            .to_string()
    };
    let object = |map: Map<String, Value>| Value::Object(map);
    match (&union.tagging, value) {
        (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, Value::Object(map)) => {
            match rng.below(7) {
                0 | 1 => map.insert(tag.to_string(), near.into()),
                2 => map.remove(tag.part()),
                3 => map.insert(tag.to_string(), any(rng, 0)),
                4 => map.insert(word(rng), any(rng, 1)),
                5 => match &union.tagging {
                    Tagging::Adjacent { content, .. } if rng.one_in(2) => {
                        map.remove(content.part())
                    }
                    Tagging::Adjacent { content, .. } => {
                        map.insert(content.to_string(), any(rng, 1))
                    }
                    _ => map.remove(&map.keys().next().cloned().unwrap_or_default()),
                },
                _ => {
                    // External form in place of a tag.
                    let inside = std::mem::take(map);
                    map.insert(variant.name.to_string(), object(inside))
                }
            };
        }
        (Tagging::External, Value::Object(map)) => {
            let content = map.values().next().cloned().unwrap_or_default();
            match rng.below(5) {
                0 => {
                    map.clear();
                    map.insert(near, content);
                }
                1 => {
                    map.insert(another.name.to_string(), content);
                }
                2 => {
                    map.insert(word(rng), any(rng, 1));
                }
                3 => map.clear(),
                _ => {
                    map.clear();
                    map.insert("type".to_owned(), variant.name.part().into());
                }
            }
        }
        (_, value) => {
            *value = match rng.below(4) {
                0 => near.into(),
                1 => json!({ variant.name.part(): null }),
                2 => json!({ variant.name.part(): {} }),
                _ => json!({ "type": variant.name.part() }),
            }
        }
    }
}
