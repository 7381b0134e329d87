//! The HTTP client of a connection.

use std::sync::{Arc, OnceLock};

use rustls_platform_verifier::BuilderVerifierExt;

use super::address::is_local;

/// The most redirects that one request follows.
const REDIRECTS: usize = 10;

/// Makes the HTTP client of a connection, or says why it cannot be made. Connections to this machine ignore the proxy of the
/// environment, which would see the token.
pub(crate) fn http_client(url: &str) -> Result<reqwest::Client, String> {
    let unusable = |why: &str| format!("no HTTP client can be made for it: {why}");
    let tls = tls().ok_or_else(|| unusable("TLS could not be set up"))?;
    let builder = reqwest::Client::builder();
    let builder = if is_local(url) {
        builder.no_proxy()
    } else {
        builder
    };
    builder
        .tls_backend_preconfigured(tls.clone())
        // A connection whose last answer was not fully read is slow to reuse.
        .pool_max_idle_per_host(0)
        .redirect(redirects())
        .build()
        .map_err(|error| unusable(&error.to_string()))
}

/// The TLS configuration, made once because reading the system's root certificates takes a while.
///
/// The crypto provider is named here, so that no process-wide default is needed or changed. On a
/// system without root certificates `https` fails, and `http` to this machine works.
fn tls() -> Option<&'static rustls::ClientConfig> {
    static TLS: OnceLock<Option<rustls::ClientConfig>> = OnceLock::new();
    TLS.get_or_init(|| {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .ok()?;
        let with_roots = match builder.clone().with_platform_verifier() {
            Ok(with_roots) => with_roots,
            Err(_) => builder.with_root_certificates(rustls::RootCertStore::empty()),
        };
        Some(with_roots.with_no_client_auth())
    })
    .as_ref()
}

/// Follows redirects to the same origin that keep the method and the body. No other host gets a
/// request, so none gets the token.
fn redirects() -> reqwest::redirect::Policy {
    reqwest::redirect::Policy::custom(|attempt| {
        let keeps = matches!(attempt.status().as_u16(), 307 | 308);
        let first = attempt.previous().first();
        let stays = first.is_some_and(|first| first.origin() == attempt.url().origin());
        if keeps && stays && attempt.previous().len() <= REDIRECTS {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}
