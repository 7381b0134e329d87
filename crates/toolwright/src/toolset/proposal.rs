//! A proposal to a reviewer: the arguments that will run, the changes that were made to them, and a
//! preview by the tool.

use super::{canonical::exact_input, entry::Entry};
use crate::{
    input::Fix,
    tool::{Prepared, ToolContext},
};

/// A call as a reviewer sees it.
pub(super) struct Proposal {
    /// The arguments that will run. They are the text of the model, unchanged, where nothing in them was
    /// changed.
    pub(super) arguments: String,
    /// The differences from the model's text: each fix and each default, in words.
    pub(super) changes: Vec<String>,
    pub(super) preview: Option<String>,
}

impl Proposal {
    /// Makes the proposal. Gives also the input that was read from its arguments, where they differ from
    /// the text of the model.
    pub(super) fn new(
        entry: &Entry,
        arguments: &str,
        prepared: &Prepared,
        cx: &ToolContext,
    ) -> (Self, Option<Prepared>) {
        let (of_text, of_values): (Vec<&Fix>, Vec<&Fix>) =
            prepared.changes().partition(|fix| fix.kind.is_textual());
        let mut changes: Vec<String> = of_values.iter().map(ToString::to_string).collect();
        match of_text.len() {
            0 => {}
            1 => changes.push("the text of the call was mended in 1 place".to_owned()),
            places => changes.push(format!(
                "the text of the call was mended in {places} places"
            )),
        }
        let preview = entry.tool.preview(prepared);
        let (text, defaults, input) = match exact_input(entry, arguments, prepared, cx) {
            Ok((canonical, input)) => (canonical.text, canonical.defaults, Some(input)),
            Err(defaults) => (arguments.to_owned(), defaults, None),
        };
        changes.extend(defaults);
        let proposal = Self {
            arguments: text,
            changes,
            preview,
        };
        (proposal, input)
    }
}
