//! Where a server listens: standard input and output, or streamable HTTP.

use std::{
    error::Error,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use hyper::{
    Request,
    body::{Body, Frame, Incoming, SizeHint},
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
    service::TowerToHyperService,
};
use rmcp::{
    ServerHandler, ServiceExt,
    service::ServerInitializeError,
    transport::{StreamableHttpServerConfig, StreamableHttpService, stdio},
};
use tokio::{net::TcpListener, sync::Semaphore, task::JoinSet};
use tokio_util::sync::CancellationToken;

use super::{ToolServer, sessions::Sessions};

/// How long a client may take to send the head of a request.
const HEADERS: Duration = Duration::from_secs(10);

/// How long a client may take to send the body of a request.
const BODY: Duration = Duration::from_secs(10);

/// How many failures of the listener in a row are waited out.
const FAILURES: u32 = 100;

/// How many connections are served at the same time.
const CONNECTIONS: usize = 256;

impl ToolServer {
    /// Serves on standard input and output until the client goes away.
    ///
    /// Nothing else of the program may write to standard output meanwhile.
    ///
    /// # Errors
    /// When the client does not speak the protocol.
    pub async fn serve_stdio(self) -> io::Result<()> {
        let running = self.serve(stdio()).await.map_err(|error| {
            io::Error::other(match error {
                ServerInitializeError::ConnectionClosed(_) => {
                    "the client went away before it introduced itself".to_owned()
                }
                ServerInitializeError::ExpectedInitializeRequest(_) => {
                    "the client did not introduce itself; it has to speak the Model Context Protocol"
                        .to_owned()
                }
                other => other.to_string(),
            })
        })?;
        running.waiting().await.map_err(io::Error::other)?;
        Ok(())
    }

    /// Listens on an address for streamable HTTP, under any path.
    ///
    /// Only requests that name the address (or `localhost`) as their `Host` are served, and none that
    /// come from a web page of another origin: that would have to be allowed.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub async fn bind(self, address: SocketAddr) -> io::Result<HttpServer> {
        HttpServer::bind(self, address).await
    }
}

/// A server that listens for streamable HTTP; [`run`](Self::run) serves.
pub struct HttpServer<H = ToolServer> {
    listener: TcpListener,
    server: H,
    hosts: Vec<String>,
    origins: Vec<String>,
    stop: CancellationToken,
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
    /// Listens on an address for a handler of the program's own, such as one that has prompts beside
    /// a [`ToolServer`]'s tools.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub async fn bind(server: H, address: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(address).await?,
            server,
            hosts: Vec::new(),
            origins: Vec::new(),
            stop: CancellationToken::new(),
        })
    }

    /// The address, with the port that the system chose for port 0.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// A way to stop it.
    pub fn stopper(&self) -> Stop {
        Stop(self.stop.clone())
    }

    /// The same, serving requests for another host name too, such as the one behind a proxy.
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// The same, serving web pages of an origin such as `https://app.example.com:443`.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Serves until it is stopped or dropped, either of which ends the calls that are under way.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn run(self) -> io::Result<()> {
        let address = self.local_addr()?;
        let mut hosts = vec![
            "localhost".to_owned(),
            "127.0.0.1".to_owned(),
            "::1".to_owned(),
        ];
        // Bound to everything, it has no name of its own that could be trusted.
        if !address.ip().is_unspecified() {
            hosts.push(address.ip().to_string());
        }
        // A page of this very address can only have come from here.
        let port = address.port();
        let own = |host: &String| {
            if host.contains(':') {
                format!("http://[{host}]:{port}")
            } else {
                format!("http://{host}:{port}")
            }
        };
        let origins: Vec<String> = hosts.iter().map(own).chain(self.origins).collect();
        hosts.extend(self.hosts);
        // Sessions are tasks of their own: they end with this, also where it is dropped.
        let sessions = self.stop.child_token();
        let _sessions = sessions.clone().drop_guard();
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(hosts)
            .with_allowed_origins(origins)
            .enforce_origin_validation()
            .with_cancellation_token(sessions);
        let server = self.server;
        let service = StreamableHttpService::new(
            move || Ok(server.clone()),
            Arc::new(Sessions::default()),
            config,
        );
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        let mut failures = 0;
        loop {
            let Ok(place) = Arc::clone(&room).acquire_owned().await else {
                break;
            };
            let stream = tokio::select! {
                () = self.stop.cancelled() => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) if passing(&error) => continue,
                    // Out of descriptors, for example: others may be given back.
                    Err(_) if failures < FAILURES => {
                        failures += 1;
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                    Err(error) => return Err(error),
                },
            };
            failures = 0;
            // Small events must not wait for each other.
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(service.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                service.call(request.map(Timely::new))
            });
            connections.spawn(async move {
                // Not HTTP/2: what a client says first would be waited for without an end to find
                // out which it is, and there a request may take as long as it likes.
                let mut connection = auto::Builder::new(TokioExecutor::new()).http1_only();
                // A client that sends its request a byte at a time does not keep its place.
                connection
                    .http1()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEADERS);
                // A connection that breaks is the client's affair.
                let _ = connection
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
                drop(place);
            });
            while connections.try_join_next().is_some() {}
        }
        connections.shutdown().await;
        Ok(())
    }
}

/// A body that has to come in time.
struct Timely {
    body: Incoming,
    end: Pin<Box<tokio::time::Sleep>>,
}

impl Timely {
    fn new(body: Incoming) -> Self {
        let end = Box::pin(tokio::time::sleep(BODY));
        Self { body, end }
    }
}

impl Body for Timely {
    type Data = <Incoming as Body>::Data;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        self.end
            .as_mut()
            .poll(cx)
            .map(|()| Some(Err("it took too long".into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An error of one connection, or of a moment, and not of the listener.
fn passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::Interrupted
            | io::ErrorKind::WouldBlock
    )
}
