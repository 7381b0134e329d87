//! Processes that behave, and their bounds.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use callpact_tools::engine::process::{Outcome, ProcessError, ProcessSpec, run};
use tokio::runtime::{Builder, Runtime};

use crate::support::{Scene, survivors, unique};

pub(crate) fn sh(script: &str) -> ProcessSpec {
    ProcessSpec::new(["sh", "-c", script])
}

async fn done(spec: ProcessSpec) -> Outcome {
    run(&spec).await.unwrap()
}

#[tokio::test]
async fn output_code_and_signal() {
    let outcome = done(sh("echo out; echo err >&2; exit 3")).await;
    assert_eq!(
        (
            outcome.stdout.text().as_str(),
            outcome.stderr.text().as_str()
        ),
        ("out\n", "err\n")
    );
    assert_eq!(
        (outcome.code, outcome.signal, outcome.timed_out),
        (Some(3), None, false)
    );
    assert_eq!(outcome.failure_text(), "err\n");
    let outcome = done(sh("exit 7")).await;
    assert_eq!(outcome.failure_text(), "Process exited with code 7");
    let outcome = done(sh("kill -9 $$")).await;
    assert_eq!((outcome.code, outcome.signal), (None, Some(9)));
    assert_eq!(outcome.failure_text(), "Process was ended by signal 9");
}

#[tokio::test]
async fn what_cannot_be_started_says_so() {
    let error = |argv: &'static [&'static str]| async move {
        run(&ProcessSpec::new(argv)).await.unwrap_err()
    };
    assert_eq!(error(&[]).await, ProcessError::Blank);
    assert_eq!(
        error(&["  "]).await.to_string(),
        "Command must not be blank"
    );
    assert_eq!(
        error(&["no-such-program-here"]).await.to_string(),
        "Failed to start process: the program or its working directory was not found"
    );
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("program");
    std::fs::write(&file, "\x7fnothing").unwrap();
    let failed = run(&ProcessSpec::new([&file])).await.unwrap_err();
    assert_eq!(
        failed.to_string(),
        "Failed to start process: permission denied"
    );
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let failed = run(&ProcessSpec::new([&file])).await.unwrap_err();
    assert_eq!(
        failed.to_string(),
        "Failed to start process: not a program of this system"
    );
    assert!(matches!(
        error(&["echo", "a\0b"]).await,
        ProcessError::Start { .. }
    ));
}

#[tokio::test]
async fn there_is_no_shell() {
    let outcome = done(ProcessSpec::new(["echo", "$HOME; exit 1", "*"])).await;
    assert_eq!(outcome.stdout.text(), "$HOME; exit 1 *\n");
}

#[tokio::test]
async fn the_environment_is_the_allow_list() {
    // Cargo sets this one for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let names = |text: String| -> Vec<String> {
        let mut names: Vec<_> = text
            .lines()
            .filter_map(|l| Some(l.split_once('=')?.0.to_owned()))
            .collect();
        names.sort();
        names
    };
    let outcome = done(ProcessSpec::new(["env"])).await;
    let seen = names(outcome.stdout.text());
    assert!(!seen.contains(&"CARGO_MANIFEST_DIR".to_owned()), "{seen:?}");
    assert!(seen.contains(&"PATH".to_owned()));
    let spec = ProcessSpec::new(["env"])
        .env_allow(["CARGO_MANIFEST_DIR"])
        .env("OWN", "value");
    let outcome = done(spec).await;
    assert_eq!(
        names(outcome.stdout.text()),
        ["CALLPACT_PROCESS", "CARGO_MANIFEST_DIR", "OWN"]
    );
    assert!(outcome.stdout.text().contains("OWN=value\n"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_inherits_no_descriptor() {
    use rustix::io::{FdFlags, fcntl_setfd};
    use std::os::fd::AsRawFd;
    let scene = Scene::new();
    let secret = std::fs::File::open(scene.outside.join("secret.txt")).unwrap();
    fcntl_setfd(&secret, FdFlags::empty()).unwrap();
    let number = secret.as_raw_fd();
    let script = format!("cat /proc/self/fd/{number}; readlink /proc/self/fd/{number}; echo end");
    let outcome = done(sh(&script)).await;
    assert_eq!(outcome.stdout.text(), "/dev/null\nend\n");
    drop(secret);
}

#[tokio::test]
async fn debug_shows_no_secrets() {
    let spec = sh("echo TOPSECRET")
        .stdin("TOPSECRET")
        .env("KEY", "TOPSECRET");
    assert!(!format!("{spec:?}").contains("TOPSECRET"));
}

#[tokio::test]
async fn the_directory_is_the_one_named() {
    let scene = Scene::new();
    let outcome = done(ProcessSpec::new(["cat", "in.txt"]).cwd(&scene.base)).await;
    assert_eq!(outcome.stdout.text(), "inside\n");
    // An open directory is the same one even when its name means another now.
    let dir = scene.sandbox.open_directory("sub").unwrap();
    std::fs::rename(scene.base.join("sub"), scene.base.join("moved")).unwrap();
    std::os::unix::fs::symlink("../outside", scene.base.join("sub")).unwrap();
    let outcome = done(ProcessSpec::new(["cat", "in.txt"]).cwd_open(dir)).await;
    assert_eq!(outcome.stdout.text(), "inside sub\n");
}

#[tokio::test]
async fn input_and_output_flow_at_the_same_time() {
    let input = vec![b'x'; 10 << 20];
    let outcome = done(
        ProcessSpec::new(["cat"])
            .stdin(input.clone())
            .max_output(20 << 20),
    )
    .await;
    assert!(outcome.success());
    assert_eq!(outcome.stdout.bytes, input);
    // There is no reader, and much is written: neither waits for the other.
    let outcome = done(sh("head -c 8000000 /dev/zero; exit 4").stdin(input)).await;
    assert_eq!(
        (
            outcome.code,
            outcome.stdout.total,
            outcome.stdout.bytes.len()
        ),
        (Some(4), 8_000_000, 1 << 20)
    );
    assert!(
        outcome
            .stdout
            .text()
            .ends_with("\n[output truncated at 1048576 bytes]")
    );
}

#[tokio::test]
async fn a_gigabyte_is_read_and_forgotten() {
    let start = Instant::now();
    let outcome = done(ProcessSpec::new(["head", "-c", "1G", "/dev/zero"]).max_output(1000)).await;
    assert!(outcome.success(), "{:?}", outcome.code);
    assert_eq!(
        (outcome.stdout.total, outcome.stdout.bytes.len()),
        (1 << 30, 1000)
    );
    assert!(outcome.stdout.truncated && !outcome.stderr.truncated);
    println!("1 GiB drained in {:?}", start.elapsed());
}

#[tokio::test]
async fn background_child_does_not_delay_answer() {
    let mark = unique();
    let start = Instant::now();
    let outcome = done(sh(&format!("sleep {mark} & echo started"))).await;
    println!("answered after {:?}", start.elapsed());
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(
        (outcome.stdout.text().as_str(), outcome.code),
        ("started\n", Some(0))
    );
    assert_eq!(survivors(&mark), [""; 0]);
}

#[tokio::test]
async fn an_ordinary_call_is_quick() {
    let start = Instant::now();
    for _ in 0..50 {
        assert!(done(ProcessSpec::new(["true"])).await.success());
    }
    println!("a call of `true` takes {:?}", start.elapsed() / 50);
    assert!(
        start.elapsed() < Duration::from_secs(100),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test]
async fn many_at_once_do_not_disturb_each_other() {
    let tasks: Vec<_> = (0..40)
        .map(|i| {
            tokio::spawn(
                async move { (i, run(&sh(&format!("sleep 0.05; echo {i}"))).await.unwrap()) },
            )
        })
        .collect();
    for task in tasks {
        let (i, outcome) = task.await.unwrap();
        assert_eq!(
            (outcome.stdout.text(), outcome.code),
            (format!("{i}\n"), Some(0))
        );
    }
}

/// A runtime without its input and output, or without its clock.
fn half(time: bool) -> Runtime {
    let mut half = Builder::new_current_thread();
    if time {
        half.enable_time();
    } else {
        half.enable_io();
    }
    half.build().unwrap()
}

#[test]
fn nothing_is_started_that_could_not_be_ended() {
    for time in [true, false] {
        let mark = unique();
        let spec = sh(&format!("sleep {mark}"));
        let crashed = catch_unwind(|| half(time).block_on(run(&spec)));
        assert!(crashed.is_err());
        assert_eq!(survivors(&mark), [""; 0]);
    }
}
