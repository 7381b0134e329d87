//! A writer that is killed leaves the old content or the new one.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use callpact_tools::engine::files::{Sandbox, WriteLimits, WriteMode};

const SIZE: usize = 4 << 20;
const PLACE: &str = "CALLPACT_TEST_WRITER";

/// Run by the test below in a process of its own; otherwise it does nothing.
#[test]
fn writer() {
    let Some(base) = std::env::var_os(PLACE) else {
        return;
    };
    let sandbox = Sandbox::open(base).unwrap();
    for letter in ["b", "c"].into_iter().cycle() {
        sandbox
            .write(
                "f",
                &letter.repeat(SIZE),
                WriteMode::Overwrite,
                WriteLimits::default(),
            )
            .unwrap();
    }
}

#[test]
fn a_kill_leaves_old_or_new() {
    let base = tempfile::tempdir().unwrap();
    let file = base.path().join("f");
    let mut changed = 0;
    for round in 0..20_u64 {
        fs::write(&file, "a".repeat(SIZE)).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "files_kill::writer", "--nocapture"])
            .env(PLACE, base.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = fs::read(&file).unwrap();
        assert_eq!(text.len(), SIZE, "round {round}");
        assert!(
            text.iter().all(|b| Some(b) == text.first()),
            "round {round}: half of each"
        );
        changed += usize::from(text.first() != Some(&b'a'));
    }
    println!("20 kills, {changed} after the first write");
    assert!(changed > 0, "some writes were done");
}
