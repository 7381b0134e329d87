//! `toolwright mcp`.

use std::pin::pin;

use clap::Args;
use toolwright::{Halt, ToolCall, Toolset};
use toolwright_mcp::client::{McpClient, McpConfig};

use crate::{
    approve::Approve,
    exit::{Code, Failure},
    replies::print_reply,
    screen::Ink,
    session::Session,
    system::interrupted,
};

/// Arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  toolwright mcp http://127.0.0.1:8080/mcp
  toolwright mcp -- toolwright serve --stdio --root ./docs
  toolwright mcp --call file_read --arguments '{\"path\": \"a.md\"}' --yes -- toolwright serve --stdio

A server's claims about its tools are not trusted, so every call needs approval.
The exit codes are those of `call`.")]
pub struct McpArgs {
    /// The address of a server, or behind -- the program of one with its arguments
    #[arg(required = true, value_name = "COMMAND OR URL")]
    pub target: Vec<String>,
    /// Call this tool instead of listing
    #[arg(long, value_name = "TOOL")]
    pub call: Option<String>,
    /// The arguments of the call as JSON, or - for standard input
    #[arg(long, value_name = "JSON", default_value = "{}", requires = "call")]
    pub arguments: String,
    /// The variable of the environment that holds a bearer token for an address
    #[arg(long, value_name = "VARIABLE")]
    pub token_env: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub approve: Approve,
}

/// Lists the tools of a server, or calls one.
///
/// # Errors
/// If the server cannot be used, or the call is halted.
pub async fn run(args: &McpArgs, session: &Session) -> Result<Code, Failure> {
    let config = config(args, session)?;
    let call = match &args.call {
        Some(tool) => {
            let arguments = super::call::read_arguments(&args.arguments)?;
            Some(ToolCall::new("call-1", tool, arguments))
        }
        None => None,
    };
    // An interrupt of the terminal does not reach a started server, so the server is ended here.
    let mut interrupted = pin!(interrupted());
    let client = tokio::select! {
        opened = config.open() => opened.map_err(|error| {
            let target = args.target.first().map(String::as_str).unwrap_or_default();
            Failure::failed(format!("{target}: {error}"))
        })?,
        () = &mut interrupted => return Err(Halt::Cancelled.into()),
    };
    let code = tokio::select! {
        code = list_or_call(&client, call.as_ref(), args, session) => code,
        () = &mut interrupted => Err(Halt::Cancelled.into()),
    };
    client.close().await;
    code
}

async fn list_or_call(
    client: &McpClient,
    call: Option<&ToolCall>,
    args: &McpArgs,
    session: &Session,
) -> Result<Code, Failure> {
    let screen = &session.screen;
    for left in client.unusable() {
        screen.say(
            Ink::Yellow,
            "left out",
            &format!("{}: {}", left.tool, left.reason),
        );
    }
    let tools = Toolset::builder()
        .tools(client.tools())
        .max_output(session.config.limits.max_output)
        .build()
        .map_err(Failure::failed)?;
    match call {
        None => {
            super::list::print_tools(&tools, screen);
            Ok(Code::Done)
        }
        Some(call) => {
            let reply = tools.call(call, &session.context(args.approve.yes)).await;
            reply
                .map(|reply| print_reply(&reply, screen))
                .map_err(Failure::from)
        }
    }
}

fn config(args: &McpArgs, session: &Session) -> Result<McpConfig, Failure> {
    let Some((first, rest)) = args.target.split_first() else {
        return Err(Failure::invalid(
            "a command or an address of a server is needed",
        ));
    };
    let url = first.starts_with("http://") || first.starts_with("https://");
    if url && !rest.is_empty() {
        return Err(Failure::invalid("an address takes no arguments"));
    }
    if !url && first.contains("://") {
        return Err(Failure::invalid(
            "the address of a server starts with http:// or https://",
        ));
    }
    let config = if url {
        McpConfig::url(first)
    } else {
        McpConfig::command(first, rest).show_errors()
    };
    let seconds = session.config.limits.timeout_seconds;
    let config = config.timeout(std::time::Duration::from_secs(seconds));
    let Some(variable) = &args.token_env else {
        return Ok(config);
    };
    match std::env::var(variable) {
        Ok(token) if url => Ok(config.bearer_token(token)),
        Ok(_) => Err(Failure::invalid("--token-env is for addresses")),
        Err(_) => Err(Failure::invalid(format!("{variable} is not set"))),
    }
}
