//! The question about a call: the arguments that will run, the changes that were made to them, and a preview by the
//! tool.

use std::borrow::Cow;

use super::{
    canonical::exact_input,
    checked::{CheckedCall, read_all_changes},
    finished::FinishedCall,
    found::FoundCall,
};
use crate::{
    adapter::{Outcome, ToolCall},
    crash::caught,
    input::Fix,
    review::{PREVIEW_CRASHED, has_hidden},
    tool::PendingCall,
};

/// What a reviewer sees of a call besides its arguments.
pub(super) struct CallQuestion {
    /// The differences from the original text: each fix and each default, in words.
    changes: Vec<String>,
    pub(super) preview: Option<String>,
    /// What a person wrote in place of the arguments, without secrets.
    pub(super) edited: Option<Box<str>>,
}

impl CallQuestion {
    /// Makes the question. The call then has the arguments that will run: with every fix and every default written
    /// out, or the original text if nothing was changed.
    pub(super) fn new(
        call: &mut CheckedCall<'_>,
        edited: Option<Box<str>>,
    ) -> Result<Self, Box<FinishedCall>> {
        let FoundCall { entry, cx, .. } = call.found();
        let made = caught(|| {
            let whole = read_all_changes(entry, &call.arguments, &call.input, cx)?;
            let input = whole.as_ref().unwrap_or(&call.input);
            let (of_text, of_values): (Vec<&Fix>, Vec<&Fix>) =
                input.changes.iter().partition(|fix| fix.kind.is_textual());
            let mut changes: Vec<String> = of_values.iter().map(ToString::to_string).collect();
            match of_text.len() {
                0 => {}
                1 => changes.push("the text of the call was mended in 1 place".to_owned()),
                places => changes.push(format!(
                    "the text of the call was mended in {places} places"
                )),
            }
            let preview = entry.tool.preview(input);
            let exact = exact_input(entry, &call.arguments, input, cx);
            Ok((changes, preview, exact))
        });
        let crashed = || {
            let (crash, reason) = (Outcome::Crash, PREVIEW_CRASHED);
            Err(Box::new(FinishedCall::not_run(entry, crash, reason)))
        };
        let (mut changes, preview, exact) = made.unwrap_or_else(crashed)?;
        match exact {
            Ok((canonical, input)) => {
                changes.extend(canonical.defaults);
                call.arguments = canonical.text.into();
                let seen = std::mem::replace(&mut call.input, input);
                call.input.changes = seen.changes;
            }
            Err(defaults) => changes.extend(defaults),
        }
        Ok(Self {
            changes,
            preview,
            edited,
        })
    }

    /// Reads and checks the arguments that a person wrote, like those of a model, and makes the question about them.
    pub(super) fn of_edit<'a>(
        found: FoundCall<'a>,
        text: &str,
    ) -> Result<(CheckedCall<'a>, Self), Box<FinishedCall>> {
        let FoundCall { entry, cx, .. } = found;
        let edited: Box<str> = cx.without_secrets(text).into();
        if cx.captures_content() {
            let name = &entry.name;
            tracing::debug!(target: "callpact", arguments = %edited, "{name}: edited by the reviewer");
        }
        let read = found.read_text(Cow::Owned(text.to_owned()));
        let made = read.and_then(|mut call| {
            let question = Self::new(&mut call, Some(edited.clone()))?;
            Ok((call, question))
        });
        made.map_err(|mut finished| {
            finished.note_edit(Some(edited));
            finished
        })
    }

    /// Whether a reviewer sees more than the original arguments.
    pub(super) fn shows_more(&self) -> bool {
        self.preview.is_some()
            || !self.changes.is_empty()
            || self.edited.as_deref().is_some_and(has_hidden)
    }

    /// The question with the digest of everything that the reviewer sees.
    pub(super) fn describe(
        &self,
        call: &CheckedCall<'_>,
        id: String,
        role: Option<&str>,
    ) -> PendingCall {
        let FoundCall {
            entry,
            cx,
            call: found,
        } = call.found();
        let clean = |text: &str| cx.without_secrets(text).into_owned();
        PendingCall {
            id,
            call_id: cx.call_id().to_owned(),
            tool: entry.name.to_string(),
            // A tool that has a secret may make a call with its value. The stored call has placeholders,
            // so it cannot be resumed.
            arguments: clean(&call.arguments),
            changes: self.changes.iter().map(|change| clean(change)).collect(),
            preview: self.preview.as_deref().map(clean),
            edited: self.edited.as_deref().map(str::to_owned),
            permission: entry.tool.permission(),
            required_role: role.map(str::to_owned),
            workspace: cx.workspace().map(str::to_owned),
            origin: found.origin.clone(),
            digest: entry.digest(
                &call.arguments,
                &self.changes,
                [
                    ("preview", self.preview.as_deref()),
                    ("edited", self.edited.as_deref()),
                    ("workspace", cx.workspace()),
                    ("origin", found.origin.to_text().as_deref()),
                ],
            ),
        }
    }
}

/// The call of a question, with the arguments that run.
pub(super) fn pending_call(pending: &PendingCall, arguments: &str) -> ToolCall {
    let mut call = ToolCall::new(&pending.call_id, &pending.tool, arguments);
    call.origin = pending.origin.clone();
    call
}
