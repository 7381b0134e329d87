//! Unions as arguments if the root cannot be `anyOf`: the fields of all variants are side by side.
//! A name that two variants share appears once, in all its forms.

use callpact::{Dialect, Policy, ToolInput, read_str, read_value, schema_json};
use callpact_testing::Generator;
use serde_json::{Value, json};

#[derive(ToolInput, Debug, PartialEq)]
struct Paging {
    page: u8,
    /// How many
    size: Option<u8>,
}

// Fields that share a name: `at` with several schemas, `name` with one, `note` with another
// description, `size` flattened.
#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(tag = "kind")]
enum Many {
    First {
        at: u8,
        name: String,
        /// A remark
        note: Option<String>,
        #[tool_param(flatten)]
        paging: Paging,
    },
    Second {
        at: String,
        name: String,
        /// Another remark
        note: Option<String>,
    },
    Third {
        at: u8,
        name: String,
        size: bool,
    },
    Fourth {
        at: Option<String>,
        name: String,
        note: u8,
    },
}

// A union without a tag, with an optional field.
#[derive(ToolInput, Debug, PartialEq)]
#[tool_input(untagged)]
enum Shape {
    Circle { radius: f64, unit: Option<String> },
    Square { side: f64, unit: u8 },
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn one_name_in_several_forms() {
    let schema = parsed(schema_json!(Many, Dialect::Portable));
    let byte = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let text = json!({"type": "string"});
    let with = |mut schema: Value, words: &str| {
        schema["description"] = words.into();
        schema
    };
    let properties = &schema["properties"];
    // Every form once, in the order of the variants.
    assert_eq!(properties["at"], json!({"anyOf": [byte, text]}));
    assert_eq!(properties["name"], text);
    assert_eq!(
        properties["note"],
        json!({"anyOf": [with(text.clone(), "A remark"), with(text, "Another remark"), byte]})
    );
    assert_eq!(
        properties["size"],
        json!({"anyOf": [with(byte.clone(), "How many"), {"type": "boolean"}]})
    );
    assert_eq!(properties["page"], byte);
    assert_eq!(
        properties["kind"]["enum"],
        json!(["First", "Second", "Third", "Fourth"])
    );
    // The fields that every variant requires.
    assert_eq!(schema["required"], json!(["kind", "name"]));
}

#[test]
fn where_every_key_is_wanted() {
    for dialect in [Dialect::OpenAiStrict, Dialect::OpenAiResponsesStrict] {
        let schema = parsed(&Many::SCHEMA.to_json(dialect));
        let properties = schema["properties"].as_object().expect("an object");
        let required: Vec<&str> = schema["required"]
            .as_array()
            .expect("an array")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
        let mut sorted = required.clone();
        names.sort_unstable();
        sorted.sort_unstable();
        assert_eq!(sorted, names, "each key once");
        assert_eq!(schema["additionalProperties"], false);
        // Null comes last and once, for variants without the field. A field of all variants has no
        // null.
        let nulls = |name: &str| {
            let forms = properties[name]["anyOf"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let is_null = |form: &&Value| form["type"] == "null";
            (
                forms.len(),
                forms.iter().filter(is_null).count(),
                forms.last().is_some_and(|form| is_null(&form)),
            )
        };
        assert_eq!(nulls("at"), (3, 1, true));
        assert_eq!(nulls("note"), (4, 1, true));
        assert_eq!(nulls("size"), (3, 1, true));
        assert_eq!(properties["name"]["type"], "string");
    }
}

#[test]
fn without_a_tag() {
    let schema = parsed(schema_json!(Shape, Dialect::Portable));
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "description": "either radius, unit; or side, unit",
            "properties": {
                "radius": {"type": "number"},
                "unit": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0, "maximum": 255}]},
                "side": {"type": "number"},
            },
        })
    );
}

/// The flat schema accepts every value of a variant, in every dialect that has one.
#[test]
fn every_value_fits() {
    fn check<T: ToolInput>(seed: u64) {
        let mut generator = Generator::new(seed);
        for dialect in [
            Dialect::Portable,
            Dialect::OpenAi,
            Dialect::Anthropic,
            Dialect::Mistral,
        ] {
            let text = T::SCHEMA.to_json(dialect);
            let schema = crate::schema_and_reader::compile(&text);
            for _ in 0..200 {
                let value = generator.valid(T::SCHEMA);
                assert!(read_value::<T>(&value, &Policy::exact()).is_ok(), "{value}");
                assert!(schema.is_valid(&value), "{dialect}: {value}\n{text}");
            }
        }
    }
    check::<Many>(1);
    check::<Shape>(2);
}

/// The reader enforces the variant's own form, which the flat schema does not state.
#[test]
fn the_form_of_another_variant_is_none() {
    let read = |text: &str| {
        let read = read_str::<Many>(text, &Policy::exact()).map(|read| read.value);
        read.map_err(|report| report.to_string())
    };
    assert_eq!(
        read(r#"{"kind": "Second", "at": "here", "name": "a"}"#),
        Ok(Many::Second {
            at: "here".into(),
            name: "a".into(),
            note: None
        })
    );
    let refused = read(r#"{"kind": "First", "at": "here", "name": "a", "page": 1}"#);
    assert_eq!(
        refused,
        Err("Invalid arguments, 1 problem:\n- at: expected an integer from 0 to 255, found \"here\"".into())
    );
}

#[test]
fn description_lists_fields_of_each_variant() {
    #[derive(ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    #[tool_input(tag = "action", rename_all = "lowercase")]
    enum Action {
        /// Opens one
        Create {
            title: String,
            stars: Option<u8>,
        },
        Close {
            id: u32,
        },
        List,
    }
    #[derive(ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    #[tool_input(tag = "kind", content = "with", rename_all = "lowercase")]
    enum Adjacent {
        Circle { radius: f64 },
        Label(String),
        Nothing,
    }
    #[derive(ToolInput)]
    #[allow(dead_code)] // only its schema is looked at
    #[tool_input(rename_all = "lowercase")]
    enum External {
        Circle { radius: f64 },
        Square { side: f64 },
    }
    for dialect in Dialect::ALL {
        let words = |schema: &callpact::Schema, pointer: &str| {
            parsed(&schema.to_json(dialect))
                .pointer(pointer)
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        let action = words(Action::SCHEMA, "/properties/action/description");
        let adjacent = words(Adjacent::SCHEMA, "/properties/kind/description");
        let external = words(External::SCHEMA, "/description");
        if [Dialect::Mcp20251125, Dialect::Mcp20260728].contains(&dialect) {
            assert_eq!((action, adjacent, external), (None, None, None));
            continue;
        }
        assert_eq!(
            action.as_deref(),
            Some(
                "create: Opens one; for `create`: title, stars; for `close`: id; for `list`: \
                 nothing else"
            ),
            "{dialect}"
        );
        assert_eq!(
            adjacent.as_deref(),
            Some("for `circle`: radius; for `label`: string; for `nothing`: nothing else"),
            "{dialect}"
        );
        assert_eq!(
            external.as_deref(),
            Some("exactly one of these keys"),
            "{dialect}"
        );
    }
}
