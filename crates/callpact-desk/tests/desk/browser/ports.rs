//! A page of another port of the same machine gets nothing of the desk: browsers send cookies to every port.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener},
    sync::{Arc, Mutex},
};

use callpact::{
    ReviewHandler, ReviewRequest, ToolContext,
    identity::{Identity, StaticTokens},
};
use callpact_desk::Desk;
use serde_json::{Value, json};

use super::driver::Browser;
use crate::kit::{Diary, Served, send, tools, wait_until};

/// Another program of the machine, which serves a page and keeps the heads of the requests for it.
struct OtherProgram {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<Vec<String>>>>,
}

impl OtherProgram {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heads);
        // Ends with the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let mut reader = BufReader::new(stream);
                let lines = reader.by_ref().lines().map_while(Result::ok);
                let head = lines.take_while(|line| !line.is_empty()).collect();
                kept.lock().unwrap().push(head);
                let page = "<!doctype html><title>Another program</title>";
                let _ = write!(
                    reader.get_mut(),
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
                    page.len()
                );
            }
        });
        Self { address, heads }
    }

    /// The headers that a browser sent here, as the program can send them on.
    fn stolen(&self) -> Vec<String> {
        let names = ["host:", "connection:", "origin:", "referer:", "sec-"];
        let lines = self.heads.lock().unwrap().concat();
        let own = |line: &String| {
            let line = line.to_ascii_lowercase();
            line.contains(": ") && !names.iter().any(|name| line.starts_with(name))
        };
        lines.into_iter().filter(own).collect()
    }
}

/// What a page can try at the desk with the browser's help.
const ATTACK: &str = "
    const desk = args[0];
    const gained = [document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)];
    const json = { 'content-type': 'application/json' };
    for (const [name, options] of [
        ['api/tools', {}],
        ['api/me', {}],
        ['api/events', {}],
        ['api/invite', { method: 'POST', headers: json, body: '{}' }],
        ['api/invite', { method: 'POST', mode: 'no-cors', body: '{}' }],
        ['api/decide', { method: 'POST', headers: json, body: args[1] }],
        ['api/decide', { method: 'POST', mode: 'no-cors', body: args[1] }],
    ]) {
        try {
            const answer = await fetch(desk + name, { credentials: 'include', ...options });
            gained.push(await answer.text());
        } catch { /* as it should */ }
    }
    const frame = document.createElement('iframe');
    const loaded = new Promise((done) => { frame.onload = done; });
    frame.src = desk;
    document.body.append(frame);
    await loaded;
    try { gained.push(frame.contentWindow.localStorage.length); } catch { /* as it should */ }
    gained.push(await new Promise((done) => {
        const events = new EventSource(desk + 'api/events', { withCredentials: true });
        events.onmessage = (event) => done(event.data);
        events.addEventListener('hello', (event) => done(event.data));
        events.onerror = () => { events.close(); done(''); };
    }));
    return gained.filter((one) => one !== '');
";

fn assert_gains_nothing(browser: &Browser, served: &Served) {
    let reviewer = served.desk.reviewer();
    let request = ReviewRequest::new("Call diary")
        .tool("diary")
        .action(r#"{"text":"x"}"#);
    let asked = served
        .runtime
        .spawn(async move { reviewer.review(&request).await.map(drop) });
    browser.wait_for("document.querySelector('#link').textContent === 'connected'");
    browser.wait_for("document.title.startsWith('(1)')");
    let program = OtherProgram::start();
    let decide = json!({ "id": "live-1", "digest": "", "decision": { "decision": "continue" } });
    for host in ["127.0.0.1", "localhost"] {
        let port = program.address.port();
        // As a person opens it, and as another page leads to it.
        browser.open(&format!("http://{host}:{port}/"));
        browser.run("location.href = '/linked'", &json!([]));
        wait_until("the link is followed", || {
            let heads = program.heads.lock().unwrap();
            let from = format!("Host: {host}:{port}");
            let linked =
                |head: &&Vec<String>| head[0].starts_with("GET /linked") && head.contains(&from);
            heads.iter().find(linked).map(drop)
        });
        let desk = format!("http://{}/", served.address);
        let gained = browser.run_async(ATTACK, &json!([desk, decide.to_string()]));
        assert_eq!(gained, json!([]), "{host}");
    }
    // Nor does the program itself with everything that the browser sent to it.
    let stolen = program.stolen();
    assert!(stolen.len() > 2, "{stolen:?}");
    let ask = |method: &str, name: &str, body: &Value| {
        let head = format!(
            "{method} /api/{name} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n{}\r\n",
            served.address,
            stolen.join("\r\n")
        );
        send(served.address, &head, &body.to_string()).status
    };
    for name in ["tools", "waiting", "calls", "events"] {
        assert_eq!(ask("GET", name, &Value::Null), 401, "{name}");
    }
    for (name, body) in [("invite", &json!({})), ("decide", &decide)] {
        assert_eq!(ask("POST", name, body), 401, "{name}");
    }
    assert!(!asked.is_finished());
}

#[test]
fn a_page_of_another_port_gains_nothing() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    browser.open(&served.url());
    assert_gains_nothing(&browser, &served);
}

#[test]
fn page_on_other_port_gains_no_person_session() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let people = StaticTokens::new().token("the-token-of-ada-1", Identity::new("ada"));
    let desk = Desk::new(tools(&Diary::default()), ToolContext::new());
    let served = Served::new(desk.authenticate(people.unwrap()));
    browser.open(&format!("http://{}/", served.address));
    browser.wait_for("document.querySelector('#enter').checkVisibility()");
    browser.type_into("#own", "the-token-of-ada-1\u{e007}");
    assert_gains_nothing(&browser, &served);
}
