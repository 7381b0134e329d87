use std::cell::Cell;
use std::fs::{File, OpenOptions};

use super::shown::hostile;
use super::*;
use crate::review::console::lines::{LineSource, LineWait};
use crate::review::console::system::ConsoleTerminal;
use crate::review::escape::tests::assert_harmless;

/// A terminal with a person (this test) on the other side, and the screen of that person.
fn terminal() -> (File, Screen, Arc<ConsoleReviewer>) {
    let (keys, path) = pseudo_terminal();
    let input = ConsoleTerminal::open(path.to_str().expect("text"))
        .expect("it opens")
        .expect("it is a terminal");
    let output = OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("it opens");
    let screen = Screen::default();
    thread::spawn({
        let (mut eyes, screen) = (keys.try_clone().expect("a second handle"), screen.clone());
        move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = eyes.read(&mut chunk) {
                screen
                    .0
                    .lock()
                    .expect("nobody panics with it")
                    .extend(&chunk[..count]);
            }
        }
    });
    let reviewer = ConsoleReviewer::from_parts(Box::new(input), Box::new(output));
    (keys, screen, Arc::new(reviewer))
}

fn answer(
    (keys, screen, reviewer): &(File, Screen, Arc<ConsoleReviewer>),
    question: usize,
    text: &str,
) -> ReviewDecision {
    let asking = thread::spawn({
        let reviewer = Arc::clone(reviewer);
        move || {
            block_on(run_review(
                &*reviewer,
                &ReviewRequest::new("work").action(hostile()),
            ))
        }
    });
    screen.wait_for("| -- ", question);
    screen.wait_for(
        "rejects\r\nno answer within 5:00 exits early\r\nContinue? > ",
        question,
    );
    let mut keys = keys;
    keys.write_all(text.as_bytes()).expect("typed");
    asking.join().expect("no panic").expect("a decision")
}

#[test]
fn a_person_answers_on_a_terminal() {
    let _alone = alone();
    let terminal = terminal();
    assert_eq!(answer(&terminal, 1, "y\n"), ReviewDecision::Continue);
    assert_eq!(answer(&terminal, 2, "x\n"), ReviewDecision::REJECT);
    assert_eq!(
        answer(&terminal, 3, "e\n{\"a\":1}\n"),
        ReviewDecision::Edit("{\"a\":1}".into())
    );
    assert_eq!(
        answer(&terminal, 4, "ny\x7f\x7fy\n"),
        ReviewDecision::Continue
    );
    // Ctrl-D: the end of the input.
    assert_eq!(answer(&terminal, 5, "\x04"), ReviewDecision::REJECT);
    assert_eq!(answer(&terminal, 6, "y\x04\x04"), ReviewDecision::REJECT);
    // Longer than the line editor of the terminal takes, which would cut it.
    let long = format!("e\n{}\n", "z".repeat(5000));
    assert_eq!(answer(&terminal, 7, &long), ReviewDecision::REJECT);
    // Our own lines end in CR LF there, and backspace is the terminal's own echo.
    let shown = terminal
        .1
        .text()
        .replace("\r\n", "\n")
        .replace("\x08 \x08", "")
        .replace("^D\x08\x08", "");
    assert_harmless(&shown.replace('\x07', ""));
}

#[test]
fn terminal_shows_every_line_before_accepting_yes() {
    let _alone = alone();
    let (keys, screen, reviewer) = terminal();
    let mut lines: Vec<String> = (1..=501).map(|n| format!("echo {n}")).collect();
    lines.push("x".repeat(10_000));
    lines.push("echo \u{202e}EVIL".to_owned());
    let request = ReviewRequest::new("work").action(lines.join("\n"));
    let pages = prompt::pages(&prompt::body(&request)).len();
    let asking = thread::spawn(move || block_on(run_review(&*reviewer, &request)));
    let mut keys = &keys;
    screen.wait_for("exit early > ", 1);
    keys.write_all(b"y\n").expect("typed");
    screen.wait_for("Nothing is decided before the last page", 1);
    for page in 1..pages {
        screen.wait_for("exit early > ", page + 1);
        assert!(!screen.text().contains("Continue? >"), "page {page}");
        keys.write_all(b"\n").expect("typed");
    }
    screen.wait_for("Continue? > ", 1);
    keys.write_all(b"y\n").expect("typed");
    let decision = asking.join().expect("no panic").expect("a decision");
    assert_eq!(decision, ReviewDecision::Continue);
    let shown = screen.text();
    for n in 1..=501 {
        assert!(shown.contains(&format!("| echo {n}\r\n")), "{n}");
    }
    assert!(shown.matches('x').count() >= 10_000 && shown.contains(r"echo \u{202e}EVIL"));
    // The output between two keys fits 24 lines of 80 columns, so no line left the screen before a key was typed.
    for part in shown.split_inclusive("exit early > ") {
        let rows = part
            .lines()
            .map(|line| line.chars().count().max(1).div_ceil(80));
        assert!(rows.sum::<usize>() <= 24, "{part}");
    }
}

#[test]
fn lines_typed_before_the_question_are_thrown_away() {
    let _alone = alone();
    let terminal = terminal();
    let mut keys = &terminal.0;
    keys.write_all(b"y\nyes\n\x04y\n\x04yes\n").expect("typed");
    let brief = ReviewRequest::new("work").timeout(Duration::from_millis(300));
    let decision = block_on(run_review(&*terminal.2, &brief)).expect("a decision");
    assert_eq!(decision, ReviewDecision::ExitEarly { timed_out: true });
    keys.write_all(b"y\n").expect("typed");
    assert_eq!(
        block_on(run_review(&*terminal.2, &brief)).expect("a decision"),
        decision
    );
    assert_eq!(answer(&terminal, 1, "y\n"), ReviewDecision::Continue);
}

#[cfg(feature = "terminal")]
#[test]
fn discards_partial_line_typed_before_question() {
    let _alone = alone();
    let terminal = terminal();
    let mut keys = &terminal.0;
    keys.write_all(b"ye").expect("typed");
    terminal.1.wait_for("ye", 1);
    assert_eq!(answer(&terminal, 1, "s\n"), ReviewDecision::REJECT);
}

#[test]
fn the_controlling_terminal_is_there_or_an_error() {
    let there = File::open("/dev/tty").is_ok();
    let found = ConsoleTerminal::controlling();
    assert_eq!(found.is_ok(), there);
    assert_eq!(found.is_ok_and(|terminal| terminal.is_some()), there);
    assert!(matches!(ConsoleTerminal::open("/dev/null"), Ok(None)));
}

#[test]
fn stops_reading_terminal_after_hangup() {
    let (keys, path) = pseudo_terminal();
    let terminal = ConsoleTerminal::open(path.to_str().expect("text")).expect("it opens");
    let mut terminal = terminal.expect("it is a terminal");
    drop(keys);
    let looks = Cell::new(0);
    let line = terminal.line(&|| {
        looks.set(looks.get() + 1);
        looks.get() < 10
    });
    assert!(matches!(line, LineWait::Failed | LineWait::End));
}

#[cfg(feature = "terminal")]
#[test]
fn bounds_terminal_input_without_line_end() {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let _alone = alone();
    let terminal = terminal();
    let mut mode = tcgetattr(&terminal.0).expect("its mode");
    mode.make_raw();
    tcsetattr(&terminal.0, OptionalActions::Now, &mode).expect("another mode");
    let asking = thread::spawn({
        let reviewer = Arc::clone(&terminal.2);
        let request = ReviewRequest::new("work").timeout(Duration::from_secs(20));
        move || block_on(run_review(&*reviewer, &request))
    });
    terminal.1.wait_for("Continue? > ", 1);
    for _ in 0..10 {
        (&terminal.0).write_all(&[b'y'; 1000]).expect("typed");
    }
    let decision = asking.join().expect("no panic").expect("a decision");
    assert_eq!(decision, ReviewDecision::REJECT);
}
