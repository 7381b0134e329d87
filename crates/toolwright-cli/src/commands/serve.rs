//! `toolwright serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;
use toolwright::{PermissionMode, ToolContext};
use toolwright_mcp::server::ToolServer;

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
    /// Serve an address that other machines reach; there is no authentication
    #[arg(long, conflicts_with = "stdio")]
    pub allow_remote: bool,
    /// Serve requests for another host name too
    #[arg(long, value_name = "HOST", conflicts_with = "stdio")]
    pub allow_host: Vec<String>,
    /// Serve web pages of an origin
    #[arg(long, value_name = "ORIGIN", conflicts_with = "stdio")]
    pub allow_origin: Vec<String>,
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
    let server = ToolServer::new(tools, cx).named("toolwright", env!("CARGO_PKG_VERSION"));
    let interrupted = interrupted();
    let Some(address) = args.http else {
        return tokio::select! {
            ended = server.serve_stdio() => ended.map(|()| Code::Done).map_err(Failure::failed),
            () = interrupted => Ok(Code::Done),
        };
    };
    if !address.ip().is_loopback() && !args.allow_remote {
        return Err(Failure::invalid(format!(
            "other machines reach {address} and there is no authentication; --allow-remote serves it all the same"
        )));
    }
    let bound = server.bind(address).await;
    let mut http = bound.map_err(|error| Failure::failed(format!("{address}: {error}")))?;
    if args.allow_remote {
        http = http.insecure();
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
