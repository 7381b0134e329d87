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
#[cfg(feature = "testing")]
#[cfg_attr(docsrs, doc(cfg(feature = "testing")))]
pub mod testing;
pub mod tool;
pub mod toolset;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use adapter::{Outcome, ToolCall, ToolReply, ToolSpec};
pub use input::{
    At, Fix, FixKind, Issue, IssueKind, Path, Policy, Read, Report, ToolInput, read_str, read_value,
};
pub use observe::ToolMetrics;
pub use pipeline::{PipelineErrorStrategy, ToolPipeline};
pub use review::{OnTimeout, ReviewDecision, ReviewHandler, ReviewRequest};
pub use schema::{Dialect, Fingerprint, Schema};
pub use tool::{
    AgentTool, Cancellation, Content, DynamicTool, Halt, IntoToolResult, Json, Parameters,
    PendingCall, Permission, PermissionMode, State, ToolContext, ToolError, ToolResult,
    TypedAgentTool,
};
pub use toolset::{CallGuard, ToolMethods, ToolProvider, Toolset, ToolsetBuilder, ToolsetError};
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
/// ```
/// use serde::Serialize;
/// use toolwright::{IntoToolResult, ToolInput, ToolOutput};
///
/// #[derive(Serialize, ToolInput, ToolOutput)]
/// struct Weather {
///     /// Degrees Celsius
///     temperature: f64,
/// }
///
/// # fn main() {
/// let result = Weather { temperature: 21.5 }.into_tool_result();
/// assert_eq!(result.output(), r#"{"temperature":21.5}"#);
/// assert!(Weather::output_schema().is_some());
/// # }
/// ```
pub use toolwright_derive::ToolOutput;
/// ```
/// use toolwright::{AgentTool, ToolContext, tool};
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(
///     /// The first
///     a: i64,
///     #[tool_param(description = "The second", default = 1)] b: i64,
/// ) -> Result<i64, &'static str> {
///     a.checked_add(b).ok_or("the sum is too large")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let reply = Add.execute(r#"{"a": 41}"#, &ToolContext::new()).await;
/// assert_eq!(reply.to_model(), "42");
/// # }
/// ```
pub use toolwright_derive::tool;
/// ```
/// use toolwright::{Toolset, tools};
///
/// struct Account {
///     owner: String,
/// }
///
/// #[tools]
/// impl Account {
///     /// Who owns the account
///     #[tool(read_only)]
///     fn owner(&self) -> String {
///         self.owner.clone()
///     }
/// }
///
/// # fn main() -> Result<(), toolwright::ToolsetError> {
/// let account = Account { owner: "Ada".to_owned() };
/// let tools = Toolset::builder().tools(account).build()?;
/// assert!(tools.names().eq(["owner"]));
/// # Ok(())
/// # }
/// ```
pub use toolwright_derive::tools;

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
