//! Checks `docs/start.md`: its program is `start.rs`, and its session is that program's answers.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::Value;

const PAGE: &str = include_str!("../../docs/start.md");

/// The first code block of a language on the page.
fn block(language: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let (_, from) = PAGE.split_once(&fence).expect("the page has such a block");
    let (block, _) = from.split_once("```").expect("the block has an end");
    block
}

#[test]
fn the_program_is_the_one_that_is_built() {
    let program = block("rust,no_run");
    assert_eq!(program, include_str!("../start.rs"));
    assert!(program.lines().count() < 30, "it grew");
}

/// The server. It ends with the test.
struct Server(Child, ChildStdin, BufReader<ChildStdout>);

impl Server {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_start"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self(child, input, output)
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.1, "{message}").expect("it takes the message");
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.2.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The messages of the session, each with its direction.
fn session() -> Vec<(bool, Value)> {
    let mut messages: Vec<(bool, String)> = Vec::new();
    for line in block("text").lines() {
        match (line.strip_prefix("> "), line.strip_prefix("< ")) {
            (Some(sent), _) => messages.push((true, sent.to_owned())),
            (_, Some(answer)) => messages.push((false, answer.to_owned())),
            _ => messages.last_mut().expect("a first line").1.push_str(line),
        }
    }
    let json = |text: &str| serde_json::from_str(text).expect("the page holds JSON");
    let parsed = messages.iter().map(|(sent, text)| (*sent, json(text)));
    parsed.collect()
}

#[test]
fn the_session_is_what_it_answers() {
    let session = session();
    assert!(session.iter().filter(|(sent, _)| !sent).count() >= 4);
    let mut server = Server::start();
    for (sent, message) in session {
        if sent {
            server.send(&message);
        } else {
            assert_eq!(server.answer(), message);
        }
    }
}
