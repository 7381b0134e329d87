//! Callpact tools for [rig](https://docs.rs/rig-core) agents.
//!
//! [`RigTools`] offers a toolset as rig tools. It is also the hook for three cases that rig does not
//! handle: unknown tools, arguments that are not a JSON object, and halts. [`CallpactTools::callpact`] adds both
//! to an agent.
//!
//! ```
//! use rig_agent::AgentBuilder;
//! use rig_core::test_utils::{MockCompletionModel, MockTurn};
//! use serde_json::json;
//! use callpact::{ToolContext, Toolset, tool};
//! use callpact_adapters::rig::{RigTools, CallpactTools};
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
//!     let agent = AgentBuilder::new(model).callpact(&tools).default_max_turns(8).build();
//!     assert_eq!(agent.prompt("What is 2 + 3?").await?.output(), "It is 5.");
//!     Ok(())
//! }
//! ```
//!
//! # Halts
//!
//! rig sends a tool's error to the model and continues. With the hook, a halt ends the run as
//! `PromptError::Cancelled`; [`RigTools::take_halts`] returns the halt itself.
//!
//! # Calls of one turn
//!
//! rig runs the calls of a turn one after the other. With `tool_concurrency(n)` it runs `n` calls
//! at a time, whatever they do: use it only if every tool is read-only.

mod halts;
mod hook;
mod ids;
mod result;
mod single;
mod tools;

pub use halts::Halts;
pub use result::Structured;
pub use single::{NamedTool, RigTool};
pub use tools::{CallpactTools, RigTools};
