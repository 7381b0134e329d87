//! serde's output fits the schema that hosts get.

use std::collections::BTreeMap;

use callpact::{
    __private::output_of,
    Dialect, IntoToolResult, Policy, Schema, ToolInput, ToolOutput, ToolResult, read_str,
    schema::{Kind, List},
};
use callpact_testing::Generator;
use callpact_tests::outputs::all;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{schema_and_reader::compile, spread::over};

/// The number of values for each shape.
const CASES: usize = 500;

/// The schema for hosts, and whether it is inside a list: the root is never null.
fn written(schema: &'static Schema) -> (String, bool) {
    if let Some(schema) = output_of(schema) {
        return (schema.to_output_json(), false);
    }
    let list = Schema::of(Kind::List(List::of(schema)));
    (list.to_json(Dialect::Mcp20260728), true)
}

/// A value that is almost the given one: a part is missing, or has another type.
fn spoil(value: &mut Value, at: usize) -> bool {
    let Value::Object(map) = value else {
        *value = json!([[{"no": "such form"}]]);
        return true;
    };
    let Some(key) = map.keys().nth(at % map.len().max(1)).cloned() else {
        return false;
    };
    map.insert(key, json!([[{"no": "such form"}]]));
    true
}

#[test]
fn serde_output_fits_output_schema() {
    let shapes = all();
    assert!(shapes.len() >= 97, "{}", shapes.len());
    over(&shapes, |index, shape| {
        let (text, in_a_list) = written(shape.schema);
        let validator = compile(&text);
        let fits = |value: &Value| {
            if in_a_list {
                validator.is_valid(&json!([value]))
            } else {
                validator.is_valid(value)
            }
        };
        let mut generator = Generator::new(0x0107 + index as u64);
        let (mut fitted, mut refused) = (0, 0);
        for case in 0..CASES {
            let Some(mut output) = (shape.write)(&mut generator) else {
                continue;
            };
            assert!(
                fits(&output.value),
                "{}: {}\n{text}",
                shape.name,
                output.text
            );
            // `serde_json` does not read what is deeper than 128 levels.
            let read = serde_json::from_str(&output.text);
            assert!(
                read.as_ref().map_or_else(|_| output.text.len() > 128, fits),
                "{}: {}\n{text}",
                shape.name,
                output.text
            );
            fitted += 1;
            // Hosts of the older revisions take it unchanged if the schema says that it is an object.
            let says_object = text.starts_with(r#"{"type":"object""#);
            assert!(
                !says_object || output.value.is_object(),
                "{}: {}",
                shape.name,
                output.text
            );
            assert!(!in_a_list || !says_object, "{}", shape.name);
            if spoil(&mut output.value, case) && !fits(&output.value) {
                refused += 1;
            }
        }
        assert!(fitted > CASES / 10, "{}: {fitted} values", shape.name);
        // The schema has rules: values of another form break it.
        let says_nothing = [
            "OpenJson",
            "Empty",
            "Unit",
            "ClosedEmpty",
            "BTreeMap<String, Point>",
        ];
        assert!(
            refused > 0 || says_nothing.contains(&shape.name),
            "{}: nothing refused\n{text}",
            shape.name
        );
    });
}

/// Key by key: an object requires the keys that serde never leaves out, and null is allowed only where serde writes it.
#[test]
fn only_what_serde_may_leave_out_is_optional() {
    for (index, shape) in all().into_iter().enumerate() {
        let schema: Value = serde_json::from_str(&written(shape.schema).0).expect("JSON");
        let (Some(properties), required) = (
            schema.get("properties").and_then(Value::as_object),
            schema.get("required").and_then(Value::as_array),
        ) else {
            continue;
        };
        let mut generator = Generator::new(0x0B7 + index as u64);
        let mut absent: BTreeMap<&str, usize> = BTreeMap::new();
        for _ in 0..400 {
            let Some(output) = (shape.write)(&mut generator) else {
                continue;
            };
            let given = output.value.as_object().expect("an object");
            for key in properties.keys() {
                *absent.entry(key).or_default() += usize::from(!given.contains_key(key));
            }
        }
        for (key, absent) in absent {
            let required = required.is_some_and(|all| all.iter().any(|name| name == key));
            assert_eq!(
                required,
                absent == 0,
                "{}.{key}: absent {absent} times\n{schema}",
                shape.name
            );
        }
    }
}

#[test]
fn the_schemas_are_those_of_serde() {
    let schemas: BTreeMap<&str, String> = all()
        .iter()
        .map(|shape| (shape.name, written(shape.schema).0))
        .collect();
    let expected = [
        (
            "Skipping",
            r#"{"type":"object","properties":{"never_null":{"type":"integer","minimum":0,"maximum":255},"double":{"anyOf":[{"type":"integer","minimum":0,"maximum":255},{"type":"null"}]},"sometimes":{"type":"integer","minimum":0,"maximum":255},"always":{"type":"integer","minimum":0,"maximum":255}},"required":["always"]}"#,
        ),
        (
            "Renamed",
            r#"{"type":"object","properties":{"firstWord":{"type":"integer","minimum":0,"maximum":255},"written":{"type":"integer","minimum":0,"maximum":255},"both ways":{"type":"integer","minimum":0,"maximum":255},"type":{"type":"integer","minimum":0,"maximum":255}},"required":["firstWord","written","both ways","type"]}"#,
        ),
    ];
    for (name, schema) in expected {
        assert_eq!(schemas[name], schema, "{name}");
    }
}

/// As input and as output: a number of more bits loses digits in a JSON value.
#[test]
fn integers_of_128_bits_use_64_bit_range() {
    #[derive(ToolInput, ToolOutput, Serialize, Debug)]
    struct Large {
        positive: u128,
        whole: i128,
    }
    let (low, high) = (i128::from(i64::MIN), i128::from(u64::MAX));
    let schema = written(<Large as ToolOutput>::SCHEMA).0;
    let validator = compile(&schema);
    let text =
        |positive: i128, whole: i128| format!(r#"{{"positive":{positive},"whole":{whole}}}"#);
    for (positive, whole) in [(0, low), (high, high)] {
        let given = text(positive, whole);
        let read = read_str::<Large>(&given, &Policy::exact())
            .expect("in range")
            .value;
        assert_eq!((read.positive.cast_signed(), read.whole), (positive, whole));
        let result = read.into_tool_result();
        assert_eq!(result.output(), given);
        assert!(
            result
                .structured()
                .is_some_and(|value| validator.is_valid(value)),
            "{schema}"
        );
    }
    for (positive, whole) in [(high + 10_000, 0), (0, low - 10_000)] {
        let value = serde_json::from_str(&text(positive, whole)).expect("JSON");
        assert!(!validator.is_valid(&value), "{value}\n{schema}");
        assert!(read_str::<Large>(&text(positive, whole), &Policy::lax()).is_err());
        let output = Large {
            positive: positive.cast_unsigned(),
            whole,
        };
        let words =
            "the result cannot be written as JSON: it has a whole number of more than 64 bits";
        assert_eq!(output.into_tool_result(), ToolResult::failure(words));
    }
}

/// The text that the guide names for the schema of an output, where that is no object.
#[test]
fn serde_output_fits_derived_schema_in_every_form() {
    #[derive(Serialize, ToolOutput)]
    struct Unit;

    #[derive(Serialize, ToolOutput)]
    enum Found {
        Nothing,
        Lines(Vec<u32>),
    }

    #[derive(Serialize, ToolOutput)]
    #[serde(untagged)]
    enum Measure {
        One(f32),
        Both([f32; 2]),
        None,
    }

    #[derive(Serialize, ToolOutput)]
    #[serde(tag = "kind")]
    enum Tagged {
        Empty,
        Page(Page),
    }

    #[derive(Serialize, ToolOutput)]
    struct Page {
        found: Found,
    }

    #[track_caller]
    fn fits<T: ToolOutput + Serialize>(value: T) {
        let text = T::SCHEMA.to_output_json();
        let written = json!(value);
        assert!(compile(&text).is_valid(&written), "{written}: {text}");
    }

    fits(Unit);
    fits(());
    fits(Found::Nothing);
    fits(Found::Lines(vec![3, 14]));
    fits(Measure::One(0.5));
    fits(Measure::Both([0.5, 1.0]));
    fits(Measure::None);
    fits(Page {
        found: Found::Nothing,
    });
    fits(5_u32);
    fits("a");
    fits(vec![Found::Nothing]);
    fits((1_u8, "a"));
    fits(f64::NAN);
    fits(None::<u32>);
    fits(Some(5_u32));
    fits(None::<Page>);
    fits(Some(Found::Nothing));
    fits(None::<Found>);
    fits(Tagged::Empty);
    fits(Some(Tagged::Page(Page {
        found: Found::Nothing,
    })));
    fits(None::<Tagged>);
}
