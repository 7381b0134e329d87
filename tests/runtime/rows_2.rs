//! Sections 2.1 to 2.8 of the reference, one test a row that applies to us. Section 2.3, foreign
//! schemas, has its tests beside the normaliser.

use crate::kit::{Add, AddInput, Counts, call, echo, once};
use toolwright::{
    AgentTool, Dialect, Halt, Outcome, Permission, Policy, ReviewDecision, ToolCall, ToolContext,
    ToolInput, ToolResult, ToolSpec, Toolset, TypedAgentTool, read_str,
    review::review_fn,
    secret::{MemorySecrets, SecretPaths},
};

#[tokio::test]
async fn row_2_1_precheck_blocks_before_permission_with_the_tools_reason() {
    let tools = Toolset::builder()
        .tool(Add)
        .require_approval("add")
        .build()
        .unwrap();
    // Nobody could be asked: a check after the gate would halt.
    let reply = tools
        .call(&call("add", r#"{"a":13,"b":1}"#), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Refused, "Error: 13 is not added here")
    );
}

#[test]
fn row_2_1_secret_params_have_no_default() {
    // See the `compile_fail` examples of `TypedAgentTool`. String tools take none unless they say so.
    assert_eq!(AgentTool::secret_params(&echo("e")), &[] as &[&str]);
    assert_eq!(AgentTool::secret_params(&Add), &[] as &[&str]);
}

#[tokio::test]
async fn row_2_1_not_found_invalid_input_failed_and_timed_out_are_told_apart() {
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

#[test]
fn row_2_2_the_schema_is_the_types_own_and_borrowed() {
    let borrowed: &'static toolwright::Schema = AgentTool::parameters(&Add).schema().unwrap();
    assert_eq!(
        borrowed.to_json(Dialect::Portable),
        AddInput::SCHEMA.to_json(Dialect::Portable)
    );
}

#[tokio::test]
async fn row_2_2_every_error_at_once_with_its_path() {
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
async fn row_2_2_a_precheck_never_sees_what_was_not_read() {
    // The reference lets a precheck pass what does not parse; here it is not even asked.
    assert_eq!(
        once(Add, r#"{"a":13}"#).await.outcome,
        Outcome::InvalidArguments
    );
}

#[derive(ToolInput, Debug, PartialEq)]
struct Optionals {
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
fn row_2_4_required_empty_strings_are_kept() {
    assert_eq!(lax(r#"{"required":""}"#).unwrap().required, "");
}

#[test]
fn row_2_4_an_empty_string_for_an_optional_non_string_is_absent() {
    assert_eq!(
        lax(r#"{"required":"x","number":"","flag":""}"#)
            .unwrap()
            .number,
        None
    );
}

#[test]
fn row_2_4_null_zero_and_false_are_kept_apart() {
    let read = lax(r#"{"required":"x","text":null,"number":0,"flag":false}"#).unwrap();
    assert_eq!(
        (read.text, read.number, read.flag),
        (None, Some(0), Some(false))
    );
}

#[test]
fn row_2_4_a_non_object_is_an_error() {
    assert!(lax("[]").is_err());
    assert!(lax("\"\"").is_err());
}

#[test]
fn row_2_5_no_meta_keywords_in_any_schema() {
    for dialect in Dialect::ALL {
        let schema = Optionals::SCHEMA.to_json(dialect);
        for keyword in ["$schema", "\"title\"", "$ref", "$defs", "definitions"] {
            assert!(!schema.contains(keyword), "{dialect}: {schema}");
        }
    }
}

#[test]
fn row_2_5_a_field_called_title_stays() {
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
fn row_2_5_permissions_of_typed_tools_are_told() {
    assert_eq!(
        ToolSpec::of(&Add, Dialect::Portable).permission,
        Permission::Write
    );
}

#[test]
fn row_2_6_eligibility_is_by_exact_path() {
    let paths = SecretPaths::new(["env"]).unwrap();
    assert!(
        paths
            .check_text(r#"{"env":{"A":"<secret_ref:a>"}}"#)
            .is_ok()
    );
    assert!(
        paths
            .check_text(r#"{"other":{"env":"<secret_ref:a>"}}"#)
            .is_err()
    );
    assert!(
        paths
            .check_text(r#"{"env":{"<secret_ref:a>":"x"}}"#)
            .is_err(),
        "keys are looked at"
    );
}

#[tokio::test]
async fn row_2_6_a_missing_secret_is_an_error_and_no_text_in_its_place() {
    let tools = Toolset::builder()
        .tool(crate::kit::text("secret_t", |_, _| panic!("must not run")))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_secrets(MemorySecrets::new());
    let reply = tools
        .call(&call("secret_t", r#"{"input":"<secret_ref:gone>"}"#), &cx)
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "Error: secret `gone` does not exist");
}

#[tokio::test]
async fn row_2_6_nothing_is_resolved_without_placeholders() {
    let tools = Toolset::builder().tool(echo("secret_t")).build().unwrap();
    let reply = tools
        .call(
            &call("secret_t", r#"{"input":"a < b > c"}"#),
            &ToolContext::new(),
        )
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "a < b > c");
}

#[tokio::test]
async fn row_2_7_what_was_approved_is_what_runs() {
    // The reviewer's text is the text that runs: nothing rewrites it in between.
    let seen = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let own = seen.clone();
    let cx = ToolContext::new().with_reviewer(review_fn(move |request| {
        own.lock().unwrap().push_str(&request.action);
        async { Ok(ReviewDecision::Continue) }
    }));
    let tools = Toolset::builder().tool(echo("e")).build().unwrap();
    let reply = tools
        .call(&call("e", r#"{"input":"x y"}"#), &cx)
        .await
        .unwrap();
    assert_eq!(
        (&**seen.lock().unwrap(), &*reply.to_model()),
        (r#"{"input":"x y"}"#, "x y")
    );
}

#[tokio::test]
async fn row_2_8_an_unknown_tool_is_never_asked_about() {
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_metrics(counts.clone())
        .with_reviewer(review_fn(|_| async { panic!("asked about nothing") }));
    let tools = Toolset::builder().tool(Add).build().unwrap();
    assert_eq!(
        tools.call(&call("x", "{}"), &cx).await.unwrap().outcome,
        Outcome::UnknownTool
    );
}

#[tokio::test]
async fn row_2_8_read_only_calls_are_prechecked_too() {
    struct Reads;
    impl TypedAgentTool for Reads {
        type Input = AddInput;
        type Output = String;
        const SECRET_PARAMS: &'static [&'static str] = &[];
        fn name(&self) -> &str {
            "reads"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn permission(&self) -> Permission {
            Permission::ReadOnly
        }
        fn precheck(&self, _: &AddInput) -> Result<(), String> {
            Err("Sandbox: not there".into())
        }
        async fn execute(&self, _: AddInput, _: &ToolContext) -> String {
            String::new()
        }
    }
    let tools = Toolset::builder().tool(Reads).build().unwrap();
    let calls = [ToolCall::new("1", "reads", r#"{"a":1,"b":2}"#)];
    let replies = tools.call_all(&calls, &ToolContext::new()).await;
    assert_eq!(
        replies[0].as_ref().unwrap().to_model(),
        "Error: Sandbox: not there"
    );
}

#[tokio::test]
async fn row_2_8_a_crash_is_not_told_as_an_interruption() {
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
async fn row_2_8_cancelling_answers_every_call() {
    let cancellation = toolwright::Cancellation::new();
    cancellation.cancel();
    let tools = Toolset::builder().tool(Add).build().unwrap();
    let cx = ToolContext::new().with_cancellation(cancellation);
    let calls: Vec<_> = (0..3)
        .map(|i| ToolCall::new(i.to_string(), "add", "{}"))
        .collect();
    let replies = tools.call_all(&calls, &cx).await;
    assert_eq!(replies.len(), 3);
    assert!(
        replies
            .iter()
            .all(|reply| matches!(reply, Err(Halt::Cancelled)))
    );
}
