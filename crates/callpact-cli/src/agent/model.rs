//! The model of a run: an endpoint or the embedded script.

use serde_json::Value;

use super::{endpoint::Endpoint, script::Script};
use crate::{exit::Failure, screen::Screen};

/// The model that answers.
pub(super) enum Model {
    Script(Script),
    Endpoint(Endpoint),
}

impl Model {
    /// Returns the next message, as a chat completion.
    pub(super) async fn next(
        &mut self,
        messages: &[Value],
        tools: &str,
        screen: &Screen,
    ) -> Result<Value, Failure> {
        match self {
            Self::Script(script) => Ok(script.next(messages)),
            Self::Endpoint(endpoint) => endpoint.next(messages, tools, screen).await,
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Script(script) if script.wanted => "embedded script (--offline)",
            Self::Script(_) => "embedded script (no endpoint is set)",
            Self::Endpoint(endpoint) => &endpoint.model,
        }
    }
}
