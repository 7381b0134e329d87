//! The edge cases of the specification, one test a row, and what else it promises.

use crate::kit::{Add, Logs, call, echo, once, text};
use toolwright::{
    AgentTool, Dialect, Halt, ToolContext, ToolResult, ToolSpec, Toolset, toolset::Conflict,
};

struct Named(String, &'static str);

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
fn row_004_tool_list_is_empty() {
    let tools = Toolset::builder().build().expect("valid");
    assert!(tools.is_empty());
    for dialect in Dialect::ALL {
        assert_eq!(tools.specs(dialect), "[]", "{dialect}");
    }
}

#[test]
fn row_004_tool_name_is_blank() {
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
fn row_004_tool_name_has_special_characters() {
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
fn row_004_two_tools_with_same_name() {
    let error = Toolset::builder()
        .tool(echo("a"))
        .tool(echo("a"))
        .build()
        .unwrap_err();
    assert_eq!(error.to_string(), "Duplicate tool name: 'a'");
}

#[tokio::test]
async fn row_004_execute_throws() {
    let logs = Logs::at(tracing::Level::WARN);
    let reply = once(text("boom", |_, _| panic!("/home/me/x.rs: secret")), "{}").await;
    assert_eq!(
        reply.to_model(),
        "Error: Tool 'boom' crashed; what it was doing may be half done"
    );
    assert!(logs.all().contains("WARN"), "{}", logs.all());
    assert!(!logs.all().contains("/home/me"));
}

#[tokio::test]
async fn row_004_execute_returns_null() {
    let reply = once(
        text("none", |_, _| ToolResult::success(None::<String>)),
        "{}",
    )
    .await;
    assert!(reply.is_success());
    assert_eq!(reply.to_model(), "");
}

#[tokio::test]
async fn row_004_execute_returns_failure() {
    let reply = once(text("no", |_, _| ToolResult::failure("no such file")), "{}").await;
    assert!(!reply.is_success());
    assert_eq!(reply.to_model(), "Error: no such file");
}

#[test]
fn row_004_tool_object_is_no_tool() {
    // A compile error with the clear message of `#[diagnostic::on_unimplemented]`; see the
    // `compile_fail` examples of `toolset::ToolProvider` and tests/ui.
    let _: fn(Vec<Named>) -> toolwright::toolset::Tools = toolwright::ToolProvider::tools;
}

#[tokio::test]
async fn row_004_tool_input_is_empty_or_malformed() {
    for arguments in [
        "",
        "  ",
        "not json",
        "{\"input\": ",
        "[1]",
        "{\"input\":\"x\"} y",
    ] {
        assert_eq!(once(echo("e"), arguments).await.to_model(), arguments);
    }
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

#[tokio::test]
async fn configuration_errors_and_exits_propagate() {
    for halt in [Halt::exit_early("stop"), Halt::misconfigured("no reviewer")] {
        let own = halt.clone();
        let tools = Toolset::builder()
            .tool(text("t", move |_, _| ToolResult::halt(own.clone())))
            .build()
            .unwrap();
        assert_eq!(
            tools
                .call(&call("t", "{}"), &ToolContext::new())
                .await
                .unwrap_err(),
            halt
        );
    }
}

#[tokio::test]
async fn request_approval_without_a_handler_continues() {
    struct Asks;
    impl AgentTool for Asks {
        fn name(&self) -> &str {
            "asks"
        }
        fn description(&self) -> &str {
            "d"
        }
        async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
            match cx.request_approval("Delete it").await {
                Ok(decision) => ToolResult::success(format!("{decision:?}")),
                Err(halt) => ToolResult::halt(halt),
            }
        }
    }
    assert_eq!(once(Asks, "{}").await.to_model(), "Continue");
}

#[tokio::test]
async fn typed_tools_get_the_whole_arguments() {
    assert_eq!(once(Add, r#"{"a":1,"b":2}"#).await.to_model(), "3");
    assert_eq!(
        once(Add, r#"{"a":9223372036854775807,"b":2}"#)
            .await
            .to_model(),
        "Error: the sum is too large"
    );
}
