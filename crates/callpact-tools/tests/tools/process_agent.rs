//! Row 1.9 of the configured program.

use std::time::Duration;

use callpact::review::ReviewDecision;
use callpact::{AgentTool, Halt, Permission, PermissionMode, ToolContext};
use callpact_tools::{ProcessAgentTool, ProcessAgentToolBuilder};
use serde_json::json;

use crate::bench::{deciding, reply, said, said_in, set, told};

pub(crate) fn program<const N: usize>(argv: [&str; N]) -> ProcessAgentToolBuilder {
    ProcessAgentTool::builder()
        .name("prog")
        .description("A program.")
        .command(argv)
}

async fn run(builder: ProcessAgentToolBuilder, input: &str) -> String {
    said(
        &set(builder.build().unwrap()),
        "prog",
        json!({ "input": input }),
    )
    .await
}

/// A program that writes a text whatever it reads.
fn says(text: &str) -> ProcessAgentToolBuilder {
    program(["printf", "%s", text])
}

#[test]
fn process_agent_builder_errors() {
    let fine = || program(["cat"]);
    for (builder, text) in [
        (fine().name(""), "name must be set and non-blank"),
        (fine().description(" "), "description must be set"),
        (
            fine().command::<[&str; 0]>([]),
            "command must be set and non-blank",
        ),
        (fine().command([" "]), "command must be set and non-blank"),
        (fine().timeout(Duration::ZERO), "timeout must be positive"),
        (
            fine().max_output_bytes(0),
            "maxOutputBytes must be positive",
        ),
        (
            fine().working_directory("/no/such/dir"),
            "workingDirectory must be an existing directory: /no/such/dir",
        ),
    ] {
        assert_eq!(builder.build().unwrap_err().to_string(), text);
    }
}

#[tokio::test]
async fn process_agent_reads_its_input_as_json() {
    assert_eq!(
        run(program(["cat"]), "a \"b\" é\n").await,
        r#"{"input":"a \"b\" é\n"}"#
    );
}

#[tokio::test]
async fn process_agent_reads_raw_input_on_request() {
    for input in ["a \"b\" é\n", "", r#"{"input": "c"}"#] {
        let tools = set(program(["cat"]).raw_input(true).build().unwrap());
        let arguments = json!({ "input": input });
        let reply = reply(&tools, "prog", arguments, &ToolContext::new()).await;
        assert_eq!(reply.unwrap().to_model(), input);
    }
}

#[tokio::test]
async fn process_agent_stdout_protocol() {
    for (stdout, expected) in [
        ("plain text", "plain text"),
        (r#"{"output": "done"}"#, "done"),
        (r#"{"success": true, "output": {"a": 1}}"#, r#"{"a":1}"#),
        (r#"{"success": true}"#, ""),
        (
            r#"{"success": false, "error": "no luck"}"#,
            "Error: no luck",
        ),
        (
            r#"{"success": false}"#,
            "Error: Tool execution failed with no message",
        ),
        (r#"{"other": 1}"#, r#"{"other": 1}"#),
        ("[1]", "[1]"),
        (
            r#"{"success": "false"}"#,
            "Error: Process wrote an answer that is not its protocol: `success` must be true or false",
        ),
    ] {
        assert_eq!(run(says(stdout), "").await, expected, "{stdout}");
    }
    let tools = set(says(r#"{"output": "o", "structured": {"n": 1}}"#)
        .build()
        .unwrap());
    let reply = reply(&tools, "prog", json!({ "input": "" }), &ToolContext::new())
        .await
        .unwrap();
    assert_eq!(reply.result.structured(), Some(&json!({ "n": 1 })));
}

#[tokio::test]
async fn process_agent_exit_codes() {
    let sh = |script: &str| program(["sh", "-c", script]);
    assert_eq!(
        run(sh("exit 3"), "").await,
        "Error: Process exited with code 3"
    );
    assert_eq!(run(sh("echo bad >&2; exit 1"), "").await, "Error: bad\n");
}

#[tokio::test]
async fn process_agent_timeout() {
    let slow = program(["sleep", "30"]).timeout(Duration::from_millis(200));
    assert_eq!(
        run(slow, "").await,
        "Error: Process timed out after 0.2s: sleep"
    );
}

#[tokio::test]
async fn process_agent_failed_to_start() {
    let found = run(program(["/no/such/program"]), "").await;
    let text = "Error: Failed to start process: the program or its working directory was not found";
    assert_eq!(found, text);
}

#[tokio::test]
async fn process_agent_output_is_cut_and_marked() {
    let found = run(says("123456789").max_output_bytes(4), "").await;
    assert_eq!(found, "1234\n[output truncated at 4 bytes]");
}

#[tokio::test]
async fn process_agent_approval() {
    let tools = set(program(["cat", "-"])
        .require_approval(true)
        .build()
        .unwrap());
    let long = format!("{}TAIL", "i".repeat(500));
    let (cx, asked) = deciding(ReviewDecision::REJECT);
    let found = said_in(&tools, "prog", json!({ "input": long }), &cx).await;
    assert_eq!(
        found,
        "Error: Process execution rejected by reviewer: cat -"
    );
    let request = asked.last();
    assert_eq!(
        request.description,
        format!("Execute command: cat -\nInput: {}...", "i".repeat(200))
    );
    assert_eq!(request.action, long);
    assert_eq!(request.preview.as_deref(), Some("$ cat -"));
    let (cx, asked) = deciding(ReviewDecision::Edit("better".into()));
    let found = said_in(&tools, "prog", json!({ "input": long }), &cx).await;
    assert_eq!(
        (found, asked.count()),
        (told(r#"{"input":"better"}"#, "better"), 1)
    );
}

#[tokio::test]
async fn it_sees_the_variables_that_it_is_allowed() {
    // Cargo sets these for every test.
    let script = r#"printf %s "$CARGO_PKG_NAME|${CARGO_PKG_VERSION-none}|${PATH:+path}|$GIVEN""#;
    let shows = || program(["/bin/sh", "-c", script]).env("GIVEN", "1");
    assert_eq!(run(shows(), "").await, "|none|path|1");
    let found = run(shows().env_allow(["CARGO_PKG_NAME"]), "").await;
    assert_eq!(found.replace("path", ""), "callpact-tools|none||1");
}

#[tokio::test]
async fn enforces_configured_permission() {
    let input = || json!({ "input": "x" });
    assert_eq!(
        AgentTool::permission(&says("ran").build().unwrap()),
        Permission::Write
    );
    for (permission, mode, goes) in [
        (Permission::ReadOnly, PermissionMode::Deny, true),
        (Permission::ReadOnly, PermissionMode::Ask, true),
        (Permission::Write, PermissionMode::Deny, false),
        (Permission::Write, PermissionMode::AskDestructive, true),
        (
            Permission::Destructive,
            PermissionMode::AskDestructive,
            false,
        ),
    ] {
        let tool = says("ran").permission(permission).build().unwrap();
        assert_eq!(AgentTool::permission(&tool), permission);
        let cx = ToolContext::new().with_permissions(mode);
        let reply = reply(&set(tool), "prog", input(), &cx).await;
        let went = reply.is_ok_and(|reply| reply.to_model() == "ran");
        assert_eq!(went, goes, "{permission:?} in {mode:?}");
    }
}

#[tokio::test]
async fn a_review_that_halts_starts_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let made = dir.path().join("made");
    let tool = program(["touch", made.to_str().unwrap()]);
    let tools = set(tool.require_approval(true).build().unwrap());
    let input = || json!({ "input": "x" });
    let halt = reply(&tools, "prog", input(), &ToolContext::new()).await;
    assert!(matches!(halt, Err(Halt::Misconfigured(_))), "{halt:?}");
    let cx = ToolContext::new().with_deferred_approval();
    let halt = reply(&tools, "prog", input(), &cx).await;
    let Err(Halt::Pending(pending)) = halt else {
        panic!("{halt:?}");
    };
    let failing = callpact::review::review_fn(|_| async {
        Err(callpact::review::ReviewError::failed("the line is dead"))
    });
    let failing = ToolContext::new().with_reviewer(failing);
    let halt = reply(&tools, "prog", input(), &failing).await;
    assert!(matches!(halt, Err(Halt::ReviewFailed(_))), "{halt:?}");
    assert!(!made.exists(), "nothing was approved");
    let resumed = tools.decide(&pending, ReviewDecision::Continue, &cx).await;
    assert!(resumed.unwrap().is_success());
    assert!(made.exists());
}
