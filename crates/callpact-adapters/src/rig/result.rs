//! Replies as results of rig.

use callpact::{Content, Halt, Outcome, ToolReply};
use rig_core::{
    message::{ImageMediaType, MimeType, ToolResultContent},
    tool::{
        ContextValue, ToolContext as RigContext, ToolErrorKind, ToolExecutionError, ToolOutput,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The structured output of a call, for the program's hooks: `event.tool_context()` returns it from
/// `result::<Structured>()`. The model gets the text.
///
/// ```
/// use rig_core::tool::ToolContext;
/// use serde_json::json;
/// use callpact_adapters::rig::Structured;
///
/// # fn main() -> Result<(), rig_core::tool::ToolContextError> {
/// let mut published = ToolContext::new();
/// published.insert_result(Structured(json!({"temperature": 21.5})))?;
/// assert_eq!(published.result::<Structured>()?, Some(Structured(json!({"temperature": 21.5}))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Structured(pub Value);

impl ContextValue for Structured {
    const KEY: &'static str = "callpact.structured";
}

/// Makes the result of a rig tool from a reply.
pub(super) fn outcome(
    reply: &ToolReply,
    images: bool,
    theirs: &mut RigContext,
) -> Result<ToolOutput, ToolExecutionError> {
    if let Some(structured) = reply.result.structured() {
        theirs
            .insert_result(Structured(structured.clone()))
            .map_err(ToolExecutionError::from_error)?;
    }
    let output = output(reply, images)?;
    if reply.is_success() {
        return Ok(output);
    }
    let message = reply.result.error().unwrap_or_default();
    let error = match reply.outcome {
        // rig has an error kind of its own for a refusal.
        Outcome::Refused => ToolExecutionError::refused(message),
        outcome => ToolExecutionError::new(kind(outcome), message),
    };
    let again = reply.outcome == Outcome::InvalidArguments || reply.result.is_retry();
    Err(error.with_retryable(again).with_model_output(output))
}

fn kind(outcome: Outcome) -> ToolErrorKind {
    match outcome {
        Outcome::InvalidArguments => ToolErrorKind::InvalidArgs,
        Outcome::UnknownTool => ToolErrorKind::NotFound,
        Outcome::TimedOut => ToolErrorKind::Timeout,
        Outcome::Refused => ToolErrorKind::PermissionDenied,
        _ => ToolErrorKind::Other,
    }
}

/// The reply for the model: one text, or blocks if there is a picture.
fn output(reply: &ToolReply, images: bool) -> Result<ToolOutput, ToolExecutionError> {
    // A failure is always text.
    if !images || !reply.is_success() || reply.result.content().is_empty() {
        let text = reply.to_text_alone();
        return Ok(ToolOutput::text(if text.trim().is_empty() {
            NOTHING.into()
        } else {
            text
        }));
    }
    let mut blocks: Vec<_> = reply.parts_alone().iter().filter_map(block).collect();
    if blocks.is_empty() {
        blocks.push(ToolResultContent::text(NOTHING));
    }
    ToolOutput::content(blocks)
}

/// The text of an empty result: rig would send a blank block, and some providers refuse it and every
/// later turn.
const NOTHING: &str = "(no output)";

/// A block as it is, or as text; `None` if it is empty.
fn block(part: &Content) -> Option<ToolResultContent> {
    if let Content::Image { mime, data } = part {
        let kind = ImageMediaType::from_mime_type(mime);
        // Every provider that takes images takes these kinds.
        if let Some(ImageMediaType::PNG | ImageMediaType::JPEG | ImageMediaType::WEBP) = kind {
            return Some(ToolResultContent::image_base64(data, kind, None));
        }
    }
    Some(part.to_text())
        .filter(|words| !words.trim().is_empty())
        .map(ToolResultContent::text)
}

/// Wraps a halt in an error of rig, behind which the hook finds it. Without the hook the model reads
/// only that the call was stopped.
pub(super) fn halted(halt: Halt) -> ToolExecutionError {
    ToolExecutionError::cancelled(halt.to_string())
        .with_model_feedback("Error: the call was stopped.")
        .with_source(halt)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use callpact::{PermissionMode, ToolCall, ToolContext, ToolResult, Toolset, tool};

    use super::*;

    /// Waits for ever
    #[tool(read_only)]
    async fn wait() -> String {
        std::future::pending().await
    }

    /// Does what it is told
    #[tool(write)]
    fn act(what: String) -> ToolResult {
        match what.as_str() {
            "fail" => ToolResult::failure("the disk is full"),
            "again" => ToolResult::retry("wait a moment"),
            "crash" => panic!("the inside of the tool"),
            other => ToolResult::success(other),
        }
    }

    /// The result of a call for rig.
    async fn told(
        name: &str,
        arguments: &str,
        cx: &ToolContext,
    ) -> Result<String, ToolExecutionError> {
        let tools = Toolset::builder().tool(Wait).tool(Act).build();
        let call = ToolCall::new("1", name, arguments);
        let reply = tools.expect("nothing conflicts").call(&call, cx).await;
        let output = outcome(&reply.expect("no halt"), false, &mut RigContext::new())?;
        Ok(output.render())
    }

    #[tokio::test]
    async fn no_block_is_blank() {
        let cx = ToolContext::new();
        for blank in [r#"{"what": ""}"#, r#"{"what": " \n"}"#] {
            assert_eq!(told("act", blank, &cx).await.ok().as_deref(), Some(NOTHING));
        }
        let one = |content| block(&content);
        assert_eq!(one(Content::text(" ")), None);
        assert_eq!(one(Content::text("a")), Some(ToolResultContent::text("a")));
    }

    #[tokio::test]
    async fn distinguishes_error_like_success() {
        let cx = ToolContext::new();
        let said = told("act", r#"{"what": "Error: disk full"}"#, &cx).await;
        assert_eq!(
            said.expect("a success"),
            "The tool succeeded. Its output:\nError: disk full"
        );
    }

    #[tokio::test]
    async fn maps_outcome_to_error_kind_and_keeps_reply() {
        let plain = ToolContext::new();
        let denied = ToolContext::new().with_permissions(PermissionMode::Deny);
        let brief = ToolContext::new().with_timeout(Duration::from_millis(10));
        for (cx, name, what, kind, again, words) in [
            (
                &plain,
                "atc",
                "x",
                ToolErrorKind::NotFound,
                false,
                "Unknown tool 'atc'. Available tools: wait, act",
            ),
            (
                &plain,
                "act",
                "",
                ToolErrorKind::InvalidArgs,
                true,
                "what: missing",
            ),
            (
                &denied,
                "act",
                "x",
                ToolErrorKind::PermissionDenied,
                false,
                "not allowed here",
            ),
            (&brief, "wait", "x", ToolErrorKind::Timeout, false, "10"),
            (
                &plain,
                "act",
                "fail",
                ToolErrorKind::Other,
                false,
                "Error: the disk is full",
            ),
            (
                &plain,
                "act",
                "again",
                ToolErrorKind::Other,
                true,
                "wait a moment",
            ),
            (
                &plain,
                "act",
                "crash",
                ToolErrorKind::Other,
                false,
                "crashed",
            ),
        ] {
            let arguments = match what {
                "" => "{}".to_owned(),
                what => serde_json::json!({ "what": what }).to_string(),
            };
            let error = told(name, &arguments, cx).await.expect_err("a failure");
            assert_eq!(error.kind(), kind, "{name} {what}");
            assert_eq!(error.retryable(), Some(again), "{name} {what}");
            let said = error.model_output().render();
            assert!(
                said.starts_with("Error: ") && said.contains(words),
                "{said}"
            );
            // The program's own message has no such mark.
            assert!(
                !error.message().starts_with("Error: "),
                "{}",
                error.message()
            );
            assert!(
                said.contains(error.message()),
                "{said} / {}",
                error.message()
            );
        }
        let fine = told("act", r#"{"what": "done"}"#, &plain).await;
        assert_eq!(fine.expect("no failure"), "done");
    }

    #[test]
    fn a_halt_tells_the_model_nothing() {
        let error = halted(Halt::misconfigured("the key hunter2 is missing"));
        assert_eq!(error.kind(), ToolErrorKind::Cancelled);
        assert_eq!(
            error.model_output().render(),
            "Error: the call was stopped."
        );
    }
}
