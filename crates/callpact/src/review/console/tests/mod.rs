mod shown;
#[cfg(target_os = "linux")]
mod streams;
#[cfg(target_os = "linux")]
mod terminal;

#[cfg(target_os = "linux")]
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::MAX_LINE;
use super::prompt;
use crate::review::tests::block_on;
use crate::review::*;

/// A pseudo-terminal: the side with the keys, and the path of the other one.
#[cfg(target_os = "linux")]
fn pseudo_terminal() -> (File, PathBuf) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&keys).expect("granted");
    unlockpt(&keys).expect("unlocked");
    let path = ptsname(&keys, Vec::new()).expect("its name");
    let path = path.into_string().expect("text").into();
    (File::from(keys), path)
}

/// Questions queue up behind each other, so a test with a short time must have the console for itself.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    fn text(&self) -> String {
        let bytes = self.0.lock().expect("nobody panics with it").clone();
        String::from_utf8(bytes).expect("text")
    }

    fn wait_for(&self, text: &str, times: usize) {
        let start = Instant::now();
        while self.text().matches(text).count() < times {
            assert!(start.elapsed() < Duration::from_secs(20), "{}", self.text());
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A byte at a time, so that an overlap would show.
        let count = bytes.len().min(16);
        self.0
            .lock()
            .expect("nobody panics with it")
            .extend(&bytes[..count]);
        thread::yield_now();
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A keyboard: bytes arrive when they are sent, and the reader blocks in between.
struct Keyboard(Receiver<u8>);

fn keyboard() -> (Sender<u8>, Keyboard) {
    let (sender, receiver) = channel();
    (sender, Keyboard(receiver))
}

fn typed(keys: &Sender<u8>, text: &str) {
    for byte in text.bytes() {
        keys.send(byte).expect("somebody reads");
    }
}

impl Read for Keyboard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (buffer.first_mut(), self.0.recv()) {
            (Some(slot), Ok(byte)) => {
                *slot = byte;
                Ok(1)
            }
            _ => Ok(0),
        }
    }
}

fn decide(input: impl Read + Send + 'static) -> ReviewDecision {
    let reviewer = ConsoleReviewer::new(input, io::sink());
    block_on(run_review(&reviewer, &ReviewRequest::new("work"))).expect("a decision")
}

#[test]
fn only_a_whole_clear_line_counts() {
    let _alone = alone();
    for yes in [
        "y\n",
        "yes\n",
        "c\n",
        "continue\n",
        "Y\n",
        " yes \n",
        "y\r\n",
    ] {
        assert_eq!(
            decide(Cursor::new(yes)),
            ReviewDecision::Continue,
            "{yes:?}"
        );
    }
    for no in [
        "x\n",
        "n\n",
        "\n",
        "",
        "y",
        "yes",
        "q\n",
        "yy\n",
        "y y\n",
        "ok\n",
        "\x1b[Ay\n",
        "y\x08\n",
        "\0y\n",
        "y\u{200b}\n",
        "\u{ff59}\n",
        "y;\n",
        "ye\rs\n",
        "\ny\n",
        "no\ny\n",
    ] {
        assert_eq!(decide(Cursor::new(no)), ReviewDecision::REJECT, "{no:?}");
    }
    assert_eq!(decide(Cursor::new(b"\xff\xfe\n")), ReviewDecision::REJECT);
}

#[test]
fn edit_reads_single_line_and_rejects_empty_line() {
    let _alone = alone();
    let edit = |text: &str| ReviewDecision::Edit(text.into());
    assert_eq!(
        decide(Cursor::new("e\n{\"a\": 1}\nrest\n")),
        edit("{\"a\": 1}")
    );
    assert_eq!(decide(Cursor::new("EDIT\n spaced \r\n")), edit(" spaced "));
    for no in ["e\n", "e\n\n", "e\n  \n", "e\nhalf", "e"] {
        assert_eq!(decide(Cursor::new(no)), ReviewDecision::REJECT, "{no:?}");
    }
    assert_eq!(decide(Cursor::new(b"e\n\xff\n")), ReviewDecision::REJECT);
}

#[test]
fn a_refusal_has_a_reason() {
    let _alone = alone();
    let refuse = |text: &str| ReviewDecision::Refuse(text.into());
    assert_eq!(decide(Cursor::new("r\nnot today\n")), refuse("not today"));
    assert_eq!(decide(Cursor::new("Refuse\n\n")), refuse(""));
    for no in ["r\n", "r\nhalf", "r"] {
        assert_eq!(decide(Cursor::new(no)), ReviewDecision::REJECT, "{no:?}");
    }
}

#[test]
fn an_endless_answer_is_rejected_and_not_collected() {
    let _alone = alone();
    let edit = |length| decide(Cursor::new(format!("e\n{}\n", "y".repeat(length))));
    assert_eq!(edit(MAX_LINE), ReviewDecision::Edit("y".repeat(MAX_LINE)));
    assert_eq!(edit(MAX_LINE + 1), ReviewDecision::REJECT);
}

#[test]
fn a_read_that_was_interrupted_is_made_again() {
    struct Interrupted(Cursor<&'static str>, bool);
    impl Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.0.read(buffer)
        }
    }
    let _alone = alone();
    let input = Interrupted(Cursor::new("yes\n"), false);
    assert_eq!(decide(input), ReviewDecision::Continue);
}

#[test]
fn drops_reader_after_last_possible_question() {
    struct Held(Cursor<&'static str>, Sender<()>);
    impl Read for Held {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }
    impl Drop for Held {
        fn drop(&mut self) {
            self.1.send(()).expect("the test listens");
        }
    }
    let _alone = alone();
    let (sender, dropped) = channel();
    let held = Held(Cursor::new("y\nrest\n"), sender);
    assert_eq!(decide(held), ReviewDecision::Continue);
    dropped
        .recv_timeout(Duration::from_secs(20))
        .expect("its thread ends");
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("unplugged"))
    }
}

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("unplugged"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Panics;

impl Read for Panics {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        panic!("a reader that panics")
    }
}

impl Write for Panics {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        panic!("a writer that panics")
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn broken_streams_reject_even_if_timeout_would_continue() {
    let _alone = alone();
    let request = ReviewRequest::new("work").on_timeout(OnTimeout::Continue);
    for reviewer in [
        ConsoleReviewer::new(Broken, io::sink()),
        ConsoleReviewer::new(Cursor::new("y\n"), Broken),
        ConsoleReviewer::new(Panics, io::sink()),
        ConsoleReviewer::new(Cursor::new("y\n"), Panics),
    ] {
        for _ in 0..2 {
            let decision = block_on(run_review(&reviewer, &request)).expect("a decision");
            assert_eq!(decision, ReviewDecision::REJECT);
        }
    }
    assert_eq!(decide(Cursor::new("y\n")), ReviewDecision::Continue);
}

#[test]
fn each_question_takes_its_own_line() {
    let _alone = alone();
    let reviewer = ConsoleReviewer::new(Cursor::new("y\nn\ny\n"), io::sink());
    let ask = || block_on(run_review(&reviewer, &ReviewRequest::new("work"))).expect("a decision");
    assert_eq!(
        [ask(), ask(), ask(), ask()],
        [
            ReviewDecision::Continue,
            ReviewDecision::REJECT,
            ReviewDecision::Continue,
            ReviewDecision::REJECT
        ],
    );
}

#[test]
fn blocked_input_keeps_timeout_and_answers_next_question() {
    let _alone = alone();
    let (keys, input) = keyboard();
    let screen = Screen::default();
    let reviewer = Arc::new(ConsoleReviewer::new(input, screen.clone()));
    let brief = ReviewRequest::new("first").timeout(Duration::from_millis(100));

    // Asked directly, without `run_review`, the time counts as well.
    let start = Instant::now();
    let decision = block_on(reviewer.review(&brief)).expect("a decision");
    assert_eq!(decision, ReviewDecision::ExitEarly { timed_out: true });
    assert!(start.elapsed() < Duration::from_secs(10));
    screen.wait_for("No longer waiting", 1);

    // The read from the first question is still outstanding: it must serve the second.
    let asking = thread::spawn({
        let reviewer = Arc::clone(&reviewer);
        move || block_on(run_review(&*reviewer, &ReviewRequest::new("second")))
    });
    screen.wait_for("Continue? > ", 2);
    typed(&keys, "y\n");
    assert_eq!(
        asking.join().expect("no panic").expect("a decision"),
        ReviewDecision::Continue
    );
}

#[test]
fn what_is_typed_between_two_questions_answers_neither() {
    let _alone = alone();
    let (keys, input) = keyboard();
    let screen = Screen::default();
    let reviewer = ConsoleReviewer::new(input, screen.clone());
    let brief = |text: &str| ReviewRequest::new(text).timeout(Duration::from_millis(150));
    let early = ReviewDecision::ExitEarly { timed_out: true };

    assert_eq!(
        block_on(run_review(&reviewer, &brief("first"))).expect("a decision"),
        early
    );
    screen.wait_for("No longer waiting", 1);
    typed(&keys, "y\n");
    thread::sleep(Duration::from_millis(500));
    assert_eq!(
        block_on(run_review(&reviewer, &brief("second"))).expect("a decision"),
        early
    );
}

#[test]
fn a_question_withdrawn_in_the_queue_never_appears() {
    let _alone = alone();
    let (keys, input) = keyboard();
    let screen = Screen::default();
    let first = Arc::new(ConsoleReviewer::new(input, screen.clone()));
    let asking = thread::spawn({
        let first = Arc::clone(&first);
        move || block_on(run_review(&*first, &ReviewRequest::new("first")))
    });
    screen.wait_for("Continue? > ", 1);
    let other = Screen::default();
    let second = ConsoleReviewer::new(Cursor::new("y\n"), other.clone());
    let brief = ReviewRequest::new("second").timeout(Duration::from_millis(50));
    let decision = block_on(run_review(&second, &brief)).expect("a decision");
    assert_eq!(decision, ReviewDecision::ExitEarly { timed_out: true });
    typed(&keys, "y\n");
    assert_eq!(
        asking.join().expect("no panic").expect("a decision"),
        ReviewDecision::Continue
    );
    assert_eq!(decide(Cursor::new("y\n")), ReviewDecision::Continue);
    assert_eq!(other.text(), "");
}

#[test]
fn parallel_questions_never_interleave() {
    let _alone = alone();
    let screen = Screen::default();
    let threads: Vec<_> = (0..12)
        .map(|number| {
            let screen = screen.clone();
            thread::spawn(move || {
                let reviewer = ConsoleReviewer::new(Cursor::new("y\n"), screen);
                let request =
                    ReviewRequest::new(format!("task {number}")).action(format!("action {number}"));
                block_on(run_review(&reviewer, &request)).expect("a decision")
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().expect("no panic"), ReviewDecision::Continue);
    }
    let text = screen.text();
    let whole: Vec<_> = text.split_inclusive("Continue? > ").collect();
    assert_eq!(whole.len(), 12);
    for number in 0..12 {
        let request =
            ReviewRequest::new(format!("task {number}")).action(format!("action {number}"));
        let expected = prompt::body(&request) + &prompt::question(&request);
        assert!(whole.contains(&expected.as_str()), "{text}");
    }
}

#[test]
fn a_rejection_says_why_unless_it_was_meant() {
    let _alone = alone();
    for (typed, why) in [
        ("x\n", ""),
        ("n\n", ""),
        ("\n", "Rejected: the answer was empty.\n"),
        ("q\n", "Rejected: the answer was none of the choices.\n"),
        ("", "\nRejected: the input ended.\n"),
    ] {
        let screen = Screen::default();
        let reviewer = ConsoleReviewer::new(Cursor::new(typed), screen.clone());
        let decision = block_on(run_review(&reviewer, &ReviewRequest::new("work")));
        assert_eq!(decision.expect("a decision"), ReviewDecision::REJECT);
        let text = screen.text();
        let (_, after) = text.rsplit_once("Continue? > ").expect("the question");
        assert_eq!(after, why, "{typed:?}");
    }
}

#[test]
fn ignores_yes_before_last_page() {
    let _alone = alone();
    let lines: Vec<String> = (1..=501).map(|n| format!("echo {n}")).collect();
    let request = ReviewRequest::new("work").action(lines.join("\n"));
    let ask = |typed: &str| {
        let screen = Screen::default();
        let reviewer = ConsoleReviewer::new(Cursor::new(typed.to_owned()), screen.clone());
        let decision = block_on(run_review(&reviewer, &request)).expect("a decision");
        (decision, screen.text())
    };
    let pages = prompt::pages(&prompt::body(&request)).len();
    let next = "\n".repeat(pages - 1);

    let (decision, shown) = ask(&format!("{next}y\n"));
    assert_eq!(decision, ReviewDecision::Continue);
    for line in &lines {
        assert!(shown.contains(&format!("| {line}\n")), "{line}");
    }
    for early in 0..pages - 1 {
        let (decision, shown) = ask(&format!("{}y\n", "\n".repeat(early)));
        assert_eq!(decision, ReviewDecision::REJECT, "page {early}");
        assert!(shown.contains("Nothing is decided before the last page was shown."));
        assert!(!shown.contains("Continue? >"));
    }
    // A yes that came too early can be given again at the end.
    let (decision, _) = ask(&format!("y\n{next}y\n"));
    assert_eq!(decision, ReviewDecision::Continue);
    for (typed, why) in [
        ("x\n", ""),
        ("\nn\n", ""),
        ("", "\nRejected: the input ended.\n"),
    ] {
        let (decision, shown) = ask(typed);
        assert_eq!(decision, ReviewDecision::REJECT);
        assert!(
            shown.ends_with(&format!("x = exit early > {why}")),
            "{shown}"
        );
    }
    let (decision, _) = ask(&format!("{}{next}y\n", "y\n".repeat(100)));
    assert_eq!(decision, ReviewDecision::REJECT, "it does not ask for ever");
}
