//! Whoever lets a call run has seen what runs: the question to a reviewer, what an edit makes of the call, and the
//! decision that was made elsewhere.

use std::{borrow::Cow, sync::Arc};

use super::{
    bounded::{Bounded, Ended, no_clock},
    claim::find_result,
    entry::Entry,
    gate::{Need, explain_refusal, need},
    key::make_key,
    once::{Resuming, new_id},
    outcome::Ending,
    proposal::Proposal,
    reading::{Reading, read},
    shown::Shown,
    waiting::{check_role, wait_in_store},
};
use crate::{
    adapter::Outcome,
    crash::caught,
    review::{ReviewDecision, ReviewTiming, run_review},
    tool::{Halt, PendingCall, ToolContext, compact},
};

/// How often a reviewer may edit one call before it is refused.
const EDITS: usize = 8;

/// A call that may run.
pub(super) struct Approved<'a> {
    pub(super) read: Reading<'a>,
    /// What a person saw of the call, if a person decided about it.
    pub(super) shown: Option<Box<Shown>>,
    /// What a person wrote in place of the arguments, without the secrets of a call around this one.
    pub(super) edited: Option<Box<str>>,
    /// A decision for the tool, which asks in its own words.
    pub(super) decision: Option<ReviewDecision>,
    /// The key under which the call runs once.
    pub(super) key: Option<Arc<str>>,
    /// Whether the decision about it is in a store.
    pub(super) is_stored: bool,
}

/// What a person has said about a call before it is made.
pub(super) enum Said<'a> {
    Decided(Resuming<'a>),
    /// They wrote this in place of the arguments, and have not seen yet what it does.
    Edited(&'a str),
}

/// A call that may run, or the end of one that may not.
type Allowed<'a> = Result<Result<Approved<'a>, Ending>, Halt>;

/// Reads the arguments, and asks about the call where that is needed. `settles` is the key of a call that a decision in
/// a store lets run: if it does not run, it has ended all the same.
pub(super) async fn approve<'a>(
    entry: &Entry,
    arguments: &'a str,
    said: Option<Said<'_>>,
    settles: &mut Option<Arc<str>>,
    cx: &ToolContext,
) -> Allowed<'a> {
    let need = need(entry, cx);
    let stored = match &said {
        Some(Said::Decided(resuming)) => resuming.key().cloned(),
        _ => None,
    };
    if let Some(Said::Decided(resuming)) = &said
        && !matches!(need, Need::Denied(_))
    {
        *settles = resuming.settles();
    }
    let read = match read(entry, Cow::Borrowed(arguments), cx) {
        Ok(read) => read,
        Err(mut ending) => {
            if let Some(Said::Decided(resuming)) = &said {
                ending.note_edit(resuming.edited().map(Box::from));
            }
            return Ok(Err(ending));
        }
    };
    let made = || caught(|| make_key(entry, &read.arguments, &read.prepared, cx));
    let Some(key) = stored.map(Some).map_or_else(made, Some) else {
        let reason = "it crashed while it read its arguments";
        return Ok(Err(Ending::not_run(entry, Outcome::Crash, reason)));
    };
    let call = Approved {
        read,
        shown: None,
        edited: None,
        decision: None,
        key,
        is_stored: false,
    };
    match (need, said) {
        (Need::Denied(reason), _) => Ok(Err(Ending::refused(Outcome::Refused, reason))),
        (Need::No, None) => Ok(Ok(call)),
        (Need::No, Some(Said::Decided(resuming))) => resume(entry, call, resuming, None, cx),
        (Need::Yes(role), Some(Said::Decided(resuming))) => resume(entry, call, resuming, role, cx),
        (Need::No, Some(Said::Edited(text))) => Ok(run_edit(entry, call, text, cx)),
        (Need::Yes(role), None) => {
            Box::pin(ask_until_seen(entry, call, None, role, settles, cx)).await
        }
        (Need::Yes(role), Some(Said::Edited(text))) => {
            Box::pin(ask_until_seen(entry, call, Some(text), role, settles, cx)).await
        }
    }
}

/// Asks about a call until somebody lets it run who has seen what runs, or does not let it run.
async fn ask_until_seen<'a>(
    entry: &Entry,
    mut call: Approved<'a>,
    edited: Option<&str>,
    role: Option<&str>,
    settles: &mut Option<Arc<str>>,
    cx: &ToolContext,
) -> Allowed<'a> {
    if let Some(ending) = find_result(entry, call.key.as_deref(), cx).await? {
        return Ok(Err(ending));
    }
    let made = match edited {
        None => Proposal::new(entry, &mut call.read, None, cx),
        Some(text) => edit(entry, text, cx).map(|(read, proposal)| {
            call.read = read;
            proposal
        }),
    };
    let mut proposal = match made {
        Ok(proposal) => proposal,
        Err(ending) => return Ok(Err(*ending)),
    };
    for _ in 0..EDITS {
        // An equal call waits only once in a store.
        let id = call.key.as_deref().and_then(|key| key.get(..32));
        let id = id.map_or_else(new_id, str::to_owned);
        let pending = proposal.describe(entry, &call.read, id, role, cx);
        let decision = match ask_in_time(entry, pending, call.key.as_deref(), cx).await? {
            Ok(Answer::Now(decision)) => decision,
            Ok(Answer::Stored(arguments, resuming)) => {
                *settles = resuming.settles();
                call.read = match read(entry, Cow::Owned(arguments), cx) {
                    Ok(read) => read,
                    Err(mut ending) => {
                        ending.note_edit(resuming.edited().map(Box::from));
                        return Ok(Err(ending));
                    }
                };
                return resume(entry, call, resuming, None, cx);
            }
            Err(ending) => return Ok(Err(ending)),
        };
        let is_yes = match decision {
            ReviewDecision::Continue => true,
            ReviewDecision::Edit(text) => {
                let (read, next) = match edit(entry, &text, cx) {
                    Ok(edited) => edited,
                    Err(ending) => return Ok(Err(*ending)),
                };
                if are_equal(&read, &call.read) {
                    true
                } else {
                    call.read = read;
                    proposal = next;
                    !proposal.says_more()
                }
            }
            no => return end(entry, no),
        };
        if is_yes {
            call.shown = Some(Box::new(Shown::new(proposal.preview)));
            call.edited = proposal.edited;
            // The question of the tool is answered.
            call.decision = entry.asks_itself().then_some(ReviewDecision::Continue);
            return Ok(Ok(call));
        }
    }
    let reason = format!("its reviewer edited it {EDITS} times and approved none of the edits");
    Ok(Err(Ending::not_run(entry, Outcome::Refused, &reason)))
}

/// Goes on with a decision that was made elsewhere.
fn resume<'a>(
    entry: &Entry,
    mut call: Approved<'a>,
    resuming: Resuming<'_>,
    role: Option<&str>,
    cx: &ToolContext,
) -> Allowed<'a> {
    if let Some(required) = role.filter(|_| resuming.goes_on() && !entry.asks_itself()) {
        let acting = resuming.role();
        let acting = acting.or_else(|| cx.reviewer()?.role());
        check_role(&entry.name, required, acting)?;
    }
    call.is_stored = resuming.key().is_some();
    let (decision, preview, edited) = resuming.take(&entry.name)?;
    let mut shown = Shown::new(preview);
    call.edited = edited;
    call.decision = match decision {
        ReviewDecision::Edit(text) => {
            let (read, proposal) = match edit(entry, &text, cx) {
                Ok(edited) => edited,
                Err(ending) => return Ok(Err(*ending)),
            };
            if !are_equal(&read, &call.read) {
                if !proposal.says_more() {
                    shown = Shown::new(None);
                } else if call.is_stored {
                    // The decision counts and cannot be made again.
                    shown = Shown::nothing();
                } else {
                    let pending = proposal.describe(entry, &read, new_id(), role, cx);
                    return Err(Halt::Pending(Box::new(pending)));
                }
                call.read = read;
                call.edited = proposal.edited;
            }
            // The person saw the arguments, so the edit is of those, and no text for the tool.
            entry.asks_itself().then_some(ReviewDecision::Continue)
        }
        answer if entry.asks_itself() => Some(answer),
        ReviewDecision::Continue => None,
        no => return end(entry, no),
    };
    call.shown = Some(Box::new(shown));
    Ok(Ok(call))
}

/// Lets an edited call run about which nobody is asked.
#[allow(clippy::result_large_err)] // a call that ends here has its reply in it
fn run_edit<'a>(
    entry: &Entry,
    mut call: Approved<'a>,
    text: &str,
    cx: &ToolContext,
) -> Result<Approved<'a>, Ending> {
    let (read, proposal) = edit(entry, text, cx).map_err(|ending| *ending)?;
    call.read = read;
    call.edited = proposal.edited;
    Ok(call)
}

/// Reads and checks what a person wrote in place of the arguments, like arguments of the model, and makes what they
/// have to see of it.
pub(super) fn edit(
    entry: &Entry,
    text: &str,
    cx: &ToolContext,
) -> Result<(Reading<'static>, Proposal), Box<Ending>> {
    let edited: Box<str> = cx.without_secrets(text).into();
    if cx.captures_content() {
        let name = &entry.name;
        tracing::debug!(target: "toolwright", arguments = %edited, "{name}: edited by the reviewer");
    }
    let made = read(entry, Cow::Owned(text.to_owned()), cx).map_err(Box::new);
    let made = made.and_then(|mut read| {
        let proposal = Proposal::new(entry, &mut read, Some(edited.clone()), cx)?;
        Ok((read, proposal))
    });
    made.map_err(|mut ending| {
        ending.note_edit(Some(edited));
        ending
    })
}

/// Whether two readings are of one value in one text, but for the blanks in it.
fn are_equal(one: &Reading<'_>, other: &Reading<'_>) -> bool {
    one.arguments == other.arguments
        || !one.prepared.is_text() && compact(&one.arguments) == compact(&other.arguments)
}

/// Ends a call about which somebody said no.
fn end<'a>(entry: &Entry, no: ReviewDecision) -> Allowed<'a> {
    let reason = match no {
        ReviewDecision::Refuse(reason) => reason,
        no => {
            return Err(Halt::ExitEarly {
                message: format!("the call of '{}' was rejected by the reviewer", entry.name),
                timed_out: matches!(no, ReviewDecision::ExitEarly { timed_out: true }),
            });
        }
    };
    let text = explain_refusal(&entry.name, &reason);
    Ok(Err(Ending::refused(Outcome::Refused, text)))
}

/// The answer to a question.
enum Answer<'a> {
    Now(ReviewDecision),
    /// It was in the store already, about these arguments.
    Stored(String, Resuming<'a>),
}

/// Asks about a call until the time of the call is up.
async fn ask_in_time<'a>(
    entry: &'a Entry,
    pending: PendingCall,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<Result<Answer<'a>, Ending>, Halt> {
    let asking = Box::pin(ask(entry, pending, key, cx));
    match Bounded::new(asking, cx.fixed_deadline(), cx.cancellation()).await {
        Ended::Done(answer) => answer.map(Ok),
        Ended::Crashed => {
            let text = format!("the reviewer of '{}' crashed", entry.name);
            Err(Halt::ReviewFailed(text))
        }
        Ended::TimedOut => {
            let reason = "the time was up before it was approved";
            Ok(Err(Ending::not_run(entry, Outcome::TimedOut, reason)))
        }
        Ended::Cancelled => Err(Halt::Cancelled),
        Ended::NoClock => Err(no_clock(&entry.name)),
    }
}

/// Asks the reviewer, or ends the call as one that waits. Secrets are still placeholders.
async fn ask<'a>(
    entry: &'a Entry,
    pending: PendingCall,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<Answer<'a>, Halt> {
    if cx.defers() {
        return match (cx.store(), key) {
            (Some(store), Some(key)) => {
                let (arguments, resuming) = wait_in_store(entry, pending, key, store, cx).await?;
                Ok(Answer::Stored(arguments, resuming))
            }
            _ => Err(Halt::Pending(Box::new(pending))),
        };
    }
    let Some(reviewer) = cx.reviewer() else {
        return Err(ToolContext::no_reviewer(&entry.name));
    };
    let mut request = cx
        .review_request(pending.describe(""))
        .timing(ReviewTiming::BeforeExecution)
        .action(pending.arguments)
        .changes(pending.changes)
        .digest(pending.digest);
    request.required_role = pending.required_role;
    request.preview = pending.preview;
    Ok(Answer::Now(run_review(reviewer, &request).await?))
}
