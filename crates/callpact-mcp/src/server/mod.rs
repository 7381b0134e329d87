//! Serves a [`Toolset`](callpact::Toolset).

mod admission;
mod ask;
mod awaited;
mod connections;
mod doubled;
mod gate;
mod guard;
mod handler;
mod http;
mod incoming;
mod limit;
mod page;
mod progress;
mod question;
mod request;
mod revision;
mod sessions;
mod socket;
mod stdio;
mod turns;

pub use self::{
    ask::{AskClients, ShortSecret},
    guard::ProtectedResource,
    handler::ToolServer,
    http::{HttpServer, Stop},
    limit::RateLimit,
    request::RequestInfo,
};
pub use crate::net::check_page;
pub use callpact::identity::{Authenticator, Identity, ScopeRules, StaticTokens, TokenError};
