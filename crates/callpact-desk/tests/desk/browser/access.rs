//! The page serves people with a keyboard alone, a screen reader, a small screen, and in the dark.

use std::{io::Write, path::Path};

use callpact::{
    ReviewHandler, ReviewRequest, ToolCall, ToolContext, Toolset,
    identity::{Identity, StaticTokens},
    review::ReviewTiming,
};
use callpact_desk::Desk;
use serde_json::json;

use super::{driver::Browser, keeping::Empty};
use crate::kit::{Diary, Served, tools};

pub(super) const VIEWS: [(&str, &str, &str); 4] = [
    (
        "tools",
        "tools/diary",
        "document.querySelector('#tools article table')",
    ),
    (
        "try",
        "try/diary",
        "document.querySelector('#try .field .fault')?.textContent",
    ),
    (
        "waiting",
        "waiting",
        "document.querySelector('#waiting article')",
    ),
    (
        "trace",
        "trace",
        "document.querySelectorAll('#calls button').length >= 5",
    ),
];

/// A desk with something to see in every view.
pub(super) fn busy() -> Served {
    let tools = tools(&Diary::default());
    let served = Served::new(Desk::new(tools.clone(), ToolContext::new()));
    let cx = served
        .desk
        .watch(ToolContext::new().with_role("researcher"));
    for (tool, arguments) in [
        ("add", r#"{"a": 40, "b": 2}"#),
        ("add", r#"{"a": "40"}"#),
        ("add", r#"{"a": "forty", "b": 200}"#),
        (
            "diary",
            r#"{"text": "The costs of the quarter are in report.md"}"#,
        ),
        ("count", r#"{"steps": 6}"#),
        ("ad", "{}"),
    ] {
        let call = ToolCall::new("call", tool, arguments);
        let _ = served.runtime.block_on(tools.call(&call, &cx));
    }
    let request = ReviewRequest::new("Call diary")
        .timing(ReviewTiming::BeforeExecution)
        .tool("diary")
        .call_id("call-7")
        .action(r#"{"text":"The costs of the quarter are in report.md","times":1}"#)
        .changes(["times: 1 by default"])
        .preview(
            "  # Diary\n- The costs are not known yet\n+ The costs of the quarter are in report.md",
        )
        .digest("7d0c5a4f");
    let reviewer = served.desk.reviewer();
    served
        .runtime
        .spawn(async move { reviewer.review(&request).await.map(drop) });
    served
}

fn visit(browser: &Browser, address: &str, ready: &str) {
    browser.run("location.hash = arguments[0]", &json!([address]));
    browser.wait_for(ready);
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
    for dark in [false, true] {
        browser.dark(dark);
        visit(
            &browser,
            "try/empty",
            "document.querySelector('#try .field select')",
        );
        for state in ["absent", "set"] {
            browser.run(
                "for (const one of document.querySelectorAll('#try [aria-label^=Presence]')) { one.value = arguments[0]; one.dispatchEvent(new Event('change')); } \
                 for (const one of document.querySelectorAll('#try .inside > button')) one.click();",
                &json!([state]),
            );
            assert_eq!(violations(), json!([]), "{state}, dark: {dark}");
        }
        for address in ["waiting", "trace"] {
            visit(
                &browser,
                address,
                "document.querySelector('section:not([hidden]) .empty')",
            );
            assert_eq!(violations(), json!([]), "{address}, dark: {dark}");
        }
    }
    let served = busy();
    let reviewer = served.desk.reviewer();
    let second = ReviewRequest::new("Another question").action("{}");
    served
        .runtime
        .spawn(async move { reviewer.review(&second).await.map(drop) });
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    for dark in [false, true] {
        browser.dark(dark);
        for (name, address, ready) in VIEWS {
            visit(&browser, address, ready);
            if name == "waiting" {
                // The question that has a form, of the two.
                let edit = "[...document.querySelectorAll('#waiting [aria-label=\"Call of diary\"] button')].find((one) => one.textContent === 'Edit')";
                browser.wait_for(edit);
                browser.run(&format!("{edit}.click()"), &json!([]));
                browser.wait_for("document.querySelector('#waiting .form')");
            }
            if name == "trace" {
                browser.click("#calls button");
                browser.wait_for("document.querySelector('#trace article pre')");
            }
            assert_eq!(violations(), json!([]), "{name}, dark: {dark}");
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
    browser.wait_for("document.querySelector('#tools article a')");
    let (tab, enter) = ("\u{e004}", "\u{e007}");
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
    go_to("To the content");
    browser.press(&[enter]);
    assert_eq!(browser.value("document.activeElement.id"), "main");
    go_to("Try it");
    browser.press(&[enter]);
    browser.wait_for("document.querySelector('#try .form input')");
    for _ in 0..60 {
        browser.press(&[tab]);
        if browser.value("document.activeElement.matches('#try .form input')") == true {
            break;
        }
    }
    browser.press(&["4", "1"]);
    go_to("Run");
    browser.press(&[enter]);
    assert_eq!(
        browser.wait_for("document.querySelector('#try pre')?.textContent"),
        "42"
    );
}

#[test]
fn a_narrow_screen_shows_everything() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = busy();
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.resize(360, 740);
    for (name, address, ready) in VIEWS {
        visit(&browser, address, ready);
        let widths = browser
            .value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
        assert!(widths[0].as_u64() <= widths[1].as_u64(), "{name}: {widths}");
    }
}

#[test]
fn pictures_of_the_views_are_taken() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = busy();
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    // Written only on request, since the times in them differ.
    let wanted = std::env::var_os("UPDATE_EXPECT").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    for (name, address, ready) in VIEWS {
        // With the buttons below the call.
        browser.resize(960, if name == "waiting" { 760 } else { 640 });
        visit(&browser, address, ready);
        if name == "trace" {
            browser.click("#calls li:nth-child(3) button");
            browser.wait_for("document.querySelector('#trace article pre')");
        }
        let picture = browser.picture();
        assert!(picture.starts_with(b"\x89PNG"), "{name}");
        assert!(picture.len() < 120_000, "{name}: {} bytes", picture.len());
        if wanted {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(format!("desk-{name}.png")), picture).unwrap();
        }
    }
    assert_eq!(browser.log(), "");
}

#[test]
fn a_person_comes_in_with_a_token_of_their_own() {
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
    browser.wait_for("document.querySelector('#tools article a')");
    assert_eq!(
        browser.value("document.querySelector('#closed').hidden"),
        true
    );
}
