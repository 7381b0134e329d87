//! Workers that are killed and frozen, a server that is killed, and a ledger outside that counts the runs.
//!
//! The run is short. `CALLPACT_CHAOS=full` makes 10,000 calls at concurrency 64 with a death every two
//! seconds.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use callpact::{Outcome, ToolCall, ToolContext, Toolset};
use callpact_nats::Workers;
use rustix::process::Signal;
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    kit::{Nats, server},
    process::{LEASE, Process, count_runs},
};

/// How hard the run is.
#[derive(Clone, Copy)]
struct Plan {
    calls: usize,
    at_once: usize,
    millis: u64,
    /// How often a worker is killed.
    deaths: Duration,
    restarts: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_and_nothing_runs_twice() {
    let plan = match std::env::var("CALLPACT_CHAOS").as_deref() {
        Ok("full") => Plan {
            calls: 10_000,
            at_once: 64,
            millis: 100,
            deaths: Duration::from_secs(2),
            restarts: 2,
        },
        _ => Plan {
            calls: 300,
            at_once: 16,
            millis: 100,
            deaths: Duration::from_millis(700),
            restarts: 1,
        },
    };
    let Some(nats) = server().await else { return };
    let (url, ledger) = (nats.url(), nats.dir().join("ledger"));
    let mut workers = Vec::new();
    for _ in 0..3 {
        workers.push(Process::start(&url, "tools", &ledger).await);
    }
    let found = Workers::connect(&url).await.unwrap();
    let tools = Toolset::builder().tools(found.tools()).build().unwrap();
    let done = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let calling = tokio::spawn(make_calls(tools, plan, Arc::clone(&done)));
    let (deaths, nats) = make_trouble(nats, workers, plan, &ledger, &done).await;
    let ended = calling.await.unwrap();
    let took = started.elapsed();
    let runs = count_runs(&ledger);
    let mut counts: HashMap<(&str, Outcome), usize> = HashMap::new();
    let mut wrong = Vec::new();
    for ((tool, id), (outcome, text)) in &ended {
        *counts.entry((*tool, *outcome)).or_default() += 1;
        let runs = runs
            .get(&format!("{tool} {id}"))
            .copied()
            .unwrap_or_default();
        let right = match (*tool, *outcome) {
            ("pay", Outcome::Success) => runs == 1 && *text == format!("paid {id}"),
            // It was begun, and nobody knows more.
            ("pay", Outcome::Unknown) => runs <= 1,
            ("look", Outcome::Success) => runs >= 1 && *text == format!("saw {id}"),
            _ => false,
        };
        if !right {
            wrong.push(format!("{tool} {id}: {outcome}, {runs} runs: {text}"));
        }
    }
    let repeated = runs.values().filter(|&&runs| runs > 1).count();
    println!(
        "{} calls in {took:.1?}, {deaths} deaths of workers: {counts:?}; {repeated} reads ran more than once",
        ended.len()
    );
    assert_eq!(ended.len(), plan.calls, "no call is lost");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    drop(nats);
}

type Ended = Vec<((&'static str, usize), (Outcome, String))>;

async fn make_calls(tools: Toolset, plan: Plan, done: Arc<AtomicUsize>) -> Ended {
    let at_once = Arc::new(Semaphore::new(plan.at_once));
    let mut calls = JoinSet::new();
    for id in 0..plan.calls {
        let place = Arc::clone(&at_once).acquire_owned().await.unwrap();
        let (tools, done) = (tools.clone(), Arc::clone(&done));
        calls.spawn(async move {
            let tool = ["pay", "look"][id % 2];
            let arguments = format!(r#"{{"id": "{id}", "millis": {}}}"#, plan.millis);
            let wanted = ToolCall::new(format!("call-{id}"), tool, arguments);
            let cx = ToolContext::new().with_timeout(Duration::from_secs(120));
            let reply = tools.call(&wanted, &cx).await.unwrap();
            done.fetch_add(1, SeqCst);
            drop(place);
            ((tool, id), (reply.outcome, reply.to_model().into_owned()))
        });
    }
    calls.join_all().await
}

/// Kills workers one after the other and starts them again; kills the server; freezes one worker for longer
/// than its lease. Says how many workers it killed.
async fn make_trouble(
    mut nats: Nats,
    mut workers: Vec<Process>,
    plan: Plan,
    ledger: &Path,
    done: &AtomicUsize,
) -> (usize, Nats) {
    let url = nats.url();
    let share = plan.calls / (plan.restarts + 2);
    let (mut deaths, mut restarts, mut froze) = (0, 0, false);
    while done.load(SeqCst) < plan.calls {
        tokio::time::sleep(plan.deaths).await;
        let so_far = done.load(SeqCst);
        if restarts < plan.restarts && so_far > share * (restarts + 1) {
            restarts += 1;
            nats.kill();
            tokio::time::sleep(Duration::from_millis(500)).await;
            nats.start().await;
            continue;
        }
        let place = deaths % workers.len();
        if !froze && so_far > share {
            froze = true;
            workers[place].signal(Signal::STOP);
            tokio::time::sleep(LEASE * 2).await;
            workers[place].signal(Signal::CONT);
            continue;
        }
        workers[place].signal(Signal::KILL);
        deaths += 1;
        workers[place] = Process::start(&url, "tools", ledger).await;
    }
    assert!(
        froze && restarts == plan.restarts && deaths > 0,
        "there was trouble"
    );
    (deaths, nats)
}
