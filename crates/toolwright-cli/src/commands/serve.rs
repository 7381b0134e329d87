//! `toolwright serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;
use toolwright::{PermissionMode, ToolContext};
use toolwright_mcp::server::ToolServer;

use super::tokens::{TokenArgs, open_to_all, scope_rules};
use crate::{
    exit::{Code, Failure},
    reviewers::{AtTerminal, Nobody},
    screen::Ink,
    session::Session,
    system::interrupted,
};

/// Arguments of `serve`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("how").required(true).args(["stdio", "http"]), after_help = "Examples:
  toolwright serve --stdio --root ./docs
  toolwright serve --http 127.0.0.1:8080 --root ./docs
  toolwright serve --http 127.0.0.1:8080 --tokens tokens.toml

The host asks its own user, guided by the tools' annotations, so nothing is asked here unless
`approvals.mode` or `approvals.always` is set in toolwright.toml: `ask` then asks at the controlling
terminal and refuses where there is none, `deny` serves what only reads.")]
pub struct ServeArgs {
    /// Serve on standard input and output
    #[arg(long)]
    pub stdio: bool,
    /// Serve streamable HTTP on an address, such as 127.0.0.1:8080
    #[arg(long, value_name = "ADDR", value_parser = parse_address)]
    pub http: Option<SocketAddr>,
    /// The directory that file tools work in
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Serve an address that other machines reach without asking who calls
    #[arg(long, conflicts_with = "stdio")]
    pub allow_remote: bool,
    /// Serve requests for another host name too
    #[arg(long, value_name = "HOST", conflicts_with = "stdio")]
    pub allow_host: Vec<String>,
    /// Serve web pages of an origin
    #[arg(long, value_name = "ORIGIN", conflicts_with = "stdio")]
    pub allow_origin: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub callers: TokenArgs,
}

pub(super) fn parse_address(text: &str) -> Result<SocketAddr, &'static str> {
    let fault = |_| "expected an address with its port, such as 127.0.0.1:8080";
    text.parse().map_err(fault)
}

/// Serves until the client goes away or the program is interrupted.
///
/// # Errors
/// If the tools cannot be set up, or the address is not available.
pub async fn run(args: &ServeArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(args.root.as_deref()))?;
    let mode = session.config.approvals.mode;
    let terminal = match mode {
        Some(PermissionMode::Ask | PermissionMode::AskDestructive) => Some(AtTerminal::new()),
        _ if session.config.approvals.always.is_empty() => None,
        _ => Some(AtTerminal::new()),
    };
    if let Some(None) = terminal {
        let text = "there is no controlling terminal, so calls that need approval are refused";
        session.screen.say(Ink::Yellow, "approvals", text);
    }
    if mode.is_none() && terminal.is_none() && tools.contains("shell") {
        let text = "shell asks before every command, and is refused until approvals.mode is set";
        session.screen.say(Ink::Yellow, "approvals", text);
    }
    let terminal = terminal.flatten();
    // Without a person nobody could answer a question.
    let tools = match terminal {
        Some(_) => tools,
        None => tools.filter(|name| name != "human_input"),
    };
    let cx = session
        .limits(ToolContext::new())
        .with_permissions(mode.unwrap_or(PermissionMode::AllowAll));
    let cx = match terminal {
        Some(terminal) => cx.with_reviewer(terminal),
        None => cx.with_reviewer(Nobody("there is no controlling terminal")),
    };
    let mut server = ToolServer::new(tools, cx).named("toolwright", env!("CARGO_PKG_VERSION"));
    let interrupted = interrupted();
    let authenticator = args.callers.authenticator().await?;
    let Some(address) = args.http else {
        if authenticator.is_some() {
            return Err(Failure::invalid("--tokens and --issuer are for --http"));
        }
        return tokio::select! {
            ended = server.serve_stdio() => ended.map(|()| Code::Done).map_err(Failure::failed),
            () = interrupted => Ok(Code::Done),
        };
    };
    if !address.ip().is_loopback() && authenticator.is_none() && !args.allow_remote {
        let fault = open_to_all(address);
        return Err(Failure::invalid(format!(
            "{fault}; --allow-remote serves it all the same"
        )));
    }
    if authenticator.is_some()
        && let Some(rules) = scope_rules(&session.config)
    {
        server = server.with_request_context(move |info, cx| rules.apply(info.identity(), cx));
    }
    let bound = server.bind(address).await;
    let mut http = bound.map_err(|error| Failure::failed(format!("{address}: {error}")))?;
    if args.allow_remote {
        http = http.insecure();
    }
    if let Some(authenticator) = authenticator {
        http = http.authenticate(authenticator);
    }
    for host in &args.allow_host {
        http = http.allow_host(host);
    }
    for origin in &args.allow_origin {
        http = http.allow_origin(origin);
    }
    let url = format!("http://{}/mcp", http.local_addr().map_err(Failure::failed)?);
    session.screen.say(Ink::Green, "serving", &url);
    if session.screen.json() {
        session.screen.print_json(&json!({ "url": url }));
    }
    let stop = http.stopper();
    let mut serving = std::pin::pin!(http.run());
    tokio::select! {
        ended = &mut serving => ended.map_err(Failure::failed)?,
        () = interrupted => {
            stop.stop();
            serving.await.map_err(Failure::failed)?;
        }
    }
    Ok(Code::Done)
}
