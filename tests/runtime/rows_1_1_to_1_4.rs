//! Sections 1.1 to 1.4 of the reference, one test a row that applies to us.

use std::time::Duration;

use crate::kit::{Add, Counts, call, echo, once, text};
use toolwright::{
    AgentTool, Dialect, DynamicTool, Halt, IntoToolResult, Json, Outcome, Policy, ToolContext,
    ToolError, ToolInput, ToolMetrics, ToolResult, ToolSpec, Toolset, read_str,
};

#[test]
fn row_1_1_names_are_checked() {
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
fn row_1_1_duplicates_are_checked_and_never_the_last_wins() {
    let built = Toolset::builder()
        .tool(echo("a"))
        .tool(Add)
        .tool(echo("add"))
        .build();
    assert_eq!(built.unwrap_err().to_string(), "Duplicate tool name: 'add'");
}

#[test]
fn row_1_1_structured_output_is_a_fourth_field() {
    let result = ToolResult::success("text").with_structured(serde_json::json!({"a": 1}));
    assert_eq!(result.to_model(), "text", "not sent to the model");
    assert_eq!(result.structured(), Some(&serde_json::json!({"a": 1})));
}

#[test]
fn row_1_1_container_description_is_used() {
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

#[tokio::test]
async fn row_1_1_providers_work_through_the_public_builder() {
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

#[test]
fn row_1_2_result_factories() {
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
fn row_1_2_structured_output_as_a_type_is_checked() {
    let result = ToolResult::success("").with_structured(5);
    assert_eq!(result.structured_as::<u8>().unwrap(), Some(5));
    assert!(
        result.structured_as::<String>().is_err(),
        "no unchecked cast"
    );
    assert_eq!(ToolResult::success("").structured_as::<u8>().unwrap(), None);
}

#[test]
fn row_1_2_a_failure_can_carry_structured_output() {
    let result =
        ToolResult::failure("2 tests failed").with_structured(serde_json::json!({"failed": 2}));
    assert!(!result.is_success());
    assert_eq!(result.structured().unwrap()["failed"], 2);
}

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
async fn row_1_2_success_failure_and_error_are_counted_with_role_and_duration() {
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
async fn row_1_2_halts_are_counted_too() {
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
async fn row_1_2_a_failing_metrics_backend_changes_nothing() {
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
async fn row_1_2_a_plain_error_is_a_failure_and_a_halt_is_not_however_it_is_wrapped() {
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

#[test]
fn row_1_2_what_a_tool_may_return() {
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
async fn row_1_2_context_travels_with_the_call() {
    let outside = ToolContext::new();
    assert_eq!(
        (outside.call_id(), outside.tool_name(), outside.role()),
        ("", "", "unknown")
    );
    let reply = once(
        text("who", |_, cx| {
            ToolResult::success(format!("{} {}", cx.tool_name(), cx.call_id()))
        }),
        "{}",
    )
    .await;
    assert_eq!(reply.to_model(), "who call-1");
}

#[tokio::test]
async fn row_1_2_custom_schema_tools_get_the_full_argument_json() {
    struct Own;
    impl AgentTool for Own {
        fn name(&self) -> &str {
            "own"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn parameters(&self) -> toolwright::Parameters<'_> {
            toolwright::Parameters::Typed(crate::kit::AddInput::SCHEMA)
        }
        async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
            ToolResult::success(input)
        }
    }
    let arguments = r#"{"input": "x", "a": 1}"#;
    assert_eq!(once(Own, arguments).await.to_model(), arguments);
    assert!(
        ToolSpec::of(&Own, Dialect::Portable)
            .parameters
            .contains("The first number")
    );
}

#[derive(ToolInput, Debug, PartialEq)]
enum Color {
    Red,
    Green,
}

#[derive(ToolInput, Debug, PartialEq)]
struct Inner {
    a: String,
    k: u8,
}

#[derive(ToolInput, Debug, PartialEq)]
struct All {
    text: String,
    count: i32,
    list: Option<Vec<String>>,
    color: Option<Color>,
    inner: Option<Inner>,
    flag: Option<bool>,
    byte: Option<i8>,
    number: Option<f64>,
    map: Option<std::collections::BTreeMap<String, String>>,
}

#[test]
fn row_1_3_schema_of_every_type() {
    let schema: serde_json::Value =
        serde_json::from_str(&All::SCHEMA.to_json(Dialect::Portable)).unwrap();
    let kind = |name: &str| {
        schema["properties"][name]["type"]
            .as_str()
            .map(str::to_owned)
    };
    for (name, expected) in [
        ("text", "string"),
        ("count", "integer"),
        ("list", "array"),
        ("inner", "object"),
        ("flag", "boolean"),
        ("byte", "integer"),
        ("number", "number"),
        ("map", "object"),
    ] {
        assert_eq!(kind(name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(
        schema["properties"]["color"]["enum"],
        serde_json::json!(["Red", "Green"])
    );
    assert_eq!(schema["properties"]["list"]["items"]["type"], "string");
    // Nested ones are expanded, which the reference does not do.
    assert_eq!(
        schema["properties"]["inner"]["required"],
        serde_json::json!(["a", "k"])
    );
    assert_eq!(
        schema["required"],
        serde_json::json!(["text", "count"]),
        "declaration order"
    );
}

fn fault(arguments: &str) -> String {
    match read_str::<All>(arguments, &Policy::exact()) {
        Ok(read) => panic!("{arguments} read as {:?}", read.value),
        Err(report) => report.to_string(),
    }
}

#[test]
fn row_1_4_missing_parameters_are_all_listed() {
    let text = fault("{}");
    assert!(
        text.contains("- text: missing") && text.contains("- count: missing"),
        "{text}"
    );
}

#[test]
fn row_1_4_what_the_reference_accepts_and_we_refuse() {
    for arguments in [
        "",
        "  ",
        "[]",
        "\"x\"",
        "5",
        "true",
        "null",
        r#"{"text":"a","count":1} garbage"#,
        r#"{"text":"a","text":"b","count":1}"#,
        r#"{"text":5,"count":1}"#,
        r#"{"text":true,"count":1}"#,
        r#"{"text":"a","count":"5"}"#,
        r#"{"text":"a","count":3.7}"#,
        r#"{"text":"a","count":""}"#,
        r#"{"text":"a","count":"null"}"#,
        r#"{"text":"a","count":true}"#,
        r#"{"text":"a","count":3e9}"#,
        r#"{"text":"a","count":1,"byte":200}"#,
        r#"{"text":"a","count":1,"flag":1}"#,
        r#"{"text":"a","count":1,"flag":"yes"}"#,
        r#"{"text":"a","count":1,"number":"NaN"}"#,
        r#"{"text":"a","count":1,"number":1e400}"#,
        r#"{"text":"a","count":1,"number":NaN}"#,
        r#"{"text":"a","count":1,"list":["a",null]}"#,
        r#"{"text":"a","count":1,"list":"a"}"#,
        r#"{"text":"a","count":1,"list":[1,2]}"#,
        r#"{"text":"a","count":1,"color":"Blue"}"#,
        r#"{"text":"a","count":1,"color":1}"#,
        r#"{"text":"a","count":1,"color":"1"}"#,
        r#"{"text":"a","count":1,"color":""}"#,
        r#"{"text":"a","count":1,"inner":{}}"#,
        r#"{"text":"a","count":1,"map":{"a":1}}"#,
        r#"{"text":null,"count":1}"#,
    ] {
        let text = fault(arguments);
        assert!(
            !text.contains("::") && !text.contains("i32"),
            "a Rust name: {text}"
        );
    }
}

#[test]
fn row_1_4_lax_never_loses_anything() {
    for arguments in [
        r#"{"text":"a","count":3.7}"#,
        r#"{"text":"a","count":true}"#,
        r#"{"text":"a","count":""}"#,
        r#"{"text":"a","count":1,"byte":200}"#,
        r#"{"text":"a","count":1,"flag":"yes"}"#,
        r#"{"text":"a","count":1,"color":1}"#,
        r#"{"text":"a","count":1,"inner":{}}"#,
    ] {
        assert!(
            read_str::<All>(arguments, &Policy::lax()).is_err(),
            "{arguments}"
        );
    }
    let read = read_str::<All>(r#"{"text":"a","count":"5"}"#, &Policy::lax()).unwrap();
    assert_eq!(
        (read.value.count, read.fixes.len()),
        (5, 1),
        "and says what it did"
    );
}

#[test]
fn row_1_4_absent_optionals_are_none() {
    let read = read_str::<All>(r#"{"text":"a","count":1}"#, &Policy::exact()).unwrap();
    assert_eq!(
        (read.value.flag, read.value.byte, read.value.list),
        (None, None, None)
    );
}

#[test]
fn row_1_4_nesting_is_bounded() {
    for deep in [5_000, 1_000_000] {
        let (open, close) = ("[".repeat(deep), "]".repeat(deep));
        assert!(fault(&format!(r#"{{"text":"a","count":1,"list":{open}{close}}}"#)).len() < 500);
        // What nobody reads is skipped without a stack.
        let _ = read_str::<All>(
            &format!(r#"{{"text":"a","count":1,"x":{open}{close}}}"#),
            &Policy::exact(),
        );
    }
}

#[tokio::test]
async fn document_003_a_dynamic_tool_has_the_same_standing() {
    let make = |name: &str, description: &str| {
        DynamicTool::new(name, description, None, |arguments, _| async move {
            Json(arguments)
        })
    };
    for name in ["", "a b", "a.b", &"a".repeat(65)] {
        assert!(
            make(name, "d")
                .unwrap_err()
                .to_string()
                .starts_with("invalid tool name"),
            "{name}"
        );
    }
    assert!(make("a", " ").is_err(), "a description is never empty");
    let tool = make("none", "takes nothing").unwrap();
    assert_eq!(
        ToolSpec::of(&tool, Dialect::Portable).parameters,
        r#"{"type":"object","properties":{}}"#
    );
    for arguments in ["", "{}", " null "] {
        assert_eq!(
            once(tool.clone(), arguments).await.to_model(),
            "{}",
            "{arguments:?}"
        );
    }
}
