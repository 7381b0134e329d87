//! Serves a [`Toolset`](callpact::Toolset).

mod admission;
mod ask;
mod awaited;
mod clients;
mod doubled;
mod gate;
mod guard;
mod handler;
mod host;
mod http;
mod incoming;
mod large;
mod limit;
mod listing;
mod log_level;
mod page;
mod progress;
mod question;
mod request;
mod result;
mod revision;
mod service;
mod sessions;
mod stdio;
mod turns;

pub use self::{
    ask::{AskClients, ShortSecret},
    guard::ProtectedResource,
    handler::ToolServer,
    http::HttpServer,
    limit::RateLimit,
    request::RequestInfo,
    service::HttpService,
};
pub use crate::net::check_page;
pub use callpact::identity::{Authenticator, Identity, ScopeRules, StaticTokens, TokenError};
pub use callpact_http::{Peer, Stop};
