//! The limits of a fetcher and its set-up.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::HeaderValue;
use rustls_platform_verifier::BuilderVerifierExt;

use super::body::Oversize;
use super::client::Fetcher;
use super::error::FetchError;
use super::guard::{Resolver, ResolverGuard, SystemResolver};
use super::limits::FetchLimits;
use super::target::Ports;
use crate::engine::address::{AddressPolicy, Network};

/// Sets the limits of a [`Fetcher`].
///
/// | limit | default |
/// | --- | --- |
/// | whole call | 15 s |
/// | connecting | 10 s |
/// | decoded body | 5 MiB, then an error |
/// | redirects | 5 |
/// | ports | [`Ports::Web`] |
/// | addresses | public ones |
/// | response headers | 128 |
pub struct FetcherBuilder {
    limits: FetchLimits,
    connect_timeout: Duration,
    user_agent: String,
    policy: AddressPolicy,
    resolver: Arc<dyn Resolver>,
    finish: ClientFinish,
}

type ClientFinish = Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

impl fmt::Debug for FetcherBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetcherBuilder")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Fetcher {
    /// A builder with the defaults of [`FetcherBuilder`].
    pub fn builder() -> FetcherBuilder {
        FetcherBuilder::default()
    }
}

impl Default for FetcherBuilder {
    fn default() -> Self {
        Self {
            limits: FetchLimits {
                ports: Ports::Web,
                timeout: Duration::from_secs(15),
                max_bytes: 5 << 20,
                max_redirects: 5,
                on_oversize: Oversize::Fail,
            },
            connect_timeout: Duration::from_secs(10),
            user_agent: concat!("callpact/", env!("CARGO_PKG_VERSION")).to_owned(),
            policy: AddressPolicy::public(),
            resolver: Arc::new(SystemResolver),
            finish: Box::new(|client| client),
        }
    }
}

impl FetcherBuilder {
    /// Bounds the whole call: lookup, redirects and the last byte of the body.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.limits.timeout = limit;
        self
    }

    /// Bounds the time of making a connection.
    #[must_use]
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Bounds the decoded body.
    #[must_use]
    pub fn max_bytes(mut self, limit: usize) -> Self {
        self.limits.max_bytes = limit;
        self
    }

    /// What to do with a larger body.
    #[must_use]
    pub fn on_oversize(mut self, what: Oversize) -> Self {
        self.limits.on_oversize = what;
        self
    }

    /// Bounds the redirects that are followed, at most 20.
    #[must_use]
    pub fn max_redirects(mut self, limit: usize) -> Self {
        self.limits.max_redirects = limit.min(20);
        self
    }

    /// The ports that may be connected to.
    #[must_use]
    pub fn ports(mut self, ports: Ports) -> Self {
        self.limits.ports = ports;
        self
    }

    /// Sets the `User-Agent` header.
    #[must_use]
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = name.into();
        self
    }

    /// The addresses that may be connected to.
    #[must_use]
    pub fn addresses(mut self, policy: AddressPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Also allows the addresses of `network`; for tests and intranets.
    #[must_use]
    pub fn allow_network(mut self, network: impl Into<Network>) -> Self {
        self.policy = self.policy.allow_network(network);
        self
    }

    /// Also allows `host`, at any address; for tests and intranets.
    #[must_use]
    pub fn allow_host(mut self, host: &str) -> Self {
        self.policy = self.policy.allow_host(host);
        self
    }

    /// Replaces the system's resolver. Its answers are still checked.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Changes the HTTP client as the last step. A test of refused addresses counts the attempts to connect
    /// here, instead of connecting.
    #[doc(hidden)]
    #[must_use]
    pub fn finish_client(
        mut self,
        finish: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + 'static,
    ) -> Self {
        self.finish = Box::new(finish);
        self
    }

    /// Builds the fetcher.
    ///
    /// # Errors
    ///
    /// [`FetchError::InvalidRequest`] when a limit is zero or the user agent is not a header value.
    pub fn build(self) -> Result<Fetcher, FetchError> {
        if self.limits.timeout.is_zero() || self.connect_timeout.is_zero() {
            return Err(FetchError::InvalidRequest("timeout must be positive"));
        }
        if self.limits.max_bytes == 0 {
            return Err(FetchError::InvalidRequest("max_bytes must be positive"));
        }
        let agent = HeaderValue::try_from(self.user_agent)
            .map_err(|_| FetchError::InvalidRequest("user_agent is not a header value"))?;
        let tls = tls().ok_or(FetchError::InvalidRequest("TLS could not be set up"))?;
        let policy = Arc::new(self.policy);
        let guard = ResolverGuard {
            resolver: self.resolver,
            policy: Arc::clone(&policy),
        };
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.clone())
            .user_agent(agent)
            .connect_timeout(self.connect_timeout)
            .dns_resolver(Arc::new(guard))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            // Another crate of the program may have turned these on. Then the bounds on unpacking
            // would not see the packed bytes.
            .no_gzip()
            .no_brotli()
            .no_zstd()
            .no_deflate()
            .http1_only()
            .http1_max_headers(128)
            // Each hop makes its own connection, so each hop is looked up and checked.
            .pool_max_idle_per_host(0);
        let client = (self.finish)(client)
            .build()
            .map_err(|_| FetchError::InvalidRequest("the HTTP client could not be set up"))?;
        Ok(Fetcher {
            client,
            policy,
            limits: self.limits,
        })
    }
}

/// The TLS set-up, made once because reading the system's root certificates takes a while.
///
/// The crypto provider is named here, so that no process-wide default is needed or changed. On a
/// system without root certificates the set is empty and every https call fails: closed, not open.
fn tls() -> Option<&'static rustls::ClientConfig> {
    static TLS: OnceLock<Option<rustls::ClientConfig>> = OnceLock::new();
    TLS.get_or_init(|| {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = || {
            rustls::ClientConfig::builder_with_provider(Arc::clone(&provider))
                .with_safe_default_protocol_versions()
                .ok()
        };
        let with_roots = match builder()?.with_platform_verifier() {
            Ok(with_roots) => with_roots,
            Err(_) => builder()?.with_root_certificates(rustls::RootCertStore::empty()),
        };
        Some(with_roots.with_no_client_auth())
    })
    .as_ref()
}
