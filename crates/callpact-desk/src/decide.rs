//! Decisions about calls that wait: of the store, and under way in this process.

use std::sync::Arc;

use callpact::{
    PendingCall, ReviewDecision, ToolCall, ToolContext, ToolReply,
    call::ResumeError,
    review::CallFacts,
    secret::Redactor,
    store::{Decided, Moment, StoredCall, Taken},
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    Desk,
    answer::{DeskAnswer, fault, json},
    asked::LIVE,
    card::{describe_edit, failed, find_asked, find_stored, has_form, has_here, runs_here, seen},
    late::{GONE, lost, lost_to},
    replies::{self, name},
    rights::DecisionRights,
    sessions::EnteredBrowser,
    tries,
};

/// The effect of an edit on a stored call, for the page. `null` if the desk cannot know it.
pub(crate) async fn preview_edit(
    desk: &Desk,
    id: &str,
    text: &str,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let (_, stored) = find_stored(desk, id).await?;
    DecisionRights::of_stored(desk, browser, &stored.call).check_whole()?;
    let edited = edit_stored(desk, &stored.call, text)?;
    let described = edited.as_ref().map(describe_edit);
    Ok(json(&described.unwrap_or_default()))
}

/// The call that an edit makes of a stored call, if the desk has the tool and the same workspace.
fn edit_stored(
    desk: &Desk,
    call: &PendingCall,
    text: &str,
) -> Result<Option<PendingCall>, DeskAnswer> {
    if !has_here(desk, call) {
        return Ok(None);
    }
    let edited = desk.tools().preview_edit(call, text, &desk.0.context);
    edited.map(Some).map_err(|error| refused(&error))
}

/// Decides about a call, if it is still the one that the person saw and nobody was faster.
pub(crate) async fn decide(
    desk: &Desk,
    id: &str,
    (digest, of_edit): (&str, Option<&str>),
    decision: ReviewDecision,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    match id.strip_prefix(LIVE) {
        Some(id) => decide_live(desk, id, digest, decision, browser).await,
        None => decide_stored(desk, id, (digest, of_edit), decision, browser).await,
    }
}

/// The answer to a decision: what was decided, and the number of the call that runs now.
fn settled(what: &str, number: Option<u64>) -> Value {
    json!({ "settled": what, "number": number })
}

async fn decide_live(
    desk: &Desk,
    id: &str,
    digest: &str,
    decision: ReviewDecision,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let questions = &desk.0.state.questions;
    // Nobody decides about a question that was not open yet when the decision came.
    let request = find_asked(desk, id)?.request;
    if seen(&request) != digest {
        return Err(changed());
    }
    DecisionRights::of_asked(desk, browser, &request).check(&decision)?;
    if has_form(desk, &request) {
        check_edit(desk, &request.tool, &decision)?;
    }
    let what = name(&decision);
    match questions.decide(id, decision, &browser.name()).await {
        Ok(()) => Ok(json(&settled(what, None))),
        Err(settled) => Err(lost_to(&settled)),
    }
}

async fn decide_stored(
    desk: &Desk,
    id: &str,
    (digest, of_edit): (&str, Option<&str>),
    decision: ReviewDecision,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let (store, stored) = find_stored(desk, id).await?;
    if stored.call.digest != digest {
        return Err(changed());
    }
    let role = DecisionRights::of_stored(desk, browser, &stored.call).check(&decision)?;
    let what = name(&decision);
    let here = runs_here(desk, &stored.call);
    if here {
        // What has changed must not be decided about, since it could not run.
        let checked = desk.tools().check_stored(&stored.call, &desk.0.context);
        checked.map_err(|error| refused(&error))?;
    }
    let edited = match &decision {
        ReviewDecision::Edit(text) => edit_stored(desk, &stored.call, text)?,
        _ => None,
    };
    match &edited {
        Some(edited) if of_edit != Some(&edited.digest) => {
            let text = "this is not what the edited call does: look at it again";
            return Err(fault(StatusCode::PRECONDITION_FAILED, text));
        }
        None if desk.tools().contains(&stored.call.tool) => {
            check_edit(desk, &stored.call.tool, &decision)?;
        }
        _ => {}
    }
    let mut decided = Decided::new(decision, browser.name(), Moment::now());
    decided.role = role;
    let mut hidden = vec![stored.call.redactor()];
    hidden.extend(edited.as_ref().map(PendingCall::redactor));
    decided.edited = edited.map(Box::new);
    let taken = store.take(id, &decided).await;
    let taken = taken.map_err(|error| failed(&error))?;
    tell_settled(desk, id, Some((&browser.name(), what)));
    match taken {
        Taken::Won(_) if here => Ok(run_stored(desk, &stored, hidden, what, browser)),
        Taken::Won(_) => Ok(json(&settled(what, None))),
        Taken::Lost(first) => Err(refused(&ResumeError::Decided(first))),
        Taken::Expired => Err(refused(&ResumeError::Expired)),
        Taken::Unknown => Err(fault(StatusCode::NOT_FOUND, GONE)),
    }
}

/// Tells the pages that a call does not wait any more.
fn tell_settled(desk: &Desk, id: &str, by: Option<(&str, &str)>) {
    desk.0.state.inbox.settle(id);
    let (who, what) = by.unzip();
    let stored = desk.0.state.inbox.count();
    let data = json!({ "id": id, "by": who, "what": what, "stored": stored });
    desk.0.state.events.send("settled", &data);
}

/// Carries out a call that was decided and has no result, for example after a crash.
pub(crate) async fn resume(
    desk: &Desk,
    id: &str,
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let store = desk.0.store.as_ref().filter(|_| !desk.0.decide_only);
    let none = || fault(StatusCode::NOT_FOUND, "this desk runs no stored calls");
    let stored = store.ok_or_else(none)?.get(id).await;
    let stored = stored.map_err(|error| failed(&error))?;
    let stored = stored.ok_or_else(|| refused(&ResumeError::NotFound))?;
    DecisionRights::of_stored(desk, browser, &stored.call).check_whole()?;
    let refuse = |error: &ResumeError| Err(refused(error));
    if stored.decision.is_none() {
        return refuse(&ResumeError::Waiting);
    }
    let checked = desk.tools().check_stored(&stored.call, &desk.0.context);
    checked.map_err(|error| refused(&error))?;
    let record = match &desk.0.store {
        Some(store) => store.claim_record(&stored.key).await.ok().flatten(),
        None => None,
    };
    if let Some(record) = record.filter(|record| record.result.is_none())
        && record.until > Moment::now()
    {
        let until = record.until;
        return refuse(&ResumeError::Busy { until });
    }
    let mut hidden = vec![stored.call.redactor()];
    let edited = stored.decision.as_ref().and_then(|it| it.edited.as_ref());
    hidden.extend(edited.map(|edited| edited.redactor()));
    // The reply says whether it was carried out.
    Ok(run_stored(desk, &stored, hidden, "ended", browser))
}

/// Runs a decided call in the background. Whoever decided does not see the values of its secret parameters.
fn run_stored(
    desk: &Desk,
    stored: &StoredCall,
    hidden: Vec<Redactor>,
    what: &str,
    browser: &EnteredBrowser,
) -> DeskAnswer {
    let (tools, cx, id, again) = (
        desk.tools(),
        context(desk, &stored.call.facts, browser),
        stored.call.id.clone(),
        desk.clone(),
    );
    let number = tries::carry_out(desk, browser, async move {
        let ended = tools.resume(&id, &cx).await;
        again.0.state.inbox.settle(&id);
        let hide = |reply: Value, redactor: &Redactor| redactor.redact_value(&reply);
        hidden.iter().fold(describe_end(ended), hide)
    });
    json(&settled(what, number))
}

fn describe_end(ended: Result<ToolReply, ResumeError>) -> Value {
    match ended {
        Ok(reply) => replies::describe(&reply),
        // The decision was recorded, and ended the run.
        Err(ResumeError::Halt(halt)) => replies::describe_halt(&halt),
        Err(error) => json!({
            "outcome": "not run", "ok": false, "halted": true, "text": error.to_string(),
        }),
    }
}

/// The context for running a stored call. The trace has the call in its run.
fn context(desk: &Desk, facts: &CallFacts, browser: &EnteredBrowser) -> ToolContext {
    let mut cx = desk.0.context.clone();
    if let Some(store) = &desk.0.store {
        cx = cx.with_store(Arc::clone(store));
    }
    if let Some(agent) = &facts.agent {
        cx = cx.with_role(agent);
    }
    if let Some(run) = &facts.run {
        cx = cx.with_run(run);
    }
    if let Some(turn) = facts.turn {
        cx = cx.with_turn(turn);
    }
    cx.with_caller(browser.name())
        .with_observer(desk.0.state.trace.observer("store"))
}

fn refused(error: &ResumeError) -> DeskAnswer {
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

/// Refuses an edit that its tool could not read, with every fault.
fn check_edit(desk: &Desk, tool: &str, decision: &ReviewDecision) -> Result<(), DeskAnswer> {
    let ReviewDecision::Edit(arguments) = decision else {
        return Ok(());
    };
    let call = ToolCall::new("edit", tool, arguments);
    let reply = desk.tools().check(&call, &desk.0.context);
    let described = replies::describe_check(&reply, arguments);
    if described["ok"] == true {
        return Ok(());
    }
    let mut answer = json(&json!({ "error": reply.to_model(), "reply": described }));
    *answer.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    Err(answer)
}

fn changed() -> DeskAnswer {
    fault(
        StatusCode::CONFLICT,
        "this is not the call that you saw: look at it again",
    )
}
