//! The arguments that a tool accepts.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use crate::kit::{Add, echo, once};
use callpact::{
    AgentTool, Dialect, DynamicTool, Json, Outcome, Permission, Policy, ReviewDecision,
    ReviewRequest, ToolCall, ToolContext, ToolInput, ToolResult, ToolSpec, Toolset, TypedAgentTool,
    read_str, review::review_fn,
};

#[tokio::test]
async fn custom_schema_tools_get_the_full_argument_json() {
    struct Own;
    impl AgentTool for Own {
        fn name(&self) -> &str {
            "own"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn parameters(&self) -> callpact::Parameters<'_> {
            callpact::Parameters::Typed(crate::kit::AddInput::SCHEMA)
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
fn schema_of_every_type() {
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
fn missing_parameters_are_all_listed() {
    let text = fault("{}");
    assert!(
        text.contains("- text: missing") && text.contains("- count: missing"),
        "{text}"
    );
}

#[test]
fn what_the_reference_accepts_and_we_refuse() {
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
fn lax_never_loses_anything() {
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
fn absent_optionals_are_none() {
    let read = read_str::<All>(r#"{"text":"a","count":1}"#, &Policy::exact()).unwrap();
    assert_eq!(
        (read.value.flag, read.value.byte, read.value.list),
        (None, None, None)
    );
}

#[test]
fn nesting_is_bounded() {
    for deep in [5_000, 1_000_000] {
        let (open, close) = ("[".repeat(deep), "]".repeat(deep));
        assert!(fault(&format!(r#"{{"text":"a","count":1,"list":{open}{close}}}"#)).len() < 500);
        // Ignored values are skipped without recursion.
        let _ = read_str::<All>(
            &format!(r#"{{"text":"a","count":1,"x":{open}{close}}}"#),
            &Policy::exact(),
        );
    }
}

#[tokio::test]
async fn a_dynamic_tool_has_the_same_standing() {
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

#[tokio::test]
async fn legacy_absent_or_null_key_passes_the_whole() {
    for arguments in [r#"{"other": 1}"#, r#"{"input": null}"#, "{}", "no json"] {
        assert_eq!(once(echo("e"), arguments).await.to_model(), arguments);
    }
}

#[tokio::test]
async fn legacy_non_string_input_is_json() {
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
async fn legacy_input_given_twice_is_not_guessed() {
    let arguments = r#"{"input":"a","input":"b"}"#;
    assert_eq!(once(echo("e"), arguments).await.to_model(), arguments);
}

#[tokio::test]
async fn malformed_arguments_of_a_typed_tool_never_run() {
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
async fn every_error_at_once_with_its_path() {
    let reply = once(Add, r#"{"a":"x","b":1.5}"#).await;
    let report = reply.result.report().unwrap();
    let paths: Vec<_> = report
        .issues
        .iter()
        .map(|issue| issue.path.to_string())
        .collect();
    assert_eq!(paths, ["a", "b"]);
}

#[tokio::test]
async fn a_precheck_never_sees_what_was_not_read() {
    // In the reference, a precheck passes arguments that do not parse. Here it is not called.
    assert_eq!(
        once(Add, r#"{"a":13}"#).await.outcome,
        Outcome::InvalidArguments
    );
}

#[derive(ToolInput, Debug, PartialEq)]
pub(crate) struct Optionals {
    required: String,
    text: Option<String>,
    number: Option<u32>,
    flag: Option<bool>,
}

fn lax(arguments: &str) -> Result<Optionals, String> {
    read_str(arguments, &Policy::lax())
        .map(|read| read.value)
        .map_err(|report| report.to_string())
}

#[test]
fn required_empty_strings_are_kept() {
    assert_eq!(lax(r#"{"required":""}"#).unwrap().required, "");
}

#[test]
fn empty_string_for_optional_non_string_is_absent() {
    let read = lax(r#"{"required":"x","number":"","flag":""}"#).unwrap();
    assert_eq!((read.number, read.flag), (None, None));
}

#[test]
fn null_zero_and_false_are_kept_apart() {
    let read = lax(r#"{"required":"x","text":null,"number":0,"flag":false}"#).unwrap();
    assert_eq!(
        (read.text, read.number, read.flag),
        (None, Some(0), Some(false))
    );
}

#[test]
fn a_non_object_is_an_error() {
    assert!(lax("[]").is_err());
    assert!(lax("\"\"").is_err());
}

#[tokio::test]
async fn tool_input_is_empty_or_malformed() {
    for arguments in [
        "",
        "  ",
        "not json",
        "{\"query\": ",
        "{\"inputs\": ",
        "[1]",
        "{\"input\":\"x\"} y",
    ] {
        assert_eq!(once(echo("e"), arguments).await.to_model(), arguments);
    }
}

#[tokio::test]
async fn rejects_truncated_input() {
    for arguments in [
        "{\"input\"",
        "{\"input\": ",
        " { \"input\" : \"delete from users where id =",
        "{\n\"input\":\"x\"",
        // Every opening form that the reader understands.
        "```json\n{\"input\": \"delete from users where id = ",
        "```\n{input: 'delete from users where id = ",
        "{'input': 'delete from users",
        "{“input”: “delete from users",
        "{input: \"delete",
        "{\"inp",
        "<tool_call>{\"input\": \"delete",
        "<tool_call>\n{\"name\": \"echo\", \"arguments\": {\"input\": \"delete",
        "Here you are:\n{\"input\": \"delete",
        "callback({\"input\": \"delete",
        "\"{\\\"input\\\": \\\"delete from",
        "{\\\"input\\\": \\\"delete from",
        "{\"arguments\": {\"input\": \"delete",
        "\u{feff}{\"input\": \"delete",
        "{\"input\": \"say \"hi\" and delete",
        "<function=echo>\n<parameter=input>\ndelete from users",
        "<invoke name=\"echo\"><parameter name=\"input\">delete",
    ] {
        let reply = once(echo("e"), arguments).await;
        assert_eq!(reply.outcome, Outcome::InvalidArguments, "{arguments}");
        assert!(
            reply.to_model().contains("expected complete JSON"),
            "{arguments}"
        );
    }
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

/// OpenAI's strict mode requires every key and has no maps: the model writes null and pairs.
#[tokio::test]
async fn strict_dialect_form_runs_under_every_policy_unfixed() {
    #[derive(ToolInput)]
    struct Search {
        query: String,
        limit: Option<u8>,
        #[tool_param(default = "en")]
        lang: String,
        labels: BTreeMap<String, u8>,
    }
    struct Find;
    impl TypedAgentTool for Find {
        type Input = Search;
        type Output = String;
        const SECRET_PARAMS: &'static [&'static str] = &[];
        fn name(&self) -> &str {
            "find"
        }
        fn description(&self) -> &str {
            "Finds."
        }
        fn permission(&self) -> Permission {
            Permission::Write
        }
        async fn execute(&self, input: Search, _: &ToolContext) -> String {
            let Search {
                query,
                limit,
                lang,
                labels,
            } = input;
            format!("{query} {limit:?} {lang} {labels:?}")
        }
    }
    let sent = r#"{"query":"a","limit":null,"lang":null,"labels":[{"key":"k","value":1}]}"#;
    let tools = Toolset::builder().tool(Find).build().unwrap();
    for policy in [
        Policy::exact(),
        Policy::lax(),
        Policy::repair(),
        Policy::lax().only(&[]),
    ] {
        let shown = Arc::new(Mutex::new(None));
        let log = Arc::clone(&shown);
        let reviewer = review_fn(move |request: ReviewRequest| {
            *log.lock().unwrap() = Some((request.action.clone(), request.changes.clone()));
            async { Ok(ReviewDecision::Continue) }
        });
        let cx = ToolContext::new()
            .with_policy(policy)
            .with_reviewer(reviewer);
        let call = ToolCall::new("c", "find", sent);
        let reply = tools.call(&call, &cx).await.unwrap();
        assert_eq!(reply.to_model(), r#"a None en {"k": 1}"#);
        assert_eq!(reply.fixes, []);
        let shown = shown.lock().unwrap().take();
        let (arguments, changes) = shown.expect("the reviewer was asked");
        assert_eq!(
            (&*arguments, &*changes),
            (
                r#"{"query":"a","labels":{"k":1},"lang":"en"}"#,
                &[
                    "limit: null read as absent".to_owned(),
                    "lang: null read as absent".to_owned(),
                    "labels: an array read as an object".to_owned(),
                    "lang: \"en\" by default".to_owned(),
                ][..]
            )
        );
    }
}
