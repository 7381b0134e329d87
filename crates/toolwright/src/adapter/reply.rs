//! The reply to a call.

use std::time::Duration;

use crate::{
    input::{Fix, describe_fixes},
    tool::{Outcome, ToolResult},
};

/// The reply to one call.
///
/// [`to_model`](Self::to_model) is the text for the model, cut at the limit of the toolset;
/// [`result`](Self::result) is the whole.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolReply {
    /// The id of the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The outcome.
    pub outcome: Outcome,
    /// The whole result, secrets redacted.
    pub result: ToolResult,
    /// The changes that were made to the arguments before the tool ran.
    pub fixes: Vec<Fix>,
    /// How long it took.
    pub duration: Duration,
    /// The most characters that the model gets.
    pub(crate) limit: Option<usize>,
}

impl ToolReply {
    pub(crate) fn new(call_id: &str, tool: &str, outcome: Outcome, result: ToolResult) -> Self {
        Self {
            call_id: call_id.to_owned(),
            tool: tool.to_owned(),
            outcome,
            result,
            fixes: Vec::new(),
            duration: Duration::ZERO,
            limit: None,
        }
    }

    /// Whether the tool did what it was asked to.
    pub fn is_success(&self) -> bool {
        self.outcome == Outcome::Success
    }

    /// What was changed in the arguments, as a note to put behind the text for the model; `None` where
    /// nothing was.
    ///
    /// A model that is told what it got wrong does it less often in the same conversation.
    pub fn notes(&self) -> Option<String> {
        const SHOWN: usize = 8;
        if self.fixes.is_empty() {
            return None;
        }
        let mut note = "Note: the arguments were read with these changes:".to_owned();
        let lines = describe_fixes(&self.fixes);
        for line in lines.iter().take(SHOWN) {
            note.push_str("\n- ");
            note.push_str(line);
        }
        if lines.len() > SHOWN {
            let more = lines.len() - SHOWN;
            note += "\n- and ";
            note += &more.to_string();
            note += " more";
        }
        Some(note)
    }
}
