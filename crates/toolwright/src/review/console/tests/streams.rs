//! `console()` on the streams of a process, which is this program once more.

use std::fs::{File, OpenOptions};
use std::process::{Child, Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::*;

/// Not a test of its own: what the tests below start, with the name of its part.
#[test]
#[ignore = "started by the tests of this module"]
fn the_other_process() {
    let reviewer = console();
    let ask = |milliseconds| {
        let request = ReviewRequest::new("work").timeout(Duration::from_millis(milliseconds));
        block_on(run_review(&reviewer, &request)).expect("a decision")
    };
    let early = ReviewDecision::ExitEarly { timed_out: true };
    match std::env::var("TOOLWRIGHT_TEST_PART").as_deref() {
        Ok("answered") => {
            assert_eq!(ask(20_000), ReviewDecision::Continue);
            assert_eq!(ask(20_000), ReviewDecision::REJECT);
        }
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
    let name = module_path!().split_once("::").expect("a module").1;
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "--ignored", "--nocapture"])
        .arg(format!("{name}::the_other_process"))
        .env("TOOLWRIGHT_TEST_PART", part)
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
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let path = ptsname(&master, Vec::new()).expect("its name");
    let slave = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path.to_str().expect("text"))
        .expect("it opens");
    (File::from(master), slave)
}

fn ends_well((mut child, screen): (Child, Screen)) {
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{}", screen.text());
}

#[test]
fn answers_come_from_standard_input_a_pipe_or_a_terminal() {
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
fn a_line_between_two_questions_on_standard_input_answers_neither() {
    let (mut child, screen) = start("between", Stdio::piped());
    let mut keys = child.stdin.take().expect("a pipe");
    screen.wait_for("No longer waiting", 1);
    keys.write_all(b"y\n").expect("typed");
    ends_well((child, screen));
}

#[test]
fn a_line_before_the_question_on_a_terminal_is_no_answer() {
    let (mut keys, stdin) = terminal();
    keys.write_all(b"y\n").expect("typed");
    ends_well(start("before", stdin));
}
