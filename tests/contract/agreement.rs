//! A text and its value are read alike: verdict, value, fixes and issues, for every shape.

use callpact::Policy;
use callpact_tests::{
    generate::Generator,
    rng::Rng,
    shapes::{Shape, all},
};
use serde_json::{Value, json};

use crate::spread::{cases, over};

/// The number of values over all shapes, each read under three policies; `CALLPACT_CASES` overrides it.
const CASES: usize = 60_000;

/// Values that a model sends in place of others.
fn others() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1.5),
        json!(300),
        json!(""),
        json!("null"),
        json!("12"),
        json!("True"),
        json!("[1, \"a\"]"),
        json!("{\"a\": 1, \"key\": \"k\", \"value\": 2}"),
        json!("</parameter>"),
        json!([]),
        json!({}),
        json!([[]]),
        json!([{"key": "a", "value": 1}]),
        json!([["a", 1]]),
    ]
}

/// Changes one part of a value, down to a random level.
pub(crate) fn damage(value: &mut Value, rng: &mut Rng) {
    let deeper = !rng.one_in(3);
    match value {
        Value::Array(items) if deeper && !items.is_empty() => {
            let index = rng.below(items.len());
            return damage(&mut items[index], rng);
        }
        Value::Object(map) if deeper && !map.is_empty() => {
            let index = rng.below(map.len());
            if let Some((_, value)) = map.iter_mut().nth(index) {
                return damage(value, rng);
            }
        }
        _ => {}
    }
    let old = value.take();
    *value = match rng.below(6) {
        0 => Value::Array(vec![old]),
        1 => json!({ "arguments": old }),
        2 => json!(old.to_string()),
        3 => match old {
            Value::Array(mut items) if !items.is_empty() => items.swap_remove(0),
            Value::Object(map) => map.into_iter().next().map_or(
                json!({}),
                |(key, value)| json!({ key.to_uppercase(): value }),
            ),
            other => json!([other.clone(), other]),
        },
        _ => {
            let all = others();
            all[rng.below(all.len())].clone()
        }
    };
}

fn read_both(shape: &Shape, seed: u64, cases: usize) -> usize {
    let mut generator = Generator::new(seed);
    for _ in 0..cases {
        let mut value = generator.case(shape.schema).value;
        for _ in 0..generator.rng.below(3) {
            damage(&mut value, &mut generator.rng);
        }
        let text = value.to_string();
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            // It compares what both give.
            let _ = (shape.read)(&value, &text, &policy);
        }
    }
    cases
}

#[test]
fn text_and_value_agree() {
    let shapes = all();
    let each = cases(CASES) / shapes.len();
    let read: usize = over(&shapes, |index, shape| {
        read_both(shape, 0x51 + index as u64, each)
    })
    .into_iter()
    .sum();
    assert!(read >= each * shapes.len());
}
