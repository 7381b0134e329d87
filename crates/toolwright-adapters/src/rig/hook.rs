//! What the agent's hook does for the tools.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use rig_agent::agent::{
    AgentHook, DispatchAction, DispatchEvent, HookContext, InvalidToolCallAction,
    InvalidToolCallContext, InvalidToolCallReason, OutcomeAction, OutcomeEvent, StepEventKind,
};
use toolwright::{Halt, Outcome, PermissionMode, ToolCall, ToolContext};

use super::RigTools;

/// Ends the run of an agent when a call halts, and keeps the halt for the program.
///
/// [`RigTools`] has one; an agent with tools of type [`RigTool`](super::RigTool) needs it as a hook.
///
/// ```
/// use rig_agent::AgentBuilder;
/// use rig_core::test_utils::MockCompletionModel;
/// use toolwright_adapters::rig::Halts;
///
/// let halts = Halts::default();
/// let agent = AgentBuilder::new(MockCompletionModel::text("Hello.")).add_hook(halts.clone()).build();
/// assert!(halts.take().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Halts(Arc<Mutex<Vec<Halt>>>);

impl Halts {
    /// The halts since the last time, the oldest first.
    pub fn take(&self) -> Vec<Halt> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn hear(&self, event: &OutcomeEvent<'_>) -> OutcomeAction {
        let error = event.tool_result().and_then(|result| result.error());
        let Some(halt) = error.and_then(|error| error.downcast_ref::<Halt>()) else {
            return OutcomeAction::proceed();
        };
        let mut halts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        halts.push(halt.clone());
        OutcomeAction::stop(halt.to_string())
    }
}

impl AgentHook for Halts {
    async fn on_outcome(&self, _: &HookContext, event: OutcomeEvent<'_>) -> OutcomeAction {
        self.hear(&event)
    }

    fn observes(&self, kind: StepEventKind) -> bool {
        kind == StepEventKind::ToolDispatch
    }
}

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
        self.halts.hear(&event)
    }

    async fn on_invalid_tool_call(
        &self,
        _: &HookContext,
        event: &InvalidToolCallContext,
    ) -> Option<InvalidToolCallAction> {
        match event.reason {
            InvalidToolCallReason::UnknownTool => self.unknown(event).await,
            InvalidToolCallReason::MalformedArguments { .. } => self.malformed(event).await,
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
    /// Without an answer, rig ends the run at the first name that it does not know.
    async fn unknown(&self, event: &InvalidToolCallContext) -> Option<InvalidToolCallAction> {
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

    /// The report on arguments that rig keeps from the tool, since they are no JSON object.
    ///
    /// They are read and no more, whatever the policy makes of them: hooks of the program that
    /// would forbid the call have not seen it. So it has no time to run, and nobody to ask.
    async fn malformed(&self, event: &InvalidToolCallContext) -> Option<InvalidToolCallAction> {
        let arguments = event.args.as_deref()?;
        let cx = ToolContext::new()
            .with_policy(*self.cx.policy())
            .with_permissions(PermissionMode::Deny)
            .with_deadline(Instant::now());
        let call = ToolCall::new("", &event.tool_name, arguments);
        let reply = self.tools.call(&call, &cx).await.ok()?;
        // Anything else is for rig's own words.
        (reply.outcome == Outcome::InvalidArguments)
            .then(|| InvalidToolCallAction::retry(reply.to_model()))
    }
}
