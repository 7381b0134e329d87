//! A real handshake: certificates that the system trusts, for the right name, and no others.

use std::process::Command;
use std::sync::Arc;

use callpact_tools::engine::fetch::{FetchError, FetchRequest};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::server::local;
use crate::ssrf::Script;

async fn get(host: &str, port: &str) -> Result<String, FetchError> {
    let fetcher = local()
        .resolver(Script::new(&[&["127.0.0.1"]]))
        .build()
        .unwrap();
    let answer = fetcher
        .fetch(FetchRequest::get(format!("https://{host}:{port}/")))
        .await;
    answer.map(|answer| answer.text())
}

/// Serves up to five connections with a certificate for `tls.example`; gives port and certificate.
async fn serve() -> (u16, String) {
    let made = rcgen::generate_simple_self_signed(["tls.example".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        for _ in 0..5 {
            let Ok((stream, _)) = listener.accept().await else {
                return;
            };
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure")
                .await;
            let _ = stream.shutdown().await;
        }
    });
    (port, made.cert.pem())
}

/// The system's roots are named by the environment, so the test runs itself again with its own.
#[tokio::test]
async fn only_trusted_certificates_for_the_right_name() {
    if let Ok(port) = std::env::var("NET_TEST_TLS_PORT") {
        assert_eq!(get("tls.example", &port).await.as_deref(), Ok("secure"));
        let other = get("other.example", &port).await;
        assert!(
            matches!(other, Err(FetchError::Connect { .. })),
            "{other:?}"
        );
        return;
    }
    let (port, certificate) = serve().await;
    let untrusted = get("tls.example", &port.to_string()).await;
    assert!(
        matches!(untrusted, Err(FetchError::Connect { .. })),
        "{untrusted:?}"
    );
    let file = std::env::temp_dir().join(format!("callpact-net-{port}.pem"));
    std::fs::write(&file, certificate).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "tls::only_trusted_certificates_for_the_right_name",
    ]);
    child
        .env("NET_TEST_TLS_PORT", port.to_string())
        .env("SSL_CERT_FILE", &file);
    let done = tokio::task::spawn_blocking(move || child.output().unwrap())
        .await
        .unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("1 passed"), "{text}");
}
