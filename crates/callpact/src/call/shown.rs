//! What a person saw of a call. It must still be true when the call runs.

use super::{finished::FinishedCall, masks};
use crate::{
    adapter::Outcome,
    crash::caught,
    review::{PREVIEW_CHANGED, Preview},
    secret::Redactor,
    tool::ParsedInput,
    toolset::ToolEntry,
};

/// The preview that a person saw before they decided about a call.
pub(super) struct ShownPreview {
    preview: Option<Preview>,
    /// Removes the values of secret parameters from a preview.
    redactor: Redactor,
    /// Whether nobody saw the effect of the call, though it has a preview.
    blind: bool,
    /// The input of the preview, if the call runs with another one.
    input: Option<ParsedInput>,
}

impl ShownPreview {
    pub(super) fn new(preview: Option<Preview>) -> Self {
        Self {
            preview,
            redactor: Redactor::none(),
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

    /// Takes the secret parameters of the call into account.
    pub(super) fn hiding(mut self, entry: &ToolEntry, arguments: &str) -> Self {
        self.redactor = masks::redactor(entry.tool.parameters().tree(), arguments);
        self
    }

    /// Keeps the input that was shown. The call runs with another input, which holds the values of secrets.
    pub(super) fn keep(&mut self, input: ParsedInput) {
        self.input.get_or_insert(input);
    }

    /// Makes the preview again. Gives the end of the call if the preview differs or cannot be made.
    pub(super) fn check(&self, entry: &ToolEntry, runs: &ParsedInput) -> Option<FinishedCall> {
        if self.blind {
            let reason = "a person edited it and was not shown what the edited call does. Make the call again if \
                 it is still needed";
            return Some(FinishedCall::not_run(entry, Outcome::Refused, reason));
        }
        let input = self.input.as_ref().unwrap_or(runs);
        let again = caught(|| {
            let preview = entry.tool.preview(input);
            preview.map(|preview| preview.redacted(&self.redactor))
        });
        let (outcome, reason) = match again {
            Some(preview) if preview == self.preview => return None,
            Some(_) => (Outcome::Refused, PREVIEW_CHANGED),
            None => (Outcome::Crash, "it crashed while it made its preview again"),
        };
        Some(FinishedCall::not_run(entry, outcome, reason))
    }
}
