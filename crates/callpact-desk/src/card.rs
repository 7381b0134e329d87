//! One waiting call in full, as the page shows it.

use std::hash::{DefaultHasher, Hash, Hasher};

use callpact::{
    PendingCall, Permission, ReviewRequest,
    review::ReviewTiming,
    store::{CallStore, Moment, StoreError, StoredCall},
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    Desk,
    answer::{DeskAnswer, fault, json},
    asked::{AskedQuestion, LIVE},
    inbox::find_run,
    late::{GONE, lost_to},
    replies::name,
    rights::DecisionRights,
    sessions::EnteredBrowser,
};

/// One call that waits, by its id.
pub(crate) async fn find(
    desk: &Desk,
    id: &str,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    if let Some(number) = id.strip_prefix(LIVE) {
        let asked = find_asked(desk, number)?;
        return Ok(json(&describe_asked(desk, &asked, browser)));
    }
    let (store, stored) = find_stored(desk, id).await?;
    let run = find_run(store, &stored).await;
    let run = run.map_err(|error| failed(&error))?;
    Ok(json(&describe_stored(desk, &stored, run, browser)))
}

/// An open question of this process.
pub(crate) fn find_asked(desk: &Desk, id: &str) -> Result<AskedQuestion, DeskAnswer> {
    let questions = &desk.0.state.questions;
    questions
        .find(id)
        .ok_or_else(|| match questions.settled(id) {
            Some(settled) => lost_to(&settled),
            None => fault(StatusCode::NOT_FOUND, GONE),
        })
}

/// The store, and a call in it.
pub(crate) async fn find_stored<'a>(
    desk: &'a Desk,
    id: &str,
) -> Result<(&'a dyn CallStore, StoredCall), DeskAnswer> {
    let gone = || fault(StatusCode::NOT_FOUND, GONE);
    let store = desk.0.store.as_ref().ok_or_else(gone)?;
    let stored = store.get(id).await.map_err(|error| failed(&error))?;
    Ok((&**store, stored.ok_or_else(gone)?))
}

fn describe_asked(desk: &Desk, asked: &AskedQuestion, browser: &EnteredBrowser) -> Value {
    let request = &asked.request;
    let rights = DecisionRights::of_asked(desk, browser, request);
    let until = request.timeout.map(|timeout| asked.since.after(timeout));
    let permission = desk.tools().permission(&request.tool);
    json!({
        "id": format!("{LIVE}{}", asked.id),
        "from": "program",
        "program": &*desk.0.state.program.get(),
        "state": "waiting",
        "tool": request.tool,
        "call_id": request.call_id,
        "description": request.description,
        "prompt": request.prompt,
        "output": request.output,
        "action": request.action,
        "form": has_form(desk, request),
        "changes": request.changes,
        "preview": request.preview,
        "facts": request.facts,
        "page": request.page,
        "permission": permission.unwrap_or(Permission::Destructive),
        "known": permission.is_some(),
        "required_role": request.required_role,
        "asked_by": asked.by.as_deref(),
        "barred": rights.barred,
        "no_yes": rights.why_no_yes(),
        "digest": seen(request),
        "since": asked.since,
        "until": until,
        "now": Moment::now(),
    })
}

/// Whether the action holds the arguments of a tool that the desk knows.
pub(crate) fn has_form(desk: &Desk, request: &ReviewRequest) -> bool {
    request.timing == ReviewTiming::BeforeExecution && desk.tools().contains(&request.tool)
}

/// The digest that a decision about a question is bound to.
pub(crate) fn seen(request: &ReviewRequest) -> String {
    let mut hasher = DefaultHasher::new();
    (
        &request.description,
        &request.action,
        &request.changes,
        request.preview.as_deref(),
        &request.page,
        // Facts consist of texts and numbers.
        serde_json::to_string(&request.facts).unwrap_or_default(),
    )
        .hash(&mut hasher);
    format!("{}:{:016x}", request.digest, hasher.finish())
}

fn describe_stored(
    desk: &Desk,
    stored: &StoredCall,
    run: Option<&str>,
    browser: &EnteredBrowser,
) -> Value {
    let call = &stored.call;
    let rights = DecisionRights::of_stored(desk, browser, call);
    let decided = stored.decision.as_ref();
    json!({
        "id": call.id,
        "from": "store",
        "program": stored.asked_by,
        "state": stored.state(Moment::now()),
        "decided": decided.map(|decided| json!({
            "by": decided.by, "at": decided.at, "what": name(&decided.decision), "run": run,
            "edited": decided.edited.as_deref().map(describe_edit),
        })),
        "tool": call.tool,
        "call_id": call.call_id,
        "description": format!("Call {}", call.tool),
        "action": call.shown(),
        "form": desk.tools().contains(&call.tool),
        "runs_here": runs_here(desk, call),
        "shows_edits": has_here(desk, call),
        "changes": call.changes,
        "preview": call.preview,
        "facts": call.facts,
        "permission": call.permission,
        "known": true,
        "required_role": call.required_role,
        "barred": rights.barred,
        "no_yes": rights.why_no_yes(),
        "workspace": call.workspace,
        "asked_by": stored.asked_by,
        "digest": call.digest,
        "since": stored.since,
        "until": stored.until,
        "now": Moment::now(),
    })
}

/// An edited call.
pub(crate) fn describe_edit(edited: &PendingCall) -> Value {
    json!({
        "arguments": edited.shown(),
        "changes": edited.changes,
        "preview": edited.preview,
        "facts": edited.facts,
        "digest": edited.digest,
    })
}

/// A call that somebody tries and has to confirm.
pub(crate) fn describe_try(pending: &PendingCall) -> Value {
    let mut described = describe_edit(pending);
    described["tool"] = pending.tool.as_str().into();
    described["permission"] = pending.permission.name().into();
    described
}

/// Whether the desk has the tool of a call and the same workspace.
pub(crate) fn has_here(desk: &Desk, call: &PendingCall) -> bool {
    let same_place = call.workspace.as_deref() == desk.0.context.workspace();
    same_place && desk.tools().contains(&call.tool)
}

/// Whether the desk carries out the call itself.
pub(crate) fn runs_here(desk: &Desk, call: &PendingCall) -> bool {
    !desk.0.decide_only && has_here(desk, call)
}

pub(crate) fn failed(error: &StoreError) -> DeskAnswer {
    fault(StatusCode::BAD_GATEWAY, &error.to_string())
}
