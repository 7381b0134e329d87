//! Functions that generated code calls. They are not part of the public interface and change without notice.

pub use callpact_contract::__private::*;
pub use std::borrow::Cow;

// Called by `#[tool]`, `#[tools]` and `#[derive(ToolOutput)]`.
pub use crate::{
    review::{IntoPreview, Preview},
    tool::{
        Halt, IntoToolResult, Permission, TextInput, ToolContext, ToolHints, ToolResult,
        TypedAgentTool,
        generated::{
            blocking, cancellation, precheck, state, structured, structured_display, unusable_tool,
        },
    },
    toolset::{ToolMethods, ToolProvider, Tools},
};
