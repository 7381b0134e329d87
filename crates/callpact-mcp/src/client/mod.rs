//! Uses the tools of an MCP server as tools of a [`Toolset`](callpact::Toolset).

mod catalog;
mod config;
mod connection;
mod content;
mod elicit;
mod error;
mod fingerprint;
mod link;
mod mcp_client;
mod program;
mod progress;
mod servers;
mod watch;

pub use callpact::pins::Unusable;
pub use callpact::pins::{Drift, DriftKind, Pins, PinsError};
pub use config::McpConfig;
pub use elicit::{Elicitation, Elicited};
pub use error::ClientError;
pub use mcp_client::McpClient;
#[cfg(unix)]
pub use program::Boundary;
pub use watch::{LastWords, WireMessage};
