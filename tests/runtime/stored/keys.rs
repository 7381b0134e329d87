//! The key of a call: the same for the same call, and for no other.

use std::sync::{Arc, Mutex};

use super::{Desk, lines, wait};
use crate::kit::{call, text};
use callpact::{
    Permission, PermissionMode, ReviewDecision, ToolCall, ToolContext, ToolInput, ToolPipeline,
    ToolResult, Toolset, TypedAgentTool, review::auto_approve,
};

type Keys = Arc<Mutex<Vec<Option<String>>>>;

#[derive(ToolInput)]
#[allow(dead_code)]
struct Order {
    item: String,
    #[tool_param(default = 1)]
    count: u32,
    #[tool_param(required = false)]
    note: Option<String>,
}

/// Notes the key of every call.
struct Buy(Keys);

impl TypedAgentTool for Buy {
    type Input = Order;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "buy"
    }
    fn description(&self) -> &str {
        "Buys things."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, _: Order, cx: &ToolContext) -> String {
        let key = cx.idempotency_key().map(str::to_owned);
        self.0.lock().unwrap().push(key);
        "bought".to_owned()
    }
}

/// The key of one call.
async fn key_of(call: &ToolCall, cx: &ToolContext) -> Option<String> {
    let keys = Keys::default();
    let tools = Toolset::single(Buy(Arc::clone(&keys))).unwrap();
    assert!(tools.call(call, cx).await.unwrap().is_success());
    let mut keys = keys.lock().unwrap();
    assert_eq!(keys.len(), 1);
    keys.remove(0)
}

#[tokio::test]
async fn the_same_call_has_the_same_key() {
    let cx = || ToolContext::new().with_run("run-7");
    let key = key_of(&call("buy", r#"{"item": "lamp"}"#), &cx()).await;
    assert_eq!(key.as_ref().map(String::len), Some(64));
    let reviewed = cx().with_reviewer(auto_approve());
    for (arguments, cx) in [
        // Another order, other blanks, a default written out, a number as text, an escape.
        (r#"{"count":1,"item":"lamp"}"#, cx()),
        (r#"{"item": "lamp", "count": "1"}"#, cx()),
        (r#"{"item": "l\u0061mp", "note": null}"#, cx()),
        (r#"{"item": "lamp"}"#, reviewed),
        (
            r#"{"item": "lamp"}"#,
            cx().with_permissions(PermissionMode::AllowAll),
        ),
    ] {
        assert_eq!(
            key_of(&call("buy", arguments), &cx).await,
            key,
            "{arguments}"
        );
    }
    let other = ToolContext::new().with_run("run-8");
    for (call, cx) in [
        (call("buy", r#"{"item": "lamp", "count": 2}"#), cx()),
        (call("buy", r#"{"item": "Lamp"}"#), cx()),
        (ToolCall::new("call-2", "buy", r#"{"item": "lamp"}"#), cx()),
        (call("buy", r#"{"item": "lamp"}"#), other),
    ] {
        assert_ne!(key_of(&call, &cx).await, key, "{call:?}");
    }
}

#[tokio::test]
async fn calls_of_same_turn_have_distinct_keys() {
    let keys = Keys::default();
    let tools = Toolset::single(Buy(Arc::clone(&keys))).unwrap();
    let cx = || ToolContext::new().with_run("run-7");
    // The provider gave one id to all.
    let lamp = call("buy", r#"{"item": "lamp"}"#);
    let turn = [lamp.clone(), lamp.clone(), lamp.clone()];
    let made = async || {
        let replies = tools.call_all(&turn, &cx()).await;
        assert!(replies.iter().all(Result::is_ok));
        std::mem::take(&mut *keys.lock().unwrap())
    };
    let first = made().await;
    assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
    assert_eq!(first[0], key_of(&lamp, &cx()).await);
    assert_eq!(made().await, first, "the same turn again");
    let next = cx().with_run("run-7, turn 2");
    assert!(!first.contains(&key_of(&lamp, &next).await));
}

#[tokio::test]
async fn pending_call_and_direct_call_share_key() {
    let (desk, keys) = (Desk::default(), Keys::default());
    let tools = Toolset::single(Buy(Arc::clone(&keys))).unwrap();
    let cx = desk.deferring().with_run("run-7");
    let arguments = r#"{"item": "lamp"}"#;
    let pending = wait(&tools, "buy", arguments, &cx).await;
    let edit = ReviewDecision::Edit(r#"{"item": "torch"}"#.to_owned());
    tools.decide(&pending.id, edit, &cx).await.unwrap();
    let cx = ToolContext::new().with_run("run-7");
    let direct = key_of(&call("buy", arguments), &cx).await;
    assert_eq!(*keys.lock().unwrap(), [direct]);
}

#[tokio::test]
async fn calls_without_run_never_share_key() {
    let lamp = call("buy", r#"{"item": "lamp"}"#);
    assert_eq!(key_of(&lamp, &ToolContext::new()).await, None);
    let cx = Desk::default().cx();
    let (one, other) = (key_of(&lamp, &cx).await, key_of(&lamp, &cx).await);
    assert!(one.is_some() && one != other);
    // Neither have calls without an id.
    let cx = ToolContext::new().with_run("run-7");
    let nameless = ToolCall::new("", "buy", r#"{"item": "lamp"}"#);
    assert_ne!(key_of(&nameless, &cx).await, key_of(&nameless, &cx).await);
}

/// Makes the same call within every call.
struct Outer(Toolset, Keys);
impl callpact::AgentTool for Outer {
    fn name(&self) -> &str {
        "outer"
    }
    fn description(&self) -> &str {
        "calls"
    }
    async fn execute(&self, _: &str, cx: &ToolContext) -> ToolResult {
        let key = cx.idempotency_key().map(str::to_owned);
        self.1.lock().unwrap().push(key);
        let call = call("buy", r#"{"item": "lamp"}"#);
        match self.0.call(&call, cx).await {
            Ok(reply) => reply.result,
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

#[tokio::test]
async fn nested_calls_have_distinct_keys() {
    let keys = Keys::default();
    let inner = Toolset::single(Buy(Arc::clone(&keys))).unwrap();
    let tools = Toolset::single(Outer(inner, Arc::clone(&keys))).unwrap();
    let cx = ToolContext::new().with_run("run-7");
    for id in ["1", "2", "1"] {
        tools
            .call(&ToolCall::new(id, "outer", "x"), &cx)
            .await
            .unwrap();
    }
    let keys = keys.lock().unwrap();
    assert_eq!(keys[..2], keys[4..], "the same call again");
    let mut four = keys[..4].to_vec();
    four.sort();
    four.dedup();
    assert_eq!(four.len(), 4, "{keys:?}");
}

#[tokio::test]
async fn pipeline_steps_have_distinct_keys() {
    let ledger = super::Ledger::default();
    let step = || {
        let ledger = Arc::clone(&ledger);
        text("step", move |input, cx| {
            let key = cx.idempotency_key().unwrap_or_default();
            ledger.lock().unwrap().push(key.to_owned());
            ToolResult::success(input)
        })
    };
    let pipeline = ToolPipeline::new("both", "two steps")
        .then(step())
        .then(step());
    let tools = Toolset::single(pipeline).unwrap();
    let cx = ToolContext::new().with_run("run-7");
    for _ in 0..2 {
        tools.call(&call("both", "x"), &cx).await.unwrap();
    }
    let keys = lines(&ledger);
    assert_eq!(keys[..2], keys[2..]);
    assert_ne!(keys[0], keys[1]);
}
