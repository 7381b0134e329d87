//! Parses a lowered schema into a tree that the generator can sample, like a model that knows only
//! the schema.

use callpact::{
    Schema,
    schema::{
        Bound, Choice, Decimal, Field, Format, Held, Integer, IntegerKeys, Kind, List, Map,
        Matcher, Number, Object, Pattern, Tagging, Text, Union, Unknown, Variant,
    },
};
use serde_json::Value;

fn texts(schema: &Value, key: &str) -> Vec<String> {
    let items = schema[key].as_array().into_iter().flatten();
    items
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn choice(name: String) -> Choice {
    Choice {
        name: name.into(),
        aliases: &[],
        description: Held::Static(""),
    }
}

/// The tree lives as long as the test program.
pub(super) fn tree(schema: &Value) -> &'static Schema {
    Box::leak(Box::new(parse(schema)))
}

fn parse(schema: &Value) -> Schema {
    if let Some(members) = schema["anyOf"].as_array() {
        let null = |member: &&Value| member["type"] == "null";
        let nullable = members.iter().any(|member| null(&member));
        let variants: Vec<Variant> = members
            .iter()
            .filter(|member| !null(member))
            .map(|member| Variant {
                name: Held::Static(""),
                aliases: &[],
                description: Held::Static(""),
                content: Some(parse(member).into()),
            })
            .collect();
        let kind = match variants.as_slice() {
            [
                Variant {
                    content: Some(only),
                    ..
                },
            ] => only.kind.clone(),
            _ => Kind::Union(Union {
                tagging: Tagging::None,
                variants: variants.into(),
                unknown: Unknown::Ignore,
            }),
        };
        return Schema {
            nullable,
            ..Schema::of(kind)
        };
    }
    let (name, nullable) = match &schema["type"] {
        Value::Array(names) => (names[0].as_str(), true),
        name => (name.as_str(), false),
    };
    Schema {
        nullable,
        ..Schema::of(kind(name.unwrap_or_default(), schema))
    }
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
                choices: choices
                    .filter_map(|item| item.as_i64().map(i128::from))
                    .collect::<Vec<_>>()
                    .into(),
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
                text: text.to_owned().into(),
                // The validator decides about every sample.
                matcher: Matcher::Function(|_| true),
            }),
            choices: texts(schema, "enum")
                .into_iter()
                .map(choice)
                .collect::<Vec<_>>()
                .into(),
            format: schema["format"].as_str().and_then(Format::named),
            form: Held::Static(""),
        }),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => {
                let items: Vec<Held<Schema>> =
                    items.iter().map(|item| parse(item).into()).collect();
                Kind::Tuple(items.into())
            }
            None => Kind::List(List {
                items: parse(&schema["items"]).into(),
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
            values: parse(values).into(),
            keys: Held::Static(&[]),
            integers: schema["propertyNames"]["pattern"]
                .as_str()
                .and_then(IntegerKeys::of_pattern),
        });
    };
    let required = texts(schema, "required");
    let fields = properties.iter().map(|(name, child)| Field {
        name: name.clone().into(),
        aliases: &[],
        schema: parse(child).into(),
        required: required.contains(name),
        keep_empty: true,
        flatten: false,
    });
    Kind::Object(Object {
        fields: fields.collect::<Vec<_>>().into(),
        unknown: if *values == false {
            Unknown::Deny
        } else {
            Unknown::Ignore
        },
        extra: values.is_object().then(|| parse(values).into()),
    })
}

fn decimal(value: &Value) -> Option<Decimal> {
    Some(Decimal {
        text: value.to_string().into(),
        value: value.as_f64()?,
    })
}

fn bound(schema: &Value, key: &str, exclusive_key: &str) -> Option<Bound> {
    let at = |key: &str, exclusive| decimal(&schema[key]).map(|at| Bound { at, exclusive });
    at(key, false).or(at(exclusive_key, true))
}
