//! The host that a request names.

use std::net::Ipv6Addr;

/// The host that a request to a server names, with its port. It is taken from the `Host` header, or from the address if
/// there is no such header. `None` if there is none, if it is malformed, or if the two differ.
///
/// A server that checks it cannot be reached by a page of another site, whatever the name of that
/// site.
///
/// ```
/// use callpact::identity::named_host;
///
/// assert_eq!(named_host(Some("localhost:8090"), None), Some("localhost:8090"));
/// assert_eq!(named_host(Some("localhost"), Some("example.com")), None);
/// assert_eq!(named_host(Some("me@localhost"), None), None);
/// ```
pub fn named_host<'a>(header: Option<&'a str>, address: Option<&'a str>) -> Option<&'a str> {
    let host = header.or(address)?;
    let is_one = address.is_none_or(|address| address.eq_ignore_ascii_case(host));
    (is_one && is_host(host)).then_some(host)
}

/// Whether a text is a name or an address, with or without a port.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        _ => (text, "0"),
    };
    let is_port = port.bytes().all(|digit| digit.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let inside = name.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let is_name = match inside {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !name.is_empty() && name.bytes().all(is_letter),
    };
    is_port && is_name
}

#[cfg(test)]
mod tests {
    use super::named_host;

    #[test]
    fn host_is_single_name_with_optional_port() {
        for host in [
            "a",
            "A-b_c.example:1",
            "127.0.0.1:65535",
            "[::1]",
            "[::1]:80",
        ] {
            assert_eq!(named_host(Some(host), None), Some(host));
            assert_eq!(named_host(None, Some(host)), Some(host));
            let other_case = host.to_uppercase();
            assert_eq!(named_host(Some(host), Some(&other_case)), Some(host));
            assert_eq!(named_host(Some(host), Some("a:2")), None);
        }
        for no_host in [
            "", ":", ":80", "a:", "a:b", "a:+1", "a:65536", "a:1:2", "a b", "a,b", "a/b", "@a",
            "u:p@a", "::1", "[::1", "::1]", "[]", "[a]", "[::1]:", "[::1]80", "ä", "a\\b", "%61",
        ] {
            assert_eq!(named_host(Some(no_host), None), None, "{no_host}");
            assert_eq!(named_host(Some(no_host), Some(no_host)), None, "{no_host}");
        }
        assert_eq!(named_host(None, None), None);
    }
}
