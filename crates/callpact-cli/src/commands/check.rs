//! `callpact check`.

use callpact::ToolContext;
use clap::Args;

use super::call::Called;
use crate::{
    exit::{Code, Failure},
    replies::print_reply,
    servers::FileServers,
    session::Session,
    source::SourceTools,
};

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact check file_write '{\"path\": \"a.md\", \"content\": \"hello\"}'
  callpact check shell - < arguments.json
  callpact check get_weather '{\"city\": \"Rome\"}' --from tools.json

No tool runs and nobody is asked. Exit codes: 2 the arguments do not fit, 3 the tool itself refuses
them.")]
pub struct CheckArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub call: Called,
}

/// Says whether arguments fit, and how they would be changed.
///
/// # Errors
/// If the tools cannot be set up, or the input cannot be read.
pub async fn run(
    args: &CheckArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    let source = args.call.open(servers, session).await?;
    let checked = check_call(args, &source, session);
    source.close().await;
    checked
}

fn check_call(args: &CheckArgs, source: &SourceTools, session: &Session) -> Result<Code, Failure> {
    source.check_switched_on(&args.call.tool)?;
    let call = args.call.call(&source.tools)?;
    let reply = source.tools.check(&call, &ToolContext::new());
    if reply.is_success() && !session.screen.json() {
        session.screen.print("the arguments fit");
        for fix in &reply.fixes {
            session.screen.print(&format!("- {fix}"));
        }
        return Ok(Code::Done);
    }
    Ok(print_reply(&reply, &session.screen))
}
