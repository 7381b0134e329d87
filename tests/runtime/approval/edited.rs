//! The model is told what a person made of its call.

use std::sync::Arc;

use super::says;
use crate::kit::{Add, call, text};
use callpact::{
    AgentTool, Dialect, Halt, Notes, Outcome, Permission, ReviewDecision, ToolContext, ToolReply,
    ToolResult, Toolset,
    secret::MemorySecrets,
    store::{CallStore, Decided, MemoryStore, Moment},
};

const NOTE: &str = r#"Note: a person edited this call to: {"a": 1, "b": 2}"#;

fn edit(text: &str) -> ReviewDecision {
    ReviewDecision::Edit(text.to_owned())
}

fn list(tool: impl AgentTool + 'static) -> Toolset {
    Toolset::single(tool).unwrap()
}

async fn edited(tools: &Toolset, name: &str, arguments: &str, decision: &str) -> ToolReply {
    let cx = ToolContext::new().with_reviewer(says(edit(decision)).0);
    tools.call(&call(name, arguments), &cx).await.unwrap()
}

#[tokio::test]
async fn every_reply_form_tells_model_about_edit() {
    let reply = edited(
        &list(Add),
        "add",
        r#"{"a": 40, "b": 2}"#,
        r#"{"a": 1, "b": 2}"#,
    )
    .await;
    assert_eq!(reply.edited.as_deref(), Some(r#"{"a": 1, "b": 2}"#));
    assert_eq!(reply.to_model(), format!("3\n\n{NOTE}"));
    for dialect in [
        Dialect::OpenAi,
        Dialect::Anthropic,
        Dialect::Gemini,
        Dialect::Mcp20251125,
    ] {
        let message = reply.to_message(dialect).to_string();
        assert!(
            message.contains("a person edited this call to"),
            "{message}"
        );
    }
    let (yes, _) = says(ReviewDecision::Continue);
    let cx = ToolContext::new().with_reviewer(yes);
    let reply = list(Add)
        .call(&call("add", r#"{"a": 40, "b": 2}"#), &cx)
        .await;
    assert_eq!(reply.unwrap().to_model(), "42", "nobody edited this one");
}

#[tokio::test]
async fn invalid_edit_is_reported_as_edit() {
    let reply = edited(&list(Add), "add", r#"{"a": 40, "b": 2}"#, r#"{"a": 1}"#).await;
    assert_eq!(reply.outcome, Outcome::InvalidArguments);
    let said = reply.to_model();
    assert!(said.contains("b: missing"), "{said}");
    assert!(
        said.ends_with(r#"Note: a person edited this call to: {"a": 1}"#),
        "{said}"
    );
}

#[tokio::test]
async fn edit_note_joins_dropped_keys_and_is_optional() {
    let arguments = r#"{"a": 1, "b": 2, "c": 3}"#;
    let reply = edited(&list(Add), "add", r#"{"a": 40, "b": 2}"#, arguments).await;
    assert_eq!(
        reply.to_model(),
        "3\n\nNote: a person edited this call to: {\"a\": 1, \"b\": 2, \"c\": 3}\n\n\
         Note: the arguments were read with these changes:\n- c: not a parameter, ignored"
    );
    let quiet = Toolset::builder()
        .tool(Add)
        .notes(Notes::Off)
        .build()
        .unwrap();
    let reply = edited(&quiet, "add", r#"{"a": 40, "b": 2}"#, arguments).await;
    assert_eq!(reply.to_model(), "3");
    assert!(reply.edited.is_some(), "the program knows");
}

#[tokio::test]
async fn edit_note_cuts_long_text_and_escapes_characters() {
    let long = format!("\u{202e}{}", "x".repeat(5000));
    let tools = list(text("t", |_, _| ToolResult::success("done")));
    let said = edited(&tools, "t", "y", &long)
        .await
        .to_model()
        .into_owned();
    assert!(
        said.starts_with("done\n\nNote: a person edited this call to: \\u{202e}xxx"),
        "{said}"
    );
    assert!(said.chars().count() < 2100, "{}", said.len());
}

#[tokio::test]
async fn later_decision_reports_edit() {
    let later = ToolContext::new().with_deferred_approval();
    let waits = list(Add)
        .call(&call("add", r#"{"a": 40, "b": 2}"#), &later)
        .await;
    let Err(Halt::Pending(pending)) = waits else {
        panic!("{waits:?}");
    };
    let decision = edit(r#"{"a": 1, "b": 2}"#);
    let reply = list(Add)
        .decide(&pending, decision, &ToolContext::new())
        .await;
    assert_eq!(reply.unwrap().to_model(), format!("3\n\n{NOTE}"));
}

#[tokio::test]
async fn original_run_reports_edit_executed_elsewhere() {
    let store = Arc::new(MemoryStore::new());
    let cx = ToolContext::new()
        .with_store(Arc::clone(&store))
        .with_run("run-7");
    let agent = cx.clone().with_deferred_approval();
    let made = call("add", r#"{"a": 40, "b": 2}"#);
    let waits = list(Add).call(&made, &agent).await;
    let Err(Halt::Pending(pending)) = waits else {
        panic!("{waits:?}");
    };
    let decided = Decided::new(edit(r#"{"a": 1, "b": 2}"#), "grace", Moment::now());
    store.take(&pending.id, &decided).await.unwrap();
    let first = list(Add).resume(&pending.id, &cx).await.unwrap();
    assert_eq!(
        (&*first.to_model(), first.replayed),
        (&*format!("3\n\n{NOTE}"), false)
    );
    // The run that is started again makes the call as its model wrote it.
    let again = list(Add).call(&made, &agent).await.unwrap();
    assert_eq!(
        (&*again.to_model(), again.replayed),
        (&*format!("3\n\n{NOTE}"), true)
    );
}

/// Asks about its input in its own words, and does what it is told.
struct Careful;

impl AgentTool for Careful {
    fn name(&self) -> &'static str {
        "careful"
    }
    fn description(&self) -> &'static str {
        "asks"
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn asks_itself(&self) -> bool {
        true
    }
    fn secret_params(&self) -> &'static [&'static str] {
        &["input"]
    }
    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match cx.require_approval(input.to_owned()).await {
            Ok(ReviewDecision::Edit(text)) => ToolResult::success(format!("did {text}")),
            Ok(_) => ToolResult::success(format!("did {input}")),
            Err(halt) => ToolResult::halt(halt),
        }
    }
}

#[tokio::test]
async fn self_asking_tool_reports_edit_without_secrets() {
    let reply = edited(&list(Careful), "careful", "all of it", "less").await;
    assert_eq!(
        reply.to_model(),
        "did less\n\nNote: a person edited this call to: less"
    );
    // A placeholder stays a placeholder, and so does a value that was typed in its place.
    for written in ["<secret_ref:token>", "hunter2hunter2"] {
        let cx = ToolContext::new()
            .with_reviewer(says(edit(&format!("use {written}"))).0)
            .with_secrets(MemorySecrets::new().with("token", "hunter2hunter2"));
        let made = call("careful", r#"{"input": "<secret_ref:token>"}"#);
        let reply = list(Careful).call(&made, &cx).await.unwrap();
        let said = reply.to_model();
        assert!(!said.contains("hunter2"), "{said}");
        assert!(
            said.ends_with("edited this call to: use <secret_ref:token>"),
            "{said}"
        );
    }
}

#[tokio::test]
async fn argument_edit_is_reported_without_secrets() {
    let tools = list(text("secret_t", |_, _| ToolResult::success("done")));
    let edits = r#"{"input": "<secret_ref:token> and hunter2hunter2"}"#;
    let cx = ToolContext::new()
        .with_reviewer(says(edit(edits)).0)
        .with_secrets(MemorySecrets::new().with("token", "hunter2hunter2"));
    let reply = tools.call(&call("secret_t", "x"), &cx).await.unwrap();
    let said = reply.to_model();
    assert!(!said.contains("hunter2"), "{said}");
    assert!(
        said.contains("<secret_ref:token> and <secret_ref:token>"),
        "{said}"
    );
}
