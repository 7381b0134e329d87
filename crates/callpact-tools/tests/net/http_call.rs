//! The configured HTTP call.

use std::time::{Duration, Instant};

use callpact_tools::engine::fetch::Method;
use callpact_tools::engine::http_call::{HttpCall, HttpCallBuilder};

use crate::server::{Reply, Server};

fn call(url: &str) -> HttpCallBuilder {
    HttpCall::builder().url(url).allow_internal(true)
}

async fn sent(server: &Server, builder: HttpCallBuilder, input: &str) -> String {
    builder.build().unwrap().call(input).await.unwrap();
    server.requests().pop().unwrap()
}

#[tokio::test]
async fn get_puts_the_input_into_the_url() {
    let server = Server::start(|_| Reply::ok("")).await;
    let rows = [
        ("/p", "a b&c=d/é", "/p?input=a+b%26c%3Dd%2F%C3%A9"),
        ("/p?x=1", "v", "/p?x=1&input=v"),
        ("/p", "", "/p?input="),
        ("/p", "\r\nHost: evil", "/p?input=%0D%0AHost%3A+evil"),
        ("/p", "#?@", "/p?input=%23%3F%40"),
    ];
    for (path, input, expected) in rows {
        let request = sent(&server, call(&server.url(path)).method(Method::Get), input).await;
        assert!(
            request.starts_with(&format!("GET {expected} HTTP/1.1\r\n")),
            "{request}"
        );
        assert!(
            !request.to_ascii_lowercase().contains("content-type"),
            "{request}"
        );
    }
}

/// Input, expected type, and a header that is set.
type Row = (
    &'static str,
    &'static str,
    Option<(&'static str, &'static str)>,
);

#[tokio::test]
async fn body_sets_content_type_unless_header_does() {
    let server = Server::start(|_| Reply::ok("")).await;
    let rows: &[Row] = &[
        (r#"{"a":1}"#, "application/json", None),
        ("[1,2]", "application/json", None),
        ("12", "application/json", None),
        ("hello", "text/plain; charset=utf-8", None),
        ("{\"a\":1} trailing", "text/plain; charset=utf-8", None),
        (
            r#"{"a":1}"#,
            "application/xml",
            Some(("Content-Type", "application/xml")),
        ),
        (
            r#"{"a":1}"#,
            "application/xml",
            Some(("content-type", "application/xml")),
        ),
        (
            r#"{"a":1}"#,
            "application/xml",
            Some(("CONTENT-TYPE", "application/xml")),
        ),
    ];
    for (input, expected, header) in rows {
        let mut builder = call(&server.url("/"));
        if let Some((name, value)) = header {
            builder = builder.header(name, value);
        }
        let request = sent(&server, builder, input).await;
        assert!(request.starts_with("POST / HTTP/1.1\r\n"), "{request}");
        assert!(request.ends_with(&format!("\r\n\r\n{input}")), "{request}");
        let lower = request.to_ascii_lowercase();
        let types: Vec<&str> = lower
            .lines()
            .filter_map(|line| line.strip_prefix("content-type: "))
            .collect();
        assert_eq!(types, [*expected], "{input}");
    }
}

#[tokio::test]
async fn statuses() {
    let server = Server::start(|request| {
        let status = request.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
        match status {
            300..=399 => Reply::redirect(status, "/200"),
            204 => Reply::new(204, &[], ""),
            _ => Reply::new(status, &[], format!("said {}", "é".repeat(400))),
        }
    })
    .await;
    let start = format!("said {}", "é".repeat(195));
    let rows: &[(u16, Result<String, String>)] = &[
        (200, Ok(format!("said {}", "é".repeat(400)))),
        (201, Ok(format!("said {}", "é".repeat(400)))),
        (204, Ok(String::new())),
        (302, Err("HTTP 302: redirects are not followed".into())),
        (307, Err("HTTP 307: redirects are not followed".into())),
        (400, Err(format!("HTTP 400: {start}"))),
        (404, Err(format!("HTTP 404: {start}"))),
        (500, Err(format!("HTTP 500: {start}"))),
    ];
    for (status, expected) in rows {
        let found = call(&server.url(&format!("/{status}")))
            .build()
            .unwrap()
            .call("x")
            .await;
        assert_eq!(found, *expected);
    }
    assert_eq!(server.connects(), rows.len());
}

#[tokio::test]
async fn long_answers_are_cut_and_marked() {
    let server = Server::start(|_| Reply::new(200, &[], "é".repeat(1000))).await;
    let cut = call(&server.url("/"))
        .max_response_bytes(101)
        .build()
        .unwrap();
    let text = cut.call("").await.unwrap();
    let expected = format!("{}\n[response truncated at 101 bytes]", "é".repeat(50));
    assert_eq!(text, expected);
    let whole = call(&server.url("/"))
        .max_response_bytes(2000)
        .build()
        .unwrap();
    assert_eq!(whole.call("").await.unwrap(), "é".repeat(1000));
}

#[tokio::test]
async fn slow_and_absent_servers() {
    let server = Server::start(|_| Reply::Silence(Duration::from_secs(30))).await;
    let slow = call(&server.url("/"))
        .timeout(Duration::from_millis(500))
        .build()
        .unwrap();
    let start = Instant::now();
    let found = slow.call("x").await;
    assert_eq!(
        found,
        Err("HTTP request failed: no complete answer within 500ms".into())
    );
    assert!(start.elapsed() < Duration::from_secs(20));
    let nobody = call("http://127.0.0.1:1/").build().unwrap();
    let found = nobody.call("x").await.unwrap_err();
    assert_eq!(
        found,
        "HTTP request failed: could not connect to the server: connection refused"
    );
}

#[tokio::test]
async fn internal_addresses_need_the_opt_in() {
    let server = Server::start(|_| Reply::ok("inside")).await;
    let named = |allow| {
        let url = format!("http://localhost:{}/", server.port);
        HttpCall::builder().url(url).allow_internal(allow).build()
    };
    assert!(named(false).is_err());
    assert_eq!(named(true).unwrap().call("x").await, Ok("inside".into()));
    assert!(HttpCall::builder().url(server.url("/")).build().is_err());
    assert_eq!(server.connects(), 1);
}
