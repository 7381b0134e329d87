//! Building a list of tools: names, descriptions and providers.

use crate::kit::{Add, call, echo};
use callpact::{AgentTool, Dialect, ToolContext, ToolResult, Toolset, toolset::Conflict};

#[test]
fn names_are_checked() {
    let error = Toolset::builder()
        .tool(echo("ensemble.tool"))
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "Invalid tool name: 'ensemble.tool': a name is 1 to 64 letters, digits, `_` and `-`"
    );
}

#[test]
fn duplicates_are_checked_and_never_the_last_wins() {
    let built = Toolset::builder()
        .tool(echo("a"))
        .tool(Add)
        .tool(echo("add"))
        .build();
    assert_eq!(built.unwrap_err().to_string(), "Duplicate tool name: 'add'");
}

#[tokio::test]
async fn providers_work_through_the_public_builder() {
    let inner = Toolset::builder()
        .tool(echo("a"))
        .tool(Add)
        .build()
        .unwrap();
    let tools = Toolset::builder()
        .tool(echo("b"))
        .tools(inner)
        .build()
        .unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), ["b", "a", "add"]);
    let reply = tools
        .call(&call("a", r#"{"input":"x"}"#), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "x");
}

pub(crate) struct Named(pub String, pub &'static str);

impl AgentTool for Named {
    fn name(&self) -> &str {
        &self.0
    }
    fn description(&self) -> &str {
        self.1
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(())
    }
}

fn conflicts(name: &str) -> Vec<Conflict> {
    let built = Toolset::builder().tool(Named(name.into(), "d")).build();
    built.map_or_else(|error| error.conflicts, |_| Vec::new())
}

#[test]
fn tool_list_is_empty() {
    let tools = Toolset::builder().build().expect("valid");
    assert!(tools.is_empty());
    for dialect in Dialect::ALL {
        assert_eq!(tools.specs(dialect), "[]", "{dialect}");
    }
}

#[test]
fn tool_name_is_blank() {
    for name in ["", " ", "\t\n"] {
        assert_eq!(
            conflicts(name),
            [Conflict::InvalidName { name: name.into() }]
        );
        let safe = Toolset::builder()
            .tool(Named(name.into(), "d"))
            .safe_names()
            .build();
        assert!(safe.is_err(), "no safe name stands for {name:?}");
    }
}

#[test]
fn tool_name_has_special_characters() {
    for name in [
        "a b",
        "a.b",
        "ä",
        "a/b",
        "a\u{202e}b",
        "a\n",
        &"a".repeat(65),
    ] {
        assert_eq!(
            conflicts(name),
            [Conflict::InvalidName { name: name.into() }],
            "{name}"
        );
    }
    // Document 003 allows the hyphen as well, and 64 characters.
    for name in ["a", "a-b", "A_9", &"a".repeat(64)] {
        assert_eq!(conflicts(name), [], "{name}");
    }
}

#[test]
fn two_tools_with_same_name() {
    let error = Toolset::builder()
        .tool(echo("a"))
        .tool(echo("a"))
        .build()
        .unwrap_err();
    assert_eq!(error.to_string(), "Duplicate tool name: 'a'");
}

#[test]
fn tool_object_is_no_tool() {
    // A compile error with the clear message of `#[diagnostic::on_unimplemented]`; see the
    // `compile_fail` examples of `toolset::ToolProvider` and tests/ui.
    let _: fn(Vec<Named>) -> callpact::toolset::Tools = callpact::ToolProvider::tools;
}
