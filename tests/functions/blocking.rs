//! Functions that block their thread.

use std::{
    sync::{Arc, Barrier},
    time::Duration,
};

use callpact::{
    Cancellation, Outcome, State, ToolCall, ToolContext, ToolError, Toolset, tool, tools,
};

/// Waits until all six calls have come, which takes six threads
#[tool(read_only, blocking)]
fn meet(at: State<Barrier>, stop: Cancellation, cx: &ToolContext, name: String) -> String {
    at.wait();
    format!("{name} {:?} {}", cx.tool_name(), stop.is_cancelled())
}

/// Crashes
#[tool(read_only, blocking)]
fn crash() -> Result<String, ToolError> {
    panic!("this panic is part of the test")
}

struct House {
    door: Barrier,
}

#[tools]
impl House {
    /// Waits until all six calls have come
    #[tool(read_only, blocking)]
    fn enter(&self, name: String) -> String {
        self.door.wait();
        name
    }
}

fn calls(tool: &str) -> Vec<ToolCall> {
    (0..6)
        .map(|n| ToolCall::new(n.to_string(), tool, format!(r#"{{"name":"n{n}"}}"#)))
        .collect()
}

/// On one thread: a call that blocked it would wait for ever.
#[tokio::test(flavor = "current_thread")]
async fn six_calls_block_at_the_same_time() {
    let house = House {
        door: Barrier::new(6),
    };
    let tools = Toolset::builder().tool(Meet).tools(house).build().unwrap();
    let cx = ToolContext::new().with(Barrier::new(6));
    for tool in ["meet", "enter"] {
        let replies =
            tokio::time::timeout(Duration::from_secs(60), tools.call_all(&calls(tool), &cx))
                .await
                .expect("no call waits for another");
        for (n, reply) in replies.into_iter().enumerate() {
            let text = reply.unwrap().to_model().into_owned();
            assert!(text.starts_with(&format!("n{n}")), "{text}");
        }
    }
}

#[tokio::test]
async fn a_crash_off_the_executor_is_a_crash() {
    let tools = Toolset::single(Crash).unwrap();
    let reply = tools
        .call(&ToolCall::new("1", "crash", "{}"), &ToolContext::new())
        .await;
    assert_eq!(reply.unwrap().outcome, Outcome::Crash);
}

/// Without tokio's runtime, the function runs on the calling thread.
#[test]
fn without_a_runtime() {
    let tools = Toolset::builder().tool(Meet).build().unwrap();
    let cx = ToolContext::new().with(Arc::new(Barrier::new(1)));
    let call = ToolCall::new("1", "meet", r#"{"name":"a"}"#);
    let mut work = std::pin::pin!(tools.call(&call, &cx));
    let mut waker = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(reply) = work.as_mut().poll(&mut waker) else {
        panic!("the call waits for something");
    };
    assert_eq!(reply.unwrap().to_model(), "a \"meet\" false");
}
