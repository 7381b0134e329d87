//! The transport of rmcp's own client, for the tests and the load: over plain HTTP.

use std::sync::Arc;

use rmcp::transport::{
    StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
};
use rustls::{ClientConfig, RootCertStore, crypto::ring};

/// A transport to this address. rmcp's default transport panics if reqwest can speak TLS and no crypto
/// provider was set.
pub(crate) fn transport(url: &str) -> StreamableHttpClientTransport<reqwest::Client> {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has the versions")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .pool_max_idle_per_host(0)
        .build()
        .expect("a client");
    let config = StreamableHttpClientTransportConfig::with_uri(url);
    StreamableHttpClientTransport::with_client(client, config)
}
