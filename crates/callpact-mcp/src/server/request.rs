//! What a program can learn about the request behind a call.

use std::{
    fmt,
    hash::{BuildHasher, RandomState},
    net::SocketAddr,
};

use callpact::identity::Identity;
use callpact_http::Peer;
use http::request::Parts;
use rmcp::{RoleServer, service::RequestContext};

use super::limit::CallerKey;

/// A unique id.
pub(super) fn new_id() -> String {
    let random = || RandomState::new().hash_one(std::process::id());
    format!("mcp-{:016x}{:016x}", random(), random())
}

/// What is known about the request behind a call.
pub struct RequestInfo<'a> {
    parts: Option<&'a Parts>,
    client: Option<String>,
}

impl<'a> RequestInfo<'a> {
    pub(super) fn new(context: &'a RequestContext<RoleServer>) -> Self {
        Self {
            parts: context.extensions.get(),
            client: context.client_info().map(|client| client.name),
        }
    }

    /// A header of the request, if it came over HTTP and the header is text.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.parts?.headers.get(name)?.to_str().ok()
    }

    /// The address of the client, if the request came over HTTP.
    pub fn peer(&self) -> Option<SocketAddr> {
        self.parts?.extensions.get().map(|Peer(peer)| *peer)
    }

    /// The session of the request, if it has one.
    pub fn session(&self) -> Option<&'a str> {
        self.header("mcp-session-id")
    }

    /// The name that the client gives itself. It is only a claim.
    pub fn client_name(&self) -> Option<&str> {
        self.client.as_deref()
    }

    /// The identity of the caller, if the server has an
    /// [`Authenticator`](callpact::identity::Authenticator).
    pub fn identity(&self) -> Option<&'a Identity> {
        self.parts?.extensions.get()
    }

    /// The caller to whom the request counts.
    pub(super) fn caller_key(&self) -> CallerKey {
        match self.identity() {
            Some(identity) => CallerKey::Identity(identity.name.clone()),
            None => CallerKey::at(self.peer().map(|peer| peer.ip())),
        }
    }
}

impl fmt::Debug for RequestInfo<'_> {
    // Headers hold tokens.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestInfo")
            .field("peer", &self.peer())
            .field("client", &self.client)
            .field("identity", &self.identity())
            .finish_non_exhaustive()
    }
}
