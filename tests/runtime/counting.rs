//! The counts and logs of a program.

use crate::kit::{Counts, call, echo, once, text};
use callpact::{AgentTool, Halt, Outcome, ToolContext, ToolMetrics, ToolResult, Toolset};
use std::time::Duration;

async fn counted(tool: impl AgentTool + 'static, role: Option<&str>) -> Vec<String> {
    let counts = Counts::default();
    let name = tool.name().to_owned();
    let tools = Toolset::builder().tool(tool).build().unwrap();
    let mut cx = ToolContext::new().with_metrics(counts.clone());
    if let Some(role) = role {
        cx = cx.with_role(role);
    }
    let _ = tools.call(&call(&name, "{}"), &cx).await;
    counts.lines()
}

#[tokio::test]
async fn counts_every_outcome_with_role_and_duration() {
    assert_eq!(
        counted(echo("e"), Some("writer")).await,
        ["success e writer", "duration e writer"]
    );
    assert_eq!(
        counted(text("f", |_, _| ToolResult::failure("x")), None).await,
        ["failure f unknown", "duration f unknown"]
    );
    assert_eq!(
        counted(text("c", |_, _| panic!("x")), None).await,
        ["error c unknown", "duration c unknown"]
    );
}

#[tokio::test]
async fn halts_are_counted_too() {
    // The reference counts neither.
    let exits = text("x", |_, _| ToolResult::halt(Halt::exit_early("e")));
    assert_eq!(
        counted(exits, None).await,
        ["halt x unknown exit_early", "duration x unknown"]
    );
    let wrong = text("m", |_, _| ToolResult::halt(Halt::misconfigured("e")));
    assert_eq!(
        counted(wrong, None).await,
        ["halt m unknown misconfigured", "duration m unknown"]
    );
}

#[tokio::test]
async fn a_failing_metrics_backend_changes_nothing() {
    struct Broken;
    impl ToolMetrics for Broken {
        fn increment_success(&self, _: &str, _: &str) {
            panic!("no backend");
        }
        fn record_duration(&self, _: &str, _: &str, _: Duration) {
            panic!("no backend");
        }
        fn increment_counter(&self, _: &str, _: &str, _: &[(&str, &str)]) {
            panic!("no backend");
        }
    }
    let own = text("t", |input, cx| {
        cx.metrics().increment_counter("pages", cx.tool_name(), &[]);
        ToolResult::success(input)
    });
    let tools = Toolset::builder().tool(own).build().unwrap();
    let cx = ToolContext::new().with_metrics(Broken);
    let reply = tools
        .call(&call("t", r#"{"input":"done"}"#), &cx)
        .await
        .unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Success, "done")
    );
}

#[tokio::test]
async fn logs_omit_arguments_and_results_by_default() {
    let logs = crate::kit::Logs::at(tracing::Level::TRACE);
    once(
        text("t", |_, _| ToolResult::success("RESULT")),
        r#"{"input":"ARGUMENT"}"#,
    )
    .await;
    once(
        text("t", |_, _| ToolResult::failure("MESSAGE")),
        r#"{"input":"ARGUMENT"}"#,
    )
    .await;
    let all = logs.all();
    assert!(all.contains("Tool call: t -> success ["), "{all}");
    assert!(all.contains("Tool error: t -> failure ["), "{all}");
    for content in ["ARGUMENT", "RESULT", "MESSAGE"] {
        assert!(!all.contains(content), "{all}");
    }
}
