//! The calls that wait for a person: those in the store, and those under way in this process.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use callpact::{
    PendingCall, Permission, ReviewDecision, ReviewHandler, ReviewRequest, ToolCall, ToolContext,
    ToolReply,
    call::ResumeError,
    review::ReviewTiming,
    store::{CallStore, Decided, Moment, StoreError, StoredCall, Taken},
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    Desk,
    answer::{Answer, fault, json},
    live::{Asked, Settled},
    replies,
    sessions::Browser,
};

/// The shortest time between two reads of the store, however many pages are open.
const EVERY: Duration = Duration::from_millis(900);

/// Marks the id of a question from the program itself; a stored call has the id of the store.
const LIVE: &str = "live-";

/// The message to a person who is too late, if nobody knows who was faster.
const GONE: &str = "the call does not wait any more: it was decided about elsewhere, or given up";

/// The state of the store at the last look.
#[derive(Default)]
pub(crate) struct Watched(Mutex<Option<(Instant, u64)>>);

/// Tells the pages when the calls in the store have changed.
pub(crate) async fn watch_store(desk: &Desk) {
    let Some(store) = &desk.0.store else { return };
    let watched = &desk.0.state.watched.0;
    let now = Instant::now();
    let before = {
        let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *watched {
            Some((last, _)) if now.duration_since(*last) < EVERY => return,
            Some((last, seen)) => {
                *last = now;
                Some(*seen)
            }
            none => {
                *none = Some((now, 0));
                None
            }
        }
    };
    // The page reports a failing store when it asks for the list.
    let Ok(calls) = store.list().await else {
        return;
    };
    let mut hasher = DefaultHasher::new();
    for call in &calls {
        call.call.id.hash(&mut hasher);
        (call.state(Moment::now()) as u8).hash(&mut hasher);
        let Ok(run) = find_run(&**store, call).await else {
            return;
        };
        run.hash(&mut hasher);
    }
    let seen = hasher.finish();
    *watched.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, seen));
    if before.is_some_and(|before| before != seen) {
        desk.0.state.events.send("waiting", &json!({}));
    }
}

/// The state of a call that was approved and has no result: `running`, or `broken_off` if its process has
/// ended, so that nobody knows whether it was carried out. `None` before it starts.
async fn find_run(
    store: &dyn CallStore,
    stored: &StoredCall,
) -> Result<Option<&'static str>, StoreError> {
    if stored.decision.is_none() {
        return Ok(None);
    }
    let record = match store.claim_record(&stored.key).await {
        // Its outcome cannot be read, but the other calls are shown all the same.
        Err(StoreError::Damaged(_)) => return Ok(Some("broken_off")),
        found => found?,
    };
    let unfinished = record.filter(|record| record.result.is_none());
    Ok(unfinished.map(|record| {
        if record.until > Moment::now() {
            "running"
        } else {
            "broken_off"
        }
    }))
}

/// All waiting calls and questions, the oldest first.
pub(crate) async fn list(desk: &Desk, browser: &Browser) -> Result<Value, Answer> {
    let asked = desk.0.state.questions.list();
    let mut list: Vec<_> = asked
        .iter()
        .map(|asked| describe_asked(desk, asked, browser))
        .collect();
    if let Some(store) = &desk.0.store {
        let stored = store.list().await.map_err(|error| failed(&error))?;
        for call in &stored {
            let run = find_run(&**store, call).await;
            let run = run.map_err(|error| failed(&error))?;
            list.push(describe_stored(desk, call, run, browser));
        }
    }
    list.sort_by_key(|item| item.get("since").and_then(Value::as_u64));
    Ok(list.into())
}

fn describe_asked(desk: &Desk, asked: &Asked, browser: &Browser) -> Value {
    let request = &asked.request;
    let rights = Rights::of_asked(desk, browser, request);
    let until = request.timeout.map(|timeout| asked.since.after(timeout));
    json!({
        "id": format!("{LIVE}{}", asked.id),
        "from": "program",
        "state": "waiting",
        "tool": request.tool,
        "call_id": request.call_id,
        "description": request.description,
        "prompt": request.prompt,
        "output": request.output,
        "action": request.action,
        "form": has_form(desk, request),
        "changes": request.changes,
        "preview": request.preview.as_deref(),
        "page": request.page,
        "permission": desk.tools().permission(&request.tool),
        "required_role": request.required_role,
        "asked_by": asked.by.as_deref(),
        "barred": rights.barred,
        "no_yes": rights.why_no_yes(),
        "digest": seen(request),
        "since": asked.since,
        "until": until,
    })
}

/// Whether the action holds the arguments of a tool that the desk knows.
fn has_form(desk: &Desk, request: &ReviewRequest) -> bool {
    request.timing == ReviewTiming::BeforeExecution && desk.tools().contains(&request.tool)
}

/// The effect of an edit on a stored call, for the page. `null` if the desk cannot know it.
pub(crate) async fn preview_edit(
    desk: &Desk,
    id: &str,
    text: &str,
    browser: &Browser,
) -> Result<Answer, Answer> {
    let (_, stored) = find_stored(desk, id).await?;
    Rights::of_stored(desk, browser, &stored.call).check_whole()?;
    let edited = edit_stored(desk, &stored.call, text)?;
    Ok(json(&edited.map_or(Value::Null, |edited| {
        json!({
            "arguments": edited.shown(),
            "changes": edited.changes,
            "preview": edited.preview.as_deref(),
            "digest": edited.digest,
        })
    })))
}

/// The call that an edit makes of a stored call, if the desk has the tool and the same workspace.
fn edit_stored(desk: &Desk, call: &PendingCall, text: &str) -> Result<Option<PendingCall>, Answer> {
    if !has_here(desk, call) {
        return Ok(None);
    }
    let edited = desk.tools().preview_edit(call, text, &desk.0.context);
    edited.map(Some).map_err(|error| refused(&error))
}

/// The digest that a decision about a question is bound to.
fn seen(request: &ReviewRequest) -> String {
    let mut hasher = DefaultHasher::new();
    (
        &request.description,
        &request.action,
        &request.changes,
        request.preview.as_deref(),
        &request.page,
    )
        .hash(&mut hasher);
    format!("{}:{:016x}", request.digest, hasher.finish())
}

fn describe_stored(
    desk: &Desk,
    stored: &StoredCall,
    run: Option<&str>,
    browser: &Browser,
) -> Value {
    let call = &stored.call;
    let rights = Rights::of_stored(desk, browser, call);
    let decided = stored.decision.as_ref();
    json!({
        "id": call.id,
        "from": "store",
        "state": stored.state(Moment::now()),
        "decided": decided.map(|decided| json!({
            "by": decided.by, "at": decided.at, "what": name(&decided.decision), "run": run,
            "edited": decided.edited,
        })),
        "tool": call.tool,
        "call_id": call.call_id,
        "description": format!("Call {}", call.tool),
        "action": call.shown(),
        "form": desk.tools().contains(&call.tool),
        "runs_here": runs_here(desk, call),
        "shows_edits": has_here(desk, call),
        "changes": call.changes,
        "preview": call.preview.as_deref(),
        "permission": call.permission,
        "required_role": call.required_role,
        "barred": rights.barred,
        "no_yes": rights.why_no_yes(),
        "workspace": call.workspace,
        "asked_by": stored.asked_by,
        "digest": call.digest,
        "since": stored.since,
        "until": stored.until,
    })
}

/// Whether the desk has the tool of a call and the same workspace.
fn has_here(desk: &Desk, call: &PendingCall) -> bool {
    let same_place = call.workspace.as_deref() == desk.0.context.workspace();
    same_place && desk.tools().contains(&call.tool)
}

/// Whether the desk carries out the call itself.
fn runs_here(desk: &Desk, call: &PendingCall) -> bool {
    !desk.0.decide_only && has_here(desk, call)
}

/// A decision in words. An edit is a yes too.
fn name(decision: &ReviewDecision) -> &'static str {
    match decision {
        ReviewDecision::Edit(_) => "edited and approved",
        other => other.name(),
    }
}

/// Decides about a call, if it is still the one that the person saw and nobody was faster.
pub(crate) async fn decide(
    desk: &Desk,
    id: &str,
    (digest, of_edit): (&str, Option<&str>),
    decision: ReviewDecision,
    browser: &Browser,
) -> Result<Answer, Answer> {
    match id.strip_prefix(LIVE) {
        Some(id) => decide_live(desk, id, digest, decision, browser).await,
        None => decide_stored(desk, id, (digest, of_edit), decision, browser).await,
    }
}

async fn decide_live(
    desk: &Desk,
    id: &str,
    digest: &str,
    decision: ReviewDecision,
    browser: &Browser,
) -> Result<Answer, Answer> {
    let questions = &desk.0.state.questions;
    if let Some(request) = questions.get(id) {
        if seen(&request) != digest {
            return Err(changed());
        }
        Rights::of_asked(desk, browser, &request).check(&decision)?;
        if has_form(desk, &request) {
            check_edit(desk, &request.tool, &decision)?;
        }
    }
    let what = name(&decision);
    match questions.decide(id, decision, &browser.name()).await {
        Some(Ok(())) => Ok(json(&replies::settled(what, &Value::Null))),
        Some(Err(Settled::By { who, decision })) => Err(lost(&who, &decision)),
        Some(Err(Settled::Gone)) => Err(fault(StatusCode::CONFLICT, GONE)),
        None => Err(fault(StatusCode::NOT_FOUND, GONE)),
    }
}

/// The store, and a call in it.
async fn find_stored<'a>(
    desk: &'a Desk,
    id: &str,
) -> Result<(&'a dyn CallStore, StoredCall), Answer> {
    let gone = || fault(StatusCode::NOT_FOUND, GONE);
    let store = desk.0.store.as_ref().ok_or_else(gone)?;
    let stored = store.get(id).await.map_err(|error| failed(&error))?;
    Ok((&**store, stored.ok_or_else(gone)?))
}

async fn decide_stored(
    desk: &Desk,
    id: &str,
    (digest, of_edit): (&str, Option<&str>),
    decision: ReviewDecision,
    browser: &Browser,
) -> Result<Answer, Answer> {
    let (store, stored) = find_stored(desk, id).await?;
    if stored.call.digest != digest {
        return Err(changed());
    }
    let role = Rights::of_stored(desk, browser, &stored.call).check(&decision)?;
    let what = name(&decision);
    let edited = match &decision {
        ReviewDecision::Edit(text) => edit_stored(desk, &stored.call, text)?,
        _ => None,
    };
    if edited
        .as_ref()
        .is_some_and(|edited| of_edit != Some(&edited.digest))
    {
        let text = "this is not what the edited call does: look at it again";
        return Err(fault(StatusCode::PRECONDITION_FAILED, text));
    }
    let here = runs_here(desk, &stored.call);
    if here && edited.is_none() {
        let mut cx = context(desk, browser);
        if let Some(role) = role.filter(|_| browser.person.is_some()) {
            cx = cx.with_reviewer(desk.reviewer().with_role(role));
        }
        let (tools, id) = (desk.tools(), id.to_owned());
        return carry_out(
            desk,
            what,
            async move { tools.decide(&id, decision, &cx).await },
        )
        .await;
    }
    if edited.is_none() && desk.tools().contains(&stored.call.tool) {
        check_edit(desk, &stored.call.tool, &decision)?;
    }
    let mut decided = Decided::new(decision, browser.name(), Moment::now());
    decided.role = role;
    decided.edited = edited.map(Box::new);
    let taken = store
        .take(id, &decided)
        .await
        .map_err(|error| failed(&error))?;
    desk.0.state.events.send("waiting", &json!({}));
    match taken {
        Taken::Won(_) if here => {
            let (tools, cx, id) = (desk.tools(), context(desk, browser), id.to_owned());
            carry_out(desk, what, async move { tools.resume(&id, &cx).await }).await
        }
        Taken::Won(_) => Ok(json(&replies::settled(what, &Value::Null))),
        Taken::Lost(first) => Err(refused(&ResumeError::Decided(first))),
        Taken::Expired => Err(refused(&ResumeError::Expired)),
        Taken::Unknown => Err(fault(StatusCode::NOT_FOUND, GONE)),
    }
}

/// Carries out a call that was decided and has no result, for example after a crash.
pub(crate) async fn resume(desk: &Desk, id: &str, browser: &Browser) -> Result<Answer, Answer> {
    let id = id.to_owned();
    let store = desk.0.store.as_ref().filter(|_| !desk.0.decide_only);
    let none = || fault(StatusCode::NOT_FOUND, "this desk runs no stored calls");
    let stored = store.ok_or_else(none)?.get(&id).await;
    let stored = stored.map_err(|error| failed(&error))?;
    let stored = stored.ok_or_else(|| refused(&ResumeError::NotFound))?;
    Rights::of_stored(desk, browser, &stored.call).check_whole()?;
    let (tools, cx) = (desk.tools(), context(desk, browser));
    // The reply says whether it was carried out.
    carry_out(desk, "ended", async move { tools.resume(&id, &cx).await }).await
}

/// The context for deciding about a stored call and for running it.
fn context(desk: &Desk, browser: &Browser) -> ToolContext {
    let cx = desk.0.context.clone();
    let cx = match &desk.0.store {
        Some(store) => cx.with_store(Arc::clone(store)),
        None => cx,
    };
    cx.with_caller(browser.name())
        .with_observer(desk.0.state.trace.observer("store"))
}

/// Runs a stored call to its end, even if the page closes, since an interrupted call may be half done.
async fn carry_out(
    desk: &Desk,
    what: &str,
    work: impl Future<Output = Result<ToolReply, ResumeError>> + Send + 'static,
) -> Result<Answer, Answer> {
    let ended = tokio::spawn(work).await;
    desk.0.state.events.send("waiting", &json!({}));
    match ended {
        Ok(Ok(reply)) => Ok(json(&replies::settled(what, &replies::describe(&reply)))),
        // The decision was recorded, and ended the run.
        Ok(Err(ResumeError::Halt(halt))) => Ok(json(&replies::settled(
            what,
            &replies::describe_halt(&halt),
        ))),
        Ok(Err(error)) => Err(refused(&error)),
        Err(_) => Err(fault(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the call was broken off",
        )),
    }
}

fn refused(error: &ResumeError) -> Answer {
    let status = match error {
        ResumeError::NotFound => StatusCode::NOT_FOUND,
        ResumeError::Edit(_) => StatusCode::UNPROCESSABLE_ENTITY,
        ResumeError::Role { .. } => StatusCode::FORBIDDEN,
        ResumeError::Store(_) => StatusCode::BAD_GATEWAY,
        ResumeError::Decided(first) => return lost(&first.by, &first.decision),
        _ => StatusCode::CONFLICT,
    };
    fault(status, &error.to_string())
}

/// The decisions that a browser may make about a call.
struct Rights<'a> {
    /// Why it may decide nothing: a person who may not make a call may not decide about it either.
    barred: Option<&'static str>,
    /// The role that a yes needs, if the browser does not act for it.
    lacks: Option<&'a str>,
    /// The role for which it decides.
    role: Option<String>,
}

impl<'a> Rights<'a> {
    fn new(
        desk: &Desk,
        browser: &Browser,
        permission: Permission,
        required: Option<&'a str>,
        role: Option<&str>,
    ) -> Self {
        // A browser with a token of the program decides for the program.
        let person = browser.person.as_deref();
        let mode = person.and_then(|person| match &desk.0.scopes {
            Some(rules) => Some(rules.mode_of(Some(&person.identity))),
            None => desk.0.context.permissions(),
        });
        let denied = mode.is_some_and(|mode| mode.denies(permission));
        Self {
            barred: denied.then_some(
                "You may not make this call, so you cannot decide about it: it needs somebody who may.",
            ),
            lacks: required.filter(|required| role != Some(*required)),
            role: role.map(str::to_owned),
        }
    }

    /// The rights on a question of this process.
    fn of_asked(desk: &Desk, browser: &Browser, request: &'a ReviewRequest) -> Self {
        // An unknown tool may do anything.
        let permission = desk.tools().permission(&request.tool);
        let permission = permission.unwrap_or(Permission::Destructive);
        let required = request.required_role.as_deref();
        let role = match &browser.person {
            Some(person) => required.filter(|required| person.identity.has_scope(required)),
            // It was checked before the reviewer asked.
            None => required,
        };
        Self::new(desk, browser, permission, required, role)
    }

    /// The rights on a call of the store.
    fn of_stored(desk: &Desk, browser: &Browser, call: &'a PendingCall) -> Self {
        let required = call.required_role.as_deref();
        let role = match &browser.person {
            Some(person) => required.filter(|required| person.identity.has_scope(required)),
            None => (desk.0.context.reviewer()).and_then(|reviewer| reviewer.role()),
        };
        Self::new(desk, browser, call.permission, required, role)
    }

    fn why_no_yes(&self) -> Option<String> {
        let required = self.lacks?.to_owned();
        Some(ResumeError::Role { required }.to_string())
    }

    /// The role for which a decision is made, if the browser may make it.
    fn check(self, decision: &ReviewDecision) -> Result<Option<String>, Answer> {
        if decision.goes_on() {
            return self.check_whole();
        }
        match self.barred {
            Some(why) => Err(fault(StatusCode::FORBIDDEN, why)),
            None => Ok(self.role),
        }
    }

    /// Like [`check`](Self::check), for running the call unchanged.
    fn check_whole(self) -> Result<Option<String>, Answer> {
        let why = self.barred.map(str::to_owned).or_else(|| self.why_no_yes());
        match why {
            Some(why) => Err(fault(StatusCode::FORBIDDEN, &why)),
            None => Ok(self.role),
        }
    }
}

/// Refuses an edit that its tool could not read, with every fault.
fn check_edit(desk: &Desk, tool: &str, decision: &ReviewDecision) -> Result<(), Answer> {
    let ReviewDecision::Edit(arguments) = decision else {
        return Ok(());
    };
    let call = ToolCall::new("edit", tool, arguments);
    let reply = desk.tools().check(&call, &desk.0.context);
    if reply.is_success() {
        return Ok(());
    }
    let mut answer =
        json(&json!({ "error": reply.to_model(), "reply": replies::describe(&reply) }));
    *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    Err(answer)
}

fn lost(by: &str, decision: &ReviewDecision) -> Answer {
    let text = format!("already {} by {by}", name(decision));
    fault(StatusCode::CONFLICT, &text)
}

fn changed() -> Answer {
    fault(
        StatusCode::CONFLICT,
        "this is not the call that you saw: look at it again",
    )
}

fn failed(error: &StoreError) -> Answer {
    fault(StatusCode::BAD_GATEWAY, &error.to_string())
}
