//! Uses the tools of an MCP server as tools of a [`Toolset`](toolwright::Toolset).

mod address;
mod catalog;
mod config;
mod connection;
mod content;
mod error;
mod http;
mod link;
mod mcp_client;
mod pins;
mod program;
mod servers;

pub use config::McpConfig;
pub use error::ClientError;
pub use mcp_client::{McpClient, Unusable};
pub use pins::{Drift, DriftKind, Pins};
#[cfg(unix)]
pub use program::Boundary;
