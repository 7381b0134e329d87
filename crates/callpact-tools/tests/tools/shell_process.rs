//! The background processes of `shell`: looked at, waited for, stopped, bounded, killed with the
//! table.

use std::time::{Duration, Instant};

use callpact::{ToolCall, ToolContext, Toolset};
use callpact_tools::Shell;
use serde_json::json;

use crate::bench::{Place, said};
use crate::local::{processes_with, survivors, unique};
use crate::shell::free;

fn both(shell: Shell) -> Toolset {
    Toolset::builder()
        .tool(shell.processes())
        .tool(shell)
        .build()
        .unwrap()
}

async fn start(tools: &Toolset, command: &str) -> String {
    said(
        tools,
        "shell",
        json!({ "command": command, "run_in_background": true }),
    )
    .await
}

async fn look(tools: &Toolset, arguments: serde_json::Value) -> String {
    said(tools, "shell_process", arguments).await
}

#[tokio::test]
async fn started_looked_at_and_waited_for() {
    let place = Place::new();
    let tools = both(free(&place));
    let command =
        "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; echo bad >&2; exit 5";
    let started = start(&tools, command).await;
    assert!(
        started.starts_with("Started in the background as process p1. Use shell_process"),
        "{started}"
    );
    let mut now = String::new();
    for _ in 0..400 {
        now = look(&tools, json!({ "process_id": "p1" })).await;
        if now != "Process p1 running" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(now, "Process p1 running\nstdout:\none\n");
    std::fs::write(place.base().join("go"), "").unwrap();
    let end = look(
        &tools,
        json!({ "process_id": "p1", "block": true, "timeout": 10 }),
    )
    .await;
    assert_eq!(
        end,
        "Process p1 exited with code 5\nstdout:\ntwo\n\nstderr:\nbad\n"
    );
}

#[tokio::test]
async fn waiting_is_bounded() {
    let place = Place::new();
    let tools = both(free(&place).max_timeout(Duration::from_secs(5)));
    start(&tools, "sleep 60").await;
    let begun = Instant::now();
    let found = look(
        &tools,
        json!({ "process_id": "p1", "block": true, "timeout": 1 }),
    )
    .await;
    assert_eq!(found, "Process p1 running");
    assert!(begun.elapsed() < Duration::from_secs(20));
    let found = look(
        &tools,
        json!({ "process_id": "p1", "block": true, "timeout": 6 }),
    )
    .await;
    assert_eq!(found, "Error: timeout may be at most 5 seconds");
}

#[tokio::test]
async fn stopping_takes_everything_along() {
    let place = Place::new();
    let tools = both(free(&place));
    let mark = unique();
    start(
        &tools,
        &format!("trap '' TERM; setsid -f sleep {mark}; sleep {mark}"),
    )
    .await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!processes_with(&mark).is_empty());
    let found = look(&tools, json!({ "process_id": "p1", "stop": true })).await;
    assert_eq!(found, "Process p1 stopped");
    assert_eq!(survivors(&mark), [""; 0]);
    let again = look(&tools, json!({ "process_id": "p1", "stop": true })).await;
    assert_eq!(again, "Process p1 stopped");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_told_of() {
    let place = Place::new();
    let tools = both(free(&place));
    start(&tools, "printf 'a\\377b'; printf '\\303\\251' >&2").await;
    let found = look(&tools, json!({ "process_id": "p1", "block": true })).await;
    assert_eq!(
        found,
        "Process p1 exited with code 0\nstdout:\na\u{FFFD}b\nstderr:\né\n\
         ... (bytes that are not UTF-8 are shown as \u{FFFD})"
    );
}

#[tokio::test]
async fn unread_output_is_bounded() {
    let place = Place::new();
    let tools = both(free(&place));
    start(&tools, "yes | head -c 50000000; echo END").await;
    let found = look(&tools, json!({ "process_id": "p1", "block": true })).await;
    assert!(found.len() < 40_000, "{}", found.len());
    assert!(
        found.contains("earlier bytes dropped]") && found.ends_with("END\n"),
        "{}",
        &found[..200]
    );
}

#[tokio::test]
async fn the_number_of_processes_is_bounded() {
    let place = Place::new();
    let mut limits = Shell::table_limits();
    limits.max_running = 2;
    let tools = both(free(&place).with_table_limits(limits));
    start(&tools, "sleep 60").await;
    start(&tools, "sleep 60").await;
    let third = start(&tools, "sleep 60").await;
    assert_eq!(
        third,
        "Error: Too many background processes: at most 2 may run, stop one first"
    );
}

#[tokio::test]
async fn unknown_processes() {
    let place = Place::new();
    let tools = both(free(&place));
    for (id, text) in [
        (
            "p9",
            "Error: Unknown process: there are no background processes",
        ),
        (
            "1; ls",
            "Error: Unknown process: there are no background processes",
        ),
        (" ", "Error: Process id must not be blank"),
    ] {
        assert_eq!(look(&tools, json!({ "process_id": id })).await, text);
    }
    start(&tools, "true").await;
    let found = look(&tools, json!({ "process_id": "p2" })).await;
    assert_eq!(found, "Error: Unknown process. Available: p1");
}

#[tokio::test]
async fn dropping_both_tools_kills_all() {
    let place = Place::new();
    let mark = unique();
    let shell = free(&place);
    let looker = Toolset::builder().tool(shell.processes()).build().unwrap();
    let tools = both(shell);
    for _ in 0..3 {
        start(&tools, &format!("sleep {mark}")).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(tools);
    let found = look(&looker, json!({ "process_id": "p3" })).await;
    assert_eq!(
        found, "Process p3 running",
        "one of the two still holds the table"
    );
    drop(looker);
    assert_eq!(survivors(&mark), [""; 0]);
}

#[tokio::test]
async fn the_model_hears_of_both_tools() {
    let place = Place::new();
    let tools = both(free(&place));
    let cx = ToolContext::new();
    let call = callpact::ToolCall::new("c", "shell_process", "{}");
    let found = tools
        .call(&call, &cx)
        .await
        .unwrap()
        .to_model()
        .into_owned();
    assert_eq!(
        found,
        "Error: Invalid arguments, 1 problem:\n- process_id: missing; expected a string (The process, as `shell` named it)"
    );
}

#[tokio::test]
async fn process_is_reachable_only_on_starting_worker() {
    let place = Place::new();
    let workers = [("a", both(free(&place))), ("b", both(free(&place)))];
    let [(_, a), (_, b)] = &workers;
    let at = |worker: &str| ToolContext::new().with_worker(worker);
    let ask = async |worker: &str, tools: &Toolset, name: &str, arguments: serde_json::Value| {
        let call = ToolCall::new("call-1", name, arguments.to_string());
        let reply = tools.call(&call, &at(worker)).await.unwrap();
        reply.to_model().into_owned()
    };
    let sleeps = json!({ "command": "sleep 60", "run_in_background": true });
    for (worker, tools) in &workers {
        let started = ask(worker, tools, "shell", sleeps.clone()).await;
        let named =
            format!("as process p1@{worker}. Use shell_process with process_id \"p1@{worker}\"");
        assert!(started.contains(&named), "{started}");
    }
    let stop = json!({ "process_id": "p1@a", "stop": true });
    assert_eq!(
        ask("b", b, "shell_process", stop.clone()).await,
        "Error: Process p1@a belongs to worker a, and worker b got this call, so nothing was done. Make the call \
         again: if that worker is still there, it may get it; if it is gone, so is the process"
    );
    // No worker has such a process, so another call cannot reach it.
    for nobody in [
        "p1@",
        "@a",
        "p01@a",
        "q@a",
        "p1@nobody",
        "p1@\u{e4}",
        "p1@a@a",
    ] {
        assert_eq!(
            ask("b", b, "shell_process", json!({ "process_id": nobody })).await,
            "Error: Unknown process. Available: p1@b",
            "{nobody}"
        );
    }
    // A name without its worker could be that of any of them.
    let bare = json!({ "process_id": "p1", "stop": true });
    assert_eq!(
        ask("b", b, "shell_process", bare).await,
        "Error: Unknown process. Available: p1@b"
    );
    let look = json!({ "process_id": "p1@b" });
    assert_eq!(
        ask("b", b, "shell_process", look).await,
        "Process p1@b running"
    );
    assert_eq!(
        ask("a", a, "shell_process", stop).await,
        "Process p1@a stopped"
    );
}
