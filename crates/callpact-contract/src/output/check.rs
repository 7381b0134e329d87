//! Checks of the types of fields, at compile time.

use crate::schema::{Choice, Kind, Object, Schema, Unknown};

/// The keys that serde writes for a newtype.
///
/// # Panics
/// When serde writes something that is not a key.
#[must_use]
pub const fn output_keys(schema: &'static Schema) -> &'static [Choice] {
    match &schema.kind {
        Kind::Text(rules) => rules.choices.part(),
        Kind::Integer(_) | Kind::Boolean => &[],
        _ => panic!(
            "a key of a JSON object is a string, an integer, `bool` or an enum of unit variants"
        ),
    }
}

/// A flattened field is an object, whose keys join the others.
///
/// # Panics
/// When it is anything else.
#[track_caller]
pub const fn flattened_output(schema: &Schema) {
    assert!(
        matches!(schema.kind, Kind::Object(_) | Kind::Map(_)) || schema.is_unusable(),
        "only a struct or a map can be flattened here: say another form of the field, as in `#[tool_output(with = BTreeMap<String, Value>)]`"
    );
}

/// The content of an internally tagged variant is an object that does not use the tag's key.
///
/// # Panics
/// When it is not an object, or has a field with the name of the tag.
#[track_caller]
pub const fn check_tagged_output(schema: &Schema, tag: &str) {
    let object = matches!(schema.kind, Kind::Object(_) | Kind::Map(_)) && !schema.nullable;
    assert!(
        object || schema.is_unusable(),
        "a variant of an internally tagged enum holds a struct or a map: the tag stands among its fields"
    );
    if let Kind::Object(rules) = &schema.kind {
        assert!(
            rules.field(tag).is_none(),
            "a field of this variant is named like the tag of the enum: rename one"
        );
    }
}

/// The content of an internally tagged variant, as the object that holds the tag.
#[must_use]
pub const fn tagged_output(schema: &'static Schema) -> Schema {
    Schema::of(match &schema.kind {
        Kind::Object(rules) => Kind::Object(rules.fixed()),
        Kind::Map(rules) => {
            let values = Some(rules.values.fixed());
            Kind::Object(Object::undeclared(Unknown::Report, values))
        }
        // The check refuses this.
        _ => Kind::Any,
    })
}

/// Keys are unique, flattened fields included, and at most one map takes the rest.
///
/// # Panics
/// When they are not.
#[track_caller]
pub const fn unique_output_names(schema: &Schema) {
    let Kind::Object(object) = &schema.kind else {
        return;
    };
    assert!(
        !object.has_key_twice(),
        "two fields have the same name after flattening: rename one"
    );
    assert!(
        !object.has_two_maps(),
        "two flattened maps would write the same keys: keep one"
    );
}
