//! `toolwright check`.

use clap::Args;
use toolwright::{ToolCall, ToolContext};

use super::call::{Called, read_arguments};
use crate::{
    exit::{Code, Failure},
    replies::print_reply,
    session::{Session, check_switched_on},
};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  toolwright check file_write '{\"path\": \"a.md\", \"content\": \"hello\"}'
  toolwright check shell - < arguments.json

No tool runs and nobody is asked. Exit codes: 2 the arguments do not fit, 3 the tool itself refuses
them.")]
pub struct CheckArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub call: Called,
}

/// Says whether arguments fit, and how they would be changed.
///
/// # Errors
/// If the tools cannot be set up, or the input cannot be read.
pub fn run(args: &CheckArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(args.call.root.as_deref()))?;
    check_switched_on(&tools, &args.call.tool)?;
    let call = ToolCall::new(
        "call-1",
        &args.call.tool,
        read_arguments(&args.call.arguments)?,
    );
    let reply = tools.check(&call, &ToolContext::new());
    if reply.is_success() && !session.screen.json() {
        session.screen.print("the arguments fit");
        for fix in &reply.fixes {
            session.screen.print(&format!("- {fix}"));
        }
        return Ok(Code::Done);
    }
    Ok(print_reply(&reply, &session.screen))
}
