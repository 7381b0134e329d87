//! What generated code calls; not part of the public interface, and changes without notice.

pub use toolwright_contract::__private::*;

// What `#[tool]`, `#[tools]` and `#[derive(ToolOutput)]` call.
pub use crate::{
    tool::{
        Halt, IntoToolResult, Permission, ToolContext, ToolHints, ToolResult, TypedAgentTool,
        generated::{cancellation, state, structured, structured_display, unusable_tool},
    },
    toolset::{ToolMethods, ToolProvider, Tools},
};
