//! The exact policy gives the verdict of the `jsonschema` crate, for random schemas and values.

use serde_json::{Map, Value, json};

use callpact::input::read_foreign_value;
use callpact::{Policy, schema::ForeignSchema};

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.below(of.len() as u64)).unwrap_or_default()].clone()
    }

    fn scalar(&mut self) -> Value {
        self.one(&[
            json!(null),
            json!(true),
            json!(false),
            json!(0),
            json!(1),
            json!(-1),
            json!(5),
            json!(5.0),
            json!(1.5),
            json!(0.3),
            json!(1e10),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(""),
            json!("a"),
            json!("ab"),
            json!("äöü"),
            json!("5"),
            json!("abc1"),
        ])
    }

    fn value(&mut self, depth: u64) -> Value {
        match self.below(if depth == 0 { 4 } else { 8 }) {
            4 | 5 => {
                let count = self.below(4);
                Value::Array((0..count).map(|_| self.value(depth - 1)).collect())
            }
            6 | 7 => {
                let mut out = Map::new();
                for _ in 0..self.below(4) {
                    out.insert(
                        self.one(&["a", "b", "c", "title"]).to_owned(),
                        self.value(depth - 1),
                    );
                }
                Value::Object(out)
            }
            _ => self.scalar(),
        }
    }

    fn schema(&mut self, depth: u64) -> Value {
        const TYPES: [&str; 7] = [
            "string", "integer", "number", "boolean", "array", "object", "null",
        ];
        const NAMES: [&str; 4] = ["a", "b", "c", "title"];
        if self.below(15) == 0 {
            return json!(self.below(3) != 0);
        }
        let mut out = Map::new();
        for _ in 0..=self.below(3) {
            let last = if depth > 0 { 41 } else { 22 };
            let (key, value) = match self.below(last) {
                0..=5 => ("type", json!(self.one(&TYPES))),
                6 => ("type", {
                    let (first, second) = (self.one(&TYPES[..4]), self.one(&TYPES[4..]));
                    json!([first, second])
                }),
                7 => ("enum", json!([self.scalar(), self.value(1)])),
                8 => ("const", self.value(1)),
                9 => (
                    "minimum",
                    self.one(&[json!(0), json!(1.0), json!(0.5), json!(-3)]),
                ),
                10 => ("maximum", self.one(&[json!(5), json!(1.5), json!(100)])),
                11 => ("exclusiveMinimum", json!(self.below(3))),
                12 => ("exclusiveMaximum", json!(self.below(6))),
                13 => (
                    "multipleOf",
                    self.one(&[json!(1), json!(2), json!(0.5), json!(2.5), json!(3)]),
                ),
                14 => ("minLength", json!(self.below(3))),
                15 => ("maxLength", json!(self.below(3))),
                16 => (
                    "pattern",
                    json!(self.one(&["^a", "[0-9]+$", "b", "^.{2}$"])),
                ),
                17 => ("minItems", json!(self.below(3))),
                18 => ("maxItems", json!(self.below(3))),
                19 => ("uniqueItems", json!(self.below(2) == 0)),
                20 => ("minProperties", json!(self.below(2))),
                21 => (
                    "required",
                    json!([self.one(&NAMES[2..]), self.one(&NAMES[..2])]),
                ),
                22..=24 => {
                    let mut properties = Map::new();
                    for _ in 0..self.below(3) {
                        properties.insert(self.one(&NAMES).to_owned(), self.schema(depth - 1));
                    }
                    ("properties", Value::Object(properties))
                }
                25 => ("additionalProperties", self.schema(depth - 1)),
                26 => ("items", self.schema(depth - 1)),
                27 => ("prefixItems", self.list(depth)),
                28 => ("anyOf", self.list(depth)),
                29 => ("oneOf", self.list(depth)),
                30 => ("allOf", self.list(depth)),
                31 => ("not", self.schema(depth - 1)),
                32 => ("contains", self.schema(depth - 1)),
                33 => ("propertyNames", self.schema(depth - 1)),
                34 => (
                    "patternProperties",
                    json!({self.one(&["^a", "[bt]", "^.$"]): self.schema(depth - 1)}),
                ),
                35 => (
                    "dependentRequired",
                    json!({self.one(&NAMES): [self.one(&NAMES)]}),
                ),
                36 => (
                    "dependentSchemas",
                    json!({self.one(&NAMES): self.schema(depth - 1)}),
                ),
                // A branch without `if` has no meaning; an `if` may be beside it.
                37 => (self.one(&["then", "else"]), self.schema(depth - 1)),
                38 => {
                    let branch = self.one(&["then", "else"]).to_owned();
                    out.insert(branch, self.schema(depth - 1));
                    ("if", self.schema(depth - 1))
                }
                39 => (
                    self.one(&["minContains", "maxContains", "maxProperties"]),
                    json!(self.below(3)),
                ),
                _ => ("$ref", json!(self.one(&["#/$defs/A", "#/$defs/B"]))),
            };
            out.insert(key.to_owned(), value);
        }
        Value::Object(out)
    }

    fn list(&mut self, depth: u64) -> Value {
        let count = 1 + self.below(3);
        Value::Array((0..count).map(|_| self.schema(depth - 1)).collect())
    }
}

#[test]
fn verdicts_are_those_of_jsonschema() {
    let mut dice = Dice(11);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let mut schema = dice.schema(3);
        let Value::Object(map) = &mut schema else {
            continue;
        };
        map.insert("$defs".to_owned(), json!({
            "A": {"type": ["string", "null"]},
            "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}}, "required": ["a"]},
        }));
        let other =
            jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
        let own = ForeignSchema::from_value(schema.clone())
            .unwrap_or_else(|faults| panic!("{schema}: {faults}"));
        for _ in 0..6 {
            let value = dice.value(3);
            // Null at the root means no arguments. Beyond 2^53 a float is not an integer here.
            if value.is_null() {
                continue;
            }
            // jsonschema divides by a fraction as floats, which lose these digits.
            let digits = i64::MIN.to_string();
            if schema.to_string().contains("2.5") && value.to_string().contains(&digits) {
                continue;
            }
            let expected = other.is_valid(&value);
            let got = read_foreign_value(&value, &own, &Policy::exact());
            assert_eq!(got.is_ok(), expected, "{schema}\n{value}\n{got:?}");
            if let Ok(read) = got {
                assert!(
                    other.is_valid(&read.value),
                    "{schema}\n{value}\n{}",
                    read.value
                );
                accepted += 1;
            } else {
                refused += 1;
            }
            // The schema accepts every value that the lax policy reads.
            if let Ok(read) = read_foreign_value(&value, &own, &Policy::lax()) {
                assert!(
                    other.is_valid(&read.value),
                    "lax: {schema}\n{value}\n{}",
                    read.value
                );
            }
        }
    }
    assert!(
        accepted > 3_000 && refused > 3_000,
        "{accepted} accepted, {refused} refused"
    );
}

/// The normalised form accepts the same values as the schema, apart from the intended changes.
#[test]
fn a_normalised_schema_means_the_same() {
    let cases = [
        (
            json!({"type": "object", "properties": {"a": {"const": "x"}, "b": {"oneOf": [{"const": 1}, {"const": 2}]}}}),
            vec![
                json!({"a": "x"}),
                json!({"a": "y"}),
                json!({"b": 2}),
                json!({"b": 3}),
            ],
        ),
        (
            json!({"type": "object", "properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}, {"maxLength": 2}]}}, "$defs": {"A": {"type": "string", "minLength": 1}}}),
            vec![
                json!({"a": ""}),
                json!({"a": "b"}),
                json!({"a": "bbb"}),
                json!({"a": 1}),
            ],
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "array", "items": {"type": ["string", "integer", "null"], "maximum": 3}}}}),
            vec![
                json!({"a": [null, 1, "x"]}),
                json!({"a": [4]}),
                json!({"a": [true]}),
            ],
        ),
    ];
    for (schema, values) in cases {
        let before =
            ForeignSchema::from_value(schema.clone()).unwrap_or_else(|faults| panic!("{faults}"));
        let after = ForeignSchema::normalized(schema).unwrap_or_else(|faults| panic!("{faults}"));
        for value in values {
            let verdict = |schema| read_foreign_value(&value, schema, &Policy::exact()).is_ok();
            assert_eq!(verdict(&before), verdict(&after), "{after:?} {value}");
        }
    }
}

/// A condition takes the same values as before; otherwise the whole schema would take other values.
#[test]
fn a_normalised_condition_means_the_same() {
    let mut dice = Dice(23);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..2_000 {
        let rule = dice.schema(2);
        let place = match dice.below(3) {
            0 => json!({"not": rule}),
            1 => json!({"if": rule, "then": {"type": "string"}}),
            _ => json!({"type": "array", "contains": rule, "maxContains": 1}),
        };
        let schema = json!({
            "type": "object", "properties": {"a": place}, "required": ["a"],
            "$defs": {"A": {"type": ["string", "null"]}, "B": {"properties": {"a": {"$ref": "#/$defs/A"}}}},
        });
        let before =
            ForeignSchema::from_value(schema.clone()).unwrap_or_else(|faults| panic!("{faults}"));
        let after = ForeignSchema::normalized(schema).unwrap_or_else(|faults| panic!("{faults}"));
        for _ in 0..6 {
            let value = match dice.value(2) {
                // Null becomes an absent value if the type allowed it.
                Value::Null => continue,
                value => json!({"a": value}),
            };
            let verdict = |schema| read_foreign_value(&value, schema, &Policy::exact()).is_ok();
            assert_eq!(verdict(&before), verdict(&after), "{after:?} {value}");
            *(if verdict(&after) {
                &mut accepted
            } else {
                &mut refused
            }) += 1;
        }
    }
    assert!(
        accepted > 1_000 && refused > 1_000,
        "{accepted} accepted, {refused} refused"
    );
}
