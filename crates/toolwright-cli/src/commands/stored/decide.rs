//! `toolwright approve`, `toolwright reject` and `toolwright refuse`.

use std::{
    fs::File,
    io::{Read, stdin},
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::json;
use toolwright::{
    ReviewDecision, ToolCall, ToolContext,
    identity::Identity,
    store::{CallStore, Decided, Moment, StoredCall, Taken},
};

use super::{StoreFile, find, store_failed, user};
use crate::{
    commands::tokens::parse_words,
    exit::{Code, Failure},
    hint,
    session::Session,
};

/// The most bytes of edited arguments.
const MAX_BYTES: u64 = 16 << 20;

/// The call, and who decides about it.
#[derive(Debug, Args)]
pub struct Deciding {
    /// The id of the call
    pub id: String,
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub file: StoreFile,
    /// Who decides; the user of the system without it
    #[arg(long = "as", value_name = "NAME", value_parser = parse_name)]
    pub name: Option<String>,
    /// The role that the decider acts for, where the call demands one
    #[arg(long, value_name = "ROLE", value_parser = parse_name)]
    pub role: Option<String>,
}

fn parse_name(text: &str) -> Result<String, &'static str> {
    if Identity::is_name(text) {
        return Ok(text.to_owned());
    }
    Err("expected a name of 1 to 256 characters without hidden ones and without blanks around it")
}

/// Arguments of `approve`.
#[derive(Debug, Args)]
#[command(after_help = "The call runs at the next `toolwright resume`. The first decision counts.")]
pub struct ApproveArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub deciding: Deciding,
    /// Let the call run with the arguments in this file instead; - is standard input
    #[arg(long, value_name = "FILE")]
    pub edit: Option<PathBuf>,
}

/// Arguments of `reject`.
#[derive(Debug, Args)]
pub struct RejectArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub deciding: Deciding,
}

/// Arguments of `refuse`.
#[derive(Debug, Args)]
pub struct RefuseArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub deciding: Deciding,
    /// Why; the model gets it
    #[arg(long, value_parser = parse_words)]
    pub reason: String,
}

/// Lets a call run, as it is or with other arguments.
///
/// # Errors
/// If the file cannot be used, the call does not wait any more, or the edit does not fit the tool.
pub async fn approve(args: &ApproveArgs, session: &Session) -> Result<Code, Failure> {
    let decision = match &args.edit {
        None => ReviewDecision::Continue,
        Some(path) => ReviewDecision::Edit(read_edit(path)?),
    };
    decide(&args.deciding, decision, session).await
}

/// Ends the run of a call.
///
/// # Errors
/// If the file cannot be used, or the call does not wait any more.
pub async fn reject(args: &RejectArgs, session: &Session) -> Result<Code, Failure> {
    decide(&args.deciding, ReviewDecision::REJECT, session).await
}

/// Refuses a call and tells the model why.
///
/// # Errors
/// If the file cannot be used, or the call does not wait any more.
pub async fn refuse(args: &RefuseArgs, session: &Session) -> Result<Code, Failure> {
    let decision = ReviewDecision::Refuse(args.reason.clone());
    decide(&args.deciding, decision, session).await
}

async fn decide(
    args: &Deciding,
    decision: ReviewDecision,
    session: &Session,
) -> Result<Code, Failure> {
    let store = args.file.open()?;
    let call = find(&store, &args.id).await?;
    if decision.goes_on() {
        check_role(&call, args.role.as_deref())?;
    }
    if decision.goes_on() {
        check_call(&call, &decision, args, session)?;
    }
    let by = args.name.clone().unwrap_or_else(user);
    let mut decided = Decided::new(decision, by, Moment::now());
    decided.role.clone_from(&args.role);
    match store.take(&args.id, &decided).await.map_err(store_failed)? {
        Taken::Won(_) => {}
        Taken::Lost(first) => {
            let decision = serde_json::to_string(&first.decision).unwrap_or_default();
            let text = format!("`{}` has decided about the call: {decision}", first.by);
            return Err(Failure::failed(text));
        }
        Taken::Expired => {
            return Err(Failure::failed(
                "the time for a decision about the call is over",
            ));
        }
        Taken::Unknown => return Err(Failure::failed("the call is no longer in the file")),
    }
    if session.screen.json() {
        session
            .screen
            .print_json(&json!({"id": args.id, "decided": decided}));
    } else {
        session.screen.print(match &decided.decision {
            ReviewDecision::Edit(_) => "approved with an edit",
            other => other.name(),
        });
    }
    Ok(Code::Done)
}

fn check_role(call: &StoredCall, acting: Option<&str>) -> Result<(), Failure> {
    match call.call.required_role.as_deref() {
        Some(required) if acting != Some(required) => Err(Failure::invalid(format!(
            "the decision must come from the role `{required}`: add {}",
            hint::option("role", required.as_ref())
        ))),
        _ => Ok(()),
    }
}

/// Checks the call and its edit as they will be checked when the call runs, if this program has the tool.
fn check_call(
    call: &StoredCall,
    decision: &ReviewDecision,
    args: &Deciding,
    session: &Session,
) -> Result<(), Failure> {
    let pending = &call.call;
    let workspace = pending.workspace.as_deref();
    let here = workspace.map(Path::new).filter(|root| root.is_dir());
    let tools = match (session.tools(&session.root(here)), decision) {
        (Ok(tools), _) => tools,
        (Err(failure), ReviewDecision::Edit(_)) => return Err(failure),
        // Another machine runs the call.
        (Err(_), _) => return Ok(()),
    };
    if !tools.contains(&pending.tool) {
        return Ok(());
    }
    let cx = match workspace {
        Some(workspace) => ToolContext::new().with_workspace(workspace),
        None => ToolContext::new(),
    };
    tools.check_stored(pending, &cx).map_err(|error| {
        let command = hint::on_call("forget", &args.id, &args.file.store);
        Failure::failed(error).and(&format!("reject it, and `{command}` removes it"))
    })?;
    if let ReviewDecision::Edit(edited) = decision {
        let checked = ToolCall::new(&pending.call_id, &pending.tool, edited);
        let reply = tools.check(&checked, &cx);
        if let Some(why) = reply.result.error() {
            return Err(Failure::invalid(why));
        }
    }
    Ok(())
}

fn read_edit(path: &Path) -> Result<String, Failure> {
    let of_input = path == Path::new("-");
    let failed = |error: &dyn std::fmt::Display| {
        let shown = if of_input {
            Path::new("standard input")
        } else {
            path
        };
        Failure::failed(format!("{}: {error}", shown.display()))
    };
    let mut text = String::new();
    let read = if of_input {
        stdin().take(MAX_BYTES + 1).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
    };
    read.map_err(|error| failed(&error))?;
    if u64::try_from(text.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(failed(&"more than 16 MiB of arguments"));
    }
    Ok(text)
}
