//! Secrets in shell commands: they work, and nobody sees them.

use callpact::review::ReviewDecision;
use callpact::secret::MemorySecrets;
use callpact::{Halt, ToolContext, Toolset};
use callpact_tools::{FileWrite, Shell};
use serde_json::json;

use crate::bench::{Place, deciding, reply, said_in, set};
use crate::process_agent::program;
use crate::shell::free;

const SECRET: &str = "hunter2-hunter2";

fn knowing(cx: ToolContext) -> ToolContext {
    cx.with_secrets(MemorySecrets::new().with("token", SECRET))
}

#[tokio::test]
async fn resolves_secret_and_redacts_output() {
    let place = Place::new();
    let tools = set(free(&place));
    let command = "printf '%s' '<secret_ref:token>' > f; echo got '<secret_ref:token>'; exit 1";
    let cx = knowing(ToolContext::new());
    let found = said_in(&tools, "shell", json!({ "command": command }), &cx).await;
    assert_eq!(
        found,
        "Error: got <secret_ref:token>\nCommand exited with code 1"
    );
    assert_eq!(place.text("f"), SECRET);
}

#[tokio::test]
async fn the_reviewer_sees_the_placeholder() {
    let place = Place::new();
    let tools = set(Shell::new(place.base()).unwrap());
    let (cx, asked) = deciding(ReviewDecision::Edit(
        "printf '<secret_ref:token>' > g".into(),
    ));
    let arguments = json!({ "command": "printf '<secret_ref:token>' > f" });
    said_in(&tools, "shell", arguments, &knowing(cx)).await;
    let request = asked.last();
    assert_eq!(request.action, "printf '<secret_ref:token>' > f");
    assert!(!format!("{request:?}").contains(SECRET));
    assert_eq!(
        place.text("g"),
        SECRET,
        "the edit kept the placeholder, and it works"
    );
}

/// A cut in the middle of a secret must not leave its first half.
#[tokio::test]
async fn a_cut_does_not_uncover_a_secret() {
    let place = Place::new();
    let tools = set(free(&place).max_output(20));
    for pad in 0..24 {
        let command = format!("printf '%{pad}s' ''; printf '<secret_ref:token> rest'");
        let cx = knowing(ToolContext::new());
        let found = said_in(&tools, "shell", json!({ "command": command }), &cx).await;
        assert!(!found.contains("hunter"), "{pad}: {found}");
    }
}

/// The output of a process in the background comes with another call, which knows no secret.
#[tokio::test]
async fn the_background_is_redacted_too() {
    let place = Place::new();
    let shell = free(&place);
    let tools = Toolset::builder()
        .tool(shell.processes())
        .tool(shell)
        .build()
        .unwrap();
    let command = "t='<secret_ref:token>'; echo a$t; printf hunt; sleep 0.3; printf 'er2-hunter2\\n'; \
                   yes $t | head -c 200000";
    let arguments = json!({ "command": command, "run_in_background": true });
    said_in(&tools, "shell", arguments, &knowing(ToolContext::new())).await;
    tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    let cx = ToolContext::new();
    let first = said_in(&tools, "shell_process", json!({ "process_id": "p1" }), &cx).await;
    assert_eq!(first, "Process p1 running\nstdout:\na<secret_ref:token>\n");
    let wait = json!({ "process_id": "p1", "block": true });
    let rest = said_in(&tools, "shell_process", wait, &cx).await;
    assert!(!rest.contains("hunter"), "{}", &rest[..300]);
    assert!(rest.contains("<secret_ref:token>"), "{}", &rest[..300]);
}

#[tokio::test]
async fn other_parameters_take_none() {
    let place = Place::new();
    let tools = Toolset::builder()
        .tool(free(&place))
        .tool(FileWrite::new(place.base()).unwrap())
        .build()
        .unwrap();
    let cx = knowing(ToolContext::new());
    for (name, arguments) in [
        (
            "shell",
            json!({ "command": "true", "description": "<secret_ref:token>" }),
        ),
        (
            "file_write",
            json!({ "path": "a", "content": "<secret_ref:token>" }),
        ),
    ] {
        let found = said_in(&tools, name, arguments, &cx).await;
        assert!(
            found.starts_with("Error: secret placeholder appears in"),
            "{found}"
        );
    }
    assert!(!place.base().join("a").exists());
}

#[tokio::test]
async fn rejects_edit_with_secret_unknown_to_call() {
    let place = Place::new();
    let write = FileWrite::new(place.base()).unwrap().require_approval(true);
    let agent = program(["cat"]).require_approval(true).build().unwrap();
    let tools = Toolset::builder()
        .tool(Shell::new(place.base()).unwrap())
        .tool(write)
        .tool(agent)
        .build()
        .unwrap();
    let calls = [
        ("shell", json!({ "command": "touch f" })),
        ("file_write", json!({ "path": "f", "content": "c" })),
        ("prog", json!({ "input": "i" })),
    ];
    for (name, arguments) in calls {
        for text in [
            "touch f '<secret_ref:token>'",
            "touch f <secret_ref: token>",
        ] {
            let edit = ReviewDecision::Edit(text.into());
            let (cx, _) = deciding(edit.clone());
            let halt = reply(&tools, name, arguments.clone(), &knowing(cx)).await;
            let halt = halt.map(|reply| reply.to_model().into_owned());
            assert!(matches!(halt, Err(Halt::ReviewFailed(_))), "{halt:?}");
            let later = knowing(ToolContext::new().with_deferred_approval());
            let halt = reply(&tools, name, arguments.clone(), &later).await;
            let Err(Halt::Pending(pending)) = halt else {
                panic!("{halt:?}")
            };
            // A stored call is edited by its arguments. Those of a shell may name a secret, as the model may.
            if name == "shell" && text.contains("<secret_ref:token>") {
                continue;
            }
            let mut edited = arguments.clone();
            for key in ["command", "content", "input"] {
                if let Some(value) = edited.get_mut(key) {
                    *value = text.into();
                }
            }
            let edit = ReviewDecision::Edit(edited.to_string());
            let reply = tools.decide(&pending, edit, &later).await.unwrap();
            assert!(!reply.is_success(), "{reply:?}");
        }
        assert!(!place.base().join("f").exists(), "{name}");
    }
}
