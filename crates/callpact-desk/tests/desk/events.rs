//! The stream of events, over plain HTTP.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    time::Duration,
};

use callpact::ToolContext;
use callpact_desk::Desk;
use serde_json::{Value, json};

use crate::kit::{Client, Diary, Served, read_head, tools};

/// The lines of an event stream.
struct Lines(BufReader<TcpStream>);

impl Lines {
    fn open(client: &Client, last: Option<&str>) -> Self {
        let mut stream = TcpStream::connect(client.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let last = last.map_or(String::new(), |last| format!("Last-Event-ID: {last}\r\n"));
        write!(stream, "{}{last}\r\n", client.head("GET", "events")).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, headers) = read_head(&mut reader);
        assert_eq!(status, 200);
        assert!(headers.contains(&("content-type".to_owned(), "text/event-stream".to_owned())));
        Self(reader)
    }

    /// Reads on to a line with this beginning.
    fn next(&mut self, begins: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line).unwrap();
            assert!(read > 0, "the stream ended before {begins}");
            if let Some(rest) = line.trim_end().strip_prefix(begins) {
                return rest.to_owned();
            }
        }
    }
}

#[test]
fn a_stream_goes_on_where_it_broke_off() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let client = served.client();
    let call = |number: u32| {
        let body =
            format!(r#"{{"number": {number}, "tool": "add", "arguments": "{{\"a\": {number}}}"}}"#);
        assert_eq!(client.call(&body).status, 200);
    };
    let mut lines = Lines::open(&client, None);
    let id = lines.next("id: ");
    assert_eq!(lines.next("event: "), "hello");
    drop(lines);
    call(1);
    // Without a greeting, what was missed comes first.
    let mut lines = Lines::open(&client, Some(&id));
    assert_eq!(lines.next("event: "), "call");
    assert!(lines.next("data: ").contains(r#""tool":"add""#));
    // Another process's number is nobody's here.
    let mut other = Lines::open(&client, Some("0-0"));
    assert_eq!(other.next("event: "), "hello");
    call(2);
    assert_eq!(other.next("event: "), "call");
    served.stop();
}

#[test]
fn there_is_an_end_to_streams_and_calls() {
    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let client = served.client();
    let streams: Vec<_> = (0..64).map(|_| Lines::open(&client, None)).collect();
    assert_eq!(client.get("events").status, 503);
    drop(streams);
    crate::kit::wait_until("a stream is free again", || {
        let mut stream = TcpStream::connect(client.address).unwrap();
        write!(stream, "{}\r\n", client.head("GET", "events")).unwrap();
        let (status, _) = read_head(&mut BufReader::new(stream));
        (status == 200).then_some(())
    });
    let call = |number: usize, tool: &str, arguments: &Value| {
        let arguments = arguments.to_string();
        json!({ "number": number, "tool": tool, "arguments": arguments }).to_string()
    };
    for number in 0..64 {
        let body = call(number, "count", &json!({ "steps": 1_000_000 }));
        // It is started, and no request stays open until its end.
        assert_eq!(client.post("call", &body).status, 202);
    }
    let one_more = call(64, "add", &json!({ "a": 1, "b": 1 }));
    assert_eq!(client.post("call", &one_more).status, 429);
    for number in 0..64 {
        let stop = json!({ "number": number }).to_string();
        assert_eq!(client.post("stop", &stop).status, 200);
        assert!(client.result(&json!(number))["outcome"].is_string());
    }
    let after = call(65, "add", &json!({ "a": 1, "b": 1 }));
    assert_eq!(client.call(&after).status, 200);
}

#[test]
fn decision_event_contains_only_changes() {
    use callpact::{ReviewHandler, ReviewRequest};

    let served = Served::new(Desk::new(tools(&Diary::default()), ToolContext::new()));
    let client = served.client();
    let ask = |number: usize| {
        let reviewer = served.desk.reviewer();
        let request = ReviewRequest::new(format!("Call {number}"))
            .tool("diary")
            .action(json!({ "text": "x".repeat(2_000) }).to_string());
        served
            .runtime
            .spawn(async move { reviewer.review(&request).await.map(drop) });
    };
    (0..3_000).for_each(ask);
    let first = crate::kit::wait_until("all wait", || {
        let page = client.post("inbox", "{}");
        (page.json()["live"] == 3_000).then_some(page)
    });
    // A page has rows without the arguments.
    assert!(first.body.len() < 40_000, "{}", first.body.len());
    let mut lines = Lines::open(&client, None);
    lines.next("event: ");
    let rows = first.json()["rows"].clone();
    for row in rows.as_array().unwrap() {
        let id = json!({ "id": row["id"] }).to_string();
        let card = client.post("waiting", &id).json();
        let body = json!({ "id": card["id"], "digest": card["digest"], "decision": { "decision": "continue" } });
        let answer = client.post("decide", &body.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(lines.next("event: "), "settled");
        let event = lines.next("data: ");
        assert!(event.len() < 250, "{event}");
    }
}

/// Waits for an event of a name.
pub(crate) fn wait_for_event(client: &Client, name: &str) {
    let mut lines = Lines::open(client, None);
    while lines.next("event: ") != name {}
}
