//! The object-safe form of a tool, which lists of tools store; users never name it.

use std::pin::Pin;

use super::{AgentTool, Parameters, Permission, Prepared, ToolContext, ToolResult};
use crate::input::{Policy, Report};

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An [`AgentTool`] behind a pointer.
pub(crate) trait ErasedTool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn parameters(&self) -> Parameters<'_>;
    fn permission(&self) -> Permission;
    fn asks_itself(&self) -> bool;
    fn secret_params(&self) -> &'static [&'static str];
    fn output_schema(&self) -> Option<&'static crate::Schema>;
    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<Prepared, Report>;
    fn check(&self, prepared: &Prepared) -> Result<(), String>;
    fn run<'a>(&'a self, prepared: Prepared, cx: &'a ToolContext) -> BoxFuture<'a, ToolResult>;
    fn execute<'a>(&'a self, input: &'a str, cx: &'a ToolContext) -> BoxFuture<'a, ToolResult>;
}

impl<T: AgentTool> ErasedTool for T {
    fn name(&self) -> &str {
        AgentTool::name(self)
    }

    fn description(&self) -> &str {
        AgentTool::description(self)
    }

    fn parameters(&self) -> Parameters<'_> {
        AgentTool::parameters(self)
    }

    fn permission(&self) -> Permission {
        AgentTool::permission(self)
    }

    fn asks_itself(&self) -> bool {
        AgentTool::asks_itself(self)
    }

    fn secret_params(&self) -> &'static [&'static str] {
        AgentTool::secret_params(self)
    }

    fn output_schema(&self) -> Option<&'static crate::Schema> {
        AgentTool::output_schema(self)
    }

    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<Prepared, Report> {
        AgentTool::prepare(self, arguments, policy)
    }

    fn check(&self, prepared: &Prepared) -> Result<(), String> {
        AgentTool::check(self, prepared)
    }

    fn run<'a>(&'a self, prepared: Prepared, cx: &'a ToolContext) -> BoxFuture<'a, ToolResult> {
        // Inside the future, so that a panic in the call itself is caught where it is polled.
        Box::pin(async move { AgentTool::run(self, prepared, cx).await })
    }

    fn execute<'a>(&'a self, input: &'a str, cx: &'a ToolContext) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move { AgentTool::execute(self, input, cx).await })
    }
}
