//! One request, and the answer to it.

use std::fmt;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::body::decode;
use super::error::FetchError;
use super::secrets::Secrets;

/// An HTTP method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// `GET`
    #[default]
    Get,
    /// `HEAD`
    Head,
    /// `POST`
    Post,
    /// `PUT`
    Put,
    /// `PATCH`
    Patch,
    /// `DELETE`
    Delete,
    /// `OPTIONS`
    Options,
}

impl Method {
    /// The name in capitals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
        }
    }

    pub(super) const fn to_client(self) -> reqwest::Method {
        match self {
            Self::Get => reqwest::Method::GET,
            Self::Head => reqwest::Method::HEAD,
            Self::Post => reqwest::Method::POST,
            Self::Put => reqwest::Method::PUT,
            Self::Patch => reqwest::Method::PATCH,
            Self::Delete => reqwest::Method::DELETE,
            Self::Options => reqwest::Method::OPTIONS,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::str::FromStr for Method {
    type Err = FetchError;

    fn from_str(text: &str) -> Result<Self, FetchError> {
        let all = [
            Self::Get,
            Self::Head,
            Self::Post,
            Self::Put,
            Self::Patch,
            Self::Delete,
            Self::Options,
        ];
        let found = all
            .into_iter()
            .find(|method| method.as_str().eq_ignore_ascii_case(text));
        found.ok_or(FetchError::InvalidRequest(
            "expected one of the methods GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        ))
    }
}

/// One request. A mistake in a header is kept and reported when the request is sent.
#[derive(Clone, Default)]
pub struct FetchRequest {
    pub(super) url: String,
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    pub(super) secrets: Secrets,
    pub(super) max_redirects: Option<usize>,
    pub(super) mistake: Option<FetchError>,
}

impl fmt::Debug for FetchRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchRequest")
            .field("method", &self.method)
            .field(
                "url",
                &self.secrets.redact(&super::target::shown_url(&self.url)),
            )
            .finish_non_exhaustive()
    }
}

impl FetchRequest {
    /// A request for `url`.
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            method,
            ..Self::default()
        }
    }

    /// A `GET` of `url`.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new(Method::Get, url)
    }

    /// The whole URL as it was given.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Sets a header. It only goes to the same origin, unless it is one of `Accept`,
    /// `Accept-Language`, `Content-Type` and `User-Agent`.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(_)) if is_hop_header(&name) => {
                self.mistake = Some(FetchError::InvalidRequest(
                    "this header is set by the client",
                ));
            }
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            _ => self.mistake = Some(FetchError::InvalidRequest("invalid header name or value")),
        }
        self
    }

    /// Sets a header whose value is a secret: it is also removed from every error text.
    #[must_use]
    pub fn secret_header(mut self, name: &str, value: &str) -> Self {
        self.secrets.add(value);
        self = self.header(name, value);
        if let Some(value) = HeaderName::try_from(name)
            .ok()
            .and_then(|n| self.headers.get_mut(n))
        {
            value.set_sensitive(true);
        }
        self
    }

    /// Names a secret that is part of the URL or the body.
    #[must_use]
    pub fn secret(mut self, value: &str) -> Self {
        self.secrets.add(value);
        self
    }

    /// Names several secrets at once.
    #[must_use]
    pub fn secrets(mut self, secrets: &Secrets) -> Self {
        self.secrets.extend(secrets);
        self
    }

    /// Appends query parameters to the URL, encoded.
    #[must_use]
    pub fn query(mut self, pairs: &[(&str, &str)]) -> Self {
        match reqwest::Url::parse(&self.url) {
            Ok(mut url) => {
                url.query_pairs_mut().extend_pairs(pairs);
                self.url = url.into();
            }
            Err(_) => self.mistake = Some(FetchError::InvalidUrl("not a valid URL")),
        }
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Follows at most `limit` redirects instead of the fetcher's own limit; with 0 the redirect
    /// itself is the answer.
    #[must_use]
    pub fn max_redirects(mut self, limit: usize) -> Self {
        self.max_redirects = Some(limit);
        self
    }
}

/// Headers that decide the framing or the target of the message.
fn is_hop_header(name: &HeaderName) -> bool {
    use reqwest::header;
    [
        header::HOST,
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::CONNECTION,
        header::UPGRADE,
        header::TE,
        header::TRAILER,
        header::EXPECT,
        header::ACCEPT_ENCODING,
        header::PROXY_AUTHORIZATION,
    ]
    .contains(name)
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// The status code.
    pub status: u16,
    /// The URL that answered, without secrets.
    pub url: String,
    /// The content type as the server gave it.
    pub content_type: Option<String>,
    /// The decoded body.
    pub body: Vec<u8>,
    /// Whether the body was cut at the limit.
    pub truncated: bool,
    /// How many redirects were followed.
    pub redirects: usize,
}

impl Fetched {
    /// Whether the status is 2xx.
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// The body as text, in the charset that the server or the page declares.
    pub fn text(&self) -> String {
        let mut text = decode(&self.body, self.content_type.as_deref());
        // The cut may have left a part of a character.
        if self.truncated && text.ends_with(char::REPLACEMENT_CHARACTER) {
            text.pop();
        }
        text
    }
}

/// The content type, if it is text.
pub(super) fn content_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.chars().take(200).collect())
}
