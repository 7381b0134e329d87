//! A normalised schema has only what every provider takes, over random schemas.

use serde_json::{Map, Value, json};

use callpact::schema::ForeignSchema;

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

    fn schema(&mut self, depth: u64) -> Value {
        const TYPES: [&str; 7] = [
            "string", "integer", "number", "boolean", "array", "object", "null",
        ];
        if self.below(20) == 0 {
            return json!(self.below(2) == 0);
        }
        let mut out = Map::new();
        for _ in 0..=self.below(3) {
            let deep = depth > 0;
            let (key, value) = match self.below(24) {
                0..=5 => ("type", json!(self.one(&TYPES))),
                6 | 7 => (
                    "type",
                    json!([self.one(&TYPES), self.one(&["null", "integer"])]),
                ),
                8 => (
                    "enum",
                    self.one(&[
                        json!(["a", null]),
                        json!(["a", 1]),
                        json!([1, 2.5]),
                        json!([null]),
                        json!([{"title": 1}]),
                    ]),
                ),
                9 => (
                    "const",
                    self.one(&[json!("a"), json!(1), json!(null), json!([1])]),
                ),
                10 => ("description", json!(self.one(&["d", "e"]))),
                11 => (
                    "format",
                    json!(self.one(&["uint8", "double", "date", "char"])),
                ),
                12 => ("nullable", json!(self.below(2) == 0)),
                13 => ("title", json!("T")),
                14 => ("minimum", json!(self.below(3))),
                15 => (
                    "$ref",
                    json!(self.one(&["#/$defs/A", "#/$defs/B", "#/$defs/C"])),
                ),
                16 | 17 if deep => {
                    let names = ["a", "b", "title"];
                    let mut properties = Map::new();
                    for _ in 0..2 {
                        properties.insert(self.one(&names).to_owned(), self.schema(depth - 1));
                    }
                    if self.below(2) == 0 {
                        out.insert("required".to_owned(), json!([self.one(&names)]));
                    }
                    ("properties", Value::Object(properties))
                }
                18 if deep => ("items", self.schema(depth - 1)),
                19 if deep => ("additionalProperties", self.schema(depth - 1)),
                20 if deep => ("allOf", self.list(depth)),
                21 if deep => ("prefixItems", self.list(depth)),
                22 if deep => ("oneOf", self.list(depth)),
                23 if deep => ("anyOf", self.list(depth)),
                _ => ("maxItems", json!(self.below(3))),
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
fn random_schemas_become_portable() {
    let mut dice = Dice(7);
    let mut normalised = 0;
    for _ in 0..20_000 {
        let mut schema = dice.schema(3);
        let Value::Object(map) = &mut schema else {
            continue;
        };
        map.insert("type".to_owned(), json!("object"));
        map.insert("$defs".to_owned(), json!({
            "A": {"type": ["string", "null"], "description": "a", "title": "A"},
            "B": {"oneOf": [{"const": "x", "description": "first"}, {"const": "y"}]},
            "C": {"type": "object", "properties": {"n": {"type": "integer", "format": "uint8"}}, "required": ["n"]},
        }));
        let Ok(once) = ForeignSchema::normalized(schema.clone()) else {
            continue;
        };
        normalised += 1;
        for gone in [
            "\"$ref\"",
            "\"$defs\"",
            "\"nullable\"",
            "\"const\"",
            "\"oneOf\"",
            "\"allOf\"",
            "\"prefixItems\"",
            "\"format\"",
        ] {
            assert!(!once.as_str().contains(gone), "{gone} in {}", once.as_str());
        }
        let twice = ForeignSchema::normalized(once.value().clone());
        assert!(twice.is_ok(), "{schema}\n{}\n{twice:?}", once.as_str());
    }
    assert!(normalised > 8_000, "only {normalised}");
}
