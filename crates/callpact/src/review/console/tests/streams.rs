//! `console()` on the streams of another process, which runs this program again.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::*;

/// Not a test of its own: the tests below start this with the name of a part.
#[test]
#[ignore = "started by the tests of this module"]
fn the_other_process() {
    if let Ok(path) = std::env::var("CALLPACT_TEST_TERMINAL") {
        // The first terminal that the leader of a session opens is the one that controls it.
        rustix::process::setsid().expect("a session of its own");
        File::open(path).expect("it opens");
    }
    let reviewer = console();
    let ask = |milliseconds| {
        let request = ReviewRequest::new("work").timeout(Duration::from_millis(milliseconds));
        block_on(run_review(&reviewer, &request)).expect("a decision")
    };
    let early = ReviewDecision::ExitEarly { timed_out: true };
    match std::env::var("CALLPACT_TEST_PART").as_deref() {
        Ok("answered") => {
            assert_eq!(ask(20_000), ReviewDecision::Continue);
            assert_eq!(ask(20_000), ReviewDecision::REJECT);
        }
        Ok("once") => assert_eq!(ask(20_000), ReviewDecision::Continue),
        Ok("between") => {
            assert_eq!(ask(100), early);
            thread::sleep(Duration::from_millis(600));
            assert_eq!(ask(100), early);
        }
        Ok("before") => assert_eq!(ask(300), early),
        _ => {}
    }
}

/// Starts the other process; the screen is its standard error.
fn start(part: &str, stdin: impl Into<Stdio>) -> (Child, Screen) {
    start_under(None, part, stdin)
}

/// Like `start`, in a session that this terminal controls.
fn start_under(terminal: Option<&Path>, part: &str, stdin: impl Into<Stdio>) -> (Child, Screen) {
    let name = module_path!().split_once("::").expect("a module").1;
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .envs(terminal.map(|path| ("CALLPACT_TEST_TERMINAL", path)))
        .args(["--exact", "--ignored", "--nocapture"])
        .arg(format!("{name}::the_other_process"))
        .env("CALLPACT_TEST_PART", part)
        .stdin(stdin)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let screen = Screen::default();
    let (mut eyes, seen) = (child.stderr.take().expect("a pipe"), screen.clone());
    thread::spawn(move || io::copy(&mut eyes, &mut { seen }));
    (child, screen)
}

/// A terminal: the side with the keys, and the side of the process.
fn terminal() -> (File, File) {
    let (keys, slave, _) = named_terminal();
    (keys, slave)
}

fn named_terminal() -> (File, File, PathBuf) {
    let (keys, path) = pseudo_terminal();
    let slave = OpenOptions::new()
        .read(true)
        .write(true)
        .open(&path)
        .expect("it opens");
    (keys, slave, path)
}

fn ends_well((mut child, screen): (Child, Screen)) {
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{}", screen.text());
}

#[test]
fn reads_answers_from_pipe_or_terminal_input() {
    let (mut child, screen) = start("answered", Stdio::piped());
    let mut keys = child.stdin.take().expect("a pipe");
    screen.wait_for("Continue? > ", 1);
    keys.write_all(b"y\n").expect("typed");
    screen.wait_for("Continue? > ", 2);
    keys.write_all(b"n\n").expect("typed");
    ends_well((child, screen));

    let (mut keys, stdin) = terminal();
    let (child, screen) = start("answered", stdin);
    screen.wait_for("Continue? > ", 1);
    keys.write_all(b"y\n").expect("typed");
    screen.wait_for("Continue? > ", 2);
    keys.write_all(b"n\n").expect("typed");
    ends_well((child, screen));
}

#[test]
fn line_between_stdin_questions_answers_neither() {
    let (mut child, screen) = start("between", Stdio::piped());
    let mut keys = child.stdin.take().expect("a pipe");
    screen.wait_for("No longer waiting", 1);
    keys.write_all(b"y\n").expect("typed");
    ends_well((child, screen));
}

#[test]
fn ignores_terminal_line_typed_before_question() {
    let (mut keys, stdin) = terminal();
    keys.write_all(b"y\n").expect("typed");
    ends_well(start("before", stdin));
}

#[test]
fn a_question_is_asked_where_it_is_answered() {
    const QUESTION: &str = "Continue? > ";
    // Errors go elsewhere and the keys come from a terminal, so the question goes to that terminal.
    let (mut keys, stdin, path) = named_terminal();
    let (mut eyes, seen) = (
        keys.try_clone().expect("a second handle"),
        Screen::default(),
    );
    let (child, errors) = start_under(Some(&path), "once", stdin);
    thread::spawn({
        let seen = seen.clone();
        move || io::copy(&mut eyes, &mut { seen })
    });
    seen.wait_for(QUESTION, 1);
    keys.write_all(b"y\n").expect("typed");
    ends_well((child, errors.clone()));
    assert!(!errors.text().contains(QUESTION));

    // The answer comes from a pipe, so this program must not write on the terminal.
    let (_keys, _slave, path) = named_terminal();
    let (mut child, errors) = start_under(Some(&path), "once", Stdio::piped());
    errors.wait_for(QUESTION, 1);
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"y\n")
        .expect("typed");
    ends_well((child, errors));
}
