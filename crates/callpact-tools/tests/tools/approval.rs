//! Approval of `file_write` through a list: every decision, nobody there, several at once.

use callpact::review::{ReviewDecision, ReviewRequest, review_fn};
use callpact::{Halt, Outcome, PermissionMode, ToolCall, ToolContext, Toolset};
use callpact_tools::FileWrite;
use serde_json::json;

use crate::bench::{Asked, Place, deciding, reply, said_in, set, told};

fn careful(place: &Place) -> Toolset {
    set(FileWrite::new(place.base()).unwrap().require_approval(true))
}

fn write(content: &str) -> serde_json::Value {
    json!({ "path": "a.txt", "content": content })
}

#[tokio::test]
async fn file_write_approval_continue() {
    let place = Place::new();
    let content = format!("{}\u{1b}THE DANGEROUS TAIL", "x".repeat(1_000));
    let (cx, asked) = deciding(ReviewDecision::Continue);
    let found = said_in(&careful(&place), "file_write", write(&content), &cx).await;
    assert_eq!(found, "Successfully wrote to: a.txt");
    assert_eq!(place.text("a.txt"), content);
    let request = asked.last();
    assert_eq!(asked.count(), 1, "one question for one write");
    let preview = "x".repeat(200);
    assert_eq!(
        request.description,
        format!("Write to file: a.txt\nContent preview: {preview}...")
    );
    assert_eq!(request.action, content, "the whole of it");
    assert_eq!(
        (request.tool.as_str(), request.call_id.as_str()),
        ("file_write", "call-1")
    );
}

#[tokio::test]
async fn file_write_approval_edit_replaces_the_content() {
    for edited in ["what the reviewer wants", "", r#"{"path": "other.txt"}"#] {
        let place = Place::new();
        let (cx, _) = deciding(ReviewDecision::Edit(edited.into()));
        let found = said_in(&careful(&place), "file_write", write("original"), &cx).await;
        assert_eq!(found, told("Successfully wrote to: a.txt", edited));
        assert_eq!(place.text("a.txt"), edited);
    }
}

#[tokio::test]
async fn file_write_approval_exit_early() {
    for timed_out in [false, true] {
        let place = Place::new();
        let (cx, _) = deciding(ReviewDecision::ExitEarly { timed_out });
        let found = reply(&careful(&place), "file_write", write("x"), &cx)
            .await
            .unwrap();
        assert_eq!(
            found.to_model(),
            "Error: File write rejected by reviewer: a.txt"
        );
        assert_eq!(found.outcome, Outcome::Failure);
        assert!(!place.base().join("a.txt").exists());
    }
}

#[tokio::test]
async fn file_write_approval_without_a_reviewer_halts() {
    let place = Place::new();
    let tools = careful(&place);
    for cx in [
        ToolContext::new(),
        ToolContext::new().with_permissions(PermissionMode::AllowAll),
        ToolContext::new().with_permissions(PermissionMode::Ask),
    ] {
        let halt = reply(&tools, "file_write", write("x"), &cx)
            .await
            .unwrap_err();
        let Halt::Misconfigured(text) = halt else {
            panic!("{halt:?}")
        };
        let start = "Tool 'file_write' requires approval but no ReviewHandler is configured";
        assert!(text.starts_with(start), "{text}");
    }
    assert!(!place.base().join("a.txt").exists());
}

#[tokio::test]
async fn list_asks_about_whole_call_without_tool_approval() {
    let place = Place::new();
    let tools = set(FileWrite::new(place.base()).unwrap());
    let edited = json!({ "path": "b.txt", "content": "edited" }).to_string();
    let (cx, asked) = deciding(ReviewDecision::Edit(edited.clone()));
    let found = said_in(&tools, "file_write", write("x"), &cx).await;
    assert_eq!(
        (found, asked.count()),
        (told("Successfully wrote to: b.txt", &edited), 1)
    );
    assert_eq!(place.text("b.txt"), "edited");
}

#[tokio::test]
async fn nobody_is_asked_about_what_cannot_be() {
    let place = Place::new();
    let (cx, asked) = deciding(ReviewDecision::Continue);
    let arguments = json!({ "path": "../x", "content": "x" });
    let found = said_in(&careful(&place), "file_write", arguments, &cx).await;
    assert_eq!(
        found,
        "Error: Access denied: path is outside the sandbox directory"
    );
    assert_eq!(asked.count(), 0);
}

#[tokio::test]
async fn a_deferred_decision_reaches_the_tool() {
    let place = Place::new();
    let tools = careful(&place);
    let cx = ToolContext::new().with_deferred_approval();
    let halt = reply(&tools, "file_write", write("x"), &cx)
        .await
        .unwrap_err();
    let Halt::Pending(pending) = halt else {
        panic!("{halt:?}")
    };
    // The person saw the arguments, so the edit is of those.
    let decision = ReviewDecision::Edit(write("later").to_string());
    let found = tools.decide(&pending, decision, &cx).await.unwrap();
    assert_eq!(found.result.output(), "Successfully wrote to: a.txt");
    assert_eq!(place.text("a.txt"), "later");
}

/// Every call gets the decision on its own content, whatever the others get.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once() {
    let place = Place::new();
    let tools = careful(&place);
    let asked = Asked::default();
    let log = asked.clone();
    let cx = ToolContext::new().with_reviewer(review_fn(move |request: ReviewRequest| {
        log.push(request.clone());
        async move {
            tokio::task::yield_now().await;
            let number: usize = request.action.parse().unwrap();
            Ok(match number % 3 {
                0 => ReviewDecision::Continue,
                1 => ReviewDecision::Edit(format!("edited {number}")),
                _ => ReviewDecision::REJECT,
            })
        }
    }));
    let work = (0..30).map(|n| {
        let (tools, cx) = (tools.clone(), cx.clone());
        tokio::spawn(async move {
            let arguments = json!({ "path": format!("{n}.txt"), "content": n.to_string() });
            let call = ToolCall::new(format!("c{n}"), "file_write", arguments.to_string());
            tools.call(&call, &cx).await.unwrap()
        })
    });
    for (n, task) in work.collect::<Vec<_>>().into_iter().enumerate() {
        let reply = task.await.unwrap();
        let path = place.base().join(format!("{n}.txt"));
        match n % 3 {
            0 => assert_eq!(std::fs::read_to_string(path).unwrap(), n.to_string()),
            1 => assert_eq!(
                std::fs::read_to_string(path).unwrap(),
                format!("edited {n}")
            ),
            _ => assert!(!reply.is_success() && !path.exists()),
        }
    }
    assert_eq!(asked.count(), 30);
}
