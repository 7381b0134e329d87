//! A toolset as the tools of rig agents.

use std::sync::Arc;

use callpact::{Dialect, Halt, ToolCall, ToolContext, ToolSpec, Toolset};
use rig_agent::{
    AgentBuilder,
    agent::{NoToolConfig, WithBuilderTools},
};
use rig_core::{
    message::ToolName,
    tool::{DynamicTool, ToolContext as RigContext, ToolExecutionError, ToolOutput},
};
use serde_json::Value;

use super::{
    halts::Halts,
    ids::CallIds,
    result::{halted, outcome},
};

/// Makes the context of a call from the agent's context and rig's.
type Refine = dyn Fn(ToolContext, &RigContext) -> ToolContext + Send + Sync;

/// A toolset as the tools of rig agents.
///
/// It is also the `AgentHook` that these tools need. Cloning it is cheap; clones share their halts.
///
/// ```
/// use callpact::{Dialect, Toolset, tool};
/// use callpact_adapters::rig::RigTools;
///
/// /// The time of day
/// #[tool(read_only)]
/// fn now() -> &'static str {
///     "noon"
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let toolset = Toolset::builder().tool(Now).build()?;
/// let tools = RigTools::new(toolset).with_dialect(Dialect::Gemini);
/// assert_eq!(tools.dynamic_tools()[0].name(), "now");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RigTools {
    pub(super) tools: Toolset,
    pub(super) cx: ToolContext,
    refine: Option<Arc<Refine>>,
    dialect: Dialect,
    images: bool,
    pub(super) halts: Halts,
    pub(super) ids: Arc<CallIds>,
}

impl RigTools {
    /// Offers a toolset in the portable dialect, with a context without a reviewer.
    pub fn new(tools: Toolset) -> Self {
        Self {
            tools,
            cx: ToolContext::new(),
            refine: None,
            dialect: Dialect::Portable,
            images: false,
            halts: Halts::default(),
            ids: Arc::default(),
        }
    }

    /// Sets the context of the agent: its reviewer, its secrets, its values.
    #[must_use]
    pub fn with_context(mut self, cx: ToolContext) -> Self {
        self.cx = cx;
        self
    }

    /// Makes the context of each call from the agent's context and from rig's, which a run gets with
    /// `agent.prompt(…).tool_context(…)`.
    ///
    /// ```
    /// use rig_core::tool::ContextValue;
    /// use serde::{Deserialize, Serialize};
    /// use callpact::Toolset;
    /// use callpact_adapters::rig::RigTools;
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct User(String);
    ///
    /// impl ContextValue for User {
    ///     const KEY: &'static str = "user";
    /// }
    ///
    /// # fn main() -> Result<(), callpact::ToolsetError> {
    /// let tools = RigTools::new(Toolset::builder().build()?)
    ///     .with_context_of_call(|cx, theirs| match theirs.get::<User>() {
    ///         Ok(Some(user)) => cx.with(user),
    ///         _ => cx,
    ///     });
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_context_of_call(
        mut self,
        refine: impl Fn(ToolContext, &RigContext) -> ToolContext + Send + Sync + 'static,
    ) -> Self {
        self.refine = Some(Arc::new(refine));
        self
    }

    /// Sets the dialect of the schemas, by the provider of the model. rig changes schemas itself for
    /// some providers, and expects the portable dialect.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sends the images of a result (PNG, JPEG, `WebP`) to the model. Off by default: the model gets a
    /// note in a fixed form instead. If a provider takes no images in a tool's result, rig puts them
    /// into a user message after it.
    #[must_use]
    pub fn with_images(mut self, images: bool) -> Self {
        self.images = images;
        self
    }

    /// The tools, for `AgentBuilder::dynamic_tools` or a `ToolSet`, in the order of the list.
    ///
    /// An agent that gets them this way also needs the hook: `.add_hook(tools.clone())`.
    pub fn dynamic_tools(&self) -> Vec<DynamicTool> {
        let specs = self.tools.spec_list(self.dialect);
        specs
            .into_iter()
            .filter_map(|spec| self.dynamic_tool(spec))
            .collect()
    }

    /// One tool of the list.
    fn dynamic_tool(&self, spec: ToolSpec) -> Option<DynamicTool> {
        // Only an empty name is invalid, and no list has one.
        let name = ToolName::new(spec.name.as_str()).ok()?;
        let parameters = crate::schema::parameters(&spec);
        let (this, tool) = (self.clone(), spec.name);
        Some(DynamicTool::new_with_context(
            name,
            spec.description,
            parameters,
            move |cx, arguments| {
                let (this, tool) = (this.clone(), tool.clone());
                Box::pin(async move { this.run(&tool, &arguments, cx).await })
            },
        ))
    }

    async fn run(
        &self,
        tool: &str,
        arguments: &Value,
        theirs: &mut RigContext,
    ) -> Result<ToolOutput, ToolExecutionError> {
        let cx = match &self.refine {
            Some(refine) => refine(self.cx.clone(), theirs),
            None => self.cx.clone(),
        };
        let id = self.ids.take(tool, arguments);
        let call = ToolCall::new(id, tool, arguments.to_string());
        match self.tools.call(&call, &cx).await {
            Ok(reply) => outcome(&reply, self.images, theirs),
            Err(halt) => Err(halted(halt)),
        }
    }

    /// Takes the halts since the last time, the oldest first: they say why runs were cancelled.
    pub fn take_halts(&self) -> Vec<Halt> {
        self.halts.take()
    }
}

/// Adds the tools of a [`RigTools`] to an agent, and its hook.
///
/// ```
/// use rig_agent::AgentBuilder;
/// use rig_core::test_utils::MockCompletionModel;
/// use callpact::Toolset;
/// use callpact_adapters::rig::{RigTools, CallpactTools};
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let tools = RigTools::new(Toolset::builder().build()?);
/// let agent = AgentBuilder::new(MockCompletionModel::text("Hello.")).callpact(&tools).build();
/// # Ok(())
/// # }
/// ```
pub trait CallpactTools {
    /// Adds the tools and their hook.
    fn callpact(self, tools: &RigTools) -> AgentBuilder<WithBuilderTools>;
}

impl CallpactTools for AgentBuilder<NoToolConfig> {
    fn callpact(self, tools: &RigTools) -> AgentBuilder<WithBuilderTools> {
        self.dynamic_tools(tools.dynamic_tools())
            .add_hook(tools.clone())
    }
}

impl CallpactTools for AgentBuilder<WithBuilderTools> {
    fn callpact(self, tools: &RigTools) -> AgentBuilder<WithBuilderTools> {
        self.dynamic_tools(tools.dynamic_tools())
            .add_hook(tools.clone())
    }
}
