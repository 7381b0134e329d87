//! The work of rules is bounded.

use serde_json::{Map, Value, json};

use super::super::{
    checker::Checker,
    place::ValuePlace,
    rule_state::{FUEL, FUEL_EACH},
};
use crate::{Policy, json::JsonDocument, schema::ForeignSchema};

/// The verdict on a value, and the number of nodes that rules looked at.
fn look(schema: &ForeignSchema, value: &Value) -> (bool, usize) {
    let text = value.to_string();
    let document = JsonDocument::parse(&text);
    let mut check = Checker::new(&document, Policy::exact());
    let fit = check.check_root(ValuePlace::of(schema.reading()));
    let fuel = check.rules.fuel;
    let spent = fuel.map_or(0, |left| document.len() * FUEL_EACH + FUEL - left);
    (fit.is_good() && check.state.count() == 0, spent)
}

fn nested(levels: usize, leaf: &Value) -> Value {
    (0..levels).fold(leaf.clone(), |value, _| json!({ "x": value }))
}

/// Two equal forms at every level, written out.
#[test]
fn forms_inside_each_other_are_checked_once() {
    let object = |of: Value| json!({"type": "object", "properties": {"x": of}, "required": ["x"]});
    for levels in 1..=10 {
        let schema = (0..levels).fold(json!({"type": "integer"}), |schema, _| {
            let form = object(schema);
            json!({"allOf": [form, {"not": {"allOf": [form, {"required": ["y"]}]}}]})
        });
        let schema = ForeignSchema::from_value(schema).expect("a schema");
        let nodes = 8 << levels;
        for leaf in [json!(1), json!("a")] {
            let (fits, spent) = look(&schema, &nested(levels, &leaf));
            assert_eq!(fits, leaf == 1);
            assert!(spent <= 2 * nodes, "{levels} levels: {spent} of {nodes}");
        }
    }
}

/// With references, a few lines of a schema are 2^60 forms.
#[test]
fn work_of_referred_forms_is_bounded() {
    let levels = 60;
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let mut defs = Map::new();
        for level in 0..levels {
            let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
            let form = json!({"type": "object", "properties": {"x": next}, "required": ["x"]});
            defs.insert(format!("L{level}"), json!({keyword: [form, form]}));
        }
        defs.insert(format!("L{levels}"), json!({"type": "integer"}));
        let schema = json!({"$ref": "#/$defs/L0", "$defs": defs});
        let schema = ForeignSchema::from_value(schema).expect("a schema");
        for (leaf, is_one) in [(json!(1), true), (json!("a"), false)] {
            let (fits, spent) = look(&schema, &nested(levels, &leaf));
            assert_eq!(fits, is_one && keyword != "oneOf", "{keyword} {leaf}");
            assert!(spent <= 1_000 * levels, "{keyword}: {spent}");
        }
    }
}
