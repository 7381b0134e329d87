//! The fetcher: one call, and the loop over its redirects.

use std::fmt;
use std::sync::Arc;

use reqwest::Url;
use reqwest::header::{self, HeaderMap};

use super::body::BodyCollector;
use super::error::FetchError;
use super::limits::FetchLimits;
use super::request::{FetchRequest, Fetched, Method, content_type};
use super::target;
use crate::engine::address::AddressPolicy;

/// Makes HTTP calls within limits, on tokio with its time and I/O enabled. Cloning it is cheap.
///
/// ```no_run
/// # async fn run() -> Result<(), callpact_tools::engine::fetch::FetchError> {
/// use callpact_tools::engine::fetch::{FetchRequest, Fetcher};
///
/// let fetcher = Fetcher::builder().build()?;
/// let page = fetcher.fetch(FetchRequest::get("https://example.org/")).await?;
/// println!("{} {}", page.status, page.text());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Fetcher {
    pub(super) client: reqwest::Client,
    pub(super) policy: Arc<AddressPolicy>,
    pub(super) limits: FetchLimits,
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher")
            .field("policy", &self.policy)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Fetcher {
    /// The most bytes that a body may have.
    pub const fn max_bytes(&self) -> usize {
        self.limits.max_bytes
    }

    /// Checks `request` as far as possible without a lookup.
    ///
    /// # Errors
    ///
    /// The error that [`fetch`](Self::fetch) would return before it connects, if any.
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
        // The connector got only checked addresses; this is a second check.
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
        let FetchLimits {
            max_bytes,
            on_oversize,
            ..
        } = self.limits;
        let mut collector = BodyCollector::new(response.headers(), max_bytes, on_oversize)?;
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

/// The target of a redirect that can be followed.
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
    // Length and characters are limited as in the first URL.
    target::parse(joined.as_str())
}

/// Prepares the request for the next hop, as browsers do. Nothing of the caller's own goes to
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
