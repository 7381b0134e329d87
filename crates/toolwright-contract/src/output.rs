//! The schema of what a tool gives back, made from the schema of what it would take.
//!
//! A reader and a writer differ: serde writes an absent field as null, a float that is not finite as
//! null, and some types in another form than they are read in. And no rule of an author is checked when
//! a value is written. So this schema says forms and names, and no more than serde keeps to.

use crate::schema::{
    Field, Held, Kind, List, Map, Number, Object, Schema, Text, Union, Unknown, Variant,
};

/// What serde writes for a type of this schema.
///
/// ```
/// use toolwright::{Dialect, ToolInput};
/// use toolwright_contract::output::written_form;
///
/// #[derive(ToolInput)]
/// struct Page {
///     next: Option<u32>,
/// }
///
/// assert_eq!(
///     written_form(Page::SCHEMA).to_json(Dialect::Mcp20260728),
///     r#"{"type":"object","properties":{"next":{"anyOf":[{"type":"integer","minimum":0,"maximum":4294967295},{"type":"null"}]}}}"#,
/// );
/// ```
#[must_use]
pub fn written_form(schema: &Schema) -> Schema {
    let kind = match &schema.kind {
        Kind::Any => Kind::Any,
        Kind::Boolean => Kind::Boolean,
        // The range of a type is a promise to the receiver, and so is one that the author declared.
        Kind::Integer(rules) => Kind::Integer(rules.clone()),
        Kind::Number(_) => Kind::Number(Number::ANY),
        // A type with a text form of its own, such as a duration, may be written in another.
        Kind::Text(rules) if !rules.form.is_empty() => Kind::Any,
        Kind::Text(rules) => Kind::Text(Text {
            choices: rules.choices.clone(),
            ..Text::ANY
        }),
        Kind::List(rules) => Kind::List(List {
            items: Held::from(written_form(&rules.items)),
            min_items: None,
            max_items: None,
            unique: false,
        }),
        Kind::Tuple(items) => Kind::Tuple(
            items
                .iter()
                .map(|item| Held::from(written_form(item)))
                .collect::<Vec<_>>()
                .into(),
        ),
        Kind::Map(rules) => Kind::Map(Map {
            values: Held::from(written_form(&rules.values)),
            keys: rules.keys.clone(),
        }),
        Kind::Object(rules) => Kind::Object(Object {
            fields: rules
                .fields
                .iter()
                .map(written_field)
                .collect::<Vec<_>>()
                .into(),
            unknown: Unknown::Report,
            extra: rules
                .extra
                .as_deref()
                .map(|extra| Held::from(written_form(extra))),
        }),
        Kind::Union(rules) => Kind::Union(Union {
            tagging: rules.tagging.clone(),
            variants: rules
                .variants
                .iter()
                .map(written_variant)
                .collect::<Vec<_>>()
                .into(),
            unknown: Unknown::Report,
        }),
    };
    Schema {
        // JSON has no infinity and no NaN; null stands for them.
        nullable: schema.nullable || matches!(kind, Kind::Number(_)),
        kind,
        description: schema.description.clone(),
        default: None,
        example: schema.example.clone(),
        secret: schema.secret,
        mark: 0,
    }
}

fn written_field(field: &Field) -> Field {
    let mut schema = written_form(&field.schema);
    // `None` is written as null, unless serde is told to skip it.
    schema.nullable |= !field.required && !field.flatten;
    Field {
        schema: Held::from(schema),
        ..field.clone()
    }
}

fn written_variant(variant: &Variant) -> Variant {
    Variant {
        content: variant
            .content
            .as_deref()
            .map(|content| Held::from(written_form(content))),
        ..variant.clone()
    }
}
