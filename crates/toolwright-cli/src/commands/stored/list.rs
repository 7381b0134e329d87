//! `toolwright pending` and `toolwright show`.

use clap::Args;
use serde_json::json;
use toolwright::store::{CallStore, ClaimRecord, Moment, StoredCall};

use super::{
    StoreFile, age, describe, describe_damaged, find, name_decision, record_of, state, store_failed,
};
use crate::{
    exit::{Code, Failure},
    session::Session,
};

/// The most characters of the arguments in a list.
const SHOWN: usize = 80;

/// Arguments of `pending`.
#[derive(Debug, Args)]
pub struct PendingArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub file: StoreFile,
    /// List settled calls too: those that ran, that somebody rejected, and those of which nobody knows
    #[arg(long)]
    pub all: bool,
}

/// Lists the calls that are not settled, or all.
///
/// # Errors
/// If the file cannot be read.
pub async fn pending(args: &PendingArgs, session: &Session) -> Result<Code, Failure> {
    let (store, now, screen) = (args.file.open_to_read()?, Moment::now(), &session.screen);
    let calls = if args.all {
        store.all_calls()
    } else {
        store.open_calls()
    };
    let calls = calls.map_err(store_failed)?;
    if screen.json() {
        let mut list = Vec::with_capacity(calls.len());
        for call in &calls {
            list.push(match call {
                Ok(call) => describe(&store, call, now).await?,
                Err(damaged) => describe_damaged(damaged),
            });
        }
        screen.print_json(&json!({"calls": list}));
        return Ok(Code::Done);
    }
    if calls.is_empty() {
        let words = if args.all {
            "the file has no call"
        } else {
            "no call waits"
        };
        screen.print(words);
    }
    for call in &calls {
        let call = match call {
            Ok(call) => call,
            Err(damaged) => {
                screen.print_line(&format!("{}  damaged   {}", damaged.id, damaged.reason));
                continue;
            }
        };
        let run = store.claim_record(&call.key).await.map_err(store_failed)?;
        let arguments = &call.call.arguments;
        let shown: String = arguments.chars().take(SHOWN).collect();
        let more = if shown.len() < arguments.len() {
            "…"
        } else {
            ""
        };
        screen.print_line(&format!(
            "{}  {:<8}  {:<11}  {} {}{more}{}",
            call.call.id,
            state(call, run.as_ref(), now),
            age(call.since, now),
            call.call.tool,
            shown,
            history(call, run.as_ref()),
        ));
    }
    Ok(Code::Done)
}

/// Who decided what about a call, and what came of it.
fn history(call: &StoredCall, run: Option<&ClaimRecord>) -> String {
    let Some(decided) = &call.decision else {
        return String::new();
    };
    let word = name_decision(&decided.decision);
    let ended = match run.and_then(record_of) {
        Some(record) => format!(", outcome {}", record.outcome.name()),
        None => String::new(),
    };
    format!("  ({word} by {}{ended})", decided.by)
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The id of the call
    pub id: String,
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub file: StoreFile,
}

/// Shows everything about a call.
///
/// # Errors
/// If the file cannot be read, or has no such call.
pub async fn show(args: &ShowArgs, session: &Session) -> Result<Code, Failure> {
    let (store, now, screen) = (args.file.open_to_read()?, Moment::now(), &session.screen);
    let call = find(&store, &args.id).await?;
    let data = describe(&store, &call, now).await?;
    if screen.json() {
        screen.print_json(&data);
        return Ok(Code::Done);
    }
    let pending = &call.call;
    let line = |name: &str, text: &str| {
        for (number, line) in text.lines().enumerate() {
            let name = if number == 0 { name } else { "" };
            screen.print_line(&format!("{name:<10} {line}"));
        }
    };
    line("call", &pending.id);
    line("state", data["state"].as_str().unwrap_or_default());
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
    line("arguments", &pending.arguments);
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
    if let Some(result) = data["result"].as_object() {
        let text = |name| result.get(name).and_then(serde_json::Value::as_str);
        line("outcome", text("outcome").unwrap_or_default());
        line(
            "result",
            text("output").or(text("error")).unwrap_or_default(),
        );
    }
    Ok(Code::Done)
}
