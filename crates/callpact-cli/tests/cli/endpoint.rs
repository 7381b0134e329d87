//! `agent` at an endpoint that is busy, refuses, or answers nonsense.

use std::{
    error::Error,
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    path::Path,
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{Tested, err, out, program};

/// A key that must not appear anywhere.
const KEY: &str = "sk-hunter2hunter2hunter2";

/// The heads and bodies of the requests.
pub(crate) type Heard = thread::JoinHandle<std::io::Result<Vec<(String, String)>>>;

/// Sends these bytes as the answers, one connection after the other, and returns the requests.
pub(crate) fn raw(answers: Vec<Vec<u8>>) -> Result<(String, Heard), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/v1", listener.local_addr()?);
    let serving = thread::spawn(move || {
        let mut requests = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept()?;
            let mut reader = BufReader::new(stream.try_clone()?);
            let (mut head, mut length) = (String::new(), 0);
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
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body)?;
            requests.push((head, String::from_utf8_lossy(&body).into_owned()));
            // The client may close its side early.
            let _ = stream.write_all(&answer);
        }
        Ok(requests)
    });
    Ok((url, serving))
}

pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}connection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

pub(crate) fn completion(message: &Value, finish: &str) -> Vec<u8> {
    let body = json!({ "choices": [{ "message": message, "finish_reason": finish }] });
    answer("200 OK", "", &body.to_string())
}

fn says(text: &str) -> Vec<u8> {
    completion(&json!({ "role": "assistant", "content": text }), "stop")
}

pub(crate) fn calls(name: &str, arguments: &Value) -> Value {
    json!({ "role": "assistant", "content": null, "tool_calls": [
        { "id": "c1", "type": "function", "function": { "name": name, "arguments": arguments } },
    ] })
}

fn agent(dir: &Path, url: &str) -> Command {
    let mut command = program(dir);
    command
        .args(["agent", "Do it", "--root", "."])
        .env("CALLPACT_BASE_URL", url)
        .env("CALLPACT_MODEL", "m")
        .env("OPENAI_API_KEY", KEY);
    command
}

/// Runs the agent at an endpoint with these answers, and asserts that the key appears nowhere.
fn run(answers: Vec<Vec<u8>>, more: &[&str]) -> Result<(Output, Vec<Value>), Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let (url, serving) = raw(answers)?;
    let output = agent(dir.path(), &url).args(more).output()?;
    for text in [out(&output), err(&output)] {
        assert!(!text.contains(KEY), "{text}");
        assert!(!text.contains("panicked"), "{text}");
    }
    let requests = serving.join().map_err(|_| "the endpoint panicked")??;
    let mut bodies = Vec::new();
    for (head, body) in requests {
        assert!(head.contains(&format!("Bearer {KEY}")), "{head}");
        bodies.push(serde_json::from_str(&body)?);
    }
    Ok((output, bodies))
}

/// Runs the agent, asserts this exit code, and returns the message of the error.
fn fails(code: i32, answers: Vec<Vec<u8>>) -> Result<String, Box<dyn Error>> {
    let (output, _) = run(answers, &["--json"])?;
    let said = err(&output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    // Both forms say the same.
    let error: Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(error["error"]["exit_code"], code);
    let message = error["error"]["message"].as_str().ok_or("no message")?;
    assert!(message.chars().count() < 600, "{message}");
    let shown = message.replace('\n', "\n  ");
    assert!(said.ends_with(&format!("error: {shown}\n")), "{said}");
    Ok(message.to_owned())
}

#[test]
fn a_busy_endpoint_is_asked_again() -> Tested {
    // After the time that the endpoint asks for; not at all if that is too long.
    let soon = || answer("429 Too Many Requests", "retry-after: 0\r\n", "{}");
    let start = Instant::now();
    let (output, requests) = run(vec![soon(), soon(), says("Done.")], &[])?;
    assert_eq!(out(&output), "Done.\n", "{}", err(&output));
    assert_eq!(requests.len(), 3);
    assert_eq!(requests.first(), requests.last());
    assert!(err(&output).contains("busy"), "{}", err(&output));
    assert!(start.elapsed() < Duration::from_mins(1));

    let start = Instant::now();
    let later = answer("429 Too Many Requests", "retry-after: 3600\r\n", "{}");
    let said = fails(1, vec![later])?;
    assert!(start.elapsed() < Duration::from_mins(1));
    assert!(said.contains("429 Too Many Requests"), "{said}");
    assert!(said.contains("run it again after 3600s"), "{said}");

    // After a second without a number; a date is not read.
    let start = Instant::now();
    let date = "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n";
    let busy = answer("503 Service Unavailable", date, "<html>busy</html>");
    let (output, requests) = run(vec![busy, says("Done.")], &[])?;
    assert_eq!(out(&output), "Done.\n", "{}", err(&output));
    assert_eq!(requests.len(), 2);
    assert!(start.elapsed() >= Duration::from_secs(1));

    // There is no fourth try.
    let said = fails(1, vec![soon(), soon(), soon()])?;
    assert!(said.contains("run it again later"), "{said}");
    Ok(())
}

#[test]
fn a_refusal_says_what_to_do() -> Tested {
    let fault = |text: &str| json!({ "error": { "message": text, "type": "t" } }).to_string();
    let long = "long ".repeat(1_000);
    for (status, body, words) in [
        (
            "401 Unauthorized",
            fault(&format!("Incorrect API key provided: {KEY}.")),
            &["401", "Incorrect API key provided", "check OPENAI_API_KEY"][..],
        ),
        (
            "403 Forbidden",
            fault("no"),
            &["403", "check OPENAI_API_KEY"],
        ),
        (
            "400 Bad Request",
            fault("the model\u{1b}[31m `m` has\nno tools"),
            &["400", " `m` has no tools"],
        ),
        (
            "404 Not Found",
            "<html>nginx</html>".to_owned(),
            &["404 Not Found\n", "check CALLPACT_BASE_URL", "`m`"],
        ),
        (
            "404 Not Found",
            r#"{"error": "no model"}"#.into(),
            &["404", ": no model\n"],
        ),
        (
            "422 Unprocessable Entity",
            r#"{"detail": [1]}"#.into(),
            &["422", r#"{"detail": [1]}"#],
        ),
        (
            "400 Bad Request",
            r#"[{"error": {"message": "odd"}}]"#.into(),
            &["400", ": odd"],
        ),
        ("400 Bad Request", fault(&long), &["400", "long long", "…"]),
        ("400 Bad Request", String::new(), &["400 Bad Request"]),
        (
            "500 Internal Server Error",
            String::new(),
            &["500", "run it again later"],
        ),
        ("413 Payload Too Large", String::new(), &["413", "too long"]),
        (
            "301 Moved Permanently",
            String::new(),
            &["301", "redirects are not followed"],
        ),
    ] {
        let said = fails(1, vec![answer(status, "location: /there\r\n", &body)])?;
        assert!(said.starts_with("the endpoint answered "), "{said}");
        for word in words {
            assert!(said.contains(word), "{word:?} in {said}");
        }
        assert!(
            !said.contains("html") && !said.contains('\u{1b}'),
            "{said:?}"
        );
    }
    // Without a key the advice differs.
    let dir = tempfile::tempdir()?;
    let (url, serving) = raw(vec![answer("401 Unauthorized", "", "")])?;
    let output = agent(dir.path(), &url)
        .env("OPENAI_API_KEY", " ")
        .output()?;
    assert!(
        err(&output).contains("set OPENAI_API_KEY"),
        "{}",
        err(&output)
    );
    let requests = serving.join().map_err(|_| "the endpoint panicked")??;
    assert!(
        requests
            .iter()
            .all(|(head, _)| !head.contains("authorization"))
    );
    Ok(())
}

#[test]
fn reports_unusable_endpoint_answers() -> Tested {
    for (answers, code, words) in [
        // Nothing, half a head, half a body, no HTTP.
        (Vec::new(), 1, "the endpoint cannot be used: "),
        (b"HTTP/1.1 200".to_vec(), 1, "the endpoint cannot be used: "),
        (
            b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec(),
            1,
            "the endpoint cannot be used: ",
        ),
        (
            b"SSH-2.0-server\r\n\r\n".to_vec(),
            1,
            "the endpoint cannot be used: ",
        ),
        // No JSON, other JSON.
        (answer("200 OK", "", ""), 1, "is not JSON: "),
        (answer("200 OK", "", "<html>"), 1, "is not JSON: "),
        (
            answer("200 OK", "", &"[".repeat(100_000)),
            1,
            "is not JSON: ",
        ),
        (answer("200 OK", "", "[]"), 1, "is no chat completion"),
        (answer("200 OK", "", "7"), 1, "is no chat completion"),
        (
            answer("200 OK", "", r#"{"object": "list"}"#),
            1,
            "is no chat completion",
        ),
        (
            answer("200 OK", "", r#"{"choices": {}}"#),
            1,
            "is no chat completion",
        ),
        (
            answer(
                "200 OK",
                "",
                r#"{"error": {"message": "out of credit", "code": 402}}"#,
            ),
            1,
            "the endpoint answered an error: out of credit",
        ),
    ] {
        let said = fails(code, vec![answers])?;
        assert!(said.contains(words), "{words:?} in {said}");
    }
    Ok(())
}

#[test]
fn a_message_without_an_answer_is_none() -> Tested {
    for (answers, code, words) in [
        // Chat completions without an answer in them.
        (
            answer("200 OK", "", r#"{"choices": []}"#),
            3,
            "answered with nothing",
        ),
        (
            answer("200 OK", "", r#"{"choices": [null]}"#),
            3,
            "answered with nothing",
        ),
        (says(" \n"), 3, "answered with nothing"),
        (
            completion(&json!({ "tool_calls": [] }), "tool_calls"),
            3,
            "answered with nothing",
        ),
        (
            completion(
                &json!({ "content": null, "refusal": "I must not." }),
                "stop",
            ),
            3,
            "the model refused: I must not.",
        ),
        (
            completion(&json!({ "content": "Half of the ans" }), "length"),
            3,
            "cut off at its longest length",
        ),
        (
            completion(&json!({ "content": null }), "length"),
            3,
            "cut off",
        ),
        (
            completion(&json!({ "content": "" }), "content_filter"),
            3,
            "withheld",
        ),
        // Faulty calls.
        (
            completion(&json!({ "tool_calls": 7 }), "stop"),
            1,
            "expected a list",
        ),
        (
            completion(
                &json!({ "tool_calls": [{ "id": "1", "type": "function" }] }),
                "stop",
            ),
            1,
            "a call without `function`",
        ),
        (
            completion(
                &json!({ "tool_calls": [{ "function": { "arguments": "{}" } }] }),
                "stop",
            ),
            1,
            "a call without a name",
        ),
    ] {
        let said = fails(code, vec![answers])?;
        assert!(said.contains(words), "{words:?} in {said}");
    }
    let many: Vec<Value> = (0..65)
        .map(|i| json!({ "id": format!("c{i}"), "function": { "name": "x", "arguments": "{}" } }))
        .collect();
    let said = fails(3, vec![completion(&json!({ "tool_calls": many }), "stop")])?;
    assert!(said.contains("65 calls at once"), "{said}");
    Ok(())
}

#[test]
fn stops_reading_endless_answer() -> Tested {
    let dir = tempfile::tempdir()?;
    for head in [
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        "HTTP/1.1 400 Bad Request\r\ntransfer-encoding: chunked\r\n\r\n",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let serving = thread::spawn(move || {
            let (mut stream, _) = listener.accept()?;
            // The head of the request is read first: an earlier answer might get lost.
            let lines = BufReader::new(stream.try_clone()?).lines();
            drop(lines.map_while(Result::ok).find(String::is_empty));
            stream.write_all(head.as_bytes())?;
            let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
            let mut sent = 0_usize;
            // The client closes the connection long before a gigabyte.
            while sent < 1 << 30 && stream.write_all(chunk.as_bytes()).is_ok() {
                sent += 0x10000;
            }
            Ok::<_, std::io::Error>(sent)
        });
        let output = agent(dir.path(), &url).output()?;
        assert_eq!(output.status.code(), Some(1), "{}", err(&output));
        assert!(
            err(&output).contains("too long: more than 8 MiB"),
            "{}",
            err(&output)
        );
        let sent = serving.join().map_err(|_| "the endpoint panicked")??;
        assert!(sent < 64 << 20, "{sent} bytes");
    }
    Ok(())
}

#[test]
fn answers_bad_call_and_continues_run() -> Tested {
    for (name, arguments, words) in [
        ("file_red", json!("{}"), "Did you mean 'file_read'?"),
        ("nothing at all", json!("{}"), "Unknown tool"),
        ("", json!("{}"), "Unknown tool"),
        ("file_read", json!(r#"{"path": "a"#), "Invalid arguments"),
        ("file_read", json!("path=a"), "Invalid arguments"),
        ("file_read", json!({ "pth": 7 }), "path: missing"),
        ("file_read", Value::Null, "path: missing"),
        ("file_read", json!(["a"]), "Invalid arguments"),
        ("file_read", json!("[".repeat(50_000)), "Invalid arguments"),
    ] {
        let answers = vec![
            completion(&calls(name, &arguments), "tool_calls"),
            says("Done."),
        ];
        let (output, requests) = run(answers, &[])?;
        assert_eq!(out(&output), "Done.\n", "{}", err(&output));
        let messages = requests
            .last()
            .and_then(|request| request["messages"].as_array());
        let [.., call, told] = messages.map(Vec::as_slice).unwrap_or_default() else {
            return Err("no messages".into());
        };
        let text = told["content"].as_str().unwrap_or_default();
        assert!(text.contains(words), "{words:?} in {text}");
        assert_eq!(told["tool_call_id"], "c1");
        // Providers refuse a history with a broken call in it.
        let function = &call["tool_calls"][0]["function"];
        let sent = function["arguments"].as_str().unwrap_or_default();
        assert!(serde_json::from_str::<Value>(sent)?.is_object(), "{sent}");
        let takes = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let name = function["name"].as_str().unwrap_or_default();
        assert!(!name.is_empty() && name.chars().all(takes), "{name}");
    }
    Ok(())
}

#[test]
fn an_answer_in_parts_is_an_answer() -> Tested {
    let parts = json!([{ "type": "text", "text": "All " }, { "type": "text", "text": "done." }]);
    let (output, _) = run(vec![completion(&json!({ "content": parts }), "stop")], &[])?;
    assert_eq!(out(&output), "All done.\n", "{}", err(&output));
    Ok(())
}

#[test]
fn a_key_stays_where_it_belongs() -> Tested {
    let dir = tempfile::tempdir()?;
    // A key from a file ends in a line break.
    let (url, serving) = raw(vec![says("Done.")])?;
    let output = agent(dir.path(), &url)
        .env("OPENAI_API_KEY", format!("{KEY}\n"))
        .arg("-vvv")
        .output()?;
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(!err(&output).contains(KEY), "{}", err(&output));
    let requests = serving.join().map_err(|_| "the endpoint panicked")??;
    assert!(
        requests
            .iter()
            .all(|(head, _)| head.contains(&format!("Bearer {KEY}\r\n")))
    );
    // A faulty key is neither sent nor shown.
    let output = agent(dir.path(), "http://127.0.0.1:9/v1")
        .env("OPENAI_API_KEY", format!("{KEY}\nx: y"))
        .output()?;
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err(&output).contains("OPENAI_API_KEY has characters"),
        "{}",
        err(&output)
    );
    assert!(!err(&output).contains(KEY), "{}", err(&output));
    // A proxy of the environment could read plain http.
    let proxy = TcpListener::bind("127.0.0.1:0")?;
    proxy.set_nonblocking(true)?;
    let proxied = format!("http://{}", proxy.local_addr()?);
    let (url, serving) = raw(vec![says("Done.")])?;
    let mut command = agent(dir.path(), &url);
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env(name, &proxied);
    }
    let output = command
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()?;
    // The proxy is checked first: if it got the request, the endpoint never will.
    assert!(proxy.accept().is_err(), "the proxy was asked");
    assert_eq!(out(&output), "Done.\n", "{}", err(&output));
    serving.join().map_err(|_| "the endpoint panicked")??;
    Ok(())
}

#[test]
fn an_endpoint_that_is_none_is_refused() -> Tested {
    let dir = tempfile::tempdir()?;
    for (url, words) in [
        (
            "127.0.0.1:80/v1",
            "CALLPACT_BASE_URL is not an http or https address",
        ),
        ("ftp://127.0.0.1/v1", "CALLPACT_BASE_URL is not"),
        ("http://", "CALLPACT_BASE_URL is not"),
        (
            "http://192.0.2.1/v1",
            "OPENAI_API_KEY is not sent over http to another machine",
        ),
    ] {
        let output = agent(dir.path(), url).output()?;
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(err(&output).contains(words), "{}", err(&output));
    }
    let output = agent(dir.path(), "http://127.0.0.1:9/v1")
        .env_remove("CALLPACT_MODEL")
        .output()?;
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("set CALLPACT_MODEL or give --model"));
    Ok(())
}

#[test]
fn offline_no_endpoint_is_looked_at() -> Tested {
    for (url, model) in [
        ("http://127.0.0.1:9/v1", ""),
        ("nonsense", "m"),
        ("http://192.0.2.1/v1", "m"),
    ] {
        let dir = tempfile::tempdir()?;
        let output = agent(dir.path(), url)
            .env("CALLPACT_MODEL", model)
            .arg("--offline")
            .output()?;
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(err(&output).contains("embedded script (--offline)"));
        assert!(dir.path().join("report.md").exists());
    }
    Ok(())
}
