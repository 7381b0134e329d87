//! Serves the page on an address of this machine.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use callpact_http::{Listener, Stop};

use crate::Desk;

/// A desk that listens, made by [`Desk::bind`]; call [`run`](Self::run) to serve.
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
pub struct DeskServer {
    desk: Desk,
    listener: Listener,
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
            listener: Listener::bind(address).await?,
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

    /// A handle that stops the server: connections end, and so do the calls that people try.
    pub fn stopper(&self) -> Stop {
        self.listener.stopper()
    }

    /// Serves until it is stopped or dropped.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn run(self) -> io::Result<()> {
        self.listener.serve(self.desk.service()).await
    }
}

impl std::fmt::Debug for DeskServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeskServer")
            .field("desk", &self.desk)
            .finish_non_exhaustive()
    }
}
