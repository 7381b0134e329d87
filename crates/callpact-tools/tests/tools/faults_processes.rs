//! Faults 1.11 of tools that start processes, which ours do not have.

use std::time::{Duration, Instant};

use callpact::Toolset;
use callpact_tools::ProcessAgentTool;
use serde_json::json;

use crate::bench::{Place, said, set};
use crate::local::{survivors, unique};
use crate::process_agent::program;
use crate::shell::free;

#[tokio::test]
async fn no_link_leads_the_shell_elsewhere() {
    let place = Place::new();
    let link = place.outside().join("link");
    std::os::unix::fs::symlink(place.base(), &link).unwrap();
    let tools = set(free(&place));
    // There is no working directory among the parameters.
    let arguments = json!({ "command": "pwd -P", "workingDir": "../outside" });
    let found = said(&tools, "shell", arguments).await;
    assert!(found.contains("base"), "{found}");
    assert!(!found.contains("outside"), "{found}");
}

#[tokio::test]
async fn the_time_limit_holds_for_the_whole_family() {
    let place = Place::new();
    let tools = set(free(&place));
    for script in [
        "sleep MARK & sleep MARK",
        "trap '' TERM; sleep MARK",
        "setsid -f sleep MARK; sleep MARK",
        "(sleep MARK &) ; sleep MARK",
    ] {
        let mark = unique();
        let command = script.replace("MARK", &mark);
        let start = Instant::now();
        let found = said(&tools, "shell", json!({ "command": command, "timeout": 1 })).await;
        assert_eq!(
            found, "Error: Command timed out after 1 seconds",
            "{script}"
        );
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{script}: {:?}",
            start.elapsed()
        );
        assert_eq!(survivors(&mark), [""; 0], "{script}");
    }
}

#[tokio::test]
async fn background_child_does_not_hold_call() {
    let place = Place::new();
    let tools = set(free(&place));
    let mark = unique();
    let start = Instant::now();
    let command = format!("sleep {mark} & echo done");
    let found = said(&tools, "shell", json!({ "command": command })).await;
    assert_eq!(found, "done\n");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(survivors(&mark), [""; 0]);
}

#[tokio::test]
async fn the_environment_is_not_inherited() {
    let place = Place::new();
    // Cargo sets it for every test.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let tools = set(free(&place).env("MINE", "yes"));
    let found = said(&tools, "shell", json!({ "command": "env" })).await;
    assert!(
        found.contains("MINE=yes") && !found.contains("CARGO_MANIFEST_DIR"),
        "{found}"
    );
    let tools = set(program(["env"]).build().unwrap());
    let found = said(&tools, "prog", json!({ "input": "" })).await;
    assert!(
        found.contains("PATH=") && !found.contains("CARGO_MANIFEST_DIR"),
        "{found}"
    );
}

#[tokio::test]
async fn read_large_input_does_not_deadlock() {
    let tool = || {
        program(["cat"])
            .max_input_bytes(20 << 20)
            .max_output_bytes(20 << 20)
    };
    let large = "x".repeat(10 << 20);
    let whole = Toolset::builder().tool(tool().build().unwrap());
    let whole = whole.max_output(64 << 20).build().unwrap();
    let found = said(&whole, "prog", json!({ "input": large })).await;
    assert_eq!(found.len(), large.len() + r#"{"input":""}"#.len());
    // And one that reads nothing ends in its time.
    let deaf = program(["sleep", "60"])
        .max_input_bytes(20 << 20)
        .timeout(Duration::from_millis(300));
    let start = Instant::now();
    said(
        &set(deaf.build().unwrap()),
        "prog",
        json!({ "input": large }),
    )
    .await;
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test]
async fn exit_code_255_is_no_timeout() {
    let place = Place::new();
    let tools = set(free(&place));
    let found = said(&tools, "shell", json!({ "command": "exit 255" })).await;
    assert_eq!(found, "Error: Command exited with code 255");
}

#[tokio::test]
async fn read_the_model_cannot_raise_the_time_limit() {
    let place = Place::new();
    let tools = set(free(&place).max_timeout(Duration::from_secs(10)));
    let found = said(
        &tools,
        "shell",
        json!({ "command": "true", "timeout": 86_400 }),
    )
    .await;
    assert_eq!(found, "Error: timeout may be at most 10 seconds");
}

/// The program gets its arguments as they are: no shell reads them.
#[tokio::test]
async fn read_no_shell_between() {
    let tool = ProcessAgentTool::builder().name("prog").description("d");
    let tool = tool
        .command(["printf", "%s", "$(id); `id`"])
        .build()
        .unwrap();
    let found = said(&set(tool), "prog", json!({ "input": "; touch x" })).await;
    assert_eq!(found, "$(id); `id`");
}
