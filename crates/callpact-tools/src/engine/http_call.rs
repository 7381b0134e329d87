//! The configured HTTP call: the program chooses the address, the model only the input.

use std::fmt;
use std::time::Duration;

use reqwest::Url;

use super::address::AddressPolicy;
use super::fetch::{
    FetchError, FetchRequest, Fetched, Fetcher, Method, Oversize, Ports, Resolver, Secrets,
    SystemResolver, shown_url,
};

/// How much of an error answer the model sees.
const ERROR_CHARS: usize = 200;

/// A mistake in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpCallError {
    /// No URL, or a blank one.
    UrlMissing,
    /// The timeout is zero.
    Timeout,
    /// The size limit is zero.
    MaxResponseBytes,
    /// The URL, a header or the client is refused.
    Fetch(FetchError),
}

impl fmt::Display for HttpCallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UrlMissing => f.write_str("url must be set and non-blank"),
            Self::Timeout => f.write_str("timeout must be positive"),
            Self::MaxResponseBytes => f.write_str("maxResponseBytes must be positive"),
            Self::Fetch(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HttpCallError {}

/// Configures an [`HttpCall`].
///
/// | setting | default |
/// | --- | --- |
/// | method | `POST` |
/// | timeout | 30 s for the whole call |
/// | response | 1 MiB decoded, then cut and marked |
/// | internal addresses | refused, see [`allow_internal`](Self::allow_internal) |
pub struct HttpCallBuilder {
    url: String,
    method: Method,
    headers: Vec<(String, String)>,
    secret_headers: Vec<(String, String)>,
    secrets: Secrets,
    timeout: Duration,
    max_response_bytes: usize,
    allow_internal: bool,
    resolver: Box<dyn Resolver>,
}

impl fmt::Debug for HttpCallBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpCallBuilder")
            .field("method", &self.method)
            .field("url", &self.secrets.redact(&shown_url(&self.url)))
            .finish_non_exhaustive()
    }
}

impl Default for HttpCallBuilder {
    fn default() -> Self {
        Self {
            url: String::new(),
            method: Method::Post,
            headers: Vec::new(),
            secret_headers: Vec::new(),
            secrets: Secrets::new(),
            timeout: Duration::from_secs(30),
            max_response_bytes: 1 << 20,
            allow_internal: false,
            resolver: Box::new(SystemResolver),
        }
    }
}

impl HttpCallBuilder {
    /// The address of the call.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = url.into();
        self
    }

    /// The method; with `GET` the input goes into the URL.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a header whose value never appears in a text that the model sees.
    #[must_use]
    pub fn secret_header(mut self, name: &str, value: &str) -> Self {
        self.secrets.add(value);
        self.secret_headers
            .push((name.to_owned(), value.to_owned()));
        self
    }

    /// Names a secret inside the URL, such as a key in its query.
    #[must_use]
    pub fn secret(mut self, value: &str) -> Self {
        self.secrets.add(value);
        self
    }

    /// Bounds the whole call.
    #[must_use]
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = limit;
        self
    }

    /// Bounds the decoded answer; a longer one is cut and marked.
    #[must_use]
    pub fn max_response_bytes(mut self, limit: usize) -> Self {
        self.max_response_bytes = limit;
        self
    }

    /// Lets the configured host, and only it, have an internal address.
    #[must_use]
    pub fn allow_internal(mut self, allow: bool) -> Self {
        self.allow_internal = allow;
        self
    }

    /// Replaces the system's resolver. Its answers are still checked.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Box::new(resolver);
        self
    }

    /// Checks the configuration.
    ///
    /// # Errors
    ///
    /// [`HttpCallError`], for the first setting that is wrong.
    pub fn build(self) -> Result<HttpCall, HttpCallError> {
        if self.url.trim().is_empty() {
            return Err(HttpCallError::UrlMissing);
        }
        if self.timeout.is_zero() {
            return Err(HttpCallError::Timeout);
        }
        if self.max_response_bytes == 0 {
            return Err(HttpCallError::MaxResponseBytes);
        }
        let bad_url = |reason| HttpCallError::Fetch(FetchError::InvalidUrl(reason));
        let url = Url::parse(self.url.trim()).map_err(|_| bad_url("url is not a valid URL"))?;
        let host = url.host_str().ok_or_else(|| bad_url("url names no host"))?;
        let port = url
            .port_or_known_default()
            .ok_or_else(|| bad_url("url has no port"))?;
        let mut policy = AddressPolicy::public();
        if self.allow_internal {
            policy = policy.allow_host(host);
        }
        let fetcher = Fetcher::builder()
            .addresses(policy)
            // The program chose the port; no other is ever called.
            .ports(Ports::Only(vec![port]))
            .resolver(self.resolver)
            .timeout(self.timeout)
            .max_bytes(self.max_response_bytes)
            .on_oversize(Oversize::Truncate)
            .max_redirects(0)
            .build()
            .map_err(HttpCallError::Fetch)?;
        let mut request = FetchRequest::new(self.method, url);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        for (name, value) in &self.secret_headers {
            request = request.secret_header(name, value);
        }
        request = request.secrets(&self.secrets);
        fetcher.check(&request).map_err(HttpCallError::Fetch)?;
        let has_type = self.headers.iter().chain(&self.secret_headers);
        let has_type = has_type
            .into_iter()
            .any(|(n, _)| n.eq_ignore_ascii_case("content-type"));
        Ok(HttpCall {
            fetcher,
            request,
            method: self.method,
            has_type,
            secrets: self.secrets,
        })
    }
}

/// A configured HTTP call. It is made with the model's text as input.
#[derive(Debug, Clone)]
pub struct HttpCall {
    fetcher: Fetcher,
    request: FetchRequest,
    method: Method,
    has_type: bool,
    secrets: Secrets,
}

impl HttpCall {
    /// A builder with the defaults of [`HttpCallBuilder`].
    pub fn builder() -> HttpCallBuilder {
        HttpCallBuilder::default()
    }

    /// The method.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// The URL without secrets, for an approval or a log.
    pub fn shown_url(&self) -> String {
        self.secrets.redact(&shown_url(self.request.url()))
    }

    /// The path of the URL, which is all that a model learns of it.
    pub fn shown_path(&self) -> String {
        let url = Url::parse(self.request.url());
        let path = url.map(|url| url.path().to_owned()).unwrap_or_default();
        self.secrets.redact(&path)
    }

    /// Makes the call. Gives the text of the answer, or of the failure.
    pub async fn call(&self, input: &str) -> Result<String, String> {
        let sent = self.fetcher.fetch(self.prepare(input)).await;
        let answer = sent.map_err(|error| {
            format!(
                "HTTP request failed: {}",
                self.secrets.redact(&error.without_host())
            )
        })?;
        let text = self.secrets.redact(&answer.text());
        if answer.status >= 300 || answer.status < 200 {
            return Err(failure(&answer, &text));
        }
        if answer.truncated {
            let limit = self.fetcher.max_bytes();
            return Ok(format!("{text}\n[response truncated at {limit} bytes]"));
        }
        Ok(text)
    }

    fn prepare(&self, input: &str) -> FetchRequest {
        let mut request = self.request.clone();
        if self.method == Method::Get {
            return request.query(&[("input", input)]);
        }
        if !self.has_type {
            let json = serde_json::from_str::<serde::de::IgnoredAny>(input).is_ok();
            let kind = if json {
                "application/json"
            } else {
                "text/plain; charset=UTF-8"
            };
            request = request.header("Content-Type", kind);
        }
        request.body(input)
    }
}

/// `HTTP 404: the first characters of the answer`. A redirect is a failure too: it is not followed,
/// and its body is not the requested answer.
fn failure(answer: &Fetched, text: &str) -> String {
    let start: String = text.chars().take(ERROR_CHARS).collect();
    match (answer.status, start.trim()) {
        (300..=399, _) => format!("HTTP {}: redirects are not followed", answer.status),
        (status, "") => format!("HTTP {status}"),
        (status, start) => format!("HTTP {status}: {start}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(HttpCallBuilder) -> HttpCallBuilder;

    #[test]
    fn configuration_errors() {
        let build = |change: Change| {
            let builder = HttpCall::builder().url("https://example.org/");
            change(builder)
                .build()
                .map(|_| ())
                .map_err(|e| e.to_string())
        };
        let rows: &[(Change, Result<(), &str>)] = &[
            (|b| b, Ok(())),
            (|b| b.url(" "), Err("url must be set and non-blank")),
            (
                |b| b.timeout(Duration::ZERO),
                Err("timeout must be positive"),
            ),
            (
                |b| b.max_response_bytes(0),
                Err("maxResponseBytes must be positive"),
            ),
            (|b| b.url("example.org"), Err("url is not a valid URL")),
            (
                |b| b.url("ftp://example.org"),
                Err("only http and https URLs are allowed"),
            ),
            (
                |b| b.url("http://u:p@example.org"),
                Err("credentials in the URL are not allowed"),
            ),
            (
                |b| b.header("a b", "c"),
                Err("invalid header name or value"),
            ),
            (
                |b| b.header("a", "b\r\nc: d"),
                Err("invalid header name or value"),
            ),
            (
                |b| b.header("Host", "b"),
                Err("this header is set by the client"),
            ),
            (
                |b| b.url("http://127.0.0.1:9/"),
                Err("access denied: `127.0.0.1` is not a public internet address"),
            ),
            (
                |b| b.url("http://127.0.0.1:9/").allow_internal(true),
                Ok(()),
            ),
        ];
        for (index, (change, expected)) in rows.iter().enumerate() {
            assert_eq!(
                build(*change),
                expected.map_err(ToOwned::to_owned),
                "row {index}"
            );
        }
    }

    #[test]
    fn urls_are_shown_without_secrets() {
        let call = HttpCall::builder()
            .url("https://example.org/s3cret?token=t")
            .secret("s3cret");
        let call = call.build().unwrap();
        assert_eq!(call.shown_url(), "https://example.org/***?token=***");
        assert!(!format!("{call:?}").contains("token=t"));
    }
}
