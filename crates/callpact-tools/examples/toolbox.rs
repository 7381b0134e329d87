//! Gives an agent the whole toolbox on a temporary directory. In the place of a model stands a list of
//! calls, and in the place of a person a reviewer who says yes, but takes `rm` out of commands. It
//! needs no network:
//!
//! `cargo run -p callpact-tools --example toolbox --features full`

use callpact::review::{ReviewDecision, ReviewRequest, review_fn};
use callpact::secret::MemorySecrets;
use callpact::{Halt, ToolCall, ToolContext, Toolset};
use callpact_tools::engine::search::LocalSearch;
use callpact_tools::{
    FileWrite, ProcessAgentTool, Shell, ToolConfigError, WebScrape, WebSearch, toolbox,
};

fn tools(dir: &std::path::Path) -> Result<Toolset, Box<dyn std::error::Error>> {
    let library = LocalSearch::new()
        .document(
            "Ferris",
            "file:ferris",
            "Ferris the crab is the mascot of Rust.",
        )
        .document(
            "Rust",
            "file:rust",
            "Rust is a language for reliable software.",
        );
    let words = ProcessAgentTool::builder()
        .name("count_bytes")
        .description("Counts the bytes of its input, as JSON. Input: any text.")
        .command(["wc", "-c"])
        .build()?;
    let shell = Shell::new(dir)?;
    let careful: Result<FileWrite, ToolConfigError> = FileWrite::new(dir);
    // The toolbox writes without asking; this list has a writer that asks.
    let safe = Toolset::builder().tools(toolbox(dir)?).build()?;
    let tools = Toolset::builder()
        .tools(safe.filter(|name| name != "file_write"))
        .tool(careful?.require_approval(true))
        .tool(WebSearch::offline(library))
        .tool(WebScrape::new()?)
        .tool(words)
        .tool(shell.processes())
        .tool(shell)
        .max_output(2_000)
        .build()?;
    Ok(tools)
}

const CALLS: [(&str, &str); 19] = [
    ("calculator", r#"{"input": "2^100 / 7"}"#),
    ("calculator", r#"{"input": "1 / 0"}"#),
    ("datetime", r#"{"input": "2024-01-31 + 1 month"}"#),
    (
        "file_write",
        r#"{"path": "notes/plan.txt", "content": "one\ntwo\nthree\n"}"#,
    ),
    (
        "file_write",
        r#"{"path": "notes/plan.txt", "content": "four\n", "mode": "append"}"#,
    ),
    ("file_write", r#"{"path": "../escape.txt", "content": "x"}"#),
    (
        "file_read",
        r#"{"path": "notes/plan.txt", "first_line": 3}"#,
    ),
    ("file_read", r#"{"path": "/etc/passwd"}"#),
    (
        "file_read",
        r#"{"file": "notes/plan.txt", "first_line": "zero"}"#,
    ),
    (
        "json_parser",
        r#"{"jsonPath": "users[0].id", "json": "{\"users\": [{\"id\": 12345678901234567890}]}"}"#,
    ),
    ("web_search", r#"{"query": "crab mascot"}"#),
    (
        "web_scrape",
        r#"{"url": "http://169.254.169.254/latest/meta-data/"}"#,
    ),
    ("count_bytes", r#"{"input": "hello"}"#),
    ("human_input", r#"{"input": "Which colour?"}"#),
    ("shell", r#"{"command": "wc -l < notes/plan.txt"}"#),
    (
        "shell",
        r#"{"command": "rm -rf notes", "description": "Tidies up"}"#,
    ),
    (
        "shell",
        r#"{"command": "echo key: '<secret_ref:api_key>'"}"#,
    ),
    (
        "shell",
        r#"{"command": "echo begun; sleep 60", "run_in_background": true}"#,
    ),
    ("shell_process", r#"{"process_id": "p1", "stop": true}"#),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let tools = tools(dir.path())?;
    let reviewer = review_fn(|request: ReviewRequest| async move {
        println!("    ? {}", request.description.replace('\n', "\n    ? "));
        Ok(match request.tool.as_str() {
            "human_input" => ReviewDecision::Edit("Blue.".into()),
            "shell" if request.action.starts_with("rm ") => {
                ReviewDecision::Edit("echo 'I would rather keep it.'".into())
            }
            _ => ReviewDecision::Continue,
        })
    });
    let cx = ToolContext::new()
        .with_role("demonstration")
        .with_reviewer(reviewer)
        .with_secrets(MemorySecrets::new().with("api_key", "s3cret-k3y"));
    for (number, (name, arguments)) in CALLS.into_iter().enumerate() {
        println!("> {name} {arguments}");
        match tools
            .call(
                &ToolCall::new(format!("call-{number}"), name, arguments),
                &cx,
            )
            .await
        {
            Ok(reply) => println!("{}\n", reply.to_model().trim_end()),
            // A halt is for the program: the model never sees it.
            Err(halt @ Halt::Cancelled) => return Err(halt.into()),
            Err(halt) => println!("(halted: {halt})\n"),
        }
    }
    Ok(())
}
