//! Code of the program around the run of a call.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use callpact::{
    CallLayer, Dialect, Halt, Outcome, ReviewDecision, ToolContext, ToolReply, ToolResult, Toolset,
    review::review_fn,
    secret::MemorySecrets,
    toolset::{BoxFuture, LayerCall, Next},
};

use crate::kit::{Counts, call, echo, text};

type Log = Arc<Mutex<Vec<String>>>;

/// Writes down what it sees, under a name.
struct Audit(&'static str, Log);

impl CallLayer for Audit {
    fn around<'a>(
        &'a self,
        call: &'a LayerCall<'a>,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
        Box::pin(async move {
            let log = |text: String| self.1.lock().unwrap().push(format!("{} {text}", self.0));
            log(format!("{} {}", call.name, call.arguments));
            let result = next.run().await;
            if let Ok(result) = &result {
                log(result.to_model());
            }
            result
        })
    }
}

/// Answers a call that it has seen before.
#[derive(Default)]
struct Cache(Mutex<BTreeMap<String, ToolResult>>);

impl CallLayer for Cache {
    fn around<'a>(
        &'a self,
        call: &'a LayerCall<'a>,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
        Box::pin(async move {
            let key = format!("{} {}", call.name, call.arguments);
            let known = self.0.lock().unwrap().get(&key).cloned();
            if let Some(known) = known {
                return Ok(known);
            }
            let result = next.run().await?;
            self.0.lock().unwrap().insert(key, result.clone());
            Ok(result)
        })
    }
}

#[tokio::test]
async fn layers_nest_inside_out_and_see_no_secret() {
    let log = Log::default();
    let tool = text("secret_send", |input, _| {
        ToolResult::success(format!("sent {input}"))
    });
    let inner = Toolset::builder()
        .tool(tool)
        .around(Audit("inner", Arc::clone(&log)))
        .build()
        .unwrap();
    let tools = Toolset::builder()
        .tools(inner)
        .around(Audit("outer", Arc::clone(&log)))
        .build()
        .unwrap();
    let cx = ToolContext::new().with_secrets(MemorySecrets::new().with("key", "hunter2-hunter2"));
    let arguments = r#"{"input":"<secret_ref:key>"}"#;
    let reply = tools
        .call(&call("secret_send", arguments), &cx)
        .await
        .unwrap();
    assert_eq!(reply.to_model(), "sent <secret_ref:key>");
    assert_eq!(
        *log.lock().unwrap(),
        [
            format!("outer secret_send {arguments}"),
            format!("inner secret_send {arguments}"),
            "inner sent <secret_ref:key>".to_owned(),
            "outer sent <secret_ref:key>".to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_layer_can_answer_and_cannot_skip_approval() {
    let counts = Counts::default();
    let ran = counts.clone();
    let tool = text("add", move |input, _| {
        ran.add("ran".to_owned());
        ToolResult::success(input)
    });
    let tools = Toolset::builder()
        .tool(tool)
        .around(Cache::default())
        .build()
        .unwrap();
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let reviewer = review_fn(move |_| {
        *count.lock().unwrap() += 1;
        async { Ok(ReviewDecision::Continue) }
    });
    let cx = ToolContext::new().with_reviewer(reviewer);
    for _ in 0..3 {
        let reply = tools.call(&call("add", r#"{"input":"5"}"#), &cx).await;
        assert_eq!(reply.unwrap().to_model(), "5");
    }
    assert_eq!(counts.lines(), ["ran"]);
    assert_eq!(*asked.lock().unwrap(), 3);
    let no = review_fn(|_| async { Ok(ReviewDecision::REJECT) });
    let cx = ToolContext::new().with_reviewer(no);
    let halt = tools.call(&call("add", r#"{"input":"5"}"#), &cx).await;
    assert!(matches!(halt, Err(Halt::ExitEarly { .. })));
}

#[tokio::test]
async fn outcomes_and_halts_pass_through_layers() {
    let log = Log::default();
    let tools = Toolset::builder()
        .tool(text("boom", |_, _| panic!("p")))
        .tool(text("fails", |_, _| ToolResult::failure("f")))
        .tool(text("halts", |_, _| {
            ToolResult::halt(Halt::exit_early("e"))
        }))
        .tool(echo("ok"))
        .around(Audit("a", Arc::clone(&log)))
        .build()
        .unwrap();
    let cx = ToolContext::new();
    for (name, outcome) in [
        ("boom", Outcome::Crash),
        ("fails", Outcome::Failure),
        ("ok", Outcome::Success),
    ] {
        let reply = tools.call(&call(name, "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, outcome);
    }
    let halt = tools.call(&call("halts", "{}"), &cx).await;
    assert_eq!(halt.unwrap_err(), Halt::exit_early("e"));
}

/// Panics, or never ends.
struct Broken(bool);

impl CallLayer for Broken {
    fn around<'a>(
        &'a self,
        _: &'a LayerCall<'a>,
        _: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
        assert!(!self.0, "a layer that panics");
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn broken_layer_ends_only_current_call() {
    let cx = ToolContext::new().with_timeout(Duration::from_millis(20));
    for (panics, outcome) in [(true, Outcome::Crash), (false, Outcome::TimedOut)] {
        let tools = Toolset::builder()
            .tool(echo("ok"))
            .around(Broken(panics))
            .build()
            .unwrap();
        let reply = tools.call(&call("ok", "{}"), &cx).await.unwrap();
        assert_eq!(reply.outcome, outcome, "{}", reply.to_model());
    }
}

#[tokio::test]
async fn marks_error_like_success_in_text_only_replies() {
    let tools = Toolset::builder()
        .tool(text("log", |_, _| {
            ToolResult::success("Error: disk full (from the log)")
        }))
        .tool(text("fails", |_, _| ToolResult::failure("disk full")))
        .tool(text("chart", |_, _| {
            ToolResult::success("Error: none").with_image("image/png", [0, 0, 0])
        }))
        .build()
        .unwrap();
    let cx = ToolContext::new();
    let log = tools.call(&call("log", "{}"), &cx).await.unwrap();
    let fails = tools.call(&call("fails", "{}"), &cx).await.unwrap();
    let told = "The tool succeeded. Its output:\nError: disk full (from the log)";
    assert_eq!(log.to_text_alone(), told);
    assert_eq!(fails.to_text_alone(), "Error: disk full");
    for (dialect, place) in [
        (Dialect::OpenAi, "/content"),
        (Dialect::Mistral, "/content"),
        (Dialect::Ollama, "/content"),
        (Dialect::OpenAiResponses, "/output"),
    ] {
        let text = |reply: &ToolReply| reply.to_message(dialect).pointer(place).cloned();
        assert_eq!(text(&log), Some(told.into()), "{dialect}");
        assert_eq!(text(&fails), Some("Error: disk full".into()), "{dialect}");
    }
    // A field of the reply says it, and the text is the tool's own.
    for (dialect, place) in [
        (Dialect::Anthropic, "/content"),
        (Dialect::Gemini, "/functionResponse/response/output"),
        (Dialect::Bedrock, "/toolResult/content/0/text"),
        (Dialect::Mcp20260728, "/content/0/text"),
    ] {
        let message = log.to_message(dialect);
        let text = message.pointer(place);
        assert_eq!(
            text,
            Some(&"Error: disk full (from the log)".into()),
            "{dialect}"
        );
    }
    // Beside a picture, in blocks.
    let reply = tools.call(&call("chart", "{}"), &cx).await.unwrap();
    let sent = reply.to_message(Dialect::OpenAiResponses);
    assert_eq!(sent["output"][0]["text"], "The tool succeeded. Its output:");
    assert_eq!(sent["output"][1]["text"], "Error: none");
    assert_eq!(
        reply.to_message(Dialect::Anthropic)["content"][0]["text"],
        "Error: none"
    );
}
