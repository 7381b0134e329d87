//! Faults 1.11 of asking, as far as a tool can have them.

use callpact::review::{OnTimeout, ReviewDecision, ReviewError, ReviewRequest, review_fn};
use callpact::{AgentTool, Halt, ToolContext, ToolPipeline};
use callpact_tools::{FileWrite, HumanInput, Shell};
use serde_json::json;

use crate::bench::{Place, deciding, reply, said_in, set, told};

#[tokio::test]
async fn read_the_dangerous_tail_is_shown() {
    let place = Place::new();
    let command = format!("echo {}; rm -rf /", "x".repeat(3_000));
    let (cx, asked) = deciding(ReviewDecision::REJECT);
    let tools = set(Shell::new(place.base()).unwrap());
    said_in(&tools, "shell", json!({ "command": command }), &cx).await;
    assert_eq!(asked.last().action, command);
}

#[tokio::test]
async fn read_an_edit_is_not_ignored() {
    let place = Place::new();
    let (cx, _) = deciding(ReviewDecision::Edit("echo edited".into()));
    let tools = set(Shell::new(place.base()).unwrap());
    let found = said_in(&tools, "shell", json!({ "command": "echo original" }), &cx).await;
    assert_eq!(found, told("edited\n", "echo edited"));
}

#[tokio::test]
async fn read_without_a_reviewer_nothing_is_approved() {
    let place = Place::new();
    let tool = Shell::new(place.base()).unwrap();
    // Not through a list or inside a pipeline either.
    let arguments = json!({ "command": "touch x" }).to_string();
    let alone = AgentTool::execute(&tool, &arguments, &ToolContext::new()).await;
    assert!(
        matches!(alone.halted(), Some(Halt::Misconfigured(_))),
        "{alone:?}"
    );
    let pipeline = ToolPipeline::of(tool.clone()).then(HumanInput::new());
    let within = AgentTool::execute(&pipeline, &arguments, &ToolContext::new()).await;
    assert!(
        matches!(within.halted(), Some(Halt::Misconfigured(_))),
        "{within:?}"
    );
    assert!(!place.base().join("x").exists());
}

#[tokio::test]
async fn agents_share_tool_but_not_reviewer() {
    let place = Place::new();
    let tools = set(FileWrite::new(place.base()).unwrap().require_approval(true));
    let (yes, asked_yes) = deciding(ReviewDecision::Continue);
    let (no, asked_no) = deciding(ReviewDecision::REJECT);
    let write = |path: &str| json!({ "path": path, "content": "x" });
    let (one, other) = tokio::join!(
        said_in(&tools, "file_write", write("one"), &yes),
        said_in(&tools, "file_write", write("other"), &no),
    );
    assert_eq!(one, "Successfully wrote to: one");
    assert_eq!(other, "Error: File write rejected by reviewer: other");
    assert_eq!((asked_yes.count(), asked_no.count()), (1, 1));
}

#[tokio::test]
async fn failed_review_halts_instead_of_failing_tool() {
    let place = Place::new();
    let tools = set(FileWrite::new(place.base()).unwrap().require_approval(true));
    let broken = review_fn(|_: ReviewRequest| async {
        Err(ReviewError::Failed {
            message: "the line is dead".into(),
            source: None,
        })
    });
    let cx = ToolContext::new().with_reviewer(broken);
    let arguments = json!({ "path": "a", "content": "x" });
    let halt = reply(&tools, "file_write", arguments, &cx)
        .await
        .unwrap_err();
    assert!(matches!(halt, Halt::ReviewFailed(_)), "{halt:?}");
    assert!(!place.base().join("a").exists());
    // Nor is a time-out, if it must be an error.
    let asleep = review_fn(|_: ReviewRequest| std::future::pending());
    let cx = ToolContext::new().with_reviewer(asleep);
    let tool = HumanInput::new().timeout(std::time::Duration::from_millis(10));
    let tools = set(tool.on_timeout(OnTimeout::Fail));
    let halt = reply(&tools, "human_input", json!({ "input": "?" }), &cx)
        .await
        .unwrap_err();
    assert!(matches!(halt, Halt::ReviewFailed(_)), "{halt:?}");
}
