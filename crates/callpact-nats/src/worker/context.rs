//! The context in which a worker runs calls.

use std::{sync::Mutex, time::Duration};

use callpact::{Cancellation, PermissionMode, Policy, ReviewHandler, ToolContext, Toolset};
use tokio::sync::mpsc;

use super::decided::HostDecision;
use crate::{
    TraceParent,
    protocol::{CallMessage, WorkerNote},
};

/// The context of a worker.
pub(super) struct WorkerContext {
    base: ToolContext,
    /// Whether the worker decides again about calls that their host approved.
    decides: bool,
}

impl WorkerContext {
    /// Calls were approved by their host, so without a reviewer and a mode, everything is allowed.
    pub(super) fn new(cx: ToolContext) -> Self {
        let decides = cx.reviewer().is_some() || cx.permissions().is_some();
        let cx = if decides {
            cx
        } else {
            cx.with_permissions(PermissionMode::AllowAll)
        };
        Self {
            // The host sends exact arguments. A change here would be one that nobody approved.
            base: cx.with_policy(Policy::exact()),
            decides,
        }
    }

    /// The context of a call to one of `tools`: this one, with the data that travels with the call. No call may
    /// take longer than `longest`, whatever it asks for.
    pub(super) fn for_call(
        &self,
        tools: &Toolset,
        call: &CallMessage,
        longest: Duration,
        stop: Cancellation,
        reports: mpsc::Sender<WorkerNote>,
    ) -> ToolContext {
        let given = Duration::from_millis(call.timeout);
        let own = self.base.timeout().unwrap_or(longest);
        let reports = Mutex::new(reports);
        let cx = self
            .base
            .clone()
            .with_timeout(given.min(own).min(longest))
            .with_cancellation(stop)
            // The call's key, for tools that pass one on, is the same at every worker.
            .with_run(&call.key)
            .with_progress(move |done, total, message| {
                let message = message.map(str::to_owned);
                let note = WorkerNote::Progress {
                    done,
                    total,
                    message,
                };
                if let Ok(reports) = reports.lock() {
                    let _ = reports.try_send(note);
                }
            });
        let cx = match &call.role {
            Some(role) => cx.with_role(role),
            None => cx,
        };
        // A person, or a rule, decided at the host, for the role that the list of this worker demands.
        let asks_itself = tools.asks_itself(&call.tool);
        let decided = HostDecision { asks_itself };
        let cx = match tools.required_role(&call.tool) {
            _ if self.decides => cx,
            Some(role) => cx.with_reviewer(decided.with_role(role)),
            None => cx.with_reviewer(decided),
        };
        let cx = match &call.caller {
            Some(caller) => cx.with_caller(caller),
            None => cx,
        };
        match &call.trace {
            Some(trace) => cx.with(TraceParent(trace.clone())),
            None => cx,
        }
    }
}
