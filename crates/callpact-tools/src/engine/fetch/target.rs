//! Checks whether a URL may be called, as far as its text shows.

use reqwest::Url;

use super::error::{FetchError, short};
use crate::engine::address::{AddressPolicy, plain_host};

/// Longer URLs are refused without being read.
const MAX_URL: usize = 8_192;

/// The ports that a fetcher may connect to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ports {
    /// The usual web ports: 80, 443, 8000, 8008, 8080, 8443 and 8888.
    #[default]
    Web,
    /// Every port.
    Any,
    /// These ports.
    Only(Vec<u16>),
}

impl Ports {
    fn allows(&self, port: u16) -> bool {
        match self {
            Self::Web => matches!(port, 80 | 443 | 8000 | 8008 | 8080 | 8443 | 8888),
            Self::Any => port != 0,
            Self::Only(ports) => ports.contains(&port),
        }
    }
}

/// Reads `text` as an absolute URL, without the checks of [`check`].
pub(super) fn parse(text: &str) -> Result<Url, FetchError> {
    let text = text.trim_matches(' ');
    if text.len() > MAX_URL {
        return Err(FetchError::InvalidUrl("the URL is too long"));
    }
    // The URL parser silently drops tabs and line breaks; the approved text must be the one that runs.
    if text.chars().any(char::is_control) {
        return Err(FetchError::InvalidUrl("the URL holds control characters"));
    }
    Url::parse(text).map_err(|_| {
        FetchError::InvalidUrl("not a valid URL: write it in full, such as `https://example.org/`")
    })
}

/// Checks scheme, credentials, port and a literal address. A name is checked when it is resolved.
pub(super) fn check(url: &Url, ports: &Ports, policy: &AddressPolicy) -> Result<(), FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::InvalidUrl(
            "only http and https URLs are allowed",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchError::InvalidUrl(
            "credentials in the URL are not allowed",
        ));
    }
    // The URL parser has already turned every spelling of an IPv4 address into four decimals.
    let host = host(url)?;
    let denied = || FetchError::Denied { host: short(&host) };
    match host.parse() {
        Ok(ip) => policy.check(&host, ip).map_err(|_| denied())?,
        Err(_) if is_local_name(&host) && !policy.allows_host(&host) => return Err(denied()),
        Err(_) => {}
    }
    match url.port_or_known_default() {
        Some(port) if ports.allows(port) => Ok(()),
        port => Err(FetchError::PortDenied(port.unwrap_or(0))),
    }
}

/// The host in lower case, without brackets or a final dot.
pub(super) fn host(url: &Url) -> Result<String, FetchError> {
    match url.host_str().map(plain_host) {
        Some(host) if !host.is_empty() => Ok(host),
        _ => Err(FetchError::InvalidUrl("the URL names no host")),
    }
}

/// Names that are the machine itself by definition (RFC 6761); no lookup is made for them.
fn is_local_name(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// Whether both URLs have the same scheme, host and port, so that secrets may go along.
pub(super) fn same_origin(left: &Url, right: &Url) -> bool {
    left.origin() == right.origin()
}

/// `url` as it may be shown: no credentials, no fragment, and no value of a query parameter whose
/// name suggests a secret.
///
/// ```
/// use callpact_tools::engine::fetch::shown_url;
///
/// let url = "https://me:pw@api.example/search?q=rust&api_key=123#x";
/// assert_eq!(shown_url(url), "https://api.example/search?q=rust&api_key=***");
/// ```
pub fn shown_url(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) => shown(&url),
        Err(_) => "(invalid URL)".to_owned(),
    }
}

pub(super) fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    // Both fail only for URLs that cannot hold credentials.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown.set_fragment(None);
    let query = url.query().map(|query| {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if sounds_secret(name) => format!("{name}=***"),
            _ => pair.to_owned(),
        });
        pairs.collect::<Vec<_>>().join("&")
    });
    shown.set_query(query.as_deref());
    let shown = String::from(shown);
    if shown.chars().count() > 300 {
        shown.chars().take(300).chain(['…']).collect()
    } else {
        shown
    }
}

fn sounds_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let parts = [
        "key", "token", "secret", "pass", "pwd", "auth", "sig", "cred", "session", "sid", "code",
        "jwt", "private", "nonce", "x-amz", "x-goog", "%",
    ];
    parts.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(url: &str) -> Result<(), FetchError> {
        parse(url).and_then(|url| check(&url, &Ports::Web, &AddressPolicy::public()))
    }

    #[test]
    fn accepted() {
        for url in [
            "http://example.org",
            "https://example.org/a?b#c",
            " http://8.8.8.8:8080/ ",
        ] {
            assert_eq!(verdict(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn refused() {
        let invalid = [
            "",
            "example.org",
            "//example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "gopher://example.org",
            "data:text/plain,x",
            "javascript:alert(1)",
            "http://",
            "http://a:b@example.org",
            "http://a@example.org",
            "http://exa\tmple.org",
            "http://example.org/\r\nHost: x",
            "http://[fe80::1%25eth0]/",
            "http://[::1",
            "http://a b/",
        ];
        for url in invalid {
            assert!(
                matches!(verdict(url), Err(FetchError::InvalidUrl(_))),
                "{url}"
            );
        }
        let long = format!("http://example.org/{}", "a".repeat(MAX_URL));
        assert_eq!(
            verdict(&long),
            Err(FetchError::InvalidUrl("the URL is too long"))
        );
        assert_eq!(
            verdict("http://example.org:25"),
            Err(FetchError::PortDenied(25))
        );
        assert_eq!(
            verdict("http://example.org:0"),
            Err(FetchError::PortDenied(0))
        );
        for host in [
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "[::1]",
            "127.1",
            "0x7f.1",
        ] {
            let found = verdict(&format!("http://{host}/"));
            assert!(
                matches!(found, Err(FetchError::Denied { .. })),
                "{host}: {found:?}"
            );
        }
    }

    #[test]
    fn shown_urls() {
        let rows = [
            ("http://h/?api_key=s&q=1", "http://h/?api_key=***&q=1"),
            (
                "http://h/?X-Amz-Signature=s",
                "http://h/?X-Amz-Signature=***",
            ),
            ("http://h/?%6bey=s", "http://h/?%6bey=***"),
            ("http://u:p@h/p#f", "http://h/p"),
            ("nonsense", "(invalid URL)"),
        ];
        for (url, expected) in rows {
            assert_eq!(shown_url(url), expected);
        }
        let long = shown_url(&format!("http://h/{}", "a".repeat(4000)));
        assert_eq!(long.chars().count(), 301);
    }
}
