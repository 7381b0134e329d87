//! The filter between a name and the connector: the address that is resolved here is the one that
//! is connected to.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use crate::engine::address::{AddressPolicy, Class};

/// The answer of a [`Resolver`], under way.
pub type Lookup<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Resolves a name to addresses. It is asked exactly once for each connection.
pub trait Resolver: Send + Sync {
    /// The addresses of `host`.
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a>;
}

/// The operating system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|socket| socket.ip()).collect())
        })
    }
}

impl<R: Resolver + ?Sized> Resolver for Box<R> {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        (**self).lookup(host)
    }
}

/// Why the filter let no address through. The fetcher finds it among the sources of the library's
/// error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressRefusal {
    Address(Class),
    Lookup,
}

impl fmt::Display for AddressRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(class) => write!(f, "address refused: {class}"),
            Self::Lookup => f.write_str("name lookup failed"),
        }
    }
}

impl std::error::Error for AddressRefusal {}

/// A [`Resolver`] behind an [`AddressPolicy`], in the form that the HTTP library needs.
pub(super) struct ResolverGuard {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) policy: Arc<AddressPolicy>,
}

impl ResolverGuard {
    /// The allowed addresses of `host`. A denied one next to a public one is left out, so that the
    /// connector cannot fall back to it.
    fn filter(
        policy: &AddressPolicy,
        host: &str,
        found: &[IpAddr],
    ) -> Result<Vec<IpAddr>, AddressRefusal> {
        let mut reason = AddressRefusal::Lookup;
        let mut allowed = Vec::new();
        for &ip in found {
            match policy.check(host, ip) {
                Ok(()) => allowed.push(ip),
                Err(class) => reason = AddressRefusal::Address(class),
            }
        }
        if allowed.is_empty() {
            Err(reason)
        } else {
            Ok(allowed)
        }
    }
}

impl reqwest::dns::Resolve for ResolverGuard {
    fn resolve(&self, name: reqwest::dns::Name) -> reqwest::dns::Resolving {
        let resolver = Arc::clone(&self.resolver);
        let policy = Arc::clone(&self.policy);
        Box::pin(async move {
            let host = name.as_str();
            let found = resolver
                .lookup(host)
                .await
                .map_err(|_| AddressRefusal::Lookup)?;
            let allowed = Self::filter(&policy, host, &found)?;
            // The port of the URL replaces port 0.
            let sockets = allowed.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(sockets) as reqwest::dns::Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(found: &[&str]) -> Result<Vec<String>, AddressRefusal> {
        let found: Vec<IpAddr> = found.iter().map(|ip| ip.parse().unwrap()).collect();
        ResolverGuard::filter(&AddressPolicy::public(), "host.example", &found)
            .map(|ips| ips.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn only_allowed_addresses_pass() {
        assert_eq!(filter(&["8.8.8.8"]).unwrap(), ["8.8.8.8"]);
        assert_eq!(
            filter(&["127.0.0.1", "8.8.8.8", "::1"]).unwrap(),
            ["8.8.8.8"]
        );
        assert_eq!(
            filter(&["10.0.0.1"]),
            Err(AddressRefusal::Address(Class::Private))
        );
        assert_eq!(filter(&[]), Err(AddressRefusal::Lookup));
    }

    #[test]
    fn no_address_inside_passes() {
        for ip in [
            "127.0.0.1",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.1",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001:0:7f00:1::",
            "fc00::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "203.0.113.1",
            "168.63.129.16",
        ] {
            assert!(
                matches!(filter(&[ip]), Err(AddressRefusal::Address(_))),
                "{ip}"
            );
        }
    }
}
