//! People come in with a token of their own, under their own name, until the token ends.

use std::{
    io::Read,
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use toolwright::{
    ReviewHandler, ReviewRequest, ToolContext, Toolset,
    identity::{Authenticator, Identity, StaticTokens},
    review::BoxFuture,
    store::{CallStore, MemoryStore},
    tool,
};
use toolwright_desk::Desk;

use crate::{
    kit::{Answer, Client, Diary, Served, send, tools, wait_until},
    stored::{decide, defer},
};

const ADA: &str = "the-token-of-ada-1";
const GRACE: &str = "the-token-of-grace-1";

/// Ada may decide for the role `ops`, Grace for none.
fn people() -> StaticTokens {
    StaticTokens::new()
        .token(ADA, Identity::new("ada").with_scope("ops"))
        .and_then(|tokens| tokens.token(GRACE, Identity::new("grace")))
        .unwrap()
}

/// Says who makes the call
#[tool(read_only)]
fn caller(cx: &ToolContext) -> String {
    cx.caller().unwrap_or("nobody").to_owned()
}

fn served(authenticator: impl Authenticator + 'static) -> Served {
    let tools = tools(&Diary::default());
    let tools = Toolset::builder()
        .tools(tools)
        .tool(Caller)
        .build()
        .unwrap();
    Served::new(Desk::new(tools, ToolContext::new()).authenticate(authenticator))
}

/// Sends a token, and returns the client with its session.
fn enter(served: &Served, token: &str) -> Result<Client, Answer> {
    let client = Client {
        address: served.address,
        cookie: String::new(),
    };
    let answer = client.post("session", &json!({ "token": token }).to_string());
    match answer.header("set-cookie") {
        Some(cookie) => Ok(Client {
            cookie: cookie.split(';').next().unwrap().to_owned(),
            ..client
        }),
        None => Err(answer),
    }
}

fn caller_of(client: &Client) -> Value {
    let body = r#"{"number": 1, "tool": "caller", "arguments": "{}"}"#;
    client.post("call", body).json()["output"].take()
}

#[test]
fn a_person_comes_in_as_often_as_they_like_and_under_their_name() {
    let served = served(people());
    for _ in 0..2 {
        assert_eq!(caller_of(&enter(&served, ADA).unwrap()), "ada");
    }
    assert_eq!(caller_of(&enter(&served, GRACE).unwrap()), "grace");
    for wrong in ["", "the-token-of-ada-2", &"a".repeat(9_000)] {
        let answer = enter(&served, wrong).map(drop).unwrap_err();
        assert_eq!(answer.status, 401, "{}", answer.body);
    }
    // A token of the program names nobody.
    assert_eq!(caller_of(&served.client()), "nobody");
}

#[test]
fn whom_a_person_invites_comes_in_under_their_name() {
    let served = served(people());
    let answer = enter(&served, ADA).unwrap().post("invite", "{}").json();
    let invited = enter(&served, answer["token"].as_str().unwrap()).unwrap();
    assert_eq!(caller_of(&invited), "ada");
}

#[test]
fn a_role_is_decided_for_by_those_who_have_its_scope() {
    let served = served(people());
    let request = ReviewRequest::new("Call diary")
        .action(r#"{"text":"x"}"#)
        .digest("7d0c5a4f")
        .required_role("ops");
    let reviewer = served.desk.reviewer();
    let ended = served
        .runtime
        .spawn(async move { reviewer.review(&request).await });
    let (ada, grace) = (enter(&served, ADA).unwrap(), enter(&served, GRACE).unwrap());
    let waiting = wait_until("a call waits", || {
        let waiting = ada.get("waiting").json();
        waiting.get(0).cloned()
    });
    let decide = |who: &Client, decision: &str| {
        let body = json!({"id": waiting["id"], "digest": waiting["digest"],
            "decision": {"decision": decision}});
        who.post("decide", &body.to_string())
    };
    let refused = decide(&grace, "continue");
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert!(refused.body.contains("ops"), "{}", refused.body);
    assert_eq!(decide(&ada, "continue").status, 200);
    let late = decide(&ada, "continue");
    assert_eq!(late.status, 409);
    assert!(late.body.contains("by desk, ada"), "{}", late.body);
    assert!(served.runtime.block_on(ended).unwrap().unwrap().goes_on());
}

#[test]
fn a_stored_call_goes_on_for_a_person_with_the_scope_of_its_role() {
    for only in [false, true] {
        let (diary, store) = (Diary::default(), Arc::new(MemoryStore::new()));
        let tools = Toolset::builder()
            .tool(diary.clone())
            .require_approval_by("diary", "ops")
            .build()
            .unwrap();
        let desk = Desk::new(tools.clone(), ToolContext::new())
            .with_store(Arc::clone(&store))
            .authenticate(people());
        let served = Served::new(if only { desk.decide_only() } else { desk });
        let id = defer(&served, &tools, &store, "for ops");
        let (ada, grace) = (enter(&served, ADA).unwrap(), enter(&served, GRACE).unwrap());
        let yes = json!({ "decision": "continue" });
        assert_eq!(decide(&grace, &yes).0, 403);
        let (status, answer) = decide(&ada, &yes);
        assert_eq!(status, 200, "{answer}");
        let decided = served.runtime.block_on(store.get(&id)).unwrap().unwrap();
        let decided = decided.decision.unwrap();
        assert_eq!(
            (decided.by.as_str(), decided.role.as_deref()),
            ("desk, ada", Some("ops"))
        );
        assert_eq!(diary.0.lock().unwrap().len(), usize::from(!only));
    }
}

/// One token, until it is withdrawn.
struct Withdrawn(Arc<AtomicBool>);

impl Authenticator for Withdrawn {
    fn identify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Option<Identity>> {
        let valid = token == ADA && !self.0.load(Ordering::SeqCst);
        Box::pin(async move { valid.then(|| Identity::new("ada")) })
    }
}

#[test]
fn a_session_and_its_stream_of_events_end_with_the_token() {
    let withdrawn = Arc::new(AtomicBool::new(false));
    let served = served(Withdrawn(Arc::clone(&withdrawn)));
    let ada = enter(&served, ADA).unwrap();
    assert_eq!(ada.get("tools").status, 200);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    let head = format!("{}\r\n", ada.head("GET", "events"));
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    withdrawn.store(true, Ordering::SeqCst);
    assert_eq!(ada.get("tools").status, 401);
    // It ends, so this returns.
    let mut events = Vec::new();
    stream.read_to_end(&mut events).unwrap();
    assert!(events.starts_with(b"HTTP/1.1 "));
    // A token that comes back opens a new session, and no old one.
    withdrawn.store(false, Ordering::SeqCst);
    assert_eq!(ada.get("tools").status, 401);
    assert!(enter(&served, ADA).is_ok());
}

#[tokio::test]
async fn a_desk_that_knows_people_serves_other_machines() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let desk = Desk::new(tools(&Diary::default()), ToolContext::new()).authenticate(people());
        let bound = desk.bind(address.parse().unwrap()).await;
        // A machine without IPv6 has no such address.
        assert!(address.starts_with('[') || bound.is_ok(), "{bound:?}");
        let Ok(server) = bound else { continue };
        let port = server.local_addr().unwrap().port();
        let running = tokio::spawn(server.run());
        let ask = move |host: &'static str| {
            let head = format!("GET / HTTP/1.1\r\nHost: {host}:{port}\r\n");
            let asked = move || send(([127, 0, 0, 1], port).into(), &head, "").status;
            tokio::task::spawn_blocking(asked)
        };
        if address.starts_with('0') {
            assert_eq!(ask("127.0.0.1").await.unwrap(), 200);
            // Any name could lead to all addresses, so those that are meant have to be named.
            assert_eq!(ask("198.51.100.7").await.unwrap(), 403);
        }
        running.abort();
    }
}
