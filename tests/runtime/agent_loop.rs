//! The loop of an agent: unknown tools, several calls, limits.

use crate::kit::{Add, call, echo, once, reads, text};
use callpact::{
    CallGuard, Halt, Outcome, ToolCall, ToolContext, ToolError, ToolResult, Toolset,
    toolset::Verdict,
};

#[tokio::test]
async fn unknown_tool() {
    let tools = Toolset::builder()
        .tool(Add)
        .tool(echo("search"))
        .build()
        .unwrap();
    let reply = tools
        .call(&call("serach", "{}"), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(reply.outcome, Outcome::UnknownTool);
    assert_eq!(
        reply.to_model(),
        "Error: Unknown tool 'serach'. Did you mean 'search'? Available tools: add, search"
    );
    let none = Toolset::builder().build().unwrap();
    let reply = none
        .call(&call("x", "{}"), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(
        reply.to_model(),
        "Error: Unknown tool 'x'. There are no tools."
    );
}

#[tokio::test]
async fn several_calls_give_results_in_request_order() {
    let tools = Toolset::builder()
        .tool(Add)
        .tool(echo("e"))
        .build()
        .unwrap();
    let calls: Vec<_> = (0..20)
        .map(|i| match i % 3 {
            0 => ToolCall::new(format!("{i}"), "add", format!(r#"{{"a":{i},"b":0}}"#)),
            1 => ToolCall::new(format!("{i}"), "e", format!(r#"{{"input":"{i}"}}"#)),
            _ => ToolCall::new(format!("{i}"), "nobody", "{}"),
        })
        .collect();
    let replies = tools.call_all(&calls, &ToolContext::new()).await;
    for (i, reply) in replies.into_iter().enumerate() {
        let reply = reply.unwrap();
        assert_eq!(reply.call_id, i.to_string());
        if i % 3 < 2 {
            assert_eq!(reply.to_model(), i.to_string());
        }
    }
}

#[tokio::test]
async fn guard_stops_after_25_calls_with_exact_text() {
    let tools = Toolset::builder()
        .tool(reads("t", |_, _| ToolResult::success("x")))
        .build()
        .unwrap();
    let mut guard = CallGuard::new();
    for _ in 0..25 {
        assert_eq!(guard.admit(&call("t", "{}")), Verdict::Go);
        let reply = tools
            .call(&call("t", "{}"), &ToolContext::new())
            .await
            .unwrap();
        guard.record(&call("t", "{}"), &reply);
    }
    let stop = "STOP: Maximum tool iterations (25) reached. You must provide your best final answer now based on information gathered so far.";
    for _ in 0..3 {
        assert_eq!(guard.admit(&call("t", "{}")), Verdict::Stop(stop.into()));
    }
    assert_eq!(
        guard.admit(&call("t", "{}")),
        Verdict::GiveUp,
        "after 3 such"
    );
    assert_eq!(guard.calls(), 25);
}

async fn failing(
    guard: &mut CallGuard,
    name: &'static str,
    arguments: &str,
    retry: bool,
) -> Verdict {
    let verdict = guard.admit(&call(name, arguments));
    if verdict == Verdict::Go {
        let tool = text(name, move |_, _| {
            ToolResult::from(if retry {
                ToolError::retry("r")
            } else {
                ToolError::failed("f")
            })
        });
        guard.record(&call(name, arguments), &once(tool, arguments).await);
    }
    verdict
}

#[tokio::test]
async fn retry_budget_of_tool_counts_only_retries() {
    let mut guard = CallGuard::new().max_retries_of("r", 1);
    assert_eq!(failing(&mut guard, "r", "1", true).await, Verdict::Go);
    assert_eq!(
        failing(&mut guard, "r", "2", true).await,
        Verdict::Go,
        "one retry"
    );
    let Verdict::Stop(text) = failing(&mut guard, "r", "3", true).await else {
        panic!()
    };
    assert_eq!(
        text,
        "STOP: Tool 'r' has failed 2 times in a row. Do not call it again; go on without it."
    );
    for i in 0..10 {
        assert_eq!(
            failing(&mut guard, "f", &i.to_string(), false).await,
            Verdict::Go,
            "{i}"
        );
    }
}

#[tokio::test]
async fn rejected_arguments_count_against_retry_budget() {
    let mut guard = CallGuard::new().max_retries(0);
    let bad = call("add", "{}");
    guard.record(&bad, &once(Add, "{}").await);
    assert!(matches!(
        guard.admit(&call("add", r#"{"a":1}"#)),
        Verdict::Stop(_)
    ));
    assert_eq!(guard.admit(&call("other", "{}")), Verdict::Go);
}

#[tokio::test]
async fn detects_repeated_failing_call_between_different_calls() {
    let mut guard = CallGuard::new();
    for _ in 0..3 {
        assert_eq!(failing(&mut guard, "a", "1", false).await, Verdict::Go);
        assert_eq!(failing(&mut guard, "b", "1", false).await, Verdict::Go);
    }
    let Verdict::Stop(text) = guard.admit(&call("a", "1")) else {
        panic!()
    };
    assert_eq!(
        text,
        "STOP: This call has failed 3 times with the same arguments. Change the arguments, use another tool, or answer without it."
    );
    assert_eq!(guard.admit(&call("a", "2")), Verdict::Go, "other arguments");
    // Spaces between the parts do not make other arguments. Spaces in a text do.
    for _ in 0..3 {
        let object = r#"{"q": "a b"}"#;
        assert_eq!(failing(&mut guard, "a", object, false).await, Verdict::Go);
    }
    let spread = call("a", "{ \"q\" :\n\"a b\" }");
    assert!(matches!(guard.admit(&spread), Verdict::Stop(_)));
    assert_eq!(guard.admit(&call("a", r#"{"q": "ab"}"#)), Verdict::Go);
    assert_eq!(
        guard.admit(&call("a", r#"{"q": "a b""#)),
        Verdict::Go,
        "cut"
    );
    // A success may have changed what made it fail.
    guard.record(&call("e", "{}"), &once(echo("e"), "{}").await);
    assert_eq!(guard.admit(&call("a", "1")), Verdict::Go);
}

#[tokio::test]
async fn cancelling_answers_every_call() {
    let cancellation = callpact::Cancellation::new();
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
