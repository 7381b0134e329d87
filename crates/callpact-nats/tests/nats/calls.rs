//! Calls through a server: results, progress, approval, secrets, what travels.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use callpact::{
    AgentTool, Content, Halt, Outcome, Permission, PermissionMode, ReviewDecision, ReviewHandler,
    ReviewRequest, ToolCall, ToolContext, ToolResult, Toolset, observe::ToolMetrics, review,
    secret::MemorySecrets, tool, tools,
};
use callpact_nats::{Serving, TraceParent, Workers, worker};
use callpact_testing::RecordingReviewer;

use crate::kit::{Nats, server};

/// Adds two numbers
#[tool(read_only)]
fn add(a: i64, #[tool_param(min = 0, max = 100)] b: i64) -> i64 {
    a + b
}

/// Draws a chart
#[tool(read_only)]
fn draw() -> ToolResult {
    ToolResult::success("a chart")
        .with_structured(serde_json::json!({"points": [1, 2]}))
        .with_content(Content::resource("file:///a.csv", "text/csv", "1,2"))
}

/// Always fails
#[tool(read_only)]
fn fail() -> Result<String, std::io::Error> {
    Err(std::io::Error::other("no paper"))
}

/// Crashes
#[tool(read_only)]
fn crash() -> String {
    panic!("on purpose")
}

/// Deletes a file
#[tool(destructive)]
fn delete(path: String) -> String {
    format!("{path} is gone")
}

/// Reports its steps
#[tool(read_only)]
async fn steps(cx: &ToolContext) -> String {
    for step in 1..=3 {
        cx.progress(f64::from(step), Some(3.0), Some("a step"));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    "walked".to_owned()
}

/// Sends a text with a token
#[tool(read_only, secrets(token))]
fn send(token: String, text: String) -> String {
    format!(
        "{text} with {} characters of {token}",
        token.chars().count()
    )
}

/// Says what the call brought along
#[tool(read_only)]
fn circumstances(cx: &ToolContext) -> String {
    let trace = cx.get::<TraceParent>().map_or("no trace", |trace| &trace.0);
    let key = cx.idempotency_key().is_some();
    format!(
        "{} {} {} key {key}",
        cx.role(),
        cx.caller().unwrap_or("nobody"),
        trace
    )
}

async fn serve(nats: &Nats, tools: Toolset, cx: ToolContext) -> Serving {
    worker(tools, cx).connect(nats.url()).start().await.unwrap()
}

fn all() -> Toolset {
    let builder = Toolset::builder()
        .tool(Add)
        .tool(Draw)
        .tool(Fail)
        .tool(Crash);
    let builder = builder
        .tool(Delete)
        .tool(Steps)
        .tool(Send)
        .tool(Circumstances);
    builder.build().unwrap()
}

async fn host(nats: &Nats) -> Toolset {
    let workers = Workers::connect(nats.url()).await.unwrap();
    assert_eq!(workers.unusable(), []);
    Toolset::builder().tools(workers.tools()).build().unwrap()
}

async fn call(tools: &Toolset, name: &str, arguments: &str, cx: &ToolContext) -> (Outcome, String) {
    let reply = tools
        .call(&ToolCall::new("call-1", name, arguments), cx)
        .await
        .unwrap();
    (reply.outcome, reply.to_model().into_owned())
}

#[tokio::test]
async fn a_result_is_the_same_as_at_home() {
    let Some(nats) = server().await else { return };
    let _serving = serve(&nats, all(), ToolContext::new()).await;
    let (home, away) = (all(), host(&nats).await);
    let cx = ToolContext::new();
    assert!(home.names().eq(away.names()));
    for (name, arguments) in [
        ("add", r#"{"a": 40, "b": 2}"#),
        ("add", r#"{"a": "40", "b": 2}"#),
        ("add", r#"{"b": 200}"#),
        ("draw", "{}"),
        ("fail", "{}"),
        ("crash", "{}"),
        ("delete", r#"{"path": "a.md"}"#),
        ("none", "{}"),
    ] {
        let wanted = ToolCall::new("call-1", name, arguments);
        let at_home = home.call(&wanted, &cx).await.unwrap();
        let reply = away.call(&wanted, &cx).await.unwrap();
        assert_eq!(reply.outcome, at_home.outcome, "{name}");
        assert_eq!(reply.to_model(), at_home.to_model(), "{name}");
        assert_eq!(reply.result.content(), at_home.result.content());
        assert_eq!(reply.result.structured(), at_home.result.structured());
        assert_eq!(reply.fixes, at_home.fixes);
    }
}

#[tokio::test]
async fn progress_comes_back_in_order() {
    let Some(nats) = server().await else { return };
    let _serving = serve(&nats, all(), ToolContext::new()).await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&heard);
    let cx = ToolContext::new().with_progress(move |done, total, message| {
        sink.lock()
            .unwrap()
            .push((done, total, message.map(str::to_owned)));
    });
    let ended = call(&host(&nats).await, "steps", "{}", &cx).await;
    assert_eq!(ended, (Outcome::Success, "walked".to_owned()));
    let step = |done| (done, Some(3.0), Some("a step".to_owned()));
    assert_eq!(*heard.lock().unwrap(), [step(1.0), step(2.0), step(3.0)]);
}

#[tokio::test]
async fn the_host_asks_and_what_it_approved_runs() {
    let Some(nats) = server().await else { return };
    let _serving = serve(&nats, all(), ToolContext::new()).await;
    let tools = host(&nats).await;
    let edit = ReviewDecision::Edit(r#"{"path": "b.md"}"#.to_owned());
    let reviewer = RecordingReviewer::new([edit, ReviewDecision::REJECT]);
    let cx = ToolContext::new().with_reviewer(reviewer);
    let ended = call(&tools, "delete", r#"{"path": "a.md"}"#, &cx).await;
    let edited = "b.md is gone\n\nNote: a person edited this call to: {\"path\": \"b.md\"}";
    assert_eq!(ended, (Outcome::Success, edited.to_owned()));
    let rejected = tools
        .call(&ToolCall::new("2", "delete", r#"{"path": "a.md"}"#), &cx)
        .await;
    assert!(
        matches!(rejected, Err(Halt::ExitEarly { .. })),
        "{rejected:?}"
    );
    // Nobody is asked about a call that only reads.
    let ended = call(&tools, "add", r#"{"a": 1, "b": 1}"#, &cx).await;
    assert_eq!(ended, (Outcome::Success, "2".to_owned()));
}

#[tokio::test]
async fn host_enforces_approval_of_worker_list() {
    let Some(nats) = server().await else { return };
    let demanding = all().require_approval(|name| name == "add");
    let _serving = serve(&nats, demanding, ToolContext::new()).await;
    let tools = host(&nats).await;
    let wanted = ToolCall::new("1", "add", r#"{"a": 1, "b": 1}"#);
    let halt = tools.call(&wanted, &ToolContext::new()).await;
    assert!(matches!(halt, Err(Halt::Misconfigured(_))), "{halt:?}");
    let cx = ToolContext::new().with_reviewer(review::auto_approve());
    assert_eq!(tools.call(&wanted, &cx).await.unwrap().to_model(), "2");
}

#[tokio::test]
async fn host_enforces_role_of_worker() {
    let Some(nats) = server().await else { return };
    let demanding = Toolset::builder().tools(all());
    let demanding = demanding.require_approval_by("delete", "ops").build();
    let _serving = serve(&nats, demanding.unwrap(), ToolContext::new()).await;
    let tools = host(&nats).await;
    assert_eq!(tools.required_role("delete"), Some("ops"));
    let wanted = ToolCall::new("1", "delete", r#"{"path": "a.md"}"#);
    // Neither a mode that allows everything nor a reviewer of another role is enough.
    let allows = || ToolContext::new().with_permissions(PermissionMode::AllowAll);
    let anybody = Arc::new(RecordingReviewer::new([ReviewDecision::Continue]));
    for cx in [
        allows(),
        allows().with_reviewer(anybody.clone()),
        allows().with_reviewer(anybody.clone().with_role("sales")),
    ] {
        let halt = tools.call(&wanted, &cx).await;
        assert!(matches!(halt, Err(Halt::Misconfigured(_))), "{halt:?}");
    }
    assert!(anybody.requests().is_empty(), "nobody else is asked");
    let ops = Arc::new(RecordingReviewer::new([ReviewDecision::Continue]));
    let cx = allows().with_reviewer(ops.clone().with_role("ops"));
    let ended = tools.call(&wanted, &cx).await.unwrap();
    assert_eq!(ended.to_model(), "a.md is gone");
    assert_eq!(ops.requests()[0].required_role.as_deref(), Some("ops"));
}

#[tokio::test]
async fn deciding_worker_requires_role_of_own_reviewer() {
    let Some(nats) = server().await else { return };
    let demanding = Toolset::builder().tools(all());
    let demanding = demanding.require_approval_by("delete", "ops").build();
    let cx = ToolContext::new().with_reviewer(review::auto_approve());
    let _serving = serve(&nats, demanding.unwrap(), cx).await;
    let cx = ToolContext::new().with_reviewer(review::auto_approve().with_role("ops"));
    let (outcome, text) = call(&host(&nats).await, "delete", r#"{"path": "a"}"#, &cx).await;
    assert_eq!(outcome, Outcome::Refused);
    assert!(
        text.contains("did not run: the worker halted the call"),
        "{text}"
    );
}

/// Asks for a name, and greets
#[tool(read_only)]
async fn greet(cx: &ToolContext) -> Result<String, Halt> {
    Ok(
        match cx.review(ReviewRequest::new("Who is there?")).await? {
            ReviewDecision::Edit(name) => format!("hello {name}"),
            ReviewDecision::Refuse(why) => format!("not asked: {why}"),
            other => format!("nobody knows: {other:?}"),
        },
    )
}

/// Asks about its calls by itself.
struct Careful;

impl AgentTool for Careful {
    fn name(&self) -> &'static str {
        "careful"
    }

    fn description(&self) -> &'static str {
        "Does a thing"
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    fn asks_itself(&self) -> bool {
        true
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match cx.review(ReviewRequest::new(input)).await {
            Ok(ReviewDecision::Continue) => ToolResult::success("done"),
            other => ToolResult::failure(format!("{other:?}")),
        }
    }
}

#[tokio::test]
async fn worker_does_not_approve_unasked_question() {
    let Some(nats) = server().await else { return };
    let asking = Toolset::builder().tool(Greet).tool(Careful);
    let asking = asking.require_approval("greet").build();
    let _serving = serve(&nats, asking.unwrap(), ToolContext::new()).await;
    let tools = host(&nats).await;
    let person = Arc::new(RecordingReviewer::new([
        ReviewDecision::Continue,
        ReviewDecision::Continue,
    ]));
    let cx = ToolContext::new().with_reviewer(person.clone());
    let (outcome, text) = call(&tools, "greet", "{}", &cx).await;
    assert_eq!(
        (outcome, &*text),
        (
            Outcome::Success,
            "not asked: nobody can be asked at the worker that runs the tool"
        )
    );
    // The host asked about this one in its place.
    let (outcome, text) = call(&tools, "careful", r#"{"input": "go"}"#, &cx).await;
    assert_eq!((outcome, &*text), (Outcome::Success, "done"));
    assert_eq!(person.requests().len(), 2);
}

/// Counts calls by their role.
#[derive(Clone, Default)]
struct Counted(Arc<Mutex<Vec<String>>>);

impl ToolMetrics for Counted {
    fn increment_success(&self, tool: &str, role: &str) {
        self.0.lock().unwrap().push(format!("{tool} for {role}"));
    }
}

#[tokio::test]
async fn host_and_worker_count_same_role() {
    let Some(nats) = server().await else { return };
    let (here, there) = (Counted::default(), Counted::default());
    let cx = ToolContext::new().with_metrics(there.clone());
    let _serving = serve(&nats, all(), cx).await;
    let tools = host(&nats).await;
    let cx = ToolContext::new().with_metrics(here.clone());
    call(&tools, "draw", "{}", &cx.clone().with_role("researcher")).await;
    call(&tools, "draw", "{}", &cx).await;
    for counted in [here, there] {
        let counted = counted.0.lock().unwrap();
        assert_eq!(*counted, ["draw for researcher", "draw for unknown"]);
    }
}

#[tokio::test]
async fn resolves_secrets_only_at_worker() {
    let Some(nats) = server().await else { return };
    let secrets = MemorySecrets::new().with("token", "hunter2-hunter2");
    let _serving = serve(&nats, all(), ToolContext::new().with_secrets(secrets)).await;
    let tools = host(&nats).await;
    let cx = ToolContext::new();
    let given = r#"{"token": "<secret_ref:token>", "text": "hello"}"#;
    let ended = call(&tools, "send", given, &cx).await;
    let text = "hello with 15 characters of <secret_ref:token>".to_owned();
    assert_eq!(ended, (Outcome::Success, text));
    // In any other parameter a reference is refused at the host.
    let given = r#"{"token": "x", "text": "<secret_ref:token>"}"#;
    let (outcome, text) = call(&tools, "send", given, &cx).await;
    assert_eq!(outcome, Outcome::InvalidArguments, "{text}");
    assert!(text.contains("secrets go in: `token`"), "{text}");
    // No message at the server has the value.
    let data = std::fs::read_dir(nats.dir().join("data")).unwrap();
    assert!(!holds(data, b"hunter2-hunter2"));
    let data = std::fs::read_dir(nats.dir().join("data")).unwrap();
    assert!(holds(data, b"<secret_ref:token>"));
}

/// Whether a file below a directory holds some bytes.
fn holds(dir: std::fs::ReadDir, bytes: &[u8]) -> bool {
    dir.flatten().any(|entry| {
        if let Ok(inner) = std::fs::read_dir(entry.path()) {
            return holds(inner, bytes);
        }
        let file = std::fs::read(entry.path()).unwrap_or_default();
        file.windows(bytes.len()).any(|window| window == bytes)
    })
}

#[tokio::test]
async fn role_caller_trace_and_key_travel() {
    let Some(nats) = server().await else { return };
    let _serving = serve(&nats, all(), ToolContext::new()).await;
    let cx = ToolContext::new()
        .with_role("researcher")
        .with_caller("ada")
        .with(TraceParent(
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(),
        ));
    let (_, text) = call(&host(&nats).await, "circumstances", "{}", &cx).await;
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    assert_eq!(text, format!("researcher ada {trace} key true"));
}

struct Counter(Arc<Mutex<u32>>);

#[tools]
impl Counter {
    /// Counts
    #[tool(write)]
    fn count(&self) -> u32 {
        let mut count = self.0.lock().unwrap();
        *count += 1;
        *count
    }
}

#[tokio::test]
async fn repeated_call_of_run_returns_same_result() {
    let Some(nats) = server().await else { return };
    let runs = Arc::new(Mutex::new(0));
    let tools = Toolset::builder()
        .tools(Counter(Arc::clone(&runs)))
        .build()
        .unwrap();
    let _serving = serve(&nats, tools, ToolContext::new()).await;
    let cx = ToolContext::new().with_run("run-7");
    assert_eq!(call(&host(&nats).await, "count", "{}", &cx).await.1, "1");
    // The same after a restart of the host.
    assert_eq!(call(&host(&nats).await, "count", "{}", &cx).await.1, "1");
    assert_eq!(*runs.lock().unwrap(), 1);
    assert_eq!(
        call(&host(&nats).await, "count", "{}", &ToolContext::new())
            .await
            .1,
        "2"
    );
}
