//! The content of a reply: what was dropped from the arguments, and how much of a long result it
//! has.

use callpact::{
    Content, Dialect, FixKind, Notes, Outcome, PermissionMode, Policy, ReviewDecision, ToolCall,
    ToolContext, ToolReply, ToolResult, Toolset, ToolsetBuilder, tool,
};
use serde_json::{Value, json};

/// Removes a folder
#[tool(destructive)]
fn wipe(
    path: String,
    #[tool_param(default = "none")] label: String,
    #[tool_param(required = false)] depth: Option<u8>,
) -> String {
    format!("wiped {path} {label} {depth:?}")
}

/// Draws
#[tool(read_only)]
fn draw(path: String) -> ToolResult {
    ToolResult::success("").with_content(Content::text(path))
}

/// Fails
#[tool(read_only)]
fn fail(path: String) -> Result<String, String> {
    Err(format!("no {path}"))
}

/// Counts
#[tool(read_only)]
fn count(to: u32) -> ToolResult {
    let numbers: Vec<u32> = (0..to).collect();
    let text: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    ToolResult::success(text.join(" ")).with_structured(json!({ "numbers": numbers }))
}

async fn call(builder: ToolsetBuilder, tool: &str, arguments: &Value) -> ToolReply {
    let tools = builder.tool(Wipe).tool(Draw).tool(Fail).tool(Count);
    let tools = tools.build().expect("nothing conflicts");
    let cx = ToolContext::new().with_reviewer(callpact::review::auto_approve());
    let call = ToolCall::new("c1", tool, arguments.to_string());
    tools.call(&call, &cx).await.expect("no halt")
}

const DROPPED: &str =
    "Note: the arguments were read with these changes:\n- volume: not a parameter, ignored";

#[tokio::test]
async fn every_reply_form_reports_dropped_keys() {
    let arguments = json!({"path": "/srv", "volume": 11, "depth": "3"});
    let reply = call(Toolset::builder(), "wipe", &arguments).await;
    let said = format!("wiped /srv none Some(3)\n\n{DROPPED}");
    assert_eq!(reply.to_model(), said);
    assert_eq!(
        reply.parts(),
        [
            Content::text("wiped /srv none Some(3)"),
            Content::text(DROPPED)
        ]
    );
    for dialect in Dialect::ALL {
        let message = reply.to_message(dialect).to_string();
        assert!(
            message.contains("volume: not a parameter"),
            "{dialect}: {message}"
        );
        assert!(!message.contains("depth"), "{dialect}: {message}");
    }
    // The result of the tool stays what it was.
    assert_eq!(reply.result.output(), "wiped /srv none Some(3)");
}

#[tokio::test]
async fn string_tool_reports_keys_dropped_beside_input() {
    let tools = Toolset::single(crate::kit::echo("say")).expect("a tool");
    let call = |arguments: &str| ToolCall::new("1", "say", arguments);
    let reviewer = callpact_testing::RecordingReviewer::new([ReviewDecision::Continue]);
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_reviewer(reviewer.clone());
    let given = r#"{"volume": 11, "input": "wipe /srv", "dry_run": true}"#;
    let reply = tools.call(&call(given), &cx).await.expect("no halt");
    let note = "Note: the arguments were read with these changes:\n\
        - volume: not a parameter, ignored\n- dry_run: not a parameter, ignored";
    assert_eq!(reply.to_model(), format!("wipe /srv\n\n{note}"));
    let seen = reviewer.requests();
    assert_eq!(seen.len(), 1);
    let changes = seen[0].changes.join("\n");
    assert!(changes.contains("dry_run: not a parameter"), "{changes}");

    let strict = Policy::lax().refusing(FixKind::UnknownDropped);
    for (arguments, policy) in [
        (given, strict),
        // Two of one name, and either could be meant.
        (r#"{"input": "a", "Input": "b"}"#, Policy::lax()),
    ] {
        let cx = ToolContext::new().with_policy(policy);
        let reply = tools.call(&call(arguments), &cx).await.expect("no halt");
        assert_eq!(reply.outcome, Outcome::InvalidArguments, "{arguments}");
    }
    // Any other text is the input itself, and nothing of it is dropped.
    let other = r#"{"volume": 11}"#;
    let reply = tools.call(&call(other), &ToolContext::new()).await;
    assert_eq!(reply.expect("no halt").to_model(), other);
}

#[tokio::test]
async fn what_was_taken_as_absent_is_told() {
    let reply = call(
        Toolset::builder(),
        "wipe",
        &json!({"path": "/srv", "label": ""}),
    )
    .await;
    assert_eq!(
        reply.to_model(),
        "wiped /srv none None\n\nNote: the arguments were read with these changes:\n- label: \"\" read as absent"
    );
    // A null only says that nothing was given.
    let reply = call(
        Toolset::builder(),
        "wipe",
        &json!({"path": "/srv", "depth": null}),
    )
    .await;
    assert_eq!(reply.to_model(), "wiped /srv none None");
}

#[tokio::test]
async fn failure_and_image_replies_include_note() {
    let arguments = json!({"path": "/srv", "volume": 11});
    let reply = call(Toolset::builder(), "fail", &arguments).await;
    assert_eq!(reply.to_model(), format!("Error: no /srv\n\n{DROPPED}"));
    let reply = call(Toolset::builder(), "draw", &arguments).await;
    assert_eq!(reply.to_model(), format!("/srv\n\n{DROPPED}"));
}

#[tokio::test]
async fn a_list_says_all_changes_or_none() {
    let arguments = json!({"path": "/srv", "volume": 11, "depth": "3"});
    let reply = call(Toolset::builder().notes(Notes::Off), "wipe", &arguments).await;
    assert_eq!(reply.to_model(), "wiped /srv none Some(3)");
    let reply = call(Toolset::builder().notes(Notes::All), "wipe", &arguments).await;
    let text = reply.to_model();
    assert!(text.contains("\n- depth: \"3\" read as 3"), "{text}");
    assert!(
        text.contains("\n- volume: not a parameter, ignored"),
        "{text}"
    );
}

#[tokio::test]
async fn long_result_keeps_head_and_tail() {
    let reply = call(Toolset::builder(), "count", &json!({"to": 100_000})).await;
    let text = reply.to_model();
    assert!(text.starts_with("0 1 2 3 ") && text.ends_with(" 99998 99999"));
    assert!(text.contains("[truncated: 488889 of 588889 characters are left out here] ..."));
    assert!(text.chars().count() < 100_100, "{}", text.chars().count());
    assert_eq!(reply.result.output().len(), 588_889);

    let reply = call(
        Toolset::builder().max_output(80),
        "count",
        &json!({"to": 100}),
    )
    .await;
    assert_eq!(
        reply.to_model(),
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 2\n\
         ... [truncated: 209 of 289 characters are left out here] ...\n\
         93 94 95 96 97 98 99"
    );
    let whole = Toolset::builder().max_output(usize::MAX);
    let reply = call(whole, "count", &json!({"to": 100_000})).await;
    assert_eq!(reply.to_model().len(), 588_889);
}

#[tokio::test]
async fn structured_output_counts() {
    for dialect in [Dialect::Mcp20251125, Dialect::Mcp20260728] {
        let reply = call(
            Toolset::builder().max_output(30),
            "count",
            &json!({"to": 3}),
        )
        .await;
        let message = reply.to_message(dialect);
        assert_eq!(message["structuredContent"], json!({"numbers": [0, 1, 2]}));
        let reply = call(
            Toolset::builder().max_output(30),
            "count",
            &json!({"to": 30}),
        )
        .await;
        assert_eq!(reply.outcome, Outcome::Success);
        let message = reply.to_message(dialect);
        assert_eq!(message.get("structuredContent"), None);
        // A client that was told a schema takes no success without structured output.
        assert_eq!(message["isError"], true);
        let text = message["content"][1]["text"].as_str().expect("a text");
        assert!(
            text.contains("its structured output is longer than 30 characters"),
            "{text}"
        );
    }
}

/// Reads on until the end, as the replies say.
#[tokio::test]
async fn pages_through_rest_of_long_result() {
    let cx = ToolContext::new();
    for limit in [1, 10, 63, 64, 100, 150, 200, 1_000] {
        let tools = Toolset::builder().tool(Count).max_output(limit);
        let tools = tools.result_pages().build().expect("nothing conflicts");
        let to = if limit < 64 { 40 } else { 1_000 };
        let count = ToolCall::new("1", "count", format!(r#"{{"to": {to}}}"#));
        let reply = tools.call(&count, &cx).await.expect("no halt");
        let whole = reply.result.output().to_owned();
        let text = reply.to_model().into_owned();
        let (read, _) = text.split_once("... [").expect("a mark");
        let mut read = read.strip_suffix('\n').unwrap_or(read).to_owned();
        let mut next = arguments_in(&text);
        for _ in 0..whole.len() {
            let Some(arguments) = next else { break };
            let page = ToolCall::new("2", "result_page", arguments);
            let page = tools.call(&page, &cx).await.expect("no halt");
            assert!(page.is_success(), "{}", page.to_model());
            let text = page.to_model().into_owned();
            let (head, shown) = text.split_once("]\n").expect("a head");
            assert!(!shown.contains("truncated"), "{shown}");
            read.push_str(shown);
            next = arguments_in(head);
        }
        assert_eq!(read, whole, "{limit}");
    }
    let tools = Toolset::builder().tool(Count).result_pages().build();
    let tools = tools.expect("nothing conflicts");
    // The key of another conversation cannot be guessed.
    let page = ToolCall::new("3", "result_page", r#"{"result": "1"}"#);
    let page = tools.call(&page, &cx).await.expect("no halt");
    assert_eq!(
        page.to_model(),
        "Error: there is no such result: only the last 16 are kept"
    );
}

fn arguments_in(text: &str) -> Option<String> {
    let from = text.find("result_page {")? + "result_page ".len();
    let to = text.get(from..)?.find('}')?;
    text.get(from..=from + to).map(str::to_owned)
}
