//! The fourth step of a call: it runs only after the person who allows it has seen what runs. Asks a reviewer, follows
//! an edit, and applies a decision that was made elsewhere.

use std::{borrow::Cow, sync::Arc};

use super::{
    bounded::{BoundedWork, WorkEnd},
    checked::CheckedCall,
    claim::{end_unread, find_result, settle},
    finished::{EarlyEnd, FinishedCall},
    found::FoundCall,
    gate::{DecisionNeed, explain_refusal},
    prior_decision::{PriorAnswer, PriorDecision},
    question::CallQuestion,
    shown::ShownPreview,
    waiting::{check_role, wait_in_store},
};
use crate::{
    adapter::Outcome,
    review::{EDITS, ReviewDecision},
    tool::{Halt, PendingCall, ToolContext},
    toolset::{ToolEntry, new_id},
};

/// A call that may run.
pub(super) struct ApprovedCall<'a> {
    pub(super) call: CheckedCall<'a>,
    /// Behind a pointer, since a call is moved often and few calls have any terms.
    terms: Option<Box<ApprovalTerms>>,
}

/// The terms under which a call runs.
#[derive(Default)]
pub(super) struct ApprovalTerms {
    /// What a person saw of the call, if a person decided about it.
    pub(super) shown: Option<ShownPreview>,
    /// What a person wrote in place of the arguments, without the secrets of an outer call.
    pub(super) edited: Option<Box<str>>,
    /// A decision for the tool, which asks in its own words.
    pub(super) decision: Option<ReviewDecision>,
    /// The key under which the call runs once.
    pub(super) key: Option<Arc<str>>,
    /// Whether the decision is in a store.
    pub(super) is_stored: bool,
}

impl<'a> CheckedCall<'a> {
    /// Lets a call run that needs no decision.
    #[inline]
    pub(super) fn allow(self) -> Result<ApprovedCall<'a>, Box<FinishedCall>> {
        let key = self.make_key()?;
        let terms = key.map(|key| {
            Box::new(ApprovalTerms {
                key: Some(key),
                ..ApprovalTerms::default()
            })
        });
        Ok(ApprovedCall { call: self, terms })
    }

    fn allow_under(self, mut terms: ApprovalTerms) -> ApprovedCall<'a> {
        let entry = self.found.entry;
        terms.shown = terms
            .shown
            .map(|shown| shown.hiding(entry, &self.arguments));
        ApprovedCall {
            call: self,
            terms: Some(Box::new(terms)),
        }
    }
}

impl<'a> ApprovedCall<'a> {
    /// Takes the changes to report.
    pub(super) fn take_fixes(&mut self) -> Vec<crate::input::Fix> {
        self.call.input.take_fixes()
    }

    /// Whether the call runs under no terms and without secrets.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.terms.is_none() && self.call.secrets.is_empty()
    }

    pub(super) fn into_parts(self) -> (CheckedCall<'a>, ApprovalTerms) {
        let terms = self.terms.map_or_else(Default::default, |terms| *terms);
        (self.call, terms)
    }
}

/// Reads the arguments, and applies the decision about the call or asks for one if that is needed.
pub(super) async fn approve<'a>(
    found: FoundCall<'a>,
    need: DecisionNeed<'_>,
    prior: Option<PriorAnswer<'_>>,
) -> Result<ApprovedCall<'a>, EarlyEnd> {
    let edit = match prior {
        Some(PriorAnswer::Decided(prior)) => return resume_call(found, None, need, *prior).await,
        Some(PriorAnswer::Edited(text)) => Some(text),
        None => None,
    };
    let call = match found.read() {
        Ok(call) => call,
        Err(finished) => return Err(end_unread(found, finished).await),
    };
    match (need, edit) {
        (DecisionNeed::Denied(reason), _) => {
            Err(FinishedCall::refused(Outcome::Refused, reason).into())
        }
        (DecisionNeed::No, None) => Ok(call.allow()?),
        (DecisionNeed::No, Some(text)) => Ok(run_edit(&call, text)?),
        (DecisionNeed::Yes(role), edit) => ask_until_seen(call, edit, role).await,
    }
}

/// Applies a decision that was made elsewhere. If a stored decision lets the call run and it cannot run, its end is
/// recorded, so that it does not run later. `arguments` are those that were decided about, if they are not those of
/// this call.
async fn resume_call<'a>(
    found: FoundCall<'a>,
    arguments: Option<String>,
    need: DecisionNeed<'_>,
    prior: PriorDecision<'_>,
) -> Result<ApprovedCall<'a>, EarlyEnd> {
    let is_denied = matches!(need, DecisionNeed::Denied(_));
    let settles = prior.settles().filter(|_| !is_denied);
    match (apply_decision(found, arguments, need, prior), settles) {
        (Err(EarlyEnd::Finished(finished)), Some(key)) => {
            Err(settle(found.entry, key, finished, found.cx).await)
        }
        (applied, _) => applied,
    }
}

/// Reads the call that was decided about, and uses the decision.
fn apply_decision<'a>(
    found: FoundCall<'a>,
    arguments: Option<String>,
    need: DecisionNeed<'_>,
    prior: PriorDecision<'_>,
) -> Result<ApprovedCall<'a>, EarlyEnd> {
    let FoundCall { entry, cx, .. } = found;
    if let (Some(watch), Some(waited)) = (cx.watch(), &prior.waited) {
        watch.resume(waited.0, &waited.1);
    }
    let note_edit = |mut finished: Box<FinishedCall>| {
        finished.note_edit(prior.edited.clone());
        finished
    };
    let call = match arguments {
        Some(text) => found.read_text(Cow::Owned(text)),
        None => found.read(),
    };
    let mut call = call.map_err(note_edit)?;
    let key = match &prior.key {
        Some(key) => Some(Arc::clone(key)),
        None => call.make_key().map_err(note_edit)?,
    };
    let role = match need {
        DecisionNeed::Denied(reason) => {
            return Err(FinishedCall::refused(Outcome::Refused, reason).into());
        }
        DecisionNeed::No => None,
        DecisionNeed::Yes(role) => role,
    };
    if let Some(required) = role.filter(|_| prior.goes_on() && !entry.asks_itself()) {
        let acting = prior.role.as_deref();
        let acting = acting.or_else(|| cx.reviewer()?.role());
        check_role(&entry.name, required, acting)?;
    }
    let is_stored = prior.key.is_some();
    let (decision, preview, mut edited) = prior.take(&entry.name)?;
    let mut shown = ShownPreview::new(preview);
    let decision = match decision {
        ReviewDecision::Edit(text) => {
            let (edit, question) = CallQuestion::of_edit(found, &text, &call.arguments)?;
            if !edit.is_equal(&call) {
                if !question.shows_more() {
                    shown = ShownPreview::new(None);
                } else if is_stored {
                    // The decision counts and cannot be repeated.
                    shown = ShownPreview::nothing();
                } else {
                    let pending = question.describe(&edit, new_id(), role);
                    return Err(Halt::Pending(Box::new(pending)).into());
                }
                call = edit;
                edited = question.edited;
            }
            // The person saw the arguments, so the edit applies to them, not to a question of the
            // tool.
            entry.asks_itself().then_some(ReviewDecision::Continue)
        }
        answer if entry.asks_itself() => Some(answer),
        ReviewDecision::Continue => None,
        no => return Err(refuse(entry, no)),
    };
    Ok(call.allow_under(ApprovalTerms {
        shown: Some(shown),
        edited,
        decision,
        key,
        is_stored,
    }))
}

/// Asks about a call until somebody who has seen what runs allows it, or until it is refused.
async fn ask_until_seen<'a>(
    mut call: CheckedCall<'a>,
    edit: Option<&str>,
    role: Option<&str>,
) -> Result<ApprovedCall<'a>, EarlyEnd> {
    let found = call.found;
    let FoundCall { entry, cx, .. } = found;
    let key = call.make_key()?;
    if let Some(finished) = find_result(entry, key.as_deref(), cx).await? {
        return Err(finished.into());
    }
    let mut question = match edit {
        None => CallQuestion::new(&mut call, None)?,
        Some(text) => {
            let question;
            let before = std::mem::take(&mut call.arguments);
            (call, question) = CallQuestion::of_edit(found, text, &before)?;
            question
        }
    };
    for _ in 0..EDITS {
        // Equal calls wait only once in a store.
        let id = key.as_deref().and_then(|key| key.get(..32));
        let id = id.map_or_else(new_id, str::to_owned);
        let pending = question.describe(&call, id, role);
        let decision = match ask_in_time(entry, pending, key.as_deref(), cx).await? {
            ReviewAnswer::Now(decision) => decision,
            ReviewAnswer::Stored(arguments, prior) => {
                return resume_call(found, Some(arguments), DecisionNeed::No, *prior).await;
            }
        };
        let is_yes = match decision {
            ReviewDecision::Continue => true,
            ReviewDecision::Edit(text) => {
                let (edit, next) = CallQuestion::of_edit(found, &text, &call.arguments)?;
                if edit.is_equal(&call) {
                    true
                } else {
                    call = edit;
                    question = next;
                    !question.shows_more()
                }
            }
            no => return Err(refuse(entry, no)),
        };
        if is_yes {
            return Ok(call.allow_under(ApprovalTerms {
                shown: Some(ShownPreview::new(question.preview)),
                edited: question.edited,
                // The question of the tool is answered.
                decision: entry.asks_itself().then_some(ReviewDecision::Continue),
                key,
                is_stored: false,
            }));
        }
    }
    let reason = format!("its reviewer edited it {EDITS} times and approved none of the edits");
    Err(FinishedCall::not_run(entry, Outcome::Refused, &reason).into())
}

/// Lets an edited call run that needs no decision.
fn run_edit<'a>(call: &CheckedCall<'a>, text: &str) -> Result<ApprovedCall<'a>, Box<FinishedCall>> {
    let key = call.make_key()?;
    let (edit, question) = CallQuestion::of_edit(call.found, text, &call.arguments)?;
    Ok(edit.allow_under(ApprovalTerms {
        edited: question.edited,
        key,
        ..ApprovalTerms::default()
    }))
}

/// Ends a call after a no.
fn refuse(entry: &ToolEntry, no: ReviewDecision) -> EarlyEnd {
    let reason = match no {
        ReviewDecision::Refuse(reason) => reason,
        no => {
            return EarlyEnd::Halted(Halt::ExitEarly {
                message: format!("the call of '{}' was rejected by the reviewer", entry.name),
                timed_out: matches!(no, ReviewDecision::ExitEarly { timed_out: true }),
            });
        }
    };
    let text = explain_refusal(&entry.name, &reason);
    FinishedCall::refused(Outcome::Refused, text).into()
}

/// The answer to a question.
enum ReviewAnswer<'a> {
    Now(ReviewDecision),
    /// The decision about these arguments was already in the store.
    Stored(String, Box<PriorDecision<'a>>),
}

/// Asks about a call until the time of the call is up.
async fn ask_in_time<'a>(
    entry: &'a ToolEntry,
    pending: PendingCall,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<ReviewAnswer<'a>, EarlyEnd> {
    let asking = Box::pin(ask(entry, pending, key, cx));
    match BoundedWork::new(asking, cx.fixed_deadline(), cx).await? {
        WorkEnd::Done(answer) => Ok(answer?),
        WorkEnd::Crashed => {
            let text = format!("the reviewer of '{}' crashed", entry.name);
            Err(Halt::ReviewFailed(text).into())
        }
        WorkEnd::TimedOut => {
            let reason = "the time was up before it was approved";
            Err(FinishedCall::not_run(entry, Outcome::TimedOut, reason).into())
        }
    }
}

/// Asks the reviewer, or ends the call as a waiting one. Secrets are still placeholders.
async fn ask<'a>(
    entry: &'a ToolEntry,
    pending: PendingCall,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<ReviewAnswer<'a>, Halt> {
    if cx.defers() {
        return match (cx.store(), key) {
            (Some(store), Some(key)) => {
                let (arguments, prior) = wait_in_store(entry, pending, key, store, cx).await?;
                Ok(ReviewAnswer::Stored(arguments, Box::new(prior)))
            }
            _ => Err(Halt::Pending(Box::new(pending))),
        };
    }
    let Some(reviewer) = cx.reviewer() else {
        return Err(ToolContext::no_reviewer(&entry.name));
    };
    let request = cx.limit_review(pending.request_at(""));
    let decision = cx.ask_reviewer(reviewer, &request).await?;
    Ok(ReviewAnswer::Now(decision))
}
