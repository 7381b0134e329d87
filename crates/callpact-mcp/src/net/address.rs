//! Checks addresses: whether a server may be used and get a token, and whether a person may be led to a page.

use std::net::IpAddr;

/// The host and port of an address.
pub(crate) fn authority(url: &str) -> Option<&str> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    rest.split(['/', '?', '#', '\\'])
        .next()
        .filter(|authority| !authority.is_empty())
}

/// Checks the address of a page that a person is led to. Its host must be what it seems to be: no user name comes
/// before it, and it has no character that browsers interpret differently.
///
/// # Errors
/// With what is wrong.
#[cfg(any(feature = "client", feature = "server"))]
pub fn check_page(url: &str) -> Result<(), &'static str> {
    let written =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    let Some(authority) = authority(url) else {
        return Err("it starts with neither `https://` nor `http://`, or has no host");
    };
    if url.len() > 8_000 {
        return Err("it is longer than 8,000 characters");
    }
    if !url.bytes().all(written) {
        return Err("it has a character that no address has");
    }
    if authority.contains('@') {
        return Err("it has a user name in it");
    }
    if authority.starts_with(':') {
        return Err("it has no host");
    }
    if !url.starts_with("https://") && !is_loopback(authority) {
        return Err("it is no `https` address and not on this machine");
    }
    Ok(())
}

/// Checks an address, and says what is wrong. A secret, given here by its kind, is sent over `https`,
/// and over `http` only to this machine.
#[cfg(any(feature = "client", feature = "jwt"))]
pub(crate) fn check_address(url: &str, secret: Option<&str>) -> Result<(), String> {
    let fault = |why: &str| Err(why.to_owned());
    let Some(authority) = authority(url) else {
        return fault("it starts with neither `https://` nor `http://`, or has no host");
    };
    if authority.contains('@') {
        return fault("it has a user name in it");
    }
    if let Err(error) = reqwest::Url::parse(url) {
        return fault(&error.to_string());
    }
    if url.starts_with("https://") {
        return Ok(());
    }
    match secret {
        Some(secret) if !is_loopback(authority) => fault(&format!(
            "{secret} is not sent over `http` to another machine"
        )),
        _ => Ok(()),
    }
}

/// Whether the server at an address runs on this machine.
#[cfg(any(feature = "client", feature = "jwt"))]
pub(crate) fn is_local(url: &str) -> bool {
    authority(url).is_some_and(is_loopback)
}

/// Whether a host, with or without its port, is this machine.
fn is_loopback(authority: &str) -> bool {
    let name = match authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some((name, _)) => name,
        None => authority.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(any(feature = "client", feature = "server"))]
    fn a_page_is_where_its_address_says() {
        for (url, allowed) in [
            ("https://example.com/pay?id=1#top", true),
            ("https://example.com:8443", true),
            ("http://127.0.0.1:8000/", true),
            ("http://localhost/", true),
            ("http://[::1]:80/", true),
            ("http://example.com/", false),
            ("http://localhost.example.com/", false),
            ("https://bank.example@example.com/", false),
            ("https://bank.example\\@example.com/", false),
            ("https://ex\u{430}mple.com/", false),
            ("https://example.com/\u{202e}gro.knab", false),
            ("https://example.com/a b", false),
            ("https://example.com/\n", false),
            ("https://", false),
            ("https://:443/", false),
            ("https:example.com", false),
            ("HTTPS://example.com", false),
            ("javascript:alert(1)", false),
            ("file:///etc/passwd", false),
            ("data:text/html,x", false),
            ("", false),
        ] {
            assert_eq!(super::check_page(url).is_ok(), allowed, "{url}");
        }
        let long = format!("https://example.com/{}", "a".repeat(8_000));
        assert!(super::check_page(&long).is_err());
    }

    #[test]
    #[cfg(any(feature = "client", feature = "jwt"))]
    fn sends_secret_only_over_https_or_locally() {
        for (url, secret, allowed) in [
            ("http://127.0.0.1:8000/mcp", true, true),
            ("http://localhost/mcp", true, true),
            ("http://[::1]:80/mcp", true, true),
            ("http://example.com/mcp", false, true),
            ("http://example.com/mcp", true, false),
            ("http://localhost.example.com/mcp", true, false),
            ("http://127.0.0.1@example.com/", false, false),
            ("http://127.0.0.1\\@example.com/", true, true),
            ("https://example.com/mcp", true, true),
            ("ftp://example.com", false, false),
            ("http://", false, false),
            ("http://127.0.0.1:99999/mcp", false, false),
            ("http://[::1/mcp", false, false),
            ("https://exa mple.com/", false, false),
            ("", false, false),
        ] {
            let secret = secret.then_some("a token");
            assert_eq!(super::check_address(url, secret).is_ok(), allowed, "{url}");
        }
    }
}
