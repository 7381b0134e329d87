//! The file of servers that hosts share.

use callpact::Toolset;
use callpact_mcp::client::McpConfig;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::help::{fixture_program, fixture_server, serve};

#[tokio::test]
async fn servers_of_a_file_are_started_and_reached() {
    let served = serve(fixture_server()).await;
    let file = json!({ "mcpServers": {
        "started": {
            "command": fixture_program(),
            "args": [],
            "env": { "SHOWN": "${CALLPACT_NOT_SET:-from the file}" },
            "cwd": std::env::temp_dir(),
        },
        "reached": { "type": "http", "url": served.url, "headers": { "X-Key": "hunter2" } },
        "off": { "command": "nothing", "disabled": true },
    } });
    let servers = McpConfig::from_json(&file.to_string()).unwrap();
    assert_eq!(servers.keys().collect::<Vec<_>>(), ["reached", "started"]);
    for (name, config) in servers {
        let client = config
            .open()
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let tools = Toolset::builder().tools(client.tools()).build().unwrap();
        assert!(tools.contains("add"), "{name}");
        client.close().await;
    }
}

#[tokio::test]
async fn the_headers_of_a_configuration_are_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let opening = tokio::spawn(McpConfig::url(url).header("X-Key", "hunter2").open());
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut chunk = [0; 1024];
        let count = stream.read(&mut chunk).await.unwrap();
        assert!(count > 0, "the request broke off");
        head.extend_from_slice(&chunk[..count]);
    }
    let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
    assert!(head.contains("\r\nx-key: hunter2\r\n"), "{head}");
    let refusal = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let _ = stream.write_all(refusal).await;
    opening.abort();
}
