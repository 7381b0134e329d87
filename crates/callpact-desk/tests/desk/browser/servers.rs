//! The servers of MCP on the page: their state, their messages, and one more.

use std::sync::{Arc, Mutex};

use callpact::{ToolContext, review::BoxFuture};
use callpact_desk::{Connection, ConnectionState, Connections, Desk, NewConnection};
use serde_json::json;
use tokio::sync::Notify;

use super::driver::Browser;
use crate::kit::{Diary, Served, tools};

/// The servers of a program that only notes what people want.
#[derive(Clone, Default)]
pub(super) struct Noted(Arc<Mutex<Vec<NewConnection>>>, bool, Arc<Notify>);

impl Noted {
    /// Servers of a program that lets people connect to more.
    pub(super) fn allowing() -> Self {
        Self(Arc::default(), true, Arc::default())
    }

    /// Lets a slow server answer.
    pub(super) fn answer(&self) {
        self.2.notify_one();
    }
}

impl Connections for Noted {
    fn list(&self) -> Vec<Connection> {
        let mut good = Connection::new("files", "file-server docs", ConnectionState::Connected);
        good.tools = 4;
        good.protocol = Some("2026-07-28".to_owned());
        let mut gone = Connection::new("mail", "mail-server", ConnectionState::Failed);
        gone.error = Some("the server ended before it answered".to_owned());
        gone.last_words = Some("MAIL_KEY is not set".to_owned());
        gone.rule = Some("A started server gets PATH and HOME only.".to_owned());
        let mut all = vec![good, gone];
        for new in self.0.lock().unwrap().iter() {
            let mut one = Connection::new(&new.name, "new", ConnectionState::Connected);
            one.removable = true;
            all.push(one);
        }
        all
    }

    fn allows(&self) -> bool {
        self.1
    }

    fn connect(&self, wanted: NewConnection) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            if wanted.settings["command"] == "nothing" {
                return Err("the server cannot be started: no such file".to_owned());
            }
            if wanted.settings["command"] == "slow" {
                self.2.notified().await;
            }
            self.0.lock().unwrap().push(wanted);
            Ok(())
        })
    }

    fn disconnect<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            self.0.lock().unwrap().retain(|one| one.name != name);
            Ok(())
        })
    }
}

/// Adds messages of a server to the log of a desk.
pub(super) fn talk(desk: &Desk) {
    let log = desk.messages();
    log.sent(
        "files",
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#,
    );
    log.received(
        "files",
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}"#,
    );
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "read", "arguments": { "path": "<img src=x onerror=alert(1)>" } } });
    log.sent("files", &call.to_string());
    let error =
        json!({ "jsonrpc": "2.0", "id": 2, "error": { "code": -1, "message": "no such file" } });
    log.received("files", &error.to_string());
}

#[test]
fn servers_show_their_state_and_last_words() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.with_connections(Noted::default()));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit("connect/files", "document.querySelector('#connect .detail').textContent.includes('4 tools, protocol 2026-07-28')");
    browser.visit(
        "connect/mail",
        "document.querySelector('#connect .detail').textContent.includes('MAIL_KEY is not set')",
    );
    for words in [
        "the server ended before it answered",
        "PATH and HOME only",
        "counts as one that can destroy",
    ] {
        browser.wait_for(&format!(
            "document.querySelector('#connect .detail').textContent.includes('{words}')"
        ));
    }
    // Without leave there is no way to connect.
    assert_eq!(
        browser.value("document.querySelector('#connect .new-server').checkVisibility()"),
        false
    );
    let answer = served
        .client()
        .post("connect", r#"{"name": "x", "kind": "url", "settings": {}}"#);
    assert_eq!(answer.status, 403, "{}", answer.body);
}

#[test]
fn messages_are_paired_searched_and_shown_whole() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    talk(&served.desk);
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit(
        "protocol",
        "document.querySelectorAll('#messages a').length === 4",
    );
    // By key to the last message, which is an error, and from it to its request.
    browser.run(
        "document.querySelectorAll('#messages a')[3].click()",
        &json!([]),
    );
    browser.wait_for(
        "document.querySelector('#protocol .detail').textContent.includes('no such file')",
    );
    browser.wait_for("document.querySelectorAll('#messages a.twin').length === 1");
    browser.run(&format!("({}).click()", "[...document.querySelectorAll('#protocol .detail a')].find((one) => one.textContent === 'Request')"), &json!([]));
    browser.wait_for("document.querySelector('#protocol .detail').textContent.includes('<img src=x onerror=alert(1)>')");
    // Messages that come later appear, also many at once.
    for _ in 0..50 {
        talk(&served.desk);
    }
    browser.wait_for("document.querySelectorAll('#messages a').length === 204");
    browser.push("Errors");
    browser.wait_for("document.querySelectorAll('#messages a').length === 51");
    assert_eq!(browser.log(), "");
}

#[test]
fn a_server_is_connected_with_the_keyboard() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let noted = Noted::allowing();
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.with_connections(noted.clone()));
    browser.open(&served.url());
    browser.wait_until_connected();
    browser.visit(
        "connect/+",
        "document.querySelector('#server-name')?.checkVisibility()",
    );
    browser.type_into("#server-name", "notes");
    let first = "#connect .form textarea";
    browser.type_into(first, "nothing");
    browser.press_with("\u{e009}", "\u{e007}");
    browser.wait_for(
        "document.querySelector('#connect .detail').textContent.includes('no such file')",
    );
    browser.clear(first);
    browser.type_into(first, "file-server");
    browser.press_with("\u{e009}", "\u{e007}");
    browser.wait_for("location.hash === '#connect/notes' && document.querySelector('#connect .detail h2')?.textContent === 'notes'");
    let wanted = noted.0.lock().unwrap().clone();
    assert_eq!(
        (wanted.len(), &*wanted[0].kind, wanted[0].trusted),
        (1, "command", false)
    );
    assert_eq!(wanted[0].settings["command"], "file-server");
    browser.push("Disconnect");
    browser.wait_for("![...document.querySelectorAll('#connect .item')].some((one) => one.textContent.includes('notes'))");
}
