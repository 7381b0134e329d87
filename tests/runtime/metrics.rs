//! Names and tags on a real backend, spans and levels.

use std::{sync::Arc, time::Duration};

use metrics_util::{
    CompositeKey, MetricKind,
    debugging::{DebugValue, DebuggingRecorder},
};

use crate::kit::{Add, Counts, Logs, call, echo, text};
use callpact::{
    AgentTool, Dialect, Halt, ToolCall, ToolContext, ToolPipeline, ToolResult, Toolset,
    observe::FacadeMetrics, secret::MemorySecrets,
};

fn labels(key: &CompositeKey) -> String {
    let mut labels: Vec<_> = key
        .key()
        .labels()
        .map(|label| format!("{}={}", label.key(), label.value()))
        .collect();
    labels.sort();
    labels.join(" ")
}

fn tools() -> Toolset {
    Toolset::builder()
        .tool(echo("ok"))
        .tool(text("fails", |_, _| ToolResult::failure("f")))
        .tool(text("boom", |_, _| panic!("p")))
        .tool(text("halts", |_, _| {
            ToolResult::halt(Halt::exit_early("e"))
        }))
        .tool(text("own", |_, cx| {
            cx.metrics()
                .increment_counter("pages", cx.tool_name(), &[("kind", "html")]);
            cx.metrics().record_value("bytes", cx.tool_name(), 5.0, &[]);
            ToolResult::success("")
        }))
        .tool(ToolPipeline::new("pipe", "d").then(echo("step")))
        .tool(Add)
        .build()
        .unwrap()
}

#[test]
fn names_and_tags_on_the_facade() {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let cx = ToolContext::new()
                .with_role("r")
                .with_metrics(FacadeMetrics);
            for name in ["ok", "ok", "fails", "boom", "halts", "own", "pipe"] {
                let _ = tools().call(&call(name, "{}"), &cx).await;
            }
        });
    });
    let mut counters = Vec::new();
    let mut histograms = Vec::new();
    for (key, _, _, value) in snapshotter.snapshot().into_vec() {
        let name = key.key().name().to_owned();
        match (key.kind(), value) {
            (MetricKind::Counter, DebugValue::Counter(n)) => {
                counters.push(format!("{name} {n} {}", labels(&key)));
            }
            (MetricKind::Histogram, DebugValue::Histogram(values)) => {
                histograms.push(format!("{name} {} {}", values.len(), labels(&key)));
            }
            other => panic!("{other:?}"),
        }
    }
    counters.sort();
    assert_eq!(
        counters,
        [
            "callpact.tool.executions 1 agent_role=r outcome=error tool_name=boom",
            "callpact.tool.executions 1 agent_role=r outcome=failure tool_name=fails",
            "callpact.tool.executions 1 agent_role=r outcome=success tool_name=own",
            "callpact.tool.executions 1 agent_role=r outcome=success tool_name=pipe",
            "callpact.tool.executions 1 agent_role=r outcome=success tool_name=step",
            "callpact.tool.executions 2 agent_role=r outcome=success tool_name=ok",
            "callpact.tool.halts 1 agent_role=r halt=exit_early tool_name=halts",
            "pages 1 kind=html tool_name=own",
        ]
    );
    assert!(
        histograms.contains(&"callpact.tool.duration 2 agent_role=r tool_name=ok".to_owned()),
        "{histograms:?}"
    );
    assert!(
        histograms.contains(&"bytes 1 tool_name=own".to_owned()),
        "{histograms:?}"
    );
    for name in ["callpact.tool.duration", "gen_ai.execute_tool.duration"] {
        let of_name = histograms.iter().filter(|line| line.starts_with(name));
        assert_eq!(of_name.count(), 7, "{name}");
    }
}

async fn logged(level: tracing::Level, capture: bool, name: &str) -> String {
    let logs = Logs::at(level);
    let cx = ToolContext::new().with_content_capture(capture);
    let _ = tools()
        .call(&call(name, r#"{"input":"ARGUMENT"}"#), &cx)
        .await;
    logs.all()
}

#[tokio::test]
async fn spans_carry_the_genai_attributes_and_no_content() {
    let all = logged(tracing::Level::TRACE, false, "ok").await;
    for field in [
        "otel.name=execute_tool ok",
        r#"otel.kind="internal""#,
        r#"gen_ai.operation.name="execute_tool""#,
        "gen_ai.tool.name=ok",
        r#"gen_ai.tool.type="function""#,
        "gen_ai.tool.call.id=call-1",
        "gen_ai.tool.description=Does what the test says.",
    ] {
        assert!(all.contains(field), "{field} in {all}");
    }
    for absent in [
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.call.result",
        "error.type",
        "ARGUMENT",
    ] {
        assert!(!all.contains(absent), "{absent} in {all}");
    }
    let all = logged(tracing::Level::TRACE, true, "ok").await;
    assert!(
        all.contains("gen_ai.tool.call.arguments") && all.contains("gen_ai.tool.call.result"),
        "{all}"
    );
    for (name, kind) in [
        ("fails", "failure"),
        ("boom", "crash"),
        ("halts", "exit_early"),
        // Without `a` and `b`.
        ("add", "invalid_arguments"),
    ] {
        let all = logged(tracing::Level::TRACE, false, name).await;
        assert!(all.contains(&format!(r#"error.type="{kind}""#)), "{all}");
        assert!(all.contains(r#"otel.status_code="ERROR""#), "{all}");
    }
}

#[tokio::test]
async fn success_and_pending_call_set_no_span_error() {
    let all = logged(tracing::Level::TRACE, false, "ok").await;
    assert!(!all.contains("otel.status_code"), "{all}");
    let logs = Logs::at(tracing::Level::TRACE);
    let cx = ToolContext::new()
        .with_role("auditor")
        .with_deferred_approval();
    let waits = tools().call(&call("ok", r#"{"input":"x"}"#), &cx).await;
    assert!(matches!(waits, Err(Halt::Pending(_))), "{waits:?}");
    let all = logs.all();
    assert!(all.contains(r#"error.type="pending""#), "{all}");
    assert!(!all.contains("otel.status_code"), "{all}");
    assert!(all.contains(r#"gen_ai.agent.name="auditor""#), "{all}");
}

#[tokio::test]
async fn no_label_of_a_tools_own_counters_holds_a_secret() {
    /// Counts with its input in the tags.
    struct Counting;
    impl AgentTool for Counting {
        fn name(&self) -> &str {
            "counting"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn secret_params(&self) -> &'static [&'static str] {
            &["input"]
        }
        async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
            let tags = [("key", input), (input, "value")];
            cx.metrics()
                .increment_counter("uses", cx.tool_name(), &tags);
            cx.metrics().record_value(input, cx.tool_name(), 1.0, &tags);
            // In place of its own name.
            cx.metrics().increment_counter("as", input, &[]);
            cx.metrics().record_value("as", input, 1.0, &[]);
            cx.metrics().increment_success(input, input);
            cx.metrics().increment_failure(input, input);
            cx.metrics().increment_error(input, input);
            cx.metrics().increment_halt(input, input, input);
            cx.metrics().record_duration(input, input, Duration::ZERO);
            ToolResult::success("done")
        }
    }
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_metrics(counts.clone())
        .with_secrets(MemorySecrets::new().with("token", "hunter2-hunter2"));
    let tools = Toolset::single(Counting).unwrap();
    let arguments = r#"{"input":"<secret_ref:token>"}"#;
    let reply = tools.call(&call("counting", arguments), &cx).await.unwrap();
    assert!(reply.is_success());
    let lines = counts.lines();
    let clean = |line: &&String| line.contains("<secret_ref:token>");
    assert_eq!(lines.iter().filter(clean).count(), 9, "{lines:?}");
    assert!(!lines.join("\n").contains("hunter2"), "{lines:?}");
}

#[tokio::test]
async fn a_captured_span_masks_secret_parameters() {
    /// Logs in
    #[callpact::tool(write, secrets())]
    fn log_in(user: String, #[tool_param(secret)] password: String) -> String {
        format!("{user} came in with {password}")
    }
    let arguments = r#"{"user": "ada", "password": "pass-phrase"}"#;
    let edit = r#"{"user": "ada", "password": "other-phrase"}"#;
    let tools = Toolset::single(LogIn).unwrap();
    let edits = callpact::review::review_fn(move |_| async move {
        Ok(callpact::ReviewDecision::Edit(edit.to_owned()))
    });
    let plain = ToolContext::new().with_content_capture(true);
    let edited = plain
        .clone()
        .with_permissions(callpact::PermissionMode::Ask)
        .with_reviewer(edits);
    for cx in [plain, edited] {
        let logs = Logs::at(tracing::Level::TRACE);
        let reply = tools.call(&call("log_in", arguments), &cx).await.unwrap();
        assert!(reply.is_success());
        let all = logs.all();
        assert!(!all.contains("-phrase"), "{all}");
        assert!(all.contains("(secret)"), "{all}");
    }
}

#[tokio::test]
async fn a_secret_in_a_name_or_an_id_is_not_logged() {
    use std::sync::{Arc, OnceLock};
    /// Makes calls whose name and id are its secret.
    struct Naming(Arc<OnceLock<Toolset>>);
    impl AgentTool for Naming {
        fn name(&self) -> &str {
            "naming"
        }
        fn description(&self) -> &str {
            "d"
        }
        fn secret_params(&self) -> &'static [&'static str] {
            &["input"]
        }
        async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
            let tools = self.0.get().unwrap();
            for (id, name) in [("1", input), (input, "ok")] {
                let inner = ToolCall::new(id, name, r#"{"input":"x"}"#);
                let _ = tools.call(&inner, cx).await;
            }
            ToolResult::success("done")
        }
    }
    let inner = Arc::new(OnceLock::new());
    let list = Toolset::single(Naming(Arc::clone(&inner))).unwrap();
    let _ = inner.set(tools());
    let cx = ToolContext::new().with_secrets(MemorySecrets::new().with("token", "hunter2-hunter2"));
    let logs = Logs::at(tracing::Level::TRACE);
    let arguments = r#"{"input":"<secret_ref:token>"}"#;
    list.call(&call("naming", arguments), &cx).await.unwrap();
    let all = logs.all();
    assert!(all.contains("unknown tool"), "{all}");
    assert!(!all.contains("hunter2"), "{all}");
}

#[tokio::test]
async fn levels_are_those_of_the_specification() {
    let info = logged(tracing::Level::INFO, false, "ok").await;
    assert!(
        info.contains("INFO") && info.contains("Tool call: ok -> success ["),
        "{info}"
    );
    let warn = logged(tracing::Level::WARN, false, "fails").await;
    assert!(
        warn.contains("WARN") && warn.contains("Tool error: fails -> failure ["),
        "{warn}"
    );
    assert!(logged(tracing::Level::WARN, false, "ok").await.is_empty());
    let debug = logged(tracing::Level::DEBUG, true, "ok").await;
    assert!(
        debug.contains("DEBUG")
            && debug.contains(r#"arguments={"input":"ARGUMENT"} result=ARGUMENT"#),
        "{debug}"
    );
    let logs = Logs::at(tracing::Level::TRACE);
    tools().specs(Dialect::Portable);
    assert!(logs.all().contains("TRACE") && logs.all().contains("The input to pass to the tool"));
    drop(logs);
    let logs = Logs::at(tracing::Level::DEBUG);
    tools().specs(Dialect::Portable);
    assert!(logs.all().is_empty());
}

#[tokio::test]
async fn info_never_holds_arguments() {
    for capture in [false, true] {
        for name in ["ok", "fails", "boom", "halts", "nobody"] {
            let all = logged(tracing::Level::INFO, capture, name).await;
            assert!(!all.contains("ARGUMENT"), "{all}");
        }
    }
}

#[tokio::test]
async fn a_backend_shared_by_pointer_counts_as_well() {
    let counts = crate::kit::Counts::default();
    let cx = ToolContext::new().with_metrics(Arc::new(counts.clone()));
    tools().call(&call("ok", "{}"), &cx).await.unwrap();
    assert_eq!(counts.lines().len(), 2);
}

/// Never ends.
struct Endless;

impl AgentTool for Endless {
    fn name(&self) -> &str {
        "endless"
    }
    fn description(&self) -> &str {
        "d"
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        std::future::pending().await
    }
}

#[tokio::test]
async fn abandoned_call_is_counted() {
    let tools = Toolset::builder()
        .tool(Endless)
        .tool(
            ToolPipeline::new("pipe", "d")
                .then(echo("ok"))
                .then(Endless),
        )
        .build()
        .unwrap();
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_role("r")
        .with_metrics(counts.clone());
    // Like a request handler whose client went away.
    let soon = Duration::from_millis(5);
    let call_of = call("endless", "{}");
    let dropped = tokio::time::timeout(soon, tools.call(&call_of, &cx)).await;
    assert!(dropped.is_err());
    assert_eq!(
        counts.lines(),
        ["halt endless r cancelled", "duration endless r"]
    );
    let both = [call("pipe", "{}"), call("endless", "{}")];
    let dropped = tokio::time::timeout(soon, tools.call_all(&both, &cx)).await;
    assert!(dropped.is_err());
    assert_eq!(
        counts.lines()[2..],
        [
            "success ok r",
            "duration ok r",
            "halt endless r cancelled",
            "duration endless r",
            "halt pipe r cancelled",
            "duration pipe r"
        ],
        "the second call had not begun"
    );
}
