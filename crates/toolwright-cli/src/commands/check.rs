//! `toolwright check`.

use clap::Args;
use toolwright::{ToolCall, ToolContext};

use super::call::{Called, arguments, show};
use crate::{Code, Failure, Session, tools::switched_on};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  toolwright check file_write '{\"path\": \"a.md\", \"content\": \"hello\"}'
  toolwright check shell - < arguments.json

Nothing runs and nobody is asked. Exit codes: 2 the arguments do not fit, 3 the tool itself refuses
them.")]
pub struct CheckArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub call: Called,
}

/// Says whether arguments fit, and what would be changed in them.
///
/// # Errors
/// When the tools cannot be set up, or the input cannot be read.
pub fn run(args: &CheckArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(args.call.root.as_deref()))?;
    switched_on(&tools, &args.call.tool)?;
    let call = ToolCall::new("call-1", &args.call.tool, arguments(&args.call.arguments)?);
    let reply = tools.check(&call, &ToolContext::new());
    if reply.is_success() && !session.screen.json() {
        session.screen.print("the arguments fit");
        for fix in &reply.fixes {
            session.screen.print(&format!("- {fix}"));
        }
        return Ok(Code::Done);
    }
    Ok(show(&reply, &session.screen))
}
