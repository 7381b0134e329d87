//! A proposal to a reviewer: the changes that were made to the arguments that will run, and a preview by the tool.

use super::{
    canonical::exact_input,
    entry::Entry,
    outcome::Ending,
    reading::{Reading, with_all_changes},
};
use crate::{
    adapter::Outcome,
    crash::caught,
    input::Fix,
    review::has_hidden,
    tool::{PendingCall, ToolContext},
};

/// What a reviewer sees of a call besides its arguments.
pub(super) struct Proposal {
    /// The differences from the original text: each fix and each default, in words.
    changes: Vec<String>,
    pub(super) preview: Option<String>,
    /// What a person wrote in place of the arguments, without secrets.
    pub(super) edited: Option<Box<str>>,
}

impl Proposal {
    /// Makes the proposal. The reading then has the arguments that will run: with every fix and every default
    /// written out, or the original text if nothing was changed.
    pub(super) fn new(
        entry: &Entry,
        read: &mut Reading<'_>,
        edited: Option<Box<str>>,
        cx: &ToolContext,
    ) -> Result<Self, Box<Ending>> {
        let made = caught(|| {
            let whole = with_all_changes(entry, &read.arguments, &read.prepared, cx)?;
            let prepared = whole.as_ref().unwrap_or(&read.prepared);
            let (of_text, of_values): (Vec<&Fix>, Vec<&Fix>) = prepared
                .changes
                .iter()
                .partition(|fix| fix.kind.is_textual());
            let mut changes: Vec<String> = of_values.iter().map(ToString::to_string).collect();
            match of_text.len() {
                0 => {}
                1 => changes.push("the text of the call was mended in 1 place".to_owned()),
                places => changes.push(format!(
                    "the text of the call was mended in {places} places"
                )),
            }
            let preview = entry.tool.preview(prepared);
            Ok((
                changes,
                preview,
                exact_input(entry, &read.arguments, prepared, cx),
            ))
        });
        let crashed = || {
            let reason = "it crashed while it made its preview";
            Err(Box::new(Ending::not_run(entry, Outcome::Crash, reason)))
        };
        let (mut changes, preview, exact) = made.unwrap_or_else(crashed)?;
        match exact {
            Ok((canonical, input)) => {
                changes.extend(canonical.defaults);
                read.arguments = canonical.text.into();
                let seen = std::mem::replace(&mut read.prepared, input);
                read.prepared.changes = seen.changes;
            }
            Err(defaults) => changes.extend(defaults),
        }
        Ok(Self {
            changes,
            preview,
            edited,
        })
    }

    /// Whether a reviewer sees more than the original arguments.
    pub(super) fn says_more(&self) -> bool {
        self.preview.is_some()
            || !self.changes.is_empty()
            || self.edited.as_deref().is_some_and(has_hidden)
    }

    /// The question, with the digest of what the reviewer sees.
    pub(super) fn describe(
        &self,
        entry: &Entry,
        read: &Reading<'_>,
        id: String,
        role: Option<&str>,
        cx: &ToolContext,
    ) -> PendingCall {
        let clean = |text: &str| cx.without_secrets(text).into_owned();
        PendingCall {
            id,
            call_id: cx.call_id().to_owned(),
            tool: entry.name.to_string(),
            // A tool that has a secret may make a call with its value. The stored call has placeholders,
            // so it cannot be resumed.
            arguments: clean(&read.arguments),
            changes: self.changes.iter().map(|change| clean(change)).collect(),
            preview: self.preview.as_deref().map(clean),
            edited: self.edited.as_deref().map(str::to_owned),
            permission: entry.tool.permission(),
            required_role: role.map(str::to_owned),
            workspace: cx.workspace().map(str::to_owned),
            digest: entry.digest(
                &read.arguments,
                &self.changes,
                [
                    ("preview", self.preview.as_deref()),
                    ("edited", self.edited.as_deref()),
                    ("workspace", cx.workspace()),
                ],
            ),
        }
    }
}
