//! Row 1.9 of the shell, and its bounds.

use std::time::{Duration, Instant};

use callpact::review::{ReviewDecision, ReviewRequest, review_fn};
use callpact::{Cancellation, Halt, ToolContext, Toolset};
use callpact_tools::engine::process::Boundary;
use callpact_tools::{ProcessAgentTool, Shell};
use serde_json::json;
use tokio::runtime::Builder;

use crate::bench::{Asked, Place, deciding, reply, said, said_in, set, told};
use crate::local::{processes_with, survivors, unique};

pub(crate) fn free(place: &Place) -> Shell {
    Shell::new(place.base()).unwrap().require_approval(false)
}

async fn run(tools: &Toolset, command: &str) -> String {
    said(tools, "shell", json!({ "command": command })).await
}

#[tokio::test]
async fn shell_output_of_both_streams() {
    let place = Place::new();
    let tools = set(free(&place));
    assert_eq!(run(&tools, "echo out; echo err >&2").await, "out\nerr\n");
    assert_eq!(run(&tools, "printf out; printf err >&2").await, "out\nerr");
    assert_eq!(run(&tools, "true").await, "");
}

#[tokio::test]
async fn shell_blank() {
    let place = Place::new();
    assert_eq!(
        run(&set(free(&place)), " \n").await,
        "Error: Command must not be blank"
    );
}

#[tokio::test]
async fn shell_exit_code() {
    let place = Place::new();
    let tools = set(free(&place));
    assert_eq!(
        run(&tools, "exit 3").await,
        "Error: Command exited with code 3"
    );
    let found = run(&tools, "echo why; exit 4").await;
    assert_eq!(found, "Error: why\nCommand exited with code 4");
    assert_eq!(
        run(&tools, "kill -9 $$").await,
        "Error: Command was ended by signal 9"
    );
}

#[tokio::test]
async fn shell_timeout() {
    let place = Place::new();
    let tools = set(free(&place));
    let start = Instant::now();
    let found = said(
        &tools,
        "shell",
        json!({ "command": "echo begun; sleep 60", "timeout": 1 }),
    )
    .await;
    assert_eq!(found, "Error: begun\nCommand timed out after 1 seconds");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[tokio::test]
async fn shell_output_is_cut_and_marked() {
    let place = Place::new();
    let tools = set(free(&place).max_output(10));
    let found = run(&tools, "printf 'ääääääääääää'").await;
    assert_eq!(found, "ääääääääää\n... (output truncated at 10 characters)");
    let tools = set(free(&place));
    let found = run(&tools, "head -c 100000000 /dev/zero | tr '\\0' x").await;
    assert_eq!(
        found,
        format!(
            "{}\n... (output truncated at 10000 characters)",
            "x".repeat(10_000)
        )
    );
}

#[tokio::test]
async fn bytes_that_are_no_text_are_said() {
    let place = Place::new();
    let tools = set(free(&place));
    assert_eq!(
        run(&tools, "printf 'a\\377b\\n'").await,
        "a\u{FFFD}b\n\n... (bytes that are not UTF-8 are shown as \u{FFFD})"
    );
    // The character itself is text.
    assert_eq!(run(&tools, "printf '\\357\\277\\275'").await, "\u{FFFD}");
    // Nor is one that the limit cuts.
    let found = run(
        &tools,
        "head -c 3000000 /dev/zero | tr '\\0' x; yes ä | head -c 9000001",
    )
    .await;
    assert!(!found.contains("UTF-8"), "{}", &found[found.len() - 200..]);
}

#[tokio::test]
async fn shell_asks_by_default() {
    let place = Place::new();
    let tools = set(Shell::new(place.base()).unwrap());
    let halt = reply(
        &tools,
        "shell",
        json!({ "command": "touch x" }),
        &ToolContext::new(),
    )
    .await;
    assert!(matches!(halt, Err(Halt::Misconfigured(_))), "{halt:?}");
    let (cx, asked) = deciding(ReviewDecision::REJECT);
    let command = format!("touch x # {}; rm -rf TAIL", "y".repeat(500));
    let found = said_in(&tools, "shell", json!({ "command": command }), &cx).await;
    assert!(
        found.starts_with("Error: Command rejected by reviewer: touch x"),
        "{found}"
    );
    assert_eq!(
        (asked.count(), asked.last().action),
        (1, command),
        "complete, and asked once"
    );
    assert!(!place.base().join("x").exists());
}

#[tokio::test]
async fn preview_shows_command_lines_with_escaped_hidden_characters() {
    let place = Place::new();
    let cx = ToolContext::new().with_deferred_approval();
    for shell in [free(&place), Shell::new(place.base()).unwrap()] {
        let command = "echo \u{202e}one\r\n\techo \u{1b}[8mtwo\necho <secret_ref:key>";
        let call = reply(&set(shell), "shell", json!({ "command": command }), &cx).await;
        let Err(Halt::Pending(pending)) = call else {
            panic!("{call:?}");
        };
        let folder = place.base().canonicalize().unwrap();
        let expected = format!(
            "$ echo \\u{{202e}}one\\u{{d}}\n\\u{{9}}echo \\u{{1b}}[8mtwo\necho <secret_ref:key>\n  folder: {}\n  stops after: 60 s",
            folder.display()
        );
        assert_eq!(pending.preview.as_deref(), Some(&*expected));
    }
}

#[tokio::test]
async fn an_edit_runs_in_place_of_the_command() {
    let place = Place::new();
    let tools = set(Shell::new(place.base()).unwrap());
    let (cx, _) = deciding(ReviewDecision::Edit("echo safe".into()));
    assert_eq!(
        said_in(&tools, "shell", json!({ "command": "touch x" }), &cx).await,
        told("safe\n", "echo safe")
    );
    assert!(!place.base().join("x").exists());
    let (cx, _) = deciding(ReviewDecision::Edit(" ".into()));
    let found = said_in(&tools, "shell", json!({ "command": "touch x" }), &cx).await;
    assert_eq!(found, told("Error: Command must not be blank", " "));
}

#[tokio::test]
async fn reviews_edit_with_hidden_characters_again() {
    let place = Place::new();
    let tools = set(Shell::new(place.base()).unwrap());
    let hidden = "echo \u{202e}x\u{200b}";
    // The model is told of the edit, whatever came of it.
    let shown = r"echo \u{202e}x\u{200b}";
    for (second, expected) in [
        (ReviewDecision::Continue, told("\u{202e}x\u{200b}\n", shown)),
        (ReviewDecision::Edit("echo y".into()), told("y\n", "echo y")),
        (
            ReviewDecision::REJECT,
            told("Error: Command rejected by reviewer: touch x", shown),
        ),
        // The same again is a yes.
        (
            ReviewDecision::Edit(hidden.into()),
            told("\u{202e}x\u{200b}\n", shown),
        ),
    ] {
        let asked = Asked::default();
        let log = asked.clone();
        let decide = second.clone();
        let reviewer = review_fn(move |request: ReviewRequest| {
            let first = ReviewDecision::Edit(hidden.into());
            let decision = if log.count() == 0 {
                first
            } else {
                decide.clone()
            };
            log.push(request);
            async move { Ok(decision) }
        });
        let cx = ToolContext::new().with_reviewer(reviewer);
        let said = said_in(&tools, "shell", json!({ "command": "touch x" }), &cx).await;
        assert_eq!(said, expected, "{second:?}");
        assert!(asked.count() >= 2 && asked.last().action == hidden);
    }
    assert!(!place.base().join("x").exists());
}

#[tokio::test]
async fn the_reviewer_hears_what_it_is_for() {
    let place = Place::new();
    let tools = set(Shell::new(place.base()).unwrap());
    let (cx, asked) = deciding(ReviewDecision::REJECT);
    let arguments =
        json!({ "command": "make", "description": "Builds it", "run_in_background": true });
    said_in(&tools, "shell", arguments, &cx).await;
    assert_eq!(
        asked.last().description,
        "Execute command: make\nIt goes on in the background.\nThe model says it is for: Builds it"
    );
}

#[tokio::test]
async fn commands_that_look_like_options() {
    let place = Place::new();
    let tools = set(free(&place));
    let found = run(&tools, "-x").await;
    assert!(
        found.starts_with("Error: ") && found.contains("not found"),
        "{found}"
    );
    assert_eq!(
        run(&tools, "a\0b").await,
        "Error: Command has a NUL character in it"
    );
    let found = run(&tools, &"x".repeat(40_000)).await;
    assert_eq!(found, "Error: Command is longer than 32768 bytes");
}

#[tokio::test]
async fn starts_in_configured_directory_after_move() {
    let place = Place::new();
    let tools = set(free(&place));
    place.put("here.txt", "");
    assert_eq!(run(&tools, "ls").await, "here.txt\n");
    let moved = place.outside().join("moved");
    std::fs::rename(place.base(), &moved).unwrap();
    std::os::unix::fs::symlink(place.outside(), place.base()).unwrap();
    assert_eq!(run(&tools, "ls").await, "here.txt\n");
}

#[tokio::test]
async fn cancelling_kills() {
    let place = Place::new();
    let tools = set(free(&place));
    let mark = unique();
    let cancellation = Cancellation::new();
    let cx = ToolContext::new().with_cancellation(cancellation.clone());
    let arguments = json!({ "command": format!("sleep {mark} & sleep {mark}") });
    let task = tokio::spawn(async move { reply(&tools, "shell", arguments, &cx).await });
    for _ in 0..200 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        if !processes_with(&mark).is_empty() {
            break;
        }
    }
    cancellation.cancel();
    assert_eq!(task.await.unwrap().unwrap_err(), Halt::Cancelled);
    assert_eq!(survivors(&mark), [""; 0]);
}

#[test]
fn the_directory_must_exist() {
    let place = Place::new();
    place.put("file", "");
    for path in [place.base().join("nope"), place.base().join("file")] {
        let error = Shell::new(&path).unwrap_err().to_string();
        let start = format!(
            "baseDir must be an existing directory: {} (",
            path.display()
        );
        assert!(error.starts_with(&start), "{error}");
    }
}

#[tokio::test]
async fn it_sees_the_variables_that_it_is_allowed() {
    let place = Place::new();
    // Cargo sets these for every test.
    let script = r#"printf %s "$CARGO_PKG_NAME|${CARGO_PKG_VERSION-none}|$GIVEN""#;
    let shell = || free(&place).env("GIVEN", "1");
    assert_eq!(run(&set(shell()), script).await, "|none|1");
    let more = shell().program("/bin/sh").env_allow(["CARGO_PKG_NAME"]);
    assert_eq!(run(&set(more), script).await, "callpact-tools|none|1");
}

#[test]
fn incomplete_tokio_runtime_halts_before_start() {
    let place = Place::new();
    let program = ProcessAgentTool::builder()
        .name("prog")
        .description("A program.")
        .command(["touch", "made"])
        .working_directory(place.base())
        .build()
        .unwrap();
    let tools = Toolset::builder()
        .tool(free(&place))
        .tool(program)
        .build()
        .unwrap();
    let calls = [
        ("shell", json!({ "command": "touch made" })),
        (
            "shell",
            json!({ "command": "touch made", "run_in_background": true }),
        ),
        ("prog", json!({ "input": "" })),
    ];
    let build = |time: bool, io: bool| {
        let mut runtime = Builder::new_current_thread();
        if time {
            runtime.enable_time();
        }
        if io {
            runtime.enable_io();
        }
        runtime.build().unwrap()
    };
    for (name, arguments) in calls {
        for (time, io, lacks) in [
            (false, false, "time"),
            (false, true, "time"),
            (true, false, "time and input/output"),
        ] {
            let cx = ToolContext::new();
            let called = reply(&tools, name, arguments.clone(), &cx);
            let halt = build(time, io).block_on(called).unwrap_err();
            let why = format!("Tool '{name}' needs a tokio runtime with {lacks} enabled");
            assert_eq!(halt, Halt::Misconfigured(why));
        }
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(!place.base().join("made").exists());
}

#[tokio::test]
async fn shell_reports_boundary_and_rejects_weaker_boundary() {
    let place = Place::new();
    let strongest = Boundary::strongest();
    let tool = Shell::new(place.base()).unwrap();
    assert_eq!(tool.boundary(), strongest);
    let tool = tool.with_boundary(Boundary::Group).unwrap();
    assert_eq!(tool.boundary(), Boundary::Group);
    for least in [Boundary::Group, Boundary::Cgroup, Boundary::Namespace] {
        match Shell::new(place.base()).unwrap().required(least) {
            Ok(tool) => assert!(tool.boundary() >= least && tool.boundary() == strongest),
            Err(error) => {
                assert!(strongest < least);
                let text = error.to_string();
                assert!(
                    text.starts_with("this machine cannot put processes into a "),
                    "{text}"
                );
                assert!(text.ends_with(&format!(
                    "the strongest boundary that it has is a {strongest}"
                )));
            }
        }
        let configured = ProcessAgentTool::builder()
            .name("echo")
            .description("Says it.")
            .command(["cat"])
            .required(least)
            .build();
        assert_eq!(configured.is_ok(), strongest >= least);
    }
}
