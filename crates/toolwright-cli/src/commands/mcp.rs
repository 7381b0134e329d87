//! `toolwright mcp`.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
    pin::pin,
    time::Duration,
};

use clap::Args;
use tokio::task::JoinSet;
use toolwright::{Halt, ToolCall, Toolset, input::nearest};
use toolwright_mcp::client::{ClientError, McpClient, McpConfig};

use crate::{
    approve::Approve,
    exit::{Code, Failure},
    replies::print_reply,
    screen::{Ink, Screen},
    session::Session,
    system::interrupted,
};

/// The most bytes of a file of servers.
const MAX_BYTES: u64 = 1 << 20;

/// How long a server may be silent before the program says that it waits.
const SILENCE: Duration = Duration::from_secs(1);

/// Arguments of `mcp`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  toolwright mcp http://127.0.0.1:8080/mcp
  toolwright mcp -- toolwright serve --stdio --root ./docs
  toolwright mcp --call file_read --arguments '{\"path\": \"a.md\"}' --yes -- toolwright serve --stdio
  toolwright mcp --config servers.json
  toolwright mcp --config servers.json files search

A file of servers has the form {\"mcpServers\": {\"files\": {\"command\": \"…\", \"args\": [\"…\"]}}}. The names of
its tools begin with the name of their server: files_read.

A server's claims about its tools are not trusted, so every call needs approval.
The exit codes are those of `call`; 1 also if a server of a file cannot be used.")]
pub struct McpArgs {
    /// The address of a server, or after -- its program with arguments; with --config the names of servers
    #[arg(value_name = "COMMAND OR URL")]
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
    /// How long a server may take to introduce itself
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub wait: u64,
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub approve: Approve,
}

/// The servers of a file, by name.
type Servers = BTreeMap<String, McpConfig>;

/// Reads a file of servers; `None` if the file holds settings, which are TOML and never begin with `{`.
pub(crate) fn read_servers(path: Option<&Path>) -> Result<Option<Servers>, Failure> {
    let Some(path) = path else {
        return Ok(None);
    };
    let shown = path.display();
    let failed = |error: &dyn std::fmt::Display| Failure::failed(format!("{shown}: {error}"));
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    match read {
        // The settings have words of their own for a missing file and other bytes.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(&error)),
        Ok(_) if !text.trim_start().starts_with('{') => return Ok(None),
        Ok(_) => {}
    }
    match McpConfig::from_json(&text) {
        Ok(servers) => Ok(Some(servers)),
        Err(error) => Err(failed(&error)),
    }
}

/// Lists the tools of servers, or calls one.
///
/// # Errors
/// If no server can be used, or the call is halted.
pub async fn run(
    args: &McpArgs,
    servers: Option<Servers>,
    session: &Session,
) -> Result<Code, Failure> {
    let named = servers.is_some();
    let chosen = match servers {
        Some(servers) => choose(args, servers)?,
        None => vec![single(args)?],
    };
    let call = match &args.call {
        Some(tool) => {
            let arguments = super::call::read_arguments(&args.arguments)?;
            Some(ToolCall::new("call-1", tool, arguments))
        }
        None => None,
    };
    // An interrupt of the terminal does not reach a started server, so the server is ended here.
    let mut interrupted = pin!(interrupted());
    let (clients, failures) = tokio::select! {
        opened = open_all(chosen, args, session) => opened,
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
    let code = tokio::select! {
        code = list_or_call(&clients, call.as_ref(), args, session) => code,
        () = &mut interrupted => Err(Halt::Cancelled.into()),
    };
    for client in &clients {
        client.close().await;
    }
    match code {
        Ok(Code::Done) if !failures.is_empty() => Ok(Code::Failed),
        code => code,
    }
}

/// Opens all servers at the same time, and returns the failures beside the clients.
async fn open_all(
    chosen: Vec<(String, McpConfig)>,
    args: &McpArgs,
    session: &Session,
) -> (Vec<McpClient>, Vec<Failure>) {
    let timeout = Duration::from_secs(session.config.limits.timeout_seconds);
    let wait = Duration::from_secs(args.wait);
    let mut opening = JoinSet::new();
    for (number, (name, config)) in chosen.into_iter().enumerate() {
        let config = config.timeout(timeout).open_timeout(wait);
        let screen = session.screen.clone();
        opening.spawn(async move { (number, open(&name, config, wait, &screen).await) });
    }
    let mut opened = opening.join_all().await;
    opened.sort_by_key(|(number, _)| *number);
    let (mut clients, mut failures) = (Vec::new(), Vec::new());
    for (_, opened) in opened {
        match opened {
            Ok(client) => clients.push(client),
            Err(failure) => failures.push(failure),
        }
    }
    (clients, failures)
}

/// Opens a server. If it is silent, the program says what it waits for.
async fn open(
    name: &str,
    config: McpConfig,
    wait: Duration,
    screen: &Screen,
) -> Result<McpClient, Failure> {
    let mut opening = pin!(config.open());
    let opened = tokio::select! {
        opened = &mut opening => opened,
        () = tokio::time::sleep(SILENCE) => {
            let text = format!("for {name} to introduce itself, at most {wait:?}");
            screen.say(Ink::Dim, "waiting", &text);
            opening.await
        }
    };
    opened.map_err(|error| {
        let hint = match error {
            ClientError::TimedOut(_) => "; a server has to speak the Model Context Protocol",
            _ => "",
        };
        Failure::failed(format!("{name}: {error}{hint}"))
    })
}

async fn list_or_call(
    clients: &[McpClient],
    call: Option<&ToolCall>,
    args: &McpArgs,
    session: &Session,
) -> Result<Code, Failure> {
    let screen = &session.screen;
    let mut tools = Toolset::builder().max_output(session.config.limits.max_output);
    for client in clients {
        for left in client.unusable() {
            let text = format!("{}: {}", left.tool, left.reason);
            screen.say(Ink::Yellow, "left out", &text);
        }
        tools = tools.tools(client.tools());
    }
    let tools = tools.build().map_err(Failure::failed)?;
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

/// The servers of a file that the command line names, or all. Their tools get a prefix.
fn choose(args: &McpArgs, mut servers: Servers) -> Result<Vec<(String, McpConfig)>, Failure> {
    if args.token_env.is_some() {
        return Err(Failure::invalid(
            "--token-env is for an address; a file of servers has `headers`",
        ));
    }
    if servers.is_empty() {
        return Err(Failure::invalid(
            "the file has no server that is not disabled",
        ));
    }
    let with_prefix = |(name, config): (String, McpConfig)| {
        let config = config.prefix(format!("{name}_"));
        (name, config)
    };
    if args.target.is_empty() {
        return Ok(servers.into_iter().map(with_prefix).collect());
    }
    let mut chosen = Vec::new();
    for name in &args.target {
        let Some(server) = servers.remove_entry(name) else {
            let known = servers.keys().map(String::as_str);
            let hint = match nearest(name, known.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
            };
            let name: String = name.chars().take(64).collect();
            let text = format!("the file has no server `{name}`; {hint}");
            return Err(Failure::invalid(text));
        };
        chosen.push(with_prefix(server));
    }
    Ok(chosen)
}

/// The one server of the command line.
fn single(args: &McpArgs) -> Result<(String, McpConfig), Failure> {
    let Some((first, rest)) = args.target.split_first() else {
        return Err(Failure::invalid(
            "name a server: its address, its command after --, or a file of servers with --config",
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
    let config = match &args.token_env {
        None => config,
        Some(variable) => match std::env::var(variable) {
            Ok(token) if url => config.bearer_token(token),
            Ok(_) => return Err(Failure::invalid("--token-env is for addresses")),
            Err(_) => return Err(Failure::invalid(format!("{variable} is not set"))),
        },
    };
    Ok((first.clone(), config))
}
