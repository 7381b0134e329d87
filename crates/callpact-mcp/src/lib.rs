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

#[cfg(all(doctest, feature = "server", feature = "client"))]
#[doc = include_str!("../../../docs/mcp.md")]
mod guide {}

#[cfg(all(doctest, feature = "server", feature = "client", feature = "jwt"))]
#[doc = include_str!("../../../docs/identity.md")]
mod identity_guide {}
