//! Who is asked, what the answer is bound to, and its effect.

mod approved;
mod canonical;
mod deferred;
mod digest;
mod edit_shown;
mod edited;
mod ends;
mod facts;
mod gate;
mod inside;
mod preview;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use crate::kit::{call, text};
use callpact::review::{ReviewHandler, review_fn};
use callpact::{
    AgentTool, Halt, PendingCall, Permission, ReviewDecision, ReviewRequest, ToolContext,
    ToolInput, ToolResult, Toolset, TypedAgentTool,
};

type Seen = Arc<Mutex<Vec<ReviewRequest>>>;

fn says(decision: ReviewDecision) -> (impl ReviewHandler + 'static, Seen) {
    let seen = Seen::default();
    let own = Arc::clone(&seen);
    let handler = review_fn(move |request| {
        own.lock().unwrap().push(request);
        let decision = decision.clone();
        async move { Ok(decision) }
    });
    (handler, seen)
}

fn reaching(permission: Permission) -> Toolset {
    let mut tool = text("t", |input, _| ToolResult::success(input));
    tool.permission = permission;
    Toolset::builder().tool(tool).build().unwrap()
}

async fn digest_of(tools: &Toolset, name: &str, arguments: &str) -> String {
    let cx = ToolContext::new().with_deferred_approval();
    match tools.call(&call(name, arguments), &cx).await {
        Err(Halt::Pending(pending)) => pending.digest,
        other => panic!("{other:?}"),
    }
}

#[derive(ToolInput)]
#[allow(dead_code)]
struct OtherInput {
    /// The first number
    a: i64,
    b: i32,
}

struct Reach<I>(AtomicU8, std::marker::PhantomData<fn() -> I>);

impl<I> Reach<I> {
    fn new(permission: u8) -> Self {
        Self(AtomicU8::new(permission), std::marker::PhantomData)
    }
}

impl<I: ToolInput + Send + 'static> TypedAgentTool for Reach<I> {
    type Input = I;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "t"
    }
    fn description(&self) -> &str {
        "d"
    }
    fn permission(&self) -> Permission {
        match self.0.load(Ordering::SeqCst) {
            0 => Permission::ReadOnly,
            1 => Permission::Write,
            _ => Permission::Destructive,
        }
    }
    async fn execute(&self, _: I, _: &ToolContext) -> String {
        "ran".into()
    }
}

fn list(tool: impl AgentTool + 'static) -> Toolset {
    Toolset::builder().tool(tool).build().unwrap()
}

const ARGUMENTS: &str = r#"{"a":1,"b":2}"#;

async fn pending(tools: &Toolset, name: &str) -> PendingCall {
    let cx = ToolContext::new().with_deferred_approval();
    match tools.call(&call(name, ARGUMENTS), &cx).await {
        Err(Halt::Pending(pending)) => {
            // To another process and back.
            let json = serde_json::to_string(&*pending).unwrap();
            serde_json::from_str(&json).unwrap()
        }
        other => panic!("{other:?}"),
    }
}
