//! What a person saw of a call. It must still be true when the call runs.

use super::finished::FinishedCall;
use crate::{
    adapter::Outcome, crash::caught, review::PREVIEW_CHANGED, tool::ParsedInput, toolset::Entry,
};

/// The preview that a person saw before they decided about a call.
pub(super) struct ShownPreview {
    preview: Option<String>,
    /// Whether nobody saw the effect of the call, though it has a preview.
    blind: bool,
    /// The input of the preview, if the call runs with another one.
    input: Option<ParsedInput>,
}

impl ShownPreview {
    pub(super) fn new(preview: Option<String>) -> Self {
        Self {
            preview,
            blind: false,
            input: None,
        }
    }

    /// Nobody saw the effect of the call: somebody edited it without access to the tool.
    pub(super) fn nothing() -> Self {
        Self {
            blind: true,
            ..Self::new(None)
        }
    }

    /// Keeps the input that was shown. The call runs with another input, which holds the values of secrets.
    pub(super) fn keep(&mut self, input: ParsedInput) {
        self.input.get_or_insert(input);
    }

    /// Makes the preview again. Gives the end of the call if the preview differs or cannot be made.
    pub(super) fn check(&self, entry: &Entry, runs: &ParsedInput) -> Option<FinishedCall> {
        if self.blind {
            let reason = "a person edited it and was not shown what the edited call does. Make the call again if \
                 it is still needed";
            return Some(FinishedCall::not_run(entry, Outcome::Refused, reason));
        }
        let input = self.input.as_ref().unwrap_or(runs);
        let (outcome, reason) = match caught(|| entry.tool.preview(input)) {
            Some(preview) if preview == self.preview => return None,
            Some(_) => (Outcome::Refused, PREVIEW_CHANGED),
            None => (Outcome::Crash, "it crashed while it made its preview again"),
        };
        Some(FinishedCall::not_run(entry, outcome, reason))
    }
}
