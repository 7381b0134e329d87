//! Accepts connections and serves them.

use std::{convert::Infallible, error::Error, io, net::SocketAddr, time::Duration};

use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioTimer;
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tower_service::Service;

use crate::{
    connections::{OpenConnection, OpenConnections},
    exchange::{self, RequestBody},
    socket::TimedSocket,
};

/// How long a client may take to send the head of a request.
const HEADERS: Duration = Duration::from_secs(10);

/// The most failures of the listener in a row before the server ends.
const FAILURES: u32 = 1_000;

/// The answer if every connection works.
const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// The address of the client, in the extensions of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// Listens on an address; call [`serve`](Self::serve) to serve.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    stop: CancellationToken,
}

/// Stops a server.
#[derive(Clone, Debug)]
pub struct Stop(CancellationToken);

impl Stop {
    /// Stops the server: no new connections, and the open ones end with the calls under way.
    pub fn stop(&self) {
        self.0.cancel();
    }
}

impl Listener {
    /// Listens on an address.
    ///
    /// # Errors
    /// If the address is not available.
    pub async fn bind(address: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(address).await?,
            stop: CancellationToken::new(),
        })
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

    /// Serves until it is stopped or dropped. The extensions of a request have its [`Peer`].
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn serve<S, B>(self, service: S) -> io::Result<()>
    where
        S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>
            + Clone
            + Send
            + 'static,
        S::Future: Send,
        B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static,
    {
        let connections = OpenConnections::default();
        let mut serving = JoinSet::new();
        let mut failures = 0;
        loop {
            let (stream, peer) = tokio::select! {
                () = self.stop.cancelled() => break,
                // The memory of a connection is freed when its task is taken out.
                Some(_) = serving.join_next() => continue,
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
            let Some(connection) = connections.open(peer.ip()) else {
                // A new socket has room for this, and a client that is gone does not need it.
                let _ = stream.try_write(BUSY);
                continue;
            };
            // Small events must not wait for each other.
            let _ = stream.set_nodelay(true);
            serving.spawn(serve_connection(stream, peer, connection, service.clone()));
        }
        serving.shutdown().await;
        Ok(())
    }
}

/// Serves a connection until its end, or until it must give way.
async fn serve_connection<S, B>(
    stream: TcpStream,
    peer: SocketAddr,
    connection: OpenConnection,
    service: S,
) where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible> + Clone,
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + 'static,
{
    let counters = connection.counters();
    let socket = TimedSocket::new(stream, counters.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        exchange::answer(service.clone(), request, counters.clone())
    });
    // HTTP/1 only: to tell it from HTTP/2, hyper would wait for a client's first bytes without a
    // limit, and HTTP/2 has no limit on the time of a request.
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
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
