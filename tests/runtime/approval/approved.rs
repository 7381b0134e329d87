//! An approval inside a tool, by `ToolContext::approved`.

// A preview and a check get each parameter by reference, and the tool itself if they ask for it.
#![allow(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    clippy::unused_self
)]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use crate::kit::call;
use callpact::{
    Halt, ReviewDecision, ReviewRequest, State, ToolContext, ToolError, ToolInput, ToolReply,
    Toolset, review::review_fn, secret::MemorySecrets, tool, tools,
};
use serde::Serialize;

/// What there is to deploy to.
#[derive(Default)]
struct Fleet(AtomicUsize);

#[derive(Debug, ToolInput, Serialize)]
struct Target {
    service: String,
    #[tool_param(min = 1, max = 9, default = 1)]
    replicas: u32,
    token: Option<String>,
}

/// Deploys a service
#[tool(destructive, asks_itself, secrets(target.token))]
async fn deploy(
    target: Target,
    fleet: State<Fleet>,
    cx: &ToolContext,
) -> Result<String, ToolError> {
    let target = cx
        .approved("Deploy", target)
        .preview(|target| {
            let machines = fleet.0.0.load(Ordering::SeqCst);
            (machines > 0).then(|| format!("{} to {machines} machines", target.service))
        })
        .check(|target| match target.service.as_str() {
            "core" => Err("core is deployed by hand".to_owned()),
            _ => Ok(()),
        })
        .await?;
    Ok(format!("{target:?}"))
}

const CALL: &str = r#"{"target": {"service": "web", "replicas": 3}}"#;

type Seen = Arc<Mutex<Vec<ReviewRequest>>>;

/// A context whose reviewer gives these decisions in order, and then refuses.
fn deciding(decisions: &[ReviewDecision]) -> (ToolContext, Seen) {
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    let decisions = decisions.to_vec();
    let cx = ToolContext::new()
        .with(Fleet::default())
        .with_reviewer(review_fn(move |request| {
            let mut log = log.lock().unwrap();
            let decision = decisions.get(log.len()).cloned();
            log.push(request);
            async move { Ok(decision.unwrap_or(ReviewDecision::REJECT)) }
        }));
    (cx, seen)
}

fn edit(text: &str) -> ReviewDecision {
    ReviewDecision::Edit(text.to_owned())
}

async fn made(arguments: &str, cx: &ToolContext) -> ToolReply {
    let tools = Toolset::single(Deploy).unwrap();
    tools.call(&call("deploy", arguments), cx).await.unwrap()
}

#[tokio::test]
async fn a_yes_returns_the_input() {
    let (cx, seen) = deciding(&[ReviewDecision::Continue]);
    let reply = made(CALL, &cx).await;
    let expected = r#"Target { service: "web", replicas: 3, token: None }"#;
    assert_eq!(reply.to_model(), expected);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 1, "the list does not ask as well");
    assert_eq!(seen[0].description, "Deploy");
    assert_eq!(
        seen[0].action,
        r#"{"service":"web","replicas":3,"token":null}"#
    );
    assert_eq!(
        (seen[0].tool.as_str(), seen[0].digest.len()),
        ("deploy", 64)
    );
}

#[tokio::test]
async fn an_edit_is_read_checked_and_shown() {
    // The default is more than the text shows.
    let (cx, seen) = deciding(&[edit(r#"{"service": "api"}"#), ReviewDecision::Continue]);
    let reply = made(CALL, &cx).await;
    let expected = r#"Target { service: "api", replicas: 1, token: None }"#;
    assert_eq!(reply.result.output(), expected);
    assert!(
        reply
            .to_model()
            .ends_with(r#"a person edited this call to: {"service": "api"}"#)
    );
    let seen = seen.lock().unwrap().clone();
    assert_eq!(seen[1].description, "Deploy, as a person edited it");
    assert_eq!(
        seen[1].action,
        r#"{"service":"api","replicas":1,"token":null}"#
    );
    assert_ne!(seen[0].digest, seen[1].digest);

    let whole = r#"{"service":"api","replicas":2,"token":null}"#;
    for (text, count, expected) in [
        (
            whole,
            1,
            r#"Target { service: "api", replicas: 2, token: None }"#,
        ),
        (
            r#"{"service":"core","replicas":2}"#,
            1,
            "Error: core is deployed by hand",
        ),
        (
            r#"{"service":"api","replicas":20}"#,
            1,
            "Error: Invalid arguments, 1 problem:\n- replicas: expected an integer from 1 to 9, found 20",
        ),
    ] {
        let (cx, seen) = deciding(&[edit(text)]);
        let reply = made(CALL, &cx).await;
        let said = reply.to_model();
        let said = said.split("\n\nNote").next().unwrap();
        assert_eq!((said, seen.lock().unwrap().len()), (expected, count));
    }
}

#[tokio::test]
async fn rejection_fails_call_and_missing_reviewer_halts_run() {
    for (no, expected) in [
        (
            ReviewDecision::REJECT,
            "Error: Deploy: rejected by the reviewer",
        ),
        (
            ReviewDecision::Refuse("not on Friday".into()),
            "Error: Deploy: rejected by the reviewer: not on Friday",
        ),
    ] {
        let (cx, _) = deciding(&[no]);
        assert_eq!(made(CALL, &cx).await.to_model(), expected);
    }
    let tools = Toolset::single(Deploy).unwrap();
    let cx = ToolContext::new().with(Fleet::default());
    let halt = tools.call(&call("deploy", CALL), &cx).await.unwrap_err();
    assert!(matches!(halt, Halt::Misconfigured(_)), "{halt:?}");
}

#[tokio::test]
async fn rejects_effect_changed_after_review() {
    let fleet = Arc::new(Fleet(AtomicUsize::new(2)));
    for grows in [false, true] {
        let machines = Arc::clone(&fleet);
        let cx = ToolContext::new()
            .with(Arc::clone(&fleet))
            .with_reviewer(review_fn(move |request: ReviewRequest| {
                assert!(request.preview.is_some());
                if grows {
                    machines.0.fetch_add(1, Ordering::SeqCst);
                }
                async { Ok(ReviewDecision::Continue) }
            }));
        let reply = made(CALL, &cx).await;
        assert_eq!(reply.is_success(), !grows, "{}", reply.to_model());
    }
}

#[tokio::test]
async fn edit_keeps_placeholders_and_rejects_new_secrets() {
    let with_token = r#"{"target": {"service": "web", "token": "<secret_ref:token>"}}"#;
    let secrets = || MemorySecrets::new().with("token", "hun\"ter2-hunter2");
    let text = r#"{"service":"api","replicas":2,"token":"<secret_ref:token>"}"#;
    let (cx, seen) = deciding(&[edit(text), ReviewDecision::Continue]);
    let reply = made(with_token, &cx.with_secrets(secrets())).await;
    let expected = r#"Target { service: "api", replicas: 2, token: Some("<secret_ref:token>") }"#;
    assert_eq!(reply.result.output(), expected);
    assert!(!format!("{:?}", seen.lock().unwrap()).contains("hunter2"));

    let other = text.replace("secret_ref:token", "secret_ref:other");
    for arguments in [with_token, CALL] {
        let (cx, _) = deciding(&[edit(&other)]);
        let tools = Toolset::single(Deploy).unwrap();
        let cx = cx.with_secrets(secrets().with("other", "secret-2-secret-2"));
        let halt = tools.call(&call("deploy", arguments), &cx).await;
        assert!(matches!(halt, Err(Halt::ReviewFailed(_))), "{halt:?}");
    }
}

#[tokio::test]
async fn a_decision_from_elsewhere_answers_the_question() {
    let (cx, seen) = deciding(&[]);
    let tools = Toolset::single(Deploy).unwrap();
    let later = cx.clone().with_deferred_approval();
    let Err(Halt::Pending(pending)) = tools.call(&call("deploy", CALL), &later).await else {
        panic!("it waits");
    };
    let yes = ReviewDecision::Continue;
    let reply = tools.decide(&pending, yes, &cx).await.unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
    assert!(seen.lock().unwrap().is_empty());
}

/// A tool whose effect and rules are functions.
#[tool(write, preview = show_pay, precheck = check_pay)]
fn pay(euros: u32, to: String) -> String {
    format!("paid {euros} to {to}")
}

fn show_pay(euros: &u32, to: &str) -> String {
    format!("{to} gets {euros} EUR")
}

fn check_pay(euros: &u32, _: &str) -> Result<(), &'static str> {
    if *euros > 100 {
        Err("that is too much")
    } else {
        Ok(())
    }
}

struct Bank {
    most: u32,
}

#[tools]
impl Bank {
    /// Pays
    #[tool(write, preview = show, precheck = check)]
    fn pay(&self, euros: u32, to: Option<String>) -> u32 {
        let _ = to;
        self.most - euros
    }

    /// Gives back
    #[tool(write, preview = show_back)]
    fn give_back(&self, _cx: &ToolContext) {}

    fn show(&self, euros: &u32, to: &Option<String>) -> Option<String> {
        to.as_ref()
            .map(|to| format!("{to}: {} are left", self.most - euros))
    }

    fn check(&self, euros: &u32, _: &Option<String>) -> Result<(), String> {
        let error = format!("at most {}", self.most);
        (*euros <= self.most).then_some(()).ok_or(error)
    }

    fn show_back(&self) -> String {
        "all of it".to_owned()
    }
}

#[tokio::test]
async fn functions_and_methods_have_previews_and_checks() {
    let functions = Toolset::single(Pay).unwrap();
    let methods = Toolset::builder().tools(Bank { most: 50 }).build().unwrap();
    let cx = ToolContext::new().with_deferred_approval();
    let preview = async |tools: &Toolset, name: &str, arguments: &str| match tools
        .call(&call(name, arguments), &cx)
        .await
    {
        Err(Halt::Pending(pending)) => pending.preview.clone(),
        other => Some(other.unwrap().to_model().into_owned().into()),
    };
    for (tools, name, arguments, expected) in [
        (
            &functions,
            "pay",
            r#"{"euros": 5, "to": "Ada"}"#,
            Some("Ada gets 5 EUR"),
        ),
        (
            &functions,
            "pay",
            r#"{"euros": 500, "to": "Ada"}"#,
            Some("Error: that is too much"),
        ),
        (
            &methods,
            "pay",
            r#"{"euros": 5, "to": "Ada"}"#,
            Some("Ada: 45 are left"),
        ),
        (&methods, "pay", r#"{"euros": 5}"#, None),
        (
            &methods,
            "pay",
            r#"{"euros": 51}"#,
            Some("Error: at most 50"),
        ),
        (&methods, "give_back", "{}", Some("all of it")),
    ] {
        let found = preview(tools, name, arguments).await;
        assert_eq!(found.as_deref(), expected, "{name} {arguments}");
    }
}
