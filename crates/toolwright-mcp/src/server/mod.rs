//! Serves a [`Toolset`](toolwright::Toolset).

mod ask;
mod connections;
mod gate;
mod guard;
mod handler;
mod http;
mod identity;
mod incoming;
mod limit;
mod progress;
mod revision;
mod sessions;
mod socket;
mod stdio;

pub use self::{
    ask::{AskClients, ShortSecret},
    guard::ProtectedResource,
    handler::ToolServer,
    http::{HttpServer, Stop},
    identity::{Authenticator, Identity, RequestInfo, StaticTokens, TokenError},
    limit::RateLimit,
};
