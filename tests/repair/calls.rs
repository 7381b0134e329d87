//! Repair inside a toolset: what the model and the host are told.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use callpact::{
    DynamicTool, FixKind, Permission, Policy, ToolCall, ToolContext, ToolInput, ToolMetrics,
    ToolResult, Toolset, TypedAgentTool,
    adapter::sanitized_for_replay,
    names::{provider_id, provider_name},
    read_str,
    secret::MemorySecrets,
    tool,
};
use serde_json::Value;

use super::shapes::{File, Lists};

struct Save;

impl TypedAgentTool for Save {
    type Input = File;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "save"
    }

    fn description(&self) -> &'static str {
        "Saves a file"
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    async fn execute(&self, input: File, _: &ToolContext) -> String {
        format!("{}: {}", input.path, input.content)
    }
}

#[derive(Clone, Default)]
struct Counts(Arc<Mutex<Vec<String>>>);

impl ToolMetrics for Counts {
    fn increment_counter(&self, metric: &str, tool: &str, tags: &[(&str, &str)]) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{metric} {tool} {tags:?}"));
    }
}

#[tokio::test]
async fn fixes_are_told_and_counted() {
    let tools = Toolset::builder().tool(Save).build().unwrap();
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_policy(Policy::repair())
        .with_metrics(counts.clone());
    let call = ToolCall::new("1", "save", "{'Path': 'a', content: 'b'}");
    let reply = tools.call(&call, &cx).await.unwrap();
    assert_eq!(reply.to_model(), "a: b");
    let notes = reply.notes().unwrap();
    assert!(
        notes.starts_with(
            "Note: the arguments were read with these changes:\n\
             - arguments: quotes that are not double ones, 3 times, mended\n"
        ),
        "{notes}"
    );
    assert!(
        notes.contains("\n- path: \"Path\" read as \"path\""),
        "{notes}"
    );
    let counts = counts.0.lock().unwrap().clone();
    assert_eq!(counts.len(), reply.fixes.len());
    assert!(counts.contains(&"callpact.tool.fixes save [(\"class\", \"key_case\")]".to_owned()));
    let clean = ToolCall::new("1", "save", r#"{"path": "a", "content": "b"}"#);
    assert_eq!(tools.call(&clean, &cx).await.unwrap().notes(), None);
    // Lax is what a context starts with.
    assert!(
        !tools
            .call(&call, &ToolContext::new())
            .await
            .unwrap()
            .is_success()
    );
}

#[tokio::test]
async fn wrapped_arguments_of_another_tool_are_not_run() {
    let tools = Toolset::builder().tool(Save).build().unwrap();
    let cx = ToolContext::new().with_policy(Policy::repair());
    let reply = async |arguments: &str| {
        let call = ToolCall::new("1", "save", arguments);
        tools.call(&call, &cx).await.unwrap()
    };
    for own in [
        r#"{"name": "save", "arguments": {"path": "a", "content": "b"}}"#,
        r#"{"arguments": {"path": "a", "content": "b"}}"#,
        "{'name': 'save', 'arguments': {'path': 'a', 'content': 'b'}}",
    ] {
        assert_eq!(reply(own).await.to_model(), "a: b", "{own}");
    }
    for other in [
        r#"{"name": "delete", "arguments": {"path": "a", "content": "b"}}"#,
        "```json\n{'name': 'delete', 'arguments': {'path': 'a', 'content': 'b'}}\n```",
    ] {
        let reply = reply(other).await;
        assert!(!reply.is_success(), "{other}");
        assert!(
            reply
                .to_model()
                .contains("name the tool 'delete', and the call is of 'save'"),
            "{}",
            reply.to_model()
        );
    }
}

struct Login;

#[derive(ToolInput)]
struct Credentials {
    #[tool_param(secret)]
    token: String,
}

impl TypedAgentTool for Login {
    type Input = Credentials;
    type Output = &'static str;
    const SECRET_PARAMS: &'static [&'static str] = &["token"];

    fn name(&self) -> &'static str {
        "login"
    }

    fn description(&self) -> &'static str {
        "Logs in"
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    async fn execute(&self, input: Credentials, _: &ToolContext) -> &'static str {
        if input.token == "hunter2!" {
            "in"
        } else {
            "out"
        }
    }
}

/// The text is read twice, the second time as clean text with the values. The fixes come from the first reading.
#[tokio::test]
async fn reports_text_fixes_of_call_with_secrets() {
    let tools = Toolset::builder().tool(Login).build().unwrap();
    let cx = ToolContext::new()
        .with_policy(Policy::repair())
        .with_secrets(MemorySecrets::new().with("key", "hunter2!"));
    let call = ToolCall::new("1", "login", "```\n{'token': '<secret_ref:key>',}\n```");
    let reply = tools.call(&call, &cx).await.unwrap();
    assert_eq!(reply.to_model(), "in");
    let kinds: Vec<FixKind> = reply.fixes.iter().map(|fix| fix.kind).collect();
    for kind in [FixKind::Fence, FixKind::QuoteStyle, FixKind::ExtraComma] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
}

#[tokio::test]
async fn foreign_schema_tools_receive_repaired_text() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"]}"#;
    let tool = DynamicTool::new(
        "echo",
        "Echoes",
        Some(schema),
        |arguments: Value, _| async move { ToolResult::success(arguments.to_string()) },
    )
    .unwrap();
    let tools = Toolset::builder().tool(tool).build().unwrap();
    let cx = ToolContext::new().with_policy(Policy::repair());
    let reply = tools
        .call(&ToolCall::new("1", "echo", "{'a': True,}"), &cx)
        .await
        .unwrap();
    assert_eq!(reply.to_model(), r#"{"a":true}"#);
    assert_eq!(reply.fixes.len(), 3);
}

#[test]
fn report_shows_form_only_of_wrong_values() {
    let said = |text: &str| {
        let report = read_str::<Lists>(text, &Policy::repair()).unwrap_err();
        report.with_excerpt(Lists::SCHEMA)
    };
    assert_eq!(
        said(r#"{"tags": 5}"#),
        "Invalid arguments, 1 problem:\n- tags: expected an array, found 5\nExpected: {\"tags\": [string]}"
    );
    let both = said(r#"{"tags": ["a"], "modes": {}, "items": "x"}"#);
    let excerpt = both.rsplit('\n').next().unwrap();
    assert_eq!(
        excerpt,
        r#"Expected: {"modes"?: ["ReadOnly" | "read_write" | "append"], "items"?: [{"name": string, "weight"?: number}]}"#
    );
    // If the line says everything, the form would be repeated.
    let inside = said(r#"{"tags": ["a"], "modes": ["x"], "items": [{}]}"#);
    assert!(!inside.contains("Expected:"), "{inside}");
    let plain = read_str::<File>("{}", &Policy::lax()).unwrap_err();
    assert_eq!(plain.with_excerpt(File::SCHEMA), plain.to_string());
}

#[test]
fn bad_calls_can_be_sent_again() {
    let good = ToolCall::new("1", "save", r#"{"path": "a"}"#);
    assert_eq!(sanitized_for_replay(&good), good);
    let huge = "x".repeat(100_000);
    for arguments in [
        "",
        "null",
        "{",
        "[1]",
        "5",
        "\"{}\"",
        "{\"a\": \"\u{1}\"}",
        "{\"a\": \"\\ud83d\"}",
        "{a: 1}",
        "{}{}",
        &huge,
    ] {
        for name in ["save", "", "a.b c", "ünï", &huge] {
            let call = sanitized_for_replay(&ToolCall::new("1", name, arguments));
            let value: serde_json::Value = serde_json::from_str(&call.arguments).unwrap();
            assert!(value.is_object(), "{arguments}");
            assert!(call.arguments.len() < 10_000);
            assert!(
                callpact::names::is_provider_name(&call.name),
                "{}",
                call.name
            );
            assert_eq!(sanitized_for_replay(&call), call);
        }
    }
}

/// Labels something
#[tool(write)]
fn label(labels: BTreeMap<String, u32>) -> String {
    format!("{labels:?}")
}

/// No dialect writes that form, so it is reported like every repair. Pairs with `key` and `value` are the form of a
/// strict dialect.
#[tokio::test]
async fn call_reports_map_read_from_lists() {
    let schema = r#"{"type": "object", "required": ["labels"], "properties":
        {"labels": {"type": "object", "additionalProperties": {"type": "integer"}}}}"#;
    let foreign = DynamicTool::new(
        "foreign",
        "Labels",
        Some(schema),
        |input: Value, _| async move { input.to_string() },
    );
    let tools = Toolset::builder()
        .tool(Label)
        .tool(foreign.unwrap())
        .build();
    let tools = tools.unwrap();
    for (policy, arguments, kinds) in [
        (
            Policy::repair(),
            r#"{"labels": [["k", 1]]}"#,
            &[FixKind::MapFromLists][..],
        ),
        (
            Policy::repair(),
            r#"{"labels": [{"key": "k", "value": 1}]}"#,
            &[],
        ),
        (
            Policy::lax(),
            r#"{"labels": [{"key": "k", "value": 1}]}"#,
            &[],
        ),
    ] {
        let cx = ToolContext::new().with_policy(policy);
        for (name, output) in [
            ("label", r#"{"k": 1}"#),
            ("foreign", r#"{"labels":{"k":1}}"#),
        ] {
            let reply = tools
                .call(&ToolCall::new("1", name, arguments), &cx)
                .await
                .unwrap();
            assert_eq!(reply.result.output(), output, "{arguments}");
            let told: Vec<FixKind> = reply.fixes.iter().map(|fix| fix.kind).collect();
            assert_eq!(told, kinds, "{name} {arguments}");
        }
    }
    let refusing = Policy::repair().refusing(FixKind::MapFromLists);
    let cx = ToolContext::new().with_policy(refusing);
    let call = ToolCall::new("1", "label", r#"{"labels": [["k", 1]]}"#);
    assert!(!tools.call(&call, &cx).await.unwrap().is_success());
}

/// The rules of the providers that document them: Anthropic and Bedrock take letters, digits, `_` and `-`, OpenAI
/// takes 40 characters, Mistral takes nine letters and digits.
#[test]
fn an_id_for_another_provider() {
    let ids = [
        "",
        "c 1!",
        "call_0",
        "toolu_01A09q90qw90lq917835lq9",
        "ä",
        "functions.x:0",
        "000000000",
    ];
    let long = "x".repeat(100);
    let mut seen = BTreeSet::new();
    for number in 0..10_000 {
        let call = format!("call_{number}");
        for id in ids.into_iter().chain([&*long, &*call]) {
            let new = provider_id(id);
            assert!(
                new.len() == 9 && new.bytes().all(|b| b.is_ascii_alphanumeric()),
                "{id}: {new}"
            );
            assert_eq!((&provider_id(id), &provider_id(&new)), (&new, &new));
        }
        assert!(seen.insert(provider_id(&call)), "{call}");
    }
    // The provider that wrote an id takes it back.
    let call = ToolCall::new("functions.save:0", "save", "{}");
    assert_eq!(sanitized_for_replay(&call), call);
}

#[test]
fn corrected_name_is_valid_for_every_provider() {
    for (name, mended) in [
        ("3d.view", "_3d_view"),
        ("3d", "_3d"),
        ("-x", "_-x"),
        ("", "_"),
        ("ünï", "_n_"),
        ("file write", "file_write"),
    ] {
        assert_eq!(provider_name(name), mended);
        assert_eq!(provider_name(mended), mended);
    }
    let long = provider_name(&"3".repeat(64));
    assert!(long.len() == 64 && long.starts_with("_3"), "{long}");
    // A tool may have this name, and its calls keep it.
    let call = ToolCall::new("1", "3d", "{}");
    assert_eq!(sanitized_for_replay(&call), call);
    assert_eq!(
        sanitized_for_replay(&ToolCall::new("1", "3d view", "{}")).name,
        "_3d_view"
    );
}
