//! `callpact mcp`.

use std::{pin::pin, time::Duration};

use callpact::Halt;
use callpact_mcp::client::{McpClient, McpConfig};
use clap::Args;
use serde_json::Value;

use super::call::make_call;

use crate::{
    approve::Approve,
    begun::cut_off,
    exit::{Code, Failure},
    forms::let_ask,
    replies::print_reply,
    screen::{Ink, Screen},
    servers::{FileServers, WantedServers, open_all},
    session::Session,
    system::interrupted,
};

/// Arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact mcp http://127.0.0.1:8080/mcp
  callpact mcp -- callpact serve --stdio --root ./docs
  callpact mcp --call file_read --arguments '{\"path\": \"a.md\"}' --yes -- callpact serve --stdio
  callpact mcp --config servers.json
  callpact mcp --config servers.json files search

A file of servers has the form {\"mcpServers\": {\"files\": {\"command\": \"…\", \"args\": [\"…\"]}}}. The names of \
its tools begin with the name of their server: files_read.

Without --trust a server's claims about its tools are not believed, so every call needs approval.
The exit codes are those of `call`; 1 also if a server of a file cannot be used.")]
pub struct McpArgs {
    /// The address of a server, or after -- its program with arguments; with --config the names of servers
    #[arg(value_name = "COMMAND OR URL")]
    pub target: Vec<String>,
    /// Call this tool instead of listing
    #[arg(long, value_name = "TOOL")]
    pub call: Option<String>,
    /// The arguments of the call as JSON, - for standard input, or one name=value each time
    #[arg(long, value_name = "JSON | NAME=VALUE", requires = "call")]
    pub arguments: Vec<String>,
    /// Answer every form that the server asks to fill in with this JSON object, instead of asking at the terminal
    #[arg(long, value_name = "JSON", requires = "call", value_parser = parse_answer)]
    pub answer: Option<Value>,
    /// The variable of the environment that holds a bearer token for an address
    #[arg(long, value_name = "VARIABLE")]
    pub token_env: Option<String>,
    /// Give the started servers a variable of the environment; they get only a few harmless ones otherwise
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_variable)]
    pub env: Vec<(String, String)>,
    /// Believe what the servers say about their tools, so that a tool that only reads is not asked about
    #[arg(long)]
    pub trust: bool,
    /// How long a server may take to introduce itself
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub wait: u64,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub approve: Approve,
}

fn parse_answer(text: &str) -> Result<Value, &'static str> {
    let answer = serde_json::from_str(text).ok().filter(Value::is_object);
    answer.ok_or("expected a JSON object")
}

fn parse_variable(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE"),
    }
}

impl McpArgs {
    /// Adds the options to the settings of a server.
    fn set_up(&self, config: McpConfig, screen: &Screen) -> McpConfig {
        let config = match self.call {
            Some(_) => let_ask(config, self.answer.clone(), screen),
            None => config,
        };
        let variables = self.env.iter();
        let config = variables.fold(config, |config, (name, value)| config.env(name, value));
        if self.trust {
            config.trust_annotations()
        } else {
            config
        }
    }
}

/// Lists the tools of servers, or calls one.
///
/// # Errors
/// If no server can be used, or the call is halted.
pub async fn run(
    args: &McpArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    let named = servers.is_some();
    let wanted = WantedServers {
        target: &args.target,
        token_env: args.token_env.as_deref(),
        wait: Duration::from_secs(args.wait),
    };
    let chosen = wanted.choose(servers)?.into_iter();
    let chosen = chosen.map(|(name, config)| (name, args.set_up(config, &session.screen)));
    // An interrupt of the terminal does not reach a started server, so the server is ended here.
    let mut interrupted = pin!(interrupted());
    let (clients, failures) = tokio::select! {
        opened = open_all(chosen.collect(), wanted.wait, session) => opened,
        () = &mut interrupted => return Err(Halt::Cancelled.into()),
    };
    if let Some(failure) = failures.first()
        && (clients.is_empty() || !named)
    {
        return Err(failure.clone());
    }
    for failure in &failures {
        session
            .screen
            .say(Ink::Yellow, "left out", &failure.message);
    }
    let code = {
        let mut work = pin!(list_or_call(&clients, args, session));
        tokio::select! {
            code = &mut work => code,
            () = &mut interrupted => Err(cut_off(session.begun.at_end())),
        }
    };
    for client in &clients {
        client.close().await;
    }
    match code {
        Ok(Code::Done) if !failures.is_empty() => Ok(Code::Failed),
        code => code,
    }
}

async fn list_or_call(
    clients: &[McpClient],
    args: &McpArgs,
    session: &Session,
) -> Result<Code, Failure> {
    let screen = &session.screen;
    let mut tools = session.bounded();
    for client in clients {
        for left in client.unusable() {
            let text = format!("{}: {}", left.tool, left.reason);
            screen.say(Ink::Yellow, "left out", &text);
        }
        tools = tools.tools(client.tools());
    }
    let tools = tools.build().map_err(Failure::failed)?;
    match &args.call {
        None => {
            super::list::print_tools(&tools, screen);
            Ok(Code::Done)
        }
        Some(tool) => {
            let nothing = ["{}".to_owned()];
            let words = match &args.arguments[..] {
                [] => &nothing[..],
                words => words,
            };
            let call = make_call(tool, words, &tools)?;
            let reply = tools.call(&call, &session.context(args.approve.yes)).await;
            reply
                .map(|reply| print_reply(&reply, screen))
                .map_err(Failure::from)
        }
    }
}
