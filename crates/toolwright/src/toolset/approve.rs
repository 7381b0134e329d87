//! The gate: whether a call may go on, and who decides that.

use crate::{
    review::{ReviewDecision, ReviewRequest, ReviewTiming, run_review},
    tool::{Halt, PendingCall, Permission, PermissionMode, ToolContext, Verdict},
};

use super::{
    entry::{Approval, Entry},
    once::{Resuming, new_id},
    proposal::Proposal,
    waiting::{check_role, wait_in_store},
};

/// The answer of the gate.
pub(super) enum Gate {
    Open,
    /// Open, with other arguments.
    Edited(String),
    /// Closed, for a reason that the model gets.
    Closed(String),
}

/// Whether a call needs a decision.
pub(super) enum Need<'a> {
    No,
    /// No decision can help. The model gets the reason.
    Denied(String),
    /// A person decides, who acts for this role if there is one.
    Yes(Option<&'a str>),
}

pub(super) fn need<'a>(entry: &'a Entry, cx: &ToolContext) -> Need<'a> {
    let permission = entry.tool.permission();
    let by_mode = match cx.permissions() {
        Some(mode) => mode.verdict(permission),
        // No mode was set. If there is a reviewer, the reviewer is asked.
        None if cx.reviewer().is_some() || cx.defers() => PermissionMode::Ask.verdict(permission),
        None => Verdict::Allow,
    };
    match (&entry.approval, by_mode) {
        (_, Verdict::Deny) => Need::Denied(explain_denial(&entry.name, permission)),
        // A question that waits cannot wait inside of the tool.
        _ if entry.asks_itself() && cx.defers() => Need::Yes(None),
        (Approval::ByMode, Verdict::Allow) => Need::No,
        // Without a reviewer the list has to ask: the tool might take a missing reviewer for a yes.
        _ if entry.asks_itself() && cx.reviewer().is_some() => Need::No,
        (Approval::ByMode, Verdict::Ask) => Need::Yes(None),
        (Approval::Required { role }, _) => Need::Yes(role.as_deref()),
    }
}

/// Asks the reviewer, or ends the call as one that waits. Secrets are still placeholders. Gives the decision, and the
/// preview that it is about.
pub(super) async fn ask(
    entry: &Entry,
    proposal: &Proposal,
    role: Option<&str>,
    key: Option<&str>,
    cx: &ToolContext,
) -> Result<(ReviewDecision, Option<String>), Halt> {
    let pending = PendingCall {
        // An equal call waits only once in a store.
        id: key
            .and_then(|key| key.get(..32))
            .map_or_else(new_id, str::to_owned),
        call_id: cx.call_id().to_owned(),
        tool: entry.name.to_string(),
        // A tool that has a secret may make a call with its value. What is stored has placeholders, so
        // that call cannot be resumed.
        arguments: cx.without_secrets(&proposal.arguments).into_owned(),
        changes: proposal
            .changes
            .iter()
            .map(|change| cx.without_secrets(change).into_owned())
            .collect(),
        preview: proposal
            .preview
            .as_deref()
            .map(|preview| cx.without_secrets(preview).into_owned()),
        permission: entry.tool.permission(),
        required_role: role.map(str::to_owned),
        workspace: cx.workspace().map(str::to_owned),
        digest: entry.digest(
            &proposal.arguments,
            &proposal.changes,
            proposal.preview.as_deref(),
            cx.workspace(),
        ),
    };
    if cx.defers() {
        return match (cx.store(), key) {
            (Some(store), Some(key)) => wait_in_store(entry, pending, key, store, cx).await,
            _ => Err(Halt::Pending(Box::new(pending))),
        };
    }
    let Some(reviewer) = cx.reviewer() else {
        return Err(ToolContext::no_reviewer(&entry.name));
    };
    let request = cx
        .review_request(format!("Call {}", entry.name))
        .timing(ReviewTiming::BeforeExecution)
        .action(&proposal.arguments)
        .changes(proposal.changes.iter().cloned())
        .digest(pending.digest);
    let request = ReviewRequest {
        required_role: pending.required_role,
        preview: proposal.preview.clone(),
        ..request
    };
    let request = cx.hide_secrets(request);
    Ok((
        run_review(reviewer, &request).await?,
        proposal.preview.clone(),
    ))
}

/// Applies a decision that was made elsewhere.
pub(super) fn apply_decision(
    entry: &Entry,
    decision: Resuming<'_>,
    role: Option<&str>,
    cx: &ToolContext,
) -> Result<Gate, Halt> {
    if let Some(required) = role.filter(|_| decision.goes_on()) {
        let acting = decision.role();
        check_role(
            &entry.name,
            required,
            acting.or_else(|| cx.reviewer()?.role()),
        )?;
    }
    open_gate(&entry.name, decision.take(&entry.name)?)
}

pub(super) fn open_gate(tool: &str, decision: ReviewDecision) -> Result<Gate, Halt> {
    match decision {
        ReviewDecision::Continue => Ok(Gate::Open),
        ReviewDecision::Edit(arguments) => Ok(Gate::Edited(arguments)),
        ReviewDecision::Refuse(reason) => Ok(Gate::Closed(explain_refusal(tool, &reason))),
        ReviewDecision::ExitEarly { timed_out } => Err(Halt::ExitEarly {
            message: format!("the call of '{tool}' was rejected by the reviewer"),
            timed_out,
        }),
    }
}

fn explain_refusal(tool: &str, reason: &str) -> String {
    let reason = reason.trim();
    if reason.is_empty() {
        format!("The reviewer refused the call of '{tool}'. Go on without it.")
    } else {
        format!("The reviewer refused the call of '{tool}': {reason}")
    }
}

fn explain_denial(tool: &str, permission: Permission) -> String {
    let what = match permission {
        Permission::ReadOnly => "reads",
        Permission::Write => "changes things",
        Permission::Destructive => "destroys things",
    };
    format!("Tool '{tool}' {what}, which is not allowed here. Go on without it.")
}
