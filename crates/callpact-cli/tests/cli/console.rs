//! Approvals at a terminal.

use std::{
    error::Error,
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::{Tested, program};

/// How long anything here may take.
const WAIT: Duration = Duration::from_mins(1);
/// How often is looked.
const LOOK: Duration = Duration::from_millis(10);

/// A terminal, with a person (this test) before it.
pub(crate) struct Pty {
    keys: File,
    path: String,
    seen: Arc<Mutex<Vec<u8>>>,
    /// How often the other side was found read to its end, and closed.
    ends: Arc<AtomicUsize>,
}

impl Pty {
    pub(crate) fn open() -> Result<Self, Box<dyn Error>> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let path = ptsname(&master, Vec::new())?.into_string()?;
        let keys = File::from(master);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let ends = Arc::new(AtomicUsize::new(0));
        let (mut eyes, shown, ended) = (keys.try_clone()?, Arc::clone(&seen), Arc::clone(&ends));
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            loop {
                match eyes.read(&mut chunk) {
                    Ok(count @ 1..) => {
                        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                        shown.extend(chunk.get(..count).unwrap_or_default());
                    }
                    // Nobody has the other side open: not yet, for a moment, or any more. The last
                    // clone of the text belongs to this thread when the test is through with it.
                    _ if Arc::strong_count(&shown) > 1 => {
                        ended.fetch_add(1, Ordering::SeqCst);
                        thread::sleep(LOOK);
                    }
                    _ => break,
                }
            }
        });
        Ok(Self {
            keys,
            path,
            seen,
            ends,
        })
    }

    /// The name of the other side.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// All that was shown.
    pub(crate) fn text(&self) -> String {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&seen).into_owned()
    }

    /// All that was shown, once the other side is closed.
    fn whole_text(&self) -> Result<String, Box<dyn Error>> {
        let (ends, end) = (self.ends.load(Ordering::SeqCst), Instant::now() + WAIT);
        // A read that was under way may have ended before the other side wrote its last.
        while self.ends.load(Ordering::SeqCst) < ends + 2 {
            if Instant::now() > end {
                return Err(format!("it stays open:\n{}", self.text()).into());
            }
            thread::sleep(LOOK);
        }
        Ok(self.text())
    }

    /// Waits until a text was shown so many times.
    pub(crate) fn wait_for(&self, text: &str, times: usize) -> Tested {
        let end = Instant::now() + WAIT;
        while self.text().matches(text).count() < times {
            if Instant::now() > end {
                return Err(format!("not shown: {text:?}\n{}", self.text()).into());
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Types.
    pub(crate) fn put(&mut self, keys: &[u8]) -> Tested {
        Ok(self.keys.write_all(keys)?)
    }
}

/// Text from the model or a file: a clear screen, a title, and invisible characters.
const HOSTILE: &str = "a\u{1b}[2J\u{9b}31m\u{202e}b\u{200b}\tc\r\nd\u{7}";

#[test]
fn escapes_control_characters_only_at_terminal() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.txt"), HOSTILE)?;
    let at_terminal = |command: &mut Command| -> Result<String, Box<dyn Error>> {
        let pty = Pty::open()?;
        let stdout = OpenOptions::new().read(true).write(true).open(pty.path())?;
        let mut child = command.stdout(stdout).stderr(Stdio::null()).spawn()?;
        command.stdout(Stdio::null());
        child.wait()?;
        pty.whole_text()
    };
    let shown = "a\\u{1b}[2J\\u{9b}31m\\u{202e}b\\u{200b}\tc\r\nd\\u{7}\r\n";
    // The output of a tool, and the answer of a model.
    let read = || {
        let mut command = program(dir.path());
        command.args(["call", "file_read", r#"{"path": "a.txt"}"#]);
        command
    };
    let (url, _heard) = crate::fake(&[
        serde_json::json!({"content": HOSTILE}),
        serde_json::json!({"content": HOSTILE}),
    ])?;
    let ask = || {
        let mut command = program(dir.path());
        command.args(["agent", "Say it", "--root", "."]);
        command
            .env("CALLPACT_BASE_URL", &url)
            .env("CALLPACT_MODEL", "m");
        command
    };
    for (name, mut command) in [("read", read()), ("ask", ask())] {
        assert_eq!(at_terminal(&mut command)?, shown, "{name}");
    }
    for (name, mut command) in [("read", read()), ("ask", ask())] {
        let output = command.output()?;
        assert_eq!(crate::out(&output), format!("{HOSTILE}\n"), "{name}");
    }
    // JSON is the same JSON anywhere, and never has such a character.
    let json = read().arg("--json").output()?;
    let text = crate::out(&json);
    assert!(
        !text.trim_end().contains(callpact::review::is_hidden),
        "{text:?}"
    );
    let value: serde_json::Value = serde_json::from_str(&text)?;
    assert_eq!(value["reply"], HOSTILE);
    Ok(())
}

/// The program at a terminal; it is ended when this is dropped.
pub(crate) struct Terminal {
    child: Child,
    pub(crate) pty: Pty,
}

impl Terminal {
    /// Runs a command with the terminal as its input and its standard error.
    pub(crate) fn run(command: &mut Command) -> Result<Self, Box<dyn Error>> {
        let pty = Pty::open()?;
        let open = || OpenOptions::new().read(true).write(true).open(pty.path());
        let child = command
            .stdin(open()?)
            .stderr(open()?)
            .stdout(Stdio::piped())
            .spawn()?;
        // The command keeps the other side open otherwise, and the reader below would never end.
        command.stdin(Stdio::null()).stderr(Stdio::null());
        Ok(Self { child, pty })
    }

    pub(crate) fn text(&self) -> String {
        self.pty.text()
    }

    /// Waits for a question, and types.
    fn answer(&mut self, keys: &[u8]) -> Tested {
        let end = Instant::now() + WAIT;
        while !self.text().contains("Continue? > ") {
            if Instant::now() > end || self.child.try_wait()?.is_some() {
                return Err(format!("nothing was asked:\n{}", self.text()).into());
            }
            thread::sleep(LOOK);
        }
        self.pty.put(keys)
    }

    /// Its exit code, and its standard output. All that it showed was read then.
    pub(crate) fn end(&mut self) -> Result<(ExitStatus, String), Box<dyn Error>> {
        let end = Instant::now() + WAIT;
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if Instant::now() > end {
                return Err(format!("it goes on:\n{}", self.text()).into());
            }
            thread::sleep(LOOK);
        };
        let mut out = String::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            stdout.read_to_string(&mut out)?;
        }
        self.pty.whole_text()?;
        Ok((status, out))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn agent(dir: &Path) -> Result<Terminal, Box<dyn Error>> {
    let mut command = program(dir);
    command.args(["agent", "Cost it", "--root", "."]);
    Terminal::run(command.env("NO_COLOR", "1"))
}

#[test]
fn a_yes_lets_the_agent_write() -> Tested {
    let dir = tempfile::tempdir()?;
    let mut terminal = agent(dir.path())?;
    terminal.answer(b"y\n")?;
    let (status, out) = terminal.end()?;
    let shown = terminal.text();
    assert_eq!(status.code(), Some(0), "{shown}");
    assert!(
        shown.contains("file_write") && shown.contains("report.md"),
        "{shown}"
    );
    assert!(!shown.contains("the script's own reviewer"), "{shown}");
    assert!(out.contains("246.75"), "{out}");
    assert!(dir.path().join("report.md").exists());
    Ok(())
}

#[test]
fn shows_effect_of_edit_before_approval() -> Tested {
    for (answer, left) in [(&b"y\n"[..], "less\n"), (b"n\n", "all of it\n")] {
        let dir = tempfile::tempdir()?;
        let file = dir.path().join("costs.md");
        std::fs::write(&file, "all of it\n")?;
        let mut terminal = agent(dir.path())?;
        terminal.answer(b"e\n")?;
        terminal.pty.wait_for("Replacement in one line", 1)?;
        terminal
            .pty
            .put(b"{\"path\": \"costs.md\", \"content\": \"less\\n\"}\n")?;
        terminal.pty.wait_for("Continue? > ", 2)?;
        let shown = terminal.text();
        let (_, shown) = shown
            .split_once("as a person edited it")
            .ok_or(shown.clone())?;
        assert!(
            shown.contains("-all of it") && shown.contains("+less"),
            "{shown}"
        );
        assert_eq!(std::fs::read_to_string(&file)?, "all of it\n");
        terminal.pty.put(answer)?;
        terminal.end()?;
        assert_eq!(std::fs::read_to_string(&file)?, left, "{}", terminal.text());
        assert!(!dir.path().join("report.md").exists());
    }
    Ok(())
}

#[test]
fn rejects_on_no_blank_line_or_eof() -> Tested {
    for keys in [&b"n\n"[..], b"\x04", b"\n", b"yeah\n"] {
        let dir = tempfile::tempdir()?;
        let mut terminal = agent(dir.path())?;
        terminal.answer(keys)?;
        let (status, out) = terminal.end()?;
        let shown = terminal.text();
        assert_eq!(status.code(), Some(4), "{keys:?}: {shown}");
        assert!(shown.contains("error: halted: "), "{shown}");
        assert_eq!(out, "");
        assert!(!dir.path().join("report.md").exists());
    }
    Ok(())
}

#[test]
fn a_call_is_asked_about_too() -> Tested {
    let write = r#"{"path": "a", "content": "b"}"#;
    for (keys, code) in [(&b"y\n"[..], 0), (b"n\n", 4)] {
        let dir = tempfile::tempdir()?;
        let mut call = program(dir.path());
        call.args(["call", "file_write", write])
            .env("NO_COLOR", "1");
        let mut terminal = Terminal::run(&mut call)?;
        terminal.answer(keys)?;
        let (status, _) = terminal.end()?;
        assert_eq!(status.code(), Some(code), "{}", terminal.text());
        assert_eq!(dir.path().join("a").exists(), code == 0);
    }
    Ok(())
}

#[test]
fn colours_are_for_a_terminal_that_wants_them() -> Tested {
    let dir = tempfile::tempdir()?;
    for (variables, coloured) in [
        (&[("TERM", "xterm")][..], true),
        (&[("TERM", "xterm"), ("NO_COLOR", "")], true),
        (&[("TERM", "xterm"), ("NO_COLOR", "1")], false),
        (&[("TERM", "dumb")], false),
        (&[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")], true),
    ] {
        let mut command = program(dir.path());
        command.args(["agent", "Cost it", "--root", ".", "--yes"]);
        command.envs(variables.iter().copied());
        let mut terminal = Terminal::run(&mut command)?;
        let (status, out) = terminal.end()?;
        terminal.pty.wait_for("done", 1)?;
        let shown = terminal.text();
        assert_eq!(status.code(), Some(0), "{shown}");
        assert_eq!(shown.contains('\x1b'), coloured, "{variables:?}: {shown}");
        // Standard output is not a terminal here.
        assert!(!out.contains('\x1b') && out.contains("246.75"), "{out}");
        std::fs::remove_file(dir.path().join("report.md"))?;
        // The program's own complaint and that of its reader of arguments.
        for arguments in [&["schema", "nothing"][..], &["nothing"]] {
            let mut command = program(dir.path());
            command.args(arguments);
            let mut terminal = Terminal::run(command.envs(variables.iter().copied()))?;
            let (status, _) = terminal.end()?;
            terminal.pty.wait_for("nothing", 1)?;
            assert_eq!(status.code(), Some(2));
            assert_eq!(terminal.text().contains('\x1b'), coloured, "{variables:?}");
        }
    }
    Ok(())
}

#[test]
fn a_question_shows_a_text_as_lines() -> Tested {
    let dir = tempfile::tempdir()?;
    let mut terminal = agent(dir.path())?;
    terminal.answer(b"n\n")?;
    let shown = terminal.text().replace('\r', "");
    let lines = concat!(
        "Action  | \"path\": \"report.md\"\n",
        "        | \"content\":\n",
        "        |   # Costs\n",
        "        |   \n",
        "        |   - large plan, a month: 82.25\n",
    );
    assert!(shown.contains(lines), "{shown}");
    terminal.end()?;
    Ok(())
}

#[test]
fn json_is_laid_out_at_a_terminal_only() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::write(dir.path().join("a.json"), r#"{"a":[1]}"#)?;
    let read = || {
        let mut command = program(dir.path());
        command.args(["call", "file_read", "path=a.json"]);
        command
    };
    let pty = Pty::open()?;
    let stdout = OpenOptions::new().read(true).write(true).open(pty.path())?;
    let mut command = read();
    command.stdout(stdout).stderr(Stdio::null()).status()?;
    drop(command);
    let shown = pty.whole_text()?.replace('\r', "");
    assert_eq!(shown, "{\n  \"a\": [\n    1\n  ]\n}\n");
    assert_eq!(crate::out(&read().output()?), "{\"a\":[1]}\n");
    Ok(())
}

#[test]
fn terminal_answers_question_of_server() -> Tested {
    let dir = tempfile::tempdir()?;
    let mut call = program(dir.path());
    call.args([
        "mcp",
        "--call",
        "file_write",
        "--arguments",
        "path=a",
        "--arguments",
        "content=b",
    ]);
    call.args([
        "--",
        env!("CARGO_BIN_EXE_callpact"),
        "serve",
        "--stdio",
        "--ask",
    ]);
    let mut terminal = Terminal::run(call.env("NO_COLOR", "1"))?;
    // The approval of this program, and that of the server.
    terminal.answer(b"y\n")?;
    terminal.pty.wait_for("y = answer, n = decline", 1)?;
    terminal.pty.put(b"y\n")?;
    terminal.pty.wait_for("Decision (approve, refuse) > ", 1)?;
    terminal.pty.put(b"perhaps\n")?;
    terminal.pty.wait_for("found \"perhaps\"", 1)?;
    terminal.pty.put(b"approve\n")?;
    terminal.pty.wait_for("Other arguments", 1)?;
    terminal.pty.put(b"\n")?;
    terminal.pty.wait_for("Reason", 1)?;
    terminal.pty.put(b"\n")?;
    let (status, out) = terminal.end()?;
    assert_eq!(status.code(), Some(0), "{}", terminal.text());
    assert!(out.contains("Successfully wrote"), "{out}");
    assert_eq!(std::fs::read_to_string(dir.path().join("a"))?, "b");
    Ok(())
}
