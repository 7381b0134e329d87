//! Every flow of the page, with the keyboard alone and with the mouse alone, at three widths, in light and dark.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc::Receiver,
};

use callpact::{
    Halt, ToolContext, ToolReply,
    identity::{Identity, StaticTokens},
};
use callpact_desk::Desk;
use serde_json::json;

use super::{
    access::{ask, every_tool, traced},
    driver::Browser,
    person::{DOWN, END, ENTER, ESCAPE, Hand, Person},
};
use crate::kit::Served;

/// What a person does, and what has to come of it.
type Flow = fn(&Person<'_>, &Served);

const FLOWS: &[(&str, Flow)] = &[
    ("approve a write", approve),
    ("approve a destruction", destroy),
    ("edit with a fault", edit),
    ("refuse with a reason", refuse),
    ("end the run", end_run),
    ("try a read", try_read),
    ("try a write", try_write),
    ("try a destruction", try_destruction),
    ("search tools", search),
    ("read a contract", contract),
    ("look into the trace", trace),
    ("copy a call", copies),
    ("follow the protocol", protocol),
    ("connect a server", connect),
    ("read the keys", keys),
    ("be notified", notify),
    ("let in a browser", invite),
    ("come in", come_in),
];

fn every_flow(width: u32, height: u32) {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = traced();
    let mut failed = Vec::new();
    for hand in [Hand::Keyboard, Hand::Mouse] {
        let person = Person::new(&browser, hand, width, height);
        browser.open(&served.url());
        browser.wait_until_connected();
        for (name, flow) in FLOWS {
            person.flow.set(name);
            // The others go on, so that one run names every flow that is broken.
            let ended = catch_unwind(AssertUnwindSafe(|| {
                flow(&person, &served);
                assert_eq!(browser.log(), "", "{name}, {hand:?}, {width}");
            }));
            if ended.is_err() {
                let seen = "document.querySelector('section:not([hidden])').innerText";
                println!("{name}, {hand:?}, {width}: {}", browser.value(seen));
                failed.push(format!("{name}, {hand:?}"));
                browser.open(&served.url());
                browser.wait_until_connected();
                browser.log();
            }
        }
    }
    assert!(failed.is_empty(), "at {width}: {failed:?}");
}

#[test]
fn every_flow_works_on_a_wide_screen() {
    every_flow(1280, 800);
}

#[test]
fn every_flow_works_on_a_tablet() {
    every_flow(820, 900);
}

#[test]
fn every_flow_works_on_a_phone() {
    every_flow(390, 800);
}

type Ended = Receiver<Result<ToolReply, Halt>>;

fn told(ended: &Ended) -> String {
    let minute = std::time::Duration::from_secs(60);
    let reply = ended.recv_timeout(minute).unwrap().unwrap();
    reply.to_model().into_owned()
}

/// A call waits, and the person opens it.
fn opened(person: &Person<'_>, served: &Served, tool: &'static str, path: &str) -> Ended {
    let arguments = if tool == "diary" {
        json!({ "text": path })
    } else {
        json!({ "path": path, "times": "1", "token": "a-long-token" })
    };
    let ended = ask(served, tool, &arguments);
    person.view("1", "inbox");
    person.see("#waiting-list .item");
    if person.width == 390 {
        person.look("the list");
        person.open("#waiting-list .item");
    }
    person.see("#inbox .d-approve button");
    ended
}

fn decided(person: &Person<'_>) {
    person.see("#inbox .alone, #inbox .last:not(:empty)");
}

fn approve(person: &Person<'_>, served: &Served) {
    let ended = opened(person, served, "file_edit", "CHANGELOG.md");
    person.look("a difference");
    for fold in [
        "=Changed or filled in",
        "=As JSON",
        "=What your decision is bound to",
    ] {
        person.push(fold);
    }
    person.look("open folds");
    person.press("a", "#inbox .d-approve button");
    assert_eq!(told(&ended), "done");
    decided(person);
}

fn destroy(person: &Person<'_>, served: &Served) {
    let ended = opened(person, served, "shell", "target/doc");
    person.look("a command");
    person.press("a", "#inbox .d-approve button");
    if person.uses_keys() {
        person.see("#inbox .d-approve button:focus");
        assert!(ended.try_recv().is_err(), "a letter does not approve it");
        person.browser.press(&[ENTER]);
    }
    assert_eq!(told(&ended), "done");
    decided(person);
}

fn edit(person: &Person<'_>, served: &Served) {
    let ended = opened(person, served, "diary", "as it was");
    person.decide("e", "d-edit");
    let field = "#inbox .form textarea";
    person.see(field);
    person.write(field, "");
    person.read(
        "#inbox .field .fault",
        "expected a string of 1 to 80 characters",
    );
    person.read("#inbox .actions", "1 fault to correct");
    person.look("an edit with a fault");
    person.write(field, "other");
    person.read("#inbox .actions", "Runs the edited call, once.");
    person.look("an edit");
    person.send("=Approve the edit");
    // The effect of the edited call is a separate question.
    if person.width == 390 {
        person.open("#waiting-list .item:not(.done)");
    }
    person.read("#inbox .detail", "as a person edited it");
    person.look("the edited call");
    person.press("a", "#inbox .d-approve button");
    assert!(told(&ended).contains("a person edited this call to: {\"text\":\"other\"}"));
    decided(person);
}

fn refuse(person: &Person<'_>, served: &Served) {
    let ended = opened(person, served, "http", "https://hooks.example.com/releases");
    person.look("a request");
    person.press("r", "#inbox .d-refuse button");
    person.see("#reason");
    person.write("#reason", "not on a Sunday");
    person.look("a reason");
    person.send("=Refuse");
    assert!(told(&ended).contains("not on a Sunday"));
    decided(person);
}

fn end_run(person: &Person<'_>, served: &Served) {
    let ended = opened(person, served, "diary", "the last one");
    person.decide("x", "d-end");
    person.read("dialog", "End the run");
    person.look("a question");
    person.push("=End the run");
    let minute = std::time::Duration::from_secs(60);
    assert!(matches!(
        ended.recv_timeout(minute).unwrap(),
        Err(Halt::ExitEarly { .. })
    ));
    decided(person);
}

/// Opens a tool and writes into its first field.
fn fill_in(person: &Person<'_>, tool: &str, field: &str, text: &str) {
    person.view("2", "tools");
    person.open(&format!("#tools .item[data-tool={tool}]"));
    person.read("#tools .title", tool);
    person.see("#tools .run");
    person.write(&format!("#tools .form {field}"), text);
}

fn try_read(person: &Person<'_>, _: &Served) {
    fill_in(person, "add", "input", "forty");
    person.send("#tools .run");
    person.read("#tools .fault", "a: expected an integer");
    person.look("a form with a fault");
    person.write("#tools .form input", "41");
    person.send("#tools .run");
    person.read("#tools .body pre", "42");
    person.look("a result");
    person.push("=JSON");
    person.see("#tools textarea.code-text");
    person.look("arguments as text");
    person.push("=Form");
    person.push("=Empty the form");
}

fn try_write(person: &Person<'_>, _: &Served) {
    fill_in(person, "diary", "textarea", "tried");
    person.send("#tools .run");
    person.read("#tools .body pre", " lines");
    person.look("a result");
    person.push("=Empty the form");
}

fn try_destruction(person: &Person<'_>, _: &Served) {
    fill_in(person, "shell", "textarea", "target/doc");
    person.send("#tools .run");
    person.read("#tools .actions .note", "rm -r target/doc");
    person.look("a question in place");
    person.press(ENTER, "#tools .confirm");
    person.read("#tools .body pre", "done");
    person.push("=Empty the form");
}

fn search(person: &Person<'_>, _: &Served) {
    person.view("2", "tools");
    person.press("/", "#tools .search");
    person.see("#tools .search:focus");
    person.write("#tools .search", "diary");
    person.read("#tools .head", "1 of 6 tools");
    person.look("a search");
    person.write("#tools .search", "nothing like it");
    person.read("#tools .empty", "No tool matches.");
    person.look("a search without a result");
    person.write("#tools .search", "");
    person.read("#tools .head", "6 tools");
}

fn contract(person: &Person<'_>, _: &Served) {
    person.view("2", "tools");
    person.open("#tools .item[data-tool=file_edit]");
    person.read("#tools .title", "file_edit");
    person.push("=Contract");
    person.see("#tools .dialect");
    person.look("a contract");
    if person.uses_keys() {
        person.go("#tools .dialect");
        person.browser.press(&[DOWN]);
    } else {
        person.go("#tools .dialect");
        person.go("#tools .dialect option:nth-child(2)");
    }
    let second = "document.querySelector('#tools .dialect option:nth-child(2)').value";
    let dialect = person.browser.value(second);
    person.read(
        "#tools .code-head",
        &format!("file_edit for {}", dialect.as_str().unwrap()),
    );
    person.look("another dialect");
    person.push("=Try");
}

/// Opens the last entry of a list: by keys from the entry that has the focus, or by the mouse.
fn open_last(person: &Person<'_>, focused: &str, last: &str) {
    if person.uses_keys() {
        person.go(focused);
        person.browser.press(&[END, ENTER]);
    } else {
        person.go(last);
    }
}

fn trace(person: &Person<'_>, _: &Served) {
    person.view("3", "trace");
    person.push("=Failed");
    person.see("#trace .segments [aria-pressed=true] + button + button");
    person.read("#trace .head", " of ");
    person.look("a filter");
    person.push("=All");
    person.press("/", "#trace .search");
    person.see("#trace .search:focus");
    person.write("#trace .search", "costs of the quarter");
    person.read("#trace .head", "1 of ");
    person.look("a search");
    open_last(person, "#calls tr[tabindex='0']", "#calls [data-call]");
    person.read("#trace .detail", "What the model got");
    person.push("=As a test");
    person.look("a traced call");
    if person.width == 390 {
        person.press(ESCAPE, "#trace .close a");
    }
    person.write("#trace .search", "");
}

fn copies(person: &Person<'_>, _: &Served) {
    person.view("3", "trace");
    open_last(
        person,
        "#calls tr[tabindex='0']",
        "#calls tbody tr:last-child",
    );
    // Another program may have the clipboard of this machine.
    let keep = "navigator.clipboard.writeText = async (text) => { window.copied = text; }";
    person.browser.run(keep, &json!([]));
    for (words, start) in [
        ("=Copy as test", "#[tokio::test]"),
        ("=Copy as curl", "curl -sS"),
    ] {
        person.push(words);
        person.see("=Copied");
        let copied = person.browser.value("window.copied");
        assert!(copied.as_str().unwrap().contains(start), "{copied}");
        person.look("a copy");
    }
}

fn protocol(person: &Person<'_>, _: &Served) {
    person.view("4", "protocol");
    person.look("the messages");
    open_last(
        person,
        "#messages a[tabindex='0']",
        "#messages a:last-of-type",
    );
    person.read("#protocol .detail", "no such file");
    person.look("an error");
    person.push("=Request");
    person.read("#protocol .detail", "tools/call");
    person.look("a request");
}

fn connect(person: &Person<'_>, _: &Served) {
    person.view("5", "connect");
    person.open("#connect .item[href$=mail]");
    person.read("#connect .detail", "MAIL_KEY is not set");
    person.look("a server that failed");
    person.view("5", "connect");
    person.push("#connect .new-server");
    person.write("#server-name", "notes");
    person.write(
        "#connect .form textarea, #connect .plain-names textarea",
        "nothing",
    );
    person.send("#connect .actions .solid");
    person.read("#connect .detail", "no such file");
    person.look("a server that cannot be started");
    // The browser says so, too.
    person.browser.log();
    person.write(
        "#connect .form textarea, #connect .plain-names textarea",
        "file-server",
    );
    person.send("#connect .actions .solid");
    person.read("#connect .detail h2", "notes");
    person.look("a connected server");
    person.push("=Disconnect");
    person.browser.wait_for(
        "location.hash === '#connect' && !document.querySelector('#connect .item[href$=notes]')",
    );
}

/// Opens what is at the foot of the page, behind "More" where there is little room.
fn foot(person: &Person<'_>) {
    person.view("1", "inbox");
    if person.width < 1100 {
        person.push("#about");
        person.read("dialog", "You decide as");
        person.look("the desk");
    }
}

fn keys(person: &Person<'_>, _: &Served) {
    foot(person);
    person.push("#keys");
    person.read("dialog h2", "Keys");
    person.look("the keys");
    person.press(ESCAPE, "=Close");
    person.see("#inbox");
    assert_eq!(
        person
            .browser
            .value("document.querySelector('#dialog').open"),
        false
    );
}

fn notify(person: &Person<'_>, _: &Served) {
    person.view("1", "inbox");
    person.see("#inbox .alone");
    person.look("nothing waits");
    // A browser without windows asks nobody.
    person.browser.run(
        "Notification.requestPermission = async () => 'granted'",
        &json!([]),
    );
    if person.browser.value("Notification.permission") == "default" {
        person.push("=Notify me in this browser");
        person.read("#said", "You will be notified");
    }
}

fn invite(person: &Person<'_>, _: &Served) {
    foot(person);
    person.push("#invite");
    let input = "#invited input";
    person.see(input);
    person.look("an address");
    let address = person
        .browser
        .value("document.querySelector('#invited input').value");
    let address = address.as_str().unwrap();
    if person.width < 1100 {
        person.press(ESCAPE, "=Close");
    }
    // As in another browser, which has no session.
    person.browser.run("localStorage.clear()", &json!([]));
    person.browser.open(address);
    person.browser.wait_until_connected();
}

fn come_in(person: &Person<'_>, served: &Served) {
    let people = StaticTokens::new().token("the-token-of-ada-1", Identity::new("ada"));
    let desk = Desk::new(every_tool(), ToolContext::new()).authenticate(people.unwrap());
    let mine = Served::new(desk);
    person.browser.open(&format!("http://{}/", mine.address));
    person.write("#own", "another-token-of-ada");
    let enter = |person: &Person<'_>| {
        if person.uses_keys() {
            person.browser.press(&[ENTER]);
        } else {
            person.go("=Come in");
        }
    };
    enter(person);
    person.read("#denied", "not valid");
    // The browser says so, too.
    person.browser.log();
    person.look("a wrong token");
    person.write("#own", "the-token-of-ada-1");
    enter(person);
    person.browser.wait_until_connected();
    person.browser.open(&format!("http://{}/", served.address));
    person.browser.wait_until_connected();
}
