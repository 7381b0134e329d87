//! `callpact agent`: a small agent loop over the built-in tools in a sandbox directory.

mod endpoint;
mod model;
mod script;
mod turn;
mod turns;

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

use callpact::{Cancellation, PermissionMode};
use clap::Args;
use serde_json::json;

use crate::{
    approve::Approve,
    commands::{stored::open, tokens::parse_words},
    exit::{Code, Failure},
    hint,
    remote::{Remote, one_directory},
    reviewers::ApprovingReviewer,
    screen::Ink,
    session::Session,
    system::interrupted,
};
use endpoint::ModelEndpoint;
use model::AgentModel;
use script::TaskScript;

/// Arguments of `agent`.
#[derive(Debug, Args)]
#[command(group = one_directory(), after_long_help = "Examples:
  callpact agent \"Write the quarter's costs to report.md\"
  CALLPACT_BASE_URL=http://127.0.0.1:11434/v1 CALLPACT_MODEL=qwen3 callpact agent \"…\" --root ./work
  callpact agent \"…\" --root ./work --store calls.db --defer --run monday

Environment:
  CALLPACT_BASE_URL, OPENAI_BASE_URL  an OpenAI-compatible endpoint, up to and with /v1
  CALLPACT_MODEL                      the model there
  OPENAI_API_KEY                        its key, where it wants one

Without an endpoint an embedded script plays the model: whatever the task, it prices four months
of a service, makes a faulty call, mends it from the report, and writes report.md.

Exit codes: 0 the model has answered, 3 it came to no answer, 4 halted, 5 a call waits for a decision or is running
elsewhere, 6 nobody knows whether a call ran.

What writes is asked about at the terminal. Elsewhere it halts (4) unless --yes; the embedded script
brings a reviewer of its own, which says what it approves.")]
pub struct AgentArgs {
    /// What to do
    pub task: String,
    /// The directory to work in; a fresh temporary one without it
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The model, instead of `CALLPACT_MODEL`
    #[arg(long)]
    pub model: Option<String>,
    /// Play the embedded script even where an endpoint is set
    #[arg(long)]
    pub offline: bool,
    /// Keep calls and their results in this file, so that a call of a run runs once
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Ask nobody: a call that needs approval waits in the file, and the program exits with 5
    #[arg(long, conflicts_with = "yes")]
    pub defer: bool,
    /// The name of the run: with it, a run that is started again goes on with what was decided
    #[arg(long, value_name = "NAME", value_parser = parse_words)]
    pub run: Option<String>,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub remote: Remote,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub approve: Approve,
}

impl AgentArgs {
    /// The file of calls, if there is one.
    fn find_store(&self, session: &Session) -> Result<Option<PathBuf>, Failure> {
        let given = self.store.as_deref();
        match (self.defer, &self.run) {
            (true, _) => session.need_store(given, "--defer").map(Some),
            (false, Some(_)) => session.need_store(given, "--run").map(Some),
            (false, None) => Ok(session.store(given)),
        }
    }
}

/// Runs the agent.
///
/// # Errors
/// If the tools or the endpoint cannot be used, or a call is halted.
pub async fn run(args: &AgentArgs, session: &Session) -> Result<Code, Failure> {
    let screen = &session.screen;
    let store = args.find_store(session)?;
    // Offline, a faulty endpoint does not matter.
    let endpoint = if args.offline {
        None
    } else {
        ModelEndpoint::from_env(args.model.as_deref(), screen)?
    };
    let model = match endpoint {
        Some(endpoint) => AgentModel::Endpoint(Box::new(endpoint)),
        None => AgentModel::Script(TaskScript::new(args.offline)),
    };
    let workers = args.remote.workspace();
    // Files are in the directories of the workers.
    let root = match args.root.as_ref().or(session.config.root.as_ref()) {
        _ if workers.is_some() => None,
        Some(root) => Some(root.clone()),
        None if args.defer => {
            return Err(Failure::invalid(
                "--defer needs --root: the call runs there later",
            ));
        }
        None => Some(make_root()?),
    };
    let person = io::stdin().is_terminal() && !args.approve.yes && !args.defer;
    let scripted = matches!(model, AgentModel::Script(_));
    let mut cx = session.context(args.approve.yes);
    if scripted && !person && !args.approve.yes {
        cx = cx.with_reviewer(ApprovingReviewer::new(screen, "the script's own reviewer"));
    }
    if let Some(file) = &store {
        cx = cx.with_store(open(file).await?).with_caller("agent");
        let own = root.as_ref().map(|root| session.workspace(root));
        if let Some(workspace) = own.transpose()?.or(workers) {
            cx = cx.with_workspace(workspace);
        }
    }
    if let Some(run) = &args.run {
        cx = cx.with_run(run);
    }
    if args.defer {
        cx = cx.with_deferred_approval();
    }
    let tools = match args.remote.tools(session).await? {
        Some(tools) => tools,
        None => session.tools(&session.root(root.as_deref()))?,
    };
    // Without a person, nobody could answer a question.
    let tools = tools.filter(|name| person || name != "human_input");
    let (stop, ending) = stop_when_interrupted(session);
    let cx = cx.with_cancellation(stop).with_role("agent");
    screen.say(Ink::Dim, "model", model.name());
    let shown = root.map(|root| std::path::absolute(&root).unwrap_or(root));
    let place = match &shown {
        Some(root) => root.display().to_string(),
        None => "that of each worker".to_owned(),
    };
    screen.say(Ink::Dim, "root", &place);
    screen.say(Ink::Blue, "task", &args.task);
    if cx.permissions() == Some(PermissionMode::AllowAll) {
        screen.say(Ink::Dim, "approvals", "none, as configured");
    }
    let mut run = turns::AgentRun::new(&tools, &cx, session, model, ending);
    if args.run.is_some() {
        run = run.named();
    }
    let ended = run.work_on(&args.task).await;
    let left = run.left_open();
    let answer = match ended {
        Ok(answer) => answer,
        Err(mut failure) => {
            screen.say(Ink::Dim, "root", &place);
            if let Some(file) = &store
                && failure.code == Code::Waiting
            {
                let option = hint::option("store", file.as_os_str());
                failure = failure.and(&format!("`callpact pending {option}` lists what waits"));
            }
            failure.code = failure.code.or_worse(left);
            failure.calls = run.calls;
            return Err(failure);
        }
    };
    let files = match &shown {
        Some(_) => format!("files are in {place}"),
        None => "files are where the workers have their roots".to_owned(),
    };
    let calls = run.calls.len();
    let many = if calls == 1 { "" } else { "s" };
    screen.say(Ink::Green, "done", &format!("{calls} call{many}; {files}"));
    if screen.json() {
        screen.print_json(&json!({
            "answer": answer,
            "model": run.model.name(),
            "root": shown,
            "calls": run.calls,
        }));
    } else {
        screen.print(&answer);
    }
    Ok(left)
}

/// The cancellations at an interrupt: the first cancels the calls, the second is cancelled just before.
fn stop_when_interrupted(session: &Session) -> (Cancellation, Cancellation) {
    let (stop, ending) = (Cancellation::new(), Cancellation::new());
    let (session, stops, ends) = (session.clone(), stop.clone(), ending.clone());
    let interrupted = interrupted();
    tokio::spawn(async move {
        interrupted.await;
        session.begun.at_end();
        ends.cancel();
        // A worker may have started a call, and reports how it ended.
        session.leave_workers().await;
        stops.cancel();
    });
    (stop, ending)
}

/// Makes a temporary directory that stays after the program ends.
fn make_root() -> Result<PathBuf, Failure> {
    let made = tempfile::Builder::new().prefix("callpact-").tempdir();
    let dir = made.map_err(|error| Failure::failed(format!("no temporary directory: {error}")))?;
    Ok(dir.keep())
}
