//! Typed tools for LLM agents: a struct is the contract.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[allow(unused_extern_crates)] // the derive's paths work inside this crate too
extern crate self as toolwright;

pub mod adapter;
pub mod input;
pub mod names;
pub mod observe;
pub mod pipeline;
pub mod review;
pub mod schema;
pub mod secret;
pub mod tool;
pub mod toolset;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use adapter::{Outcome, ToolCall, ToolReply, ToolSpec};
pub use input::{
    At, Fix, FixKind, Issue, IssueKind, Path, Policy, Read, Report, ToolInput, read_str, read_value,
};
pub use observe::ToolMetrics;
pub use pipeline::{PipelineErrorStrategy, ToolPipeline};
pub use review::{OnTimeout, ReviewDecision, ReviewHandler, ReviewRequest};
pub use schema::{Dialect, Fingerprint, Schema};
pub use tool::{
    AgentTool, Cancellation, DynamicTool, Halt, IntoToolResult, Json, Parameters, PendingCall,
    Permission, PermissionMode, ToolContext, ToolError, ToolResult, TypedAgentTool,
};
pub use toolset::{CallGuard, ToolProvider, Toolset, ToolsetBuilder, ToolsetError};
/// ```
/// use toolwright::ToolInput;
///
/// /// Parameters for an HTTP request
/// #[derive(ToolInput)]
/// struct HttpRequest {
///     /// The URL to request
///     #[tool_param(min_length = 1)]
///     url: String,
///     #[tool_param(description = "Seconds to wait", min = 1, max = 60, default = 30)]
///     timeout: u32,
/// }
/// # fn main() {}
/// ```
pub use toolwright_derive::ToolInput;

/// The JSON schema of a type in a dialect, as a constant `&'static str`.
///
/// ```
/// use toolwright::{Dialect, ToolInput, schema_json};
///
/// #[derive(ToolInput)]
/// struct Search {
///     /// What to look for
///     query: String,
/// }
///
/// const SCHEMA: &str = schema_json!(Search, Dialect::Portable);
/// assert_eq!(
///     SCHEMA,
///     r#"{"type":"object","properties":{"query":{"type":"string","description":"What to look for"}},"required":["query"]}"#,
/// );
/// ```
#[macro_export]
macro_rules! schema_json {
    ($type:ty, $dialect:expr) => {{
        const SCHEMA: &$crate::Schema = <$type as $crate::ToolInput>::SCHEMA;
        const DIALECT: $crate::Dialect = $dialect;
        const LEN: $crate::__private::usize = $crate::schema::json_len(SCHEMA, DIALECT);
        const BYTES: &[u8] = &$crate::schema::json_bytes::<LEN>(SCHEMA, DIALECT);
        const TEXT: &$crate::__private::str = $crate::schema::text_of(BYTES);
        TEXT
    }};
}
