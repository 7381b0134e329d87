//! Callpact tools over the Model Context Protocol, both ways.
//!
//! [`server::ToolServer`] serves a [`Toolset`](callpact::Toolset). [`client::McpClient`] adds the tools of
//! a server to a `Toolset`.
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "client")]
#[cfg_attr(docsrs, doc(cfg(feature = "client")))]
pub mod client;
#[cfg(feature = "jwt")]
#[cfg_attr(docsrs, doc(cfg(feature = "jwt")))]
pub mod jwt;
#[cfg(any(feature = "client", feature = "jwt", feature = "server"))]
mod net;
#[cfg(feature = "server")]
#[cfg_attr(docsrs, doc(cfg(feature = "server")))]
pub mod server;

/// Makes a [`ToolServer`](server::ToolServer) with the name and the version of the crate that calls this macro.
///
/// ```
/// use callpact::{ToolContext, Toolset, tool};
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a.saturating_add(b)
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let server = callpact_mcp::tool_server!(Toolset::single(Add)?, ToolContext::new());
/// # drop(server);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "server")]
#[macro_export]
macro_rules! tool_server {
    ($tools:expr, $context:expr $(,)?) => {
        $crate::server::ToolServer::new($tools, $context)
            .named(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
    };
}

#[cfg(all(doctest, feature = "server", feature = "client"))]
#[doc = include_str!("../../../docs/mcp.md")]
mod guide {}

#[cfg(all(doctest, feature = "server", feature = "client", feature = "jwt"))]
#[doc = include_str!("../../../docs/identity.md")]
mod identity_guide {}
