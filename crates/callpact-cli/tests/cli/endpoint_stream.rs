//! `agent` at a terminal, with an endpoint that sends its answer in pieces.

use std::{
    error::Error,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::Command,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

use serde_json::{Value, json};

use crate::{
    Tested,
    console::Terminal,
    endpoint::{answer, calls, completion, raw},
    program,
};

const KEY: &str = "sk-hunter2hunter2hunter2";

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n";

fn agent(dir: &Path, url: &str) -> Command {
    let mut command = program(dir);
    command
        .args(["agent", "Do it", "--root", "."])
        .env("CALLPACT_BASE_URL", url)
        .env("CALLPACT_MODEL", "m")
        .env("OPENAI_API_KEY", KEY)
        .env("NO_COLOR", "1");
    command
}

fn event(delta: &Value, finish: Option<&str>) -> String {
    let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    format!("data: {chunk}\n\n")
}

fn stream(events: &[String]) -> Vec<u8> {
    format!("{HEAD}{}data: [DONE]\n\n", events.concat()).into_bytes()
}

fn read_request(stream: &TcpStream) -> std::io::Result<String> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let lower = line.trim().to_ascii_lowercase();
        if let Some(given) = lower.strip_prefix("content-length:") {
            length = given.trim().parse().unwrap_or(0);
        }
        if lower.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// An endpoint that sends a piece for each signal.
fn slow(pieces: Vec<String>) -> Result<(String, Sender<()>), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/v1", listener.local_addr()?);
    let (sender, go): (_, Receiver<()>) = channel();
    thread::spawn(move || -> std::io::Result<()> {
        let (mut stream, _) = listener.accept()?;
        read_request(&stream)?;
        stream.write_all(HEAD.as_bytes())?;
        for piece in pieces {
            if go.recv().is_err() {
                break;
            }
            stream.write_all(piece.as_bytes())?;
        }
        Ok(())
    });
    Ok((url, sender))
}

/// Runs the agent at a terminal with these answers: its exit code, what it showed, its output, and the requests.
fn run(answers: Vec<Vec<u8>>) -> Result<(Option<i32>, String, String, Vec<Value>), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let (url, serving) = raw(answers)?;
    let mut terminal = Terminal::run(&mut agent(dir.path(), &url))?;
    let (status, out) = terminal.end()?;
    let shown = terminal.text();
    for text in [&shown, &out] {
        assert!(!text.contains(KEY) && !text.contains("panicked"), "{text}");
    }
    let requests = serving.join().map_err(|_| "the endpoint panicked")??;
    let bodies = requests.iter().map(|(head, body)| {
        assert!(head.contains(&format!("Bearer {KEY}")), "{head}");
        serde_json::from_str(body)
    });
    Ok((status.code(), shown, out, bodies.collect::<Result<_, _>>()?))
}

#[test]
fn a_line_grows_while_the_model_answers() -> Tested {
    let dir = tempfile::tempdir()?;
    let pieces = vec![
        event(
            &json!({"role": "assistant", "content": "Four months "}),
            None,
        ),
        event(&json!({"content": "cost 246.75\u{1b}[2J."}), None),
        event(&json!({}), Some("stop")) + "data: [DONE]\n\n",
    ];
    let (url, go) = slow(pieces)?;
    let mut terminal = Terminal::run(&mut agent(dir.path(), &url))?;
    for shown in [
        " model  Four months ",
        " model  Four months cost 246.75\\u{1b}[2J.",
    ] {
        go.send(())?;
        terminal.pty.wait_for(shown, 1)?;
    }
    go.send(())?;
    let (status, out) = terminal.end()?;
    assert_eq!(status.code(), Some(0), "{}", terminal.text());
    assert_eq!(out, "Four months cost 246.75\u{1b}[2J.\n");
    assert!(
        !terminal.text().contains("\u{1b}[2J"),
        "{:?}",
        terminal.text()
    );
    Ok(())
}

#[test]
fn calls_of_a_stream_are_made() -> Tested {
    let call = |arguments: &str| json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]});
    let answers = vec![
        stream(&[
            event(&json!({"content": "I work it out."}), None),
            event(
                &json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function",
                    "function": {"name": "calculator", "arguments": ""}}]}),
                None,
            ),
            event(&call(r#"{"input": "#), None),
            event(&call(r#""2 + 3"}"#), None),
            event(&json!({}), Some("tool_calls")),
        ]),
        stream(&[event(&json!({"content": "5"}), Some("stop"))]),
    ];
    let (code, shown, out, requests) = run(answers)?;
    assert_eq!((code, &*out), (Some(0), "5\n"), "{shown}");
    assert!(shown.contains("    model  I work it out."), "{shown}");
    let messages = &requests[1]["messages"];
    assert_eq!(messages[2]["content"], "I work it out.");
    assert_eq!(messages[3]["content"], "5");
    assert_eq!(messages[3]["tool_call_id"], "c1");
    assert!(requests.iter().all(|request| request["stream"] == true));
    Ok(())
}

#[test]
fn half_a_stream_is_no_answer() -> Tested {
    let half = || event(&json!({"content": "Half of the ans"}), None);
    let lost = format!("{HEAD}{}", half()).into_bytes();
    let broken = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 900\r\n\r\n{}",
        half()
    );
    let long = event(&json!({"content": "x".repeat(1 << 15)}), None).repeat(9 << 5);
    for (bytes, code, words) in [
        (lost, 3, "stream ended before the model's answer"),
        (broken.into_bytes(), 1, "broke off"),
        (stream(&[half(), long]), 1, "longer than 8 MiB"),
        (
            stream(&[half(), event(&json!({}), Some("length"))]),
            3,
            "cut off at its longest length",
        ),
        (
            stream(&["data: {\"choices\": [\n\n".to_owned()]),
            1,
            "is not JSON: ",
        ),
        (
            stream(&["data: {\"object\": \"list\"}\n\n".to_owned()]),
            1,
            "is no chat completion",
        ),
        (stream(&[]), 1, "is no chat completion"),
        (
            stream(&[
                half(),
                format!("data: {{\"error\": {{\"message\": \"no {KEY}\"}}}}\n\n"),
            ]),
            1,
            "the endpoint answered an error: no <secret_ref:OPENAI_API_KEY>",
        ),
    ] {
        let (ended, shown, out, _) = run(vec![bytes])?;
        assert_eq!((ended, &*out), (Some(code), ""), "{shown}");
        assert!(shown.contains(words), "{words:?} in {shown}");
    }
    Ok(())
}

#[test]
fn an_endpoint_without_streams_answers_whole() -> Tested {
    let json = "content-type: application/json\r\n";
    let call = calls("calculator", &json!(r#"{"input": "2 + 3"}"#));
    let body = json!({"choices": [{"message": call, "finish_reason": "tool_calls"}]});
    let laid_out = serde_json::to_string_pretty(&body)?;
    let answers = vec![
        answer("429 Too Many Requests", "retry-after: 0\r\n", "{}"),
        answer("200 OK", json, &laid_out),
        completion(&json!({"content": "5"}), "stop"),
    ];
    let (code, shown, out, requests) = run(answers)?;
    assert_eq!(
        (code, &*out, requests.len()),
        (Some(0), "5\n", 3),
        "{shown}"
    );
    let refused = answer("404 Not Found", json, r#"{"error": "no model"}"#);
    let (code, shown, ..) = run(vec![refused])?;
    assert_eq!(code, Some(1));
    assert!(shown.contains("404 Not Found: no model"), "{shown}");
    Ok(())
}

#[test]
fn json_and_silence_ask_for_no_stream() -> Tested {
    for option in ["--json", "--quiet"] {
        let dir = tempfile::tempdir()?;
        let (url, serving) = raw(vec![completion(&json!({"content": "Done."}), "stop")])?;
        let mut terminal = Terminal::run(agent(dir.path(), &url).arg(option))?;
        let (status, out) = terminal.end()?;
        assert_eq!(status.code(), Some(0), "{}", terminal.text());
        assert!(out.contains("Done."), "{out}");
        let requests = serving.join().map_err(|_| "the endpoint panicked")??;
        assert!(!requests[0].1.contains("\"stream\""), "{}", requests[0].1);
    }
    Ok(())
}
