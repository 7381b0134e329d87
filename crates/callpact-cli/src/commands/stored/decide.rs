//! `callpact approve`, `callpact reject` and `callpact refuse`.

use std::path::PathBuf;

use callpact::{
    ReviewDecision,
    identity::Identity,
    store::{CallState, CallStore, Decided, Moment, StoredCall, Taken},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

use super::{
    StoreFile,
    edit::{check_call, print_edited, read_edit},
    find, store_failed, user,
};
use crate::{
    commands::tokens::parse_words,
    complete,
    exit::{Code, Failure},
    hint,
    session::Session,
};

/// The call, and who decides about it.
#[derive(Debug, Args)]
pub struct Deciding {
    /// The id of the call, or how it begins
    #[arg(add = ArgValueCandidates::new(complete::call_ids))]
    pub id: String,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
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
#[command(
    after_long_help = "The call runs at the next `callpact resume`. The first decision counts."
)]
pub struct ApproveArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub deciding: Deciding,
    /// Let the call run with the arguments in this file instead, and print what it does then; - is standard input
    #[arg(long, value_name = "FILE")]
    pub edit: Option<PathBuf>,
}

/// Arguments of `reject`.
#[derive(Debug, Args)]
#[command(
    after_long_help = "A tool that asks by itself, such as `shell`, fails instead, and its model is told."
)]
pub struct RejectArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub deciding: Deciding,
}

/// Arguments of `refuse`.
#[derive(Debug, Args)]
pub struct RefuseArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
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
    let (store, file) = args.file.open(session).await?;
    let call = find(&store, &args.id).await?;
    let text = match &decision {
        ReviewDecision::Edit(text) => Some(&**text),
        _ => None,
    };
    let mut edited = None;
    if decision.goes_on() {
        check_role(&call, args.role.as_deref())?;
        edited = check_call(&call.call, text, &file, session)?;
    }
    let by = args.name.clone().unwrap_or_else(user);
    let mut decided = Decided::new(decision, by, Moment::now());
    decided.role.clone_from(&args.role);
    decided.edited = edited.map(Box::new);
    let id = &call.call.id;
    match store.take(id, &decided).await.map_err(store_failed)? {
        Taken::Won(_) => {}
        Taken::Lost(first) => return Err(decided_before(&first)),
        Taken::Expired => return Err(too_late()),
        Taken::Unknown => return Err(Failure::failed("the call is no longer in the file")),
    }
    if session.screen.json() {
        session
            .screen
            .print_json(&json!({"id": id, "decided": decided}));
    } else {
        if let Some(edited) = &decided.edited {
            print_edited(edited, &session.screen);
        }
        session.screen.print(match &decided.decision {
            ReviewDecision::Edit(_) => "approved with an edit",
            other => other.name(),
        });
    }
    Ok(Code::Done)
}

/// Checks that somebody may still decide about a call.
pub(super) fn check_open(call: &StoredCall, now: Moment) -> Result<(), Failure> {
    match (&call.decision, call.state(now)) {
        (Some(first), _) => Err(decided_before(first)),
        (None, CallState::Expired) => Err(too_late()),
        (None, _) => Ok(()),
    }
}

fn decided_before(first: &Decided) -> Failure {
    let decision = serde_json::to_string(&first.decision).unwrap_or_default();
    Failure::failed(format!(
        "`{}` has decided about the call: {decision}",
        first.by
    ))
}

fn too_late() -> Failure {
    Failure::failed("the time for a decision about the call is over")
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
