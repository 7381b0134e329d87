//! Serves a [`Toolset`](toolwright::Toolset).

mod handler;
mod limit;
mod progress;
mod serve;
mod sessions;

pub use handler::ToolServer;
pub use limit::RateLimit;
pub use serve::{HttpServer, Stop};
