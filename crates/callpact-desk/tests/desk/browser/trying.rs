//! A person looks at a tool, fills in its form, and runs it.

use std::time::Instant;

use callpact::{
    Permission, ToolContext, ToolError, ToolInput, ToolResult, Toolset, TypedAgentTool,
    secret::MemorySecrets, tool,
};
use callpact_desk::Desk;
use serde_json::json;

use super::driver::Browser;
use crate::kit::{Add, Diary, Served, tools};

/// A picture of one pixel
#[tool(read_only)]
fn picture() -> ToolResult {
    const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    ToolResult::success("one pixel")
        .with_structured(json!({"width": 1}))
        .with_content(callpact::Content::image("image/png", PNG))
        .with_content(callpact::Content::image("image/svg+xml", PNG))
}

/// Every way in which a parameter may be left out
#[derive(ToolInput)]
struct Ways {
    /// Needed
    name: String,
    #[tool_param(keep_empty)]
    note: Option<String>,
    maybe: Option<Option<u8>>,
    day: Option<Day>,
    tags: Vec<String>,
    token: Option<String>,
    #[tool_param(secret)]
    password: Option<String>,
}

/// A day of the week
#[derive(ToolInput)]
enum Day {
    Monday,
    /// The day after
    Tuesday,
}

struct Echo;

impl TypedAgentTool for Echo {
    type Input = Ways;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &["token"];
    fn name(&self) -> &str {
        "echo"
    }
    fn description(&self) -> &str {
        "Says what it was given."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: Ways, _: &ToolContext) -> Self::Output {
        let day = input.day.map(|day| match day {
            Day::Monday => "monday",
            Day::Tuesday => "tuesday",
        });
        Ok(format!(
            "{} {:?} {:?} {day:?} {:?} {:?} {}",
            input.name,
            input.note,
            input.maybe,
            input.tags,
            input.token.map(|token| token.len()),
            input.password.is_some(),
        ))
    }
}

#[test]
fn a_read_is_tried_with_one_click() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let began = Instant::now();
    browser.open(&served.url());
    browser.wait_until_connected();
    let looked = began.elapsed();
    // The token is gone from the address.
    assert_eq!(browser.value("location.href.includes('token')"), false);
    browser.click("#nav-tools");
    browser.wait_for("document.querySelector('#tools .form input')");
    browser.type_into("#tools .form input", "41");
    browser.run_what_fits();
    let text = browser.wait_for("document.querySelector('#tools .body pre')?.textContent");
    assert_eq!(text, "42");
    println!(
        "looked at after {looked:?}, tried after {:?}",
        began.elapsed()
    );
    assert_eq!(browser.log(), "");
}

#[test]
fn write_takes_single_click_and_destruction_two() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let diary = Diary::default();
    let tools = Toolset::builder().tool(diary.clone()).tool(Remove).build();
    let asking = ToolContext::new().with_permissions(callpact::PermissionMode::Ask);
    let served = Served::new(Desk::new(tools.unwrap(), asking));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit(
        "try/diary",
        "document.querySelector('#tools .form textarea')",
    );
    browser.type_into("#tools .form textarea", "one");
    browser.run_what_fits();
    let text = browser.wait_for("document.querySelector('#tools .body pre')?.textContent");
    assert_eq!(text, "1 lines");
    // Asked once, in place, with what will run. Nobody else is asked.
    browser.visit(
        "try/remove",
        "document.querySelector('#tools .detail h2')?.textContent === 'Remove a page'",
    );
    browser.type_into("#tools .form textarea", "a.md");
    browser.run_what_fits();
    let asked = browser.wait_for("document.querySelector('#tools .actions .note')?.innerText");
    let asked = asked.as_str().unwrap();
    assert!(
        asked.contains("Remove a page: this can destroy data and cannot be undone.")
            && asked.contains("rm a.md"),
        "{asked}"
    );
    assert_eq!(
        browser.value("document.querySelector('#count').hidden"),
        true
    );
    assert_eq!(
        browser.value("document.activeElement.textContent"),
        "Run it",
        "the keyboard needs no more either"
    );
    // Escape gives it up.
    browser.press(&["\u{e00c}"]);
    browser.wait_for("!document.querySelector('#tools .actions .note')");
    browser.run_what_fits();
    browser.wait_for("document.querySelector('#tools .actions .note')");
    browser.push("Run it");
    let text = browser.wait_for("document.querySelector('#tools .body pre')?.textContent");
    assert_eq!(text, "removed a.md");
    assert_eq!(browser.log(), "");
}

/// Removes a page
#[derive(ToolInput)]
struct Page {
    path: String,
}

/// Removes nothing, and says that it does.
struct Remove;

impl TypedAgentTool for Remove {
    type Input = Page;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];
    fn name(&self) -> &str {
        "remove"
    }
    fn description(&self) -> &str {
        "Removes a page."
    }
    fn hints(&self) -> callpact::ToolHints {
        callpact::ToolHints::new().with_title("Remove a page")
    }
    fn permission(&self) -> Permission {
        Permission::Destructive
    }
    fn preview(&self, input: &Page) -> Option<callpact::review::Preview> {
        let command = callpact::review::CommandPreview::new(format!("rm {}", input.path));
        Some(callpact::review::Preview::command(command))
    }
    async fn execute(&self, input: Page, _: &ToolContext) -> String {
        format!("removed {}", input.path)
    }
}

#[test]
fn form_hides_faults_until_blur_or_run() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit("try/add", "document.querySelector('#tools .form input')");
    let fault = |field: usize| {
        format!(
            "document.querySelectorAll('#tools .field')[{field}].querySelector('.fault').textContent"
        )
    };
    // The desk knows the fault and has not reported it yet.
    browser.wait_for("document.querySelector('#tools .actions [data-faults=\"1\"]')");
    assert_eq!(browser.value(&fault(0)), "");
    assert_eq!(
        browser.value("document.querySelector('#tools [aria-invalid]')"),
        json!(null)
    );
    // The words are those that a model gets.
    browser.push("Run");
    assert_eq!(
        browser.wait_for(&fault(0)),
        "a: missing; expected an integer (The first number)"
    );
    assert_eq!(
        browser.value("document.querySelector('#tools .body pre')"),
        json!(null),
        "nothing ran"
    );
    browser.wait_for("document.activeElement.matches('#tools .form input')");
    browser.type_into("#tools .field:nth-of-type(1) input", "forty");
    browser.wait_for(&format!("{}.includes('found')", fault(0)));
    browser.clear("#tools .field:nth-of-type(1) input");
    browser.type_into("#tools .field:nth-of-type(1) input", "40");
    browser.type_into("#tools .field:nth-of-type(2) input", "200");
    let text = browser.wait_for(&fault(1));
    assert_eq!(text, "b: expected an integer from 0 to 100, found 200");
    assert_eq!(browser.value(&fault(0)), "");
    let invalid = "[...document.querySelectorAll('#tools .form input')].map((input) => input.getAttribute('aria-invalid'))";
    assert_eq!(browser.value(invalid), json!([null, "true"]));
    // The same as text.
    browser.push("JSON");
    let text = browser.value("document.querySelector('#tools textarea.code-text').value");
    assert_eq!(text, "{\n  \"a\": 40,\n  \"b\": 200\n}");
    browser.clear("#tools textarea.code-text");
    browser.type_into(
        "#tools textarea.code-text",
        "{\"a\": 12345678901234567, \"b\": 0}",
    );
    browser.wait_for("document.querySelector('#tools .actions [data-faults=\"0\"]')");
    browser.push("Form");
    // Every digit is there.
    assert_eq!(
        browser.value("document.querySelector('#tools .form input').value"),
        "12345678901234567"
    );
    // A field that was left without a value says so, the others do not.
    browser.visit(
        "try/diary",
        "document.querySelector('#tools .detail h2')?.textContent === 'diary'",
    );
    browser.run("const input = document.querySelector('#tools .form textarea'); input.focus(); input.blur();", &json!([]));
    browser.wait_for(&format!("{}.includes('missing')", fault(0)));
    assert_eq!(browser.log(), "");
}

#[test]
fn field_can_be_absent_null_or_empty() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let secrets = MemorySecrets::new().with("github", "hunter2-hunter2");
    let tools = Toolset::builder().tool(Echo).tool(Picture).build().unwrap();
    let served = Served::new(Desk::new(tools, ToolContext::new().with_secrets(secrets)));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit(
        "try/echo",
        "document.querySelector('#tools .form textarea')",
    );
    let result = |expected: &str| {
        browser.run(
            "document.querySelector('#tools .body pre')?.remove();",
            &json!([]),
        );
        browser.push("Run");
        let text = browser.wait_for("document.querySelector('#tools .body pre')?.textContent");
        assert_eq!(text, expected);
    };
    let choose = |label: &str, value: &str| {
        browser.run(
            "const input = document.querySelector(`[aria-label=\"Presence of ${arguments[0]}\"]`); \
             input.value = arguments[1]; input.dispatchEvent(new Event('change', { bubbles: true }));",
            &json!([label, value]),
        );
    };
    let field = |name: &str| {
        browser.run(
            "const label = [...document.querySelectorAll('#tools label')].find((one) => one.textContent === arguments[0]); \
             document.getElementById(label.htmlFor).dataset.field = arguments[0];",
            &json!([name]),
        );
        format!("[data-field='{name}']")
    };
    browser.type_into(&field("name"), "n");
    result("n None None None [] None false");
    choose("note", "set");
    choose("maybe", "null");
    result("n Some(\"\") Some(None) None [] None false");
    choose("note", "absent");
    browser.type_into(&field("maybe"), "7");
    browser.run(
        "const input = document.querySelector(arguments[0]); input.value = '1'; input.dispatchEvent(new Event('change', { bubbles: true }));",
        &json!([field("day")]),
    );
    browser.push("Add to tags");
    browser.push("Add to tags");
    browser.type_into(&field("tags 2"), "second");
    browser.click("[aria-label='Remove from tags']");
    // A secret is named, and the tool gets its value.
    browser.type_into(&field("token"), "github");
    browser.click("#tools input[type=checkbox]");
    browser.type_into(&field("password"), "pass");
    let masked =
        "getComputedStyle(document.querySelector('[data-field=password]')).webkitTextSecurity";
    assert_eq!(browser.value(masked), "disc");
    result("n None Some(Some(7)) Some(\"tuesday\") [\"second\"] Some(15) true");
    // The trace has no value of a secret field.
    browser.visit(
        "trace",
        "document.querySelectorAll('#calls [data-call]').length === 3",
    );
    browser.run(
        "[...document.querySelectorAll('#calls [data-call]')].at(-1).click()",
        &json!([]),
    );
    let text = browser.wait_for("document.querySelector('#trace .detail pre')?.textContent");
    let text = text.as_str().unwrap();
    assert!(
        text.contains("<secret_ref:github>") && text.contains("\"password\": \"(secret)\""),
        "{text}"
    );
    // A picture is shown, and what could hold code is not.
    browser.visit(
        "try/picture",
        "document.querySelector('#tools .detail h2')?.textContent === 'picture'",
    );
    browser.push("Run");
    browser.wait_for("document.querySelector('#tools img')?.naturalWidth === 1");
    assert_eq!(
        browser.value("document.querySelectorAll('#tools img').length"),
        1
    );
    assert_eq!(browser.log(), "");
}

#[test]
fn call_shows_progress_and_stops() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit(
        "try/count",
        "document.querySelector('#tools .detail h2')?.textContent === 'count'",
    );
    browser.type_into("#tools .form input", "100000");
    browser.run_what_fits();
    browser.wait_for("document.querySelector('#tools progress')?.value > 0");
    browser.wait_for("document.querySelector('#tools').textContent.includes('of 100000 counting')");
    browser.push("Stop");
    let text = browser.wait_for("document.querySelector('#tools .body pre')?.textContent");
    assert!(text.as_str().unwrap().contains("cancelled"), "{text}");
    // A page that goes away takes its call with it.
    browser.push("Run");
    browser.wait_for("document.querySelector('#tools progress')?.value > 0");
    browser.reload();
    browser.wait_until_connected();
    browser.visit("trace", "document.querySelectorAll('#calls [data-call]').length === 2 && ![...document.querySelectorAll('#calls [data-call]')].some((one) => one.textContent.includes('running'))");
    let rows = "[...document.querySelectorAll('#calls [data-call]')].map((one) => one.textContent)";
    let rows = browser.value(rows);
    let rows = rows.as_array().unwrap().iter();
    for row in rows.map(|row| row.as_str().unwrap()) {
        assert!(row.contains("cancelled"), "{row}");
    }
}

#[test]
fn tool_changes_keep_filled_form() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let only = |add: bool| {
        let tools = Toolset::builder().tool(Diary::default());
        let tools = if add { tools.tool(Add) } else { tools };
        tools.build().unwrap()
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit("try/add", "document.querySelector('#tools .form input')");
    browser.type_into("#tools .form input", "41");
    // Another tool goes: the form is the same one.
    served.desk.replace_tools(only(true));
    browser.wait_for("document.querySelectorAll('#tools .item').length === 2");
    assert_eq!(
        browser.value("document.querySelector('#tools .form input').value"),
        "41"
    );
    // The tool itself goes, and no other takes its place under the fingers of a person.
    served.desk.replace_tools(only(false));
    browser.wait_for(
        "document.querySelector('#tools .detail .empty')?.textContent === 'add is not there.'",
    );
    served.desk.replace_tools(only(true));
    browser.wait_for("document.querySelector('#tools .form input')");
    assert_eq!(browser.log(), "");
}

#[test]
fn a_traced_call_is_tried_again() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = super::access::busy();
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit(
        "trace",
        "document.querySelectorAll('#calls [data-call]').length >= 5",
    );
    browser.run(
        "[...document.querySelectorAll('#calls [data-call]')].find((one) => one.textContent.includes('diary')).click()",
        &json!([]),
    );
    browser.push("Try it again");
    browser.wait_for(
        "location.hash === '#try/diary' && document.querySelector('#tools .form textarea')?.value.includes('costs of the quarter')",
    );
}
