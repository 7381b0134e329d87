//! The gate: whether a call may go on, and who says so.

use crate::{
    review::{ReviewDecision, ReviewRequest, ReviewTiming, run_review},
    tool::{Halt, PendingCall, Permission, PermissionMode, ToolContext, Verdict},
};

use super::entry::{Approval, Entry};

/// What the gate says.
pub(super) enum Gate {
    Open,
    /// Open, with other arguments.
    Edited(String),
    /// Closed, for a reason that the model gets.
    Closed(String),
}

/// Asks, where this call needs asking. `arguments` are as the model wrote them: secrets are still
/// placeholders.
pub(super) async fn approve(
    entry: &Entry,
    arguments: &str,
    cx: &ToolContext,
) -> Result<Gate, Halt> {
    let permission = entry.tool.permission();
    let mode = cx.permissions();
    let by_mode = match mode {
        Some(mode) => mode.verdict(permission),
        // Nobody set a rule: whoever is there is asked.
        None if cx.reviewer().is_some() || cx.defers() => PermissionMode::Ask.verdict(permission),
        None => Verdict::Allow,
    };
    let role = match (&entry.approval, by_mode) {
        (_, Verdict::Deny) => return Ok(Gate::Closed(denied(&entry.name, permission))),
        // A question that waits cannot wait inside the tool.
        _ if entry.asks_itself() && !cx.defers() => return Ok(Gate::Open),
        _ if entry.asks_itself() => None,
        (Approval::ByMode, Verdict::Allow) => return Ok(Gate::Open),
        (Approval::ByMode, Verdict::Ask) => None,
        (Approval::Required { role }, _) => role.clone(),
    };
    let digest = entry.digest(arguments);
    if cx.defers() {
        let pending = PendingCall::new(cx.call_id(), &entry.name, arguments, permission, digest);
        return Err(Halt::Pending(Box::new(pending)));
    }
    let Some(reviewer) = cx.reviewer() else {
        return Err(cx.no_reviewer(&entry.name));
    };
    let mut request = ReviewRequest::new(format!("Call {}", entry.name))
        .timing(ReviewTiming::BeforeExecution)
        .tool(&*entry.name)
        .call_id(cx.call_id())
        .action(arguments)
        .digest(digest);
    if let Some(role) = role {
        request = request.required_role(role);
    }
    decided(&entry.name, run_review(reviewer, &request).await?)
}

/// What a decision means for the call.
pub(super) fn decided(tool: &str, decision: ReviewDecision) -> Result<Gate, Halt> {
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
