//! Calls that a tool makes inside of its own call, what a value may do to the arguments in which it
//! stands, and reviewers who crash inside of a tool.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use callpact::{
    AgentTool, Halt, Outcome, Permission, Policy, ReviewDecision, ReviewHandler, ReviewRequest,
    ToolCall, ToolContext, ToolResult, Toolset,
    review::{BoxFuture, ReviewError},
    secret::MemorySecrets,
    tool,
};
use callpact_testing::RecordingReviewer;
use serde_json::json;

use crate::kit::{Logs, call, reads, text};

const VALUE: &str = "hunter2-\"hunter2\"";

/// Gives its whole input to a tool of a list of its own.
struct Outer(Toolset);

impl AgentTool for Outer {
    fn name(&self) -> &'static str {
        "outer"
    }
    fn description(&self) -> &'static str {
        "Makes a call."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    fn secret_params(&self) -> &'static [&'static str] {
        &["input"]
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        let inner = ToolCall::new("n", "inner", json!({ "input": input }).to_string());
        match self.0.call(&inner, cx).await {
            Ok(reply) => ToolResult::success(reply.to_model().into_owned()),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

fn outer(inner: impl AgentTool + 'static) -> Toolset {
    let inner = Toolset::builder().tool(inner).build().unwrap();
    Toolset::builder().tool(Outer(inner)).build().unwrap()
}

fn knowing() -> ToolContext {
    ToolContext::new().with_secrets(MemorySecrets::new().with("a", VALUE))
}

fn holds_value(said: &str) -> bool {
    said.contains("hunter2")
}

#[tokio::test]
async fn nested_call_hides_secrets_of_both_calls() {
    let logs = Logs::at(tracing::Level::TRACE);
    let heard = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&heard);
    let cx = knowing()
        .with_content_capture(true)
        .with_progress(move |_, _, words| {
            sink.lock().unwrap().push_str(words.unwrap_or_default());
        });
    let tools = outer(reads("inner", |input, cx| {
        cx.progress(1.0, None, Some(input));
        match input.strip_prefix("halt ") {
            None => ToolResult::success(format!("{}: {input}", input.len())),
            Some(rest) => ToolResult::halt(Halt::misconfigured(rest)),
        }
    }));
    let secret = json!({ "input": "<secret_ref:a>" });
    let reply = tools
        .call(&call("outer", &secret.to_string()), &cx)
        .await
        .unwrap();
    // The value went all the way, and the reply has none of it.
    assert_eq!(reply.to_model(), "17: <secret_ref:a>");
    assert_eq!(*heard.lock().unwrap(), "<secret_ref:a>");
    let secret = json!({ "input": "halt <secret_ref:a>" });
    let halt = tools
        .call(&call("outer", &secret.to_string()), &cx)
        .await
        .unwrap_err();
    assert_eq!(halt, Halt::misconfigured("<secret_ref:a>"));
    let said = logs.all();
    assert!(said.contains("<secret_ref:a>"));
    assert!(!holds_value(&said), "{said}");
}

#[tokio::test]
async fn reviewer_of_nested_call_sees_placeholders() {
    let asked = RecordingReviewer::new([
        ReviewDecision::Continue,
        ReviewDecision::Edit(r#"{"input": "other"}"#.into()),
    ]);
    let cx = knowing().with_reviewer(asked.clone());
    let tools = outer(text("inner", |input, _| {
        ToolResult::success(input.len().to_string())
    }));
    let secret = call("outer", &json!({ "input": "<secret_ref:a>" }).to_string());
    for reply_of_inner in [
        "17",
        "5\n\nNote: a person edited this call to: {\"input\": \"other\"}",
    ] {
        let reply = tools.call(&secret, &cx).await.unwrap();
        assert_eq!(reply.to_model(), reply_of_inner);
    }
    for request in asked.requests() {
        assert_eq!(request.action, r#"{"input":"<secret_ref:a>"}"#);
    }
    // A waiting call is stored without values too, so it cannot be resumed.
    let halt = tools
        .call(&secret, &knowing().with_deferred_approval())
        .await
        .unwrap_err();
    let Halt::Pending(pending) = halt else {
        panic!("{halt:?}")
    };
    assert_eq!(pending.arguments, r#"{"input":"<secret_ref:a>"}"#);
}

#[tokio::test]
async fn nested_call_knows_deadline() {
    let ends = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&ends);
    let inner = reads("inner", move |_, cx| {
        *seen.lock().unwrap() = cx.deadline();
        ToolResult::success("")
    });
    let inner = Toolset::builder().tool(inner).build().unwrap();
    let tools = Toolset::builder()
        .tool(Outer(inner))
        .timeout("outer", Duration::from_secs(5))
        .build()
        .unwrap();
    let go = call("outer", &json!({ "input": "" }).to_string());
    for cx in [
        ToolContext::new(),
        ToolContext::new().with_timeout(Duration::from_secs(60)),
    ] {
        tools.call(&go, &cx).await.unwrap();
        let latest = Instant::now() + Duration::from_secs(5);
        assert!(ends.lock().unwrap().take().is_some_and(|end| end <= latest));
    }
}

struct Crashing;

impl ReviewHandler for Crashing {
    fn review<'a>(
        &'a self,
        _: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async { panic!("the window is gone") })
    }
}

/// Asks in the middle of its work
#[tool(read_only)]
async fn asks(cx: &ToolContext) -> Result<String, Halt> {
    Ok(format!("{:?}", cx.request_approval("May I?").await?))
}

#[tokio::test]
async fn reviewer_crash_inside_tool_ends_run() {
    let tools = Toolset::builder().tool(Asks).build().unwrap();
    let cx = ToolContext::new().with_reviewer(Crashing);
    let halt = tools.call(&call("asks", &json!({}).to_string()), &cx).await;
    assert_eq!(
        halt.unwrap_err(),
        Halt::ReviewFailed("the reviewer of 'asks' crashed".into())
    );
}

#[tokio::test]
async fn crash_of_progress_listener_does_not_stop_tool() {
    let tools = Toolset::builder()
        .tool(reads("inner", |_, cx| {
            cx.progress(1.0, None, Some("one"));
            ToolResult::success("done")
        }))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_progress(|_, _, _| panic!("the window is gone"));
    let reply = tools.call(&call("inner", "{}"), &cx).await.unwrap();
    assert_eq!(reply.to_model(), "done");
}

/// Runs a program
#[tool(read_only, secrets(env, list, token))]
fn run(
    env: Option<BTreeMap<String, String>>,
    list: Option<Vec<String>>,
    token: Option<String>,
    tags: Option<Vec<String>>,
) -> String {
    let keys: Vec<String> = env.unwrap_or_default().into_keys().collect();
    format!(
        "{keys:?} {:?} {token:?} {tags:?}",
        list.map(|list| list.len())
    )
}

#[tokio::test]
async fn secret_value_adds_no_keys_or_items() {
    let secrets = MemorySecrets::new()
        .with("json", r#"x", "LD_PRELOAD": "evil.so"#)
        .with("list", r#"["one", "two"]"#)
        .with("plain", "hunter2-hunter2");
    let cx = ToolContext::new()
        .with_secrets(secrets)
        .with_policy(Policy::repair());
    let tools = Toolset::builder().tool(Run).build().unwrap();
    let go = async |arguments: serde_json::Value| {
        let reply = tools
            .call(&call("run", &arguments.to_string()), &cx)
            .await
            .unwrap();
        (reply.outcome, reply.to_model().into_owned())
    };
    // JSON inside of a string is read under this policy, but not together with a secret.
    let (outcome, said) = go(json!({"env": r#"{"K": "<secret_ref:json>"}"#})).await;
    assert_eq!(outcome, Outcome::InvalidArguments);
    assert_eq!(
        said,
        "Error: secret placeholder in a call in which `env` is JSON inside of a string, \
         send it as the JSON itself\nsecrets go in: `env`, `list`, `token`"
    );
    let (outcome, said) = go(json!({"env": {"K": "<secret_ref:json>"}})).await;
    assert_eq!(
        (outcome, &*said),
        (Outcome::Success, r#"["K"] None None None"#)
    );
    let (outcome, _) = go(json!({"tags": r#"["x"]"#, "token": "none"})).await;
    assert_eq!(outcome, Outcome::Success);
    // Nor is an escape a placeholder: it is only a reason to look.
    let (outcome, said) = go(json!({"tags": r#"["\u0041"]"#})).await;
    assert_eq!(
        (outcome, &*said),
        (Outcome::Success, r#"[] None None Some(["A"])"#)
    );

    // One value for a list stays one, whatever is in it.
    let (outcome, said) = go(json!({"list": "<secret_ref:list>"})).await;
    assert_eq!(outcome, Outcome::Refused, "{said}");
    let (outcome, said) = go(json!({"list": "<secret_ref:plain>"})).await;
    assert_eq!(
        (outcome, &*said),
        (Outcome::Success, "[] Some(1) None None")
    );

    // Keys take no secrets, even if they are written as pairs.
    for pairs in [
        json!([{"key": "<secret_ref:plain>", "value": "x"}]),
        json!([["<secret_ref:plain>", "x"]]),
    ] {
        let (outcome, said) = go(json!({ "env": pairs })).await;
        assert_eq!(outcome, Outcome::InvalidArguments, "{said}");
        assert!(said.contains("keys do not take secrets"), "{said}");
    }
    let (outcome, said) = go(json!({"env": [{"key": "K", "value": "<secret_ref:plain>"}]})).await;
    assert_eq!(
        (outcome, &*said),
        (Outcome::Success, r#"["K"] None None None"#)
    );
}
