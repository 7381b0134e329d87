//! `Toolset::check`: the report that a call would give on its arguments, without the call.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use callpact::{
    Cancellation, FixKind, Outcome, Permission, PermissionMode, Policy, ReviewDecision,
    ToolContext, ToolInput, ToolReply, Toolset, TypedAgentTool,
    secret::{BoxFuture, ResolveError, SecretRef, SecretResolver, SecretValue},
};
use callpact_testing::RecordingReviewer;

use crate::kit::{Counts, call, text};

#[derive(ToolInput)]
struct Input {
    #[tool_param(max = 100)]
    size: u8,
    token: Option<String>,
}

/// Counts how often it is heard and run, and refuses thirteen before anybody is asked.
#[derive(Clone, Default)]
struct Counted {
    heard: Arc<AtomicUsize>,
    ran: Arc<AtomicUsize>,
}

impl TypedAgentTool for Counted {
    type Input = Input;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &["token"];
    fn name(&self) -> &str {
        "counted"
    }

    fn description(&self) -> &str {
        "Counts"
    }

    fn permission(&self) -> Permission {
        Permission::Destructive
    }

    fn precheck(&self, input: &Input) -> Result<(), String> {
        self.heard.fetch_add(1, Ordering::SeqCst);
        if input.size == 13 {
            return Err("thirteen is not done".to_owned());
        }
        Ok(())
    }

    async fn execute(&self, input: Input, _: &ToolContext) -> String {
        self.ran.fetch_add(1, Ordering::SeqCst);
        format!("{} {:?}", input.size, input.token)
    }
}

/// No secret is looked up if nothing runs.
struct Never;

impl SecretResolver for Never {
    fn resolve<'a>(
        &'a self,
        secret: &'a SecretRef,
    ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
        panic!("{} was looked up", secret.name());
    }
}

fn list(tool: &Counted) -> Toolset {
    Toolset::builder().tool(tool.clone()).build().unwrap()
}

/// The text for the model, and the changes.
fn said(reply: &ToolReply) -> (Outcome, String, Vec<String>) {
    let fixes = reply.fixes.iter().map(ToString::to_string).collect();
    (reply.outcome, reply.to_model().into_owned(), fixes)
}

#[test]
fn check_calls_no_reviewer_secret_store_or_tool() {
    let tool = Counted::default();
    let reviewer = RecordingReviewer::new([ReviewDecision::Continue]);
    let counts = Counts::default();
    let cx = ToolContext::new()
        .with_reviewer(reviewer.clone())
        .with_permissions(PermissionMode::Ask)
        .with_secrets(Never)
        .with_metrics(counts.clone());
    let arguments = r#"{"size": "5", "token": "<secret_ref:key>"}"#;
    let reply = list(&tool).check(&call("counted", arguments), &cx);
    assert_eq!(
        said(&reply),
        (
            Outcome::Success,
            String::new(),
            vec!["size: \"5\" read as 5".to_owned()]
        )
    );
    assert_eq!((&*reply.call_id, &*reply.tool), ("call-1", "counted"));
    assert!(reply.is_success() && reply.result.structured().is_none());
    assert!(reviewer.requests().is_empty() && counts.lines().is_empty());
    assert_eq!(tool.heard.load(Ordering::SeqCst), 1, "the tool itself");
    assert_eq!(tool.ran.load(Ordering::SeqCst), 0);
}

/// A check and a call report every fault before the review in the same words.
#[tokio::test]
async fn it_says_what_the_call_says() {
    let tool = Counted::default();
    let tools = list(&tool);
    let lax = ToolContext::new();
    let repair = ToolContext::new().with_policy(Policy::repair());
    let exact = ToolContext::new().with_policy(Policy::exact());
    for (name, arguments, outcome) in [
        ("counted", "{}", Outcome::InvalidArguments),
        ("counted", r#"{"size": 101}"#, Outcome::InvalidArguments),
        (
            "counted",
            r#"{"size": 5, "token": "<secret_ref: key>"}"#,
            Outcome::InvalidArguments,
        ),
        ("counted", r#"{"size": 5"#, Outcome::InvalidArguments),
        ("counted", "", Outcome::InvalidArguments),
        ("counted", r#"{"size": 13}"#, Outcome::Refused),
        ("count", r#"{"size": 5}"#, Outcome::UnknownTool),
        ("", "", Outcome::UnknownTool),
    ] {
        for cx in [&lax, &exact, &repair] {
            let call = call(name, arguments);
            let checked = tools.check(&call, cx);
            let called = tools.call(&call, cx).await.unwrap();
            assert_eq!(said(&checked), said(&called), "{arguments}");
            assert_eq!(
                (&checked.tool, &checked.call_id),
                (&called.tool, &called.call_id)
            );
            assert_eq!(checked.outcome, outcome, "{arguments}");
            assert_eq!(
                checked.result.report().map(ToString::to_string),
                called.result.report().map(ToString::to_string)
            );
        }
    }
    assert_eq!(tool.ran.load(Ordering::SeqCst), 0);
    // The policy decides how broken a text may be.
    let broken = call("counted", "{size: 5,}");
    assert!(!tools.check(&broken, &lax).is_success());
    let mended = tools.check(&broken, &repair);
    assert!(mended.is_success());
    let kinds: Vec<FixKind> = mended.fixes.iter().map(|fix| fix.kind).collect();
    assert_eq!(kinds, [FixKind::UnquotedKey, FixKind::ExtraComma]);
}

/// The limit of the list on the model's text applies here too.
#[tokio::test]
async fn check_bounds_report_like_call() {
    let tools = Toolset::builder()
        .tool(Counted::default())
        .max_output(40)
        .build()
        .unwrap();
    let wrong = call("counted", r#"{"size": "much", "token": 7}"#);
    let cx = ToolContext::new();
    let called = tools.call(&wrong, &cx).await.unwrap();
    let checked = tools.check(&wrong, &cx);
    assert_eq!(said(&checked), said(&called));
    let whole = list(&Counted::default()).check(&wrong, &cx);
    let whole = whole.to_model();
    let (cut, length) = (whole.chars().take(40), whole.chars().count());
    let cut: String = cut.collect();
    let words = format!("{cut}... [truncated, full length: {length} chars]");
    assert_eq!(checked.to_model(), words);
}

/// A call that ends before its arguments are read, or a question that nobody would answer, says
/// nothing about the arguments.
#[test]
fn check_reports_only_argument_problems() {
    let tool = Counted::default();
    let cancelled = Cancellation::new();
    cancelled.cancel();
    for cx in [
        ToolContext::new().with_cancellation(cancelled),
        ToolContext::new().with_deadline(std::time::Instant::now()),
        ToolContext::new().with_permissions(PermissionMode::Deny),
        ToolContext::new().with_permissions(PermissionMode::Ask),
    ] {
        let reply = list(&tool).check(&call("counted", r#"{"size": 5}"#), &cx);
        assert!(reply.is_success(), "{reply:?}");
    }
}

/// The arguments of a text tool cannot be wrong, and a crash while reading does not crash the program.
#[test]
fn other_tools() {
    struct Crashes;
    impl TypedAgentTool for Crashes {
        type Input = Input;
        type Output = String;
        const SECRET_PARAMS: &'static [&'static str] = &[];
        fn name(&self) -> &str {
            "crashes"
        }
        fn description(&self) -> &str {
            "Crashes"
        }
        fn permission(&self) -> Permission {
            Permission::ReadOnly
        }
        fn precheck(&self, _: &Input) -> Result<(), String> {
            panic!("in the check")
        }
        async fn execute(&self, _: Input, _: &ToolContext) -> String {
            String::new()
        }
    }
    let tools = Toolset::builder()
        .tool(text("text", |_, _| panic!("it runs")))
        .tool(Crashes)
        .build()
        .unwrap();
    let cx = ToolContext::new();
    assert!(tools.check(&call("text", "anything {"), &cx).is_success());
    let reply = tools.check(&call("crashes", r#"{"size": 5}"#), &cx);
    assert_eq!(reply.outcome, Outcome::Crash);
}
