//! Serves a [`Toolset`](toolwright::Toolset).

mod handler;
mod limit;

pub use handler::ToolServer;
pub use limit::RateLimit;
