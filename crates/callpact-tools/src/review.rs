//! The question that a tool puts to the reviewer of a call.

use callpact::review::{ReviewDecision, ReviewRequest, has_hidden};
use callpact::secret::placeholders;
use callpact::{Halt, ToolContext, ToolError};

/// The most characters of a text in the one-line description of the question. The whole text is the
/// action of the request.
const SHOWN: usize = 200;
/// The most edits of one question that are asked about.
const EDITS: usize = 8;

/// Asks the reviewer. `Some` is the text that the reviewer wrote in place of the model's; if the
/// reviewer refuses, the call fails with `rejected`. An edit with hidden characters is asked about once more.
pub(crate) async fn ask_reviewer(
    cx: &ToolContext,
    request: ReviewRequest,
    rejected: impl FnOnce() -> String,
) -> Result<Option<String>, ToolError> {
    let (mut request, mut edit) = (request, None);
    for _ in 0..EDITS {
        match cx.require_review(request).await? {
            ReviewDecision::Continue => return Ok(edit),
            ReviewDecision::Edit(text) => {
                let text = without_secret_names(text)?;
                if !has_hidden(&text) {
                    return Ok(Some(text));
                }
                request = ReviewRequest::new(
                    "A person edited it, and the edit has characters that are not seen",
                )
                .action(&text);
                edit = Some(text);
            }
            ReviewDecision::Refuse(reason) if !reason.trim().is_empty() => {
                return Err(ToolError::failed(format!(
                    "{}: {}",
                    rejected(),
                    reason.trim()
                )));
            }
            _ => break,
        }
    }
    Err(ToolError::failed(rejected()))
}

/// The text, unless it names a secret. The secrets of the call are already resolved; another name would
/// be taken for plain text, and sent or run unchanged.
fn without_secret_names(text: String) -> Result<String, Halt> {
    if placeholders(&text).next().is_none() {
        return Ok(text);
    }
    Err(Halt::ReviewFailed(
        "the reviewer's text cannot be used: it names a secret that the call does not have"
            .to_owned(),
    ))
}

/// The start of a text, for the one-line description of the question.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
