//! Approvals at a terminal.

use std::{
    error::Error,
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::{Tested, program};

/// How long anything here may take.
const WAIT: Duration = Duration::from_secs(60);

/// The program at a terminal, with a person (this test) before it. It is ended with this.
struct Terminal {
    child: Child,
    keys: File,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Runs a command with the terminal as its input and its standard error.
    fn run(command: &mut Command) -> Result<Self, Box<dyn Error>> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let path = ptsname(&master, Vec::new())?.into_string()?;
        let open = || OpenOptions::new().read(true).write(true).open(&path);
        let child = command
            .env("NO_COLOR", "1")
            .stdin(open()?)
            .stderr(open()?)
            .stdout(Stdio::piped())
            .spawn()?;
        // The command keeps the other side open otherwise, and the reader below would never end.
        command.stdin(Stdio::null()).stderr(Stdio::null());
        let keys = File::from(master);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut eyes, shown) = (keys.try_clone()?, Arc::clone(&seen));
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = eyes.read(&mut chunk) {
                let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                shown.extend(chunk.get(..count).unwrap_or_default());
            }
        });
        Ok(Self { child, keys, seen })
    }

    fn text(&self) -> String {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&seen).into_owned()
    }

    /// Waits for a question, and types.
    fn answer(&mut self, keys: &[u8]) -> Tested {
        let end = Instant::now() + WAIT;
        while !self.text().contains("Continue? > ") {
            if Instant::now() > end || self.child.try_wait()?.is_some() {
                return Err(format!("nothing was asked:\n{}", self.text()).into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.keys.write_all(keys)?;
        Ok(())
    }

    /// How it ended, and what it said on standard output.
    fn end(&mut self) -> Result<(ExitStatus, String), Box<dyn Error>> {
        let end = Instant::now() + WAIT;
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break status;
            }
            if Instant::now() > end {
                return Err(format!("it goes on:\n{}", self.text()).into());
            }
            thread::sleep(Duration::from_millis(10));
        };
        let mut out = String::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            stdout.read_to_string(&mut out)?;
        }
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
    Terminal::run(program(dir).args(["agent", "Cost it", "--root", "."]))
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
fn a_no_the_end_of_the_input_and_a_blank_line_reject() -> Tested {
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
        let mut terminal = Terminal::run(program(dir.path()).args(["call", "file_write", write]))?;
        terminal.answer(keys)?;
        let (status, _) = terminal.end()?;
        assert_eq!(status.code(), Some(code), "{}", terminal.text());
        assert_eq!(dir.path().join("a").exists(), code == 0);
    }
    Ok(())
}
