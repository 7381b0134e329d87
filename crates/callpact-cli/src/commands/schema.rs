//! `callpact schema`.

use callpact::{Dialect, schema::pretty};
use clap::Args;
use clap_complete::ArgValueCandidates;

use crate::{
    complete,
    config::no_such_tool,
    dialects::DialectParser,
    exit::{Code, Failure},
    servers::Servers,
    session::Session,
    source::{Source, Sourced},
};

/// Arguments of `schema`.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Examples:\n  callpact schema file_write\n  callpact schema file_write --dialect anthropic --request\n  callpact schema get_weather --from tools.json --dialect openai-strict"
)]
pub struct SchemaArgs {
    /// The tool
    #[arg(add = ArgValueCandidates::new(complete::tool_names))]
    pub tool: String,
    /// The provider's dialect, such as openai-strict, anthropic or gemini
    #[arg(long, short, default_value = "portable", value_parser = DialectParser)]
    pub dialect: Dialect,
    /// Print the whole entry of a request's tool list, not only the parameters
    #[arg(long)]
    pub request: bool,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub source: Source,
}

/// Prints a schema.
///
/// # Errors
/// If there is no such tool.
pub async fn run(
    args: &SchemaArgs,
    servers: Option<Servers>,
    session: &Session,
) -> Result<Code, Failure> {
    let source = args.source.open(None, servers, session).await?;
    let printed = print_schema(args, &source, session);
    source.close().await;
    printed
}

fn print_schema(args: &SchemaArgs, source: &Sourced, session: &Session) -> Result<Code, Failure> {
    source.check_switched_on(&args.tool)?;
    let tools = &source.tools;
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
