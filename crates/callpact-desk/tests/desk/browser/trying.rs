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
fn a_tool_is_tried_in_three_clicks() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let began = Instant::now();
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article dl')");
    let looked = began.elapsed();
    // The token is gone from the address.
    assert_eq!(browser.value("location.href.includes('token')"), false);
    browser.click("#tools article a");
    browser.wait_for("document.querySelector('#try .form input')");
    browser.type_into("#try .form input", "41");
    browser.run_what_fits();
    let text = browser.wait_for("document.querySelector('#try pre')?.textContent");
    assert_eq!(text, "42");
    println!(
        "looked at after {looked:?}, tried after {:?}",
        began.elapsed()
    );
    assert_eq!(browser.log(), "");
}

#[test]
fn a_fault_stands_at_its_field_while_somebody_types() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.run("location.hash = 'try/add'", &json!([]));
    browser.wait_for("document.querySelector('#try .form input')");
    let fault = |field: usize| {
        format!(
            "document.querySelectorAll('#try .field')[{field}].querySelector('.fault').textContent"
        )
    };
    // The words are those that a model gets.
    assert_eq!(
        browser.wait_for(&fault(0)),
        "a: missing; expected an integer (The first number)"
    );
    browser.type_into("#try .field:nth-of-type(1) input", "forty");
    browser.wait_for(&format!("{}.includes('found')", fault(0)));
    browser.clear("#try .field:nth-of-type(1) input");
    browser.type_into("#try .field:nth-of-type(1) input", "40");
    browser.type_into("#try .field:nth-of-type(2) input", "200");
    let text = browser.wait_for(&fault(1));
    assert_eq!(text, "b: expected an integer from 0 to 100, found 200");
    assert_eq!(browser.value(&fault(0)), "");
    let invalid = "[...document.querySelectorAll('#try input')].map((input) => input.getAttribute('aria-invalid'))";
    assert_eq!(browser.value(invalid), json!([null, null, "true"]));
    // The call is made all the same if somebody wants it, and answered as a model is answered.
    browser.click("#try button.main");
    let text = browser.wait_for("document.querySelector('#try pre')?.textContent");
    assert_eq!(
        text,
        "Error: Invalid arguments, 1 problem:\n- b: expected an integer from 0 to 100, found 200"
    );
    // The same as text.
    browser.run("[...document.querySelectorAll('#try button')].find((one) => one.textContent === 'As JSON').click()", &json!([]));
    let text = browser.value("document.querySelector('#try textarea.code').value");
    assert_eq!(text, "{\n  \"a\": 40,\n  \"b\": 200\n}");
    browser.clear("#try textarea.code");
    browser.type_into("#try textarea.code", "{\"a\": 12345678901234567, \"b\": 0}");
    browser.wait_for("document.querySelector('#try .row > [role=status]').textContent === 'fits'");
    browser.run("[...document.querySelectorAll('#try button')].find((one) => one.textContent === 'As a form').click()", &json!([]));
    // Every digit is there.
    assert_eq!(
        browser.value("document.querySelector('#try .form input').value"),
        "12345678901234567"
    );
    assert_eq!(browser.log(), "");
}

#[test]
fn what_may_be_absent_null_or_empty_can_be_each_of_them() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let secrets = MemorySecrets::new().with("github", "hunter2-hunter2");
    let tools = Toolset::builder().tool(Echo).tool(Picture).build().unwrap();
    let served = Served::new(Desk::new(tools, ToolContext::new().with_secrets(secrets)));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.click("#tools article a");
    browser.wait_for("document.querySelector('#try .form textarea')");
    let result = |expected: &str| {
        browser.run("document.querySelector('#try h3')?.remove(); document.querySelector('#try pre')?.remove();", &json!([]));
        browser.push("Run");
        let text = browser.wait_for("document.querySelector('#try pre')?.textContent");
        assert_eq!(text, expected);
    };
    let choose = |label: &str, value: &str| {
        browser.run(
            "const input = document.querySelector(`[aria-label=\"Presence of ${arguments[0]}\"]`); \
             input.value = arguments[1]; input.dispatchEvent(new Event('change'));",
            &json!([label, value]),
        );
    };
    let field = |name: &str| {
        browser.run(
            "const label = [...document.querySelectorAll('#try label')].find((one) => one.textContent === arguments[0]); \
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
        "const input = document.querySelector(arguments[0]); input.value = '1'; input.dispatchEvent(new Event('change'));",
        &json!([field("day")]),
    );
    browser.run("[...document.querySelectorAll('#try button')].find((one) => one.textContent === 'Add to tags').click()", &json!([]));
    browser.run("[...document.querySelectorAll('#try button')].find((one) => one.textContent === 'Add to tags').click()", &json!([]));
    browser.type_into(&field("tags 2"), "second");
    browser.click("[aria-label='Remove from tags']");
    // A secret is named, and the tool gets its value.
    browser.type_into(&field("token"), "github");
    browser.click("#try input[type=checkbox]");
    browser.type_into(&field("password"), "pass");
    let masked =
        "getComputedStyle(document.querySelector('[data-field=password]')).webkitTextSecurity";
    assert_eq!(browser.value(masked), "disc");
    result("n None Some(Some(7)) Some(\"tuesday\") [\"second\"] Some(15) true");
    // The trace has no value of a secret field.
    browser.run("location.hash = 'trace'", &json!([]));
    browser.wait_for("document.querySelectorAll('#calls button').length === 3");
    browser.click("#calls li:last-child button");
    let text = browser.wait_for("document.querySelector('#trace article pre')?.textContent");
    let text = text.as_str().unwrap();
    assert!(
        text.contains("<secret_ref:github>") && text.contains("\"password\": \"(secret)\""),
        "{text}"
    );
    // A picture is shown, and what could hold code is not.
    browser.run("location.hash = 'try/picture'", &json!([]));
    browser.wait_for("document.querySelector('#try h2')?.textContent === 'picture'");
    browser.push("Run");
    browser.wait_for("document.querySelector('#try img')?.naturalWidth === 1");
    assert_eq!(
        browser.value("document.querySelectorAll('#try img').length"),
        1
    );
    assert_eq!(browser.log(), "");
}

#[test]
fn a_call_shows_its_progress_and_can_be_stopped() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_for("document.querySelector('#tools article a')");
    browser.run("location.hash = 'try/count'", &json!([]));
    browser.wait_for("document.querySelector('#try h2')?.textContent === 'count'");
    browser.type_into("#try .form input", "100000");
    browser.run_what_fits();
    browser.wait_for("document.querySelector('#try progress')?.value > 0");
    browser.wait_for("document.querySelector('#try').textContent.includes('of 100000 counting')");
    browser.run("[...document.querySelectorAll('#try button')].find((one) => one.textContent === 'Stop').click()", &json!([]));
    let text = browser.wait_for("document.querySelector('#try pre')?.textContent");
    let text = text.as_str().unwrap();
    assert!(
        text.starts_with("stopped at") || text.contains("cancelled"),
        "{text}"
    );
    // A page that goes away takes its call with it.
    browser.click("#try button.main");
    browser.wait_for("document.querySelector('#try progress')?.value > 0");
    browser.reload();
    browser.wait_for("document.querySelector('#nav-trace')");
    browser.run("location.hash = 'trace'", &json!([]));
    browser.wait_for("document.querySelectorAll('#calls button').length === 2 && ![...document.querySelectorAll('#calls button')].some((one) => one.textContent.includes('running'))");
    let text = browser.value("document.querySelector('#calls li:last-child').textContent");
    assert!(text.as_str().unwrap().contains("cancelled"), "{text}");
}

#[test]
fn tools_come_and_go_and_a_form_that_is_filled_in_stays() {
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
    browser.wait_for("document.querySelectorAll('#tools .list button').length === 3");
    browser.run("location.hash = 'try/add'", &json!([]));
    browser.wait_for("document.querySelector('#try .form input')");
    browser.type_into("#try .form input", "41");
    // Another tool goes: the form is the same one.
    served.desk.replace_tools(only(true));
    browser.wait_for("document.querySelectorAll('#try .list button').length === 2");
    assert_eq!(
        browser.value("document.querySelector('#try .form input').value"),
        "41"
    );
    // The tool itself goes, and no other takes its place under the fingers of a person.
    served.desk.replace_tools(only(false));
    browser.wait_for("document.querySelector('#try article').textContent === 'add is not there.'");
    served.desk.replace_tools(only(true));
    browser.wait_for("document.querySelector('#try .form input')");
    assert_eq!(browser.log(), "");
}
