//! Nobody gets in without a token, from another site, or under another name.

use std::net::SocketAddr;

use callpact::ToolContext;
use callpact_desk::Desk;
use serde_json::json;

use crate::kit::{Client, Diary, Served, send, tools, wait_until};

fn served() -> Served {
    Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()))
}

const CHECK: &str = r#"{"tool": "add", "arguments": "{\"a\": 41}"}"#;
const CALL: &str = r#"{"number": 1, "tool": "add", "arguments": "{\"a\": 41}"}"#;

#[test]
fn a_session_may_call_and_nobody_else() {
    let served = served();
    let client = served.client();
    let answer = client.call(CALL);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()["output"], "42");
    let nobody = Client {
        session: String::new(),
        ..client.clone()
    };
    let cut = Client {
        session: client.session[..client.session.len() - 1].to_owned(),
        ..client
    };
    for stranger in [nobody, cut] {
        for name in ["tools", "me", "events"] {
            assert_eq!(stranger.get(name).status, 401, "{name}");
        }
        for name in [
            "call",
            "confirm",
            "result",
            "check",
            "tool",
            "schema",
            "diff",
            "inbox",
            "waiting",
            "decide",
            "edit",
            "resume",
            "stop",
            "calls",
            "trace",
            "servers",
            "connect",
            "disconnect",
            "messages",
            "invite",
        ] {
            assert_eq!(stranger.post(name, CALL).status, 401, "{name}");
        }
    }
}

#[test]
fn a_token_works_once() {
    let served = served();
    let token = served.desk.token().unwrap();
    let client = Client {
        address: served.address,
        session: String::new(),
    };
    let body = json!({ "token": token }).to_string();
    let first = client.post("session", &body);
    assert_eq!(first.status, 200);
    // A browser would send a cookie to every port of the machine.
    assert_eq!(first.header("set-cookie"), None);
    assert_eq!(client.post("session", &body).status, 401);
    for wrong in ["", "0", &token[1..], &"0".repeat(64)] {
        let body = json!({ "token": wrong }).to_string();
        let answer = client.post("session", &body);
        assert_eq!(answer.status, 401, "{wrong}");
        assert!(answer.json()["session"].is_null(), "{}", answer.body);
    }
}

#[test]
fn other_hosts_origins_and_sites_are_refused() {
    let served = served();
    let Client { address, session } = served.client();
    let port = address.port();
    let ask = |host: &str, more: &str| {
        let head = format!(
            "POST /api/check HTTP/1.1\r\n{host}Content-Type: application/json\r\nCallpact-Session: {session}\r\n{more}"
        );
        send(address, &head, CHECK).status
    };
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    assert_eq!(ask(&own, ""), 200);
    assert_eq!(ask(&format!("Host: localhost:{port}\r\n"), ""), 200);
    assert_eq!(
        ask(&own, &format!("Origin: http://127.0.0.1:{port}\r\n")),
        200
    );
    assert_eq!(ask(&own, "Sec-Fetch-Site: same-origin\r\n"), 200);
    for host in [
        "Host: example.test\r\n".to_owned(),
        format!("Host: 127.0.0.1.example.test:{port}\r\n"),
        format!("Host: localhost.example.test:{port}\r\n"),
        format!("Host: example.test@127.0.0.2:{port}\r\n"),
        "Host: \r\n".to_owned(),
        format!("Host: 127.0.0.1:{port}\r\nHost: example.test\r\n"),
        format!("Host: example.test@127.0.0.1:{port}\r\n"),
    ] {
        assert!(matches!(ask(&host, ""), 400 | 403), "{host}");
    }
    for more in [
        "Origin: null\r\n".to_owned(),
        "Origin: http://example.test\r\n".to_owned(),
        // Another port of this machine is another site.
        format!("Origin: http://127.0.0.1:{}\r\n", port ^ 1),
        format!("Origin: http://localhost:{port}\r\n"),
        format!("Origin: http://127.0.0.1:{port}\r\nOrigin: http://example.test\r\n"),
        "Sec-Fetch-Site: cross-site\r\n".to_owned(),
        "Sec-Fetch-Site: same-site\r\n".to_owned(),
    ] {
        assert_eq!(ask(&own, &more), 403, "{more}");
    }
    // The address of a request may name a host too.
    for (host, expected) in [("127.0.0.1", 200), ("example.test", 403)] {
        let head = format!("GET http://{host}:{port}/ HTTP/1.1\r\n{own}");
        assert_eq!(send(address, &head, "").status, expected, "{host}");
    }
}

#[test]
fn only_json_of_a_bounded_length_is_read() {
    let served = served();
    let Client { address, session } = served.client();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
    ] {
        let head = format!(
            "POST /api/call HTTP/1.1\r\nHost: {address}\r\nContent-Type: {kind}\r\nCallpact-Session: {session}\r\n"
        );
        assert_eq!(send(address, &head, CALL).status, 415, "{kind}");
    }
    let client = Client { address, session };
    let long = format!(
        r#"{{"number": 1, "tool": "add", "arguments": "{}"}}"#,
        "x".repeat(5 << 20)
    );
    let head = client.head("POST", "call");
    // The server may close before all of it is written.
    let sent = std::panic::catch_unwind(|| send(address, &head, &long).status);
    assert!(matches!(sent, Ok(413) | Err(_)), "{sent:?}");
    for body in [
        "",
        "{",
        "[]",
        r#"{"number": -1}"#,
        r#"{"tool": 5}"#,
        "\u{0}",
    ] {
        let answer = client.call(body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.json()["error"].is_string());
    }
    assert_eq!(client.post("nothing", "{}").status, 404);
    assert_eq!(client.get("call").status, 404);
    let head = client.head("DELETE", "tools");
    assert_eq!(send(address, &head, "").status, 405);
}

#[test]
fn rejects_malformed_body_with_explanation() {
    let served = served();
    let client = served.client();
    let decide =
        |decision: &str| format!(r#"{{"id": "live-1", "digest": "d", "decision": {decision}}}"#);
    for (name, body, words) in [
        ("session", "[]", "the body must be an object of JSON"),
        (
            "decide",
            r#"["live-1", "d", {"decision": "continue"}]"#,
            "must be an object",
        ),
        (
            "call",
            r#"{"number": 1, "tool": "add", "arguments": "{}", "yes": true}"#,
            "unknown field `yes`",
        ),
        (
            "decide",
            r#"{"id": "live-1", "digest": "d", "decision": {"decision": "continue"}, "as": "ada"}"#,
            "unknown field `as`",
        ),
        (
            "decide",
            &decide(r#"{"decision": "edit"}"#),
            "missing field `text`",
        ),
        (
            "decide",
            &decide(r#"{"decision": "edit", "text": 5}"#),
            "`text` must be a text",
        ),
        (
            "decide",
            &decide(r#"{"decision": "refuse", "reason": {}}"#),
            "`reason` must be a text",
        ),
    ] {
        let answer = client.post(name, body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.body.contains(words), "{body}: {}", answer.body);
    }
    let answer = client.get("check");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.json()["error"], "there is no `GET check` here");
}

#[test]
fn every_answer_has_browser_security_headers() {
    let served = served();
    let client = served.client();
    for path in [
        "/",
        "/desk.js",
        "/desk.css",
        "/nothing",
        "/api/tools",
        "/api/nothing",
    ] {
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nCallpact-Session: {}\r\n",
            client.address, client.session
        );
        let answer = send(client.address, &head, "");
        let policy = answer.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        assert!(answer.header("access-control-allow-origin").is_none());
    }
}

#[tokio::test]
async fn no_other_machine_is_served_without_an_authenticator() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
        let address: SocketAddr = address.parse().unwrap();
        let error = desk
            .bind(address)
            .await
            .expect_err("it is refused")
            .to_string();
        assert!(
            error.starts_with(&format!("other machines reach {address}")),
            "{error}"
        );
    }
}

#[test]
fn a_router_can_nest_the_page() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let desk =
        Desk::new(tools(&Diary::default()), ToolContext::new()).allow_host("Desk.Example.Test");
    let router = axum::Router::new().nest_service("/desk/", desk.service());
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move { axum::serve(listener, router).await });
    let host = "desk.example.test";
    let get = |path: &str| {
        send(
            address,
            &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n"),
            "",
        )
    };
    assert!(get("/desk/").body.contains("<title>Callpact desk</title>"));
    assert!(get("/desk/desk.js").body.contains("import"));
    assert_eq!(get("/desk/api/tools").status, 401);
    let post = |name: &str, more: &str, body: &str| {
        let head = format!(
            "POST /desk/api/{name} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://{host}\r\nContent-Type: application/json\r\n{more}"
        );
        send(address, &head, body)
    };
    let body = json!({ "token": desk.token().unwrap() }).to_string();
    let answer = post("session", "", &body);
    let session = answer.json()["session"].as_str().unwrap().to_owned();
    let session = format!("Callpact-Session: {session}\r\n");
    assert_eq!(post("call", &session, CALL).status, 202);
    let answer = wait_until("the call ends", || {
        let answer = post("result", &session, r#"{"number": 1}"#).json();
        (answer["state"] == "done").then_some(answer)
    });
    assert_eq!(answer["reply"]["output"], "42");
}
