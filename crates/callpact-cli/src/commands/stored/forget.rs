//! `callpact forget`.

use callpact::{
    ToolContext,
    call::{ResumeError, forget_stored},
};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

use super::{StoreFile, find_id, not_found};
use crate::{
    complete,
    exit::{Code, Failure},
    session::Session,
};

/// Arguments of `forget`.
#[derive(Debug, Args)]
#[command(
    after_long_help = "For a call that is damaged, whose tool is gone, or that is settled; an approved one does not run any \
more. A call that waits for a decision is rejected first; one that a process has claimed is not removed before its \
claim is over."
)]
pub struct ForgetArgs {
    /// The id of the call, or how it begins
    #[arg(add = ArgValueCandidates::new(complete::call_ids))]
    pub id: String,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub file: StoreFile,
}

/// Removes a call that nobody needs any more.
///
/// # Errors
/// If the file cannot be used or has no such call, and if the call waits or runs.
pub async fn forget(args: &ForgetArgs, session: &Session) -> Result<Code, Failure> {
    let (store, _) = args.file.open(session).await?;
    let id = find_id(&store, &args.id).await?;
    let cx = ToolContext::new().with_store(store);
    match forget_stored(&id, &cx).await {
        Ok(()) if session.screen.json() => {
            session
                .screen
                .print_json(&json!({"id": id, "forgotten": true}));
        }
        Ok(()) => session.screen.print("forgotten"),
        Err(ResumeError::NotFound) => return Err(not_found(&id)),
        Err(error @ ResumeError::Waiting) => {
            return Err(Failure::failed(format!("{error}; reject it first")));
        }
        Err(error) => return Err(Failure::failed(error)),
    }
    Ok(Code::Done)
}
