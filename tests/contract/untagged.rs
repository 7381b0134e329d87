//! How the reader chooses the variant of an untagged union.

use callpact::{
    Dialect, FixKind, Policy, ToolInput, input::read_foreign, read_str, schema::ForeignSchema,
};
use serde_json::{Value, json};

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Overlapping {
    First { a: u8 },
    Both { a: u8, b: u8 },
    Maybe { c: Option<u8> },
}

use Overlapping::{Both, First, Maybe};

fn read(text: &str, policy: &Policy) -> Result<(Overlapping, usize), String> {
    read_str(text, policy)
        .map(|read| (read.value, read.fixes.len()))
        .map_err(|report| report.issues[0].to_string())
}

#[test]
fn reads_variant_declaring_every_key() {
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        assert_eq!(read(r#"{"a":1}"#, &policy), Ok((First { a: 1 }, 0)));
        assert_eq!(
            read(r#"{"b":2,"a":1}"#, &policy),
            Ok((Both { a: 1, b: 2 }, 0))
        );
        assert_eq!(read(r#"{"c":3}"#, &policy), Ok((Maybe { c: Some(3) }, 0)));
        assert_eq!(read("{}", &policy), Ok((Maybe { c: None }, 0)));
        // A key that no variant declares is dropped and recorded.
        assert_eq!(read(r#"{"a":1,"z":0}"#, &policy), Ok((First { a: 1 }, 1)));
        assert_eq!(read(r#"{"z":0}"#, &policy), Ok((Maybe { c: None }, 1)));
    }
}

#[test]
fn conversion_never_selects_variant_dropping_key() {
    let (lax, exact) = (Policy::lax(), Policy::exact());
    assert_eq!(
        read(r#"{"a":"1","b":"2"}"#, &lax),
        Ok((Both { a: 1, b: 2 }, 2))
    );
    assert_eq!(read(r#"{"a":"1"}"#, &lax), Ok((First { a: 1 }, 1)));
    for policy in [lax, exact] {
        assert_eq!(
            read(r#"{"a":300,"b":2}"#, &policy),
            Err("a: expected an integer from 0 to 255, found 300".to_owned())
        );
    }
    assert_eq!(
        read(r#"{"a":"1","b":"2"}"#, &exact),
        Err("a: expected an integer from 0 to 255, found \"1\"; send it without the quotes around it".to_owned())
    );
}

#[test]
fn keys_of_two_forms_are_no_form() {
    for policy in [Policy::exact(), Policy::lax()] {
        assert_eq!(
            read(r#"{"a":1,"c":3}"#, &policy),
            Err(
                "arguments: expected an object, found an object, which fits only without `c`"
                    .to_owned()
            )
        );
        assert_eq!(
            read(r#"{"a":1,"b":2,"c":3}"#, &policy),
            Err(
                "arguments: expected an object, found an object, which fits only without `c`"
                    .to_owned()
            )
        );
    }
}

#[derive(Debug, PartialEq, ToolInput)]
struct Named {
    #[tool_param(alias = "title")]
    name: String,
    #[tool_param(flatten)]
    place: Place,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Place {
    line: Option<u32>,
}

#[derive(Debug, PartialEq, ToolInput)]
struct Numbered {
    id: u32,
    #[tool_param(flatten)]
    rest: std::collections::BTreeMap<String, String>,
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Either {
    Named(Named),
    Numbered(Numbered),
}

/// Flattened fields and aliases count as declared. A variant that collects any key drops none.
#[test]
fn keys_behind_flattened_fields() {
    let read = |text| read_str::<Either>(text, &Policy::lax()).map(|read| read.value);
    let named = Named {
        name: "a".to_owned(),
        place: Place { line: Some(4) },
    };
    assert_eq!(read(r#"{"title":"a","line":4}"#), Ok(Either::Named(named)));
    let rest = [("line".to_owned(), "4".to_owned())].into();
    assert_eq!(
        read(r#"{"id":1,"line":"4"}"#),
        Ok(Either::Numbered(Numbered { id: 1, rest }))
    );
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Access {
    Token {
        #[tool_param(secret)]
        token: String,
    },
    Port(u16),
}

#[test]
fn hides_value_in_place_of_secret() {
    let report = read_str::<Access>(r#""hunter2""#, &Policy::lax()).unwrap_err();
    assert_eq!(
        report.issues[0].to_string(),
        "arguments: expected an object or an integer from 0 to 65535, found a string (not shown)"
    );
}

#[derive(Debug, ToolInput)]
#[tool_input(untagged)]
#[allow(dead_code)]
enum Expr {
    Number(f64),
    List(#[tool_param(recursive)] Vec<Expr>),
}

#[test]
fn nested_recursive_variant_is_described_like_outer_variant() {
    let text = "[[[true]]]";
    assert_eq!(
        read_str::<Expr>(text, &Policy::lax()).unwrap_err().issues[0].to_string(),
        "[0][0][0]: expected a number or an array, found true"
    );
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Closed {
    Int { x: u8, y: Option<u8> },
    Text { x: u8, z: Option<String> },
    Many(Vec<Closed2>),
}

#[derive(Debug, PartialEq, ToolInput)]
#[tool_input(untagged)]
enum Closed2 {
    Int { x: u8, y: Option<u8> },
    Text { x: u8, z: Option<String> },
}

#[derive(Debug, PartialEq, ToolInput)]
struct Holds {
    it: Closed,
}

/// The policies under which the forms of a strict dialect are read.
fn lowered() -> [Policy; 4] {
    let exact = Policy::exact().lowered();
    [
        exact,
        Policy::lax(),
        Policy::repair(),
        Policy::lax().lowered(),
    ]
}

/// A strict dialect closes each variant, so the key of a null shows which variant is meant.
#[test]
fn null_for_absent_value_selects_variant_with_key() {
    let read = |text: &str, policy: &Policy| {
        let read = read_str::<Holds>(text, policy);
        let read = read.unwrap_or_else(|report| panic!("{report}\n{text}"));
        let kinds: Vec<FixKind> = read.fixes.iter().map(|fix| fix.kind).collect();
        (read.value.it, kinds)
    };
    for policy in lowered() {
        let is_told = policy == Policy::lax() || policy == Policy::repair();
        let fixes = vec![FixKind::NullAsAbsent; usize::from(is_told)];
        assert_eq!(
            read(r#"{"it":{"x":1,"y":null}}"#, &policy),
            (Closed::Int { x: 1, y: None }, fixes.clone())
        );
        assert_eq!(
            read(r#"{"it":{"x":1,"z":null}}"#, &policy),
            (Closed::Text { x: 1, z: None }, fixes.clone())
        );
        assert_eq!(
            read(r#"{"it":[{"x":1,"z":null}]}"#, &policy),
            (
                Closed::Many(vec![Closed2::Text { x: 1, z: None }]),
                fixes.clone()
            )
        );
    }
    let schema = ForeignSchema::parse(&Holds::SCHEMA.to_json(Dialect::Mcp20260728)).expect("good");
    for policy in lowered() {
        for (sent, got) in [
            (json!({"it": {"x": 1, "y": null}}), json!({"it": {"x": 1}})),
            (json!({"it": {"x": 1, "z": null}}), json!({"it": {"x": 1}})),
            (
                json!({"it": [{"x": 1, "z": null}]}),
                json!({"it": [{"x": 1}]}),
            ),
        ] {
            let read = read_foreign(&sent.to_string(), &schema, &policy).expect("good");
            assert_eq!(read.value, got, "{sent}");
        }
    }
}

/// If a strict dialect makes one flat object of a union without a tag, every key is required. Null means absent, and
/// says nothing about the variants that lack the key.
#[test]
fn nulls_of_a_flat_object_are_absent() {
    let flat = |text: &str, policy: &Policy| {
        let read = read_str::<Closed2>(text, policy);
        let read = read.unwrap_or_else(|report| panic!("{report}\n{text}"));
        assert!(
            read.fixes
                .iter()
                .all(|fix| fix.kind == FixKind::NullAsAbsent),
            "{:?}",
            read.fixes
        );
        (read.value, read.fixes.len())
    };
    let schema: Value =
        serde_json::from_str(&Closed2::SCHEMA.to_json(Dialect::OpenAiStrict)).unwrap();
    assert_eq!(schema["required"], json!(["x", "y", "z"]));
    for policy in lowered() {
        let is_told = policy == Policy::lax() || policy == Policy::repair();
        let told = |count: usize| if is_told { count } else { 0 };
        // The first variant that fits, as without the nulls.
        assert_eq!(
            flat(r#"{"x":1,"y":null,"z":null}"#, &policy),
            (Closed2::Int { x: 1, y: None }, told(2))
        );
        assert_eq!(
            flat(r#"{"x":1,"y":2,"z":null}"#, &policy),
            (Closed2::Int { x: 1, y: Some(2) }, told(1))
        );
        assert_eq!(
            flat(r#"{"x":1,"y":null,"z":"a"}"#, &policy),
            (
                Closed2::Text {
                    x: 1,
                    z: Some("a".to_owned())
                },
                told(1)
            )
        );
        let many = Overlapping::Both { a: 1, b: 2 };
        let read = read_str::<Overlapping>(r#"{"a":1,"b":2,"c":null}"#, &policy).expect("good");
        assert_eq!((read.value, read.fixes.len()), (many, told(1)));
    }
}

/// A number that is written with a fraction is the same value.
#[test]
fn variants_with_equal_number_are_unambiguous() {
    let schema = ForeignSchema::parse(
        r#"{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"number"}]}}}"#,
    )
    .expect("good");
    for policy in [Policy::lax(), Policy::repair()] {
        let read = read_foreign(r#"{"n":"5.0"}"#, &schema, &policy).expect("good");
        assert_eq!(read.value, json!({"n": 5}));
        let read = read_foreign(r#"{"n":"5.5"}"#, &schema, &policy).expect("good");
        assert_eq!(read.value, json!({"n": 5.5}));
    }
}
