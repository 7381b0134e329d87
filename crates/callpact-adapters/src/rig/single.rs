//! One typed tool as a tool of rig's own trait.

use std::marker::PhantomData;

use callpact::{Dialect, ToolCall, ToolContext, Toolset, ToolsetError, TypedAgentTool};
use rig_core::tool::{Tool, ToolContext as RigContext, ToolExecutionError, ToolOutput};
use serde_json::{Value, value::RawValue};

use super::result::{halted, outcome};
use crate::schema::parameters;

/// A typed tool with a name that is known at compile time, as rig's `Tool` requires.
///
/// ```
/// use callpact::{Permission, ToolContext, ToolInput, TypedAgentTool};
/// use callpact_adapters::rig::NamedTool;
///
/// #[derive(ToolInput)]
/// struct NowInput {}
///
/// struct Now;
///
/// impl NamedTool for Now {
///     const NAME: &'static str = "now";
/// }
///
/// impl TypedAgentTool for Now {
///     type Input = NowInput;
///     type Output = &'static str;
///     const SECRET_PARAMS: &'static [&'static str] = &[];
///
///     fn name(&self) -> &str {
///         Self::NAME
///     }
///     fn description(&self) -> &str {
///         "The time of day."
///     }
///     fn permission(&self) -> Permission {
///         Permission::ReadOnly
///     }
///     async fn execute(&self, _: NowInput, _: &ToolContext) -> &'static str {
///         "noon"
///     }
/// }
/// # fn main() {}
/// ```
pub trait NamedTool: TypedAgentTool {
    /// The name of the tool in rig; it replaces the tool's own name.
    const NAME: &'static str;
}

/// A typed tool as a rig `Tool`, for example for `AgentBuilder::tool`.
///
/// A call goes through all steps of a [`Toolset`]. A halt ends the run only if the agent has the
/// hook [`Halts`](super::Halts). For a list of tools, [`RigTools`](super::RigTools) is simpler.
///
/// ```
/// # use callpact::{Permission, ToolContext, ToolInput, TypedAgentTool};
/// # use callpact_adapters::rig::NamedTool;
/// # #[derive(ToolInput)]
/// # struct NowInput {}
/// # struct Now;
/// # impl NamedTool for Now {
/// #     const NAME: &'static str = "now";
/// # }
/// # impl TypedAgentTool for Now {
/// #     type Input = NowInput;
/// #     type Output = &'static str;
/// #     const SECRET_PARAMS: &'static [&'static str] = &[];
/// #     fn name(&self) -> &str {
/// #         Self::NAME
/// #     }
/// #     fn description(&self) -> &str {
/// #         "The time of day."
/// #     }
/// #     fn permission(&self) -> Permission {
/// #         Permission::ReadOnly
/// #     }
/// #     async fn execute(&self, _: NowInput, _: &ToolContext) -> &'static str {
/// #         "noon"
/// #     }
/// # }
/// use rig_agent::AgentBuilder;
/// use rig_core::test_utils::{MockCompletionModel, MockTurn};
/// use serde_json::json;
/// use callpact_adapters::rig::{Halts, RigTool};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = MockCompletionModel::from_turns([
///     MockTurn::tool_call("call_1", "now", json!({})),
///     MockTurn::text("It is noon."),
/// ]);
/// let agent = AgentBuilder::new(model)
///     .tool(RigTool::new(Now)?)
///     .add_hook(Halts::default())
///     .default_max_turns(4)
///     .build();
/// assert_eq!(agent.prompt("How late is it?").await?.output(), "It is noon.");
/// # Ok(())
/// # }
/// ```
pub struct RigTool<T> {
    tools: Toolset,
    cx: ToolContext,
    dialect: Dialect,
    of: PhantomData<fn() -> T>,
}

impl<T: NamedTool + 'static> RigTool<T> {
    /// Makes the tool, in the portable dialect, with a context without a reviewer.
    ///
    /// # Errors
    /// If providers refuse its name, or it has no description.
    pub fn new(tool: T) -> Result<Self, ToolsetError> {
        let named = TypedAgentTool::name(&tool).to_owned();
        let mut tools = Toolset::builder().tool(tool).build()?;
        if named != <T as NamedTool>::NAME {
            tools = tools.rename(&named, <T as NamedTool>::NAME)?;
        }
        Ok(Self {
            tools,
            cx: ToolContext::new(),
            dialect: Dialect::Portable,
            of: PhantomData,
        })
    }

    /// Sets the context of its calls.
    #[must_use]
    pub fn with_context(mut self, cx: ToolContext) -> Self {
        self.cx = cx;
        self
    }

    /// Sets the dialect of its schema.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }
}

impl<T: NamedTool + 'static> Tool for RigTool<T> {
    const NAME: &'static str = <T as NamedTool>::NAME;
    /// The raw text, which the toolset reads.
    type Args = Box<RawValue>;
    type Output = ToolOutput;
    type Error = ToolExecutionError;

    fn description(&self) -> String {
        let spec = self.tools.spec(<Self as Tool>::NAME, self.dialect);
        spec.map(|spec| spec.description).unwrap_or_default()
    }

    fn parameters(&self) -> Value {
        let spec = self.tools.spec(<Self as Tool>::NAME, self.dialect);
        spec.as_ref().map(parameters).unwrap_or_default()
    }

    async fn call(
        &self,
        theirs: &mut RigContext,
        arguments: Box<RawValue>,
    ) -> Result<ToolOutput, ToolExecutionError> {
        let name = <Self as Tool>::NAME;
        // rig does not tell a tool the id of its call.
        let call = ToolCall::new(name, name, arguments.get());
        match self.tools.call(&call, &self.cx).await {
            Ok(reply) => outcome(&reply, false, theirs),
            Err(halt) => Err(halted(halt)),
        }
    }
}
