//! Processes that do not want to end.

use std::time::{Duration, Instant};

use callpact_tools::engine::process::{Outcome, ProcessSpec, run};

use crate::process::sh;
use crate::support::{processes_with, survivors, unique};

/// Runs `script`, in which `N` is a number that marks its processes, with a timeout of 300 ms.
async fn times_out(name: &str, script: &str) -> Outcome {
    times_out_after(Duration::from_millis(300), name, script).await
}

/// Long enough for a shell to come to the end of its first line on a busy machine.
const BEGUN: Duration = Duration::from_secs(3);

async fn times_out_after(timeout: Duration, name: &str, script: &str) -> Outcome {
    let mark = unique();
    let spec = sh(&script.replace('N', &mark)).timeout(timeout);
    let start = Instant::now();
    let outcome = run(&spec).await.unwrap();
    let over = start.elapsed().saturating_sub(timeout);
    println!("{name}: {over:?} over the deadline");
    assert!(outcome.timed_out, "{name}");
    assert!(!outcome.success(), "{name}");
    assert!(over < Duration::from_secs(20), "{name}: {over:?}");
    assert_eq!(survivors(&mark), [""; 0], "{name}");
    outcome
}

#[tokio::test]
async fn deadline_ends_every_process() {
    let scripts = [
        ("sleeps", "exec sleep N"),
        ("forks", "sleep N & sleep N & wait"),
        (
            "ignores SIGTERM",
            "trap '' TERM; echo ready; while :; do sleep N; done",
        ),
        ("leaves with the pipe", "setsid sleep N & wait"),
        ("leaves and ends", "setsid -f sleep N; sleep N"),
        (
            "leaves twice",
            "setsid -f setsid -f sh -c 'trap \"\" TERM; sleep N; sleep N'; sleep N",
        ),
        (
            "leaves without the pipe",
            "setsid -f sleep N >/dev/null 2>&1 </dev/null; sleep N",
        ),
        (
            "forgets its mark",
            "env -i PATH=\"$PATH\" setsid sleep N & sleep N",
        ),
        (
            "forgets its mark and its parent",
            "env -i PATH=\"$PATH\" setsid -f sleep N; sleep N",
        ),
        (
            "forgets its mark and the pipe",
            "env -i PATH=\"$PATH\" setsid sleep N >/dev/null 2>&1 & sleep N",
        ),
        ("writes for ever", "cat /dev/zero; echo N"),
        (
            "leaves and writes for ever",
            "setsid -f sh -c 'cat /dev/zero; echo N'; sleep N",
        ),
        ("forks for ever", "while :; do sleep N & sleep 0.02; done"),
    ];
    for (name, script) in scripts {
        times_out(name, script).await;
    }
}

#[tokio::test]
async fn process_with_unread_input_ends_at_deadline() {
    let mark = unique();
    let spec = ProcessSpec::new(["sleep", &mark])
        .stdin(vec![0; 10 << 20])
        .timeout(Duration::from_millis(300));
    let start = Instant::now();
    assert!(run(&spec).await.unwrap().timed_out);
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(survivors(&mark), [""; 0]);
}

#[tokio::test]
async fn what_was_written_before_the_deadline_is_kept() {
    let outcome = times_out_after(BEGUN, "writes and sleeps", "echo before; sleep N").await;
    assert_eq!(outcome.stdout.text(), "before\n");
    let spec = sh("sleep 9").timeout(Duration::from_millis(1500));
    assert_eq!(spec.timeout_text(), "Process timed out after 1.5s: sh");
    assert_eq!(
        sh("").timeout(Duration::from_secs(2)).timeout_text(),
        "Process timed out after 2s: sh"
    );
}

#[tokio::test]
async fn a_request_to_end_is_heard() {
    let outcome = times_out_after(
        BEGUN,
        "cleans up",
        "trap 'echo cleaned; exit 0' TERM; echo N; while :; do sleep 0.01; done",
    )
    .await;
    assert!(
        outcome.stdout.text().ends_with("cleaned\n"),
        "{}",
        outcome.stdout.text()
    );
}

#[tokio::test]
async fn extreme_timeouts_are_fine() {
    let outcome = run(&sh("sleep 5").timeout(Duration::ZERO)).await.unwrap();
    assert!(outcome.timed_out);
    assert!(
        run(&sh("exit 0").timeout(Duration::MAX))
            .await
            .unwrap()
            .success()
    );
}

#[tokio::test]
async fn dropping_the_future_kills_everything() {
    let mark = unique();
    let spec = sh(&format!(
        "setsid -f sleep {mark}; trap '' TERM; sleep {mark} & sleep {mark}"
    ));
    let running = tokio::time::timeout(Duration::from_millis(300), run(&spec)).await;
    assert!(running.is_err());
    assert_eq!(survivors(&mark), [""; 0]);
    // Nothing is left that only waits to be waited for.
    let me = format!("/proc/{}/task", std::process::id());
    let zombies = || {
        std::fs::read_dir(&me).unwrap().flatten().any(|task| {
            let children =
                std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            children.split_whitespace().any(|pid| {
                let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                String::from_utf8_lossy(&line).contains(&mark)
            })
        })
    };
    assert!(!zombies());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_timeouts_leave_nothing() {
    const TIMEOUT: Duration = Duration::from_millis(150);
    let mark = unique();
    let start = Instant::now();
    let mut worst = Duration::ZERO;
    let mut seen = 0;
    for _ in 0..25 {
        let tasks: Vec<_> = (0..8)
            .map(|i| {
                let script = match i % 4 {
                    0 => "trap '' TERM; sleep N & sleep N",
                    1 => "setsid -f sleep N; sleep N",
                    2 => "setsid sleep N >/dev/null 2>&1 & sleep N & wait",
                    _ => "setsid -f sh -c 'sleep N & sleep N'; exec sleep N",
                };
                let spec = sh(&script.replace('N', &mark))
                    .timeout(TIMEOUT)
                    .grace(Duration::from_millis(20));
                tokio::spawn(async move {
                    let start = Instant::now();
                    assert!(run(&spec).await.unwrap().timed_out);
                    start.elapsed()
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(100)).await;
        seen = seen.max(processes_with(&mark).len());
        for task in tasks {
            worst = worst.max(task.await.unwrap());
        }
    }
    println!(
        "200 timeouts in {:?}, {seen} processes at once, slowest {worst:?}",
        start.elapsed()
    );
    assert!(seen > 8, "the processes were there to be found");
    assert!(worst < Duration::from_secs(20), "{worst:?}");
    assert_eq!(survivors(&mark), [""; 0]);
}
