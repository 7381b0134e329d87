//! People decide about calls that wait.

use callpact::{Halt, PermissionMode, ToolCall, ToolContext, ToolReply};
use callpact_desk::Desk;
use serde_json::{Value, json};

use super::driver::Browser;
use crate::{
    kit::{Diary, Served, tools, wait_until},
    stored::wall_desk,
};

type Ended = std::sync::mpsc::Receiver<Result<ToolReply, Halt>>;

/// Makes a call of the program, which asks on the page.
fn start(served: &Served, diary: &Diary, text: &str) -> Ended {
    let (done, ended) = std::sync::mpsc::channel();
    let cx = ToolContext::new()
        .with_reviewer(served.desk.reviewer())
        .with_permissions(PermissionMode::Ask);
    let cx = served.desk.watch(cx);
    let (tools, arguments) = (tools(diary), json!({ "text": text }).to_string());
    served.runtime.spawn(async move {
        let call = ToolCall::new("call-1", "diary", arguments);
        let _ = done.send(tools.call(&call, &cx).await);
    });
    ended
}

fn end(ended: &Ended) -> Result<ToolReply, Halt> {
    ended
        .recv_timeout(std::time::Duration::from_secs(60))
        .unwrap()
}

const EMPTY: &str = "document.querySelector('#inbox').innerText.includes('Nothing waits for you')";
const DETAIL: &str = "document.querySelector('#inbox .detail .body')?.innerText";
const EDITED: &str = "#inbox .form textarea";

#[test]
fn a_call_is_approved_edited_refused_and_rejected() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()).named("release-bot"));
    browser.open(&served.url());
    browser.wait_until_connected();
    let waits = |count: usize| {
        browser.wait_for(&format!(
            "document.querySelectorAll('#waiting-list .item:not(.done)').length === {count}"
        ));
    };
    browser.wait_for(EMPTY);
    // Approved.
    let ended = start(&served, &diary, "first");
    waits(1);
    assert_eq!(browser.value("document.title"), "(1) Inbox · Callpact desk");
    let shown = browser.wait_for(DETAIL);
    let shown = shown.as_str().unwrap();
    for part in [
        "diary",
        "writes",
        "Writes a line into the diary.",
        "program release-bot",
        "What happens",
        "+ first",
        "text\nWhat happened",
        "As JSON",
        "What your decision is bound to",
        " left",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    browser.push("Approve");
    assert_eq!(end(&ended).unwrap().to_model(), "1 lines");
    browser.wait_for(EMPTY);
    assert_eq!(browser.value("document.title"), "Inbox · Callpact desk");
    // Edited: the faults are those of the reader, and nothing is sent before they are gone.
    let ended = start(&served, &diary, "second");
    waits(1);
    browser.push("Edit");
    browser.wait_for(&format!("document.querySelector('{EDITED}')"));
    browser.clear(EDITED);
    let fault = browser.wait_for("document.querySelector('#inbox .field .fault').textContent");
    assert_eq!(
        fault,
        "text: expected a string of 1 to 80 characters, found \"\""
    );
    let approve = Browser::button("Approve the edit");
    browser.wait_for(&format!("{approve}.disabled"));
    browser.type_into(EDITED, "other");
    browser.wait_for(&format!("!{approve}.disabled"));
    let difference = "[...document.querySelectorAll('#inbox .diff .del, #inbox .diff .ins')].map((one) => one.textContent).join()";
    browser.wait_for(&format!("{difference}.includes('other')"));
    let lines = browser.value(difference);
    let lines = lines.as_str().unwrap();
    assert!(
        lines.contains("\"text\": \"second\"") && lines.contains("\"text\": \"other\""),
        "{lines}"
    );
    browser.push("Approve the edit");
    // The effect of the edited call is a separate question.
    browser.wait_for(&format!(
        "{DETAIL}.includes('Call diary, as a person edited it')"
    ));
    waits(1);
    let preview =
        browser.value("document.querySelector('#inbox [aria-label=Preview]').textContent");
    assert_eq!(preview, "  # Diary\n+ other");
    let marks = browser
        .value("[...document.querySelectorAll('#inbox .badge')].map((one) => one.textContent)");
    assert_eq!(marks, json!(["edited"]));
    browser.push("Approve");
    assert_eq!(
        end(&ended).unwrap().to_model(),
        "2 lines\n\nNote: a person edited this call to: {\"text\":\"other\"}"
    );
    assert_eq!(*diary.0.lock().unwrap(), ["first", "other"]);
    // Refused with a reason, by keys.
    let ended = start(&served, &diary, "third");
    waits(1);
    browser.wait_for(&Browser::button("Refuse…"));
    browser.press(&["r"]);
    browser.wait_for("document.activeElement.id === 'reason'");
    browser.type_into("#reason", "not on a Sunday");
    browser.press_with("\u{e009}", "\u{e007}");
    let reply = end(&ended).unwrap();
    assert!(
        reply
            .to_model()
            .contains("refused the call of 'diary': not on a Sunday"),
        "{}",
        reply.to_model()
    );
    // The run is ended, which is asked once more.
    let ended = start(&served, &diary, "fourth");
    waits(1);
    browser.push("End run…");
    browser.push("End the run");
    assert!(matches!(
        end(&ended),
        Err(Halt::ExitEarly {
            timed_out: false,
            ..
        })
    ));
    // A call that stops waiting says so, and leaves the list.
    let ended = {
        let (done, ended) = std::sync::mpsc::channel::<()>();
        let cx = ToolContext::new().with_reviewer(served.desk.reviewer());
        let tools = tools(&diary);
        let task = served.runtime.spawn(async move {
            let call = ToolCall::new("call-1", "diary", r#"{"text": "fifth"}"#);
            let _ = tools.call(&call, &cx).await;
            drop(done);
        });
        waits(1);
        browser.wait_for(&Browser::button("Approve"));
        task.abort();
        ended
    };
    assert!(ended.recv().is_err());
    browser.wait_for(
        "document.querySelector('#inbox .note')?.innerText.includes('does not wait any more')",
    );
    browser.push("Next call");
    browser.wait_for(EMPTY);
    assert_eq!(diary.0.lock().unwrap().len(), 2);
    assert_eq!(browser.log(), "");
}

/// Deletes a page
#[callpact::tool(destructive)]
fn delete(name: String) -> String {
    format!("deleted {name}")
}

#[test]
fn keys_decide_but_letter_never_approves_destruction() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let tools = callpact::Toolset::builder()
        .tool(diary.clone())
        .tool(Delete)
        .build()
        .unwrap();
    let served = Served::new(Desk::new(tools.clone(), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    let call = |name: &'static str, arguments: Value| {
        let (done, ended) = std::sync::mpsc::channel();
        let cx = ToolContext::new()
            .with_reviewer(served.desk.reviewer())
            .with_permissions(PermissionMode::Ask);
        let tools = tools.clone();
        served.runtime.spawn(async move {
            let call = ToolCall::new("call-1", name, arguments.to_string());
            let _ = done.send(tools.call(&call, &cx).await);
        });
        ended
    };
    let first = call("diary", json!({ "text": "one" }));
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 1");
    let second = call("delete", json!({ "name": "a.md" }));
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 2");
    browser.wait_for(&Browser::button("Approve"));
    // `j` goes to the next call, and `k` back.
    browser.press(&["j"]);
    let title = "document.querySelector('#inbox .detail h2')?.textContent";
    browser.wait_for(&format!("{title} === 'delete'"));
    browser.press(&["k"]);
    browser.wait_for(&format!("{title} === 'diary'"));
    browser.wait_for(&Browser::button("Approve"));
    browser.press(&["a"]);
    assert_eq!(end(&first).unwrap().to_model(), "1 lines");
    // Shows the next call and announces it to a screen reader.
    browser.wait_for(&format!("{title} === 'delete'"));
    assert_eq!(
        browser.value("document.querySelector('#said').textContent"),
        "diary: approved"
    );
    browser.wait_for(&Browser::button("Approve"));
    browser.press(&["a"]);
    browser.wait_for("document.activeElement.matches('#inbox .d-approve .destructive')");
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(second.try_recv().is_err(), "a letter does not approve it");
    browser.press(&["\u{e007}"]);
    assert_eq!(end(&second).unwrap().to_model(), "deleted a.md");
    // The views have digits, and a search has a key.
    browser.press(&["2"]);
    browser.wait_for("!document.querySelector('#tools').hidden");
    browser.press(&["/"]);
    browser.wait_for("document.activeElement.matches('#tools .search')");
    browser.press(&["a", "\u{e00c}", "?"]);
    browser.wait_for("document.querySelector('#dialog').open");
    assert_eq!(browser.log(), "");
}

#[test]
fn first_browser_decides_and_second_sees_winner() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    let ended = start(&served, &diary, "once");
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 1");
    browser.wait_for(&Browser::button("Approve"));
    // The page does not hear of the other's decision before it sends its own.
    browser.run(
        "const send = window.fetch; window.held = new Promise((go) => { window.go = go; }); \
         window.fetch = async (...args) => { await window.held; return send(...args); };",
        &json!([]),
    );
    browser.push("Approve");
    let other = served.client();
    let name = other.get("me").json()["name"].as_str().unwrap().to_owned();
    assert!(name.ends_with("browser 2"), "{name}");
    let won = format!("already refused by {name}");
    let waiting = other.waiting();
    let decision = |decision: Value| {
        let call = &waiting[0];
        json!({ "id": call["id"], "digest": call["digest"], "decision": decision }).to_string()
    };
    let refusal = decision(json!({ "decision": "refuse", "reason": "I was faster" }));
    assert_eq!(other.settle("decide", &refusal).status, 200);
    assert!(end(&ended).unwrap().to_model().contains("I was faster"));
    browser.run("window.go()", &json!([]));
    browser.wait_for(&format!(
        "document.querySelector('#inbox').textContent.includes('{won}')"
    ));
    assert!(diary.0.lock().unwrap().is_empty());
    let late = other.settle("decide", &decision(json!({ "decision": "continue" })));
    assert_eq!(
        (late.status, late.json()["error"].as_str()),
        (409, Some(won.as_str()))
    );
    // Nobody can approve a call that they did not see.
    let ended = start(&served, &diary, "seen");
    let waiting = wait_until("it waits", || {
        let list = other.waiting();
        list.get(0).is_some().then_some(list)
    });
    let blind =
        json!({ "id": waiting[0]["id"], "digest": "", "decision": { "decision": "continue" } });
    assert_eq!(other.settle("decide", &blind.to_string()).status, 409);
    let faulty = json!({ "id": waiting[0]["id"], "digest": waiting[0]["digest"],
        "decision": { "decision": "edit", "text": "{\"text\": 5, \"times\": 99}" } });
    let answer = other.settle("decide", &faulty.to_string());
    assert_eq!(answer.status, 422);
    assert!(
        answer.json()["error"]
            .as_str()
            .unwrap()
            .contains("times: expected"),
        "{}",
        answer.body
    );
    let edit = json!({ "id": waiting[0]["id"], "digest": waiting[0]["digest"],
        "decision": { "decision": "edit", "text": "{\"text\": \"edited\"}" } });
    assert_eq!(other.settle("decide", &edit.to_string()).status, 200);
    let edited = wait_until("the edited call is asked about", || {
        let list = other.waiting();
        let asks = list[0]["description"] == "Call diary, as a person edited it";
        asks.then(|| list[0].clone())
    });
    assert_eq!(edited["preview"], "  # Diary\n+ edited");
    let yes = json!({ "id": edited["id"], "digest": edited["digest"], "decision": { "decision": "continue" } });
    assert_eq!(other.settle("decide", &yes.to_string()).status, 200);
    assert_eq!(end(&ended).unwrap().result.output(), "1 lines");
    assert_eq!(*diary.0.lock().unwrap(), ["edited"]);
}

#[test]
fn stored_edit_shows_effect_before_approval() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let (wall, _, served) = wall_desk(false);
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 1");
    browser.push("Edit");
    browser.wait_for(&format!("document.querySelector('{EDITED}')"));
    let approve = Browser::button("Approve the edit");
    let preview = "document.querySelector('#inbox [aria-label=Preview]')?.textContent";
    browser.clear(EDITED);
    browser.type_into(EDITED, "b");
    browser.wait_for(&format!(
        "{preview} === '- old b\\n+ new' && !{approve}.disabled"
    ));
    let shown = browser.value(DETAIL);
    let shown = shown.as_str().unwrap();
    assert!(shown.contains("What the edited call does"), "{shown}");
    // A call that changed since it was shown cannot be approved, and is shown again.
    wall.set("b", "somebody's");
    browser.push("Approve the edit");
    browser.wait_for(&format!(
        "{preview} === '- somebody\\'s\\n+ new' && !{approve}.disabled"
    ));
    assert_eq!(wall.get("b").as_deref(), Some("somebody's"));
    browser.push("Approve the edit");
    browser
        .wait_for("document.querySelector('#inbox').textContent.includes('edited and approved')");
    wait_until("it runs", || {
        (wall.get("b").as_deref() == Some("new")).then_some(())
    });
    assert_eq!(wall.get("a").as_deref(), Some("old a"));
}

#[test]
fn page_recovers_after_disconnect_and_reload() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#link').textContent === 'connected'");
    served.stop();
    browser.wait_for("document.querySelector('#link').textContent !== 'connected'");
    let ended = start(&served, &diary, "while away");
    let again = served.desk.clone().bind(served.address);
    let again = served.runtime.block_on(again).unwrap();
    served.runtime.spawn(again.run());
    browser.wait_for("document.querySelector('#link').textContent === 'connected'");
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 1");
    // The session outlives a reload; the token is not needed again.
    browser.reload();
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 1");
    browser.push("Approve");
    assert_eq!(end(&ended).unwrap().to_model(), "1 lines");
    // A browser without a session is told what to do.
    browser.run("localStorage.clear()", &json!([]));
    browser.reload();
    browser.wait_for("!document.querySelector('#closed').hidden");
}

#[test]
fn late_page_keeps_count_heard_meanwhile() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    let ended = ["one", "two"].map(|text| start(&served, &diary, text));
    browser.wait_for("document.title.startsWith('(2)')");
    // The answer with two calls arrives after one of them was decided.
    browser.run(
        "const send = window.fetch; window.held = new Promise((go) => { window.go = go; }); \
         window.fetch = async (...args) => { \
             const answer = await send(...args); \
             if (!args[0].startsWith('api/inbox')) return answer; \
             window.asked = true; await window.held; window.came = true; return answer; }; \
         const find = document.querySelector('#inbox .search'); \
         find.value = 'o'; find.dispatchEvent(new Event('input'));",
        &json!([]),
    );
    browser.wait_for("window.asked === true");
    let other = served.client();
    let waiting = other.waiting();
    let refusal = json!({ "decision": "refuse", "reason": "not now" });
    let body =
        json!({ "id": waiting[0]["id"], "digest": waiting[0]["digest"], "decision": refusal });
    assert_eq!(other.settle("decide", &body.to_string()).status, 200);
    browser.wait_for("document.title.startsWith('(1)')");
    browser.run("window.go()", &json!([]));
    browser.wait_for("window.came === true && document.querySelectorAll('#waiting-list .item:not(.done)').length === 1");
    browser.wait_for("new Promise((done) => setTimeout(() => done(true), 100))");
    assert_eq!(browser.value("document.title.slice(0, 3)"), "(1)");
    assert_eq!(browser.log(), "");
    drop(ended);
}
