//! Uses the tools of an MCP server as tools of a [`Toolset`](toolwright::Toolset).

mod config;
mod connection;
mod content;
mod error;
#[cfg(unix)]
mod family;
mod pins;
mod session;

pub use config::McpConfig;
pub use error::ClientError;
pub use pins::{Drift, DriftKind, Pins};
pub use session::{McpClient, Unusable};
