//! People come in with a token of their own, under their own name, until the token ends.

use std::{
    io::Read,
    net::TcpStream,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use callpact::{
    PermissionMode, ReviewHandler, ReviewRequest, ToolContext, Toolset,
    identity::{Authenticator, Identity, ScopeRules, StaticTokens},
    review::BoxFuture,
    store::{CallStore, MemoryStore},
    tool,
};
use callpact_desk::{Connection, Connections, Desk, NewConnection};
use serde_json::{Value, json};

use crate::{
    kit::{Answer, Client, Diary, Served, open_events, send, tools, wait_until},
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
    let nobody = Client {
        address: served.address,
        session: String::new(),
    };
    nobody.enter(token)
}

fn caller_of(client: &Client) -> Value {
    let body = r#"{"number": 1, "tool": "caller", "arguments": "{}"}"#;
    client.call(body).json()["output"].take()
}

#[test]
fn person_signs_in_repeatedly_under_own_name() {
    let served = served(people());
    for _ in 0..2 {
        assert_eq!(caller_of(&enter(&served, ADA).unwrap()), "ada");
    }
    assert_eq!(caller_of(&enter(&served, GRACE).unwrap()), "grace");
    for wrong in ["", "the-token-of-ada-2", &"a".repeat(9_000)] {
        let answer = enter(&served, wrong).map(drop).unwrap_err();
        assert_eq!(answer.status, 401, "{}", answer.body);
    }
}

#[test]
fn authenticator_requires_named_sign_in() {
    let open = Desk::new(tools(&Diary::default()), ToolContext::new());
    let early = open.token().unwrap();
    let served = Served::new(open.authenticate(people()));
    let told = served.desk.token().unwrap_err().to_string();
    assert_eq!(told, "people come into this desk with tokens of their own");
    let bound = served.desk.clone().bind(([127, 0, 0, 1], 0).into());
    let url = served.runtime.block_on(bound).unwrap().url().unwrap();
    assert!(url.ends_with('/') && !url.contains('#'), "{url}");
    // A token that was made before the desk knew people leads to no session that counts.
    let early = enter(&served, &early).unwrap();
    assert_eq!(early.get("tools").status, 401);
    let answer = early.get("tools").json();
    assert_eq!(answer["people"], true, "{answer}");
}

#[test]
fn one_persons_logins_end_only_their_own() {
    let served = served(people());
    let (grace, first) = (enter(&served, GRACE).unwrap(), enter(&served, ADA).unwrap());
    for _ in 0..70 {
        enter(&served, ADA).unwrap();
    }
    assert_eq!(grace.get("tools").status, 200);
    assert_eq!(first.get("tools").status, 401);
    // Nor do their invitations, open pages and calls take the place of others.
    let invited = grace.post("invite", "{}").json();
    let ada = enter(&served, ADA).unwrap();
    for _ in 0..40 {
        ada.post("invite", "{}");
    }
    assert!(enter(&served, invited["token"].as_str().unwrap()).is_ok());
    let opened: Vec<_> = (0..70).map(|_| open_events(&ada)).collect();
    let refused = opened.iter().filter(|(status, _)| *status == 503).count();
    assert_eq!(refused, 6);
    assert_eq!(open_events(&grace).0, 200);
}

#[test]
fn person_decides_only_permitted_calls() {
    let (diary, store) = (Diary::default(), Arc::new(MemoryStore::new()));
    let tools = Toolset::builder()
        .tool(diary.clone())
        .tool(Caller)
        .build()
        .unwrap();
    let rules = ScopeRules::new().mode("ops", PermissionMode::Ask);
    let desk = Desk::new(tools.clone(), ToolContext::new())
        .with_store(Arc::clone(&store))
        .authenticate(people());
    let served = Served::new(desk.clone().scopes(rules));
    let (ada, grace) = (enter(&served, ADA).unwrap(), enter(&served, GRACE).unwrap());
    // In the store, in this process, and of a tool that nobody knows.
    defer(&served, &tools, &store, "stored");
    for tool in ["diary", "no_such_tool", "caller"] {
        let request = ReviewRequest::new("Call it").tool(tool).action("{}");
        let reviewer = served.desk.reviewer();
        let asked = async move { reviewer.review(&request).await.map(drop) };
        served.runtime.spawn(asked);
    }
    let waiting = wait_until("all wait", || {
        let waiting = grace.waiting();
        (waiting.as_array().unwrap().len() == 4).then_some(waiting)
    });
    let send = |who: &Client, call: &Value, decision: Value| {
        let body = json!({"id": call["id"], "digest": call["digest"], "decision": decision});
        who.settle("decide", &body.to_string())
    };
    for call in waiting.as_array().unwrap() {
        // A person who may only read may decide about calls that only read.
        let may = call["tool"] == "caller";
        assert_eq!(call["barred"].is_null(), may, "{call}");
        for decision in [
            json!({"decision": "continue"}),
            json!({"decision": "edit", "text": "{\"text\": \"x\"}"}),
            json!({"decision": "refuse", "reason": "no"}),
            json!({"decision": "exit_early"}),
        ] {
            let answer = send(&grace, call, decision);
            if may {
                assert_eq!(answer.status, 200, "{call}: {}", answer.body);
                break;
            }
            assert_eq!(answer.status, 403, "{call}: {}", answer.body);
            assert!(
                answer.body.contains("may not make this call"),
                "{}",
                answer.body
            );
        }
    }
    let stored = waiting.as_array().unwrap().iter();
    let stored = stored.clone().find(|call| call["from"] == "store").unwrap();
    let answer = grace.settle("resume", &json!({ "id": stored["id"] }).to_string());
    assert_eq!(answer.status, 403, "{}", answer.body);
    assert!(diary.0.lock().unwrap().is_empty());
    for call in ada.waiting().as_array().unwrap() {
        assert!(call["barred"].is_null(), "{call}");
        let answer = send(&ada, call, json!({"decision": "continue"}));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    assert_eq!(*diary.0.lock().unwrap(), ["stored"]);
    // Without rules, the mode of the desk counts.
    let denying = ToolContext::new().with_permissions(PermissionMode::Deny);
    let desk = Desk::new(tools, denying).authenticate(people());
    let served = Served::new(desk);
    let ada = enter(&served, ADA).unwrap();
    let request = ReviewRequest::new("Call it").tool("diary").action("{}");
    let reviewer = served.desk.reviewer();
    let asked = async move { reviewer.review(&request).await.map(drop) };
    served.runtime.spawn(asked);
    let call = wait_until("it waits", || ada.waiting().get(0).cloned());
    let answer = send(&ada, &call, json!({"decision": "refuse", "reason": ""}));
    assert_eq!(answer.status, 403, "{}", answer.body);
}

#[test]
fn tried_call_names_asking_person() {
    let tools = callpact::Toolset::single(Asks).unwrap();
    let desk = Desk::new(tools, ToolContext::new()).authenticate(people());
    let served = Served::new(desk);
    let (ada, grace) = (enter(&served, ADA).unwrap(), enter(&served, GRACE).unwrap());
    let body = json!({"number": 1, "tool": "asks", "arguments": "{}"});
    assert_eq!(ada.post("call", &body.to_string()).status, 202);
    let call = wait_until("it waits", || grace.waiting().get(0).cloned());
    assert_eq!(call["asked_by"], "ada", "{call}");
    let body = json!({"id": call["id"], "digest": call["digest"], "decision": {"decision": "refuse", "reason": "no"}});
    assert_eq!(grace.settle("decide", &body.to_string()).status, 200);
    assert_eq!(ada.result(&json!(1))["output"], "refused");
}

/// Asks while it runs
#[tool(read_only)]
async fn asks(cx: &ToolContext) -> &'static str {
    match cx.require_approval("Sure?").await {
        Ok(callpact::ReviewDecision::Continue) => "approved",
        _ => "refused",
    }
}

#[test]
fn invited_browser_signs_in_under_inviter_name() {
    let served = served(people());
    let answer = enter(&served, ADA).unwrap().post("invite", "{}").json();
    let invited = enter(&served, answer["token"].as_str().unwrap()).unwrap();
    assert_eq!(caller_of(&invited), "ada");
}

#[test]
fn role_decision_requires_matching_scope() {
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
        let waiting = ada.waiting();
        waiting.get(0).cloned()
    });
    let decide = |who: &Client, decision: &str| {
        let body = json!({"id": waiting["id"], "digest": waiting["digest"],
            "decision": {"decision": decision}});
        who.settle("decide", &body.to_string())
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
fn stored_call_continues_with_scope_of_role() {
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
fn session_and_event_stream_end_with_token() {
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

#[test]
fn person_sees_only_tools_within_scopes() {
    let rules = ScopeRules::new().mode("ops", PermissionMode::Ask);
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.authenticate(people()).scopes(rules));
    let (ada, grace) = (enter(&served, ADA).unwrap(), enter(&served, GRACE).unwrap());
    let names = |who: &Client| {
        let list = who.get("tools").json();
        let tools = list.as_array().unwrap().iter();
        let names = tools.map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&ada), ["add", "diary", "count"]);
    assert_eq!(names(&grace), ["add", "count"]);
    for (who, status) in [(&ada, 200), (&grace, 404)] {
        let answer = who.post("tool", r#"{"tool": "diary"}"#);
        assert_eq!(answer.status, status, "{}", answer.body);
        // Nor does the answer to another name list a hidden tool.
        let checked = who.post("check", r#"{"tool": "diar", "arguments": "{}"}"#);
        let called = who.call(r#"{"number": 1, "tool": "diar", "arguments": "{}"}"#);
        for answer in [checked, called] {
            let lists_it = answer.body.contains("diary");
            assert_eq!(lists_it, status == 200, "{}", answer.body);
        }
    }
}

/// The servers of a program that lets people connect to more, and notes which.
#[derive(Clone, Default)]
struct OpenServers(Arc<Mutex<Vec<String>>>);

impl Connections for OpenServers {
    fn list(&self) -> Vec<Connection> {
        Vec::new()
    }

    fn allows(&self) -> bool {
        true
    }

    fn connect(&self, wanted: NewConnection) -> BoxFuture<'_, Result<(), String>> {
        self.0.lock().unwrap().push(wanted.name);
        Box::pin(std::future::ready(Ok(())))
    }

    fn disconnect<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        self.0.lock().unwrap().push(format!("not {name}"));
        Box::pin(std::future::ready(Ok(())))
    }
}

#[test]
fn person_who_only_reads_connects_no_server() {
    let servers = OpenServers::default();
    let rules = ScopeRules::new().mode("ops", PermissionMode::Ask);
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let desk = desk.with_connections(servers.clone());
    let served = Served::new(desk.authenticate(people()).scopes(rules));
    let new = r#"{"name": "new", "kind": "command", "settings": {"command": "x"}}"#;
    for (token, status) in [(GRACE, 403), (ADA, 200)] {
        let who = enter(&served, token).unwrap();
        let allowed = &who.post("servers", "{}").json()["allowed"];
        assert_eq!(allowed, status == 200);
        assert_eq!(who.post("connect", new).status, status);
        let answer = who.post("disconnect", r#"{"name": "new"}"#);
        assert_eq!(answer.status, status, "{}", answer.body);
    }
    assert_eq!(*servers.0.lock().unwrap(), ["new", "not new"]);
}
