//! The gate: whether a call may go on, and who says so.

use crate::{
    review::{ReviewDecision, ReviewRequest, ReviewTiming, run_review},
    tool::{Halt, PendingCall, Permission, PermissionMode, ToolContext, Verdict},
};

use super::{
    entry::{Approval, Entry},
    once::{Resuming, new_id},
};

/// What the gate says.
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
    /// No decision can help: closed, for a reason that the model gets.
    Denied(String),
    /// One by somebody of this role, if there is one.
    Yes(Option<&'a str>),
}

pub(super) fn need<'a>(entry: &'a Entry, cx: &ToolContext) -> Need<'a> {
    let permission = entry.tool.permission();
    let by_mode = match cx.permissions() {
        Some(mode) => mode.verdict(permission),
        // Nobody set a rule: whoever is there is asked.
        None if cx.reviewer().is_some() || cx.defers() => PermissionMode::Ask.verdict(permission),
        None => Verdict::Allow,
    };
    match (&entry.approval, by_mode) {
        (_, Verdict::Deny) => Need::Denied(denied(&entry.name, permission)),
        // A question that waits cannot wait inside the tool.
        _ if entry.asks_itself() && cx.defers() => Need::Yes(None),
        (Approval::ByMode, Verdict::Allow) => Need::No,
        // The tool's own question may take nobody for a yes; the list's demand does not.
        _ if entry.asks_itself() && cx.reviewer().is_some() => Need::No,
        (Approval::ByMode, Verdict::Ask) => Need::Yes(None),
        (Approval::Required { role }, _) => Need::Yes(role.as_deref()),
    }
}

/// Asks. `arguments` are as the model wrote them: secrets are still placeholders.
pub(super) async fn ask(
    entry: &Entry,
    arguments: &str,
    role: Option<&str>,
    cx: &ToolContext,
) -> Result<Gate, Halt> {
    let permission = entry.tool.permission();
    let digest = entry.digest(arguments);
    if cx.defers() {
        return Err(Halt::Pending(Box::new(PendingCall {
            id: new_id(),
            call_id: cx.call_id().to_owned(),
            tool: entry.name.to_string(),
            // Where a tool that has a secret makes a call of it, nothing is kept that could be resumed.
            arguments: cx.without_secrets(arguments).into_owned(),
            permission,
            required_role: role.map(str::to_owned),
            digest,
        })));
    }
    let Some(reviewer) = cx.reviewer() else {
        return Err(ToolContext::no_reviewer(&entry.name));
    };
    let request = cx
        .review_request(format!("Call {}", entry.name))
        .timing(ReviewTiming::BeforeExecution)
        .action(arguments)
        .digest(digest);
    let request = ReviewRequest {
        required_role: role.map(str::to_owned),
        ..request
    };
    let request = cx.hide_secrets(request);
    decided(&entry.name, run_review(reviewer, &request).await?)
}

/// Takes a decision that was made elsewhere.
pub(super) fn resumed(
    entry: &Entry,
    decision: Resuming<'_>,
    role: Option<&str>,
    cx: &ToolContext,
) -> Result<Gate, Halt> {
    // No decision at all is as good from anybody.
    if let Some(role) = role
        && decision.goes_on()
        && cx.reviewer().and_then(|reviewer| reviewer.role()) != Some(role)
    {
        return Err(Halt::Misconfigured(format!(
            "a decision about '{}' must come from the role {role:?}: \
             give the context the reviewer who made it, acting for that role",
            entry.name
        )));
    }
    decided(&entry.name, decision.take(&entry.name)?)
}

/// What a decision means for the call.
fn decided(tool: &str, decision: ReviewDecision) -> Result<Gate, Halt> {
    match decision {
        ReviewDecision::Continue => Ok(Gate::Open),
        ReviewDecision::Edit(arguments) => Ok(Gate::Edited(arguments)),
        ReviewDecision::ExitEarly { timed_out } => Err(Halt::ExitEarly {
            message: format!("the call of '{tool}' was rejected by the reviewer"),
            timed_out,
        }),
    }
}

fn denied(tool: &str, permission: Permission) -> String {
    let what = match permission {
        Permission::ReadOnly => "reads",
        Permission::Write => "changes things",
        Permission::Destructive => "destroys things",
    };
    format!("Tool '{tool}' {what}, which is not allowed here. Go on without it.")
}
