//! Row 1.9 of the configured HTTP tool.

use std::time::Duration;

use callpact::{AgentTool, review::ReviewDecision};
use callpact::{Halt, Outcome, Permission, PermissionMode, ToolContext};
use callpact_tools::engine::fetch::{Lookup, Method, Resolver};
use callpact_tools::{HttpAgentTool, HttpAgentToolBuilder};
use serde_json::json;

use crate::bench::{deciding, reply, said, said_in, set, told};
use crate::server::{Reply, Server};

fn to(url: &str) -> HttpAgentToolBuilder {
    HttpAgentTool::builder()
        .name("svc")
        .description("A service.")
        .url(url)
        .allow_internal(true)
}

#[test]
fn http_agent_builder_errors() {
    let url = "https://example.org/";
    let fine = || {
        HttpAgentTool::builder()
            .name("svc")
            .description("d")
            .url(url)
    };
    for (builder, text) in [
        (fine().name(" "), "name must be set and non-blank"),
        (fine().description(""), "description must be set"),
        (fine().url(" "), "url must be set and non-blank"),
        (fine().timeout(Duration::ZERO), "timeout must be positive"),
        (
            fine().max_response_bytes(0),
            "maxResponseBytes must be positive",
        ),
        (
            fine().name("a b"),
            "invalid tool name 'a b': a name is 1 to 64 letters, digits, `_` and `-`",
        ),
        (fine().header("a b", "c"), "invalid header name or value"),
    ] {
        assert_eq!(builder.build().unwrap_err().to_string(), text);
    }
    assert!(fine().build().is_ok());
}

#[test]
fn http_agent_factories_and_permission() {
    let url = "https://example.org/";
    let get = HttpAgentTool::get("g", "d", url).unwrap();
    let post = HttpAgentTool::post("p", "d", url).unwrap();
    assert_eq!(AgentTool::permission(&get), Permission::ReadOnly);
    assert_eq!(AgentTool::permission(&post), Permission::Write);
    let delete = to(url).method(Method::Delete).build().unwrap();
    assert_eq!(AgentTool::permission(&delete), Permission::Destructive);
}

#[tokio::test]
async fn http_agent_get_puts_input_into_url() {
    let server = Server::start(|_| Reply::ok("fine")).await;
    let tools = set(to(&server.url("/p?x=1"))
        .method(Method::Get)
        .build()
        .unwrap());
    assert_eq!(
        said(&tools, "svc", json!({ "input": "a b&c" })).await,
        "fine"
    );
    assert!(server.requests()[0].starts_with("GET /p?x=1&input=a+b%26c HTTP/1.1"));
}

#[tokio::test]
async fn http_agent_post_sends_the_input() {
    let server = Server::start(|_| Reply::ok("fine")).await;
    let tools = set(to(&server.url("/")).build().unwrap());
    for (input, kind) in [
        ("{\"a\":1}", "application/json"),
        ("text", "text/plain; charset=UTF-8"),
    ] {
        assert_eq!(said(&tools, "svc", json!({ "input": input })).await, "fine");
        let request = server.requests().pop().unwrap();
        assert!(
            request.ends_with(input) && request.contains(kind),
            "{request}"
        );
    }
    let typed = to(&server.url("/"))
        .header("content-TYPE", "text/csv")
        .build()
        .unwrap();
    said(&set(typed), "svc", json!({ "input": "a" })).await;
    let request = server.requests().pop().unwrap().to_ascii_lowercase();
    assert_eq!(request.matches("content-type").count(), 1, "{request}");
}

#[tokio::test]
async fn http_agent_errors() {
    let server = Server::start(|request| match request.split(' ').nth(1) {
        Some("/404") => Reply::new(404, &[], "x".repeat(500)),
        Some("/302") => Reply::redirect(302, "http://169.254.169.254/"),
        _ => Reply::ok("y".repeat(100)),
    })
    .await;
    let at = |path: &str| to(&server.url(path));
    let failed = said(
        &set(at("/404").build().unwrap()),
        "svc",
        json!({ "input": "" }),
    )
    .await;
    assert_eq!(failed, format!("Error: HTTP 404: {}", "x".repeat(200)));
    let moved = said(
        &set(at("/302").build().unwrap()),
        "svc",
        json!({ "input": "" }),
    )
    .await;
    assert_eq!(moved, "Error: HTTP 302: redirects are not followed");
    let cut = at("/").max_response_bytes(10).build().unwrap();
    let cut = said(&set(cut), "svc", json!({ "input": "" })).await;
    assert_eq!(
        cut,
        format!("{}\n[response truncated at 10 bytes]", "y".repeat(10))
    );
    let nobody = to("http://127.0.0.1:1/").build().unwrap();
    let nobody = said(&set(nobody), "svc", json!({ "input": "" })).await;
    assert!(
        nobody.starts_with("Error: HTTP request failed: could not connect to the server")
            && !nobody.contains("127.0.0.1"),
        "{nobody}"
    );
}

#[tokio::test]
async fn http_agent_approval() {
    let server = Server::start(|_| Reply::ok("fine")).await;
    let url = server.url("/");
    let tools = set(to(&url).require_approval(true).build().unwrap());
    let long = format!("{}TAIL", "b".repeat(500));
    let (cx, asked) = deciding(ReviewDecision::REJECT);
    let found = said_in(&tools, "svc", json!({ "input": long }), &cx).await;
    assert_eq!(found, "Error: HTTP request rejected by reviewer: POST /");
    assert_eq!((asked.count(), server.connects()), (1, 0));
    let request = asked.last();
    let expected = format!("HTTP POST {url}\nBody: {}...", "b".repeat(200));
    assert_eq!(request.description, expected);
    assert_eq!(request.action, long);
    let preview = request.preview.expect("it shows the request");
    assert!(
        preview.starts_with(&format!("POST {url}\n\nbbb")),
        "{preview}"
    );
    let (cx, _) = deciding(ReviewDecision::Edit("better".into()));
    assert_eq!(
        said_in(&tools, "svc", json!({ "input": long }), &cx).await,
        told("fine", "better")
    );
    assert!(server.requests()[0].ends_with("\r\n\r\nbetter"));
}

#[tokio::test]
async fn preview_adds_input_to_query_of_address() {
    for (url, expected) in [
        (
            "https://example.org/search",
            "GET https://example.org/search?input=a & b",
        ),
        (
            "https://example.org/search?page=2",
            "GET https://example.org/search?page=2&input=a & b",
        ),
    ] {
        let tool = to(url).method(Method::Get).require_approval(true);
        let (cx, asked) = deciding(ReviewDecision::REJECT);
        said_in(
            &set(tool.build().unwrap()),
            "svc",
            json!({ "input": "a & b" }),
            &cx,
        )
        .await;
        assert_eq!(asked.last().preview.as_deref(), Some(expected));
    }
}

#[tokio::test]
async fn input_is_bounded() {
    let tools = set(to("https://example.org/")
        .max_input_bytes(4)
        .build()
        .unwrap());
    let found = said(&tools, "svc", json!({ "input": "12345" })).await;
    assert_eq!(found, "Error: Input is larger than 4 bytes");
    // The reviewer's edit is bounded too, and the address of the host is not looked up.
    let tool = to("https://tool.invalid/").max_input_bytes(4);
    let tools = set(tool.require_approval(true).build().unwrap());
    let (cx, _) = deciding(ReviewDecision::Edit("12345".into()));
    let found = said_in(&tools, "svc", json!({ "input": "1" }), &cx).await;
    assert_eq!(found, told("Error: Input is larger than 4 bytes", "12345"));
}

#[tokio::test]
async fn configured_permission_overrides_method() {
    let server = Server::start(|_| Reply::ok("fine")).await;
    let url = server.url("/");
    for (method, permission, mode, goes) in [
        // A search by POST only reads, whatever the method is.
        (
            Method::Post,
            Permission::ReadOnly,
            PermissionMode::Deny,
            true,
        ),
        (Method::Get, Permission::Write, PermissionMode::Deny, false),
        (
            Method::Get,
            Permission::Destructive,
            PermissionMode::AskDestructive,
            false,
        ),
        (
            Method::Delete,
            Permission::Write,
            PermissionMode::AskDestructive,
            true,
        ),
    ] {
        let tool = to(&url).method(method).permission(permission).build();
        let tool = tool.unwrap();
        assert_eq!(AgentTool::permission(&tool), permission);
        // Set before the method, it counts as well.
        let turned = to(&url).permission(permission).method(method).build();
        assert_eq!(AgentTool::permission(&turned.unwrap()), permission);
        let before = server.connects();
        let cx = ToolContext::new().with_permissions(mode);
        let reply = reply(&set(tool), "svc", json!({ "input": "x" }), &cx).await;
        let went = reply.is_ok_and(|reply| reply.is_success());
        assert_eq!(went, goes, "{method:?} as {permission:?}");
        assert_eq!(server.connects() > before, goes);
    }
}

/// Knows one name, which is this machine.
struct Inside;

impl Resolver for Inside {
    fn lookup<'a>(&'a self, host: &'a str) -> Lookup<'a> {
        Box::pin(async move {
            match host {
                "inside.test" => Ok(vec![[127, 0, 0, 1].into()]),
                _ => Err(std::io::ErrorKind::NotFound.into()),
            }
        })
    }
}

#[tokio::test]
async fn asks_configured_resolver_and_checks_addresses() {
    let server = Server::start(|_| Reply::ok("fine")).await;
    let port = server.url("").rsplit(':').next().unwrap().to_owned();
    for (host, internal, said_so) in [
        ("inside.test", true, Some("fine")),
        ("inside.test", false, None),
        ("elsewhere.test", true, None),
    ] {
        let tool = to(&format!("http://{host}:{port}/"))
            .allow_internal(internal)
            .resolver(Inside)
            .build();
        let before = server.connects();
        let cx = ToolContext::new();
        let reply = reply(&set(tool.unwrap()), "svc", json!({ "input": "x" }), &cx).await;
        let reply = reply.unwrap();
        assert_eq!(
            reply.is_success().then(|| reply.to_model()).as_deref(),
            said_so
        );
        assert_eq!(server.connects() > before, said_so.is_some(), "{host}");
        if said_so.is_none() {
            assert_eq!(reply.outcome, Outcome::Failure);
            // The inside address of a name must not be shown outside.
            assert!(
                !reply.to_model().contains("127.0.0.1"),
                "{}",
                reply.to_model()
            );
        }
    }
}

#[tokio::test]
async fn a_review_that_halts_sends_nothing() {
    let server = Server::start(|_| Reply::ok("fine")).await;
    let tool = to(&server.url("/")).require_approval(true).build().unwrap();
    let tools = set(tool);
    let input = || json!({ "input": "x" });
    let halt = reply(&tools, "svc", input(), &ToolContext::new()).await;
    assert!(matches!(halt, Err(Halt::Misconfigured(_))), "{halt:?}");
    let cx = ToolContext::new().with_deferred_approval();
    let halt = reply(&tools, "svc", input(), &cx).await;
    let Err(Halt::Pending(pending)) = halt else {
        panic!("{halt:?}");
    };
    let stop = callpact::Cancellation::new();
    stop.cancel();
    let cx = ToolContext::new().with_cancellation(stop);
    let halt = reply(&tools, "svc", input(), &cx).await;
    assert_eq!(halt.unwrap_err(), Halt::Cancelled);
    let failing = callpact::review::review_fn(|_| async {
        Err(callpact::review::ReviewError::failed("the line is dead"))
    });
    let cx = ToolContext::new().with_reviewer(failing);
    let halt = reply(&tools, "svc", input(), &cx).await;
    assert!(matches!(halt, Err(Halt::ReviewFailed(_))), "{halt:?}");
    assert_eq!(server.connects(), 0, "nothing was approved");
    // The waiting call is sent once it is allowed.
    let cx = ToolContext::new().with_deferred_approval();
    let resumed = tools.decide(&pending, ReviewDecision::Continue, &cx).await;
    assert_eq!(resumed.unwrap().to_model(), "fine");
    assert_eq!(server.connects(), 1);
}
