//! One tool, two agents.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use callpact::{
    AgentTool, ReviewDecision, ToolCall, ToolContext, ToolResult, Toolset, review::review_fn,
};

struct Who(&'static str);

struct Shared(AtomicUsize);

impl AgentTool for Shared {
    fn name(&self) -> &str {
        "shared"
    }
    fn description(&self) -> &str {
        "d"
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        self.0.fetch_add(1, Ordering::SeqCst);
        tokio::task::yield_now().await;
        // A second question from the inside: it must reach the same reviewer.
        let inside = match cx.request_approval(format!("inside {input}")).await {
            Ok(ReviewDecision::Edit(by)) => by,
            other => format!("{other:?}"),
        };
        let who = cx.get::<Who>().map_or("nobody", |who| who.0);
        ToolResult::success(format!(
            "{input}|{}|{who}|{inside}|{}",
            cx.role(),
            cx.call_id()
        ))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_agents_share_one_tool_with_different_reviewers() {
    let tool = Arc::new(Shared(AtomicUsize::new(0)));
    let agent = |name: &'static str| {
        let tools = Toolset::builder()
            .shared(Arc::clone(&tool))
            .build()
            .unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let cx = ToolContext::new()
            .with_role(name)
            .with(Who(name))
            .with_reviewer(review_fn(move |request| {
                counter.fetch_add(1, Ordering::SeqCst);
                async move {
                    tokio::time::sleep(Duration::from_micros(50)).await;
                    Ok(match request.action.as_str() {
                        "" => ReviewDecision::Edit(name.to_owned()),
                        action => ReviewDecision::Edit(action.replace("asked", name)),
                    })
                }
            }));
        (tools, cx, asked)
    };
    let agents = [("first", agent("first")), ("second", agent("second"))];
    let mut tasks = tokio::task::JoinSet::new();
    for i in 0..1_000 {
        let (name, (tools, cx, _)) = &agents[i % 2];
        let (name, tools, cx) = (*name, tools.clone(), cx.clone());
        tasks.spawn(async move {
            let call = ToolCall::new(
                format!("id-{i}"),
                "shared",
                format!(r#"{{"input":"asked {i}"}}"#),
            );
            let reply = tools.call(&call, &cx).await.unwrap();
            assert_eq!(
                reply.result.output(),
                format!("{name} {i}|{name}|{name}|{name}|id-{i}")
            );
            assert_eq!(reply.call_id, format!("id-{i}"));
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    assert_eq!(tool.0.load(Ordering::SeqCst), 1_000);
    for (_, (_, _, asked)) in &agents {
        assert_eq!(
            asked.load(Ordering::SeqCst),
            1_000,
            "500 at the gate, 500 inside"
        );
    }
}
