//! Calls that people start: who clicks decides, and no request stays open.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    sync::{Arc, Mutex},
};

use callpact::{
    PermissionMode, ToolContext, Toolset,
    identity::{Identity, StaticTokens},
    tool,
};
use callpact_desk::Desk;
use serde_json::json;

use crate::kit::{Client, Diary, Served, tools, wait_until};

/// What was deleted
static DELETED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Deletes a file
#[tool(destructive)]
fn delete(name: String) -> String {
    DELETED.lock().unwrap().push(name.clone());
    format!("deleted {name}")
}

fn body(number: u64, tool: &str, arguments: &serde_json::Value) -> String {
    json!({ "number": number, "tool": tool, "arguments": arguments.to_string() }).to_string()
}

#[test]
fn click_approves_reads_and_writes() {
    let diary = Diary::default();
    let asking = ToolContext::new().with_permissions(PermissionMode::Ask);
    let served = Served::new(Desk::new(tools(&diary), asking));
    let client = served.client();
    let written = client.call(&body(1, "diary", &json!({ "text": "one" })));
    assert_eq!(written.json()["text"], "1 lines");
    assert_eq!(
        client.call(&body(2, "add", &json!({ "a": 41 }))).json()["text"],
        "42"
    );
    assert_eq!(client.waiting(), json!([]));
    // A mode that denies still denies.
    let denying = ToolContext::new().with_permissions(PermissionMode::Deny);
    let served = Served::new(Desk::new(tools(&diary), denying));
    let reply = served
        .client()
        .call(&body(1, "diary", &json!({ "text": "two" })));
    assert_eq!(reply.json()["ok"], false, "{}", reply.body);
    assert_eq!(diary.0.lock().unwrap().len(), 1);
}

#[test]
fn destructive_call_asks_once_and_runs_shown_call() {
    let tools = Toolset::single(Delete).unwrap();
    let served = Served::new(Desk::new(tools, ToolContext::new()));
    let client = served.client();
    let deleted = |name: &str| DELETED.lock().unwrap().iter().any(|one| one == name);
    let asked = client.call(&body(1, "delete", &json!({ "name": "a.md" })));
    assert_eq!(asked.status, 202);
    let asks = asked.json()["asks"].clone();
    assert_eq!(asks["arguments"], r#"{"name":"a.md"}"#);
    assert!(!deleted("a.md"));
    let confirm = |digest: &serde_json::Value| {
        client.post(
            "confirm",
            &json!({ "number": 1, "digest": digest }).to_string(),
        )
    };
    assert_eq!(confirm(&json!("another")).status, 409);
    assert_eq!(confirm(&asks["digest"]).status, 202);
    assert_eq!(client.result(&json!(1))["text"], "deleted a.md");
    assert!(deleted("a.md"));
    // A yes counts once.
    assert_eq!(confirm(&asks["digest"]).status, 404);
    // What was cancelled does not run.
    let asked = client.call(&body(2, "delete", &json!({ "name": "b.md" })));
    assert_eq!(client.post("stop", r#"{"number": 2}"#).status, 200);
    let again = json!({ "number": 2, "digest": asked.json()["asks"]["digest"] });
    assert_eq!(client.post("confirm", &again.to_string()).status, 404);
    assert!(!deleted("b.md"));
    // Arguments that do not fit ask nobody.
    let wrong = client.call(&body(3, "delete", &json!({ "name": 5.5, "force": true })));
    assert_eq!(
        (wrong.status, wrong.json()["ok"].as_bool()),
        (200, Some(false))
    );
}

#[test]
fn person_cannot_see_or_confirm_foreign_call() {
    let people = StaticTokens::new()
        .token("a-long-token-of-ada", Identity::new("ada"))
        .and_then(|people| people.token("a-long-token-of-bob", Identity::new("bob")));
    let tools = Toolset::single(Delete).unwrap();
    let served = Served::new(Desk::new(tools, ToolContext::new()).authenticate(people.unwrap()));
    let enter = |token: &str| {
        let nobody = Client {
            address: served.address,
            session: String::new(),
        };
        nobody.enter(token).unwrap()
    };
    let (ada, bob) = (enter("a-long-token-of-ada"), enter("a-long-token-of-bob"));
    let asked = ada.call(&body(1, "delete", &json!({ "name": "of-ada.md" })));
    let digest = asked.json()["asks"]["digest"].clone();
    let yes = json!({ "number": 1, "digest": digest }).to_string();
    assert_eq!(bob.post("confirm", &yes).status, 404);
    assert_eq!(bob.post("result", r#"{"number": 1}"#).status, 404);
    assert_eq!(bob.post("stop", r#"{"number": 1}"#).status, 404);
    assert_eq!(ada.post("confirm", &yes).status, 202);
}

#[test]
fn closed_browser_stops_call() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let (client, closed, other) = (served.client(), served.client(), served.client());
    let mut stream = TcpStream::connect(client.address).unwrap();
    write!(stream, "{}\r\n", client.head("GET", "events")).unwrap();
    BufReader::new(&stream)
        .read_line(&mut String::new())
        .unwrap();
    // The page of the other browser is closed from the beginning.
    for (number, browser) in [(1, &client), (2, &closed)] {
        let count = body(number, "count", &json!({ "steps": 1_000_000 }));
        assert_eq!(browser.post("call", &count).status, 202);
    }
    let is = |number: u64, state: &str| {
        let result = other.post("result", &json!({ "number": number }).to_string());
        (result.json()["state"] == state).then_some(())
    };
    wait_until("it is stopped", || is(2, "done"));
    assert!(is(1, "running").is_some(), "its page is open");
    drop(stream);
    wait_until("it is stopped too", || is(1, "done"));
}

#[test]
fn masks_secret_on_every_path_to_page() {
    /// Logs in
    #[tool(destructive, secrets())]
    fn log_in(host: String, #[tool_param(secret)] password: String) -> String {
        format!("{host} {password}")
    }
    const SECRET: &str = "pass-phrase-of-ada";
    let tools = Toolset::single(LogIn).unwrap();
    let desk = Desk::new(tools.clone(), ToolContext::new());
    let store = Arc::new(callpact::store::MemoryStore::new());
    let served = Served::new(desk.with_store(Arc::clone(&store)));
    let client = served.client();
    let arguments = json!({ "host": "h", "password": SECRET });
    let call = callpact::ToolCall::new("1", "log_in", arguments.to_string());
    let live = served.desk.watch(
        ToolContext::new()
            .with_permissions(PermissionMode::Ask)
            .with_reviewer(served.desk.reviewer()),
    );
    let (tools_too, call_too) = (tools.clone(), call.clone());
    served
        .runtime
        .spawn(async move { tools_too.call(&call_too, &live).await.map(drop) });
    let deferring = ToolContext::new()
        .with_store(store)
        .with_deferred_approval();
    let _ = served.runtime.block_on(tools.call(&call, &deferring));
    let waiting = wait_until("both wait", || {
        let waiting = client.waiting();
        (waiting.as_array().unwrap().len() == 2).then_some(waiting)
    });
    assert!(!waiting.to_string().contains(SECRET), "{waiting}");
    for call in waiting.as_array().unwrap() {
        assert_eq!(call["action"], r#"{"host":"h","password":"(secret)"}"#);
        // An edit that keeps the mask keeps the secret.
        let text = r#"{"host":"other","password":"(secret)"}"#;
        let edit = json!({ "id": call["id"], "text": text }).to_string();
        let seen = client.post("edit", &edit);
        assert!(!seen.body.contains(SECRET), "{}", seen.body);
        let digest = if seen.status == 200 {
            seen.json()["digest"].clone()
        } else {
            json!(null)
        };
        let decision = json!({ "decision": "edit", "text": text });
        let body = json!({ "id": call["id"], "digest": call["digest"], "edited": digest, "decision": decision });
        let answer = client.settle("decide", &body.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(!answer.body.contains(SECRET), "{}", answer.body);
    }
    // The program's call is asked about once more, as it was edited.
    let calls = wait_until("the stored call is in the trace", || {
        let page = client.post("calls", "{}").json();
        let calls = page["calls"].as_array().unwrap().clone();
        calls
            .iter()
            .any(|call| call["outcome"] == "success")
            .then_some(calls)
    });
    for call in calls {
        let full = client.post("trace", &json!({ "number": call["n"] }).to_string());
        assert!(!full.body.contains(SECRET), "{}", full.body);
    }
    let asked = client.call(&body(9, "log_in", &arguments));
    assert!(!asked.body.contains(SECRET), "{}", asked.body);
}
