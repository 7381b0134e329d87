//! The hook of an agent with callpact tools.

use std::time::Instant;

use callpact::{Outcome, PermissionMode, ToolCall, ToolContext};
use rig_agent::agent::{
    AgentHook, DispatchAction, DispatchEvent, HookContext, InvalidToolCallAction,
    InvalidToolCallContext, InvalidToolCallReason, OutcomeAction, OutcomeEvent, StepEventKind,
};

use super::tools::RigTools;

/// What the model reads about a broken call that rig shows mended.
const MENDED: &str = "\n\nNote: the conversation shows this call with mended arguments. You did not write them like that, \
    and they did not run.";

impl AgentHook for RigTools {
    async fn on_dispatch(&self, _: &HookContext, event: DispatchEvent<'_>) -> DispatchAction {
        if let (Some(tool), Some(arguments), Some(id)) =
            (event.tool_name(), event.tool_args(), event.call_id)
            && self.tools.contains(tool)
        {
            self.ids.expect(event.id, tool, arguments, id.to_string());
        }
        DispatchAction::proceed()
    }

    async fn on_outcome(&self, _: &HookContext, event: OutcomeEvent<'_>) -> OutcomeAction {
        self.ids.forget(event.id);
        self.halts.observe(&event)
    }

    async fn on_invalid_tool_call(
        &self,
        _: &HookContext,
        event: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        match event.reason {
            InvalidToolCallReason::UnknownTool => self.answer_unknown(event).await,
            InvalidToolCallReason::MalformedArguments { .. } => self.report_malformed(event).await,
            _ => None,
        }
    }

    fn observes(&self, kind: StepEventKind) -> bool {
        matches!(
            kind,
            StepEventKind::ToolDispatch | StepEventKind::InvalidToolCall
        )
    }
}

impl RigTools {
    /// Answers a call of an unknown tool. Without an answer, rig would end the run.
    async fn answer_unknown(
        &self,
        event: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        if self.tools.contains(&event.tool_name) {
            return None;
        }
        let call = ToolCall::new("", &event.tool_name, "");
        let reply = self.tools.call(&call, &ToolContext::new()).await.ok()?;
        let mut text = reply.to_model().into_owned();
        let names = event.available_tools.iter().map(String::as_str);
        let others: Vec<&str> = names.filter(|name| !self.tools.contains(name)).collect();
        if !others.is_empty() {
            text += ". Others: ";
            text += &others.join(", ");
        }
        // `Retry` has a budget, and ends the run when it is spent.
        Some(InvalidToolCallAction::skip(text))
    }

    /// Reports on arguments that are not a JSON object, which rig keeps from the tool.
    ///
    /// The arguments are only read, even if the policy would repair them: hooks of the program that
    /// might forbid the call have not seen it. So the call gets no time to run, and no reviewer.
    async fn report_malformed(
        &self,
        event: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        let arguments = event.args.as_deref()?;
        let cx = ToolContext::new()
            .with_policy(*self.cx.policy())
            .with_permissions(PermissionMode::Deny)
            .with_deadline(Instant::now());
        let call = ToolCall::new("", &event.tool_name, arguments);
        let reply = self.tools.call(&call, &cx).await.ok()?;
        // rig answers all other cases itself.
        if reply.outcome != Outcome::InvalidArguments {
            return None;
        }
        let mut text = reply.to_model().into_owned();
        // rig mends broken JSON in its history, and the model must not take that for a call of its own.
        if serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_err() {
            text += MENDED;
        }
        Some(InvalidToolCallAction::retry(text))
    }
}
