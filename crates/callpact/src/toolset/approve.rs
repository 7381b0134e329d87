//! A call runs only after the person who allows it has seen what runs: the question to a reviewer, the effect of
//! an edit, and a decision that was made elsewhere.

use std::{borrow::Cow, sync::Arc};

use super::{
    bounded::{Bounded, Ended, no_clock},
    claim::{find_result, settle},
    entry::Entry,
    gate::{Need, explain_refusal},
    key::{has_keys, make_key},
    once::{Resuming, new_id},
    outcome::{Ending, Stop},
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
    /// Behind a pointer, since a call is moved often and few calls have any terms.
    terms: Option<Box<Terms>>,
}

/// The terms under which a call runs.
#[derive(Default)]
pub(super) struct Terms {
    /// What a person saw of the call, if a person decided about it.
    pub(super) shown: Option<Shown>,
    /// What a person wrote in place of the arguments, without the secrets of an outer call.
    pub(super) edited: Option<Box<str>>,
    /// A decision for the tool, which asks in its own words.
    pub(super) decision: Option<ReviewDecision>,
    /// The key under which the call runs once.
    pub(super) key: Option<Arc<str>>,
    /// Whether the decision is in a store.
    pub(super) is_stored: bool,
}

impl<'a> Approved<'a> {
    /// Reads a call that needs no decision. A call that waited in a store already has its key.
    #[inline]
    pub(super) fn read(
        entry: &Entry,
        arguments: &'a str,
        stored: Option<Arc<str>>,
        cx: &ToolContext,
    ) -> Result<Self, Box<Ending>> {
        let read = read(entry, Cow::Borrowed(arguments), cx)?;
        let mut key = stored;
        if key.is_none() && has_keys(cx) {
            key = caught(|| make_key(entry, &read.arguments, &read.prepared, cx));
            if key.is_none() {
                let reason = "it crashed while it read its arguments";
                return Err(Ending::not_run(entry, Outcome::Crash, reason).into());
            }
        }
        let mut call = Self { read, terms: None };
        if key.is_some() {
            call.terms().key = key;
        }
        Ok(call)
    }

    /// Whether the call runs under no terms and without secrets.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.terms.is_none() && self.read.secrets.is_empty()
    }

    fn terms(&mut self) -> &mut Terms {
        self.terms.get_or_insert_default()
    }

    fn key(&self) -> Option<&str> {
        self.terms.as_ref()?.key.as_deref()
    }

    pub(super) fn into_parts(self) -> (Reading<'a>, Terms) {
        (
            self.read,
            self.terms.map_or_else(Terms::default, |terms| *terms),
        )
    }
}

/// An earlier word of a person about the call.
pub(super) enum Said<'a> {
    Decided(Box<Resuming<'a>>),
    /// The person wrote this in place of the arguments, and has not seen its effect yet.
    Edited(&'a str),
}

/// Reads the arguments, and asks about the call if that is needed.
pub(super) async fn approve<'a>(
    entry: &Entry,
    arguments: &'a str,
    need: Need<'_>,
    said: Option<Said<'_>>,
    cx: &ToolContext,
) -> Result<Approved<'a>, Stop> {
    let mut settles = None;
    let decided = decide(entry, arguments, need, said, &mut settles, cx).await;
    match (decided, settles) {
        (Err(Stop::Ended(ending)), Some(key)) => Err(settle(entry, key, ending, cx).await),
        (decided, _) => decided,
    }
}

/// Lets a call run, or ends it. `settles` is the key of a call that a stored decision lets run: if the call does not
/// run, it has still ended.
async fn decide<'a>(
    entry: &Entry,
    arguments: &'a str,
    need: Need<'_>,
    said: Option<Said<'_>>,
    settles: &mut Option<Arc<str>>,
    cx: &ToolContext,
) -> Result<Approved<'a>, Stop> {
    let resuming = match &said {
        Some(Said::Decided(resuming)) => Some(resuming),
        _ => None,
    };
    if !matches!(need, Need::Denied(_)) {
        *settles = resuming.and_then(|resuming| resuming.settles());
    }
    let stored = resuming.and_then(|resuming| resuming.key().cloned());
    let call = Approved::read(entry, arguments, stored, cx).map_err(|mut ending| {
        ending.note_edit(resuming.and_then(|resuming| resuming.edited().map(Box::from)));
        ending
    })?;
    match (need, said) {
        (Need::Denied(reason), _) => Err(Ending::refused(Outcome::Refused, reason).into()),
        (Need::No, None) => Ok(call),
        (Need::No, Some(Said::Decided(resuming))) => resume(entry, call, *resuming, None, cx),
        (Need::Yes(role), Some(Said::Decided(resuming))) => {
            resume(entry, call, *resuming, role, cx)
        }
        (Need::No, Some(Said::Edited(text))) => Ok(run_edit(entry, call, text, cx)?),
        (Need::Yes(role), None) => ask_until_seen(entry, call, None, role, settles, cx).await,
        (Need::Yes(role), Some(Said::Edited(text))) => {
            ask_until_seen(entry, call, Some(text), role, settles, cx).await
        }
    }
}

/// Asks about a call until somebody who has seen what runs allows it, or until it is refused.
async fn ask_until_seen<'a>(
    entry: &Entry,
    mut call: Approved<'a>,
    edited: Option<&str>,
    role: Option<&str>,
    settles: &mut Option<Arc<str>>,
    cx: &ToolContext,
) -> Result<Approved<'a>, Stop> {
    if let Some(ending) = find_result(entry, call.key(), cx).await? {
        return Err(ending.into());
    }
    let mut proposal = match edited {
        None => Proposal::new(entry, &mut call.read, None, cx)?,
        Some(text) => {
            let (read, proposal) = edit(entry, text, cx)?;
            call.read = read;
            proposal
        }
    };
    for _ in 0..EDITS {
        // Equal calls wait only once in a store.
        let id = call.key().and_then(|key| key.get(..32));
        let id = id.map_or_else(new_id, str::to_owned);
        let pending = proposal.describe(entry, &call.read, id, role, cx);
        let decision = match ask_in_time(entry, pending, call.key(), cx).await? {
            Answer::Now(decision) => decision,
            Answer::Stored(arguments, resuming) => {
                *settles = resuming.settles();
                call.read = read(entry, Cow::Owned(arguments), cx).map_err(|mut ending| {
                    ending.note_edit(resuming.edited().map(Box::from));
                    ending
                })?;
                return resume(entry, call, resuming, None, cx);
            }
        };
        let is_yes = match decision {
            ReviewDecision::Continue => true,
            ReviewDecision::Edit(text) => {
                let (read, next) = edit(entry, &text, cx)?;
                if are_equal(&read, &call.read) {
                    true
                } else {
                    call.read = read;
                    proposal = next;
                    !proposal.says_more()
                }
            }
            no => return Err(end(entry, no)),
        };
        if is_yes {
            let terms = call.terms();
            terms.shown = Some(Shown::new(proposal.preview));
            terms.edited = proposal.edited;
            // The question of the tool is answered.
            terms.decision = entry.asks_itself().then_some(ReviewDecision::Continue);
            return Ok(call);
        }
    }
    let reason = format!("its reviewer edited it {EDITS} times and approved none of the edits");
    Err(Ending::not_run(entry, Outcome::Refused, &reason).into())
}

/// Resumes a call with a decision that was made elsewhere.
fn resume<'a>(
    entry: &Entry,
    mut call: Approved<'a>,
    resuming: Resuming<'_>,
    role: Option<&str>,
    cx: &ToolContext,
) -> Result<Approved<'a>, Stop> {
    if let Some(required) = role.filter(|_| resuming.goes_on() && !entry.asks_itself()) {
        let acting = resuming.role();
        let acting = acting.or_else(|| cx.reviewer()?.role());
        check_role(&entry.name, required, acting)?;
    }
    let is_stored = resuming.key().is_some();
    let (decision, preview, mut edited) = resuming.take(&entry.name)?;
    let mut shown = Shown::new(preview);
    let decision = match decision {
        ReviewDecision::Edit(text) => {
            let (read, proposal) = edit(entry, &text, cx)?;
            if !are_equal(&read, &call.read) {
                if !proposal.says_more() {
                    shown = Shown::new(None);
                } else if is_stored {
                    // The decision counts and cannot be repeated.
                    shown = Shown::nothing();
                } else {
                    let pending = proposal.describe(entry, &read, new_id(), role, cx);
                    return Err(Halt::Pending(Box::new(pending)).into());
                }
                call.read = read;
                edited = proposal.edited;
            }
            // The person saw the arguments, so the edit applies to them, not to a question of the
            // tool.
            entry.asks_itself().then_some(ReviewDecision::Continue)
        }
        answer if entry.asks_itself() => Some(answer),
        ReviewDecision::Continue => None,
        no => return Err(end(entry, no)),
    };
    let terms = call.terms();
    terms.shown = Some(shown);
    terms.edited = edited;
    terms.decision = decision;
    terms.is_stored = is_stored;
    Ok(call)
}

/// Runs an edited call that needs no review.
fn run_edit<'a>(
    entry: &Entry,
    mut call: Approved<'a>,
    text: &str,
    cx: &ToolContext,
) -> Result<Approved<'a>, Box<Ending>> {
    let (read, proposal) = edit(entry, text, cx)?;
    call.read = read;
    call.terms().edited = proposal.edited;
    Ok(call)
}

/// Reads and checks the arguments that a person wrote, like those of a model, and makes the preview for that
/// person.
pub(super) fn edit(
    entry: &Entry,
    text: &str,
    cx: &ToolContext,
) -> Result<(Reading<'static>, Proposal), Box<Ending>> {
    let edited: Box<str> = cx.without_secrets(text).into();
    if cx.captures_content() {
        let name = &entry.name;
        tracing::debug!(target: "callpact", arguments = %edited, "{name}: edited by the reviewer");
    }
    let made = read(entry, Cow::Owned(text.to_owned()), cx).and_then(|mut read| {
        let proposal = Proposal::new(entry, &mut read, Some(edited.clone()), cx)?;
        Ok((read, proposal))
    });
    made.map_err(|mut ending| {
        ending.note_edit(Some(edited));
        ending
    })
}

/// Whether two readings hold the same value and the same text, apart from blanks.
fn are_equal(one: &Reading<'_>, other: &Reading<'_>) -> bool {
    one.arguments == other.arguments
        || !one.prepared.is_text() && compact(&one.arguments) == compact(&other.arguments)
}

/// Ends a call after a no.
fn end(entry: &Entry, no: ReviewDecision) -> Stop {
    let reason = match no {
        ReviewDecision::Refuse(reason) => reason,
        no => {
            return Stop::Halted(Halt::ExitEarly {
                message: format!("the call of '{}' was rejected by the reviewer", entry.name),
                timed_out: matches!(no, ReviewDecision::ExitEarly { timed_out: true }),
            });
        }
    };
    let text = explain_refusal(&entry.name, &reason);
    Ending::refused(Outcome::Refused, text).into()
}

/// The answer to a question.
enum Answer<'a> {
    Now(ReviewDecision),
    /// The decision about these arguments was already in the store.
    Stored(String, Resuming<'a>),
}

/// Asks about a call until the time of the call is up.
async fn ask_in_time<'a>(
    entry: &'a Entry,
    pending: PendingCall,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<Answer<'a>, Stop> {
    let asking = Box::pin(ask(entry, pending, key, cx));
    Err(
        match Bounded::new(asking, cx.fixed_deadline(), cx.cancellation()).await {
            Ended::Done(answer) => return Ok(answer?),
            Ended::Crashed => {
                let text = format!("the reviewer of '{}' crashed", entry.name);
                Halt::ReviewFailed(text).into()
            }
            Ended::TimedOut => {
                let reason = "the time was up before it was approved";
                Ending::not_run(entry, Outcome::TimedOut, reason).into()
            }
            Ended::Cancelled => Halt::Cancelled.into(),
            Ended::NoClock => no_clock(&entry.name).into(),
        },
    )
}

/// Asks the reviewer, or ends the call as a waiting one. Secrets are still placeholders.
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
