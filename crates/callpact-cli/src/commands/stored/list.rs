//! `callpact pending` and `callpact show`.

use std::path::PathBuf;

use callpact::{
    review::arguments_as_lines,
    store::{Moment, StoredCall},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

use super::{
    RunState, StoreFile, age,
    decide::check_open,
    describe, describe_damaged,
    edit::{check_call, print_edited, print_named, read_edit},
    find, list_calls, state,
};
use crate::{
    complete,
    exit::{Code, Failure},
    session::Session,
};

/// The most characters of the arguments in a list.
const SHOWN: usize = 80;

/// Arguments of `pending`.
#[derive(Debug, Args)]
pub struct PendingArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub file: StoreFile,
    /// List settled calls too: those that ran, those that somebody rejected, and those whose outcome nobody knows
    #[arg(long)]
    pub all: bool,
}

/// Lists the calls that are not settled, or all.
///
/// # Errors
/// If the file cannot be read.
pub async fn pending(args: &PendingArgs, session: &Session) -> Result<Code, Failure> {
    let (store, _) = args.file.open_to_read(session)?;
    let (now, screen) = (Moment::now(), &session.screen);
    let calls = list_calls(&store, args.all, now).await?;
    if screen.json() {
        let list = calls.iter().map(|call| match call {
            Ok((call, run)) => describe(call, run, now),
            Err(damaged) => describe_damaged(damaged),
        });
        screen.print_json(&json!({"calls": list.collect::<Vec<_>>()}));
        return Ok(Code::Done);
    }
    if calls.is_empty() {
        let words = if args.all {
            "nobody was asked about a call in this file"
        } else {
            "no call waits"
        };
        screen.print(words);
    }
    for call in &calls {
        let (call, run) = match call {
            Ok(known) => known,
            Err(damaged) => {
                screen.print_line(&format!("{}  damaged   {}", damaged.id, damaged.reason));
                continue;
            }
        };
        let arguments = call.call.shown();
        let shown: String = arguments.chars().take(SHOWN).collect();
        let more = if shown.len() < arguments.len() {
            "…"
        } else {
            ""
        };
        screen.print_line(&format!(
            "{}  {:<8}  {:<11}  {} {}{more}{}",
            call.call.id,
            state(call, run, now),
            age(call.since, now),
            call.call.tool,
            shown,
            history(call, run),
        ));
    }
    Ok(Code::Done)
}

/// The decision about a call, and its outcome.
fn history(call: &StoredCall, run: &RunState) -> String {
    let Some(decided) = &call.decision else {
        return String::new();
    };
    let word = decided.decision.name();
    let ended = match run {
        RunState::Ended(record) => format!(", outcome {}", record.outcome.name()),
        RunState::Claimed(until) => format!(", claimed until {until}"),
        RunState::Damaged(damaged) => format!(", {}", damaged.reason),
        RunState::None | RunState::Abandoned => String::new(),
    };
    format!("  ({word} by {}{ended})", decided.by)
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The id of the call, or how it begins
    #[arg(add = ArgValueCandidates::new(complete::call_ids))]
    pub id: String,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub file: StoreFile,
    /// Show also what the call does with the arguments in this file instead; - is standard input
    #[arg(long, value_name = "FILE")]
    pub edit: Option<PathBuf>,
}

/// Shows everything about a call.
///
/// # Errors
/// If the file cannot be read or has no such call, if the edit does not fit, or if there is an edit
/// and the call is already decided.
pub async fn show(args: &ShowArgs, session: &Session) -> Result<Code, Failure> {
    let (store, file) = args.file.open_to_read(session)?;
    let (now, screen) = (Moment::now(), &session.screen);
    let call = find(&store, &args.id).await?;
    let edited = match &args.edit {
        Some(path) => {
            check_open(&call, now)?;
            let text = read_edit(path)?;
            check_call(&call.call, Some(&text), &file, session)?
        }
        None => None,
    };
    let run = RunState::find(&store, &call, now).await?;
    if screen.json() {
        let mut data = describe(&call, &run, now);
        if args.edit.is_some() {
            data["edited"] = json!(edited);
        }
        screen.print_json(&data);
        return Ok(Code::Done);
    }
    let pending = &call.call;
    let line = |name: &str, text: &str| print_named(name, text, screen);
    line("call", &pending.id);
    line("state", state(&call, &run, now));
    line(
        "tool",
        &format!("{} ({})", pending.tool, pending.permission),
    );
    line(
        "workspace",
        pending.workspace.as_deref().unwrap_or_default(),
    );
    line("asked", &age(call.since, now));
    line("by", call.asked_by.as_deref().unwrap_or_default());
    line("role", pending.required_role.as_deref().unwrap_or_default());
    line("arguments", &arguments_as_lines(pending.shown()));
    for change in &pending.changes {
        line("changed", change);
    }
    line("preview", pending.preview.as_deref().unwrap_or_default());
    if let Some(decided) = &call.decision {
        line(
            "decided",
            &format!("by {}, {}", decided.by, age(decided.at, now)),
        );
        let decision = serde_json::to_string(&decided.decision).unwrap_or_default();
        line("decision", &decision);
    }
    let decided = call.decision.as_ref().and_then(|it| it.edited.as_deref());
    if let Some(edited) = edited.as_ref().or(decided) {
        print_edited(edited, screen);
    }
    match &run {
        RunState::Ended(record) => {
            line("outcome", record.outcome.name());
            line("result", record.error.as_deref().unwrap_or(&record.output));
        }
        RunState::Claimed(until) => line("claimed", &format!("until {until}")),
        RunState::Damaged(damaged) => line("damaged", &damaged.reason),
        RunState::None | RunState::Abandoned => {}
    }
    Ok(Code::Done)
}
