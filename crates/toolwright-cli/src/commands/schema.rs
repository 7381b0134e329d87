//! `toolwright schema`.

use clap::Args;
use toolwright::{Dialect, schema::pretty};

use crate::{
    config::no_such_tool,
    dialects::DialectParser,
    exit::{Code, Failure},
    session::{Session, check_switched_on},
};

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  toolwright schema file_write\n  toolwright schema file_write --dialect anthropic --request"
)]
pub struct SchemaArgs {
    /// The tool
    pub tool: String,
    /// The provider's dialect, such as openai-strict, anthropic or gemini
    #[arg(long, short, default_value = "portable", value_parser = DialectParser)]
    pub dialect: Dialect,
    /// Print the whole entry of a request's tool list, not only the parameters
    #[arg(long)]
    pub request: bool,
}

/// Prints a schema.
///
/// # Errors
/// If there is no such tool.
pub fn run(args: &SchemaArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(None))?;
    check_switched_on(&tools, &args.tool)?;
    let Some(spec) = tools.spec(&args.tool, args.dialect) else {
        return Err(Failure::invalid(no_such_tool(
            &args.tool,
            tools.names().collect::<Vec<_>>().into_iter(),
        )));
    };
    let text = if args.request {
        spec.to_json()
    } else {
        spec.parameters
    };
    let screen = &session.screen;
    if screen.json() {
        screen.print(&text);
    } else {
        screen.print(&pretty(&text));
    }
    Ok(Code::Done)
}
