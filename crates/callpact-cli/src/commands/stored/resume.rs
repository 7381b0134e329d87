//! `callpact resume`.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use callpact::{
    Cancellation, Halt, Outcome, PendingCall, ToolContext, ToolReply, ToolResult,
    call::ResumeError,
    store::{Moment, StoredCall},
};
use callpact_store::SqliteStore;
use clap::Args;
use serde_json::{Value, json};

use super::{RunState, StoreFile, describe_damaged, list_calls, user};
use crate::{
    exit::{Code, Failure},
    hint,
    replies::{code_of, describe_reply},
    screen::Ink,
    session::Session,
    system::interrupted,
};

/// Arguments of `resume`.
#[derive(Debug, Args)]
#[command(
    after_long_help = "Every call runs once, whichever processes resume the file. A call that was begun \
and has no result does not run again: its outcome is `unknown`, and somebody has to look.
Exit codes: 1 a call cannot run here or is damaged, 6 the outcome of a call is unknown, 3 a call failed, 2 its \
arguments do not fit, 5 another process has claimed a call and has not finished it. `callpact forget` removes a call that can never run."
)]
pub struct ResumeArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub file: StoreFile,
    /// The directory that file tools work in; calls that were made in another one do not run
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// Carries out the decided calls.
///
/// # Errors
/// If the file or the tools cannot be used.
pub async fn resume(args: &ResumeArgs, session: &Session) -> Result<Code, Failure> {
    let (store, file) = args.file.open(session).await?;
    let screen = &session.screen;
    let root = session.root(args.root.as_deref());
    let tools = session.tools(&root)?;
    let stop = Cancellation::new();
    let cx = context(session)
        .with_store(Arc::clone(&store))
        .with_workspace(session.workspace(&root)?)
        .with_cancellation(stop.clone());
    let interrupted = interrupted();
    tokio::spawn(async move {
        interrupted.await;
        stop.cancel();
    });
    let calls = list_calls(&store, false, Moment::now()).await?;
    let (mut code, mut results) = (Code::Done, Vec::new());
    let (mut ran, mut elsewhere, mut not_run) = (0, 0, 0);
    let hint = |id: &str| {
        let command = hint::on_call("forget", id, &file);
        format!("if it never can, `{command}` removes it")
    };
    for call in calls {
        let call = match call {
            Ok((
                call,
                RunState::None | RunState::Claimed(_) | RunState::Abandoned | RunState::Ended(_),
            )) => call,
            Ok((_, RunState::Damaged(damaged))) | Err(damaged) => {
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
        let pending = &call.call;
        screen.say(
            Ink::Blue,
            decided.decision.name(),
            &format!("{} {} by {}", pending.tool, pending.id, decided.by),
        );
        let resumed = tools.resume(&pending.id, &cx).await;
        // It may have begun before it was cancelled.
        if let Err(ResumeError::Halt(Halt::Cancelled)) = resumed
            && has_begun(&store, &call).await?
        {
            results.push(tell_cut_off(pending, session));
            ran += 1;
            code = code.or_worse(Code::Unknown);
            break;
        }
        let (this, mut result) = describe(&pending.id, &resumed);
        code = code.or_worse(this);
        say(session, &resumed);
        let hopeless = match &resumed {
            Ok(reply) if reply.replayed => {
                elsewhere += 1;
                false
            }
            // It still waits to be carried out.
            Ok(reply) if reply.outcome == Outcome::Refused && !has_begun(&store, &call).await? => {
                not_run += 1;
                code = Code::Failed;
                true
            }
            Ok(_) => {
                ran += 1;
                false
            }
            Err(error) => {
                not_run += 1;
                can_be_hopeless(error)
            }
        };
        if hopeless {
            let hint = hint(&pending.id);
            screen.say(Ink::Dim, "", &hint);
            result["hint"] = hint.into();
        }
        results.push(result);
        if cx.is_cancelled() {
            code = code.or_worse(Code::Halted);
            break;
        }
    }
    if screen.json() {
        screen.print_json(&json!({"calls": results, "at": Moment::now()}));
    } else {
        screen.print(&sum_up(ran, elsewhere, not_run));
    }
    Ok(code)
}

/// Whether a process took the call, whatever became of it.
async fn has_begun(store: &SqliteStore, call: &StoredCall) -> Result<bool, Failure> {
    let state = RunState::find(store, call, Moment::now()).await?;
    Ok(!matches!(state, RunState::None))
}

/// The context of calls that were decided elsewhere.
fn context(session: &Session) -> ToolContext {
    let cx = session
        .limits(ToolContext::new())
        .with_deferred_approval()
        .with_caller(user())
        .with_role("agent");
    match session.config.approvals.mode {
        Some(mode) => cx.with_permissions(mode),
        None => cx,
    }
}

/// How many calls ran here, how many in another process, and how many did not.
fn sum_up(ran: usize, elsewhere: usize, not_run: usize) -> String {
    let mut parts = vec![match ran {
        1 => "1 call was resumed".to_owned(),
        ran => format!("{ran} calls were resumed"),
    }];
    for (number, what) in [(elsewhere, "by another process"), (not_run, "did not run")] {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    parts.join("; ")
}

fn describe(id: &str, resumed: &Result<ToolReply, ResumeError>) -> (Code, Value) {
    match resumed {
        Ok(reply) => {
            let mut result = describe_reply(reply);
            result["id"] = id.into();
            (code_of(reply), result)
        }
        Err(error @ ResumeError::Busy { until }) => (
            Code::Waiting,
            json!({"id": id, "state": "running", "until": until, "error": error.to_string()}),
        ),
        Err(error) => (Code::Failed, json!({"id": id, "error": explain(error)})),
    }
}

/// Says of a call that was cut off that its outcome is unknown, and describes it.
fn tell_cut_off(call: &PendingCall, session: &Session) -> Value {
    let unknown = ToolResult::unknown(&call.tool);
    let name = Outcome::Unknown.name();
    let words = unknown.error().unwrap_or_default();
    session.screen.say(Ink::Red, name, words);
    json!({
        "id": call.id,
        "tool": call.tool,
        "outcome": name,
        "success": false,
        "reply": unknown.to_model(),
    })
}

fn say(session: &Session, resumed: &Result<ToolReply, ResumeError>) {
    let screen = &session.screen;
    match resumed {
        Ok(reply) if reply.replayed && reply.is_success() => {
            screen.say(Ink::Dim, "done", "another process has carried it out");
        }
        Ok(reply) => match reply.result.error() {
            None => screen.say(Ink::Green, "ok", reply.result.output()),
            Some(error) => screen.say(Ink::Red, reply.outcome.name(), error),
        },
        Err(error) => screen.say(Ink::Yellow, "not run", &explain(error)),
    }
}

/// Why a call did not run, and what to do about it.
fn explain(error: &ResumeError) -> String {
    match error {
        ResumeError::Workspace {
            made_in: Some(root),
            ..
        } if Path::new(root).is_dir() => {
            format!(
                "{error}; it runs with {}",
                hint::option("root", root.as_ref())
            )
        }
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
