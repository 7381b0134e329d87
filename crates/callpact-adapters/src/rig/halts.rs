//! The hook that ends the run of an agent when a call halts.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use callpact::Halt;
use rig_agent::agent::{AgentHook, HookContext, OutcomeAction, OutcomeEvent, StepEventKind};

/// Ends the run of an agent when a call halts, and keeps the halt for the program.
///
/// [`RigTools`](super::RigTools) has one; an agent with tools of type [`RigTool`](super::RigTool) needs it as a hook.
///
/// ```
/// use rig_agent::AgentBuilder;
/// use rig_core::test_utils::MockCompletionModel;
/// use callpact_adapters::rig::Halts;
///
/// let halts = Halts::default();
/// let agent = AgentBuilder::new(MockCompletionModel::text("Hello.")).add_hook(halts.clone()).build();
/// assert!(halts.take().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Halts(Arc<Mutex<Vec<Halt>>>);

impl Halts {
    /// Takes the halts since the last time, the oldest first.
    pub fn take(&self) -> Vec<Halt> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps the halt behind a failed call, and stops the run.
    pub(super) fn observe(&self, event: &OutcomeEvent<'_>) -> OutcomeAction {
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
        self.observe(&event)
    }

    fn observes(&self, kind: StepEventKind) -> bool {
        kind == StepEventKind::ToolDispatch
    }
}
