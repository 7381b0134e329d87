//! What somebody who uses the page for the first time expected, and did not find.

use callpact::{ToolCall, ToolContext, Toolset};
use callpact_desk::Desk;
use serde_json::json;

use super::{
    access::{ask, busy, traced},
    driver::Browser,
    person::{CONTROL, DOWN, ENTER, ESCAPE},
    servers::Noted,
};
use crate::kit::{Add, Diary, Served, tools};

fn opened(served: &Served) -> Option<Browser> {
    let browser = Browser::start()?;
    browser.resize(1280, 800);
    browser.open(&served.url());
    browser.wait_until_connected();
    Some(browser)
}

fn shows(browser: &Browser, selector: &str, words: &str) {
    browser.wait_for(&format!(
        "[...document.querySelectorAll('{selector}')].some((one) => one.checkVisibility() && one.textContent.includes('{words}'))"
    ));
}

/// Goes to a view and to its search, by keys, and types.
fn search(browser: &Browser, view: &str, words: &str) {
    browser.press(&[ESCAPE, view]);
    browser.wait_for(&format!(
        "[...document.querySelectorAll('#nav a')].findIndex((one) => one.ariaCurrent) === {view} - 1"
    ));
    browser.press(&["/"]);
    browser.wait_for("document.activeElement.matches('.search')");
    let keys: Vec<String> = words.chars().map(String::from).collect();
    browser.press(&keys.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn enter_in_search_opens_first_match() {
    let served = busy();
    let Some(browser) = opened(&served) else {
        return;
    };
    search(&browser, "2", "writes a line");
    shows(&browser, "#tools .head", "1 of 6 tools");
    browser.press(&[ENTER]);
    browser.wait_for("location.hash === '#try/diary'");
    shows(&browser, "#tools .title", "Writes a line into the diary.");
    // The arrow goes to the list, and arrows move in it.
    search(&browser, "2", "");
    browser.press_with(CONTROL, "a");
    browser.press(&["t", DOWN, DOWN, ENTER]);
    browser.wait_for(
        "location.hash === '#try/diary' && document.activeElement.dataset.tool === 'diary'",
    );
    search(&browser, "3", "costs of the quarter");
    shows(&browser, "#trace .head", "1 of 9 calls");
    browser.press(&[ENTER]);
    shows(
        &browser,
        "#trace .detail",
        "The costs of the quarter are in report.md",
    );
    search(&browser, "1", "rm -r");
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 1");
    browser.press(&[ENTER]);
    shows(&browser, "#inbox .detail h2", "Run a command");
    assert_eq!(browser.log(), "");
}

#[test]
fn last_decision_is_told_when_nothing_waits() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let Some(browser) = opened(&served) else {
        return;
    };
    let _ended = ask(&served, "diary", &json!({ "text": "the only one" }));
    browser.wait_for("document.querySelector('#inbox .d-approve button:enabled')");
    browser.press(&["a"]);
    shows(&browser, "#inbox .alone", "Nothing waits for you");
    shows(&browser, "#inbox .alone .last", "diary: approved");
}

const TYPED: &str = "['#server-name', '#connect .form textarea'].map((one) => document.querySelector(one)?.value).join()";

#[test]
fn connection_form_stays_until_it_succeeds() {
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.with_connections(Noted::allowing()));
    let Some(browser) = opened(&served) else {
        return;
    };
    browser.visit(
        "connect/+",
        "document.querySelector('#server-name')?.checkVisibility()",
    );
    // Its address leads to it, too.
    browser.reload();
    browser.wait_for("document.querySelector('#server-name')?.checkVisibility()");
    browser.type_into("#server-name", "notes");
    browser.type_into("#connect .form textarea", "nothing");
    browser.resize(1280, 500);
    browser.run(
        "document.querySelector('#connect .detail .scroll').scrollTo(0, 9999)",
        &json!([]),
    );
    browser.press_with(CONTROL, ENTER);
    shows(&browser, "#connect .note.risk", "no such file");
    browser
        .wait_for("document.querySelector('#connect .note.risk').getBoundingClientRect().top >= 0");
    // A program that tried to connect shows its tools again.
    served.desk.replace_tools(Toolset::single(Add).unwrap());
    browser.wait_for("document.querySelectorAll('#tools .item').length === 1");
    shows(&browser, "#connect .note.risk", "no such file");
    assert_eq!(browser.value(TYPED), "notes,nothing");
    browser.visit(
        "inbox",
        "document.querySelector('#inbox').checkVisibility()",
    );
    browser.visit(
        "connect/+",
        "document.querySelector('#server-name')?.checkVisibility()",
    );
    assert_eq!(browser.value(TYPED), "notes,nothing");
    // A new row has the focus.
    browser.run(
        "const [set] = document.querySelectorAll('#connect .label select');
         set.value = 'set';
         set.dispatchEvent(new Event('change'));
         [...document.querySelectorAll('#connect button')].find((one) => one.textContent === 'Add to arguments').click();",
        &json!([]),
    );
    browser.press(&["-", "v"]);
    assert_eq!(
        browser.value(
            "document.activeElement.matches('.line textarea') && document.activeElement.value"
        ),
        "-v"
    );
    browser.type_into("#connect .form textarea", "-server");
    browser.press_with(CONTROL, ENTER);
    browser.wait_for("location.hash === '#connect/notes'");
    browser.visit(
        "connect/+",
        "document.querySelector('#server-name')?.checkVisibility()",
    );
    assert_eq!(browser.value(TYPED), ",");
}

#[test]
fn late_connection_moves_nobody_who_left() {
    let noted = Noted::allowing();
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.with_connections(noted.clone()));
    let Some(browser) = opened(&served) else {
        return;
    };
    browser.visit(
        "connect/+",
        "document.querySelector('#server-name')?.checkVisibility()",
    );
    browser.type_into("#server-name", "late");
    browser.type_into("#connect .form textarea", "slow");
    browser.press_with(CONTROL, ENTER);
    shows(&browser, "#connect .detail", "Connecting…");
    browser.press(&[ESCAPE, "1"]);
    browser.wait_for("document.querySelector('#inbox').checkVisibility()");
    noted.answer();
    browser.wait_for("document.querySelector('#connect .item[href$=late]')");
    assert_eq!(browser.value("location.hash"), "#inbox");
}

#[test]
fn late_schema_does_not_replace_newer_dialect() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let Some(browser) = opened(&served) else {
        return;
    };
    browser.visit(
        "tools/diary",
        "document.querySelector('#tools .detail pre')",
    );
    // The next answer is held back until it is released.
    browser.run(
        "const ask = fetch;
         window.fetch = async (...given) => {
           window.fetch = ask;
           const answer = await ask(...given), data = await answer.json();
           await new Promise((go) => { window.release = go; });
           answer.json = async () => { setTimeout(() => { window.late = true; }); return data; };
           return answer;
         };",
        &json!([]),
    );
    let choose = |dialect: &str| {
        browser.run(
            "const one = document.querySelector('#tools .dialect');
             one.value = arguments[0];
             one.dispatchEvent(new Event('change'));",
            &json!([dialect]),
        );
    };
    choose("openai");
    browser.wait_for("window.release");
    choose("anthropic");
    shows(&browser, "#tools .code-head", "diary for anthropic");
    browser.run("window.release()", &json!([]));
    browser.wait_for("window.late");
    shows(&browser, "#tools .code-head", "diary for anthropic");
    assert_eq!(browser.log(), "");
}

#[test]
fn button_stays_where_fault_was_corrected() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let Some(browser) = opened(&served) else {
        return;
    };
    let place = "JSON.stringify(document.querySelector('section:not([hidden]) .actions .solid').getBoundingClientRect())";
    let _ended = ask(&served, "diary", &json!({ "text": "as it was" }));
    browser.wait_for("document.querySelector('#inbox .d-edit button:enabled')");
    browser.press(&["e"]);
    let edited = "#inbox .form textarea";
    browser.wait_for(&format!("document.querySelector('{edited}')"));
    for width in [1280, 820, 390] {
        browser.resize(width, 900);
        browser.visit(
            "try/diary",
            "document.querySelector('#tools .run')?.checkVisibility()",
        );
        browser.push("Empty the form");
        browser.push("Run");
        shows(&browser, "#tools .actions", "1 fault");
        let with_fault = browser.value(place);
        browser.type_into("#tools .form textarea", "one");
        browser
            .wait_for("!document.querySelector('#tools .actions').textContent.includes('fault')");
        assert_eq!(browser.value(place), with_fault, "{width}");
        browser.visit(
            "inbox",
            "document.querySelector('#inbox').checkVisibility()",
        );
        if width == 390 {
            browser.click("#waiting-list .item");
        }
        browser.clear(edited);
        shows(&browser, "#inbox .actions", "1 fault to correct");
        let with_fault = browser.value(place);
        browser.type_into(edited, "other");
        shows(&browser, "#inbox .actions", "Runs the edited call");
        assert_eq!(browser.value(place), with_fault, "{width}");
    }
}

#[test]
fn filtered_trace_counts_what_it_shows() {
    let served = traced();
    let Some(browser) = opened(&served) else {
        return;
    };
    browser.press(&["3"]);
    shows(&browser, "#trace .detail", "Choose a call");
    browser.push("Failed");
    shows(&browser, "#trace .head", "2 of 6 calls");
    let cx = served.desk.watch(ToolContext::new());
    for (arguments, now) in [(r#"{"a": 1}"#, "2 of 7 calls"), ("{}", "3 of 8 calls")] {
        let call = ToolCall::new("call-9", "add", arguments);
        let made = Toolset::single(Add).unwrap();
        let _ = served.runtime.block_on(made.call(&call, &cx));
        shows(&browser, "#trace .head", now);
    }
    assert_eq!(
        browser.value("document.querySelectorAll('#calls [data-call]').length"),
        3
    );
}
