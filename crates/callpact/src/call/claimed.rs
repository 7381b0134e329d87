//! The fifth step of a call: the values of its secrets are in its input, and it runs here and nowhere else.

use std::sync::Arc;

use super::{
    approved::{ApprovalTerms, ApprovedCall},
    bounded::{BoundedWork, WorkEnd},
    canonical::{CHANGES, noting_changes},
    checked::CheckedCall,
    claim::{HeldClaim, needs_claim, start},
    finished::{EarlyEnd, FinishedCall, redact_result},
    found::FoundCall,
    secrets,
    shown::ShownPreview,
    time_limit::TimeLimit,
};
use crate::{
    adapter::Outcome,
    crash::caught,
    secret::ResolvedSecrets,
    tool::{ParsedInput, RunState, ToolResult},
};

/// A call whose tool may run now.
pub(super) struct ClaimedCall<'a> {
    pub(super) found: FoundCall<'a>,
    pub(super) input: ParsedInput,
    pub(super) time: Option<TimeLimit>,
    /// The decision, the secrets and the key of the run.
    pub(super) state: Option<Box<RunState>>,
    /// The claim in the store, if the call needs one.
    pub(super) claim: Option<HeldClaim<'a>>,
    /// What a person saw of the call. It must still be true.
    pub(super) shown: Option<ShownPreview>,
    /// What a person wrote in place of the arguments, without secrets.
    pub(super) edited: Option<Box<str>>,
}

impl<'a> ApprovedCall<'a> {
    /// Resolves the secrets of the call, and claims it in the store.
    pub(super) async fn claim(self, time: Option<TimeLimit>) -> Result<ClaimedCall<'a>, EarlyEnd> {
        let found = self.call.found;
        let (mut call, terms) = self.into_parts();
        let ApprovalTerms {
            mut shown,
            mut edited,
            ..
        } = terms;
        let mut resolved = None;
        if !call.secrets.is_empty() {
            let (seen, secrets) = match put_secrets(&mut call, time).await {
                Ok(put) => put,
                Err(EarlyEnd::Finished(mut finished)) => {
                    finished.note_edit(edited);
                    return Err(finished.into());
                }
                halted => halted?,
            };
            if let Some(shown) = &mut shown {
                shown.keep(seen);
            }
            let redactor = secrets.redactor();
            edited = edited.map(|text| redactor.redact(&text).into());
            resolved = Some(secrets);
        }
        let mut state = RunState::new(terms.decision, resolved.as_ref(), terms.key);
        let claim = match needs_claim(found.entry, terms.is_stored, &state, found.cx) {
            Some(store) => Some(start(found.entry, &mut state, store, found.cx).await?),
            None => None,
        };
        Ok(ClaimedCall {
            found,
            input: call.input,
            time,
            state: Some(Box::new(state)),
            claim,
            shown,
            edited,
        })
    }

    /// The call without terms and without secrets, which needs no claim.
    #[inline]
    pub(super) fn claim_plain(self, time: Option<TimeLimit>) -> Result<ClaimedCall<'a>, Box<Self>> {
        if !self.is_plain() {
            return Err(self.into());
        }
        let found = self.call.found;
        let (call, _) = self.into_parts();
        Ok(ClaimedCall {
            found,
            input: call.input,
            time,
            state: None,
            claim: None,
            shown: None,
            edited: None,
        })
    }
}

/// Puts the secrets into the arguments, and reads them again. Gives the input that was read from placeholders, and the
/// secrets.
async fn put_secrets(
    call: &mut CheckedCall<'_>,
    time: Option<TimeLimit>,
) -> Result<(ParsedInput, Arc<ResolvedSecrets>), EarlyEnd> {
    let FoundCall { entry, cx, .. } = call.found;
    let named = std::mem::take(&mut call.secrets);
    let resolve = Box::pin(secrets::resolve(entry, &call.arguments, named, cx));
    let not_run = |outcome, reason: &str| {
        Err(EarlyEnd::from(FinishedCall::not_run(
            entry, outcome, reason,
        )))
    };
    let bounded = BoundedWork::new(resolve, TimeLimit::deadline(time), cx);
    let (text, values) = match bounded.await? {
        WorkEnd::Done(Ok(resolved)) => resolved,
        WorkEnd::Done(Err(error)) => {
            return Err(FinishedCall::refused(Outcome::Refused, error.to_string()).into());
        }
        WorkEnd::Crashed => return not_run(Outcome::Crash, "looking up its secrets crashed"),
        WorkEnd::TimedOut => {
            return not_run(
                Outcome::TimedOut,
                "the time was up before its secrets were there",
            );
        }
    };
    let policy = noting_changes(cx.policy());
    match caught(|| entry.tool.prepare(text.expose(), &policy)) {
        // The reviewer saw one value here. A secret must not turn it into several values.
        Some(Ok(again))
            if again.changes.iter().any(secrets::takes_apart) || again.changes.len() >= CHANGES =>
        {
            let reason = "the value of a secret reads as JSON where it stands";
            not_run(Outcome::Refused, reason)
        }
        Some(Ok(mut input)) => {
            // The changes of the first reading, which saw placeholders. Those of the second could reveal a part
            // of a value.
            input.changes = std::mem::take(&mut call.input.changes);
            let seen = std::mem::replace(&mut call.input, input);
            Ok((seen, values))
        }
        Some(Err(report)) => {
            let result = redact_result(ToolResult::invalid(report), Some(&values.redactor()));
            let mut finished = FinishedCall::new(Outcome::InvalidArguments, result);
            finished.fixes = call.input.take_fixes();
            Err(finished.into())
        }
        None => not_run(Outcome::Crash, "it crashed while it read its arguments"),
    }
}
