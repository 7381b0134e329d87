//! A preview holds until the call runs: a call that would do something else by then does not run.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use crate::kit::call;
use callpact::{
    CallLayer, Halt, Outcome, Permission, PermissionMode, ReviewDecision, ReviewRequest,
    ToolContext, ToolHints, ToolInput, ToolPipeline, ToolReply, ToolResult, Toolset,
    TypedAgentTool,
    call::ResumeError,
    review::{ReviewHandler, review_fn},
    secret::MemorySecrets,
    store::{CallStore, Decided, MemoryStore, Moment, Taken},
    toolset::{BoxFuture, LayerCall, Next},
};

const CHANGED: &str = "Error: Tool 'save' did not run: what it would do has changed since it was shown \
    for approval. Make the call again if it is still needed";

/// A place in the world, and the tool that replaces its content.
#[derive(Clone, Default)]
struct World {
    text: Arc<Mutex<Option<String>>>,
    previews: Arc<AtomicUsize>,
    /// Whether the preview panics.
    broken: Arc<AtomicBool>,
    asks_itself: bool,
    idempotent: bool,
}

impl World {
    fn with(text: &str) -> Self {
        let world = Self::default();
        world.set(text);
        world
    }

    fn set(&self, text: &str) {
        *self.text.lock().unwrap() = Some(text.to_owned());
    }

    fn get(&self) -> Option<String> {
        self.text.lock().unwrap().clone()
    }

    fn previews(&self) -> usize {
        self.previews.load(Ordering::SeqCst)
    }

    fn list(&self) -> Toolset {
        Toolset::single(self.clone()).unwrap()
    }

    /// A reviewer who changes the world before they answer.
    fn reviewer(&self, text: Option<&'static str>, decision: ReviewDecision) -> ToolContext {
        let world = self.clone();
        ToolContext::new().with_reviewer(review_fn(move |_: ReviewRequest| {
            if let Some(text) = text {
                world.set(text);
            }
            let decision = decision.clone();
            async move { Ok(decision) }
        }))
    }
}

#[derive(Debug, ToolInput)]
struct Save {
    text: String,
    #[tool_param(default = 1)]
    copies: u32,
}

impl TypedAgentTool for World {
    type Input = Save;
    type Output = ToolResult;
    const SECRET_PARAMS: &'static [&'static str] = &["text"];
    fn name(&self) -> &str {
        "save"
    }
    fn description(&self) -> &str {
        "Replaces a text."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn hints(&self) -> ToolHints {
        let mut hints = ToolHints::new();
        hints.idempotent = Some(self.idempotent);
        hints
    }
    fn asks_itself(&self) -> bool {
        self.asks_itself
    }
    /// The place is empty: there is no preview, since the arguments say everything.
    fn preview(&self, input: &Save) -> Option<callpact::review::Preview> {
        self.previews.fetch_add(1, Ordering::SeqCst);
        assert!(!self.broken.load(Ordering::SeqCst), "no preview");
        Some(format!("-{}\n+{}", self.get()?, input.text).into())
    }
    async fn execute(&self, input: Save, cx: &ToolContext) -> ToolResult {
        if self.asks_itself {
            let request = ReviewRequest::new("Save").action(&input.text);
            match cx.require_review(request).await {
                Ok(ReviewDecision::Continue) => {}
                Ok(_) => return ToolResult::failure("no"),
                Err(halt) => return ToolResult::halt(halt),
            }
        }
        self.set(&input.text.repeat(input.copies as usize));
        ToolResult::success("saved")
    }
}

const NEW: &str = r#"{"text": "new"}"#;

fn yes() -> ReviewDecision {
    ReviewDecision::Continue
}

fn edit() -> ReviewDecision {
    ReviewDecision::Edit(r#"{"text": "edited"}"#.to_owned())
}

fn assert_changed(reply: &ToolReply) {
    assert_eq!(
        (reply.outcome, &*reply.result.to_model()),
        (Outcome::Refused, CHANGED)
    );
}

async fn pending(tools: &Toolset, cx: &ToolContext) -> callpact::PendingCall {
    let cx = cx.clone().with_deferred_approval();
    match tools.call(&call("save", NEW), &cx).await {
        Err(Halt::Pending(pending)) => *pending,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn rejects_call_whose_preview_changed_during_review() {
    let world = World::with("old");
    let cx = world.reviewer(Some("other"), yes());
    let reply = world.list().call(&call("save", NEW), &cx).await.unwrap();
    assert_changed(&reply);
    assert_eq!(world.get().as_deref(), Some("other"));
    // The place was empty, and now it is not.
    let world = World::default();
    let cx = world.reviewer(Some("other"), yes());
    assert_changed(&world.list().call(&call("save", NEW), &cx).await.unwrap());
}

#[tokio::test]
async fn a_call_whose_preview_still_holds_runs() {
    // An edit has one preview when it is asked about, and one when it is given again.
    for (decision, saved, previews) in [(yes(), "new", 2), (edit(), "edited", 4)] {
        for world in [World::with("old"), World::default()] {
            let cx = world.reviewer(None, decision.clone());
            let reply = world.list().call(&call("save", NEW), &cx).await.unwrap();
            assert!(reply.is_success(), "{}", reply.to_model());
            assert_eq!(world.get().as_deref(), Some(saved));
            assert_eq!(world.previews(), previews);
        }
    }
}

#[tokio::test]
async fn call_without_review_creates_no_preview() {
    let world = World::with("old");
    let cx = ToolContext::new().with_permissions(PermissionMode::AllowAll);
    let reply = world.list().call(&call("save", NEW), &cx).await.unwrap();
    assert!(reply.is_success());
    assert_eq!(world.previews(), 0);
}

#[tokio::test]
async fn crash_of_second_preview_stops_call() {
    let world = World::with("old");
    let broken = Arc::clone(&world.broken);
    let cx = ToolContext::new().with_reviewer(review_fn(move |_: ReviewRequest| {
        broken.store(true, Ordering::SeqCst);
        async { Ok(yes()) }
    }));
    let reply = world.list().call(&call("save", NEW), &cx).await.unwrap();
    assert_eq!(
        (reply.outcome, &*reply.to_model()),
        (
            Outcome::Crash,
            "Error: Tool 'save' did not run: it crashed while it made its preview again"
        )
    );
    assert_eq!(world.get().as_deref(), Some("old"));
    // It may crash the first time too, before anybody is asked.
    let reply = world.list().call(&call("save", NEW), &cx).await.unwrap();
    assert_eq!(reply.outcome, Outcome::Crash);
}

#[tokio::test]
async fn deferred_call_with_changed_preview_is_rejected_elsewhere() {
    for asks_itself in [false, true] {
        let world = World {
            asks_itself,
            ..World::with("old")
        };
        let waits = pending(&world.list(), &ToolContext::new()).await;
        world.set("other");
        let cx = ToolContext::new();
        let reply = world.list().decide(&waits, yes(), &cx).await.unwrap();
        assert_changed(&reply);
        assert_eq!(world.get().as_deref(), Some("other"));
        // An unchanged preview lets it run.
        let world = World {
            asks_itself,
            ..World::with("old")
        };
        let waits = pending(&world.list(), &ToolContext::new()).await;
        let cx = ToolContext::new();
        let reply = world.list().decide(&waits, yes(), &cx).await.unwrap();
        assert!(reply.is_success(), "{}", reply.to_model());
    }
}

#[tokio::test]
async fn stored_call_with_changed_preview_requires_new_call() {
    let world = World::with("old");
    let store = Arc::new(MemoryStore::new());
    let cx = ToolContext::new()
        .with_store(Arc::clone(&store))
        .with_run("run-7");
    let waits = pending(&world.list(), &cx).await;
    world.set("other");
    let tools = world.list();
    assert_changed(&tools.decide(&waits.id, yes(), &cx).await.unwrap());
    // The decision is used, and nobody can decide again. The old state does not bring the call back.
    let again = tools.decide(&waits.id, yes(), &cx).await;
    assert!(matches!(again, Err(ResumeError::Decided(_))), "{again:?}");
    world.set("old");
    assert_changed(&tools.resume(&waits.id, &cx).await.unwrap());
    let deferring = cx.clone().with_deferred_approval();
    let again = tools.call(&call("save", NEW), &deferring).await.unwrap();
    assert_changed(&again);
    assert_eq!(world.get().as_deref(), Some("old"));
    // A new call is asked about anew, with a new preview.
    world.set("other");
    let mut anew = call("save", NEW);
    anew.id = "call-2".to_owned();
    let Err(Halt::Pending(waits)) = tools.call(&anew, &deferring).await else {
        panic!("it waits")
    };
    assert_eq!(waits.preview.as_deref(), Some("-other\n+new"));
    let reply = tools.decide(&waits.id, yes(), &cx).await.unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
    // A call's own change does not count against it: its result comes back.
    let again = tools.resume(&waits.id, &cx).await.unwrap();
    assert_eq!(again.to_model(), "saved");
    let again = tools.call(&anew, &deferring).await.unwrap();
    assert_eq!(again.to_model(), "saved");
}

#[tokio::test]
async fn resumed_run_enforces_stored_preview() {
    for changed in [false, true] {
        let world = World::with("old");
        let store = Arc::new(MemoryStore::new());
        let cx = ToolContext::new()
            .with_store(Arc::clone(&store))
            .with_run("run-7");
        let waits = pending(&world.list(), &cx).await;
        let decided = Decided::new(yes(), "grace", Moment(0));
        let taken = store.take(&waits.id, &decided).await.unwrap();
        assert!(matches!(taken, Taken::Won(_)), "{taken:?}");
        if changed {
            world.set("other");
        }
        let cx = cx.with_deferred_approval();
        let reply = world.list().call(&call("save", NEW), &cx).await.unwrap();
        if changed {
            assert_changed(&reply);
        } else {
            assert!(reply.is_success(), "{}", reply.to_model());
        }
    }
}

#[tokio::test]
async fn changed_preview_after_interrupted_attempt_is_unknown() {
    let world = World {
        idempotent: true,
        ..World::with("old")
    };
    let store = Arc::new(MemoryStore::new());
    let cx = ToolContext::new()
        .with_store(Arc::clone(&store))
        .with_clock(|| Moment(1_000_000));
    let waits = pending(&world.list(), &cx).await;
    let decided = Decided::new(yes(), "grace", Moment(0));
    let Taken::Won(stored) = store.take(&waits.id, &decided).await.unwrap() else {
        panic!("the first decision wins")
    };
    // A process that began the call, changed things and was killed.
    let lease = std::time::Duration::from_secs(1);
    store.claim(&stored.key, lease, Moment(0)).await.unwrap();
    world.set("half of it");
    let tools = world.list();
    let reply = tools.resume(&waits.id, &cx).await.unwrap();
    assert_eq!(reply.outcome, Outcome::Unknown, "{}", reply.to_model());
    assert_eq!(world.get().as_deref(), Some("half of it"));
}

#[tokio::test]
async fn preview_of_secret_call_contains_only_placeholders() {
    let secrets = MemorySecrets::new().with("key", "hunter2-hunter2");
    let hidden = call("save", r#"{"text": "<secret_ref:key>"}"#);
    for (decision, saved) in [(yes(), "hunter2-hunter2"), (edit(), "edited")] {
        let world = World::with("old");
        let cx = world.reviewer(None, decision).with_secrets(secrets.clone());
        let reply = world.list().call(&hidden, &cx).await.unwrap();
        assert!(reply.is_success(), "{}", reply.to_model());
        assert_eq!(world.get().as_deref(), Some(saved));
    }
    let world = World::with("old");
    let cx = world.reviewer(Some("other"), yes()).with_secrets(secrets);
    assert_changed(&world.list().call(&hidden, &cx).await.unwrap());
}

/// Code around the run that changes the world.
struct Meddler(World);

impl CallLayer for Meddler {
    fn around<'a>(
        &'a self,
        _: &'a LayerCall<'a>,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<ToolResult, Halt>> {
        Box::pin(async move {
            self.0.set("other");
            next.run().await
        })
    }
}

#[tokio::test]
async fn preview_is_recreated_directly_before_run() {
    let world = World::with("old");
    let tools = Toolset::builder()
        .tool(world.clone())
        .around(Meddler(world.clone()))
        .build()
        .unwrap();
    let cx = world.reviewer(None, yes());
    let reply = tools.call(&call("save", NEW), &cx).await.unwrap();
    assert_changed(&reply);
    assert_eq!(world.get().as_deref(), Some("other"));
}

#[tokio::test]
async fn pipeline_enforces_preview_of_first_step() {
    let world = World::with("old");
    let pipeline = ToolPipeline::new("save", "Saves.").then(world.clone());
    let tools = Toolset::single(pipeline).unwrap();
    let cx = world.reviewer(Some("other"), yes());
    assert_changed(&tools.call(&call("save", NEW), &cx).await.unwrap());
    let cx = world.reviewer(None, yes());
    let reply = tools.call(&call("save", NEW), &cx).await.unwrap();
    assert!(reply.is_success(), "{}", reply.to_model());
}

#[tokio::test]
async fn role_reviewer_enforces_preview_of_self_asking_tool() {
    let world = World {
        asks_itself: true,
        ..World::with("old")
    };
    let tools = Toolset::builder()
        .tool(world.clone())
        .require_approval_by("save", "editor")
        .build()
        .unwrap();
    let own = world.clone();
    let reviewer = review_fn(move |_: ReviewRequest| {
        own.set("other");
        async { Ok(yes()) }
    });
    let cx = ToolContext::new().with_reviewer(reviewer.with_role("editor"));
    assert_changed(&tools.call(&call("save", NEW), &cx).await.unwrap());
}
