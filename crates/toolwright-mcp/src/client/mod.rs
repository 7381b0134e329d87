//! Uses the tools of an MCP server as tools of a [`Toolset`](toolwright::Toolset).

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
mod servers;

pub use config::McpConfig;
pub use elicit::{Elicitation, Elicited};
pub use error::ClientError;
pub use mcp_client::McpClient;
#[cfg(unix)]
pub use program::Boundary;
pub use toolwright::pins::Unusable;
pub use toolwright::pins::{Drift, DriftKind, Pins, PinsError};
