//! A test for each named exception of the lowering, and for the cases next to it.

use callpact::{Dialect, FixKind, IssueKind, Policy, Read, Report, ToolInput, read_str};
use callpact_tests::shapes::{
    attributes::*, flat::*, lists::*, maps::*, numbers::*, structs::*, text::*, unions::*,
};
use serde_json::{Value, json};

use crate::schema_and_reader::compile;

const STRICT: Dialect = Dialect::OpenAiStrict;
const WHOLE: Dialect = Dialect::Mcp20260728;

/// Whether a dialect's schema accepts the value.
fn admits<T: ToolInput>(dialect: Dialect, value: &Value) -> bool {
    compile(&T::SCHEMA.to_json(dialect)).is_valid(value)
}

fn lax<T: ToolInput>(value: &Value) -> Result<Read<T>, Report> {
    read_str(&value.to_string(), &Policy::lax())
}

fn refused<T: ToolInput>(value: &Value) -> IssueKind {
    match lax::<T>(value) {
        Ok(_) => panic!("{value} is read"),
        Err(report) => report.issues[0].kind,
    }
}

#[test]
fn flattened_map() {
    let value = json!({"a": 1, "k": 2});
    assert_eq!(lax::<FlatMap>(&value).unwrap().value.rest["k"], 2);
    assert!(admits::<FlatMap>(Dialect::Portable, &value));
    // The provider refuses an open object, so the tool is written plain.
    assert!(admits::<FlatMap>(STRICT, &value));
    assert!(!admits::<FlatMap>(STRICT, &json!({"a": 1, "k": "x"})));
    // A map in a field is written as pairs.
    let pairs = json!({"hash": [{"key": "k", "value": 2}], "tree": [],
        "keys": null, "points": null, "nested": null, "options": null});
    assert!(admits::<Maps>(STRICT, &pairs));
    assert_eq!(lax::<Maps>(&pairs).unwrap().value.hash["k"], 2);
}

#[test]
fn null_is_absent() {
    let value = json!({"value": null, "map": {}, "maybe": null, "null": null});
    let exact = read_str::<OpenJson>(&value.to_string(), &Policy::exact()).unwrap();
    assert_eq!(exact.value.maybe, Some(Value::Null));
    let read = lax::<OpenJson>(&value).unwrap();
    assert_eq!(read.value.maybe, None);
    assert_eq!(read.fixes[0].kind, FixKind::NullAsAbsent);
    // A required nullable field takes null as null.
    assert_eq!(read.value.value, Value::Null);
}

#[test]
fn absent_is_null() {
    let value = json!({"plain": null, "required": 1, "double": null, "said": null, "point": null,
        "ruled": 4, "triple": null});
    assert!(admits::<Options>(STRICT, &value));
    let mut without = value.clone();
    without.as_object_mut().unwrap().remove("double");
    assert!(!admits::<Options>(STRICT, &without));
    let read = lax::<Options>(&value).unwrap().value;
    assert_eq!((read.plain, read.double), (None, Some(None)));
    assert_eq!(lax::<Options>(&without).unwrap().value.double, None);
}

#[test]
fn empty_is_absent() {
    let value = json!({"kept": "", "dropped": "", "required": ""});
    let read = lax::<Kept>(&value).unwrap().value;
    assert_eq!((read.kept.as_deref(), read.dropped), (Some(""), None));
    assert_eq!(read.required, "");
    let exact = read_str::<Kept>(&value.to_string(), &Policy::exact()).unwrap();
    assert_eq!(exact.value.dropped.as_deref(), Some(""));
}

#[test]
fn unit_at_root() {
    let name = json!("Nothing");
    assert_eq!(lax::<External>(&name).unwrap().value, External::Nothing);
    for dialect in Dialect::ALL {
        if dialect != Dialect::GeminiOpenApi {
            assert!(!admits::<External>(dialect, &name), "{dialect}");
        }
    }
    // Below the root the dialect can express it.
    assert!(admits::<Externals>(
        Dialect::Portable,
        &json!({"one": "Nothing", "null": null})
    ));
}

#[test]
fn flat_root_and_its_keys() {
    let missing = json!({"type": "circle"});
    assert!(admits::<Internal>(Dialect::Portable, &missing));
    assert!(!admits::<Internal>(WHOLE, &missing));
    assert_eq!(refused::<Internal>(&missing), IssueKind::Missing);
    let stranger = json!({"type": "nothing", "radius": "wide"});
    assert!(!admits::<Internal>(Dialect::Portable, &stranger));
    assert!(admits::<Internal>(WHOLE, &stranger));
    assert_eq!(lax::<Internal>(&stranger).unwrap().value, Internal::Nothing);
}

/// A strict provider wants every key of the flat object, so keys of other variants are null.
#[test]
fn nulls_of_other_variants_are_no_content() {
    let value = json!({"Circle": null, "Number": 5, "Pair": null, "Spot": null});
    assert!(admits::<External>(STRICT, &value));
    let read = lax::<External>(&value).unwrap();
    assert_eq!(read.value, External::Number(5));
    assert_eq!(read.fixes.len(), 3);
    assert_eq!(read.fixes[0].to_string(), "Circle: null read as absent");
    let none = json!({"Circle": null, "Number": null, "Pair": null, "Spot": null});
    assert_eq!(refused::<External>(&none), IssueKind::NoVariant);
    let two = json!({"Circle": null, "Number": 5, "Pair": [1, "a"], "Spot": null});
    assert_eq!(refused::<External>(&two), IssueKind::NoVariant);

    for value in [
        json!({"kind": "Circle", "radius": 2, "x": null, "y": null}),
        json!({"radius": 2, "x": null, "y": null, "kind": "Circle"}),
    ] {
        assert!(admits::<ClosedInternal>(STRICT, &value));
        let read = lax::<ClosedInternal>(&value).unwrap();
        assert_eq!(read.value, ClosedInternal::Circle { radius: 2.0 });
        assert!(
            read.fixes
                .iter()
                .all(|fix| fix.kind == FixKind::NullAsAbsent)
        );
    }
    let own = json!({"kind": "Circle", "radius": null, "x": null, "y": null});
    assert_eq!(refused::<ClosedInternal>(&own), IssueKind::WrongType);
    let said = json!({"kind": "Circle", "radius": 2, "x": 5, "y": null});
    assert_eq!(refused::<ClosedInternal>(&said), IssueKind::UnknownKey);

    for value in [
        json!({"t": "Nothing", "c": null}),
        json!({"c": null, "t": "Nothing"}),
    ] {
        assert!(admits::<ClosedAdjacent>(STRICT, &value));
        assert_eq!(
            lax::<ClosedAdjacent>(&value).unwrap().value,
            ClosedAdjacent::Nothing
        );
    }
    assert_eq!(
        refused::<ClosedAdjacent>(&json!({"t": "Nothing", "c": 5})),
        IssueKind::UnknownKey
    );
    // Where null is the content, it stays the content.
    let maybe = lax::<Adjacent>(&json!({"t": "Maybe", "c": null})).unwrap();
    assert_eq!(maybe.value, Adjacent::Maybe(None));
    assert_eq!(maybe.fixes, []);

    // The exact policy does not know the provider, and a union below the root is not a flat object.
    for text in [
        r#"{"kind":"Circle","radius":2,"x":null}"#,
        r#"{"kind":"Nothing","x":null}"#,
    ] {
        assert!(read_str::<ClosedInternal>(text, &Policy::exact()).is_err());
    }
    let inside = json!({"one": {"type": "nothing"}, "closed": {"kind": "Nothing", "x": null}});
    assert_eq!(refused::<Internals>(&inside), IssueKind::UnknownKey);
}

#[test]
fn pair_twice() {
    let twice = json!({"hash": [{"key": "a", "value": 1}, {"key": "a", "value": 2}], "tree": [],
        "keys": null, "points": null, "nested": null, "options": null});
    assert!(admits::<Maps>(STRICT, &twice));
    assert_eq!(refused::<Maps>(&twice), IssueKind::DuplicateKey);
}

#[test]
fn twins_by_unknown() {
    let told = json!({"points": [{"x": 1}, {"x": 1, "stranger": 2}]});
    assert!(read_str::<UniqueObjects>(&told.to_string(), &Policy::exact()).is_ok());
    let strict = Dialect::AnthropicStrict;
    assert!(!admits::<UniqueObjects>(strict, &told));
    assert_eq!(
        refused::<UniqueObjects>(&json!({"points": [{"x": 1}, {"x": 1}]})),
        IssueKind::DuplicateItem
    );
}

#[test]
fn other_form() {
    let value = json!({"name": "a", "id": 1});
    assert!(admits::<UntaggedObjects>(Dialect::Mcp20260728, &value));
    assert_eq!(refused::<UntaggedObjects>(&value), IssueKind::NoVariant);
    // Strict dialects make a model write null for absent values.
    let strict = json!({"name": null, "exact": null, "id": 1});
    assert!(read_str::<UntaggedObjects>(&strict.to_string(), &Policy::lax()).is_ok());
}

#[test]
fn misspelt() {
    // `maybe` is a parameter that was not given.
    let value = json!({"value": 1, "map": {}, "null": null, "maybes": 1});
    assert!(admits::<OpenJson>(Dialect::Portable, &value));
    assert!(read_str::<OpenJson>(&value.to_string(), &Policy::exact()).is_ok());
    assert_eq!(refused::<OpenJson>(&value), IssueKind::UnknownKey);
}

#[test]
fn map_in_words() {
    let value = json!({"hash": {"a": "x"}, "tree": {}});
    assert!(admits::<Maps>(Dialect::Ollama, &value));
    assert!(!admits::<Maps>(Dialect::Portable, &value));
    assert_eq!(refused::<Maps>(&value), IssueKind::WrongType);
    let words = |schema: &callpact::Schema| schema.to_json(Dialect::Ollama);
    assert!(words(Maps::SCHEMA).contains("an object whose values are all integers"));
    assert!(
        words(EnumKeys::SCHEMA)
            .contains("an object of the keys Red, dark-green, Blue whose values are all numbers")
    );
    assert!(words(FlatMap::SCHEMA).contains("the values of all other keys are integers"));
    // Descriptions do not cover the inside of the values.
    let deep = json!({"hash": {}, "tree": {}, "points": {"a": {}}});
    assert!(admits::<Maps>(Dialect::Ollama, &deep));
    assert_eq!(refused::<Maps>(&deep), IssueKind::Missing);
}

#[test]
fn closed_objects_are_said() {
    for dialect in [Dialect::Ollama, Dialect::GeminiOpenApi] {
        let text = Closed::SCHEMA.to_json(dialect);
        assert_eq!(text.matches("no other keys").count(), 2, "{text}");
        assert!(!Point::SCHEMA.to_json(dialect).contains("no other keys"));
    }
    assert!(
        !Closed::SCHEMA
            .to_json(Dialect::Portable)
            .contains("no other keys")
    );
    assert_eq!(
        refused::<Closed>(&json!({"a": 1, "z": 2})),
        IssueKind::UnknownKey
    );
}

#[test]
fn recursion_author_rule_and_far_end() {
    let open = json!({"name": "a", "children": [{}]});
    assert!(admits::<Tree>(Dialect::Portable, &open));
    assert!(!admits::<Tree>(WHOLE, &open));
    assert_eq!(refused::<Tree>(&open), IssueKind::Missing);

    let odd = json!({"even": 3});
    assert!(admits::<Converted>(WHOLE, &odd));
    assert_eq!(refused::<Converted>(&odd), IssueKind::Invalid);

    let strict = Dialect::AnthropicStrict;
    let far = json!({"a": 1, "b": 1, "c": 3_000_000_000_i64});
    assert!(admits::<Signed>(strict, &far));
    assert_eq!(refused::<Signed>(&far), IssueKind::OutOfRange);
    let text = Signed::SCHEMA.to_json(strict);
    assert!(
        text.contains("maximum: 2147483647") && text.contains("maximum: 32767"),
        "{text}"
    );
    // The description always states the form.
    assert!(
        Forms::SCHEMA
            .to_json(strict)
            .contains("an IPv4 or IPv6 address")
    );
    assert_eq!(
        refused::<Strings>(&json!({"owned": "", "boxed": ""})),
        IssueKind::Missing
    );
}
