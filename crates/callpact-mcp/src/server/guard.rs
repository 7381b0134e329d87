//! Lets requests with a valid token pass, and answers all others as the protocol demands.

use std::sync::Arc;

use callpact::identity::{Authenticator, Identity};
use callpact_http::Peer;
use http::{
    HeaderMap, HeaderValue, Method, Request, Response, StatusCode,
    header::{AUTHORIZATION, WWW_AUTHENTICATE},
};
use serde_json::json;

use super::{limit::CallerKey, sessions::SessionStore};

/// The most bytes of a token.
const TOKEN: usize = 8 << 10;

/// The path of the metadata of protected resources.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What a client must know to get a token for this server, after RFC 9728.
///
/// ```
/// use callpact_mcp::server::ProtectedResource;
///
/// let resource = ProtectedResource::new("https://tools.example.com/mcp")
///     .authorization_server("https://login.example.com")
///     .scope("write");
/// ```
#[derive(Clone, Debug)]
pub struct ProtectedResource {
    resource: String,
    servers: Vec<String>,
    scopes: Vec<String>,
}

impl ProtectedResource {
    /// The server under the address that clients use.
    pub fn new(resource: impl Into<String>) -> Self {
        Self {
            resource: resource.into(),
            servers: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// Adds a server that issues tokens.
    #[must_use]
    pub fn authorization_server(mut self, issuer: impl Into<String>) -> Self {
        self.servers.push(issuer.into());
        self
    }

    /// Adds a scope that a token can have.
    #[must_use]
    pub fn scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    fn to_json(&self) -> String {
        json!({
            "resource": self.resource,
            "authorization_servers": self.servers,
            "scopes_supported": self.scopes,
            "bearer_methods_supported": ["header"],
        })
        .to_string()
    }

    /// The address of the metadata: the well-known path between the host and the path of the
    /// resource.
    fn address(&self) -> String {
        let (scheme, rest) = self.resource.split_once("://").unwrap_or_default();
        let (host, path) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        format!(
            "{scheme}://{host}{WELL_KNOWN}{}",
            path.trim_end_matches('/')
        )
    }
}

/// Checks the tokens of requests.
pub(super) struct TokenGuard {
    authenticator: Arc<dyn Authenticator>,
    resource: Option<ProtectedResource>,
}

/// Why a request did not pass.
enum GuardRefusal {
    NoToken,
    InvalidToken(&'static str),
    OtherSession,
}

impl TokenGuard {
    pub(super) fn new(
        authenticator: Arc<dyn Authenticator>,
        resource: Option<ProtectedResource>,
    ) -> Self {
        Self {
            authenticator,
            resource,
        }
    }

    /// The metadata, if a request asks for them.
    pub(super) fn metadata<B>(&self, request: &Request<B>) -> Option<String> {
        let asked = request.method() == Method::GET && request.uri().path().starts_with(WELL_KNOWN);
        self.resource
            .as_ref()
            .filter(|_| asked)
            .map(ProtectedResource::to_json)
    }

    /// Adds the identity to a request, or gives the answer to a request without a valid token.
    pub(super) async fn admit<B>(
        &self,
        request: &mut Request<B>,
        sessions: &SessionStore,
    ) -> Result<CallerKey, Response<()>> {
        let denied = match self.check(request, sessions).await {
            Ok((identity, owner)) => {
                request.extensions_mut().insert(identity);
                return Ok(owner);
            }
            Err(denied) => denied,
        };
        let (status, reason) = match denied {
            GuardRefusal::NoToken => (StatusCode::UNAUTHORIZED, "no token"),
            GuardRefusal::InvalidToken(why) => (StatusCode::UNAUTHORIZED, why),
            GuardRefusal::OtherSession => (StatusCode::NOT_FOUND, "the session of somebody else"),
        };
        let peer = request.extensions().get().map(|Peer(peer)| *peer);
        tracing::warn!(target: "callpact", ?peer, reason, "a request was refused");
        let mut response = Response::new(());
        *response.status_mut() = status;
        if status == StatusCode::UNAUTHORIZED {
            let given = matches!(denied, GuardRefusal::InvalidToken(_));
            response
                .headers_mut()
                .insert(WWW_AUTHENTICATE, self.challenge(given));
        }
        Err(response)
    }

    async fn check<B>(
        &self,
        request: &Request<B>,
        sessions: &SessionStore,
    ) -> Result<(Identity, CallerKey), GuardRefusal> {
        let token = bearer_token(request.headers())?;
        let identity = self.authenticator.check(token).await;
        let identity = identity.map_err(GuardRefusal::InvalidToken)?;
        let owner = CallerKey::Identity(identity.name.clone());
        match session(request.headers()) {
            Some(session) if !sessions.belongs_to(session, &owner) => {
                Err(GuardRefusal::OtherSession)
            }
            _ => Ok((identity, owner)),
        }
    }

    /// The words to the client about tokens.
    fn challenge(&self, given: bool) -> HeaderValue {
        let mut parts = Vec::new();
        if let Some(resource) = &self.resource {
            parts.push(format!("resource_metadata=\"{}\"", resource.address()));
        }
        if given {
            parts.push("error=\"invalid_token\"".to_owned());
        }
        let text = format!("Bearer {}", parts.join(", "));
        HeaderValue::try_from(text.trim_end()).unwrap_or(HeaderValue::from_static("Bearer"))
    }
}

/// The session that a message names.
pub(super) fn session(headers: &HeaderMap) -> Option<&str> {
    headers.get("mcp-session-id")?.to_str().ok()
}

/// The one bearer token of a request.
fn bearer_token(headers: &HeaderMap) -> Result<&str, GuardRefusal> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(GuardRefusal::NoToken)?;
    if values.next().is_some() {
        return Err(GuardRefusal::InvalidToken("more than one token"));
    }
    let value = value
        .to_str()
        .map_err(|_| GuardRefusal::InvalidToken("a token that is no text"))?;
    let (scheme, token) = value
        .split_once(' ')
        .ok_or(GuardRefusal::InvalidToken("no bearer token"))?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(GuardRefusal::InvalidToken("no bearer token"));
    }
    if token.len() > TOKEN {
        return Err(GuardRefusal::InvalidToken("a token that is too long"));
    }
    // The characters of a token in RFC 6750.
    let written = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if token.is_empty() || !token.bytes().all(written) {
        return Err(GuardRefusal::InvalidToken("a token with other characters"));
    }
    Ok(token)
}
