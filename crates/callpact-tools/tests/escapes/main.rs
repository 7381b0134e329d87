//! Ways in which a process tries to outlive its time, under each boundary.
//!
//! The ordinary run takes each way twice; `CALLPACT_ESCAPES=200` sets another number. The chains of forks
//! keep a machine busy, so these tests have a program of their own.

#[path = "../local/support.rs"]
#[allow(dead_code)]
mod support;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use callpact_tools::engine::process::{Boundary, ProcessSpec, run};
use callpact_tools::engine::process_table::{ProcessState, ProcessTable, TableLimits};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tokio::task::{JoinError, JoinSet};

use support::{processes_with, survivors, unique};

/// What a way out needs. Each boundary says which of these it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Needs {
    /// Nothing: it stays in the tree, keeps its mark or holds a pipe.
    Nothing,
    /// It hides from a search: no mark, no parent, no pipe.
    Hiding,
    /// It forks faster than a search kills.
    Haste,
    /// It moves to another control group, which only the owner of that group may do.
    Moving,
}

/// Daemons of perl do what real ones do: two forks, a session, all handles closed, another title, which
/// overwrites the environment too.
const DAEMON: &str = r#"use POSIX; exit if fork; POSIX::setsid(); exit if fork; chdir "/"; POSIX::close($_) for 0..9; $0 = "daemon: {N}"; sleep 30"#;
/// A process that forks and ends, over and over, for some seconds.
const CHAIN: &str =
    r"$end = time + 6; while (time < $end) { exit if fork; select undef, undef, undef, 0.001 }";

/// `{N}` is the number that marks the processes of a script, `{Q}` cuts off from the pipes, `{E}` empties the
/// environment.
const ESCAPES: &[(&str, Needs, &str)] = &[
    ("a child", Needs::Nothing, "sleep {N} & wait"),
    ("an orphan", Needs::Nothing, "(sleep {N} &); sleep {N}"),
    (
        "an orphan without pipes",
        Needs::Nothing,
        "(sleep {N} {Q} &); sleep {N}",
    ),
    (
        "deaf to TERM",
        Needs::Nothing,
        "trap '' TERM; sleep {N} & while :; do sleep {N}; done",
    ),
    (
        "deaf to everything",
        Needs::Nothing,
        "trap '' HUP INT QUIT TERM USR1 USR2; sleep {N} & sleep {N}; sleep {N}",
    ),
    (
        "deaf to a lost terminal",
        Needs::Nothing,
        "nohup sleep {N} {Q} & sleep {N}",
    ),
    (
        "stopped",
        Needs::Nothing,
        "sleep {N} & kill -STOP $!; sleep {N}",
    ),
    (
        "stopped with its leader",
        Needs::Nothing,
        "sleep {N} & kill -STOP $$; sleep {N}",
    ),
    (
        "in a group of its own",
        Needs::Nothing,
        "set -m; sleep {N} & sleep {N}",
    ),
    (
        "in a group of a time limit",
        Needs::Nothing,
        "timeout 60 sleep {N} & sleep {N}",
    ),
    (
        "in a session of its own",
        Needs::Nothing,
        "setsid sleep {N} & wait",
    ),
    (
        "in a session without a parent",
        Needs::Nothing,
        "setsid -f sleep {N}; sleep {N}",
    ),
    (
        "in a session without pipes",
        Needs::Nothing,
        "setsid -f sleep {N} {Q}; sleep {N}",
    ),
    (
        "in a session of a session",
        Needs::Nothing,
        "setsid -f setsid -f sh -c 'trap \"\" TERM; sleep {N}; sleep {N}'; sleep {N}",
    ),
    (
        "behind a short command",
        Needs::Nothing,
        "setsid -f sleep {N} {Q}; {W}",
    ),
    (
        "behind a crash",
        Needs::Nothing,
        "setsid -f sleep {N} {Q}; {W}; kill -SEGV $$",
    ),
    (
        "behind a group that kills itself",
        Needs::Nothing,
        "setsid -f sleep {N} {Q}; {W}; kill -KILL 0",
    ),
    (
        "a copy of the output kept",
        Needs::Nothing,
        "{E} setsid -f sh -c 'exec 7>&1 >/dev/null; sleep {N}'; sleep {N}",
    ),
    (
        "a tree",
        Needs::Nothing,
        "f() { if [ $1 -gt 0 ]; then f $(($1 - 1)) & f $(($1 - 1)) & fi; sleep {N}; }; f 4",
    ),
    (
        "a stream of sessions",
        Needs::Haste,
        "while :; do setsid -f sleep {N} {Q}; sleep 0.02; done",
    ),
    (
        "a chain of forks",
        Needs::Haste,
        "perl -e '{CHAIN}' {N} & sleep {N}",
    ),
    (
        "a chain of forks in a session",
        Needs::Haste,
        "setsid -f perl -e '{CHAIN}' {N} {Q}; sleep {N}",
    ),
    (
        "a chain of forks without a mark",
        Needs::Haste,
        "{E} setsid -f perl -e '{CHAIN}' {N} {Q}; sleep {N}",
    ),
    (
        "many chains of forks",
        Needs::Haste,
        "for i in 1 2 3; do setsid -f perl -e '{CHAIN}' {N} {Q}; done; sleep {N}",
    ),
    (
        "the mark unset, then a session",
        Needs::Nothing,
        "unset CALLPACT_PROCESS; setsid sleep {N} & sleep {N}",
    ),
    (
        "the mark unset, no parent",
        Needs::Nothing,
        "unset CALLPACT_PROCESS; setsid -f sleep {N}; sleep {N}",
    ),
    (
        "the mark unset, no parent, no pipe",
        Needs::Hiding,
        "unset CALLPACT_PROCESS; setsid -f sleep {N} {Q}; sleep {N}",
    ),
    (
        "an empty environment",
        Needs::Nothing,
        "{E} setsid sleep {N} & sleep {N}",
    ),
    (
        "an empty environment, no parent, no pipe",
        Needs::Hiding,
        "{E} setsid -f sleep {N} {Q}; sleep {N}",
    ),
    (
        "two forks with an empty environment",
        Needs::Hiding,
        "({E} setsid sh -c '(sleep {N} {Q} &)' {Q} &); sleep {N}",
    ),
    (
        "a title in place of the mark",
        Needs::Nothing,
        "perl -e '$0 = \"title {N}\"; sleep 30' & sleep {N}",
    ),
    ("a daemon", Needs::Hiding, "perl -e '{DAEMON}'; sleep {N}"),
    (
        "a daemon with an empty environment",
        Needs::Hiding,
        "{E} perl -e '{DAEMON}'; sleep {N}",
    ),
    (
        "another control group",
        Needs::Moving,
        "{E} setsid -f sh -c 'echo 0 >$(awk \"\\$3 == \\\"cgroup2\\\" { print \\$2; exit }\" /proc/mounts)/cgroup.procs; sleep {N}' {Q}; sleep {N}",
    ),
];

/// The ways that only root has.
const ESCAPES_OF_ROOT: &[(&str, Needs, &str)] = &[
    (
        "a login",
        Needs::Hiding,
        "su - root -c 'sleep {N}' {Q} & sleep {N}",
    ),
    (
        "a login in a session",
        Needs::Hiding,
        "su - root -c 'setsid -f sleep {N}' {Q}; sleep {N}",
    ),
    (
        "another user",
        Needs::Hiding,
        "{E} setsid -f setpriv --reuid 65534 --regid 65534 --clear-groups sleep {N} {Q}; sleep {N}",
    ),
];

const _: () = assert!(
    ESCAPES.len() + ESCAPES_OF_ROOT.len() == 37,
    "the page says how many"
);

fn escapes() -> impl Iterator<Item = (&'static str, Needs, &'static str)> {
    let of_root: &[_] = if geteuid().is_root() {
        ESCAPES_OF_ROOT
    } else {
        &[]
    };
    ESCAPES.iter().chain(of_root).copied()
}

/// The tests take turns: two would only be in each other's way.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// How many ways are tried at the same time.
const AT_ONCE: usize = 8;
/// More than the slowest machine takes to start a process or to end one.
const LONG: Duration = Duration::from_secs(60);

fn rounds() -> usize {
    let given = std::env::var("CALLPACT_ESCAPES");
    given.map_or(2, |rounds| rounds.parse().unwrap())
}

/// Ends what got out of a test.
fn clean_up(mark: &str) {
    for _ in 0..1000 {
        let left = processes_with(mark);
        if left.is_empty() {
            return;
        }
        for line in left {
            let pid = line.split(':').next().and_then(|pid| pid.parse().ok());
            if let Some(pid) = pid.and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("processes of the test are still there");
}

fn sh(script: &str) -> ProcessSpec {
    ProcessSpec::new(["sh", "-c", script])
}

/// Runs one way of getting out until it is under way, and ends it. Returns who is left then.
async fn try_escape(boundary: Boundary, name: &str, script: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let mark = unique();
    let script = script
        .replace("{CHAIN}", CHAIN)
        .replace("{DAEMON}", DAEMON)
        .replace("{N}", &mark)
        .replace("{Q}", ">/dev/null 2>&1 </dev/null")
        .replace("{E}", "env -i PATH=\"$PATH\"")
        .replace("{W}", "while [ ! -e seen ]; do sleep 0.02; done");
    let table = ProcessTable::new(TableLimits::default());
    let spec = sh(&script).boundary(boundary).cwd(dir.path());
    let id = table.start(spec.timeout(LONG)).unwrap();
    // The way out was taken: its processes exist before the end.
    let start = Instant::now();
    while !processes_with(&mark)
        .iter()
        .any(|line| !line.contains(&script))
    {
        assert!(
            start.elapsed() < LONG,
            "{name} under a {boundary}: nothing was started"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // It has a moment to get away.
    tokio::time::sleep(Duration::from_millis(100)).await;
    if script.contains("-e seen") {
        std::fs::write(dir.path().join("seen"), "").unwrap();
        table.wait(&id, LONG).await.unwrap();
    }
    while table.stop(&id).await.unwrap().state == ProcessState::Running {
        assert!(
            start.elapsed() < 2 * LONG,
            "{name} under a {boundary}: it does not end"
        );
    }
    let left = survivors(&mark);
    if !left.is_empty() {
        clean_up(&mark);
    }
    left
}

type Escaped = BTreeMap<&'static str, (Needs, usize)>;

fn note(out: &mut Escaped, tried: Option<Result<(&'static str, Needs, bool), JoinError>>) {
    let (name, needs, escaped) = tried.unwrap().unwrap();
    if escaped {
        out.entry(name).or_insert((needs, 0)).1 += 1;
    }
}

/// Tries each way under a boundary, and returns how often which of them got out.
async fn try_escapes(boundary: Boundary) -> Escaped {
    let _turn = TURN.lock().await;
    let mut out = BTreeMap::new();
    let mut running = JoinSet::new();
    for (name, needs, script) in (0..rounds()).flat_map(|_| escapes()) {
        if running.len() == AT_ONCE {
            note(&mut out, running.join_next().await);
        }
        running.spawn(async move {
            let left = try_escape(boundary, name, script).await;
            (name, needs, !left.is_empty())
        });
    }
    while !running.is_empty() {
        note(&mut out, running.join_next().await);
    }
    println!("got out of a {boundary} in {} rounds: {out:?}", rounds());
    out
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strongest_boundary_allows_only_known_escapes() {
    let boundary = Boundary::strongest();
    let out = try_escapes(boundary).await;
    let held = |needs: Needs| match boundary {
        Boundary::Namespace => true,
        Boundary::Cgroup => needs != Needs::Moving,
        _ => needs == Needs::Nothing,
    };
    let wrong: Vec<_> = out.iter().filter(|(_, (needs, _))| held(*needs)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_moving_process_escapes_control_group() {
    if !Boundary::Cgroup.is_available() {
        let refused = run(&sh("true").boundary(Boundary::Cgroup))
            .await
            .unwrap_err();
        assert_eq!(
            refused.to_string(),
            "Failed to start process: this machine does not have the boundary"
        );
        return;
    }
    let out = try_escapes(Boundary::Cgroup).await;
    assert!(
        out.values().all(|(needs, _)| *needs == Needs::Moving),
        "{out:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_hidden_or_hasty_process_escapes_group() {
    let out = try_escapes(Boundary::Group).await;
    assert!(
        out.values().all(|(needs, _)| *needs != Needs::Nothing),
        "{out:?}"
    );
    // The page says that these get out: they do.
    let hiding = "an empty environment, no parent, no pipe";
    assert_eq!(out.get(hiding), Some(&(Needs::Hiding, rounds())));
    for (name, ..) in escapes() {
        if [
            "the mark unset, no parent, no pipe",
            "two forks with an empty environment",
            "another user",
            "another control group",
        ]
        .contains(&name)
        {
            assert!(out.contains_key(name), "{name}: {out:?}");
        }
    }
}
