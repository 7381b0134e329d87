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

#[test]
fn a_call_is_approved_edited_refused_and_rejected() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.click("#nav-waiting");
    let waits = |count: usize| {
        browser.wait_for(&format!(
            "document.querySelectorAll('#waiting article').length === {count}"
        ));
    };
    browser.wait_for("document.querySelector('#waiting').textContent.includes('Nothing waits.')");
    // Approved.
    let ended = start(&served, &diary, "first");
    waits(1);
    assert_eq!(browser.value("document.title"), "(1) Callpact desk");
    let shown = browser.value("document.querySelector('#waiting article').innerText");
    let shown = shown.as_str().unwrap();
    for part in [
        "diary",
        "\"text\": \"first\"",
        "+ first",
        "Digest\n",
        "Since\n",
        "Until\n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    browser.push("Approve");
    assert_eq!(end(&ended).unwrap().to_model(), "1 lines");
    browser.wait_for("document.querySelector('#waiting').textContent.includes('Nothing waits.')");
    // Edited: the faults are those of the reader, and nothing is sent before they are gone.
    let ended = start(&served, &diary, "second");
    waits(1);
    browser.push("Edit");
    browser.wait_for("document.querySelector('#waiting .form textarea')");
    browser.clear("#waiting .form textarea");
    let fault = browser.wait_for("document.querySelector('#waiting .field .fault').textContent");
    assert_eq!(
        fault,
        "text: expected a string of 1 to 80 characters, found \"\""
    );
    let approve = "[...document.querySelectorAll('#waiting button')].find((one) => one.textContent === 'Approve the edit')";
    assert_eq!(browser.value(&format!("{approve}.disabled")), true);
    browser.type_into("#waiting .form textarea", "other");
    browser.wait_for(&format!("!{approve}.disabled"));
    let difference = "[...document.querySelectorAll('#waiting .diff .cut, #waiting .diff .add')].map((one) => one.textContent).join()";
    browser.wait_for(&format!("{difference}.includes('other')"));
    let lines = browser.value(difference);
    assert!(
        lines
            .as_str()
            .unwrap()
            .contains("-   \"text\": \"second\",+   \"text\": \"other\""),
        "{lines}"
    );
    browser.push("Approve the edit");
    // The effect of the edited call is a separate question.
    browser.wait_for(
        "document.querySelector('#waiting').innerText.includes('Call diary, as a person edited it')",
    );
    waits(1);
    let lines = browser.value(
        "[...document.querySelectorAll('#waiting .diff span')].map((one) => one.textContent).join()",
    );
    assert_eq!(lines, "  # Diary,+ other");
    browser.push("Approve");
    assert_eq!(
        end(&ended).unwrap().to_model(),
        "2 lines\n\nNote: a person edited this call to: {\"text\":\"other\"}"
    );
    assert_eq!(*diary.0.lock().unwrap(), ["first", "other"]);
    // Refused with a reason.
    let ended = start(&served, &diary, "third");
    waits(1);
    browser.type_into("#waiting article input[type=text]", "not on a Sunday");
    browser.push("Refuse");
    let reply = end(&ended).unwrap();
    assert!(
        reply
            .to_model()
            .contains("refused the call of 'diary': not on a Sunday"),
        "{}",
        reply.to_model()
    );
    // Rejected.
    let ended = start(&served, &diary, "fourth");
    waits(1);
    browser.push("Reject and end the run");
    assert!(matches!(
        end(&ended),
        Err(Halt::ExitEarly {
            timed_out: false,
            ..
        })
    ));
    // A call that stops waiting leaves the page.
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
        task.abort();
        ended
    };
    assert!(ended.recv().is_err());
    browser.wait_for("document.querySelector('#waiting').textContent.includes('Nothing waits.')");
    assert_eq!(diary.0.lock().unwrap().len(), 2);
    assert_eq!(browser.log(), "");
}

#[test]
fn of_two_who_decide_one_wins_and_the_other_is_told() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.click("#nav-waiting");
    let ended = start(&served, &diary, "once");
    browser.wait_for("document.querySelectorAll('#waiting article').length === 1");
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
    let waiting = other.get("waiting").json();
    let decision = |decision: Value| {
        let call = &waiting[0];
        json!({ "id": call["id"], "digest": call["digest"], "decision": decision }).to_string()
    };
    let refusal = decision(json!({ "decision": "refuse", "reason": "I was faster" }));
    assert_eq!(other.post("decide", &refusal).status, 200);
    assert!(end(&ended).unwrap().to_model().contains("I was faster"));
    browser.run("window.go()", &json!([]));
    browser.wait_for(&format!(
        "document.querySelector('#waiting').textContent.includes('{won}')"
    ));
    assert!(diary.0.lock().unwrap().is_empty());
    let late = other.post("decide", &decision(json!({ "decision": "continue" })));
    assert_eq!(
        (late.status, late.json()["error"].as_str()),
        (409, Some(won.as_str()))
    );
    // Nobody can approve a call that they did not see.
    let ended = start(&served, &diary, "seen");
    let waiting = wait_until("it waits", || {
        let list = other.get("waiting").json();
        list.get(0).is_some().then_some(list)
    });
    let blind =
        json!({ "id": waiting[0]["id"], "digest": "", "decision": { "decision": "continue" } });
    assert_eq!(other.post("decide", &blind.to_string()).status, 409);
    let faulty = json!({ "id": waiting[0]["id"], "digest": waiting[0]["digest"],
        "decision": { "decision": "edit", "text": "{\"text\": 5, \"times\": 99}" } });
    let answer = other.post("decide", &faulty.to_string());
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
    assert_eq!(other.post("decide", &edit.to_string()).status, 200);
    let edited = wait_until("the edited call is asked about", || {
        let list = other.get("waiting").json();
        let asks = list[0]["description"] == "Call diary, as a person edited it";
        asks.then(|| list[0].clone())
    });
    assert_eq!(edited["preview"], "  # Diary\n+ edited");
    let yes = json!({ "id": edited["id"], "digest": edited["digest"], "decision": { "decision": "continue" } });
    assert_eq!(other.post("decide", &yes.to_string()).status, 200);
    assert_eq!(end(&ended).unwrap().result.output(), "1 lines");
    assert_eq!(*diary.0.lock().unwrap(), ["edited"]);
}

#[test]
fn an_edit_of_a_stored_call_shows_what_it_does_before_it_can_be_approved() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let (wall, _, served) = wall_desk(false);
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.click("#nav-waiting");
    browser.wait_for("document.querySelectorAll('#waiting article').length === 1");
    browser.push("Edit");
    browser.wait_for("document.querySelector('#waiting .form textarea')");
    let approve = "[...document.querySelectorAll('#waiting button')].find((one) => one.textContent === 'Approve the edit')";
    let preview =
        "[...document.querySelectorAll('#waiting .diff[aria-label=Preview]')].at(-1).textContent";
    browser.clear("#waiting .form textarea");
    browser.type_into("#waiting .form textarea", "b");
    browser.wait_for(&format!(
        "{preview} === '- old b+ new' && !{approve}.disabled"
    ));
    let shown = browser.value("document.querySelector('#waiting article').innerText");
    let shown = shown.as_str().unwrap();
    assert!(shown.contains("What the edited call does"), "{shown}");
    // A call that changed since it was shown cannot be approved, and is shown again.
    wall.set("b", "somebody's");
    browser.push("Approve the edit");
    browser.wait_for(&format!(
        "{preview} === '- somebody\\'s+ new' && !{approve}.disabled"
    ));
    assert_eq!(wall.get("b").as_deref(), Some("somebody's"));
    browser.push("Approve the edit");
    browser.wait_for("document.querySelector('#waiting').textContent.includes('in black')");
    assert_eq!(wall.get("b").as_deref(), Some("new"));
    assert_eq!(wall.get("a").as_deref(), Some("old a"));
}

#[test]
fn a_page_comes_back_after_a_break_and_a_reload() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let served = Served::new(Desk::new(tools(&diary), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#link').textContent === 'live'");
    browser.click("#nav-waiting");
    served.stop();
    browser.wait_for("document.querySelector('#link').textContent !== 'live'");
    let ended = start(&served, &diary, "while away");
    let again = served.desk.clone().bind(served.address);
    let again = served.runtime.block_on(again).unwrap();
    served.runtime.spawn(again.run());
    browser.wait_for("document.querySelector('#link').textContent === 'live'");
    browser.wait_for("document.querySelectorAll('#waiting article').length === 1");
    // The session outlives a reload; the token is not needed again.
    browser.reload();
    browser.wait_for("document.querySelectorAll('#waiting article').length === 1");
    browser.click("#nav-waiting");
    browser.push("Approve");
    assert_eq!(end(&ended).unwrap().to_model(), "1 lines");
    // A browser without a session is told what to do.
    browser.run("localStorage.clear()", &json!([]));
    browser.reload();
    browser.wait_for("!document.querySelector('#closed').hidden");
}
