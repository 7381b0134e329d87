//! What a reviewer is shown of a call besides its text.

use std::sync::{Arc, Mutex};

use callpact::{
    Permission, PermissionMode, ReviewDecision, ReviewRequest, ToolCall, ToolContext, ToolInput,
    Toolset, TypedAgentTool,
    review::{CommandPreview, MarkKind, Preview, PreviewShape, review_fn},
    tool::ToolHints,
};

/// Where to log in
#[derive(ToolInput, Clone, Debug, PartialEq)]
struct Login {
    /// The host
    host: String,
    #[tool_param(secret)]
    password: String,
    #[tool_param(default = 22)]
    port: u16,
}

#[derive(Clone, Default)]
struct LogsIn(Arc<Mutex<Vec<Login>>>);

impl TypedAgentTool for LogsIn {
    type Input = Login;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "log_in"
    }
    fn description(&self) -> &'static str {
        "Logs in at a host."
    }
    fn permission(&self) -> Permission {
        Permission::Destructive
    }
    fn hints(&self) -> ToolHints {
        ToolHints::new().with_title("Log in")
    }
    fn preview(&self, input: &Login) -> Option<Preview> {
        let command = format!("ssh {} # {}", input.host, input.password);
        Some(Preview::command(
            CommandPreview::new(command).with("port", input.port.to_string()),
        ))
    }
    async fn execute(&self, input: Login, _: &ToolContext) -> String {
        self.0.lock().unwrap().push(input);
        "in".to_owned()
    }
}

/// Answers the questions of a call, and returns what was asked and what ran.
async fn answered(
    arguments: &str,
    answers: impl IntoIterator<Item = ReviewDecision>,
) -> (Vec<ReviewRequest>, Vec<Login>) {
    let answers = Arc::new(Mutex::new(answers.into_iter().collect::<Vec<_>>()));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&asked);
    let reviewer = review_fn(move |request: ReviewRequest| {
        kept.lock().unwrap().push(request);
        let answer = answers.lock().unwrap().remove(0);
        async move { Ok(answer) }
    });
    let tool = LogsIn::default();
    let tools = Toolset::single(tool.clone()).unwrap();
    let cx = ToolContext::new()
        .with_role("writer")
        .with_run("Release 2.4.0")
        .with_turn(4)
        .with_permissions(PermissionMode::Ask)
        .with_reviewer(reviewer);
    let call = ToolCall::new("1", "log_in", arguments);
    tools.call(&call, &cx).await.unwrap();
    let (asked, ran) = (
        asked.lock().unwrap().clone(),
        tool.0.lock().unwrap().clone(),
    );
    (asked, ran)
}

const CALL: &str = r#"{"host": "example.com", "password": "pass-phrase", "port": "23"}"#;

#[tokio::test]
async fn reviewer_sees_readable_tool_and_run_facts() {
    let (asked, ran) = answered(CALL, [ReviewDecision::Continue]).await;
    let facts = &asked[0].facts;
    assert_eq!(facts.title.as_deref(), Some("Log in"));
    assert_eq!(facts.about, "Logs in at a host.");
    assert_eq!(facts.agent.as_deref(), Some("writer"));
    assert_eq!(facts.run.as_deref(), Some("Release 2.4.0"));
    assert_eq!(facts.turn, Some(4));
    assert_eq!(facts.summary, "ssh example.com # (secret)");
    let mark = |kind: MarkKind| {
        let marks = facts.marks.iter().filter(move |mark| mark.kind == kind);
        marks
            .map(|mark| (&*mark.place, &*mark.reason))
            .collect::<Vec<_>>()
    };
    assert_eq!(mark(MarkKind::Fixed), [("/port", "\"23\" read as 23")]);
    assert_eq!(mark(MarkKind::Secret), [("/password", "")]);
    assert_eq!(mark(MarkKind::Default), []);
    assert_eq!(ran[0].port, 23);
    let (asked, _) = answered(
        r#"{"host": "a", "password": "pass-phrase"}"#,
        [ReviewDecision::Continue],
    )
    .await;
    let marks = &asked[0].facts.marks;
    let default = marks.iter().find(|mark| mark.kind == MarkKind::Default);
    assert_eq!(default.unwrap().place, "/port");
}

#[tokio::test]
async fn secret_is_masked_for_every_reviewer() {
    let (asked, ran) = answered(CALL, [ReviewDecision::Continue]).await;
    let text = serde_json::to_string(&asked[0]).unwrap();
    assert!(!text.contains("pass-phrase"), "{text}");
    assert_eq!(
        asked[0].action,
        r#"{"host":"example.com","password":"(secret)","port":23}"#
    );
    let Some(PreviewShape::Command(command)) = asked[0].preview.as_ref().unwrap().shape() else {
        panic!("{asked:?}");
    };
    assert_eq!(command.command, "ssh example.com # (secret)");
    assert_eq!(ran[0].password, "pass-phrase");
}

#[tokio::test]
async fn edit_keeps_or_replaces_masked_secret() {
    let edit = |text: &str| ReviewDecision::Edit(text.to_owned());
    let kept = r#"{"host": "other", "password": "(secret)", "port": 22}"#;
    let (asked, ran) = answered(CALL, [edit(kept), ReviewDecision::Continue]).await;
    assert_eq!(ran[0].password, "pass-phrase");
    assert_eq!(ran[0].host, "other");
    let marks = &asked[1].facts.marks;
    let edited = marks.iter().filter(|mark| mark.kind == MarkKind::Edited);
    let edited: Vec<_> = edited.map(|mark| &*mark.place).collect();
    assert_eq!(edited, ["/host", "/port"]);
    // A mask elsewhere is a text, and a new secret is masked too.
    let new = r#"{"host": "(secret)", "password": "another-secret", "port": 22}"#;
    let (asked, ran) = answered(CALL, [edit(new), ReviewDecision::Continue]).await;
    assert_eq!(
        (&*ran[0].host, &*ran[0].password),
        ("(secret)", "another-secret")
    );
    let text = serde_json::to_string(&asked).unwrap();
    assert!(!text.contains("another-secret"), "{text}");
}

#[tokio::test]
async fn stored_call_keeps_secret_and_shows_mask() {
    let tool = LogsIn::default();
    let tools = Toolset::single(tool.clone()).unwrap();
    let cx = ToolContext::new().with_deferred_approval();
    let call = ToolCall::new("1", "log_in", CALL);
    let Err(callpact::Halt::Pending(pending)) = tools.call(&call, &cx).await else {
        panic!("it waits");
    };
    assert!(pending.shown().contains("(secret)") && !pending.shown().contains("pass-phrase"));
    let edit = ReviewDecision::Edit(pending.shown().replace("example.com", "other"));
    let again = tools.decide(&pending, edit, &cx).await;
    let Err(callpact::call::ResumeError::Halt(callpact::Halt::Pending(pending))) = again else {
        panic!("{again:?}");
    };
    tools
        .decide(&pending, ReviewDecision::Continue, &cx)
        .await
        .unwrap();
    let ran = tool.0.lock().unwrap().clone();
    assert_eq!((&*ran[0].host, &*ran[0].password), ("other", "pass-phrase"));
}
