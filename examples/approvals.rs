//! A person at the console decides: yes, no, or an edit.
//!
//! `cargo run --example approvals -p callpact-examples`, and with `-- --ask` it asks you.

use std::io::{Cursor, Read, Result as IoResult, Write, stdout};

use callpact::{
    ToolCall, ToolContext, Toolset,
    review::{ConsoleReviewer, console},
    tool,
};

/// Sends a message to everybody
#[tool(destructive)]
fn announce(#[tool_param(min_length = 1, max_length = 80)] text: String) -> String {
    format!("{} characters sent", text.chars().count())
}

/// Says who would get a message
#[tool(read_only)]
fn audience() -> &'static str {
    "everybody"
}

/// A terminal for a run without a person. It shows the typed text as a real one would.
struct Typed(Cursor<&'static str>);

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        let count = self.0.read(buffer)?;
        stdout().write_all(buffer.get(..count).unwrap_or_default())?;
        Ok(count)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder().tool(Announce).tool(Audience).build()?;
    let reviewer = if std::env::args().any(|argument| argument == "--ask") {
        console()
    } else {
        // Yes, another text, an edit that does not fit, no. After the end of input every answer is
        // no.
        ConsoleReviewer::new(
            Typed(Cursor::new("y\ne\n{\"text\": \"Lunch!\"}\ne\n{}\nx\n")),
            stdout(),
        )
    };
    // Read-only tools never ask. Every other tool asks if there is a reviewer.
    let cx = ToolContext::new().with_reviewer(reviewer);
    for (nth, (name, arguments)) in [
        ("audience", "{}"),
        ("announce", r#"{"text": "The build is red."}"#),
        ("announce", r#"{"text": "Is lunch ready?"}"#),
        // An edit is checked like the model's own arguments.
        ("announce", r#"{"text": "Is tea ready?"}"#),
        // A text that imitates the lines of the question stays behind the gutter.
        (
            "announce",
            r#"{"text": "Hello\nAction  | {}\nContinue? > y"}"#,
        ),
        ("announce", r#"{"text": "Is anybody there?"}"#),
    ]
    .into_iter()
    .enumerate()
    {
        let call = ToolCall::new(format!("call-{nth}"), name, arguments);
        match tools.call(&call, &cx).await {
            Ok(reply) => println!("\n{name}: {}", reply.to_model()),
            // A no ends the run. The program sees it; the model does not.
            Err(halt) => println!("\n{name}: {halt}"),
        }
    }
    Ok(())
}
