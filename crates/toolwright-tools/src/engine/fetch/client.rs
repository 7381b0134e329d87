//! The fetcher: the limits, and the loop over redirects.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{self, HeaderMap, HeaderValue};
use rustls_platform_verifier::BuilderVerifierExt;

use super::body::{Collector, Oversize};
use super::error::FetchError;
use super::guard::{Guard, Resolver, SystemResolver};
use super::request::{FetchRequest, Fetched, Method, content_type};
use super::target::{self, Ports};
use crate::engine::address::{AddressPolicy, Network};

/// Makes HTTP calls within limits. Cloning it is cheap.
///
/// ```no_run
/// # async fn run() -> Result<(), toolwright_tools::engine::fetch::FetchError> {
/// use toolwright_tools::engine::fetch::{FetchRequest, Fetcher};
///
/// let fetcher = Fetcher::builder().build()?;
/// let page = fetcher.fetch(FetchRequest::get("https://example.org/")).await?;
/// println!("{} {}", page.status, page.text());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Fetcher {
    client: reqwest::Client,
    policy: Arc<AddressPolicy>,
    limits: Limits,
}

#[derive(Debug, Clone)]
struct Limits {
    ports: Ports,
    timeout: Duration,
    max_bytes: usize,
    max_redirects: usize,
    on_oversize: Oversize,
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher")
            .field("policy", &self.policy)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

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
    limits: Limits,
    connect_timeout: Duration,
    user_agent: String,
    policy: AddressPolicy,
    resolver: Arc<dyn Resolver>,
}

impl fmt::Debug for FetcherBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetcherBuilder")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Default for FetcherBuilder {
    fn default() -> Self {
        Self {
            limits: Limits {
                ports: Ports::Web,
                timeout: Duration::from_secs(15),
                max_bytes: 5 << 20,
                max_redirects: 5,
                on_oversize: Oversize::Fail,
            },
            connect_timeout: Duration::from_secs(10),
            user_agent: concat!("toolwright/", env!("CARGO_PKG_VERSION")).to_owned(),
            policy: AddressPolicy::public(),
            resolver: Arc::new(SystemResolver),
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

    /// Bounds the making of one connection.
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

    /// Also allows `host`, whatever address it has; for tests and intranets.
    #[must_use]
    pub fn allow_host(mut self, host: &str) -> Self {
        self.policy = self.policy.allow_host(host);
        self
    }

    /// Replaces the system's resolver. Its answers are checked all the same.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Arc::new(resolver);
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
        let policy = Arc::new(self.policy);
        let guard = Guard {
            resolver: self.resolver,
            policy: Arc::clone(&policy),
        };
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls().clone())
            .user_agent(agent)
            .connect_timeout(self.connect_timeout)
            .dns_resolver(Arc::new(guard))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .http1_only()
            .http1_max_headers(128)
            // Each hop makes its own connection, so each hop is looked up and checked.
            .pool_max_idle_per_host(0)
            .build()
            .map_err(|_| FetchError::InvalidRequest("the HTTP client could not be set up"))?;
        Ok(Fetcher {
            client,
            policy,
            limits: self.limits,
        })
    }
}

/// The TLS set-up, made once: reading the system's roots takes a while.
///
/// The crypto provider is named here, so that no process-wide default is needed or changed. Without
/// any roots on the system the set is empty and every https call fails: closed, not open.
fn tls() -> &'static rustls::ClientConfig {
    static TLS: OnceLock<rustls::ClientConfig> = OnceLock::new();
    TLS.get_or_init(|| {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        platform_tls(&provider).unwrap_or_else(|| {
            rustls::ClientConfig::builder_with_provider(provider)
                .with_protocol_versions(rustls::DEFAULT_VERSIONS)
                .expect("ring supports the default versions")
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth()
        })
    })
}

fn platform_tls(provider: &Arc<rustls::crypto::CryptoProvider>) -> Option<rustls::ClientConfig> {
    let builder = rustls::ClientConfig::builder_with_provider(Arc::clone(provider));
    let builder = builder.with_safe_default_protocol_versions().ok()?;
    Some(builder.with_platform_verifier().ok()?.with_no_client_auth())
}

impl Fetcher {
    /// A builder with the defaults of [`FetcherBuilder`].
    pub fn builder() -> FetcherBuilder {
        FetcherBuilder::default()
    }

    /// The most bytes that a body may have.
    pub const fn max_bytes(&self) -> usize {
        self.limits.max_bytes
    }

    /// Checks `request` as far as that is possible without a lookup.
    ///
    /// # Errors
    ///
    /// What [`fetch`](Self::fetch) would say before it connects.
    pub fn check(&self, request: &FetchRequest) -> Result<(), FetchError> {
        self.start(request)
            .map(|_| ())
            .map_err(|error| error.redacted(&request.secrets))
    }

    fn start(&self, request: &FetchRequest) -> Result<Url, FetchError> {
        if let Some(mistake) = &request.mistake {
            return Err(mistake.clone());
        }
        let url = target::parse(&request.url)?;
        target::check(&url, &self.limits.ports, &self.policy)?;
        Ok(url)
    }

    /// Sends `request` and reads the whole answer. Any status is an answer; the caller judges it.
    ///
    /// # Errors
    ///
    /// See [`FetchError`]; no variant holds a secret of the request.
    pub async fn fetch(&self, request: FetchRequest) -> Result<Fetched, FetchError> {
        let secrets = request.secrets.clone();
        let call = tokio::time::timeout(self.limits.timeout, self.follow(request));
        let fetched = match call.await {
            Ok(fetched) => fetched,
            Err(_) => Err(FetchError::Timeout(self.limits.timeout)),
        };
        match fetched {
            Ok(mut fetched) => {
                fetched.url = secrets.redact(&fetched.url);
                Ok(fetched)
            }
            Err(error) => Err(error.redacted(&secrets)),
        }
    }

    async fn follow(&self, mut request: FetchRequest) -> Result<Fetched, FetchError> {
        let limit = request.max_redirects.unwrap_or(self.limits.max_redirects);
        let mut url = self.start(&request)?;
        let mut redirects = 0;
        loop {
            let response = self.send(&url, &request).await?;
            let next = match location(&response) {
                Some(next) if limit > 0 => next,
                _ => return self.read(response, &url, redirects).await,
            };
            if redirects == limit {
                return Err(FetchError::TooManyRedirects(limit));
            }
            redirects += 1;
            let next = join(&url, &next)
                .and_then(|next| {
                    target::check(&next, &self.limits.ports, &self.policy)?;
                    turn(&mut request, &url, &next, response.status().as_u16())?;
                    Ok(next)
                })
                .map_err(|error| FetchError::Redirect(Box::new(error)))?;
            url = next;
        }
    }

    async fn send(
        &self,
        url: &Url,
        request: &FetchRequest,
    ) -> Result<reqwest::Response, FetchError> {
        let host = target::host(url)?;
        let mut call = self
            .client
            .request(request.method.to_client(), url.clone())
            .headers(request.headers.clone())
            .header(header::ACCEPT_ENCODING, "gzip");
        if !request.body.is_empty() {
            call = call.body(request.body.clone());
        }
        let response = call
            .send()
            .await
            .map_err(|e| FetchError::from_client(&e, &host))?;
        // The connector was handed checked addresses only; this is the second lock on that door.
        match response.remote_addr() {
            Some(peer) if self.policy.check(&host, peer.ip()).is_ok() => Ok(response),
            _ => Err(FetchError::Denied { host }),
        }
    }

    async fn read(
        &self,
        mut response: reqwest::Response,
        url: &Url,
        redirects: usize,
    ) -> Result<Fetched, FetchError> {
        let host = target::host(url)?;
        let Limits {
            max_bytes,
            on_oversize,
            ..
        } = self.limits;
        let mut collector = Collector::new(response.headers(), max_bytes, on_oversize)?;
        let mut truncated = false;
        loop {
            let chunk = response.chunk().await;
            let Some(chunk) = chunk.map_err(|e| FetchError::from_client(&e, &host))? else {
                break;
            };
            if collector.push(&chunk)? {
                truncated = true;
                break;
            }
        }
        let (body, cut) = collector.finish(!truncated)?;
        Ok(Fetched {
            status: response.status().as_u16(),
            url: target::shown(url),
            content_type: content_type(response.headers()),
            body,
            truncated: truncated || cut,
            redirects,
        })
    }
}

/// Where a redirect leads, when the answer is one that can be followed.
fn location(response: &reqwest::Response) -> Option<String> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let value = response.headers().get(header::LOCATION)?;
    // Servers send raw UTF-8 here; the URL parser encodes it.
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn join(base: &Url, location: &str) -> Result<Url, FetchError> {
    let joined = base
        .join(location)
        .map_err(|_| FetchError::InvalidUrl("not a valid URL"))?;
    // The same limits on length and characters as for the first URL.
    target::parse(joined.as_str())
}

/// Makes the request ready for the next hop, as browsers do; nothing of the caller's own goes to
/// another origin.
fn turn(request: &mut FetchRequest, from: &Url, to: &Url, status: u16) -> Result<(), FetchError> {
    let becomes_get = match status {
        303 => request.method != Method::Head,
        301 | 302 => request.method == Method::Post,
        _ => false,
    };
    if becomes_get {
        request.method = Method::Get;
        request.body.clear();
        request.headers.remove(header::CONTENT_TYPE);
    }
    if !target::same_origin(from, to) {
        if !request.body.is_empty() {
            return Err(FetchError::InvalidRequest(
                "the body would be sent to another host",
            ));
        }
        keep_harmless(&mut request.headers);
    }
    Ok(())
}

fn keep_harmless(headers: &mut HeaderMap) {
    let harmless = [
        header::ACCEPT,
        header::ACCEPT_LANGUAGE,
        header::CONTENT_TYPE,
        header::USER_AGENT,
    ];
    let kept = harmless.into_iter().filter_map(|name| {
        let value = headers
            .get(&name)
            .filter(|value| !value.is_sensitive())?
            .clone();
        Some((name, value))
    });
    *headers = kept.collect();
}
