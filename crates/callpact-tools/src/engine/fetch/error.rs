//! The errors of a call, in words without full URLs, keys or addresses.

use std::fmt;
use std::time::Duration;

use super::guard::AddressRefusal;
use super::secrets::Secrets;

/// Why a call did not end in an answer.
///
/// The texts are meant for a model: they name the host and the limit, never a header, a body, the
/// query of a URL or the resolved address.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchError {
    /// The text is not a URL that this fetcher accepts.
    InvalidUrl(&'static str),
    /// A method, header or option of the request is not valid.
    InvalidRequest(&'static str),
    /// The host is, or resolves to, an address that is not allowed.
    Denied {
        /// The host, as in the URL.
        host: String,
    },
    /// The port is not one that this fetcher may connect to.
    PortDenied(u16),
    /// The name has no address, or the lookup failed.
    Unresolved {
        /// The host, as in the URL.
        host: String,
    },
    /// No connection could be made.
    Connect {
        /// The host, as in the URL.
        host: String,
        /// The system's error, in a few words.
        detail: String,
    },
    /// The call did not end in time.
    Timeout(Duration),
    /// The answer, decoded, is larger than the limit.
    TooLarge(usize),
    /// More redirects than the limit.
    TooManyRedirects(usize),
    /// A redirect leads to a forbidden target.
    Redirect(Box<FetchError>),
    /// The answer's content encoding is neither absent nor a single `gzip`.
    Encoding(String),
    /// The compressed answer is damaged or cut short.
    Damaged,
    /// The answer is not valid HTTP.
    Protocol(String),
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidUrl(reason) | Self::InvalidRequest(reason) => f.write_str(reason),
            Self::Denied { host } => {
                write!(
                    f,
                    "access denied: `{host}` is not a public internet address"
                )
            }
            Self::PortDenied(port) => write!(f, "access denied: port {port} is not allowed"),
            Self::Unresolved { host } => write!(f, "could not find the address of `{host}`"),
            Self::Connect { host, detail } => write!(f, "could not connect to `{host}`: {detail}"),
            Self::Timeout(limit) => write!(f, "no complete answer within {limit:?}"),
            Self::TooLarge(limit) => write!(f, "the response is larger than {limit} bytes"),
            Self::TooManyRedirects(limit) => write!(f, "more than {limit} redirects"),
            Self::Redirect(inner) => write!(f, "redirect refused: {inner}"),
            Self::Encoding(name) => write!(f, "content encoding `{name}` is not supported"),
            Self::Damaged => f.write_str("the compressed response is damaged or incomplete"),
            Self::Protocol(detail) => write!(f, "malformed HTTP response: {detail}"),
        }
    }
}

impl std::error::Error for FetchError {}

impl FetchError {
    /// The words without the host. The address that a program configured is no matter of the model.
    ///
    /// ```
    /// use callpact_tools::engine::fetch::FetchError;
    ///
    /// let error = FetchError::Unresolved { host: "billing.internal".into() };
    /// assert_eq!(error.without_host(), "could not find the address of the server");
    /// ```
    pub fn without_host(&self) -> String {
        match self {
            Self::Denied { .. } => {
                "access denied: the server is not at a public internet address".to_owned()
            }
            Self::Unresolved { .. } => "could not find the address of the server".to_owned(),
            Self::Connect { detail, .. } => format!("could not connect to the server: {detail}"),
            Self::Redirect(inner) => format!("redirect refused: {}", inner.without_host()),
            other => other.to_string(),
        }
    }

    /// Sorts an error of the HTTP library. Its own text is not used: it holds the URL.
    pub(super) fn from_client(error: &reqwest::Error, host: &str) -> Self {
        let mut detail = String::new();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            if let Some(refused) = inner.downcast_ref::<AddressRefusal>() {
                return match refused {
                    AddressRefusal::Address(_) => Self::Denied { host: short(host) },
                    AddressRefusal::Lookup => Self::Unresolved { host: short(host) },
                };
            }
            detail = match inner.downcast_ref::<std::io::Error>() {
                // A wrapped error says more than its kind; it is the next source.
                Some(io) if io.get_ref().is_none() => io.kind().to_string(),
                _ => inner.to_string(),
            };
            source = inner.source();
        }
        let detail = short(&detail);
        if error.is_connect() {
            Self::Connect {
                host: short(host),
                detail,
            }
        } else {
            Self::Protocol(detail)
        }
    }
}

impl FetchError {
    /// Removes every secret from the texts of the error.
    pub(super) fn redacted(self, secrets: &Secrets) -> Self {
        let clean = |text: String| secrets.redact(&text);
        match self {
            Self::Denied { host } => Self::Denied { host: clean(host) },
            Self::Unresolved { host } => Self::Unresolved { host: clean(host) },
            Self::Connect { host, detail } => Self::Connect {
                host: clean(host),
                detail: clean(detail),
            },
            Self::Redirect(inner) => Self::Redirect(Box::new(inner.redacted(secrets))),
            Self::Encoding(name) => Self::Encoding(clean(name)),
            Self::Protocol(detail) => Self::Protocol(clean(detail)),
            other => other,
        }
    }
}

/// `text` in one line of at most 120 characters.
pub(super) fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(120).collect()
}
