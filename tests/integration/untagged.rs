//! How the reader chooses the variant of an untagged union.

use toolwright::{Policy, ToolInput, read_str};

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
fn the_form_that_has_a_place_for_every_key() {
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
fn conversions_do_not_lead_to_a_form_that_drops_what_was_meant() {
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
fn what_stands_in_place_of_a_secret_is_not_shown() {
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
fn a_form_inside_of_itself_is_described_as_on_the_outside() {
    let text = "[[[true]]]";
    assert_eq!(
        read_str::<Expr>(text, &Policy::lax()).unwrap_err().issues[0].to_string(),
        "[0][0][0]: expected a number or an array, found true"
    );
}
