use std::io::{self, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::lines::MAX_LINE;
use super::prompt;
use crate::review::escape::tests::assert_harmless;
use crate::review::tests::block_on;
use crate::review::*;

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
fn an_edit_takes_one_line_and_an_empty_one_rejects() {
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
fn an_endless_answer_is_rejected_and_not_collected() {
    let _alone = alone();
    let long = "y".repeat(MAX_LINE + 2) + "\n";
    assert_eq!(decide(Cursor::new(long)), ReviewDecision::REJECT);
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
fn broken_input_and_output_reject_even_if_silence_would_continue() {
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
fn the_time_is_kept_while_the_input_blocks_and_the_next_question_gets_its_answer() {
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
    thread::sleep(Duration::from_millis(200));
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

/// Everything hostile that the issue names, and a fake of our own lines.
fn hostile() -> String {
    let fake = prompt::question(&ReviewRequest::new("x"));
    format!(
        "\x1b[2J\x1b[1A\x1b[K\x1b]0;title\x07\x1b]8;;http://x\x1b\\\x1b]52;c;cm0=\x07safe\rrm \x08\x7f\u{9b}2J\
         \u{202e}\u{2066}\u{200b}\u{feff}\0\u{e0041}\u{2028}\n{fake}y\nContinue? > y\n\
         -- {} {fake}",
        " ".repeat(57)
    )
}

#[test]
fn nothing_hostile_reaches_the_screen_from_any_field() {
    let text = hostile();
    let request = ReviewRequest::new(&text)
        .output(&text)
        .prompt(&text)
        .required_role(&text)
        .tool(&text)
        .call_id(&text)
        .action(&text)
        .digest(&text);
    let body = prompt::body(&request);
    assert_harmless(&body);
    let ours = ["", "== Review required (during execution) ", "----"];
    for line in body.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        let gutter = matches!(line.get(8..10), Some("| " | ": "));
        assert!(
            gutter || ours[1..].iter().any(|start| line.starts_with(start)) || line.is_empty(),
            "{line}"
        );
    }
    for escape in [
        r"\u{1b}[2J",
        r"\u{d}rm",
        r"\u{8}\u{7f}\u{9b}2J",
        r"\u{202e}\u{2066}\u{200b}\u{feff}\u{0}",
    ] {
        let flat = body.replace("\n        : ", "");
        assert_eq!(flat.matches(escape).count(), 8, "{escape}");
    }
}

#[test]
fn random_text_is_shown_completely_and_harmlessly() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..300 {
        let text: String = (0..next() % 200)
            .filter_map(|_| {
                let range =
                    [0x80, 0x300, 0x3000, 0x11_0000][usize::try_from(next() % 4).expect("small")];
                char::from_u32(u32::try_from(next() % range).expect("small"))
            })
            .collect();
        let body = prompt::body(&ReviewRequest::new("work").action(&text));
        assert_harmless(&body);
        assert!(!body.contains("not shown"));
        if text.chars().all(|c| !is_hidden(c)) && text.is_ascii() && !text.is_empty() {
            assert!(body.replace("\n        : ", "").contains(&text), "{text:?}");
        }
    }
}

#[test]
fn a_megabyte_is_shown_head_and_tail_with_length_and_digest() {
    let text = format!("HEAD{}TAIL", "\u{202e}x\n".repeat(1 << 18));
    let body = prompt::body(
        &ReviewRequest::new("work")
            .action(&text)
            .digest("sha256:abc"),
    );
    assert_harmless(&body);
    assert!(body.len() < 100_000 && body.lines().count() < 600);
    assert!(body.contains("| HEAD") && body.contains("TAIL\n"));
    assert!(body.contains(&format!(
        "of {} bytes are not shown; compare the digest below",
        text.len()
    )));
    assert!(body.contains(&format!("Size    | {} bytes\n", text.len())));
    assert!(body.contains("Digest  | sha256:abc\n"));

    let wide = "long line ".repeat(100_000);
    let body = prompt::body(&ReviewRequest::new("work").action(&wide));
    assert!(body.lines().all(|line| line.len() <= 80) && body.contains("bytes are not shown"));
    assert!(body.len() < 60_000);
}

#[test]
fn what_is_not_shown_is_counted_exactly() {
    for (lines, shown) in [(480, 480), (481, 480), (1000, 480)] {
        let text = (1..=lines)
            .map(|n| format!("{n:04}"))
            .collect::<Vec<_>>()
            .join("\n");
        let body = prompt::body(&ReviewRequest::new("work").action(&text));
        let numbers = body
            .lines()
            .filter(|line| {
                line.get(10..)
                    .is_some_and(|text| text.parse::<u16>().is_ok())
            })
            .count();
        assert_eq!(numbers, shown, "{lines}");
        let skipped = format!("~~ {} of {} bytes", (lines - shown) * 5, text.len());
        assert_eq!(body.contains("~~"), lines > shown);
        assert!(lines == shown || body.contains(&skipped), "{body}");
    }
}

#[test]
fn the_question_says_what_silence_means() {
    let request = ReviewRequest::new("work");
    assert!(prompt::question(&request).contains("no answer within 5:00 exits early"));
    let request = request
        .timeout(Duration::from_millis(61_500))
        .on_timeout(OnTimeout::Continue);
    assert!(prompt::question(&request).contains("no answer within 1:02 continues"));
    assert!(!prompt::question(&request.timeout(None)).contains("no answer"));
}

#[cfg(target_os = "linux")]
mod terminal {
    use std::fs::{File, OpenOptions};

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    use super::super::terminal::Terminal;
    use super::*;

    /// A terminal with a person (this test) on the other side, and what the person sees.
    fn terminal() -> (File, Screen, Arc<ConsoleReviewer>) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let path = ptsname(&master, Vec::new())
            .expect("its name")
            .into_string()
            .expect("text");
        let input = Terminal::open(&path)
            .expect("it opens")
            .expect("it is a terminal");
        let output = OpenOptions::new()
            .write(true)
            .open(&path)
            .expect("it opens");
        let keys = File::from(master);
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
        // Longer than the line editor of the terminal takes: it would come out cut.
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
    fn lines_typed_before_the_question_are_thrown_away() {
        let _alone = alone();
        let terminal = terminal();
        let mut keys = &terminal.0;
        keys.write_all(b"y\nyes\n").expect("typed");
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
    fn half_a_line_typed_before_the_question_is_thrown_away() {
        let _alone = alone();
        let terminal = terminal();
        let mut keys = &terminal.0;
        keys.write_all(b"ye").expect("typed");
        terminal.1.wait_for("ye", 1);
        assert_eq!(answer(&terminal, 1, "s\n"), ReviewDecision::REJECT);
    }
}
