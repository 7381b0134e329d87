//! Calls that wait in a store, for one process and for many.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use callpact::{
    Halt, Permission, PermissionMode, ReviewDecision, ToolCall, ToolContext, ToolInput, Toolset,
    TypedAgentTool,
    store::{CallStore, Claim, Decided, MemoryStore, Moment, Taken},
};
use callpact_desk::Desk;
use callpact_store::SqliteStore;
use serde_json::{Value, json};

use crate::kit::{Client, Diary, Served, tools, wait_until};

/// Makes a call that ends in the store.
pub(crate) fn defer(
    served: &Served,
    tools: &Toolset,
    store: &(impl CallStore + Clone + 'static),
    text: &str,
) -> String {
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_store(store.clone())
        .with_caller("the night shift")
        .with_deferred_approval();
    let call = ToolCall::new("call-1", "diary", json!({ "text": text }).to_string());
    match served.runtime.block_on(tools.call(&call, &cx)) {
        Err(Halt::Pending(pending)) => pending.id,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn decide(client: &Client, decision: &Value) -> (u16, Value) {
    let list = client.waiting();
    let call = list
        .as_array()
        .unwrap()
        .iter()
        .find(|call| call["state"] == "waiting")
        .unwrap()
        .clone();
    let mut body = json!({ "id": call["id"], "digest": call["digest"], "decision": decision });
    if let Some(text) = decision.get("text") {
        let edit = json!({ "id": call["id"], "text": text });
        body["edited"] = client.post("edit", &edit.to_string()).json()["digest"].take();
    }
    let answer = client.settle("decide", &body.to_string());
    (answer.status, answer.json())
}

/// The pages of a wall, and the tool that replaces them.
#[derive(Clone, Default)]
pub(crate) struct Wall(Arc<Mutex<BTreeMap<String, String>>>);

#[derive(ToolInput)]
pub(crate) struct Poster {
    page: String,
    text: String,
    #[tool_param(default = "black")]
    colour: String,
}

impl Wall {
    pub(crate) fn set(&self, page: &str, text: &str) {
        let mut pages = self.0.lock().unwrap();
        pages.insert(page.to_owned(), text.to_owned());
    }

    pub(crate) fn get(&self, page: &str) -> Option<String> {
        self.0.lock().unwrap().get(page).cloned()
    }
}

impl TypedAgentTool for Wall {
    type Input = Poster;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &'static str {
        "wall"
    }
    fn description(&self) -> &'static str {
        "Replaces what stands on a page."
    }
    fn permission(&self) -> Permission {
        Permission::Write
    }
    fn preview(&self, input: &Poster) -> Option<callpact::review::Preview> {
        Some(format!("- {}\n+ {}", self.get(&input.page)?, input.text).into())
    }
    async fn execute(&self, input: Poster, _: &ToolContext) -> String {
        self.set(&input.page, &input.text);
        format!("in {}", input.colour)
    }
}

/// A desk with a wall, over a store in which a call of it waits.
pub(crate) fn wall_desk(only_decides: bool) -> (Wall, Arc<MemoryStore>, Served) {
    let (wall, store) = (Wall::default(), Arc::new(MemoryStore::new()));
    wall.set("a", "old a");
    wall.set("b", "old b");
    let tools = Toolset::single(wall.clone()).unwrap();
    let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(Arc::clone(&store));
    let served = Served::new(if only_decides {
        desk.decide_only()
    } else {
        desk
    });
    let cx = ToolContext::new()
        .with_store(Arc::clone(&store))
        .with_deferred_approval();
    let call = ToolCall::new("call-1", "wall", r#"{"page": "a", "text": "new"}"#);
    let waits = served.runtime.block_on(tools.call(&call, &cx));
    assert!(matches!(waits, Err(Halt::Pending(_))), "{waits:?}");
    (wall, store, served)
}

const EDIT: &str = r#"{"page": "b", "text": "new"}"#;

#[test]
fn shows_effect_of_edit_and_binds_approval() {
    for only_decides in [false, true] {
        let (wall, store, served) = wall_desk(only_decides);
        let client = served.client();
        let call = client.waiting()[0].take();
        assert_eq!(call["shows_edits"], true);
        let look = || {
            let body = json!({ "id": call["id"], "text": EDIT });
            client.post("edit", &body.to_string()).json()
        };
        let shown = look();
        assert_eq!(shown["preview"], "- old b\n+ new");
        assert_eq!(shown["changes"], json!([r#"colour: "black" by default"#]));
        let decide = |seen: &Value| {
            let decision = json!({ "decision": "edit", "text": EDIT });
            let body = json!({ "id": call["id"], "digest": call["digest"], "edited": seen, "decision": decision });
            client.settle("decide", &body.to_string())
        };
        // Nobody approves a call that they have not seen, or that has changed since.
        for seen in [&Value::Null, &call["digest"]] {
            let answer = decide(seen);
            assert_eq!(answer.status, 412, "{}", answer.body);
            assert!(answer.body.contains("look at it again"), "{}", answer.body);
        }
        wall.set("b", "somebody's");
        assert_eq!(decide(&shown["digest"]).status, 412);
        let shown = look();
        assert_eq!(shown["preview"], "- somebody's\n+ new");
        // The page of the call as it was made does not matter.
        wall.set("a", "other");
        let answer = decide(&shown["digest"]);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let id = call["id"].as_str().unwrap();
        let stored = served.runtime.block_on(store.get(id)).unwrap().unwrap();
        assert_eq!(
            stored.seen().preview.as_deref(),
            Some("- somebody's\n+ new")
        );
        if only_decides {
            let listed = client.waiting();
            assert_eq!(
                listed[0]["decided"]["edited"]["preview"],
                "- somebody's\n+ new"
            );
            assert_eq!(wall.get("b").as_deref(), Some("somebody's"));
        } else {
            assert_eq!(
                answer.json()["reply"]["text"],
                format!("in black\n\nNote: a person edited this call to: {EDIT}")
            );
            assert_eq!(wall.get("b").as_deref(), Some("new"));
        }
        assert_eq!(wall.get("a").as_deref(), Some("other"));
    }
}

#[test]
fn desk_decides_and_runs_stored_call() {
    let diary = Diary::default();
    let tools = tools(&diary);
    let (served, store) = Served::over_store(&tools);
    let client = served.client();
    defer(&served, &tools, &store, "one");
    let call = client.waiting()[0].clone();
    assert_eq!(call["asked_by"], "the night shift");
    assert_eq!(call["preview"], "  # Diary\n+ one");
    let (status, answer) = decide(&client, &json!({ "decision": "continue" }));
    assert_eq!(
        (status, &answer["reply"]["text"]),
        (200, &json!("1 lines")),
        "{answer}"
    );
    defer(&served, &tools, &store, "two");
    // An edit that does not fit decides nothing.
    let (status, answer) = decide(
        &client,
        &json!({ "decision": "edit", "text": "{\"text\": \"\"}" }),
    );
    assert_eq!(status, 422, "{answer}");
    let (status, answer) = decide(
        &client,
        &json!({ "decision": "edit", "text": "{\"text\": \"2\"}" }),
    );
    assert_eq!(
        (status, &answer["settled"]),
        (200, &json!("edited and approved")),
        "{answer}"
    );
    assert_eq!(*diary.0.lock().unwrap(), ["one", "2"]);
    defer(&served, &tools, &store, "three");
    let (_, answer) = decide(&client, &json!({ "decision": "refuse", "reason": "no" }));
    assert!(
        answer["reply"]["text"]
            .as_str()
            .unwrap()
            .contains("refused"),
        "{answer}"
    );
    defer(&served, &tools, &store, "four");
    let (_, answer) = decide(&client, &json!({ "decision": "exit_early" }));
    assert_eq!(answer["reply"]["outcome"], "exit_early", "{answer}");
    assert_eq!(client.waiting(), json!([]));
    assert_eq!(diary.0.lock().unwrap().len(), 2);
    // The calls that were carried out are in the trace.
    let calls = client.post("calls", "{}").json()["calls"].take();
    let from_store = calls
        .as_array()
        .unwrap()
        .iter()
        .filter(|call| call["from"] == "store")
        .count();
    assert_eq!(from_store, 4, "{calls}");
}

#[test]
fn slower_desk_shows_faster_decider() {
    let folder = tempfile::tempdir().unwrap();
    let open = || SqliteStore::open(folder.path().join("calls.db")).unwrap();
    let (diary, store) = (Diary::default(), Arc::new(open()));
    let tools = tools(&diary);
    let desks = [false, true].map(|decide_only| {
        let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(open());
        Served::new(if decide_only {
            desk.decide_only()
        } else {
            desk
        })
    });
    let clients = desks.each_ref().map(Served::client);
    let names = clients
        .each_ref()
        .map(|client| client.get("me").json()["name"].clone());
    assert_ne!(names[0], names[1], "each is the first browser of its desk");
    for (faster, slower) in [(0, 1), (1, 0)] {
        defer(&desks[0], &tools, &store, &format!("by {faster}"));
        let list = clients[slower].waiting();
        let call = list.as_array().unwrap().iter();
        let call = call
            .clone()
            .find(|call| call["state"] == "waiting")
            .unwrap();
        let (status, _) = decide(&clients[faster], &json!({ "decision": "continue" }));
        assert_eq!(status, 200);
        let late = json!({ "id": call["id"], "digest": call["digest"], "decision": { "decision": "continue" } });
        let late = clients[slower].settle("decide", &late.to_string());
        let by = names[faster].as_str().unwrap();
        // A call that ran to its end leaves the store, and nobody knows it any more.
        let told = if late.status == 404 {
            "decided about elsewhere"
        } else {
            by
        };
        assert!(late.body.contains(told), "{}", late.body);
        assert!(
            !late.body.contains(names[slower].as_str().unwrap()),
            "{}",
            late.body
        );
        assert!(
            matches!((faster, late.status), (0, 404 | 409) | (1, 409)),
            "{}",
            late.body
        );
    }
}

#[test]
fn a_desk_that_only_decides_runs_nothing() {
    let (diary, store) = (Diary::default(), Arc::new(MemoryStore::new()));
    let tools = tools(&diary);
    let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(Arc::clone(&store));
    let served = Served::new(desk.decide_only());
    let client = served.client();
    let id = defer(&served, &tools, &store, "later");
    let (status, _) = decide(&client, &json!({ "decision": "continue" }));
    assert_eq!(status, 200);
    assert!(diary.0.lock().unwrap().is_empty());
    let list = client.waiting();
    assert_eq!(
        (&list[0]["state"], &list[0]["decided"]["what"]),
        (&json!("decided"), &json!("approved"))
    );
    let body = json!({ "id": list[0]["id"] }).to_string();
    assert_eq!(client.settle("resume", &body).status, 404);
    // The process that carries it out.
    let cx = ToolContext::new().with_store(store);
    let reply = served.runtime.block_on(tools.resume(&id, &cx)).unwrap();
    assert_eq!(reply.to_model(), "1 lines");
}

#[test]
fn decides_call_of_other_workspace_without_running() {
    let (diary, store) = (Diary::default(), Arc::new(MemoryStore::new()));
    let tools = tools(&diary);
    let here = ToolContext::new().with_workspace("here");
    let desk = Desk::new(tools.clone(), here.clone()).with_store(Arc::clone(&store));
    let served = Served::new(desk);
    let client = served.client();
    let cx = ToolContext::new()
        .with_permissions(PermissionMode::Ask)
        .with_store(Arc::clone(&store));
    let call = ToolCall::new("call-1", "diary", r#"{"text": "one"}"#);
    for (workspace, runs_here) in [("there", false), ("here", true)] {
        let cx = cx.clone().with_workspace(workspace);
        let deferring = cx.clone().with_deferred_approval();
        let made = served.runtime.block_on(tools.call(&call, &deferring));
        let Err(Halt::Pending(pending)) = made else {
            panic!("it waits");
        };
        let list = client.waiting();
        let shown = list
            .as_array()
            .unwrap()
            .iter()
            .find(|call| call["state"] == "waiting")
            .unwrap();
        assert_eq!(shown["workspace"], workspace);
        assert_eq!(shown["runs_here"], runs_here);
        let (status, _) = decide(&client, &json!({ "decision": "continue" }));
        assert_eq!(status, 200);
        assert_eq!(diary.0.lock().unwrap().len(), usize::from(runs_here));
        if !runs_here {
            let body = json!({ "id": shown["id"] }).to_string();
            assert_eq!(client.settle("resume", &body).status, 409);
            assert!(diary.0.lock().unwrap().is_empty());
            // The process that works there carries it out.
            let there = tools.resume(&pending.id, &cx);
            let reply = served.runtime.block_on(there).unwrap();
            assert_eq!(reply.to_model(), "1 lines");
            diary.0.lock().unwrap().clear();
        }
    }
}

#[test]
fn of_a_page_and_another_process_one_wins() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("calls.db");
    let open = || Arc::new(SqliteStore::open(&file).unwrap());
    let diary = Diary::default();
    let tools = tools(&diary);
    let served = Served::new(Desk::new(tools.clone(), ToolContext::new()).with_store(open()));
    let (one, two) = (served.client(), served.client());
    let (mut won, mut lost) = (0, 0);
    for round in 0..20 {
        let id = defer(&served, &tools, &open(), &format!("round {round}"));
        let list = one.waiting();
        let body = json!({ "id": list[0]["id"], "digest": list[0]["digest"], "decision": { "decision": "continue" } });
        let body = body.to_string();
        let other = open();
        let console = Decided::new(ReviewDecision::REJECT, "console", Moment::now());
        let (first, second, third) = std::thread::scope(|scope| {
            let first = scope.spawn(|| one.settle("decide", &body));
            let second = scope.spawn(|| two.settle("decide", &body));
            let third = scope.spawn(|| served.runtime.block_on(other.take(&id, &console)).unwrap());
            (
                first.join().unwrap(),
                second.join().unwrap(),
                third.join().unwrap(),
            )
        });
        let taken = matches!(third, Taken::Won(_));
        let winners = [first.status == 200, second.status == 200, taken];
        assert_eq!(
            winners.iter().filter(|won| **won).count(),
            1,
            "{first:?} {second:?} {third:?}"
        );
        for answer in [&first, &second] {
            if answer.status == 200 {
                won += 1;
            } else {
                lost += 1;
                assert_eq!(answer.status, 409, "{answer:?}");
                let error = answer.json()["error"].as_str().unwrap().to_owned();
                assert!(
                    error.starts_with("already ")
                        && (error.contains(", browser ") || error.contains("console")),
                    "{error}"
                );
            }
        }
    }
    assert_eq!(diary.0.lock().unwrap().len(), won);
    assert_eq!(won + lost, 40);
}

#[test]
fn restarted_desk_shows_waiting_and_new_calls() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("calls.db");
    let open = || Arc::new(SqliteStore::open(&file).unwrap());
    let tools = tools(&Diary::default());
    let desk = || Desk::new(tools.clone(), ToolContext::new()).with_store(open());
    let served = Served::new(desk());
    let id = defer(&served, &tools, &open(), "before the end");
    let old = served.client();
    drop(served);
    let served = Served::new(desk());
    let client = served.client();
    let list = client.waiting();
    assert_eq!(list[0]["id"], id);
    // The sessions of the old desk ended with it.
    let old = Client {
        address: client.address,
        ..old
    };
    assert_eq!(old.get("tools").status, 401);
    // Another process puts a call in; an open page hears of it.
    let heard = {
        let client = client.clone();
        std::thread::spawn(move || crate::events::wait_for_event(&client, "waiting"))
    };
    std::thread::sleep(Duration::from_millis(1_500));
    defer(&served, &tools, &open(), "from elsewhere");
    wait_until("the page hears of it", || heard.is_finished().then_some(()));
    heard.join().unwrap();
    assert_eq!(client.waiting().as_array().unwrap().len(), 2);
}

#[test]
fn shows_call_of_ended_process_as_broken_off() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("calls.db");
    let open = || Arc::new(SqliteStore::open(&file).unwrap());
    let diary = Diary::default();
    let tools = tools(&diary);
    let served = Served::new(Desk::new(tools.clone(), ToolContext::new()).with_store(open()));
    let client = served.client();
    let id = defer(&served, &tools, &open(), "half");
    let run = || client.waiting()[0]["decided"]["run"].take();
    // Another process lets it run, begins, and ends without a result.
    let store = open();
    let approved = Decided::new(ReviewDecision::Continue, "console", Moment::now());
    let taken = served.runtime.block_on(store.take(&id, &approved)).unwrap();
    let Taken::Won(call) = taken else {
        panic!("{taken:?}");
    };
    assert_eq!(run(), Value::Null);
    let (long, over) = (Duration::from_secs(3_600), Duration::ZERO);
    let claim = store.claim(&call.key, long, Moment::now());
    let Claim::Held(token) = served.runtime.block_on(claim).unwrap() else {
        panic!("nobody else claims it");
    };
    assert_eq!(run(), "running");
    let renew = |lease| {
        let renewed = store.renew(&call.key, token, lease, Moment::now());
        served.runtime.block_on(renewed).unwrap();
    };
    // An open page hears of the change. It looks once a second, and each state lasts longer.
    let heard = {
        let client = client.clone();
        std::thread::spawn(move || crate::events::wait_for_event(&client, "waiting"))
    };
    let mut looks = 0;
    wait_until("the page hears of it", || {
        renew(if looks / 30 % 2 == 0 { long } else { over });
        looks += 1;
        heard.is_finished().then_some(())
    });
    heard.join().unwrap();
    renew(over);
    assert_eq!(run(), "broken_off");
    // It writes, so it is not begun again.
    let body = json!({ "id": id }).to_string();
    let answer = client.settle("resume", &body).json();
    assert_eq!(answer["reply"]["outcome"], "unknown", "{answer}");
    assert!(diary.0.lock().unwrap().is_empty());
    assert_eq!(client.waiting(), json!([]));
}

#[test]
fn rejects_approval_without_required_role() {
    let (diary, store) = (Diary::default(), Arc::new(MemoryStore::new()));
    let tools = Toolset::builder()
        .tool(diary.clone())
        .require_approval_by("diary", "ops")
        .build()
        .unwrap();
    for only in [false, true] {
        let desk = Desk::new(tools.clone(), ToolContext::new()).with_store(Arc::clone(&store));
        let served = Served::new(if only { desk.decide_only() } else { desk });
        defer(&served, &tools, &store, "for ops");
        let client = served.client();
        let (status, answer) = decide(&client, &json!({ "decision": "continue" }));
        assert_eq!(
            (status, answer["error"].as_str()),
            (403, Some("the decision must come from the role `ops`"))
        );
        // Anybody may reject.
        assert_eq!(decide(&client, &json!({ "decision": "exit_early" })).0, 200);
    }
    assert!(diary.0.lock().unwrap().is_empty());
}
