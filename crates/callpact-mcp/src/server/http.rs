//! Listens for streamable HTTP.

use std::{
    io,
    net::{IpAddr, SocketAddr},
};

use callpact::{identity::Authenticator, toolset::BoxFuture};
use callpact_http::{Listener, Stop};
use rmcp::ServerHandler;

use super::{
    guard::ProtectedResource, handler::ToolServer, limit::RateLimit, service::HttpService,
};

impl ToolServer {
    /// Listens on an address for streamable HTTP, under any path.
    ///
    /// Requests must name the address or `localhost` as their `Host`, and web pages of other origins are
    /// refused. [`HttpServer::allow_host`] and [`HttpServer::allow_origin`] allow more.
    ///
    /// # Errors
    /// If the address is not available.
    pub async fn bind(self, address: SocketAddr) -> io::Result<HttpServer> {
        Ok(HttpServer::of_tools(Listener::bind(address).await?, self))
    }
}

/// The work of a server. A boxed future is compiled where it is made, so this crate has the code of a
/// [`ToolServer`]. The body of an `async fn` is compiled again in every program that awaits it.
pub(super) type ServingTask = BoxFuture<'static, io::Result<()>>;

/// A server that listens for streamable HTTP; call [`run`](Self::run) to serve.
pub struct HttpServer<H = ToolServer> {
    listener: Listener,
    service: HttpService<H>,
    insecure: bool,
    serve: fn(Self) -> ServingTask,
}

impl<H: ServerHandler + Clone> HttpServer<H> {
    /// Listens on an address for a handler of your own, such as one that adds prompts to the tools of a
    /// [`ToolServer`].
    ///
    /// # Errors
    /// If the address is not available.
    pub async fn bind(server: H, address: SocketAddr) -> io::Result<Self> {
        Ok(Self::new(Listener::bind(address).await?, server))
    }

    fn new(listener: Listener, server: H) -> Self {
        Self {
            listener,
            service: HttpService::new(server),
            insecure: false,
            serve: |server| Box::pin(server.serve()),
        }
    }

    fn change(mut self, change: impl FnOnce(HttpService<H>) -> HttpService<H>) -> Self {
        self.service = change(self.service);
        self
    }

    /// The address, with the port that the system chose for port 0.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Returns a handle that stops the server.
    pub fn stopper(&self) -> Stop {
        self.listener.stopper()
    }

    /// Serves requests for another host name too, such as the name of a proxy.
    #[must_use]
    pub fn allow_host(self, host: impl Into<String>) -> Self {
        self.change(|service| service.allow_host(host))
    }

    /// Serves web pages of an origin, such as `https://app.example.com:443`.
    #[must_use]
    pub fn allow_origin(self, origin: impl Into<String>) -> Self {
        self.change(|service| service.allow_origin(origin))
    }

    /// Serves only requests with a bearer token that is valid.
    ///
    /// Every other request gets the answer 401, and the log gets one line without the token. A session
    /// belongs to the identity that opened it.
    ///
    /// ```no_run
    /// use callpact::{PermissionMode, ToolContext, Toolset};
    /// use callpact_mcp::server::{Identity, StaticTokens, ToolServer};
    ///
    /// # async fn example(tools: Toolset) -> Result<(), Box<dyn std::error::Error>> {
    /// let token = std::env::var("TOKEN_OF_ADA")?;
    /// let tokens = StaticTokens::new().token(token, Identity::new("ada").with_scope("write"))?;
    /// ToolServer::new(tools, ToolContext::new())
    ///     .with_request_context(|info, cx| match info.identity() {
    ///         Some(who) if who.has_scope("write") => cx,
    ///         _ => cx.with_permissions(PermissionMode::Deny),
    ///     })
    ///     .bind("0.0.0.0:8080".parse()?)
    ///     .await?
    ///     .allow_host("tools.example.com")
    ///     .authenticate(tokens)
    ///     .run()
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn authenticate(self, authenticator: impl Authenticator + 'static) -> Self {
        self.change(|service| service.authenticate(authenticator))
    }

    /// Tells clients without a token where to get one: in the answer 401, and under
    /// `/.well-known/oauth-protected-resource`.
    #[must_use]
    pub fn protected_resource(self, resource: ProtectedResource) -> Self {
        self.change(|service| service.protected_resource(resource))
    }

    /// Serves other machines without identifying callers, for example behind a proxy that does.
    #[must_use]
    pub fn insecure(mut self) -> Self {
        self.insecure = true;
        self
    }

    /// Sets how fast each caller opens sessions: each identity, or each peer address if callers are not identified. A
    /// faster caller waits for up to two seconds, and then gets the answer 503. Without a word, it is 100 at once and
    /// 50 a second. A proxy in front has the address of all its clients.
    ///
    /// A session that was opened is kept for its client's next message for at least three seconds.
    #[must_use]
    pub fn limit_sessions(self, rate: RateLimit) -> Self {
        self.change(|service| service.limit_sessions(rate))
    }

    /// Serves until it is stopped or dropped. Both end the calls under way.
    ///
    /// # Errors
    /// If the listener fails, and at once if other machines can reach the address and callers are not
    /// identified: neither [`authenticate`](Self::authenticate) nor [`insecure`](Self::insecure) was
    /// called.
    pub async fn run(self) -> io::Result<()> {
        (self.serve)(self).await
    }

    async fn serve(self) -> io::Result<()> {
        let address = self.local_addr()?;
        if !address.ip().to_canonical().is_loopback()
            && !self.service.has_authenticator()
            && !self.insecure
        {
            let text = format!(
                "other machines reach {address} and there is no authenticator; `insecure` serves it all the same"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let mut service = self.service;
        // A server bound to all addresses has no address that could be trusted as its name.
        if !address.ip().is_unspecified() {
            service = service.allow_host(address.ip().to_string());
        }
        // A page of this address can only come from this server.
        for host in own_names(address) {
            service = service.allow_origin(format!("http://{host}:{}", address.port()));
        }
        self.listener.serve(service).await
    }
}

/// The names of a server on this address in the origins of its own pages.
fn own_names(address: SocketAddr) -> Vec<String> {
    let own = match address.ip() {
        ip if ip.is_unspecified() => None,
        IpAddr::V4(ip) => Some(ip.to_string()),
        IpAddr::V6(ip) => Some(format!("[{ip}]")),
    };
    let known = ["localhost", "127.0.0.1", "[::1]"];
    known.map(str::to_owned).into_iter().chain(own).collect()
}

impl HttpServer {
    fn of_tools(listener: Listener, tools: ToolServer) -> Self {
        Self::new(listener, tools)
    }
}
