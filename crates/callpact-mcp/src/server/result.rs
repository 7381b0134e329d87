//! The results of calls in the form of the protocol.

use callpact::{Content, Halt, PendingCall, ToolReply};
use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, ResourceContents},
};
use serde_json::json;

use super::listing::{OutputForm, RESULT};

/// Makes the result that the model sees.
pub(super) fn describe_result(reply: &ToolReply, form: OutputForm) -> CallToolResult {
    let mut content: Vec<ContentBlock> = reply.parts().into_iter().map(describe_block).collect();
    let structured = reply.bounded_structured();
    if let Err(words) = &structured {
        content.push(ContentBlock::text(words));
    }
    let mut result = if reply.is_success() && structured.is_ok() {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    let structured = structured.unwrap_or_default();
    result.structured_content = structured.and_then(|value| match form {
        OutputForm::Object if !value.is_object() => None,
        OutputForm::Object | OutputForm::Any => Some(value.clone()),
        OutputForm::Wrapped => Some(json!({RESULT: value})),
    });
    result
}

/// Makes the result of a call that waits in the store.
pub(super) fn describe_waiting(pending: &PendingCall, page: Option<&str>) -> CallToolResult {
    let place = page.map_or_else(String::new, |page| format!(" at {page}"));
    let text = format!(
        "Error: the call waits for a decision{place} under the id {}. It runs when somebody has approved it; \
         do not make it again",
        pending.id
    );
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Makes a content block of the protocol.
fn describe_block(part: Content) -> ContentBlock {
    match part {
        Content::Text { text } => ContentBlock::text(text),
        Content::Image { mime, data } => ContentBlock::image(data, mime),
        Content::Audio { mime, data } => ContentBlock::audio(data, mime),
        Content::Resource { uri, mime, text } => {
            ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime))
        }
        Content::Blob { uri, mime, data } => {
            ContentBlock::resource(ResourceContents::blob(data, uri).with_mime_type(mime))
        }
        other => ContentBlock::text(other.to_text()),
    }
}

/// Makes the result of a call that the server did not carry out, in words for the model and for the person who reads
/// with it. Only a client that cancels a call gets an error of the protocol, since many agents end at one.
pub(super) fn describe_halt(halt: &Halt) -> Result<CallToolResult, ErrorData> {
    let text = match halt {
        Halt::Cancelled => return Err(ErrorData::invalid_request("the call was cancelled", None)),
        Halt::Pending(_) => {
            "Error: a person has to allow this call, and this client cannot ask. Go on without it.\n\nA person can \
             allow such calls with a client that shows the questions of servers (elicitation), at a desk of the server \
             if it keeps calls that wait in a store, or by a server that leaves the confirmation to its client."
        }
        Halt::ExitEarly { .. } | Halt::ReviewFailed(_) => {
            "Error: the call was not approved. Go on without it."
        }
        // The reason may name what only the program should know.
        _ => {
            "Error: the server is not set up for this call, or nobody can be asked about it. Go on without it.\n\nThe \
             log of the server has the reason."
        }
    };
    Ok(CallToolResult::error(vec![ContentBlock::text(text)]))
}
