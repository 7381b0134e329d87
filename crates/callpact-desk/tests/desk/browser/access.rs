//! The page serves people with a keyboard alone, a screen reader, a small screen, and in the dark.

use std::{io::Write, path::Path};

use callpact::{
    Permission, PermissionMode, ToolCall, ToolContext, Toolset,
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

/// A desk with something to see in every view.
pub(super) fn busy() -> Served {
    let tools = tools(&Diary::default());
    let all = Toolset::builder()
        .tools(tools.clone())
        .tools(previews())
        .build()
        .unwrap();
    let desk = Desk::new(all, ToolContext::new()).named("release-bot");
    let served = Served::new(desk.with_connections(super::servers::Noted::allowing()));
    super::servers::talk(&served.desk);
    let cx = served.desk.watch(
        ToolContext::new()
            .with_role("researcher")
            .with_run("Release 2.4.0"),
    );
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
    // Calls that wait: what each kind of preview looks like.
    let asking = served.desk.watch(
        ToolContext::new()
            .with_role("writer")
            .with_run("Release 2.4.0")
            .with_turn(4)
            .with_permissions(PermissionMode::Ask)
            .with_reviewer(served.desk.reviewer()),
    );
    let shown = previews();
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
        let (cx, tools) = (asking.clone(), shown.clone());
        let call = ToolCall::new("call-7", tool, arguments.to_string());
        served
            .runtime
            .spawn(async move { tools.call(&call, &cx).await.map(drop) });
        // One after the other, so that their order is known.
        crate::kit::wait_until("it waits", || {
            let waiting = served.client().waiting();
            let waiting = waiting.as_array().unwrap().iter();
            waiting.clone().any(|one| one["tool"] == tool).then_some(())
        });
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
fn axe_finds_no_violation_in_any_view() {
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
    let served = busy();
    browser.open(&served.url());
    browser.wait_until_connected();
    for (width, height) in [(1280, 800), (820, 900), (390, 800)] {
        browser.resize(width, height);
        for dark in [false, true] {
            browser.dark(dark);
            let clean = |what: &str| {
                assert_eq!(violations(), json!([]), "{what} at {width}, dark: {dark}");
                let sideways =
                    "document.documentElement.scrollWidth > document.documentElement.clientWidth";
                assert_eq!(
                    browser.value(sideways),
                    false,
                    "{what} at {width} scrolls sideways"
                );
            };
            for (name, address, ready) in VIEWS {
                if name == "inbox" {
                    browser.visit(
                        address,
                        "document.querySelectorAll('#waiting-list .item').length === 3",
                    );
                } else {
                    visit(&browser, address, ready);
                }
                clean(name);
            }
            // Every call with its folds open, an open edit with a fault, a reason, and the dialogs.
            let ids = browser.value("[...document.querySelectorAll('#waiting-list .item')].map((one) => one.dataset.id)");
            for id in ids.as_array().unwrap() {
                let id = id.as_str().unwrap();
                visit(
                    &browser,
                    &format!("inbox/{id}"),
                    &format!(
                        "document.querySelector('#waiting-list [data-id=\"{id}\"]')?.ariaCurrent && document.querySelector('#inbox .d-approve button')"
                    ),
                );
                browser.run("for (const one of document.querySelectorAll('#inbox details')) one.open = true;", &json!([]));
                clean(id);
            }
            if width == 1280 {
                browser.push("Refuse…");
                clean("a refusal");
                browser.push("Back");
                browser.push("End run…");
                clean("a dialog");
                browser.push("Cancel");
                browser.push("Edit");
            } else {
                browser.run(
                    "document.querySelector('#inbox .more-button button').click()",
                    &json!([]),
                );
                clean("the sheet");
                browser.push("Edit");
            }
            browser.wait_for("document.querySelector('#inbox .form textarea, #inbox .code-text')");
            clean("an edit");
            browser.push("Discard the edit");
            browser.run("location.hash = 'trace'", &json!([]));
            browser.wait_for("document.querySelectorAll('#calls [data-call]').length >= 5");
            browser.run(
                "document.querySelectorAll('#calls [data-call]')[3].click()",
                &json!([]),
            );
            browser.wait_for("document.querySelector('#trace .detail pre')?.checkVisibility()");
            browser.run(
                "for (const one of document.querySelectorAll('#trace details')) one.open = true;",
                &json!([]),
            );
            clean("a traced call");
            visit(
                &browser,
                "try/shell",
                "document.querySelector('#tools .run')?.classList.contains('destructive')",
            );
            browser.type_into("#tools .form textarea", "x");
            browser.run_what_fits();
            browser.wait_for("document.querySelector('#tools .actions .note')");
            clean("a question in place");
            for (address, ready) in [
                ("protocol/4", "#protocol .detail pre"),
                ("connect/mail", "#connect .detail pre"),
                ("connect/+", "#server-name"),
            ] {
                let ready = format!("document.querySelector('{ready}')?.checkVisibility()");
                visit(&browser, address, &ready);
                clean(address);
            }
            visit(
                &browser,
                "try/shell",
                "document.querySelector('#tools .actions .note')",
            );
            browser.push("Cancel");
            browser.push("Empty the form");
            browser.wait_for("document.querySelector('#tools .form textarea')?.value === ''");
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
    // Written only on request, since the times in them differ.
    let wanted = std::env::var_os("UPDATE_EXPECT").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let keep = |name: &str| {
        let picture = browser.picture();
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        assert!(picture.len() < 160_000, "{name}: {} bytes", picture.len());
        if wanted {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("desk-{name}.png")), picture).unwrap();
        }
    };
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
        keep(name);
    }
    browser.dark(true);
    keep("trace-dark");
    browser.resize(390, 800);
    visit(
        &browser,
        "inbox",
        "document.querySelectorAll('#waiting-list .item').length === 3",
    );
    keep("phone-list");
    browser.dark(false);
    browser.click("#waiting-list .item");
    browser.wait_for("document.querySelector('#inbox .d-approve button')?.checkVisibility()");
    keep("phone-call");
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
