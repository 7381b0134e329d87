//! Parses a lowered schema into a tree that the generator can sample, like a model that knows only
//! the schema.

use serde_json::Value;
use toolwright::{
    Schema,
    schema::{
        Bound, Choice, Decimal, Field, Integer, Kind, List, Map, Number, Object, Pattern, Tagging,
        Text, Union, Unknown, Variant,
    },
};

/// The tree lives as long as the test program.
fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn keep_all<T>(values: Vec<T>) -> &'static [T] {
    Box::leak(values.into_boxed_slice())
}

fn keep_text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn texts(schema: &Value, key: &str) -> Vec<&'static str> {
    schema[key]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|item| item.as_str().map(keep_text))
        .collect()
}

pub(super) fn tree(schema: &Value) -> &'static Schema {
    if let Some(members) = schema["anyOf"].as_array() {
        let null = |member: &&Value| member["type"] == "null";
        let nullable = members.iter().any(|member| null(&member));
        let variants: Vec<Variant> = members
            .iter()
            .filter(|member| !null(member))
            .map(|member| Variant {
                name: "",
                aliases: &[],
                description: "",
                content: Some(tree(member)),
            })
            .collect();
        let kind = match variants.as_slice() {
            [
                Variant {
                    content: Some(only),
                    ..
                },
            ] => only.kind,
            _ => Kind::Union(Union {
                tagging: Tagging::None,
                variants: keep_all(variants),
                unknown: Unknown::Ignore,
            }),
        };
        return keep(Schema {
            nullable,
            ..Schema::of(kind)
        });
    }
    let (name, nullable) = match &schema["type"] {
        Value::Array(names) => (names[0].as_str(), true),
        name => (name.as_str(), false),
    };
    keep(Schema {
        nullable,
        ..Schema::of(kind(name.unwrap_or_default(), schema))
    })
}

fn kind(name: &str, schema: &Value) -> Kind {
    let whole = |key: &str| {
        schema[key]
            .as_i64()
            .map(i128::from)
            .or(schema[key].as_u64().map(i128::from))
    };
    match name {
        "boolean" => Kind::Boolean,
        "integer" => {
            let choices = schema["enum"].as_array().into_iter().flatten();
            Kind::Integer(Integer {
                min: whole("minimum"),
                max: whole("maximum"),
                multiple_of: whole("multipleOf"),
                nonzero: false,
                choices: keep_all(
                    choices
                        .filter_map(|item| item.as_i64().map(i128::from))
                        .collect(),
                ),
            })
        }
        "number" => Kind::Number(Number {
            min: bound(schema, "minimum", "exclusiveMinimum"),
            max: bound(schema, "maximum", "exclusiveMaximum"),
            multiple_of: decimal(&schema["multipleOf"]),
        }),
        "string" => Kind::Text(Text {
            min_length: schema["minLength"].as_u64(),
            max_length: schema["maxLength"].as_u64(),
            pattern: schema["pattern"].as_str().map(|text| Pattern {
                text: keep_text(text),
                // The validator decides about every sample.
                is_match: |_| true,
            }),
            choices: keep_all(
                texts(schema, "enum")
                    .into_iter()
                    .map(Choice::plain)
                    .collect(),
            ),
            form: "",
        }),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => Kind::Tuple(keep_all(items.iter().map(tree).collect())),
            None => Kind::List(List {
                items: tree(&schema["items"]),
                min_items: schema["minItems"].as_u64(),
                max_items: schema["maxItems"].as_u64(),
                unique: schema["uniqueItems"] == true,
            }),
        },
        "object" => object(schema),
        _ => Kind::Any,
    }
}

fn object(schema: &Value) -> Kind {
    let values = &schema["additionalProperties"];
    let Some(properties) = schema["properties"].as_object() else {
        return Kind::Map(Map {
            values: tree(values),
            keys: &[],
        });
    };
    let required = texts(schema, "required");
    let fields = properties.iter().map(|(name, child)| Field {
        name: keep_text(name),
        aliases: &[],
        schema: tree(child),
        required: required.contains(&name.as_str()),
        keep_empty: true,
        flatten: false,
    });
    Kind::Object(Object {
        fields: keep_all(fields.collect()),
        unknown: if *values == false {
            Unknown::Deny
        } else {
            Unknown::Ignore
        },
        extra: values.is_object().then(|| tree(values)),
    })
}

fn decimal(value: &Value) -> Option<Decimal> {
    Some(Decimal {
        text: keep_text(&value.to_string()),
        value: value.as_f64()?,
    })
}

fn bound(schema: &Value, key: &str, exclusive_key: &str) -> Option<Bound> {
    let at = |key: &str, exclusive| decimal(&schema[key]).map(|at| Bound { at, exclusive });
    at(key, false).or(at(exclusive_key, true))
}
