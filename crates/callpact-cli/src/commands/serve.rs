//! `callpact serve`.

use std::{net::SocketAddr, path::PathBuf};

use callpact::{PermissionMode, ToolContext, Toolset};
use callpact_mcp::server::{AskClients, RequestInfo, ToolServer, check_page};
use clap::{ArgGroup, Args};
use serde_json::json;

use super::{
    stored,
    tokens::{SCOPES_OF_NOBODY, TokenArgs, open_to_all, scope_rules},
};
use crate::{
    exit::{Code, Failure},
    reviewers::{AtTerminal, NobodyAsked},
    screen::{Ink, Screen},
    session::Session,
    system::interrupted,
};

/// Arguments of `serve`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("how").required(true).args(["stdio", "http"]), after_long_help = "Examples:
  callpact serve --stdio --root ./docs
  callpact serve --http 127.0.0.1:8080 --root ./docs
  callpact serve --http 127.0.0.1:8080 --tokens tokens.toml
  callpact serve --http 127.0.0.1:8080 --root ./docs --store calls.db
  callpact serve --stdio --root ./docs --ask --store calls.db

The host asks its own user, guided by the tools' annotations, so nothing is asked here unless
`approvals.mode` or `approvals.always` is set in callpact.toml: `ask` then asks at the controlling
terminal and refuses where there is none, `deny` serves what only reads.

With --ask or --store every call that writes needs approval, unless `approvals.mode` says otherwise.
With --store alone it waits in the file: see `callpact pending`, `approve` and, with the same
--root, `resume`. With --host-confirms the host's own question counts, also for `shell`.")]
#[allow(clippy::struct_excessive_bools)] // options of the command line
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
    /// Ask the user of the client about calls that need approval, and the questions of tools
    #[arg(long)]
    pub ask: bool,
    /// Take the confirmation of the host, which asks its own user, for the approval of a call
    #[arg(long, conflicts_with_all = ["ask", "page"])]
    pub host_confirms: bool,
    /// Calls that need approval wait in this file; with --ask only those of clients that cannot be asked
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Lead the user of the client to the page where people decide, such as a desk on the same file
    #[arg(long, value_name = "URL", conflicts_with = "ask", value_parser = parse_page)]
    pub page: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub callers: TokenArgs,
}

fn parse_page(text: &str) -> Result<String, &'static str> {
    check_page(text).map(|()| text.to_owned())
}

impl ServeArgs {
    /// How to ask the users of clients, if they are asked.
    fn ask_clients(&self) -> Result<Option<AskClients>, Failure> {
        if !self.ask && self.page.is_none() {
            return Ok(None);
        }
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(Failure::failed)?;
        let ask = AskClients::new(secret).map_err(Failure::failed)?;
        Ok(Some(match &self.page {
            None => ask,
            Some(page) => {
                // The desk shows the call whose id follows the `#`.
                let desk = page.split('#').next().unwrap_or_default().to_owned();
                ask.decide_at(move |call| format!("{desk}#waiting/{}", call.id))
            }
        }))
    }
}

pub(super) fn parse_address(text: &str) -> Result<SocketAddr, &'static str> {
    let fault = |_| "expected an address with its port, such as 127.0.0.1:8080";
    text.parse().map_err(fault)
}

/// Names the client as the caller, if callers are not identified.
fn with_client(info: &RequestInfo<'_>, cx: ToolContext) -> ToolContext {
    match info.client_name() {
        Some(name) if cx.caller().is_none() => {
            let name: String = name.chars().take(64).collect();
            cx.with_caller(format!("the client {name}"))
        }
        _ => cx,
    }
}

/// The tools and the context of their calls: who is asked, and which calls wait.
async fn set_up(args: &ServeArgs, session: &Session) -> Result<(Toolset, ToolContext), Failure> {
    let root = session.root(args.root.as_deref());
    let tools = session.tools(&root)?;
    let mode = session.config.approvals.mode;
    let given = args.store.as_deref();
    let store = match &args.page {
        Some(_) => Some(session.need_store(given, "--page")?),
        None => session.store(given),
    };
    // Calls that need approval go to the client or into the file, not to the terminal.
    let defers = args.ask || store.is_some() && !args.host_confirms;
    let terminal = match mode {
        _ if defers || args.host_confirms => None,
        Some(PermissionMode::Ask | PermissionMode::AskDestructive) => Some(AtTerminal::new()),
        _ if session.config.approvals.always.is_empty() => None,
        _ => Some(AtTerminal::new()),
    };
    if let Some(None) = terminal {
        let text = "there is no controlling terminal, so calls that need approval are refused";
        session.screen.say(Ink::Yellow, "approvals", text);
    }
    let is_asked = defers || args.host_confirms;
    if mode.is_none() && terminal.is_none() && !is_asked && tools.contains("shell") {
        let text = "shell asks before every command, and is refused until approvals.mode is set";
        session.screen.say(Ink::Yellow, "approvals", text);
    }
    let terminal = terminal.flatten();
    // Without a person, nobody could answer a question.
    let person = terminal.is_some() || args.ask;
    let tools = tools.filter(|name| person || name != "human_input");
    let unset = if is_asked {
        PermissionMode::Ask
    } else {
        PermissionMode::AllowAll
    };
    let cx = session
        .limits(ToolContext::new())
        .with_permissions(mode.unwrap_or(unset));
    let mut cx = match terminal {
        Some(terminal) => cx.with_reviewer(terminal),
        None if is_asked => cx,
        None => cx.with_reviewer(NobodyAsked("there is no controlling terminal")),
    };
    if let Some(file) = &store {
        cx = cx
            .with_store(stored::open(file).await?)
            .with_workspace(session.workspace(&root)?);
        if defers && !args.ask {
            cx = cx.with_deferred_approval();
        }
    }
    Ok((tools, cx))
}

/// Serves until the client goes away or the program is interrupted.
///
/// # Errors
/// If the tools cannot be set up, or the address is not available.
pub async fn run(args: &ServeArgs, session: &Session) -> Result<Code, Failure> {
    let (tools, cx) = set_up(args, session).await?;
    let interrupted = interrupted();
    let authenticator = args.callers.authenticator().await?;
    let rules = scope_rules(&session.config);
    if authenticator.is_none() && rules.is_some() {
        if args.http.is_some() {
            return Err(Failure::invalid(SCOPES_OF_NOBODY));
        }
        session.screen.say(Ink::Yellow, "scopes", SCOPES_OF_NOBODY);
    }
    let rules = rules.filter(|_| authenticator.is_some());
    let mut server = ToolServer::new(tools, cx)
        .named("callpact", env!("CARGO_PKG_VERSION"))
        .with_request_context(move |info, cx| {
            let cx = match &rules {
                Some(rules) => rules.apply(info.identity(), cx),
                None => cx,
            };
            with_client(info, cx)
        });
    if let Some(ask) = args.ask_clients()? {
        server = server.ask_clients(ask);
    }
    if args.host_confirms {
        server = server.host_confirms();
    }
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
    Screen::announce(Ink::Green, "serving", &url);
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
