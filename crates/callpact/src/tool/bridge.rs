//! Brings the arguments to a tool. A typed tool is an [`AgentTool`], and an [`AgentTool`] behind a
//! pointer is an [`ErasedTool`], the form that lists of tools store.

use super::{
    AgentTool, IntoToolResult, Parameters, ParsedInput, Permission, ToolContext, ToolHints,
    ToolResult, TypedAgentTool,
};
use crate::{
    __private::{object_only, secret_paths_exist},
    crash::BoxFuture,
    input::{Policy, Report, ToolInput, read_str},
    review::Preview,
};

/// An [`AgentTool`] whose runs are behind a pointer.
pub(crate) trait ErasedTool: AgentTool {
    fn run_boxed<'a>(
        &'a self,
        prepared: ParsedInput,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, ToolResult>;

    fn execute_boxed<'a>(
        &'a self,
        input: &'a str,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, ToolResult>;
}

impl<T: AgentTool> ErasedTool for T {
    fn run_boxed<'a>(
        &'a self,
        prepared: ParsedInput,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, ToolResult> {
        // Inside the future, so that a panic in the call itself is caught where it is polled.
        Box::pin(async move { self.run(prepared, cx).await })
    }

    fn execute_boxed<'a>(
        &'a self,
        input: &'a str,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move { self.execute(input, cx).await })
    }
}

impl<T: TypedAgentTool> AgentTool for T {
    fn name(&self) -> &str {
        TypedAgentTool::name(self)
    }

    fn description(&self) -> &str {
        TypedAgentTool::description(self)
    }

    fn parameters(&self) -> Parameters<'_> {
        const { object_only(<T::Input as ToolInput>::SCHEMA) }
        match T::Input::foreign() {
            Some(schema) => Parameters::Foreign(schema),
            None => Parameters::Typed(T::Input::SCHEMA),
        }
    }

    fn permission(&self) -> Permission {
        TypedAgentTool::permission(self)
    }

    fn hints(&self) -> ToolHints {
        TypedAgentTool::hints(self)
    }

    fn asks_itself(&self) -> bool {
        TypedAgentTool::asks_itself(self)
    }

    fn secret_params(&self) -> &'static [&'static str] {
        const { secret_paths_exist(T::SECRET_PARAMS, <T::Input as ToolInput>::SCHEMA) }
        T::SECRET_PARAMS
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        let prepared = match AgentTool::prepare(self, input, cx.policy()) {
            Ok(prepared) => prepared,
            Err(report) => return ToolResult::invalid(report),
        };
        match AgentTool::check(self, &prepared) {
            Ok(()) => AgentTool::run(self, prepared, cx).await,
            Err(reason) => ToolResult::failure(reason),
        }
    }

    fn output_schema(&self) -> Option<&'static crate::Schema> {
        T::Output::output_schema()
    }

    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<ParsedInput, Report> {
        let read = read_str::<T::Input>(arguments, &policy.of_call())?;
        Ok(ParsedInput::new(read.value, read.fixes.into()))
    }

    fn check(&self, prepared: &ParsedInput) -> Result<(), String> {
        prepared
            .get::<T::Input>()
            .map_or(Ok(()), |input| self.precheck(input))
    }

    fn preview(&self, prepared: &ParsedInput) -> Option<Preview> {
        TypedAgentTool::preview(self, prepared.get::<T::Input>()?)
    }

    async fn run(&self, prepared: ParsedInput, cx: &ToolContext) -> ToolResult {
        match prepared.take::<T::Input>() {
            Some(input) => TypedAgentTool::execute(self, input, cx)
                .await
                .into_tool_result(),
            None => ToolResult::failure(()),
        }
    }
}
