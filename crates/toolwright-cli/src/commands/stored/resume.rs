//! `toolwright resume`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use serde_json::{Value, json};
use toolwright::{
    Cancellation, Outcome, ReviewDecision, ToolContext, ToolReply, store::Moment,
    toolset::ResumeError,
};

use super::{StoreFile, describe_damaged, store_failed, user};
use crate::{
    exit::{Code, Failure},
    replies::describe_reply,
    screen::Ink,
    session::Session,
    system::interrupted,
};

/// Arguments of `resume`.
#[derive(Debug, Args)]
#[command(
    after_help = "Every call runs once, whichever processes resume the file. A call that was begun \
and has no result does not run again: its outcome is `unknown`, and somebody has to look.
Exit codes: 1 a call cannot run here or is damaged, 6 the outcome of a call is unknown, 3 a call failed, 5 \
another process has claimed a call and has not finished it. `toolwright forget` removes a call that can never run."
)]
pub struct ResumeArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub file: StoreFile,
    /// The directory that file tools work in; calls that were made in another one do not run
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// Carries out the calls about which somebody has decided.
///
/// # Errors
/// If the file or the tools cannot be used.
pub async fn resume(args: &ResumeArgs, session: &Session) -> Result<Code, Failure> {
    let (store, screen) = (args.file.open()?, &session.screen);
    let root = session.root(args.root.as_deref());
    let tools = session.tools(&root)?;
    let stop = Cancellation::new();
    let cx = session
        .limits(ToolContext::new())
        .with_store(Arc::clone(&store))
        .with_deferred_approval()
        .with_workspace(session.workspace(&root)?)
        .with_caller(user())
        .with_role("agent")
        .with_cancellation(stop.clone());
    let cx = match session.config.approvals.mode {
        Some(mode) => cx.with_permissions(mode),
        None => cx,
    };
    let interrupted = interrupted();
    tokio::spawn(async move {
        interrupted.await;
        stop.cancel();
    });
    let calls = store.open_calls().map_err(store_failed)?;
    let (mut code, mut results) = (Code::Done, Vec::new());
    let (mut ran, mut elsewhere, mut not_run) = (0, 0, 0);
    let hint = |id: &str| {
        let file = args.file.store.display();
        format!("if it never can, `toolwright forget {id} --store {file}` removes it")
    };
    for call in calls {
        let call = match call {
            Ok(call) => call,
            Err(damaged) => {
                let hint = hint(&damaged.id);
                screen.say(Ink::Red, "damaged", &format!("{damaged}\n{hint}"));
                let mut result = describe_damaged(&damaged);
                result["hint"] = hint.into();
                results.push(result);
                not_run += 1;
                code = Code::Failed;
                continue;
            }
        };
        let Some(decided) = &call.decision else {
            continue;
        };
        let edited = matches!(decided.decision, ReviewDecision::Edit(_));
        let (pending, word) = (&call.call, if edited { "edited" } else { "approved" });
        screen.say(
            Ink::Blue,
            word,
            &format!("{} {} by {}", pending.tool, pending.id, decided.by),
        );
        let resumed = tools.resume_decided(&pending.id, &cx).await;
        let (this, mut result) = describe(&pending.id, &resumed);
        say(session, &resumed);
        match &resumed {
            Ok(reply) if reply.replayed => elsewhere += 1,
            Ok(_) => ran += 1,
            Err(error) => {
                not_run += 1;
                if can_be_hopeless(error) {
                    let hint = hint(&pending.id);
                    screen.say(Ink::Dim, "", &hint);
                    result["hint"] = hint.into();
                }
            }
        }
        results.push(result);
        code = worse(code, this);
        if cx.is_cancelled() {
            code = Code::Halted;
            break;
        }
    }
    if screen.json() {
        screen.print_json(&json!({"calls": results, "at": Moment::now()}));
    } else {
        let mut parts = vec![match ran {
            1 => "1 call was resumed".to_owned(),
            ran => format!("{ran} calls were resumed"),
        }];
        for (number, what) in [(elsewhere, "by another process"), (not_run, "did not run")] {
            if number > 0 {
                parts.push(format!("{number} {what}"));
            }
        }
        screen.print(&parts.join("; "));
    }
    Ok(code)
}

fn describe(id: &str, resumed: &Result<ToolReply, ResumeError>) -> (Code, Value) {
    match resumed {
        Ok(reply) => {
            let mut result = describe_reply(reply);
            result["id"] = id.into();
            let code = match reply.outcome {
                // The process that ran it has said what came of it.
                _ if reply.replayed => Code::Done,
                Outcome::Success => Code::Done,
                Outcome::Unknown => Code::Unknown,
                _ => Code::Tool,
            };
            (code, result)
        }
        Err(error @ ResumeError::Busy { until }) => (
            Code::Waiting,
            json!({"id": id, "state": "running", "until": until, "error": error.to_string()}),
        ),
        Err(error) => (Code::Failed, json!({"id": id, "error": explain(error)})),
    }
}

fn say(session: &Session, resumed: &Result<ToolReply, ResumeError>) {
    match resumed {
        Ok(reply) if reply.replayed => {
            let words = "another process has carried it out";
            session.screen.say(Ink::Dim, "done", words);
        }
        Ok(reply) if reply.is_success() => {
            session.screen.say(Ink::Green, "ok", reply.result.output());
        }
        Ok(reply) => {
            let text = reply.result.error().unwrap_or_default();
            session.screen.say(Ink::Red, reply.outcome.name(), text);
        }
        Err(error) => {
            session.screen.say(Ink::Yellow, "not run", &explain(error));
        }
    }
}

/// Why a call did not run, and what to do about it.
fn explain(error: &ResumeError) -> String {
    match error {
        ResumeError::Workspace {
            made_in: Some(root),
            ..
        } if Path::new(root).is_dir() => format!("{error}; it runs with --root {root}"),
        error => error.to_string(),
    }
}

/// Whether a call may never be able to run.
fn can_be_hopeless(error: &ResumeError) -> bool {
    match error {
        ResumeError::Missing { .. } | ResumeError::Changed { .. } | ResumeError::Role { .. } => {
            true
        }
        ResumeError::Workspace { made_in, .. } => {
            !made_in.as_ref().is_some_and(|it| Path::new(it).is_dir())
        }
        _ => false,
    }
}

/// The code that says more: that something could not run, that nobody knows, that something failed, that something is
/// not done yet.
fn worse(one: Code, other: Code) -> Code {
    [Code::Failed, Code::Unknown, Code::Tool, Code::Waiting]
        .into_iter()
        .find(|code| [one, other].contains(code))
        .unwrap_or(Code::Done)
}
