//! `callpact worker`.

use std::{path::PathBuf, time::Duration};

use callpact::{Permission, PermissionMode, ToolContext};
use callpact_nats::worker;
use clap::Args;
use serde_json::json;

use crate::{
    exit::{Code, Failure},
    remote::{Access, failure},
    screen::Ink,
    session::Session,
    system::interrupted,
};

/// Arguments of `worker`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact worker --nats nats://127.0.0.1:4222 --root ./docs
  callpact call --nats nats://127.0.0.1:4222 calculator '{\"input\": \"2 + 3\"}'

Calls are approved where they are made. With `approvals.mode` in callpact.toml, `ask` and \
`ask_destructive` demand that of every host, and `deny` serves what only reads. An interrupt lets the \
calls that run come to their end.")]
pub struct WorkerArgs {
    /// The NATS server, such as `nats://127.0.0.1:4222`
    #[arg(long, value_name = "URL")]
    pub nats: String,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub access: Access,
    /// The directory that file tools work in
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The name of the list of tools
    #[arg(long, value_name = "NAME", default_value = "tools")]
    pub toolset: String,
    /// The version of the list; hosts offer the highest
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub list_version: u32,
    /// How many calls run at once
    #[arg(long, value_name = "NUMBER", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    pub max_in_flight: u16,
    /// How long a call stays with a silent worker
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub lease: u32,
}

/// Takes calls until the program is interrupted.
///
/// # Errors
/// If the tools cannot be set up, or the server cannot be used.
pub async fn run(args: &WorkerArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(args.root.as_deref()))?;
    // Nobody attends a worker.
    let tools = tools.filter(|name| name != "human_input");
    let cx = session.limits(ToolContext::new());
    let asks = |tools: &callpact::Toolset, from: Permission| {
        tools.require_approval(|name| tools.permission(name) >= Some(from))
    };
    let (tools, cx) = match session.config.approvals.mode {
        None | Some(PermissionMode::AllowAll) => (tools, cx),
        Some(PermissionMode::Ask) => (asks(&tools, Permission::Write), cx),
        Some(PermissionMode::AskDestructive) => (asks(&tools, Permission::Destructive), cx),
        // `deny`, and what this program does not know: nobody is asked, so only readers are left.
        Some(_) => {
            let reads = tools.filter(|name| tools.permission(name) == Some(Permission::ReadOnly));
            (reads, cx)
        }
    };
    if tools.is_empty() {
        let text = "there is nothing to serve: `tools` and `approvals.mode` in callpact.toml leave no tool";
        return Err(Failure::failed(text));
    }
    let interrupted = interrupted();
    let serving = worker(tools, cx)
        .connect(args.access.server(&args.nats).await?)
        .toolset(&args.toolset)
        .version(args.list_version.into())
        .max_in_flight(args.max_in_flight.into())
        .lease(Duration::from_secs(args.lease.into()))
        .start()
        .await
        .map_err(failure)?;
    session.screen.say(
        Ink::Green,
        "serving",
        &format!("{} as {}", args.toolset, serving.id()),
    );
    if session.screen.json() {
        session
            .screen
            .print_json(&json!({ "worker": serving.id() }));
    }
    interrupted.await;
    let patience = Duration::from_secs(session.config.limits.timeout_seconds);
    if serving.stop(patience).await {
        Ok(Code::Done)
    } else {
        Err(Failure::failed(
            "a call did not end in time; its outcome is unknown",
        ))
    }
}
