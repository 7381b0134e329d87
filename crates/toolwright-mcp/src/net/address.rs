//! The address of a server: whether it may be used, and with a token.

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

/// Checks an address, and says what is wrong. A secret, here by its kind, is sent over `https`, and over
/// `http` only to this machine.
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
    use super::check_address;

    #[test]
    fn a_secret_is_sent_over_https_or_to_this_machine() {
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
            assert_eq!(check_address(url, secret).is_ok(), allowed, "{url}");
        }
    }
}
