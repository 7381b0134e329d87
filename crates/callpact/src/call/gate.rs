//! The gate: whether a call may go on without a decision.

use crate::{
    tool::{Permission, PermissionMode, PermissionVerdict, ToolContext},
    toolset::{ApprovalNeed, ToolEntry},
};

/// Whether a call needs a decision.
pub(super) enum DecisionNeed<'a> {
    No,
    /// No decision can help. The model gets the reason.
    Denied(String),
    /// A person decides, and acts for this role if there is one.
    Yes(Option<&'a str>),
}

pub(super) fn need<'a>(entry: &'a ToolEntry, cx: &ToolContext) -> DecisionNeed<'a> {
    let permission = entry.tool.permission();
    let by_mode = match cx.permissions() {
        Some(mode) => mode.verdict(permission),
        // No mode was set. If there is a reviewer, the reviewer is asked.
        None if cx.reviewer().is_some() || cx.defers() => PermissionMode::Ask.verdict(permission),
        None => PermissionVerdict::Allow,
    };
    match (&entry.approval, by_mode) {
        (_, PermissionVerdict::Deny) => {
            DecisionNeed::Denied(explain_denial(&entry.name, permission))
        }
        // A question that waits cannot wait inside the tool.
        _ if (cx.defers() || is_asked_before(cx)) && entry.asks_itself() => DecisionNeed::Yes(None),
        (ApprovalNeed::ByMode, PermissionVerdict::Allow) => DecisionNeed::No,
        // Without a reviewer the list has to ask: the tool might take a missing reviewer as
        // approval.
        _ if cx.reviewer().is_some() && entry.asks_itself() => DecisionNeed::No,
        (ApprovalNeed::ByMode, PermissionVerdict::Ask) => DecisionNeed::Yes(None),
        (ApprovalNeed::Required { role }, _) => DecisionNeed::Yes(role.as_deref()),
    }
}

fn is_asked_before(cx: &ToolContext) -> bool {
    cx.reviewer()
        .is_some_and(|reviewer| !reviewer.answers_during_execution())
}

pub(super) fn explain_refusal(tool: &str, reason: &str) -> String {
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
