//! `callpact call`.

use std::{
    path::{Path, PathBuf},
    pin::pin,
};

use callpact::{Dialect, ToolCall, Toolset};
use clap::Args;
use clap_complete::ArgValueCandidates;

use crate::{
    approve::Approve,
    arguments::read_words,
    begun::cut_off,
    complete,
    config::no_such_tool,
    exit::{Code, Failure},
    remote::{Remote, one_place},
    replies::print_reply,
    servers::FileServers,
    session::Session,
    source::{Source, SourceTools},
    system::interrupted,
};

/// Arguments of `call`.
#[derive(Debug, Args)]
#[command(groups = one_place(), after_long_help = "Examples:
  callpact call calculator '{\"input\": \"2 + 3 * 4\"}'
  callpact call file_read path=a.md
  callpact call file_write --root ./out --yes - < arguments.json
  callpact call --nats nats://127.0.0.1:4222 calculator '{\"input\": \"2 + 3\"}'
  callpact call file_read '{\"path\": \"a.md\"}' --yes -- callpact serve --stdio

What writes is asked about at the terminal; elsewhere it halts (4) unless --yes.
Exit codes: 2 the arguments do not fit, 3 the tool failed, 4 halted, 6 nobody knows whether it ran.")]
pub struct CallArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub call: Called,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub remote: Remote,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub approve: Approve,
}

/// The tool and its arguments.
#[derive(Debug, Args)]
pub struct Called {
    /// The tool
    #[arg(add = ArgValueCandidates::new(complete::tool_names))]
    pub tool: String,
    /// Its arguments: one JSON object, - for standard input, or name=value and name:=JSON; none when left out
    ///
    /// A value of name=value has the type that the tool declares: a text is unchanged, and a repeated name fills a
    /// list. A name with dots leads into an object. name:=JSON takes any JSON.
    #[arg(value_name = "JSON | NAME=VALUE", allow_negative_numbers = true)]
    pub arguments: Vec<String>,
    /// The directory that file tools work in
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub source: Source,
}

impl Called {
    /// Opens the source of the tools.
    pub(super) async fn open(
        &self,
        servers: Option<FileServers>,
        session: &Session,
    ) -> Result<SourceTools, Failure> {
        if self.arguments == ["-"] && self.source.file.as_deref() == Some(Path::new("-")) {
            return Err(Failure::invalid(
                "the tools and the arguments cannot both be standard input",
            ));
        }
        self.source
            .open(self.root.as_deref(), servers, session)
            .await
    }

    /// The call with its arguments.
    pub(super) fn call(&self, tools: &Toolset) -> Result<ToolCall, Failure> {
        make_call(&self.tool, &self.arguments, tools)
    }
}

/// The call of a tool with arguments from the command line.
pub(super) fn make_call(
    tool: &str,
    words: &[String],
    tools: &Toolset,
) -> Result<ToolCall, Failure> {
    let spec = tools.spec(tool, Dialect::Portable);
    let schema = spec.as_ref().map(|spec| spec.parameters.as_str());
    Ok(ToolCall::new("call-1", tool, read_words(words, schema)?))
}

/// Makes a call.
///
/// # Errors
/// If the tools cannot be set up, the input cannot be read, or the call is halted.
pub async fn run(
    args: &CallArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    let tool = &args.call.tool;
    if let Some(tools) = args.remote.tools(session).await? {
        if tools.contains(tool) {
            return run_call(args, &tools, session).await;
        }
        let known = tools.names().collect::<Vec<_>>().into_iter();
        return Err(Failure::failed(format!(
            "at the workers: {}",
            no_such_tool(tool, known)
        )));
    }
    let source = args.call.open(servers, session).await?;
    let called = match source.check_switched_on(tool) {
        Ok(()) if source.is_list() => check_listed(args, &source.tools, session),
        Ok(()) => run_call(args, &source.tools, session).await,
        Err(failure) => Err(failure),
    };
    source.close().await;
    called
}

/// Checks the arguments of a tool from a file. Nobody is asked about a call that cannot be made.
fn check_listed(args: &CallArgs, tools: &Toolset, session: &Session) -> Result<Code, Failure> {
    let call = args.call.call(tools)?;
    let reply = tools.check(&call, &session.context(false));
    if !reply.is_success() {
        return Ok(print_reply(&reply, &session.screen));
    }
    let tool = &args.call.tool;
    Err(Failure::new(
        Code::Tool,
        format!("there is nothing to run: the file says what `{tool}` takes, and not what it does"),
    ))
}

async fn run_call(args: &CallArgs, tools: &Toolset, session: &Session) -> Result<Code, Failure> {
    let call = args.call.call(tools)?;
    let cx = session.context(args.approve.yes);
    // Only from here on: during a wait for standard input, an interrupt ends the program as usual.
    let interrupted = interrupted();
    let mut calling = pin!(tools.call(&call, &cx));
    let ended = tokio::select! {
        reply = &mut calling => Some(reply),
        () = interrupted => None,
    };
    let reply = if let Some(reply) = ended {
        reply?
    } else {
        let running = session.begun.at_end();
        // A worker may have started the call, and reports how it ended.
        tokio::select! {
            biased;
            reply = calling => reply?,
            () = session.leave_workers() => return Err(cut_off(running)),
        }
    };
    Ok(print_reply(&reply, &session.screen))
}
