//! Background processes.

use std::time::{Duration, Instant};

use callpact_tools::engine::process_table::{ProcessState, ProcessTable, TableError, TableLimits};

use crate::process::sh;
use crate::support::{processes_with, survivors, unique};

const LONG: Duration = Duration::from_secs(10);

fn limits(change: impl FnOnce(&mut TableLimits)) -> TableLimits {
    let mut limits = TableLimits::default();
    change(&mut limits);
    limits
}

/// What a running process has written first, whenever that is.
async fn first_words(table: &ProcessTable, id: &str) -> String {
    let end = Instant::now() + 6 * LONG;
    loop {
        let report = table.wait(id, Duration::from_millis(50)).await.unwrap();
        assert_eq!(report.state, ProcessState::Running);
        if !report.stdout.is_empty() {
            return report.stdout;
        }
        assert!(Instant::now() < end, "nothing was written");
    }
}

#[tokio::test]
async fn a_process_runs_between_calls() {
    let table = ProcessTable::new(TableLimits::default());
    let folder = tempfile::tempdir().unwrap();
    let on = folder.path().join("on");
    let script = format!(
        "echo one; until [ -e '{}' ]; do sleep 0.05; done; echo two; echo bad >&2; exit 5",
        on.display()
    );
    let id = table.start(sh(&script)).unwrap();
    assert_eq!(id, "p1");
    assert_eq!(first_words(&table, &id).await, "one\n");
    assert_eq!(
        table.poll(&id).unwrap().stdout,
        "",
        "what was seen is not shown again"
    );
    std::fs::write(on, "").unwrap();
    let report = table.wait(&id, LONG).await.unwrap();
    assert_eq!(report.state, ProcessState::Exited(5));
    assert_eq!(
        report.to_string(),
        "Process p1 exited with code 5\nstdout:\ntwo\n\nstderr:\nbad\n"
    );
    assert_eq!(table.list(), [("p1".into(), ProcessState::Exited(5))]);
    assert_eq!(
        table.stop(&id).await.unwrap().state,
        ProcessState::Exited(5)
    );
}

#[tokio::test]
async fn stopping_takes_everything_along() {
    let mark = unique();
    let table = ProcessTable::new(TableLimits::default());
    let spec = sh(&format!(
        "trap '' TERM; setsid -f sleep {mark}; echo up; sleep {mark}"
    ))
    .timeout(6 * LONG);
    let id = table.start(spec).unwrap();
    // The shell, and the two that sleep: the second one after it has written.
    let end = Instant::now() + 6 * LONG;
    while processes_with(&mark).len() < 3 && Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!processes_with(&mark).is_empty());
    let start = Instant::now();
    let report = table.stop(&id).await.unwrap();
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(
        (report.state, report.stdout.as_str()),
        (ProcessState::Stopped, "up\n")
    );
    assert_eq!(survivors(&mark), [""; 0]);
}

#[tokio::test]
async fn time_is_bounded_by_the_table() {
    let table = ProcessTable::new(limits(|l| l.max_lifetime = Duration::from_millis(100)));
    let id = table.start(sh("sleep 60").timeout(LONG)).unwrap();
    assert_eq!(
        table.wait(&id, LONG).await.unwrap().state,
        ProcessState::TimedOut
    );
}

#[tokio::test]
async fn number_is_bounded() {
    let table = ProcessTable::new(limits(|l| (l.max_running, l.max_ended) = (2, 2)));
    let ids: Vec<_> = (0..2)
        .map(|_| table.start(sh("sleep 60")).unwrap())
        .collect();
    assert_eq!(
        table.start(sh("true")).unwrap_err(),
        TableError::Full { limit: 2 }
    );
    table.stop(&ids[0]).await.unwrap();
    for _ in 0..5 {
        let id = table.start(sh("true")).unwrap();
        table.wait(&id, LONG).await.unwrap();
    }
    assert!(table.list().len() <= 4, "{:?}", table.list());
    let error = table.poll("p1").unwrap_err().to_string();
    assert!(
        error.starts_with("Unknown process. Available: p2, "),
        "{error}"
    );
    for id in ["", "1", "p", "p-1", "p99999999999999999999", "é"] {
        assert!(
            matches!(table.poll(id), Err(TableError::Unknown { .. })),
            "{id:?}"
        );
    }
}

#[tokio::test]
async fn output_is_bounded_and_says_what_is_missing() {
    let table = ProcessTable::new(limits(|l| l.max_output = 1000));
    let id = table
        .start(sh("head -c 5000000 /dev/zero | tr '\\0' x; echo end"))
        .unwrap();
    let report = table.wait(&id, LONG).await.unwrap();
    assert_eq!(
        report.stdout_dropped + report.stdout.len() as u64,
        5_000_004
    );
    assert!(report.stdout.ends_with("xxend\n") && report.stdout.len() == 1000);
    assert!(
        report
            .to_string()
            .contains("\n[stdout: 4999004 earlier bytes dropped]\n")
    );
}

#[tokio::test]
async fn dropping_the_table_kills_at_once() {
    let mark = unique();
    let table = ProcessTable::new(TableLimits::default());
    for _ in 0..3 {
        table
            .start(sh(&format!(
                "trap '' TERM; setsid -f sleep {mark}; sleep {mark}"
            )))
            .unwrap();
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(processes_with(&mark).len() >= 6);
    let start = Instant::now();
    drop(table);
    println!("3 processes with offspring killed in {:?}", start.elapsed());
    assert_eq!(survivors(&mark), [""; 0]);
}

#[test]
fn a_runtime_that_ends_takes_the_processes_along() {
    let mark = unique();
    let table = ProcessTable::new(TableLimits::default());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let id = runtime.block_on(async {
        table
            .start(sh(&format!("setsid -f sleep {mark}; sleep {mark}")))
            .unwrap()
    });
    std::thread::sleep(Duration::from_millis(200));
    assert!(!processes_with(&mark).is_empty());
    drop(runtime);
    assert_eq!(survivors(&mark), [""; 0]);
    assert_eq!(table.poll(&id).unwrap().state, ProcessState::Lost);
}
