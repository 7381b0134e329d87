//! The model of a run: an endpoint or the embedded script.

use async_openai::types::chat::ChatCompletionTools;
use serde_json::Value;

use super::{endpoint::ModelEndpoint, script::TaskScript, turn::ModelTurn};
use crate::exit::Failure;

/// The model that answers.
pub(super) enum AgentModel {
    Script(TaskScript),
    Endpoint(Box<ModelEndpoint>),
}

impl AgentModel {
    /// Returns the next turn.
    pub(super) async fn next(
        &mut self,
        messages: &[Value],
        tools: &[ChatCompletionTools],
    ) -> Result<ModelTurn, Failure> {
        match self {
            Self::Script(script) => ModelTurn::from_completion(&script.next(messages)),
            Self::Endpoint(endpoint) => endpoint.next(messages, tools).await,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Script(script) if script.wanted => "embedded script (--offline)",
            Self::Script(_) => "embedded script (no endpoint is set)",
            Self::Endpoint(endpoint) => endpoint.model(),
        }
    }
}
