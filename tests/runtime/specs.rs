//! The model's information about a tool.

use crate::kit::{Add, AddInput, echo};
use crate::{arguments::Optionals, list::Named};
use callpact::{AgentTool, Dialect, Permission, ToolInput, ToolSpec};

#[test]
fn container_description_is_used() {
    /// Adds things
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct In {
        a: u8,
    }
    assert!(
        In::SCHEMA
            .to_json(Dialect::Portable)
            .contains("Adds things")
    );
}

#[test]
fn typed_before_the_single_input() {
    let typed = ToolSpec::of(&Add, Dialect::Portable);
    assert_eq!(
        typed.parameters,
        r#"{"type":"object","properties":{"a":{"type":"integer","description":"The first number"},"b":{"type":"integer"}},"required":["a","b"]}"#
    );
    let legacy = ToolSpec::of(&echo("e"), Dialect::Portable);
    assert!(legacy.parameters.contains("The input to pass to the tool"));
}

#[test]
fn the_schema_is_the_types_own_and_borrowed() {
    let borrowed: &'static callpact::Schema = AgentTool::parameters(&Add).schema().unwrap();
    assert_eq!(
        borrowed.to_json(Dialect::Portable),
        AddInput::SCHEMA.to_json(Dialect::Portable)
    );
}

#[test]
fn no_meta_keywords_in_any_schema() {
    for dialect in Dialect::ALL {
        let schema = Optionals::SCHEMA.to_json(dialect);
        for keyword in ["$schema", "\"title\"", "$ref", "$defs", "definitions"] {
            assert!(!schema.contains(keyword), "{dialect}: {schema}");
        }
    }
}

#[test]
fn a_field_called_title_stays() {
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Titled {
        title: String,
    }
    let schema = Titled::SCHEMA.to_json(Dialect::Portable);
    assert_eq!(
        schema,
        r#"{"type":"object","properties":{"title":{"type":"string"}},"required":["title"]}"#
    );
}

#[test]
fn permissions_of_typed_tools_are_told() {
    assert_eq!(
        ToolSpec::of(&Add, Dialect::Portable).permission,
        Permission::Write
    );
}

#[test]
fn spec_of_a_string_tool() {
    assert_eq!(
        ToolSpec::of(
            &Named(
                "web_search".into(),
                "Search the web. Input: search query string."
            ),
            Dialect::Portable
        )
        .to_json(),
        r#"{"name":"web_search","description":"Search the web. Input: search query string.","parameters":{"type":"object","properties":{"input":{"type":"string","description":"The input to pass to the tool"}},"required":["input"]}}"#
    );
}
