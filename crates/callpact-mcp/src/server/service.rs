//! Streamable HTTP as a service of `tower`.

use std::{
    convert::Infallible,
    error::Error,
    io,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use callpact::{identity::Authenticator, toolset::BoxFuture};
use http::{Request, Response};
use http_body_util::BodyExt;
use hyper::body::{Body, Bytes};
use rmcp::{ServerHandler, transport::StreamableHttpServerConfig};
use tokio_util::sync::{CancellationToken, DropGuard};
use tower_service::Service;

use super::{
    gate::{Answer, RequestGate},
    guard::{ProtectedResource, TokenGuard},
    handler::ToolServer,
    limit::RateLimit,
    sessions::SessionStore,
};

/// How fast each caller opens sessions.
const SESSION_BURST: u32 = 100;
const SESSIONS_PER_SECOND: f64 = 50.0;

impl ToolServer {
    /// The server as a service of `tower`, for a router of your own.
    ///
    /// ```
    /// use axum::Router;
    /// use callpact::{ToolContext, Toolset};
    /// use callpact_mcp::server::ToolServer;
    ///
    /// # fn example(tools: Toolset) {
    /// let mcp = ToolServer::new(tools, ToolContext::new()).service();
    /// let app: Router = Router::new().nest_service("/mcp", mcp.allow_host("tools.example.com"));
    /// # drop(app);
    /// # }
    /// ```
    pub fn service(self) -> HttpService {
        HttpService::new(self)
    }
}

/// Streamable HTTP as a service of `tower`, under any path, made by [`ToolServer::service`].
///
/// A clone serves the same sessions, which end with the last clone. Requests must name `localhost` or an address of
/// the loopback network as their `Host`; [`allow_host`](Self::allow_host) allows more. Connections and their limits
/// belong to the server around it: `callpact_http::Listener` serves a router with the limits of
/// [`HttpServer`](super::HttpServer). It also says where a request comes from, in a [`Peer`](super::Peer) of its
/// extensions; without one, all callers that are not identified count as one.
pub struct HttpService<H = ToolServer> {
    settings: Arc<ServiceSettings<H>>,
    /// Made by the first request.
    serving: Arc<OnceLock<ServiceParts<H>>>,
}

#[derive(Clone)]
struct ServiceSettings<H> {
    server: H,
    hosts: Vec<String>,
    origins: Vec<String>,
    authenticator: Option<Arc<dyn Authenticator>>,
    resource: Option<ProtectedResource>,
    session_rate: RateLimit,
}

struct ServiceParts<H> {
    gate: RequestGate<H>,
    /// Sessions are separate tasks. They end with the service.
    _sessions: DropGuard,
}

impl<H: ServerHandler + Clone> HttpService<H> {
    /// A service for a handler of your own.
    pub fn new(server: H) -> Self {
        let hosts = ["localhost", "127.0.0.1", "::1"];
        Self {
            settings: Arc::new(ServiceSettings {
                server,
                hosts: hosts.map(str::to_owned).into(),
                origins: Vec::new(),
                authenticator: None,
                resource: None,
                session_rate: RateLimit::new(SESSION_BURST, SESSIONS_PER_SECOND),
            }),
            serving: Arc::default(),
        }
    }

    fn change(self, change: impl FnOnce(&mut ServiceSettings<H>)) -> Self {
        let mut settings = Arc::unwrap_or_clone(self.settings);
        change(&mut settings);
        Self {
            settings: Arc::new(settings),
            serving: Arc::default(),
        }
    }

    /// Serves requests for another host name too, such as the name of a proxy.
    #[must_use]
    pub fn allow_host(self, host: impl Into<String>) -> Self {
        let host = host.into();
        self.change(|settings| settings.hosts.push(host))
    }

    /// Serves web pages of an origin, such as `https://app.example.com:443`.
    #[must_use]
    pub fn allow_origin(self, origin: impl Into<String>) -> Self {
        let origin = origin.into();
        self.change(|settings| settings.origins.push(origin))
    }

    /// Serves only requests with a bearer token that is valid.
    ///
    /// Every other request gets the answer 401, and the log gets one line without the token. A session
    /// belongs to the identity that opened it.
    #[must_use]
    pub fn authenticate(self, authenticator: impl Authenticator + 'static) -> Self {
        self.change(|settings| settings.authenticator = Some(Arc::new(authenticator)))
    }

    /// Tells clients without a token where to get one: in the answer 401, and under
    /// `/.well-known/oauth-protected-resource`, if the router leads that path here.
    #[must_use]
    pub fn protected_resource(self, resource: ProtectedResource) -> Self {
        self.change(|settings| settings.resource = Some(resource))
    }

    /// Sets how fast each caller opens sessions: each identity, or each peer address if callers are not identified. A
    /// faster caller waits for up to two seconds, and then gets the answer 503. By default it is 100 at once and 50 a
    /// second. A proxy in front has the address of all its clients.
    ///
    /// A session that was opened is kept for its client's next message for at least three seconds.
    #[must_use]
    pub fn limit_sessions(self, rate: RateLimit) -> Self {
        self.change(|settings| settings.session_rate = rate)
    }

    pub(super) fn has_authenticator(&self) -> bool {
        self.settings.authenticator.is_some()
    }

    fn gate(&self) -> &RequestGate<H> {
        let serving = self.serving.get_or_init(|| {
            let settings = ServiceSettings::clone(&self.settings);
            let sessions = CancellationToken::new();
            let config = StreamableHttpServerConfig::default()
                .with_allowed_hosts(settings.hosts)
                .with_allowed_origins(settings.origins)
                .enforce_origin_validation()
                .with_cancellation_token(sessions.clone());
            let guard = settings
                .authenticator
                .map(|authenticator| TokenGuard::new(authenticator, settings.resource));
            let table = SessionStore::new(settings.session_rate);
            ServiceParts {
                gate: RequestGate::new(settings.server, config, guard, table),
                _sessions: sessions.drop_guard(),
            }
        });
        &serving.gate
    }
}

impl<H> Clone for HttpService<H> {
    fn clone(&self) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            serving: Arc::clone(&self.serving),
        }
    }
}

impl<H, B> Service<Request<B>> for HttpService<H>
where
    H: ServerHandler + Clone,
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
{
    type Response = Response<Answer>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Answer>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        // With one type of body, rmcp's service is compiled once.
        let request = request.map(|body| body.map_err(io::Error::other).boxed_unsync());
        Box::pin(async move { Ok(service.gate().answer(request).await) })
    }
}

impl<H> std::fmt::Debug for HttpService<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpService")
            .field("hosts", &self.settings.hosts)
            .field("origins", &self.settings.origins)
            .finish_non_exhaustive()
    }
}
