//! Typed tools for LLM agents: a struct is the contract.
//!
//! From one declaration come the JSON schema that the model sees and the reader that checks what the
//! model sends. Around it stands what a call needs: a list of tools, approval, secrets, time, and the
//! words of each provider.
//!
//! ```
//! use callpact::{Dialect, ToolCall, ToolContext, Toolset, tool};
//!
//! /// Adds two numbers
//! #[tool(read_only)]
//! fn add(a: i64, #[tool_param(min = 0, max = 100)] b: i64) -> i64 {
//!     a.saturating_add(b)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let tools = Toolset::builder().tool(Add).build()?;
//! // Out to a provider, and a call of its model back in.
//! assert!(tools.specs(Dialect::Anthropic).starts_with(r#"[{"name":"add","description":"Adds two numbers""#));
//! let call = ToolCall::new("call-1", "add", r#"{"a": 40, "b": 2}"#);
//! assert_eq!(tools.call(&call, &ToolContext::new()).await?.to_model(), "42");
//! let call = ToolCall::new("call-2", "add", r#"{"b": 200}"#);
//! assert_eq!(
//!     tools.call(&call, &ToolContext::new()).await?.to_model(),
//!     "Error: Invalid arguments, 2 problems:\n\
//!      - b: expected an integer from 0 to 100, found 200\n\
//!      - a: missing; expected an integer",
//! );
//! # Ok(())
//! # }
//! ```
//!
//! | to | see |
//! |---|---|
//! | declare parameters | [`ToolInput`](derive@ToolInput), [`schema_json!`], [`read_str`], [`Policy`] |
//! | write a tool | [`#[tool]`](macro@tool), [`#[tools]`](macro@tools), [`TypedAgentTool`], [`AgentTool`], [`DynamicTool`] |
//! | give something back | [`IntoToolResult`], [`ToolResult`], [`ToolError`], [`Halt`] |
//! | assemble the calls of a stream | [`stream`] |
//! | make calls | [`Toolset`], [`ToolContext`], [`ToolCall`], [`ToolReply`], [`CallGuard`] |
//! | ask first | [`review`], [`Permission`], [`PermissionMode`], [`PendingCall`] |
//! | keep secrets | [`secret`] |
//! | join tools | [`ToolPipeline`] |
//! | speak to a provider | [`Dialect`], [`adapter`] |
//! | know who calls | [`identity`] |
//! | test | the crate `callpact-testing` |
//! | read about all of it | [`guide`] |
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason
#![cfg_attr(docsrs, feature(doc_cfg))]

#[allow(unused_extern_crates)] // the derive's paths work inside this crate too
extern crate self as callpact;

pub mod adapter;
pub mod call;
mod crash;
pub mod digest;
// The programs in these pages are tested in the crates that they use.
#[cfg(not(doctest))]
pub mod guide;
pub mod identity;
pub mod names;
pub mod observe;
pub mod pins;
pub mod pipeline;
mod raw_object;
pub mod review;
pub mod secret;
pub mod store;
pub mod stream;
pub mod tool;
pub mod toolset;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[doc(inline)]
pub use adapter::{Notes, Outcome, ToolCall, ToolReply, ToolSpec};
#[doc(inline)]
pub use callpact_contract::{
    Dialect, Fingerprint, Fix, FixKind, Issue, IssueKind, Path, Policy, Read, Report, Schema,
    ToolInput, ToolOutput, input, read_str, read_value, schema, schema_json,
};
pub use callpact_derive::CommandTools;
/// ```
/// use serde::Serialize;
/// use callpact::{IntoToolResult, ToolOutput};
///
/// #[derive(Serialize, ToolOutput)]
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
pub use callpact_derive::ToolOutput;
/// ```
/// use callpact::{ToolInput, secret_params};
///
/// #[derive(ToolInput)]
/// struct Request {
///     url: String,
///     token: String,
/// }
///
/// const SECRET_PARAMS: &[&str] = secret_params!(Request: token);
/// assert_eq!(SECRET_PARAMS, ["token"]);
/// ```
///
/// A typo is an error at its place: "the input has no text at `tokne`".
///
/// ```compile_fail
/// # use callpact::{ToolInput, secret_params};
/// # #[derive(ToolInput)]
/// # struct Request {
/// #     token: String,
/// # }
/// const SECRET_PARAMS: &[&str] = secret_params!(Request: tokne);
/// ```
pub use callpact_derive::secret_params;
/// ```
/// use callpact::{AgentTool, ToolContext, tool};
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
pub use callpact_derive::tool;
/// ```
/// use callpact::{Toolset, tools};
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
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let account = Account { owner: "Ada".to_owned() };
/// let tools = Toolset::builder().tools(account).build()?;
/// assert!(tools.names().eq(["owner"]));
/// # Ok(())
/// # }
/// ```
pub use callpact_derive::tools;
#[doc(inline)]
pub use observe::ToolMetrics;
#[doc(inline)]
pub use pipeline::{PipelineErrorStrategy, ToolPipeline};
#[doc(inline)]
pub use review::{OnTimeout, ReviewDecision, ReviewHandler, ReviewRequest};
#[doc(inline)]
pub use tool::{
    AgentTool, Cancellation, Content, DynamicTool, DynamicToolError, Halt, IntoToolResult, Json,
    Parameters, PendingCall, Permission, PermissionMode, State, ToolContext, ToolError, ToolHints,
    ToolResult, TypedAgentTool,
};
#[doc(inline)]
pub use toolset::{
    CallGuard, CallLayer, CommandTool, CommandTools, ToolMethods, ToolProvider, Toolset,
    ToolsetBuilder, ToolsetError,
};
