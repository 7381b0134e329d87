//! What a person saw of a call, which must still hold when the call runs.

use super::{entry::Entry, outcome::Ending};
use crate::{adapter::Outcome, crash::caught, tool::Prepared};

/// The preview that a person saw before they decided about a call.
pub(super) struct Shown {
    preview: Option<String>,
    /// The input of which it is the preview, where the call runs with another one.
    input: Option<Prepared>,
}

impl Shown {
    pub(super) fn new(preview: Option<String>) -> Self {
        let input = None;
        Self { preview, input }
    }

    /// Keeps the input that was shown. The call runs with another one: an edit, or one with values of secrets.
    pub(super) fn keep(&mut self, input: Prepared) {
        self.input.get_or_insert(input);
    }

    /// Makes the preview again. Gives the end of the call if it is another one now, or cannot be made.
    pub(super) fn check(&self, entry: &Entry, runs: &Prepared) -> Option<Ending> {
        let input = self.input.as_ref().unwrap_or(runs);
        let (outcome, reason) = match caught(|| entry.tool.preview(input)) {
            Some(preview) if preview == self.preview => return None,
            Some(_) => (
                Outcome::Refused,
                "what it would do has changed since it was shown for approval. Make the call again if it \
                 is still needed",
            ),
            None => (Outcome::Crash, "it crashed while it made its preview again"),
        };
        Some(Ending::not_run(entry, outcome, reason))
    }
}
