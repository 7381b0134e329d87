//! The checks of every request before it is answered, and the headers of every answer.

use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY,
        X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    },
    uri::Authority,
};

use callpact::identity::named_host;

use crate::answer::{DeskAnswer, fault};

/// Only the page's own files run and are shown; it connects only to this server; texts never become
/// markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// Refuses a request that did not come from the page or from a program of this machine.
pub(crate) fn check<B>(request: &Request<B>, hosts: &[String]) -> Result<(), DeskAnswer> {
    let refuse = |text: &str| Err(fault(StatusCode::FORBIDDEN, text));
    let headers = request.headers();
    let Some(host) = host(request) else {
        return refuse("the request names no host, or several");
    };
    if !is_allowed(&host, hosts) {
        return refuse(
            "this host is not served here; the program allows it with `--allow-host` or `Desk::allow_host`",
        );
    }
    match single(headers, &ORIGIN) {
        Ok(None) => {}
        Ok(Some(origin)) if is_same(origin, &host) => {}
        _ => return refuse("the request comes from another origin"),
    }
    match single(headers, &HeaderName::from_static("sec-fetch-site")) {
        Ok(None | Some("same-origin" | "none")) => {}
        _ if *request.method() == Method::GET && request.uri().path() == "/" => {}
        _ => return refuse("the request comes from another site"),
    }
    if *request.method() == Method::POST {
        let kind = single(headers, &CONTENT_TYPE);
        // A form on another page cannot send this type.
        if !matches!(kind, Ok(Some(kind)) if kind.split(';').next() == Some("application/json")) {
            return Err(fault(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be application/json",
            ));
        }
    }
    Ok(())
}

/// The host that a request names, with its port.
fn host<B>(request: &Request<B>) -> Option<Authority> {
    let header = single(request.headers(), &HOST).ok()?;
    // HTTP/2 has it in the address.
    let address = request.uri().authority().map(Authority::as_str);
    named_host(header, address)?.parse().ok()
}

fn is_allowed(host: &Authority, hosts: &[String]) -> bool {
    let name = host.host();
    let known = ["localhost", "127.0.0.1", "[::1]"];
    known.iter().any(|known| name.eq_ignore_ascii_case(known))
        || hosts.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether an origin is that of the page on this host.
fn is_same(origin: &str, host: &Authority) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        origin
            .strip_prefix(scheme)
            .is_some_and(|origin| origin.eq_ignore_ascii_case(host.as_str()))
    })
}

/// The only value of a header.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

/// Adds the headers that every answer has.
pub(crate) fn add_headers(answer: &mut DeskAnswer) {
    let headers = answer.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
