//! `callpact call`.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    pin::pin,
};

use callpact::{ToolCall, Toolset};
use clap::Args;

use crate::{
    approve::Approve,
    begun::cut_off,
    config::no_such_tool,
    exit::{Code, Failure},
    remote::{Remote, one_place},
    replies::print_reply,
    servers::Servers,
    session::Session,
    source::{Source, Sourced},
    system::interrupted,
    text_file::read_input,
};

/// The most bytes of arguments that are read from standard input.
const MAX_BYTES: u64 = 16 << 20;

/// Arguments of `call`.
#[derive(Debug, Args)]
#[command(groups = one_place(), after_help = "Examples:
  callpact call calculator '{\"input\": \"2 + 3 * 4\"}'
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
    pub tool: String,
    /// Its arguments as JSON, or - for standard input; none when left out
    // Not `{}`, since a text tool would read that as its input.
    #[arg(
        default_value = "",
        hide_default_value = true,
        value_name = "JSON",
        allow_negative_numbers = true
    )]
    pub arguments: String,
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
        servers: Option<Servers>,
        session: &Session,
    ) -> Result<Sourced, Failure> {
        if self.arguments == "-" && self.source.file.as_deref() == Some(Path::new("-")) {
            return Err(Failure::invalid(
                "the tools and the arguments cannot both be standard input",
            ));
        }
        self.source
            .open(self.root.as_deref(), servers, session)
            .await
    }
}

/// Makes a call.
///
/// # Errors
/// If the tools cannot be set up, the input cannot be read, or the call is halted.
pub async fn run(
    args: &CallArgs,
    servers: Option<Servers>,
    session: &Session,
) -> Result<Code, Failure> {
    let tool = &args.call.tool;
    if let Some(tools) = args.remote.tools(session).await? {
        if tools.contains(tool) {
            return make_call(args, &tools, session).await;
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
        Ok(()) => make_call(args, &source.tools, session).await,
        Err(failure) => Err(failure),
    };
    source.close().await;
    called
}

/// Checks the arguments of a tool from a file. Nobody is asked about a call that cannot be made.
fn check_listed(args: &CallArgs, tools: &Toolset, session: &Session) -> Result<Code, Failure> {
    let arguments = read_arguments(&args.call.arguments)?;
    let call = ToolCall::new("call-1", &args.call.tool, arguments);
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

async fn make_call(args: &CallArgs, tools: &Toolset, session: &Session) -> Result<Code, Failure> {
    let call = ToolCall::new(
        "call-1",
        &args.call.tool,
        read_arguments(&args.call.arguments)?,
    );
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

/// Reads arguments: the text itself, or standard input for `-`.
pub(super) fn read_arguments(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    read_input(MAX_BYTES).map_err(|error| {
        let words = format!("standard input: {error}");
        match error.kind() {
            ErrorKind::InvalidData => Failure::invalid(words),
            ErrorKind::FileTooLarge => Failure::invalid(words + " of arguments"),
            _ => Failure::failed(words),
        }
    })
}
