//! Serves the page on an address of this machine.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, watch},
    task::JoinSet,
};

use crate::Desk;

/// How long a client may take to send the head of a request.
const HEADERS: Duration = Duration::from_secs(10);
/// The most connections at the same time.
const CONNECTIONS: usize = 512;
/// The most failures of the listener in a row before the server ends.
const FAILURES: u32 = 1_000;

/// A desk that listens, made by [`Desk::bind`]; call [`run`](Self::run) to serve.
pub struct DeskServer {
    desk: Desk,
    listener: TcpListener,
    stop: Arc<watch::Sender<bool>>,
}

/// Stops a [`DeskServer`].
///
/// ```
/// use callpact::{ToolContext, Toolset};
/// use callpact_desk::Desk;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let desk = Desk::new(Toolset::builder().build()?, ToolContext::new());
/// let server = desk.bind("127.0.0.1:0".parse()?).await?;
/// let stop = server.stopper();
/// let serving = tokio::spawn(server.run());
/// // Whatever the program does.
/// stop.stop();
/// serving.await??;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Stop {
    /// Stops the server: connections end, and so do the calls that people try.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl DeskServer {
    pub(crate) async fn bind(desk: Desk, address: SocketAddr) -> io::Result<Self> {
        let ip = address.ip().to_canonical();
        if !ip.is_loopback() && desk.0.authenticator.is_none() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "other machines reach {address}, and the desk does not know who they are: bind to \
                     127.0.0.1, name an authenticator with `Desk::authenticate`, or nest \
                     `Desk::service` behind your own authentication"
                ),
            ));
        }
        // A server bound to all addresses has no address that could be trusted as its name.
        let desk = match ip {
            ip if ip.is_loopback() || ip.is_unspecified() => desk,
            IpAddr::V4(ip) => desk.allow_host(ip.to_string()),
            IpAddr::V6(ip) => desk.allow_host(format!("[{ip}]")),
        };
        Ok(Self {
            desk,
            listener: TcpListener::bind(address).await?,
            stop: Arc::new(watch::Sender::new(false)),
        })
    }

    /// The address, with the port that the system chose for port 0.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address for one browser, with a new token.
    ///
    /// # Errors
    /// If the system gives no address or no random numbers.
    pub fn url(&self) -> io::Result<String> {
        let mut address = self.local_addr()?;
        // The unspecified address cannot be opened, but the loopback address can.
        match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        // If people have their own tokens, the address lets nobody in.
        if self.desk.0.authenticator.is_some() {
            return Ok(format!("http://{address}/"));
        }
        Ok(format!("http://{address}/#token={}", self.desk.token()?))
    }

    /// A handle that stops the server.
    pub fn stopper(&self) -> Stop {
        Stop(Arc::clone(&self.stop))
    }

    /// Serves until it is stopped or dropped.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn run(self) -> io::Result<()> {
        let mut stopped = self.stop.subscribe();
        let free = Arc::new(Semaphore::new(CONNECTIONS));
        let mut serving = JoinSet::new();
        let mut failures = 0;
        loop {
            let stream = tokio::select! {
                () = until_stopped(&mut stopped) => break,
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    // One connection broke, or the process is out of file descriptors for the
                    // moment.
                    Err(_) if failures < FAILURES => {
                        failures += 1;
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    }
                    Err(error) => return Err(error),
                },
            };
            failures = 0;
            let Ok(permit) = Arc::clone(&free).try_acquire_owned() else {
                continue;
            };
            // Small events must not wait for each other.
            let _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(self.desk.service());
            serving.spawn(async move {
                let _permit = permit;
                let mut http = http1::Builder::new();
                http.timer(TokioTimer::new()).header_read_timeout(HEADERS);
                // A broken connection concerns only its client.
                let _ = http.serve_connection(TokioIo::new(stream), service).await;
            });
            while serving.try_join_next().is_some() {}
        }
        serving.shutdown().await;
        Ok(())
    }
}

/// Waits for the stop. The server itself holds a sender, so the channel stays open.
async fn until_stopped(stopped: &mut watch::Receiver<bool>) {
    // The returned guard must not be held across another wait.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

impl std::fmt::Debug for DeskServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeskServer")
            .field("desk", &self.desk)
            .finish_non_exhaustive()
    }
}
