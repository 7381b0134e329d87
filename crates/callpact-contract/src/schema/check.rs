//! Rules of a declaration that need the type, not its tokens: refused at compile time.
//!
//! Generated code calls these in anonymous consts that carry the span of the user's token, so a
//! panic here is a compile error there.
#![allow(clippy::missing_panics_doc)] // a panic here is an error of the compiler

use super::{
    Kind, Rule, Schema, Tagging,
    kind::{list::ListRule, text::TextRule},
};

/// The schema of a declaration with mistakes, which no check reports a second time.
pub const UNUSABLE: &Schema = &Schema::of(Kind::Any).into_unusable();

/// Fails to compile if the setting does not fit the type of its field.
#[track_caller]
pub const fn check_rule(schema: &Schema, rule: Rule) {
    let refusal = if schema.is_unusable() {
        ""
    } else {
        refuse(&schema.kind, rule)
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

/// Why a rule does not belong on a kind, or its type does not take it; empty if it does.
const fn refuse(kind: &Kind, rule: Rule) -> &'static str {
    match (rule, kind) {
        (Rule::Number(rule), Kind::Integer(own)) => own.refuse(rule),
        (Rule::Number(rule), Kind::Number(own)) => own.refuse(rule),
        (Rule::Number(_), Kind::Text(_)) => {
            "this rule belongs on a number, and the field is text: write `min_length` or `max_length`"
        }
        (Rule::Number(_), Kind::List(_)) => {
            "this rule belongs on a number, and the field is an array: write `min_items` or `max_items`"
        }
        (Rule::Number(_), _) => "this rule belongs on a number",
        (Rule::Text(rule), Kind::Text(own)) => own.refuse(rule),
        (
            Rule::Text(TextRule::MinLength(_) | TextRule::MaxLength(_)),
            Kind::Integer(_) | Kind::Number(_),
        ) => "this rule belongs on text, and the field is a number: write `min` or `max`",
        (Rule::Text(TextRule::MinLength(_) | TextRule::MaxLength(_)), Kind::List(_)) => {
            "this rule belongs on text, and the field is an array: write `min_items` or `max_items`"
        }
        (Rule::Text(_), _) => "this rule belongs on text",
        (Rule::List(rule), Kind::List(own)) => own.refuse(rule),
        (Rule::List(ListRule::MinItems(_) | ListRule::MaxItems(_)), Kind::Text(_)) => {
            "this rule belongs on an array, and the field is text: write `min_length` or `max_length`"
        }
        (
            Rule::List(ListRule::MinItems(_) | ListRule::MaxItems(_)),
            Kind::Integer(_) | Kind::Number(_),
        ) => "this rule belongs on an array, and the field is a number: write `min` or `max`",
        (Rule::List(_), _) => "this rule belongs on an array",
        (Rule::OneOfText(values), Kind::Text(own)) => own.refuse_one_of(values),
        (Rule::OneOfText(_), Kind::Integer(_)) => {
            "`one_of` lists strings, and the field is a number: write whole numbers"
        }
        (Rule::OneOfInteger(values), Kind::Integer(own)) => own.refuse_one_of(values),
        (Rule::OneOfInteger(_), Kind::Text(_)) => {
            "`one_of` lists numbers, and the field is text: write strings"
        }
        (Rule::OneOfText(_) | Rule::OneOfInteger(_), _) => {
            "`one_of` belongs on text or on an integer"
        }
        // The other rules belong on every kind.
        _ => "",
    }
}

/// `exclusive_min` and `exclusive_max` are neighbours: there is no whole number between them.
#[track_caller]
pub const fn check_ends(schema: &Schema) {
    assert!(
        !matches!(schema.kind, Kind::Integer(_)),
        "`exclusive_min` and `exclusive_max` leave no whole number between them"
    );
}

/// Fails to compile if `keep_empty` stands on a field that takes no empty string.
#[track_caller]
pub const fn check_keep_empty(schema: &Schema) {
    let is_text = match &schema.kind {
        Kind::Any | Kind::Text(_) => true,
        Kind::Union(union) => matches!(union.tagging, Tagging::External | Tagging::None),
        _ => false,
    };
    assert!(
        is_text || schema.is_unusable(),
        "`keep_empty` belongs on text: an empty string is no value of this type, and is read as absent"
    );
}

/// `required = false` needs a value that replaces an absent one.
#[track_caller]
pub const fn optional_or_default(optional: bool) {
    assert!(
        optional,
        "`required = false` needs something to stand in: make the type `Option<…>`, or add `default = …`"
    );
}

/// The input of a tool is an object: providers take nothing else.
#[track_caller]
pub const fn object_only(schema: &Schema) {
    assert!(
        schema.is_unusable() || (is_object_only(schema) && !nests_forms(schema)),
        "the input of a tool is an object: use a struct with named fields, or an enum whose variants are all objects"
    );
}

/// The schema of arguments says that they are an object, so one of the variants must be.
#[track_caller]
pub const fn some_object(schema: &Schema) {
    let Kind::Union(union) = &schema.kind else {
        return;
    };
    let mut any = schema.is_unusable();
    let mut variants = union.variants.part();
    while let [variant, rest @ ..] = variants {
        any = any
            || match &variant.content {
                Some(content) if matches!(union.tagging, Tagging::None) => matches!(
                    content.part().kind,
                    Kind::Any | Kind::Map(_) | Kind::Object(_) | Kind::Union(_)
                ),
                content => is_named_object(&union.tagging, content.is_some()),
            };
        variants = rest;
    }
    assert!(
        any,
        "arguments are an object, and no variant of this enum is one: put it into a field of a struct"
    );
}

/// Whether every value is an object.
pub(crate) const fn is_object_only(schema: &Schema) -> bool {
    !schema.nullable
        && match &schema.kind {
            Kind::Object(_) | Kind::Map(_) => true,
            Kind::Union(union) => {
                let mut all = true;
                let mut variants = union.variants.part();
                while let [variant, rest @ ..] = variants {
                    all = all
                        && match &variant.content {
                            Some(content) if matches!(union.tagging, Tagging::None) => {
                                is_object_only(content.part())
                            }
                            content => is_named_object(&union.tagging, content.is_some()),
                        };
                    variants = rest;
                }
                all
            }
            _ => false,
        }
}

/// Whether a variant is an object because of its name.
const fn is_named_object(tagging: &Tagging, has_content: bool) -> bool {
    match tagging {
        Tagging::Internal { .. } | Tagging::Adjacent { .. } => true,
        Tagging::External => has_content,
        Tagging::None => false,
    }
}

/// Whether a variant without a tag is anything but a struct.
const fn nests_forms(schema: &Schema) -> bool {
    let Kind::Union(union) = &schema.kind else {
        return false;
    };
    let mut i = 0;
    let mut nests = false;
    while matches!(union.tagging, Tagging::None) && i < union.variants.part().len() {
        if let Some(content) = &union.variants.part()[i].content {
            nests = nests || !matches!(content.part().kind, Kind::Object(_));
        }
        i += 1;
    }
    nests
}

/// The output schema for hosts. They take null for a missing output, so a type that may be null has no
/// schema.
pub const fn output_of(schema: &'static Schema) -> Option<&'static Schema> {
    if may_be_null(schema) {
        None
    } else {
        Some(schema)
    }
}

const fn may_be_null(schema: &Schema) -> bool {
    if schema.nullable || matches!(schema.kind, Kind::Any) {
        return true;
    }
    let Kind::Union(union) = &schema.kind else {
        return false;
    };
    let mut i = 0;
    let mut null = false;
    while matches!(union.tagging, Tagging::None) && i < union.variants.part().len() {
        null = null
            || match &union.variants.part()[i].content {
                Some(content) => may_be_null(content.part()),
                None => true,
            };
        i += 1;
    }
    null
}

/// The content of an internally tagged variant is an object, since the tag is inside it.
#[track_caller]
pub const fn tagged_object(schema: &Schema, tag: &str) {
    if schema.is_unusable() {
        return;
    }
    match &schema.kind {
        Kind::Object(object) if !schema.nullable => {
            assert!(
                object.field(tag).is_none(),
                "a parameter of this variant is named like the tag of the enum: rename one"
            );
        }
        _ => panic!(
            "a variant of an internally tagged enum holds a struct: the tag stands among its fields"
        ),
    }
}

/// No flattened map takes the keys that a struct denies.
#[track_caller]
pub const fn nothing_collected(schema: &Schema) {
    if let Kind::Object(object) = &schema.kind {
        assert!(
            !object.collects(),
            "nothing is left to deny: a flattened map takes every other key; remove this, or the map"
        );
    }
}

/// Keys are unique, flattened fields included, and at most one map takes the rest.
#[track_caller]
pub const fn unique_names(schema: &Schema) {
    let Kind::Object(object) = &schema.kind else {
        return;
    };
    assert!(
        !object.is_too_deep(),
        "structs are flattened more than 7 deep: write the inner ones as parameters of their own"
    );
    assert!(
        !object.has_key_twice(),
        "two parameters have the same name after flattening: rename one"
    );
    assert!(
        !object.has_alias_of_a_key(),
        "an alias is the name of another parameter after flattening: remove it"
    );
    assert!(
        !object.has_two_maps(),
        "two flattened maps would take the same keys: keep one"
    );
    assert!(
        !object.collects_some(),
        "a flattened map takes every other key: its keys are strings"
    );
}
