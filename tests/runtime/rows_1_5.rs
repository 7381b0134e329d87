//! Section 1.5, the adapter.

use crate::kit::{Add, call, echo, once, text};
use toolwright::{Dialect, Halt, Outcome, ToolContext, ToolResult, ToolSpec, Toolset};

#[test]
fn row_1_5_typed_before_the_single_input() {
    let typed = ToolSpec::of(&Add, Dialect::Portable);
    assert_eq!(
        typed.parameters,
        r#"{"type":"object","properties":{"a":{"type":"integer","description":"The first number"},"b":{"type":"integer"}},"required":["a","b"]}"#
    );
    let legacy = ToolSpec::of(&echo("e"), Dialect::Portable);
    assert!(legacy.parameters.contains("The input to pass to the tool"));
}

#[tokio::test]
async fn row_1_5_legacy_absent_or_null_key_passes_the_whole() {
    for arguments in [r#"{"other": 1}"#, r#"{"input": null}"#, "{}", "no json"] {
        assert_eq!(once(echo("e"), arguments).await.to_model(), arguments);
    }
}

#[tokio::test]
async fn row_1_5_legacy_non_string_input_is_json() {
    for (arguments, input) in [
        (r#"{"input":{"a":1}}"#, r#"{"a":1}"#),
        (r#"{"input":{"a": [1, "x y"]}}"#, r#"{"a":[1,"x y"]}"#),
        (r#"{"input":5}"#, "5"),
        (r#"{"input":true}"#, "true"),
        (
            r#"{"input":12345678901234567890123}"#,
            "12345678901234567890123",
        ),
        (r#"{"input":1.10}"#, "1.10"),
    ] {
        assert_eq!(once(echo("e"), arguments).await.to_model(), input);
    }
}

#[tokio::test]
async fn row_1_5_legacy_input_given_twice_is_not_guessed() {
    let arguments = r#"{"input":"a","input":"b"}"#;
    assert_eq!(once(echo("e"), arguments).await.to_model(), arguments);
}

#[tokio::test]
async fn row_1_5_error_prefix_only_on_failure() {
    let legit = once(
        text("t", |_, _| ToolResult::success("Error: is a legit text")),
        "{}",
    )
    .await;
    assert!(legit.is_success());
    assert_eq!(legit.to_model(), "Error: is a legit text");
    let failed = once(text("t", |_, _| ToolResult::failure("why")), "{}").await;
    assert_eq!(failed.to_model(), "Error: why");
    assert_eq!(failed.outcome, Outcome::Failure);
}

#[tokio::test]
async fn row_1_5_malformed_arguments_of_a_typed_tool_never_run() {
    for arguments in [
        "{}",
        "nonsense",
        r#"{"a":1}"#,
        r#"{"a":1,"b":2"#,
        r#"{"a":1.5,"b":2}"#,
        "",
    ] {
        let reply = once(Add, arguments).await;
        assert_eq!(reply.outcome, Outcome::InvalidArguments, "{arguments}");
        assert!(
            reply.to_model().starts_with("Error: Invalid arguments, "),
            "{}",
            reply.to_model()
        );
        assert!(reply.result.report().is_some());
    }
}

#[tokio::test]
async fn row_1_5_configuration_errors_are_logged_at_error_and_rethrown() {
    let logs = crate::kit::Logs::at(tracing::Level::ERROR);
    let tools = Toolset::builder()
        .tool(text("t", |_, _| {
            ToolResult::halt(Halt::misconfigured("no reviewer"))
        }))
        .build()
        .unwrap();
    let halt = tools
        .call(&call("t", "{}"), &ToolContext::new())
        .await
        .unwrap_err();
    assert_eq!(halt, Halt::misconfigured("no reviewer"));
    assert!(
        logs.all().contains("ERROR") && logs.all().contains("no reviewer"),
        "{}",
        logs.all()
    );
}
