//! A secret on every path that a call can take: only the tool sees it.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    sync::{Arc, Mutex},
    time::Duration,
};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD},
};

use crate::kit::{Counts, Logs, call, echo, once};
use callpact::{
    AgentTool, Halt, IntoToolResult, Json, Outcome, Permission, Policy, ReviewDecision,
    ToolContext, ToolInput, ToolPipeline, ToolResult, Toolset, TypedAgentTool,
    review::review_fn,
    secret::{BoxFuture, MemorySecrets, ResolveError, SecretRef, SecretResolver, SecretValue},
};

/// 32 characters that no two runs share, some of which every encoding changes.
fn secret() -> String {
    const CHARS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/+\"&%";
    let state = RandomState::new();
    (0..32u32)
        .map(|i| {
            let mut hasher = state.build_hasher();
            hasher.write_u32(i);
            char::from(CHARS[usize::try_from(hasher.finish() % 67).unwrap()])
        })
        .collect()
}

/// Every spelling in which a secret must not come back.
fn spellings(secret: &str) -> Vec<String> {
    let json = |text: &str| {
        let quoted = serde_json::to_string(text).unwrap();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let url = |upper: bool, all: bool| -> String {
        secret
            .bytes()
            .map(|b| match b {
                b if b.is_ascii_alphanumeric() && !all => char::from(b).to_string(),
                b if upper => format!("%{b:02X}"),
                b => format!("%{b:02x}"),
            })
            .collect()
    };
    let hex: String = secret.bytes().map(|b| format!("{b:02x}")).collect();
    let mut out = vec![
        secret.to_owned(),
        json(secret),
        json(&json(secret)),
        url(true, false),
        url(false, false),
        url(true, true),
        hex.to_uppercase(),
        hex,
        // Its halves: nothing may cut it on the way.
        secret[..16].to_owned(),
        secret[16..].to_owned(),
    ];
    for engine in [&STANDARD, &URL_SAFE, &STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
        for before in ["", "x", "xy"] {
            let encoded = engine.encode(format!("{before}{secret}"));
            // The part that depends on nothing but the secret.
            out.push(encoded[4..40].to_owned());
        }
    }
    out
}

fn assert_clean(secret: &str, place: &str, text: &str) {
    for spelling in spellings(secret) {
        assert!(
            !text.contains(&spelling),
            "{place} holds {spelling} of {secret}: {text}"
        );
    }
}

/// All the forms in which a tool could write a text.
fn everything(text: &str) -> String {
    let mut out = format!("plain {text} json {}", serde_json::json!({"k": [text]}));
    out.push_str(&format!(
        " twice {}",
        serde_json::json!(serde_json::json!(text).to_string())
    ));
    for b in text.bytes() {
        out.push_str(&format!("%{b:02X}"));
    }
    out.push(' ');
    for b in text.bytes() {
        out.push_str(&format!("{b:02x}"));
    }
    for before in ["", "x", "xy"] {
        let whole = format!("{before}{text}");
        out.push_str(&format!(
            " {} {}",
            STANDARD.encode(&whole),
            URL_SAFE_NO_PAD.encode(&whole)
        ));
    }
    out
}

#[derive(ToolInput, Debug)]
#[allow(dead_code)]
struct Input {
    /// What the tool does
    how: String,
    #[tool_param(max_length = 64)]
    token: String,
    #[tool_param(required = false)]
    note: Option<String>,
    #[tool_param(required = false)]
    count: Option<u32>,
}

#[derive(Clone, Default)]
struct Tool(Arc<Mutex<Vec<String>>>);

impl TypedAgentTool for Tool {
    type Input = Input;
    type Output = ToolResult;
    const SECRET_PARAMS: &'static [&'static str] = &["token"];
    fn name(&self) -> &str {
        "tool"
    }
    fn description(&self) -> &str {
        "d"
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    async fn execute(&self, input: Input, cx: &ToolContext) -> ToolResult {
        self.0.lock().unwrap().push(input.token.clone());
        let all = everything(&input.token);
        let structured = serde_json::json!({"all": [&all], &input.token: {"deep": input.token}});
        match &*input.how {
            "success" => ToolResult::success(all).with_structured(structured),
            "failure" => ToolResult::failure(all).with_structured(structured),
            "retry" => ToolResult::retry(all),
            "panic" => panic!("{all}"),
            "panic later" => {
                tokio::task::yield_now().await;
                std::panic::panic_any(all)
            }
            "timeout" => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                ToolResult::success(all)
            }
            "exit" => ToolResult::halt(Halt::exit_early(all)),
            "misconfigured" => ToolResult::halt(Halt::misconfigured(all)),
            _ => {
                cx.metrics().increment_counter("own", cx.tool_name(), &[]);
                // A JSON text that holds a JSON text: twice escaped, as deep as the redactor looks.
                let inner = serde_json::json!({"token": input.token}).to_string();
                Json(serde_json::json!({"token": input.token, "inner": inner})).into_tool_result()
            }
        }
    }
}

const HOWS: [&str; 9] = [
    "success",
    "failure",
    "retry",
    "panic",
    "panic later",
    "timeout",
    "exit",
    "misconfigured",
    "other",
];

async fn drive(tool: impl AgentTool + 'static, how: &str, capture: bool, secret: &str) -> String {
    let seen = Arc::new(Mutex::new(String::new()));
    let own = Arc::clone(&seen);
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_content_capture(capture)
        .with_metrics(counts.clone())
        .with_timeout(Duration::from_millis(30))
        .with_secrets(MemorySecrets::new().with("token", secret))
        .with_reviewer(review_fn(move |request| {
            own.lock().unwrap().push_str(&format!("{request:?}"));
            async { Ok(ReviewDecision::Continue) }
        }));
    let name = tool.name().to_owned();
    let tools = Toolset::builder()
        .tool(tool)
        .max_output(100_000)
        .build()
        .unwrap();
    let arguments =
        format!(r#"{{"how":"{how}","token":"<secret_ref:token>","count":"5","other":1}}"#);
    let reply = tools.call(&call(&name, &arguments), &cx).await;
    let seen = seen.lock().unwrap().clone();
    assert!(
        seen.contains("<secret_ref:token>"),
        "the reviewer sees the placeholder: {seen}"
    );
    let mut all = format!(
        "{seen} {reply:?} {reply:#?} {cx:?} {tools:?} {:?}",
        counts.lines()
    );
    match &reply {
        Ok(reply) => {
            all.push_str(&format!(
                " {} {:?} {:?}",
                reply.to_model(),
                reply.fixes,
                reply.result
            ));
            all.push_str(&format!(
                " {:?} {:?}",
                reply.result.structured(),
                reply.result.report()
            ));
            for fix in &reply.fixes {
                all.push_str(&fix.to_string());
            }
        }
        Err(halt) => all.push_str(&format!(" {halt} {halt:?}")),
    }
    all
}

#[tokio::test]
async fn a_secret_is_nowhere_but_in_the_tool() {
    for capture in [false, true] {
        for how in HOWS {
            let secret = secret();
            let tool = Tool::default();
            let logs = Logs::at(tracing::Level::TRACE);
            let all = drive(tool.clone(), how, capture, &secret).await;
            assert_eq!(
                *tool.0.lock().unwrap(),
                std::slice::from_ref(&secret),
                "the tool got it"
            );
            assert_clean(&secret, how, &all);
            let logged = logs.all();
            assert!(logged.contains("execute_tool"), "{logged}");
            // The text of a configuration error is logged, with the placeholder in place of the value.
            let placeholder = capture || how == "misconfigured";
            assert_eq!(
                logged.contains("<secret_ref:token>"),
                placeholder,
                "{logged}"
            );
            assert_clean(&secret, "the log", &logged);
        }
    }
}

#[tokio::test]
async fn a_secret_through_a_pipeline() {
    /// Expects another value than the one that it gets, and quotes it.
    struct Short;
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct ShortInput {
        #[tool_param(max_length = 5)]
        text: String,
        number: u8,
    }
    impl TypedAgentTool for Short {
        type Input = ShortInput;
        type Output = String;
        const SECRET_PARAMS: &'static [&'static str] = &[];
        fn name(&self) -> &str {
            "short"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn permission(&self) -> Permission {
            Permission::Write
        }
        async fn execute(&self, _: ShortInput, _: &ToolContext) -> String {
            String::new()
        }
    }
    for capture in [false, true] {
        for how in HOWS {
            let secret = secret();
            let (tool, other) = (Tool::default(), Tool::default());
            let own = secret.clone();
            let logs = Logs::at(tracing::Level::TRACE);
            let echo = crate::kit::text("echo", move |input, _| {
                ToolResult::success(format!("{input}{own}"))
            });
            let all = drive(
                ToolPipeline::new("p", "d").then(tool).then(echo),
                how,
                capture,
                &secret,
            )
            .await;
            assert_clean(&secret, how, &all);
            // A report about what was handed on quotes it, cut: not a part of it may come back.
            let quoted = secret.clone();
            let pipeline = ToolPipeline::new("p", "d")
                .then(other)
                .adapt(move |_| serde_json::json!({"text": format!("{}{quoted}", "x".repeat(20)), "number": quoted}).to_string())
                .then(Short);
            let all = drive(pipeline, how, capture, &secret).await;
            assert_clean(&secret, how, &all);
            if how == "success" {
                assert!(
                    all.contains("Step 'short' failed: Invalid arguments, 2 problems"),
                    "{all}"
                );
            }
            assert_clean(&secret, "the log", &logs.all());
        }
    }
}

async fn with(secrets: impl SecretResolver + 'static, arguments: &str) -> callpact::ToolReply {
    let tools = Toolset::builder().tool(Tool::default()).build().unwrap();
    let cx = ToolContext::new().with_secrets(secrets);
    tools.call(&call("tool", arguments), &cx).await.unwrap()
}

#[tokio::test]
async fn never_quotes_unfit_value() {
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let secret = format!("{}{}", secret(), "y".repeat(50));
        let tools = Toolset::builder().tool(Tool::default()).build().unwrap();
        let cx = ToolContext::new()
            .with_policy(policy)
            .with_secrets(MemorySecrets::new().with("token", secret.clone()));
        let logs = Logs::at(tracing::Level::TRACE);
        let arguments = r#"{"how":"success","token":"<secret_ref:token>"}"#;
        let reply = tools.call(&call("tool", arguments), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::InvalidArguments);
        let text = format!(
            "{reply:?} {} {:?} {}",
            reply.to_model(),
            reply.result.report(),
            logs.all()
        );
        assert!(reply.to_model().contains("- token: expected "), "{text}");
        assert!(!text.contains("yyyy"), "{text}");
        for n in 0..24 {
            assert!(!text.contains(&secret[n..n + 8]), "{text}");
        }
    }
}

/// A text with a placeholder is repaired like any other.
#[tokio::test]
async fn a_placeholder_does_not_change_what_is_mended() {
    for token in ["plain", "<secret_ref:token>"] {
        for arguments in [
            format!(r#"{{\"how\": \"success\", \"token\": \"{token}\"}}"#),
            format!("{{how: 'success', token: '{token}'}}"),
        ] {
            let tools = Toolset::builder().tool(Tool::default()).build().unwrap();
            let cx = ToolContext::new()
                .with_policy(Policy::repair())
                .with_secrets(MemorySecrets::new().with("token", "0123456789abcdef"));
            let reply = tools.call(&call("tool", &arguments), &cx).await.unwrap();
            assert_eq!(reply.outcome, Outcome::Success, "{arguments}: {reply:?}");
        }
    }
}

#[tokio::test]
async fn placeholders_elsewhere_are_refused_with_a_clear_message() {
    let secrets = || MemorySecrets::new().with("token", "0123456789abcdef");
    for (arguments, message) in [
        (
            r#"{"how":"<secret_ref:token>","token":"x"}"#,
            "secret placeholder appears in `how`, which does not take secrets",
        ),
        (
            r#"{"how":"\u003csecret_ref:token>","token":"x"}"#,
            "secret placeholder appears in `how`",
        ),
        (
            r#"{"how":"h","token":"x","note":"a <secret_ref:token> b"}"#,
            "secret placeholder appears in `note`",
        ),
        (
            r#"{"how":"h","token":"<secret_ref:to-ken>"}"#,
            "malformed secret placeholder in `token`",
        ),
        (
            r#"{"how":"h","token":"<SECRET_REF:token>"}"#,
            "malformed secret placeholder in `token`",
        ),
        (
            r#"{"how":"h","token":"x","o":{"token":"<secret_ref:token>"}}"#,
            "secret placeholder appears in `o.token`",
        ),
        (
            r#"{"how":"h","token":"x","<secret_ref:token>":1}"#,
            "secret placeholder appears in a key",
        ),
    ] {
        let reply = with(secrets(), arguments).await;
        assert!(!reply.is_success(), "{arguments}");
        assert!(reply.to_model().contains(message), "{}", reply.to_model());
        assert!(!reply.to_model().contains("0123456789abcdef"));
    }
}

#[tokio::test]
async fn a_missing_secret_is_named() {
    let arguments = r#"{"how":"success","token":"<secret_ref:token>"}"#;
    let reply = with(MemorySecrets::new(), arguments).await;
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (Outcome::Refused, "Error: secret `token` does not exist")
    );
    let tools = Toolset::builder().tool(Tool::default()).build().unwrap();
    let reply = tools
        .call(&call("tool", arguments), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(
        reply.to_model(),
        "Error: secret `token` does not exist",
        "without a store as well"
    );
}

#[tokio::test]
async fn a_store_that_fails_hangs_or_crashes() {
    struct Store(u8);
    impl SecretResolver for Store {
        fn resolve<'a>(
            &'a self,
            _: &'a SecretRef,
        ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
            Box::pin(async {
                match self.0 {
                    0 => Err(ResolveError::Failed("vault at /etc/vault is sealed".into())),
                    1 => panic!("vault"),
                    _ => std::future::pending().await,
                }
            })
        }
    }
    let arguments = r#"{"how":"success","token":"<secret_ref:token>"}"#;
    let reply = with(Store(0), arguments).await;
    assert_eq!(reply.to_model(), "Error: secret `token` is not available");
    let reply = with(Store(1), arguments).await;
    assert_eq!(reply.outcome, Outcome::Crash);
    assert_eq!(
        reply.to_model(),
        "Error: Tool 'tool' did not run: looking up its secrets crashed"
    );
    let tool = Tool::default();
    let tools = Toolset::builder()
        .tool(tool.clone())
        .timeout("tool", Duration::from_millis(5))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_secrets(Store(2));
    let reply = tools.call(&call("tool", arguments), &cx).await.unwrap();
    assert_eq!(reply.outcome, Outcome::TimedOut);
    assert!(tool.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn secrets_are_resolved_only_after_approval() {
    struct Asked(Arc<Mutex<usize>>);
    impl SecretResolver for Asked {
        fn resolve<'a>(
            &'a self,
            _: &'a SecretRef,
        ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
            *self.0.lock().unwrap() += 1;
            Box::pin(async { Ok(SecretValue::new("0123456789")) })
        }
    }
    let asked = Arc::new(Mutex::new(0));
    let tools = Toolset::builder().tool(Tool::default()).build().unwrap();
    let cx = ToolContext::new()
        .with_secrets(Asked(Arc::clone(&asked)))
        .with_reviewer(review_fn(|_| async { Ok(ReviewDecision::REJECT) }));
    let arguments = r#"{"how":"success","token":"<secret_ref:token>"}"#;
    assert!(tools.call(&call("tool", arguments), &cx).await.is_err());
    assert_eq!(*asked.lock().unwrap(), 0);
}

/// A call that was refused was read with no changes.
#[tokio::test]
async fn unfit_secret_report_omits_dropped_keys() {
    let secret = format!("{}{}", secret(), "y".repeat(50));
    let secrets = MemorySecrets::new().with("token", secret);
    let arguments = r#"{"how":"success","token":"<secret_ref:token>","volume":11}"#;
    let reply = with(secrets, arguments).await;
    assert_eq!(reply.outcome, Outcome::InvalidArguments);
    assert_eq!(reply.fixes.len(), 1);
    let said = reply.to_model();
    assert!(
        said.contains("- token: expected ") && !said.contains("volume"),
        "{said}"
    );
}

#[tokio::test]
async fn a_string_tool_takes_secrets_in_its_input() {
    let tools = Toolset::builder()
        .tool(crate::kit::text("secret_echo", |input, _| {
            assert!(input.contains("0123456789abcdef"));
            ToolResult::success(input)
        }))
        .tool(crate::kit::echo("plain"))
        .build()
        .unwrap();
    let cx =
        ToolContext::new().with_secrets(MemorySecrets::new().with("token", "0123456789abcdef"));
    let arguments = r#"{"input":"a <secret_ref:token> b"}"#;
    let reply = tools
        .call(&call("secret_echo", arguments), &cx)
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "a <secret_ref:token> b");
    for arguments in [arguments, "raw <secret_ref:token>"] {
        let reply = tools.call(&call("plain", arguments), &cx).await.unwrap();
        assert_eq!(reply.outcome, Outcome::InvalidArguments, "{arguments}");
    }
}

#[tokio::test]
async fn string_tool_receives_plain_text_unchanged() {
    for plain in [
        "no JSON",
        r"C:\users, which looks like an escape",
        r"\u0041",
    ] {
        assert_eq!(once(echo("t"), plain).await.to_model(), plain);
    }
}
