//! No input of a person is silently lost, and nothing in it is hidden from them.

use callpact::{
    Permission, ReviewHandler, ReviewRequest, ToolContext, ToolError, ToolInput, Toolset,
    TypedAgentTool,
    identity::{Identity, ScopeRules, StaticTokens},
    review::{ReviewDecision, ReviewTiming},
    tool,
};
use callpact_desk::Desk;
use serde_json::{Value, json};

use super::driver::Browser;
use crate::kit::{Diary, Served, tools, wait_until};

/// Whether the browser would ask before the page goes.
const ASKS: &str = "!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))";

fn open(browser: &Browser, served: &Served) {
    browser.open(&served.url());
    browser.wait_until_connected();
}

fn visit(browser: &Browser, address: &str, ready: &str) {
    browser.visit(address, ready);
}

const EDITED: &str = "#inbox .form textarea";
const FITS: &str = "document.querySelector('#tools .actions [data-faults=\"0\"]')";
const FAULTS: &str =
    "document.querySelector('#tools .actions [data-faults]:not([data-faults=\"0\"])')";

/// A question of the program about a call of the diary, and what it is answered.
fn ask(served: &Served) -> std::sync::mpsc::Receiver<ReviewDecision> {
    let (done, answer) = std::sync::mpsc::channel();
    let request = ReviewRequest::new("Call diary")
        .timing(ReviewTiming::BeforeExecution)
        .tool("diary")
        .action(r#"{"text":"as it was"}"#);
    let reviewer = served.desk.reviewer();
    served.runtime.spawn(async move {
        if let Ok(decision) = reviewer.review(&request).await {
            let _ = done.send(decision);
        }
    });
    answer
}

#[test]
fn an_open_edit_is_what_is_approved() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let minute = std::time::Duration::from_secs(60);
    open(&browser, &served);
    let answer = ask(&served);
    let edit = || {
        browser.push("Edit");
        browser.wait_for(&format!("document.querySelector('{EDITED}')"));
    };
    edit();
    browser.clear(EDITED);
    browser.type_into(EDITED, "other");
    // The original call cannot be approved next to it.
    assert_eq!(
        browser.value(&format!("{} === undefined", Browser::button("Approve"))),
        true
    );
    assert_eq!(browser.value(ASKS), true);
    // A decision that does not come through changes nothing of that.
    let yes = Browser::button("Approve the edit");
    browser.wait_for(&format!("!{yes}.disabled"));
    browser.run(
        "const send = window.fetch; window.fetch = (...args) => { if (args[0] !== 'api/decide') return send(...args); \
         window.fetch = send; return Promise.reject(new TypeError('Failed to fetch')); };",
        &json!([]),
    );
    browser.push("Approve the edit");
    browser.wait_for("document.querySelector('#inbox .note')?.innerText.includes('No connection to the program')");
    assert_eq!(
        browser.value(&format!("document.querySelector('{EDITED}').value")),
        "other"
    );
    browser.run("dispatchEvent(new Event('online'))", &json!([]));
    browser.push("Approve the edit");
    let edited = r#"{"text":"other"}"#.to_owned();
    assert_eq!(
        answer.recv_timeout(minute).unwrap(),
        ReviewDecision::Edit(edited)
    );
    browser.wait_for("document.querySelector('#said').textContent.includes('edited and approved')");
    assert_eq!(browser.value(ASKS), false);
    // An edit that is given up is gone, and the call is as it was.
    let answer = ask(&served);
    edit();
    browser.type_into(EDITED, "x");
    browser.push("Discard the edit");
    assert_eq!(browser.value(ASKS), false);
    browser.push("Approve");
    assert_eq!(
        answer.recv_timeout(minute).unwrap(),
        ReviewDecision::Continue
    );
    // Somebody else decides under an edit: its text stays until it was read.
    let answer = ask(&served);
    edit();
    browser.type_into(EDITED, " and mine");
    let other = served.client();
    let call = other.waiting()[0].clone();
    let body = json!({ "id": call["id"], "digest": call["digest"], "decision": { "decision": "refuse", "reason": "no" } });
    assert_eq!(other.settle("decide", &body.to_string()).status, 200);
    assert!(!answer.recv_timeout(minute).unwrap().goes_on());
    browser.wait_for(
        "document.querySelector('#inbox').textContent.includes('What you typed was not sent')",
    );
    let typed = format!("document.querySelector('{EDITED}').value");
    assert_eq!(browser.value(&typed), "as it was and mine");
    browser.push("Next call");
    browser
        .wait_for("document.querySelector('#inbox').innerText.includes('Nothing waits for you')");
    assert_eq!(browser.value(ASKS), false);
    assert_eq!(browser.log(), "");
}

#[test]
fn what_somebody_typed_stays_or_is_asked_about() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    open(&browser, &served);
    visit(
        &browser,
        "try/add",
        "document.querySelector('#tools .form input')",
    );
    assert_eq!(browser.value(ASKS), false);
    browser.type_into("#tools .form input", "41");
    assert_eq!(browser.value(ASKS), true);
    // Another tool, and back.
    visit(
        &browser,
        "try/diary",
        "document.querySelector('#tools .form textarea')",
    );
    visit(
        &browser,
        "try/add",
        "document.querySelector('#tools .detail h2')?.textContent === 'add'",
    );
    assert_eq!(
        browser.value("document.querySelector('#tools .form input').value"),
        "41"
    );
    // The trace has what was run.
    browser.run_what_fits();
    browser.wait_for("document.querySelector('#tools .body pre')");
    assert_eq!(browser.value(ASKS), false);
    browser.push("Empty the form");
    browser.wait_for("document.querySelector('#tools .form input')?.value === ''");
    // A call that runs is there when somebody comes back to it.
    visit(
        &browser,
        "try/count",
        "document.querySelector('#tools .detail h2')?.textContent === 'count'",
    );
    browser.type_into("#tools .form input", "100000");
    browser.run_what_fits();
    browser.wait_for("document.querySelector('#tools progress')?.value > 0");
    visit(
        &browser,
        "try/add",
        "document.querySelector('#tools .detail h2')?.textContent === 'add'",
    );
    visit(
        &browser,
        "try/count",
        "document.querySelector('#tools progress')",
    );
    browser.push("Stop");
    browser.wait_for("document.querySelector('#tools .body pre')");
    assert_eq!(browser.log(), "");
}

#[test]
fn who_comes_in_again_finds_what_they_typed() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let people = StaticTokens::new().token("the-token-of-grace", Identity::new("grace"));
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.authenticate(people.unwrap()));
    browser.open(&format!("http://{}/#try/add", served.address));
    let enter = || {
        browser.wait_for("document.querySelector('#enter').checkVisibility()");
        browser.type_into("#own", "the-token-of-grace\u{e007}");
        browser.wait_for("document.querySelector('#tools .form input')?.checkVisibility()");
    };
    enter();
    browser.type_into("#tools .form input", "4");
    browser.run("localStorage.clear()", &json!([]));
    // With the page's own means: it may know by now that the session is gone, and then nobody can type there.
    browser.run(
        "const input = document.querySelector('#tools .form input'); \
         input.value += '1'; input.dispatchEvent(new Event('input', { bubbles: true }));",
        &Value::Array(Vec::new()),
    );
    enter();
    assert_eq!(
        browser.value("document.querySelector('#tools .form input').value"),
        "41"
    );
    assert_eq!(browser.value(ASKS), true);
}

#[test]
fn page_waits_for_unreachable_program() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    open(&browser, &served);
    visit(&browser, "try/add", FAULTS);
    served.stop();
    browser.wait_for("document.querySelector('#link').textContent.includes('cannot be reached')");
    browser.type_into("#tools .form input", "41");
    let told = "[...document.querySelectorAll('#tools .fault')].map((one) => one.textContent).find((text) => text.includes('reached'))";
    let text = browser.wait_for(told);
    assert_eq!(
        text,
        "The program cannot be reached. This page keeps trying to."
    );
    visit(
        &browser,
        "tools/count",
        "document.querySelector('#tools .detail')?.textContent.includes('cannot be reached')",
    );
    assert_eq!(
        browser.value("document.body.textContent.includes('Failed to fetch')"),
        false
    );
    let again = served.desk.clone().bind(served.address);
    let again = served.runtime.block_on(again).unwrap();
    served.runtime.spawn(again.run());
    // The list and the check come back by themselves.
    browser.wait_for("document.querySelector('#tools .detail h2')?.textContent === 'count'");
    visit(&browser, "try/add", FITS);
    assert_eq!(
        browser.value("document.querySelector('#tools .form input').value"),
        "41"
    );
}

/// What can be left empty after it was set
#[derive(ToolInput)]
#[allow(dead_code)]
pub(super) struct Optional {
    count: Option<u8>,
    ratio: Option<f64>,
    sure: Option<bool>,
    size: Option<Size>,
    maybe: Option<Option<u8>>,
    shape: Option<Form>,
    secret: Option<Password>,
    words: std::collections::BTreeMap<String, String>,
    last: Option<Option<bool>>,
}

/// A size
#[derive(ToolInput)]
#[allow(dead_code)]
pub(super) enum Size {
    Small,
    Large,
}

/// A form
#[derive(ToolInput)]
#[allow(dead_code)]
pub(super) enum Form {
    Round(u8),
    Square { side: u8 },
}

/// A password
#[derive(ToolInput)]
#[allow(dead_code)]
pub(super) struct Password {
    #[tool_param(secret)]
    value: String,
}

pub(super) struct Empty;

impl TypedAgentTool for Empty {
    type Input = Optional;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "empty"
    }
    fn description(&self) -> &str {
        "Takes what it gets."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, _: Optional, _: &ToolContext) -> Self::Output {
        Ok("taken".to_owned())
    }
}

#[test]
fn empty_set_field_reports_expected_value() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let tools = Toolset::builder().tool(Empty).tool(Dated).build().unwrap();
    let served = Served::new(Desk::new(tools, ToolContext::new()));
    open(&browser, &served);
    visit(&browser, "try/empty", FITS);
    let choose = |name: &str, value: &str| {
        browser.run(
            "const input = document.querySelector(`[aria-label=\"Presence of ${arguments[0]}\"]`); \
             input.value = arguments[1]; input.dispatchEvent(new Event('change', { bubbles: true }));",
            &json!([name, value]),
        );
    };
    let fault = |name: &str| {
        format!(
            "document.querySelector('[aria-label=\"Presence of {name}\"]').closest('.field').querySelector(':scope > .fault').textContent"
        )
    };
    for name in ["count", "ratio", "sure", "size", "maybe", "shape", "last"] {
        choose(name, "set");
        let told = browser.wait_for(&fault(name));
        let told = told.as_str().unwrap();
        let start = format!("{name}: set, but there is no value yet; expected ");
        assert!(
            told.starts_with(&start) && told.len() > start.len(),
            "{told}"
        );
        browser.wait_for(FAULTS);
        choose(name, "absent");
        browser.wait_for(FITS);
        assert_eq!(browser.value(&fault(name)), "");
    }
    // Two entries with one key, one of which would be lost.
    for _ in 0..2 {
        browser.push("Add to words");
    }
    browser.run("document.querySelector('[aria-label=\"Key in words\"]').focus(); document.activeElement.blur();", &json!([]));
    browser.wait_for("[...document.querySelectorAll('#tools .fault')].some((one) => one.textContent.includes('is there twice'))");
    browser.wait_for(FAULTS);
    // Dates, too.
    visit(
        &browser,
        "try/dated",
        "document.querySelector('#tools .detail h2')?.textContent === 'dated'",
    );
    choose("day", "set");
    let told = browser.wait_for(&fault("day"));
    assert!(told.as_str().unwrap().contains("day: "), "{told}");
    browser.wait_for(FAULTS);
    assert_eq!(browser.log(), "");
}

/// Takes a day
#[tool(read_only)]
fn dated(day: Option<std::net::IpAddr>) -> bool {
    day.is_some()
}

#[test]
fn unshowable_json_stays_text_with_fault() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    open(&browser, &served);
    visit(
        &browser,
        "try/add",
        "document.querySelector('#tools .form input')",
    );
    browser.push("JSON");
    for (text, told) in [
        (r#"{"a": 1, "a": 2}"#, "a: given more than once"),
        (
            r#"{"a": 1, "\u0061": 2}"#,
            "given twice, so no form can show it",
        ),
        (r#"{"a": 1"#, "not JSON yet"),
        ("[1]", "an object"),
    ] {
        browser.clear("#tools textarea.code-text");
        browser.type_into("#tools textarea.code-text", text);
        browser.push("Form");
        let seen = "[...document.querySelectorAll('#tools .fault')].map((one) => one.textContent).join('|')";
        if told.starts_with("a:") {
            // The words of the reader, as a model gets them.
            let reply = served.client().post(
                "check",
                &json!({ "tool": "add", "arguments": text }).to_string(),
            );
            let reply = reply.json()["text"].as_str().unwrap().to_owned();
            browser.wait_for(&format!("{seen}.includes({})", json!(reply)));
        } else {
            browser.wait_for(&format!("{seen}.includes('{told}')"));
        }
        assert_eq!(
            browser.value("document.querySelector('#tools textarea.code-text').value"),
            text
        );
        assert_eq!(
            browser.value("document.querySelector('#tools textarea.code-text').checkVisibility()"),
            true
        );
    }
    browser.clear("#tools textarea.code-text");
    browser.type_into(
        "#tools textarea.code-text",
        r#"{"a": 1, "b": {"a": ":\"a\":"}}"#,
    );
    browser.push("Form");
    browser.wait_for("document.querySelector('#tools .form').checkVisibility()");
}

#[test]
fn hidden_characters_are_seen_beside_every_field() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let tools = Toolset::builder()
        .tools(tools(&Diary::default()))
        .tool(Empty)
        .build()
        .unwrap();
    let served = Served::new(Desk::new(tools, ToolContext::new()));
    open(&browser, &served);
    // Set as a person pastes it.
    let paste = |selector: &str, text: &str| {
        browser.run(
            "const input = document.querySelector(arguments[0]); input.value = arguments[1]; input.dispatchEvent(new Event('input', { bubbles: true }));",
            &json!([selector, text]),
        );
        browser.wait_for(&format!(
            "document.querySelector({}).parentElement.querySelector('.warn').textContent",
            json!(selector)
        ))
    };
    let hidden = "pay \u{202e}txe\u{200b}\u{7}\u{3164}";
    let shown = r"4 hidden characters: pay \u{202e}txe\u{200b}\u{7}\u{3164}";
    visit(
        &browser,
        "try/add",
        "document.querySelector('#tools .form input')",
    );
    assert_eq!(paste("#tools .form input", hidden), shown);
    // The text of the arguments, escaped as in JSON or unescaped.
    browser.push("JSON");
    browser.wait_for("document.querySelector('#tools textarea.code-text').parentElement.querySelector('.warn').textContent.includes('3 hidden characters')");
    visit(
        &browser,
        "try/empty",
        "document.querySelector('#tools .detail h2')?.textContent === 'empty'",
    );
    browser.run(
        "const input = document.querySelector('[aria-label=\"Presence of secret\"]'); input.value = 'set'; input.dispatchEvent(new Event('change', { bubbles: true }));",
        &json!([]),
    );
    assert_eq!(
        paste("#tools textarea.secret-input", hidden),
        "4 hidden characters"
    );
    browser.push("Add to words");
    assert_eq!(
        paste("#tools textarea[aria-label='Key in words']", hidden),
        shown
    );
    // An edit and the reason of a refusal.
    let _answer = ask(&served);
    visit(&browser, "inbox", &Browser::button("Edit"));
    browser.push("Edit");
    browser.wait_for(&format!("document.querySelector('{EDITED}')"));
    assert_eq!(paste(EDITED, hidden), shown);
    browser.push("Discard the edit");
    browser.push("Refuse…");
    assert_eq!(paste("#reason", hidden), shown);
    // Typing over them removes the note.
    browser.clear("#reason");
    browser.wait_for(
        "document.querySelector('#reason').parentElement.querySelector('.warn').textContent === ''",
    );
    assert_eq!(browser.log(), "");
}

#[test]
fn read_only_person_sees_calls_without_buttons() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let people = StaticTokens::new().token("the-token-of-grace", Identity::new("grace"));
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let desk = desk.authenticate(people.unwrap()).scopes(ScopeRules::new());
    let served = Served::new(desk);
    let _answer = ask(&served);
    browser.open(&format!("http://{}/#inbox", served.address));
    browser.wait_for("!document.querySelector('#enter').closest('section').hidden");
    // There is no other way in, so nothing speaks of one.
    assert_eq!(
        browser.value("document.querySelector('#printed').hidden"),
        true
    );
    browser.type_into("#own", "the-token-of-grace\u{e007}");
    let card = browser.wait_for("document.querySelector('#inbox .detail .body')?.innerText");
    let card = card.as_str().unwrap();
    assert!(card.contains("You may not make this call"), "{card}");
    assert!(card.contains("as it was"), "{card}");
    assert_eq!(
        browser.value("[...document.querySelectorAll('#inbox .actions button')].map((one) => one.firstChild.textContent)"),
        json!(["Next call"])
    );
    browser.wait_for(
        "document.querySelector('#who').textContent.includes('You decide as “desk, grace”')",
    );
}

#[test]
fn address_opens_named_call() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let tools = tools(&Diary::default());
    let (served, store) = Served::over_store(&tools);
    let client = served.client();
    let stored = crate::stored::defer(&served, &tools, &store, "stored");
    let mut answers = Vec::new();
    let waiting = wait_until("nine calls wait", || {
        if answers.len() < 8 {
            answers.push(ask(&served));
        }
        let list = client.waiting();
        let list = list.as_array().unwrap().clone();
        (list.len() == 9).then_some(list)
    });
    let [first, last] = [0, 8].map(|at| waiting[at]["id"].as_str().unwrap().to_owned());
    open(&browser, &served);
    let chosen = "document.querySelector('#waiting-list [aria-current]')?.dataset.id";
    let shown = |id: &str| {
        browser.wait_for(&format!("{chosen} === '{id}'"));
        browser.wait_for("document.querySelector('#inbox .detail h2')?.textContent === 'diary'");
    };
    // A browser that has a session comes by a link, also by one with the older name of the inbox.
    for (view, id) in [("inbox", &first), ("waiting", &last), ("inbox", &stored)] {
        browser.open("about:blank");
        browser.open(&format!("http://{}/#{view}/{id}", served.address));
        shown(id);
    }
    // The page is open already; and a new call comes.
    browser.run(
        "location.hash = arguments[0]",
        &json!([format!("inbox/{first}")]),
    );
    shown(&first);
    answers.push(ask(&served));
    browser.wait_for("document.querySelectorAll('#waiting-list .item').length === 10");
    assert_eq!(browser.value(chosen), first.as_str(), "nobody is moved");
    assert_eq!(browser.log(), "");
    // A call that is not there.
    visit(
        &browser,
        "inbox/0%00<b>",
        "document.querySelector('#inbox .detail').textContent.includes('does not wait here')",
    );
}

/// Texts that are cut at their end: texts of the trace, and placeholders.
const CUT: &str = "const cut = []; \
    for (const one of document.querySelectorAll('section:not([hidden]) .num')) if (one.scrollWidth > one.clientWidth) cut.push(one.textContent); \
    for (const one of document.querySelectorAll('#calls td:nth-child(2)')) if (one.scrollWidth > one.clientWidth) cut.push(one.textContent); \
    for (const one of document.querySelectorAll('.table td:last-child')) { \
      const words = document.createRange(); \
      words.selectNodeContents(one); \
      if (!one.textContent.includes(' ') && new Set([...words.getClientRects()].map((line) => line.top)).size > 1) cut.push(one.textContent); \
    } \
    const pen = document.createElement('canvas').getContext('2d'); \
    for (const one of document.querySelectorAll('section:not([hidden]) [placeholder]')) { \
      if (!one.checkVisibility()) continue; \
      const style = getComputedStyle(one); \
      pen.font = style.font; \
      const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight); \
      if (pen.measureText(one.placeholder).width > room) cut.push(one.placeholder); \
    } \
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) cut.push('the page'); \
    return cut;";

#[test]
fn nothing_is_cut_at_any_width() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = super::access::busy();
    open(&browser, &served);
    for width in [360, 390, 600, 720, 820, 960, 1280] {
        browser.resize(width, 740);
        for (name, address, ready) in super::access::VIEWS {
            let list = "document.querySelectorAll('#waiting-list .item').length === 3";
            visit(
                &browser,
                address,
                if name == "inbox" { list } else { ready },
            );
            let cut = browser.run(CUT, &json!([]));
            assert_eq!(cut, json!([]), "{name} at {width}");
        }
    }
}
