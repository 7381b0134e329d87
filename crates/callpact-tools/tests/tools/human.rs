//! Row 1.7 of the question to a person.

use std::time::Duration;

use callpact::review::{OnTimeout, ReviewDecision, ReviewHandler, auto_approve_after};
use callpact::{Halt, ToolContext};
use callpact_tools::HumanInput;
use serde_json::json;

use crate::bench::{deciding, reply, said, said_in, set};

#[tokio::test]
async fn human_input_nobody_there() {
    let found = said(
        &set(HumanInput::new()),
        "human_input",
        json!({ "input": "Which?" }),
    )
    .await;
    assert_eq!(
        found,
        "No reviewer is available. Please proceed with your best judgment."
    );
}

#[tokio::test]
async fn human_input_continue() {
    let (cx, asked) = deciding(ReviewDecision::Continue);
    let question = "x".repeat(5_000);
    let found = said_in(
        &set(HumanInput::new()),
        "human_input",
        json!({ "input": question }),
        &cx,
    )
    .await;
    assert_eq!(found, "Understood. Please continue.");
    let request = asked.last();
    assert_eq!((asked.count(), request.description), (1, question));
    assert_eq!(request.timeout, Some(Duration::from_secs(300)));
    assert_eq!(
        (request.on_timeout, request.tool.as_str()),
        (OnTimeout::Continue, "human_input")
    );
}

#[tokio::test]
async fn human_input_edit_is_the_answer() {
    let (cx, _) = deciding(ReviewDecision::Edit("The blue one.".into()));
    let found = said_in(
        &set(HumanInput::new()),
        "human_input",
        json!({ "input": "Which?" }),
        &cx,
    )
    .await;
    assert_eq!(found, "The blue one.");
}

#[tokio::test]
async fn human_input_exit_early_ends_the_run() {
    for timed_out in [false, true] {
        let (cx, _) = deciding(ReviewDecision::ExitEarly { timed_out });
        let halt = reply(
            &set(HumanInput::new()),
            "human_input",
            json!({ "input": "?" }),
            &cx,
        )
        .await;
        let message = "Human reviewer requested early exit via HumanInputTool".to_owned();
        assert_eq!(halt.unwrap_err(), Halt::ExitEarly { message, timed_out });
    }
}

#[tokio::test]
async fn human_input_continues_after_timeout() {
    let cx = ToolContext::new().with_reviewer(auto_approve_after(Duration::from_secs(60)));
    let tool = HumanInput::new().timeout(Duration::from_millis(20));
    let found = said_in(
        &set(tool.clone()),
        "human_input",
        json!({ "input": "?" }),
        &cx,
    )
    .await;
    assert_eq!(found, "Understood. Please continue.");
    let failing = set(tool.on_timeout(OnTimeout::Fail));
    let halt = reply(&failing, "human_input", json!({ "input": "?" }), &cx)
        .await
        .unwrap_err();
    assert!(matches!(halt, Halt::ReviewFailed(_)), "{halt:?}");
}

#[tokio::test]
async fn a_blank_question_is_not_asked() {
    let (cx, asked) = deciding(ReviewDecision::Continue);
    let found = said_in(
        &set(HumanInput::new()),
        "human_input",
        json!({ "input": " " }),
        &cx,
    )
    .await;
    assert_eq!(
        (found.as_str(), asked.count()),
        ("Error: Question must not be blank", 0)
    );
}

#[tokio::test]
async fn only_a_reviewer_of_the_role_is_asked() {
    let tools = set(HumanInput::new().required_role("ops"));
    let (cx, asked) = deciding(ReviewDecision::Edit("yes".into()));
    let halt = reply(&tools, "human_input", json!({ "input": "?" }), &cx)
        .await
        .unwrap_err();
    assert!(matches!(halt, Halt::Misconfigured(_)), "{halt:?}");
    assert_eq!(asked.count(), 0);
    let reviewer = || auto_approve_after(Duration::ZERO);
    for (role, answer) in [("dev", None), ("ops", Some("Understood. Please continue."))] {
        let cx = ToolContext::new().with_reviewer(reviewer().with_role(role));
        let found = reply(&tools, "human_input", json!({ "input": "?" }), &cx).await;
        let found = found.ok().map(|reply| reply.to_model().into_owned());
        assert_eq!(found.as_deref(), answer, "{role}");
    }
}

#[tokio::test]
async fn a_question_has_a_length() {
    let (cx, asked) = deciding(ReviewDecision::Continue);
    let mut question = "x".repeat(50_000);
    let tools = set(HumanInput::new());
    let found = said_in(&tools, "human_input", json!({ "input": question }), &cx).await;
    assert!(
        found.starts_with("Error: Question is longer than "),
        "{found}"
    );
    assert_eq!(asked.count(), 0);
    question.truncate(1);
    said_in(&tools, "human_input", json!({ "input": question }), &cx).await;
    assert_eq!(asked.count(), 1);
}
