//! A person at the console decides: yes, no, or something else instead.
//!
//! `cargo run --example approvals -p toolwright-examples`, and with `-- --ask` it asks you.

use std::io::{Cursor, Read, Result as IoResult, Write, stdout};

use toolwright::{
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

/// A terminal for a run without a person: what is "typed" appears, as it would on a real one.
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
        // Yes, another text, one that does not fit, no. Behind the end of the input all is a no.
        ConsoleReviewer::new(
            Typed(Cursor::new("y\ne\n{\"text\": \"Lunch!\"}\ne\n{}\nx\n")),
            stdout(),
        )
    };
    // What only reads is not asked about; everything else is, as soon as there is a reviewer.
    let cx = ToolContext::new().with_reviewer(reviewer);
    for (nth, (name, arguments)) in [
        ("audience", "{}"),
        ("announce", r#"{"text": "The build is red."}"#),
        ("announce", r#"{"text": "Is lunch ready?"}"#),
        // An edit is checked like what the model wrote.
        ("announce", r#"{"text": "Is tea ready?"}"#),
        // A text that tries to look like the question's own lines stays behind the gutter.
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
            // A no ends the run: the program sees it, the model does not.
            Err(halt) => println!("\n{name}: {halt}"),
        }
    }
    Ok(())
}
