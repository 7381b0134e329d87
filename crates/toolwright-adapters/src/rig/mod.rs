//! Toolwright tools for [rig](https://docs.rs/rig-core) agents.
//!
//! [`RigTools`] is a toolset as rig tools, and the hook that answers what rig does not: unknown
//! tools, arguments that are no JSON object, and halts. [`ToolwrightTools::toolwright`] adds both
//! to an agent.
//!
//! ```
//! use rig_agent::AgentBuilder;
//! use rig_core::test_utils::{MockCompletionModel, MockTurn};
//! use serde_json::json;
//! use toolwright::{ToolContext, Toolset, tool};
//! use toolwright_adapters::rig::{RigTools, ToolwrightTools};
//!
//! /// Adds two numbers
//! #[tool(read_only)]
//! fn add(a: i64, b: i64) -> Result<i64, &'static str> {
//!     a.checked_add(b).ok_or("the sum is too large")
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let model = MockCompletionModel::from_turns([
//!         MockTurn::tool_call("call_1", "add", json!({"a": "2", "b": 3})),
//!         MockTurn::text("It is 5."),
//!     ]);
//!     let toolset = Toolset::builder().tool(Add).build()?;
//!     let tools = RigTools::new(toolset).with_context(ToolContext::new());
//!     let agent = AgentBuilder::new(model).toolwright(&tools).default_max_turns(8).build();
//!     assert_eq!(agent.prompt("What is 2 + 3?").await?.output(), "It is 5.");
//!     Ok(())
//! }
//! ```
//!
//! # Halts
//!
//! rig gives an error of a tool to the model and goes on. With the hook, a halt ends the run as
//! `PromptError::Cancelled`; [`RigTools::take_halts`] has the halt itself.
//!
//! # Calls of one turn
//!
//! rig runs the calls of a turn one after the other. With `tool_concurrency(n)` it runs `n` at a
//! time, whatever they do: use it only where every tool is read-only.

mod hook;
mod ids;
mod result;
mod single;

pub use hook::Halts;
pub use result::Structured;
pub use single::{NamedTool, RigTool};

use std::sync::Arc;

use rig_agent::{
    AgentBuilder,
    agent::{NoToolConfig, WithBuilderTools},
};
use rig_core::{
    message::ToolName,
    tool::{DynamicTool, ToolContext as RigContext, ToolExecutionError, ToolOutput},
};
use serde_json::Value;
use toolwright::{Dialect, Halt, ToolCall, ToolContext, ToolSpec, Toolset};

use ids::CallIds;
use result::{halted, outcome};

/// Makes the context of a call from that of the agent and what rig hands to the call.
type Refine = dyn Fn(ToolContext, &RigContext) -> ToolContext + Send + Sync;

/// A toolset as the tools of rig agents.
///
/// It is also the `AgentHook` that belongs to them. Cloning it is cheap; clones share their halts.
///
/// ```
/// use toolwright::{Dialect, Toolset, tool};
/// use toolwright_adapters::rig::RigTools;
///
/// /// The time of day
/// #[tool(read_only)]
/// fn now() -> &'static str {
///     "noon"
/// }
///
/// # fn main() -> Result<(), toolwright::ToolsetError> {
/// let toolset = Toolset::builder().tool(Now).build()?;
/// let tools = RigTools::new(toolset).with_dialect(Dialect::Gemini);
/// assert_eq!(tools.dynamic_tools()[0].name(), "now");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RigTools {
    tools: Toolset,
    cx: ToolContext,
    refine: Option<Arc<Refine>>,
    dialect: Dialect,
    images: bool,
    halts: Halts,
    ids: Arc<CallIds>,
}

impl RigTools {
    /// The tools of a list, in the portable dialect, with a context that has nobody to ask.
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

    /// The same with the context of the agent: its reviewer, its secrets, its values.
    #[must_use]
    pub fn with_context(mut self, cx: ToolContext) -> Self {
        self.cx = cx;
        self
    }

    /// The same with a context for each call, made from that of the agent and from rig's own, which
    /// a run is given with `agent.prompt(…).tool_context(…)`.
    ///
    /// ```
    /// use rig_core::tool::ContextValue;
    /// use serde::{Deserialize, Serialize};
    /// use toolwright::Toolset;
    /// use toolwright_adapters::rig::RigTools;
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct User(String);
    ///
    /// impl ContextValue for User {
    ///     const KEY: &'static str = "user";
    /// }
    ///
    /// # fn main() -> Result<(), toolwright::ToolsetError> {
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

    /// The same with schemas in the dialect of the provider that the model is at. rig changes
    /// schemas itself for some providers; the portable dialect is what it expects.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// The same with the pictures of a result (PNG, JPEG, `WebP`) sent to the model. Off by default:
    /// the model gets a note of fixed form in their place. Where a provider takes none in a tool's
    /// result, rig puts them into a message of the user's behind it.
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

    /// One of them.
    fn dynamic_tool(&self, spec: ToolSpec) -> Option<DynamicTool> {
        // Only an empty name is no name, and no list has one.
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

    /// The halts since the last time, the oldest first: why runs were cancelled.
    pub fn take_halts(&self) -> Vec<Halt> {
        self.halts.take()
    }
}

/// Adds the tools of a [`RigTools`] to an agent, and its hook.
///
/// ```
/// use rig_agent::AgentBuilder;
/// use rig_core::test_utils::MockCompletionModel;
/// use toolwright::Toolset;
/// use toolwright_adapters::rig::{RigTools, ToolwrightTools};
///
/// # fn main() -> Result<(), toolwright::ToolsetError> {
/// let tools = RigTools::new(Toolset::builder().build()?);
/// let agent = AgentBuilder::new(MockCompletionModel::text("Hello.")).toolwright(&tools).build();
/// # Ok(())
/// # }
/// ```
pub trait ToolwrightTools {
    /// The same agent with the tools.
    fn toolwright(self, tools: &RigTools) -> AgentBuilder<WithBuilderTools>;
}

impl ToolwrightTools for AgentBuilder<NoToolConfig> {
    fn toolwright(self, tools: &RigTools) -> AgentBuilder<WithBuilderTools> {
        self.dynamic_tools(tools.dynamic_tools())
            .add_hook(tools.clone())
    }
}

impl ToolwrightTools for AgentBuilder<WithBuilderTools> {
    fn toolwright(self, tools: &RigTools) -> AgentBuilder<WithBuilderTools> {
        self.dynamic_tools(tools.dynamic_tools())
            .add_hook(tools.clone())
    }
}
