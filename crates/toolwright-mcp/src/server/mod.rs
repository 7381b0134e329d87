//! Serves a [`Toolset`](toolwright::Toolset).

mod ask;
mod connections;
mod gate;
mod handler;
mod http;
mod incoming;
mod limit;
mod progress;
mod sessions;
mod socket;
mod stdio;

pub use self::{
    ask::{AskClients, ShortSecret},
    handler::ToolServer,
    http::{HttpServer, Stop},
    limit::RateLimit,
};
