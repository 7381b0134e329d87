//! `callpact desk`.

use std::{net::SocketAddr, path::PathBuf, pin::pin, time::Duration};

use callpact::{Halt, PermissionMode, ToolContext};
use callpact_desk::Desk;
use callpact_nats::Workers;
use callpact_store::SqliteStore;
use clap::Args;
use serde_json::json;
use tokio::task::JoinSet;

use super::{
    serve::parse_address,
    tokens::{SCOPES_OF_NOBODY, TokenArgs, open_to_all, scope_rules},
};
use crate::{
    connections::{ServerList, WantedServer},
    exit::{Code, Failure},
    remote::{Remote, one_place, tools_of},
    screen::{Ink, Screen},
    servers::FileServers,
    session::Session,
    source::Source,
    system::{interrupted, open_browser},
};

/// Arguments of `desk`.
#[derive(Debug, Args)]
#[command(groups = one_place(), after_long_help = "Examples:
  callpact desk
  callpact desk --root ./docs --listen 127.0.0.1:8090
  callpact desk --store calls.db
  callpact desk -- npx some-mcp-server
  callpact desk --config servers.json
  callpact desk --allow-connect
  callpact desk --nats nats://127.0.0.1:4222
  callpact desk --listen 0.0.0.0:8090 --tokens tokens.toml --allow-host desk.example.com

The address that is printed lets one browser in, once; the page itself makes more addresses. With --tokens or
--issuer it lets nobody in: people come in with tokens of their own. Calls that need approval are asked about on
the page.")]
pub struct DeskArgs {
    /// The address of this machine to listen on; any free port without it
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:0", hide_default_value = true, value_parser = parse_address)]
    pub listen: SocketAddr,
    /// The directory that file tools work in
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Show the calls that wait in a store, and run those that are approved
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Record decisions about stored calls and run none: another program carries them out
    #[arg(long)]
    pub decide_only: bool,
    /// Serve the page under another host name too
    #[arg(long, value_name = "HOST")]
    pub allow_host: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub people: TokenArgs,
    /// Let whoever is at the page connect to more MCP servers, and so run any program on this machine
    #[arg(long, conflicts_with_all = ["tokens", "issuer", "nats"])]
    pub allow_connect: bool,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub source: Source,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub remote: Remote,
}

/// Serves the page until the program is interrupted.
///
/// # Errors
/// If the tools or the store cannot be set up, there is no worker, or the address is not available.
pub async fn run(
    args: &DeskArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    if let Some((workers, tools)) = args.remote.connect(session).await? {
        let desk = Desk::new(tools, context(session, args.remote.workspace()));
        return tokio::select! {
            served = serve(args, desk.clone(), session) => served,
            () = follow(&workers, &desk, session) => Ok(Code::Done),
        };
    }
    if args.source.is_of_servers(servers.as_ref()) {
        return serve_servers(args, servers, session).await;
    }
    let source = args
        .source
        .open(args.root.as_deref(), servers, session)
        .await?;
    // The tools of a file or a server do not work in a directory of this program.
    let workspace = if source.is_built_in() {
        Some(session.workspace(&session.root(args.root.as_deref()))?)
    } else {
        None
    };
    let tools = source.tools.clone();
    let desk = Desk::new(tools.clone(), context(session, workspace));
    let list = ServerList::new(desk.clone(), session, Some(tools), args.allow_connect);
    serve_with(args, desk, list, session).await
}

/// Serves the page with the tools of MCP servers. One that cannot be used is shown with the reason, unless none can.
async fn serve_servers(
    args: &DeskArgs,
    servers: Option<FileServers>,
    session: &Session,
) -> Result<Code, Failure> {
    let none = session.bounded().build().map_err(Failure::failed)?;
    let desk = Desk::new(none, context(session, None));
    let list = ServerList::new(desk.clone(), session, None, args.allow_connect);
    let chosen = args.source.wanted().choose(servers)?;
    let opening = chosen.into_iter().map(|(name, config)| {
        let list = list.clone();
        let wanted = WantedServer {
            name,
            config,
            trusted: false,
            removable: false,
        };
        async move { list.open(wanted).await }
    });
    let mut opening: JoinSet<_> = opening.collect();
    let mut failures = Vec::new();
    // An interrupt of the terminal does not reach a started server, so the server is ended here.
    let mut interrupted = pin!(interrupted());
    loop {
        tokio::select! {
            opened = opening.join_next() => match opened {
                Some(Ok(opened)) => failures.extend(opened.err()),
                Some(Err(_)) => {}
                None => break,
            },
            () = &mut interrupted => {
                opening.shutdown().await;
                list.close().await;
                return Err(Halt::Cancelled.into());
            }
        }
    }
    if !list.has_any()
        && !args.allow_connect
        && let Some(failure) = failures.into_iter().next()
    {
        return Err(failure);
    }
    serve_with(args, desk, list, session).await
}

/// Serves the page with its servers, and ends them with it.
async fn serve_with(
    args: &DeskArgs,
    desk: Desk,
    list: ServerList,
    session: &Session,
) -> Result<Code, Failure> {
    let desk = desk.with_connections(list.clone());
    let served = tokio::select! {
        served = serve(args, desk, session) => served,
        () = list.watch() => Ok(Code::Done),
    };
    list.close().await;
    served
}

/// The context in which people try tools; the page itself asks for approval.
fn context(session: &Session, workspace: Option<String>) -> ToolContext {
    let mode = session.config.approvals.mode.unwrap_or(PermissionMode::Ask);
    let cx = session.limits(ToolContext::new()).with_permissions(mode);
    match workspace {
        Some(workspace) => cx.with_workspace(workspace),
        None => cx,
    }
}

/// Shows the tools of workers that join, and removes those of workers that leave.
async fn follow(workers: &Workers, desk: &Desk, session: &Session) {
    let mut changes = workers.changes();
    // Changes up to now are shown at once.
    changes.mark_changed();
    while changes.changed().await.is_ok() {
        // People see the current tools; no model here has an outdated description.
        workers.accept_all();
        match tools_of(workers, session) {
            Ok(tools) => desk.replace_tools(tools),
            Err(failure) => session.screen.say(Ink::Yellow, "workers", &failure.message),
        }
    }
}

async fn serve(args: &DeskArgs, mut desk: Desk, session: &Session) -> Result<Code, Failure> {
    let given = args.store.as_deref();
    let store = if args.decide_only {
        Some(session.need_store(given, "--decide-only")?)
    } else {
        session.store(given)
    };
    if let Some(file) = &store {
        let shown = file.display();
        let open = || {
            let store = SqliteStore::open(file);
            store.map_err(|error| Failure::failed(format!("{shown}: {error}")))
        };
        // Two connections, so that nobody who decides waits for a page of the trace.
        desk = desk.with_store(open()?).with_trace(open()?);
    }
    if args.decide_only {
        desk = desk.decide_only();
    }
    for host in &args.allow_host {
        desk = desk.allow_host(host);
    }
    if let Some(people) = args.people.authenticator().await? {
        desk = desk.authenticate(people);
        if let Some(rules) = scope_rules(&session.config) {
            desk = desk.scopes(rules);
        }
    } else if !args.listen.ip().to_canonical().is_loopback() {
        return Err(Failure::invalid(open_to_all(args.listen)));
    } else if session.config.approvals.scopes.is_some() {
        session.screen.say(Ink::Yellow, "scopes", SCOPES_OF_NOBODY);
    }
    let bound = desk.bind(args.listen).await;
    let server = bound.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => Failure::invalid(error),
        _ => Failure::failed(format!("{}: {error}", args.listen)),
    })?;
    let interrupted = interrupted();
    let url = server.url().map_err(Failure::failed)?;
    Screen::announce(Ink::Green, "desk", &url);
    if session.screen.json() {
        session.screen.print_json(&json!({ "url": url }));
    }
    if !args.no_open {
        open_browser(&url);
    }
    let stop = server.stopper();
    let mut serving = std::pin::pin!(server.run());
    tokio::select! {
        ended = &mut serving => ended.map_err(Failure::failed)?,
        () = interrupted => {
            stop.stop();
            // Calls under way are dropped with their connections.
            let _ = tokio::time::timeout(Duration::from_secs(5), serving).await;
        }
    }
    Ok(Code::Done)
}
