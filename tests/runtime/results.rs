//! The results that a tool returns, and the texts that the model reads.

use crate::kit::{Add, Logs, call, once, text};
use callpact::{
    Halt, IntoToolResult, Json, Outcome, ToolCall, ToolContext, ToolError, ToolResult, Toolset,
};

#[test]
fn structured_output_is_a_fourth_field() {
    let result = ToolResult::success("text").with_structured(serde_json::json!({"a": 1}));
    assert_eq!(result.to_model(), "text", "not sent to the model");
    assert_eq!(result.structured(), Some(&serde_json::json!({"a": 1})));
}

#[test]
fn result_factories() {
    assert_eq!(ToolResult::success(None::<&str>).output(), "");
    assert!(ToolResult::success(()).is_success());
    assert_eq!(ToolResult::success("").structured(), None);
    for nothing in [
        ToolResult::failure(None::<&str>),
        ToolResult::failure(""),
        ToolResult::failure(()),
    ] {
        assert_eq!(
            nothing.error(),
            Some("Tool execution failed with no message")
        );
        assert_eq!(nothing.output(), "");
        assert!(!nothing.is_success());
    }
}

#[test]
fn structured_output_as_a_type_is_checked() {
    let result = ToolResult::success("").with_structured(5);
    assert_eq!(result.structured_as::<u8>().unwrap(), Some(5));
    assert!(
        result.structured_as::<String>().is_err(),
        "no unchecked cast"
    );
    assert_eq!(ToolResult::success("").structured_as::<u8>().unwrap(), None);
}

#[test]
fn a_failure_can_carry_structured_output() {
    let result =
        ToolResult::failure("2 tests failed").with_structured(serde_json::json!({"failed": 2}));
    assert!(!result.is_success());
    assert_eq!(result.structured().unwrap()["failed"], 2);
}

#[tokio::test]
async fn plain_error_fails_call_and_wrapped_halt_stops() {
    #[derive(Debug)]
    struct Wrapped(Halt);
    impl std::fmt::Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("wrapped")
        }
    }
    impl std::error::Error for Wrapped {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }
    type Boxed = Box<dyn std::error::Error + Send + Sync>;
    let halt = || Halt::misconfigured("m");
    let by_question_mark = || -> Result<(), ToolError> { Err(Wrapped(halt()))? };
    for result in [
        Err::<(), _>(halt()).into_tool_result(),
        Err::<(), _>(ToolError::from(halt())).into_tool_result(),
        by_question_mark().into_tool_result(),
        Err::<(), Boxed>(halt().into()).into_tool_result(),
        Err::<(), Boxed>(Wrapped(halt()).into()).into_tool_result(),
        Err::<(), Box<dyn std::error::Error>>(halt().into()).into_tool_result(),
    ] {
        assert_eq!(result.halted(), Some(&halt()));
    }
    let plain = Err::<(), Boxed>("illegal state".into()).into_tool_result();
    assert_eq!(
        (plain.error(), plain.halted()),
        (Some("illegal state"), None)
    );
}

#[tokio::test]
async fn halt_in_io_error_or_box_stays_halt() {
    use std::{error::Error, io};
    type Boxed = Box<dyn Error + Send + Sync>;
    let halt = || Halt::misconfigured("why");
    let in_io = || io::Error::other(io::Error::other(halt()));
    let passed_on = || -> Result<String, ToolError> { Err(in_io())? };
    let boxed = || -> Result<String, Boxed> { Err(in_io())? };
    for result in [
        passed_on().into_tool_result(),
        boxed().into_tool_result(),
        boxed().map_err(ToolError::from_boxed).into_tool_result(),
        Err::<String, _>(in_io()).into_tool_result(),
        // A large error is often in a box, and one that several wait for is shared.
        Err::<String, _>(Box::new(halt())).into_tool_result(),
        Err::<String, _>(std::sync::Arc::new(halt())).into_tool_result(),
        Err::<String, _>(ToolError::from(Box::new(halt()))).into_tool_result(),
        Err::<String, _>(ToolError::from(std::sync::Arc::new(in_io()))).into_tool_result(),
        Err::<String, Boxed>(Box::new(Box::new(halt()))).into_tool_result(),
    ] {
        let tools = Toolset::single(text("halts", move |_, _| result.clone())).unwrap();
        let ended = tools.call(&call("halts", "{}"), &ToolContext::new()).await;
        assert_eq!(ended.unwrap_err(), halt());
    }
    let plain = Err::<String, _>(io::Error::other("disk full"))
        .map_err(|error| ToolError::from_boxed(error.into()));
    assert_eq!(plain.into_tool_result().to_model(), "Error: disk full");
}

#[test]
fn structured_output_is_what_the_text_says() {
    let json = Json((0.1_f32, f64::NAN, u64::MAX, "é")).into_tool_result();
    assert_eq!(json.output(), r#"[0.1,null,18446744073709551615,"é"]"#);
    assert_eq!(
        json.structured().map(ToString::to_string).as_deref(),
        Some(json.output())
    );
}

#[test]
fn what_a_tool_may_return() {
    assert_eq!("a".into_tool_result().output(), "a");
    assert_eq!(().into_tool_result().output(), "");
    assert_eq!(None::<String>.into_tool_result(), ToolResult::success(()));
    assert_eq!(
        Err::<String, _>("why").into_tool_result().error(),
        Some("why")
    );
    let json = Json(serde_json::json!({"b": 1, "a": "x"})).into_tool_result();
    assert_eq!(json.structured().unwrap().to_string(), json.output());
    assert!(
        Err::<(), _>(ToolError::retry("again"))
            .into_tool_result()
            .is_retry()
    );
    assert!(
        !Err::<(), _>(ToolError::failed("never"))
            .into_tool_result()
            .is_retry()
    );
}

#[tokio::test]
async fn error_prefix_only_on_failure() {
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

async fn limited(output: &str, limit: usize) -> (String, String) {
    let output = output.to_owned();
    let tools = Toolset::builder()
        .tool(text("t", move |_, _| ToolResult::success(output.clone())))
        .max_output(limit)
        .build()
        .unwrap();
    let reply = tools
        .call(&call("t", "{}"), &ToolContext::new())
        .await
        .unwrap();
    (
        reply.to_model().into_owned(),
        reply.result.output().to_owned(),
    )
}

#[tokio::test]
async fn output_limit() {
    let cases = [
        ("hello", 3, "hel... [truncated, full length: 5 chars]"),
        ("hello", 5, "hello"),
        ("hello", 6, "hello"),
        ("hello", 0, "... [truncated, full length: 5 chars]"),
        ("", 0, ""),
        ("äöü", 3, "äöü"),
        ("äöü", 2, "äö... [truncated, full length: 3 chars]"),
        ("𝒳😀é", 1, "𝒳... [truncated, full length: 3 chars]"),
    ];
    for (output, limit, text) in cases {
        let (model, whole) = limited(output, limit).await;
        assert_eq!(model, text);
        assert_eq!(whole, output, "the reply keeps the whole");
    }
}

#[tokio::test]
async fn distinguishes_invalid_arguments_failure_and_unknown_tool() {
    assert_eq!(once(Add, "{}").await.outcome, Outcome::InvalidArguments);
    let huge = r#"{"a":9223372036854775807,"b":1}"#;
    assert_eq!(once(Add, huge).await.outcome, Outcome::Failure);
    let tools = Toolset::builder().tool(Add).build().unwrap();
    let reply = tools
        .call(&call("nobody", "{}"), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(reply.outcome, Outcome::UnknownTool);
}

#[tokio::test]
async fn a_crash_is_not_told_as_an_interruption() {
    let tools = Toolset::builder()
        .tool(crate::kit::reads("boom", |_, _| panic!("x")))
        .tool(crate::kit::reads("fine", |_, _| {
            ToolResult::success("fine")
        }))
        .build()
        .unwrap();
    let calls = [
        ToolCall::new("1", "boom", "{}"),
        ToolCall::new("2", "fine", "{}"),
    ];
    let replies = tools.call_all(&calls, &ToolContext::new()).await;
    assert_eq!(replies[0].as_ref().unwrap().outcome, Outcome::Crash);
    assert_eq!(
        replies[1].as_ref().unwrap().to_model(),
        "fine",
        "its neighbour goes on"
    );
}

#[tokio::test]
async fn execute_throws() {
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
async fn execute_returns_null() {
    let reply = once(
        text("none", |_, _| ToolResult::success(None::<String>)),
        "{}",
    )
    .await;
    assert!(reply.is_success());
    assert_eq!(reply.to_model(), "");
}

#[tokio::test]
async fn execute_returns_failure() {
    let reply = once(text("no", |_, _| ToolResult::failure("no such file")), "{}").await;
    assert!(!reply.is_success());
    assert_eq!(reply.to_model(), "Error: no such file");
}

/// The names and the number of each
#[callpact::tool(read_only)]
fn numbers_of(names: Vec<String>) -> std::collections::BTreeMap<String, u32> {
    names.into_iter().zip(1..).collect()
}

/// The squares up to a number, or nothing
#[callpact::tool(read_only)]
fn squares(to: u32) -> Option<Vec<u64>> {
    (to > 0).then(|| (1..=u64::from(to)).map(|n| n * n).collect())
}

#[tokio::test]
async fn lists_maps_and_numbers_are_results() {
    use callpact::{AgentTool, IntoToolResult, ToolContext, ToolResult};
    let cx = ToolContext::new();
    let result = NumbersOf.execute(r#"{"names": ["a", "b"]}"#, &cx).await;
    assert_eq!(result.output(), r#"{"a":1,"b":2}"#);
    assert!(AgentTool::output_schema(&NumbersOf).is_some());
    let result = Squares.execute(r#"{"to": 3}"#, &cx).await;
    assert_eq!(
        (result.output(), result.structured()),
        ("[1,4,9]", Some(&serde_json::json!([1, 4, 9])))
    );
    assert_eq!(Squares.execute(r#"{"to": 0}"#, &cx).await.output(), "");
    assert!(<Vec<u64> as IntoToolResult>::output_schema().is_some());
    assert_eq!(
        (
            ToolResult::success(2.5).output(),
            ToolResult::success(7).output()
        ),
        ("2.5", "7")
    );
}
