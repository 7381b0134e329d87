//! Serves streamable HTTP.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use callpact::{identity::Authenticator, toolset::BoxFuture};
use http::Request;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioTimer;
use rmcp::{ServerHandler, transport::StreamableHttpServerConfig};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use super::{
    connections::{Connection, Connections},
    gate::Gate,
    guard::{Guard, ProtectedResource},
    handler::ToolServer,
    limit::RateLimit,
    request::PeerAddress,
    socket::Socket,
};

/// How long a client may take to send the head of a request.
const HEADERS: Duration = Duration::from_secs(10);

/// How fast each caller opens sessions.
const SESSION_BURST: u32 = 100;
const SESSIONS_PER_SECOND: f64 = 50.0;

/// The most failures of the listener in a row before the server ends.
const FAILURES: u32 = 1_000;

/// The answer if every connection works.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

impl ToolServer {
    /// Listens on an address for streamable HTTP, under any path.
    ///
    /// Requests must name the address or `localhost` as their `Host`, and web pages of other origins are
    /// refused. [`HttpServer::allow_host`] and [`HttpServer::allow_origin`] allow more.
    ///
    /// # Errors
    /// If the address is not available.
    pub async fn bind(self, address: SocketAddr) -> io::Result<HttpServer> {
        Ok(HttpServer::of_tools(
            TcpListener::bind(address).await?,
            self,
        ))
    }
}

/// The work of a server. A boxed future is compiled where it is made, so this crate has the code of a
/// [`ToolServer`]. The body of an `async fn` is compiled again in every program that awaits it.
pub(super) type Serving = BoxFuture<'static, io::Result<()>>;

/// A server that listens for streamable HTTP; call [`run`](Self::run) to serve.
pub struct HttpServer<H = ToolServer> {
    listener: TcpListener,
    server: H,
    hosts: Vec<String>,
    origins: Vec<String>,
    authenticator: Option<Arc<dyn Authenticator>>,
    resource: Option<ProtectedResource>,
    insecure: bool,
    session_rate: RateLimit,
    stop: CancellationToken,
    serve: fn(Self) -> Serving,
}

/// Stops an [`HttpServer`].
#[derive(Clone, Debug)]
pub struct Stop(CancellationToken);

impl Stop {
    /// Stops the server: no new connections, sessions end.
    pub fn stop(&self) {
        self.0.cancel();
    }
}

impl<H: ServerHandler + Clone> HttpServer<H> {
    /// Listens on an address for a handler of your own, such as one that adds prompts to the tools of a
    /// [`ToolServer`].
    ///
    /// # Errors
    /// If the address is not available.
    pub async fn bind(server: H, address: SocketAddr) -> io::Result<Self> {
        Ok(Self::new(TcpListener::bind(address).await?, server))
    }

    fn new(listener: TcpListener, server: H) -> Self {
        Self {
            listener,
            server,
            hosts: Vec::new(),
            origins: Vec::new(),
            authenticator: None,
            resource: None,
            insecure: false,
            session_rate: RateLimit::new(SESSION_BURST, SESSIONS_PER_SECOND),
            stop: CancellationToken::new(),
            serve: |server| Box::pin(server.serve()),
        }
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
        Stop(self.stop.clone())
    }

    /// Serves requests for another host name too, such as the name of a proxy.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Serves web pages of an origin, such as `https://app.example.com:443`.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
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
    pub fn authenticate(mut self, authenticator: impl Authenticator + 'static) -> Self {
        self.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Tells clients without a token where to get one: in the answer 401, and under
    /// `/.well-known/oauth-protected-resource`.
    #[must_use]
    pub fn protected_resource(mut self, resource: ProtectedResource) -> Self {
        self.resource = Some(resource);
        self
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
    pub fn limit_sessions(mut self, rate: RateLimit) -> Self {
        self.session_rate = rate;
        self
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
            && self.authenticator.is_none()
            && !self.insecure
        {
            let text = format!(
                "other machines reach {address} and there is no authenticator; `insecure` serves it all the same"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let mut hosts = vec![
            "localhost".to_owned(),
            "127.0.0.1".to_owned(),
            "::1".to_owned(),
        ];
        // A server bound to all addresses has no address that could be trusted as its name.
        if !address.ip().is_unspecified() {
            hosts.push(address.ip().to_string());
        }
        // A page of this address can only come from this server.
        let port = address.port();
        let origin = |host: &String| {
            if host.contains(':') {
                format!("http://[{host}]:{port}")
            } else {
                format!("http://{host}:{port}")
            }
        };
        let origins: Vec<String> = hosts.iter().map(origin).chain(self.origins).collect();
        hosts.extend(self.hosts);
        // Sessions are separate tasks. They end with this function, even when it is dropped.
        let sessions = self.stop.child_token();
        let _sessions = sessions.clone().drop_guard();
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(hosts)
            .with_allowed_origins(origins)
            .enforce_origin_validation()
            .with_cancellation_token(sessions);
        let guard = self
            .authenticator
            .map(|authenticator| Guard::new(authenticator, self.resource));
        let gate = Gate::new(self.server, config, guard, self.session_rate);
        let connections = Connections::default();
        let mut serving = JoinSet::new();
        let mut failures = 0;
        loop {
            let (stream, peer) = tokio::select! {
                () = self.stop.cancelled() => break,
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) if is_passing(&error) => continue,
                    // The process may be out of file descriptors, so one is freed.
                    Err(_) if failures < FAILURES => {
                        failures += 1;
                        connections.close_one();
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                    Err(error) => return Err(error),
                },
            };
            failures = 0;
            let Some(connection) = connections.open() else {
                // A new socket has room for this, and a client that is gone does not need it.
                let _ = stream.try_write(BUSY);
                continue;
            };
            // Small events must not wait for each other.
            let _ = stream.set_nodelay(true);
            serving.spawn(serve_connection(stream, peer, connection, gate.clone()));
            while serving.try_join_next().is_some() {}
        }
        serving.shutdown().await;
        Ok(())
    }
}

impl HttpServer {
    fn of_tools(listener: TcpListener, tools: ToolServer) -> Self {
        Self::new(listener, tools)
    }
}

/// Serves a connection until its end, or until it must give way.
async fn serve_connection<H: ServerHandler + Clone>(
    stream: TcpStream,
    peer: SocketAddr,
    connection: Connection,
    gate: Gate<H>,
) {
    let counters = connection.counters();
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(PeerAddress(peer));
        let (gate, counters) = (gate.clone(), counters.clone());
        async move { Ok::<_, Infallible>(gate.answer(request, counters).await) }
    });
    // HTTP/1 only: to tell it from HTTP/2, hyper would wait for a client's first bytes without a
    // limit, and HTTP/2 has no limit on the time of a request.
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    let socket = Socket::new(stream, counters.clone());
    tokio::select! {
        // A broken connection concerns only its client.
        _ = http.serve_connection(socket, service) => {}
        () = connection.closed() => {}
    }
}

/// Whether an error concerns one connection or one moment, not the listener.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
            | io::ErrorKind::WouldBlock
    )
}
