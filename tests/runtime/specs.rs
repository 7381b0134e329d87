//! The model's information about a tool.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use crate::kit::{Add, AddInput, echo};
use crate::{arguments::Optionals, list::Named};
use callpact::{
    AgentTool, Dialect, Parameters, Permission, ToolContext, ToolInput, ToolResult, ToolSpec,
    Toolset, schema::ForeignSchema,
};

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

/// Counts how often its schema is asked for, and may become read-only.
struct Watched {
    schema: ForeignSchema,
    lowered: Arc<AtomicUsize>,
    read_only: Arc<AtomicBool>,
}

impl Watched {
    fn new() -> Self {
        let schema = r#"{"type":"object","properties":{"q":{"type":"string","format":"date"}}}"#;
        Self {
            schema: ForeignSchema::parse(schema).unwrap(),
            lowered: Arc::default(),
            read_only: Arc::default(),
        }
    }
}

impl AgentTool for Watched {
    fn name(&self) -> &str {
        "watched"
    }
    fn description(&self) -> &str {
        "Does it"
    }
    fn parameters(&self) -> Parameters<'_> {
        self.lowered.fetch_add(1, Ordering::Relaxed);
        Parameters::Foreign(&self.schema)
    }
    fn permission(&self) -> Permission {
        if self.read_only.load(Ordering::Relaxed) {
            Permission::ReadOnly
        } else {
            Permission::Destructive
        }
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(())
    }
}

#[test]
fn lowers_each_tool_once_per_dialect() {
    let tool = Watched::new();
    let asked = Arc::clone(&tool.lowered);
    let tools = Toolset::single(tool).unwrap();
    for dialect in Dialect::ALL {
        let first = tools.specs(dialect);
        let alone = tools.spec("watched", dialect);
        let before = asked.load(Ordering::Relaxed);
        assert_eq!(tools.specs(dialect), first, "{dialect}");
        assert_eq!(tools.spec("watched", dialect), alone, "{dialect}");
        assert_eq!(tools.spec_list(dialect).len(), 1, "{dialect}");
        // Lists that are made from this one have the same tool.
        assert_eq!(tools.filter(|_| true).specs(dialect), first, "{dialect}");
        let renamed = tools.prefix("my_").unwrap().specs(dialect);
        assert_eq!(renamed.replace("my_watched", "watched"), first, "{dialect}");
        assert_eq!(asked.load(Ordering::Relaxed), before, "{dialect}");
    }
}

#[test]
fn specs_show_a_changed_permission() {
    let tool = Watched::new();
    let read_only = Arc::clone(&tool.read_only);
    let tools = Toolset::single(tool).unwrap();
    let hint = r#""readOnlyHint":true"#;
    assert!(!tools.specs(Dialect::Mcp20260728).contains(hint));
    read_only.store(true, Ordering::Relaxed);
    assert!(tools.specs(Dialect::Mcp20260728).contains(hint));
    let spec = tools.spec("watched", Dialect::Portable).unwrap();
    assert_eq!(spec.permission, Permission::ReadOnly);
}
