//! The page serves people with a keyboard alone, a screen reader, a small screen, and in the dark.

use std::io::Write;

use callpact::{
    Halt, Permission, PermissionMode, ToolCall, ToolContext, ToolReply, Toolset,
    identity::{Identity, StaticTokens},
    review::{CommandPreview, FileChange, Preview, RequestPreview},
};
use callpact_desk::Desk;
use serde_json::json;

use super::{driver::Browser, keeping::Empty};
use crate::kit::{Diary, Served, tools};

pub(super) const VIEWS: [(&str, &str, &str); 6] = [
    (
        "inbox",
        "inbox",
        "document.querySelector('#inbox .d-approve button')",
    ),
    ("try", "try/diary", "document.querySelector('#tools .run')"),
    (
        "tools",
        "tools/diary",
        "document.querySelector('#tools .detail pre')",
    ),
    (
        "trace",
        "trace",
        "document.querySelectorAll('#calls [data-call]').length >= 5",
    ),
    (
        "protocol",
        "protocol",
        "document.querySelector('#messages')?.checkVisibility()",
    ),
    (
        "connect",
        "connect",
        "document.querySelector('#connect h1')?.checkVisibility()",
    ),
];

/// The tools of these tests.
pub(super) fn every_tool() -> Toolset {
    let tools = tools(&Diary::default());
    Toolset::builder()
        .tools(tools)
        .tools(previews())
        .build()
        .unwrap()
}

/// A desk with something to see in every view, where nothing waits.
pub(super) fn traced() -> Served {
    let desk = Desk::new(every_tool(), ToolContext::new()).named("release-bot");
    let served = Served::new(desk.with_connections(super::servers::Noted::allowing()));
    super::servers::talk(&served.desk);
    let cx = served.desk.watch(
        ToolContext::new()
            .with_role("researcher")
            .with_run("Release 2.4.0"),
    );
    let tools = tools(&Diary::default());
    for (turn, tool, arguments) in [
        (1, "add", r#"{"a": 40, "b": 2}"#),
        (1, "add", r#"{"a": "40"}"#),
        (2, "add", r#"{"a": "forty", "b": 200}"#),
        (
            2,
            "diary",
            r#"{"text": "The costs of the quarter are in report.md"}"#,
        ),
        (3, "count", r#"{"steps": 6}"#),
        (3, "ad", "{}"),
    ] {
        let call = ToolCall::new(format!("call-{turn}"), tool, arguments);
        let cx = cx.clone().with_turn(turn);
        let _ = served.runtime.block_on(tools.call(&call, &cx));
    }
    served
}

/// A call that waits for a person, and what comes of it.
pub(super) fn ask(
    served: &Served,
    tool: &'static str,
    arguments: &serde_json::Value,
) -> std::sync::mpsc::Receiver<Result<ToolReply, Halt>> {
    let (done, ended) = std::sync::mpsc::channel();
    let cx = served.desk.watch(
        ToolContext::new()
            .with_role("writer")
            .with_run("Release 2.4.0")
            .with_turn(4)
            .with_permissions(PermissionMode::Ask)
            .with_reviewer(served.desk.reviewer()),
    );
    let call = ToolCall::new("call-7", tool, arguments.to_string());
    served.runtime.spawn(async move {
        let _ = done.send(every_tool().call(&call, &cx).await);
    });
    // One after the other, so that their order is known.
    let client = served.client();
    crate::kit::wait_until("it waits", || {
        let waiting = client.waiting();
        let waiting = waiting.as_array().unwrap().iter();
        waiting.clone().any(|one| one["tool"] == tool).then_some(())
    });
    ended
}

/// A desk where a call of each kind waits, too.
pub(super) fn busy() -> Served {
    let served = traced();
    for (tool, arguments) in [
        ("file_edit", json!({ "path": "CHANGELOG.md", "times": "1" })),
        (
            "shell",
            json!({ "path": "target/doc", "token": "a-long-token" }),
        ),
        (
            "http",
            json!({ "path": "https://hooks.example.com/releases" }),
        ),
    ] {
        ask(&served, tool, &arguments);
    }
    served
}

/// What a call is about
#[derive(callpact::ToolInput)]
#[allow(dead_code)]
struct Subject {
    /// File or address
    path: String,
    /// How often
    #[tool_param(default = 1)]
    times: u8,
    /// Only for what needs one
    #[tool_param(secret)]
    token: Option<String>,
}

/// A tool with a preview of one kind.
struct Shows(&'static str, &'static str, Permission);

impl callpact::TypedAgentTool for Shows {
    type Input = Subject;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        self.0
    }
    fn description(&self) -> &str {
        "Does something that its preview shows."
    }
    fn hints(&self) -> callpact::ToolHints {
        callpact::ToolHints::new().with_title(self.1)
    }
    fn permission(&self) -> Permission {
        self.2
    }
    fn preview(&self, input: &Subject) -> Option<Preview> {
        Some(match self.0 {
            "shell" => Preview::command(
                CommandPreview::new(format!("rm -r {}", input.path)).with("folder", "work/"),
            ),
            "http" => Preview::request(
                RequestPreview::new("POST", &input.path)
                    .header("content-type", "application/json")
                    .body(r#"{"version": "2.4.0", "draft": true}"#),
            ),
            _ => Preview::file(FileChange::between(
                &input.path,
                "# Changelog\n\n## Unreleased\n- Retries of a request\n\n## 2.3.1 (2026-10-30)\n",
                "# Changelog\n\n## Unreleased\n\n## 2.4.0 (2026-11-28)\n- Retries of a failed request, at most five\n\n## 2.3.1 (2026-10-30)\n",
            )),
        })
    }
    async fn execute(&self, _: Subject, _: &ToolContext) -> String {
        "done".to_owned()
    }
}

fn previews() -> Toolset {
    Toolset::builder()
        .tool(Shows("file_edit", "Edit a file", Permission::Write))
        .tool(Shows("shell", "Run a command", Permission::Destructive))
        .tool(Shows("http", "Send an HTTP request", Permission::Write))
        .build()
        .unwrap()
}

fn visit(browser: &Browser, address: &str, ready: &str) {
    browser.visit(address, ready);
}

#[test]
fn axe_finds_no_violation_in_forms_or_empty_views() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let Some(axe) = std::env::var_os("CALLPACT_AXE").filter(|path| !path.is_empty()) else {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: CALLPACT_AXE names no axe.min.js"
        );
        return;
    };
    let axe = std::fs::read_to_string(axe).unwrap();
    // Not through the page, whose policy refuses it, but through the driver.
    let violations = || {
        browser.run(&axe, &json!([]));
        browser.run_async(
            "const { violations } = await axe.run(document, { resultTypes: ['violations'] });
             return violations.map((one) => [one.id, one.help, one.nodes.slice(0, 3).map((node) => node.html)]);",
            &json!([]),
        )
    };
    let every = Toolset::builder().tool(Empty).build().unwrap();
    let every = Served::new(Desk::new(every, ToolContext::new()));
    browser.open(&every.url());
    browser.wait_until_connected();
    for dark in [false, true] {
        browser.dark(dark);
        visit(
            &browser,
            "try/empty",
            "document.querySelector('#tools .field select')",
        );
        for state in ["absent", "set"] {
            browser.run(
                "for (const one of document.querySelectorAll('#tools [aria-label^=Presence]')) { one.value = arguments[0]; one.dispatchEvent(new Event('change', { bubbles: true })); } \
                 for (const one of document.querySelectorAll('#tools .inside > button')) one.click();",
                &json!([state]),
            );
            assert_eq!(violations(), json!([]), "{state}, dark: {dark}");
        }
        for address in ["inbox", "trace", "protocol", "connect"] {
            visit(
                &browser,
                address,
                "[...document.querySelectorAll('.empty')].some((one) => one.checkVisibility())",
            );
            assert_eq!(violations(), json!([]), "{address}, dark: {dark}");
        }
    }
}

#[test]
fn a_tool_is_tried_with_the_keyboard_alone() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = busy();
    browser.open(&served.url());
    browser.wait_until_connected();
    let (tab, enter, down) = ("\u{e004}", "\u{e007}", "\u{e015}");
    // Forward until the focus is on something.
    let go_to = |wanted: &str| {
        for _ in 0..60 {
            browser.press(&[tab]);
            let here = browser.value(
                "(document.activeElement.textContent || document.activeElement.id || '').trim()",
            );
            if here.as_str().is_some_and(|here| here.starts_with(wanted)) {
                let seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'";
                assert_eq!(browser.value(seen), true, "the focus is seen on {wanted}");
                return;
            }
        }
        panic!("the keyboard does not reach {wanted}");
    };
    go_to("Skip to the content");
    browser.press(&[enter]);
    assert_eq!(browser.value("document.activeElement.id"), "main");
    browser.press(&["2"]);
    browser.wait_for("document.querySelector('#tools .form')");
    // The list is one stop of the Tab key, and the arrows move in it.
    go_to("add");
    browser.press(&[down]);
    assert_eq!(
        browser.value("document.activeElement.dataset.tool"),
        "diary"
    );
    browser.press(&["\u{e013}", enter]);
    browser.wait_for("document.querySelector('#tools .detail h2').textContent === 'add'");
    for _ in 0..60 {
        browser.press(&[tab]);
        if browser.value("document.activeElement.matches('#tools .form input')") == true {
            break;
        }
    }
    browser.press(&["4", "1"]);
    browser.press_with("\u{e009}", enter);
    assert_eq!(
        browser.wait_for("document.querySelector('#tools .body pre')?.textContent"),
        "42"
    );
    // The tree of the trace: up and down, fold and unfold, open.
    browser.press(&["\u{e00c}", "3"]);
    browser.wait_for("document.querySelectorAll('#calls [data-call]').length >= 5");
    browser.run(
        "document.querySelector('#calls tr[tabindex=\"0\"]').focus()",
        &json!([]),
    );
    let rows = "document.querySelectorAll('#calls tbody tr').length";
    let before = browser.value(rows).as_u64().unwrap();
    browser.press(&["\u{e011}", "\u{e012}"]);
    browser.wait_for(&format!("{rows} < {before}"));
    browser.press(&["\u{e014}"]);
    browser.wait_for(&format!("{rows} === {before}"));
    browser.press(&["\u{e010}", enter]);
    browser.wait_for("document.querySelector('#trace .detail pre')");
}

#[test]
fn a_narrow_screen_shows_everything() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = busy();
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.resize(360, 740);
    for (name, address, _) in VIEWS {
        visit(
            &browser,
            address,
            "document.querySelector('section:not([hidden])')",
        );
        let widths = browser
            .value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
        assert!(widths[0].as_u64() <= widths[1].as_u64(), "{name}: {widths}");
    }
    // A list fills the screen, and an entry replaces it, with a way back at the top.
    visit(
        &browser,
        "inbox",
        "document.querySelectorAll('#waiting-list .item').length === 3",
    );
    browser.click("#waiting-list .item");
    browser.wait_for("document.querySelector('#inbox .detail')?.checkVisibility() && !document.querySelector('#waiting-list').checkVisibility()");
    browser.wait_for("document.querySelector('#inbox .d-approve button')?.checkVisibility()");
    assert_eq!(
        browser.value("document.querySelector('#nav').checkVisibility()"),
        false
    );
    browser.click("#inbox .close a");
    browser.wait_for("document.querySelector('#waiting-list').checkVisibility()");
}

#[test]
fn forced_colours_and_reduced_motion_are_kept() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = busy();
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.media(&[
        ("forced-colors", "active"),
        ("prefers-reduced-motion", "reduce"),
    ]);
    for (name, address, ready) in VIEWS {
        visit(&browser, address, ready);
        // Nothing moves, and what is chosen does not depend on a colour that is taken away.
        let moving = browser.value(
            "[...document.querySelectorAll('*')].filter((one) => { const style = getComputedStyle(one); \
             return style.animationName !== 'none' || (style.transitionProperty !== 'none' && parseFloat(style.transitionDuration) > 0); }).length",
        );
        assert_eq!(moving, 0, "{name}");
        let unmarked = browser.value(
            "[...document.querySelectorAll('.item[aria-current=true], .segments button[aria-pressed=true], #nav a[aria-current]')] \
             .filter((one) => one.checkVisibility() && getComputedStyle(one).outlineStyle === 'none').length",
        );
        assert_eq!(unmarked, 0, "{name}");
    }
    browser.media(&[]);
}

#[test]
fn pictures_of_the_views_are_taken() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = busy();
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.resize(1280, 800);
    for (name, address, ready) in VIEWS.into_iter().take(4) {
        visit(&browser, address, ready);
        if name == "trace" {
            browser.run(
                "document.querySelectorAll('#calls [data-call]')[3].click()",
                &json!([]),
            );
            browser.wait_for("document.querySelector('#trace .detail pre')");
        }
        browser.keep(name);
    }
    browser.dark(true);
    browser.keep("trace-dark");
    browser.resize(390, 800);
    visit(
        &browser,
        "inbox",
        "document.querySelectorAll('#waiting-list .item').length === 3",
    );
    browser.keep("phone-list");
    browser.dark(false);
    browser.click("#waiting-list .item");
    browser.wait_for("document.querySelector('#inbox .d-approve button')?.checkVisibility()");
    browser.keep("phone-call");
    assert_eq!(browser.log(), "");
}

#[test]
fn person_signs_in_with_own_token() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let people = StaticTokens::new().token("the-token-of-ada-1", Identity::new("ada"));
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.authenticate(people.unwrap()));
    browser.open(&format!("http://{}/", served.address));
    browser.wait_for("!document.querySelector('#closed').hidden");
    browser.type_into("#own", "another-token-of-ada");
    browser.click("#enter button");
    browser.wait_for("document.querySelector('#denied').textContent.includes('not valid')");
    browser.clear("#own");
    browser.type_into("#own", "the-token-of-ada-1");
    browser.press(&["\u{e007}"]);
    browser.wait_until_connected();
    assert_eq!(
        browser.value("document.querySelector('#closed').hidden"),
        true
    );
}
