//! The question about a call: the arguments that will run, the changes that were made to them, and a preview by the
//! tool.

use std::borrow::Cow;

use super::{
    canonical::exact_input,
    checked::{CheckedCall, read_all_changes},
    finished::FinishedCall,
    found::FoundCall,
    json_edit::{JsonNode, pointer_part},
    masks,
};
use crate::{
    adapter::{Outcome, ToolCall},
    crash::caught,
    input::{Fix, Step, WrittenArguments},
    review::{CallFacts, FieldMark, MarkKind, PREVIEW_CRASHED, Preview, has_hidden, summarize},
    tool::{PendingCall, compact},
};

/// What a reviewer sees of a call besides its arguments.
pub(super) struct CallQuestion {
    /// The differences from the original text: each fix and each default, in words.
    changes: Vec<String>,
    /// Without the values of secret parameters.
    pub(super) preview: Option<Preview>,
    marks: Vec<FieldMark>,
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
        let FoundCall { entry, cx, .. } = call.found;
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
            let mut marks: Vec<FieldMark> = of_values.iter().map(|fix| mark_fix(fix)).collect();
            if let Some(change) = changes.get(of_values.len()) {
                marks.push(FieldMark::new("", MarkKind::Fixed, change));
            }
            let preview = entry.tool.preview(input);
            let exact = exact_input(entry, &call.arguments, input, cx);
            Ok((changes, marks, preview, exact))
        });
        let crashed = || {
            let (crash, reason) = (Outcome::Crash, PREVIEW_CRASHED);
            Err(Box::new(FinishedCall::not_run(entry, crash, reason)))
        };
        let (mut changes, mut marks, preview, exact) = made.unwrap_or_else(crashed)?;
        let (written, input) = match exact {
            Ok((written, input)) => (Some(written), Some(input)),
            Err(written) => (written, None),
        };
        let WrittenArguments { text, defaults, .. } = written.unwrap_or_default();
        for (path, json) in defaults {
            let place = pointer(path.steps());
            marks.push(FieldMark::new(place, MarkKind::Default, ""));
            changes.push(match json {
                Some(json) => format!("{path}: {json} by default"),
                None => format!("{path}: the default"),
            });
        }
        if let Some(input) = input {
            call.arguments = text.into();
            let seen = std::mem::replace(&mut call.input, input);
            call.input.changes = seen.changes;
        }
        let redactor = masks::redactor(entry.tool.parameters().tree(), &call.arguments);
        Ok(Self {
            changes,
            preview: preview.map(|preview| preview.redacted(&redactor)),
            marks,
            edited,
        })
    }

    /// Reads and checks the arguments that a person wrote, like those of a model, and makes the question about them.
    /// The masks of `before`, which the person saw, are replaced by its values.
    pub(super) fn of_edit<'a>(
        found: FoundCall<'a>,
        text: &str,
        before: &str,
    ) -> Result<(CheckedCall<'a>, Self), Box<FinishedCall>> {
        let FoundCall { entry, cx, .. } = found;
        let parameters = entry.tool.parameters();
        let text = masks::restore(parameters.tree(), text, before);
        let edited: Box<str> = masks::masked(parameters.tree(), &cx.without_secrets(&text)).into();
        if cx.captures_content() {
            let name = &entry.name;
            tracing::debug!(target: "callpact", arguments = %edited, "{name}: edited by the reviewer");
        }
        let read = found.read_text(Cow::Owned(text.into_owned()));
        let made = read.and_then(|mut call| {
            let mut question = Self::new(&mut call, Some(edited.clone()))?;
            question.marks.extend(mark_edits(before, &call.arguments));
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
        } = call.found;
        let parameters = entry.tool.parameters();
        let hidden = masks::mask(parameters.tree(), &call.arguments);
        let hints = entry.tool.hints();
        let mut marks = self.marks.clone();
        if let Some(hidden) = &hidden {
            let places = hidden.places.iter();
            marks.extend(places.map(|place| FieldMark::new(place, MarkKind::Secret, "")));
        }
        let shown = hidden
            .as_ref()
            .map_or(&*call.arguments, |hidden| &hidden.text);
        let facts = CallFacts {
            title: hints.title.map(Cow::into_owned),
            about: entry.tool.description().to_owned(),
            server: hints.server,
            agent: cx.named_role().map(str::to_owned),
            run: cx.run_name().map(str::to_owned),
            turn: cx.turn(),
            summary: summarize(shown, self.preview.as_ref()),
            marks,
        };
        let mut pending = PendingCall {
            id,
            call_id: cx.call_id().to_owned(),
            tool: entry.name.to_string(),
            arguments: call.arguments.clone().into_owned(),
            masked: hidden.map(|hidden| hidden.text),
            changes: self.changes.clone(),
            preview: self.preview.clone(),
            edited: self.edited.as_deref().map(str::to_owned),
            facts,
            permission: entry.tool.permission(),
            required_role: role.map(str::to_owned),
            workspace: cx.workspace().map(str::to_owned),
            origin: found.origin.clone(),
            digest: String::new(),
        };
        pending.digest = entry.digest(&pending);
        // A tool that has a secret may make a call with its value. The stored call has placeholders,
        // so it cannot be resumed.
        if let Some(redactor) = cx.redactor() {
            let texts = [&mut pending.arguments, &mut pending.facts.summary];
            let texts = texts.into_iter().chain(&mut pending.masked);
            let marks = pending.facts.marks.iter_mut();
            for text in texts
                .chain(&mut pending.changes)
                .chain(marks.map(|mark| &mut mark.reason))
            {
                redactor.clean(text);
            }
            let preview = pending.preview.take();
            pending.preview = preview.map(|preview| preview.redacted(&redactor));
        }
        pending
    }
}

/// The call of a question, with the arguments that run.
pub(super) fn pending_call(pending: &PendingCall, arguments: &str) -> ToolCall {
    let mut call = ToolCall::new(&pending.call_id, &pending.tool, arguments);
    call.origin = pending.origin.clone();
    call
}

/// The mark of a fix.
fn mark_fix(fix: &Fix) -> FieldMark {
    FieldMark::new(pointer(fix.path.steps()), MarkKind::Fixed, fix.reason())
}

/// A path as a JSON pointer.
fn pointer(steps: &[Step]) -> String {
    let parts = steps.iter().map(|step| match step {
        Step::Key(key) => pointer_part(key),
        Step::Index(index) => format!("/{index}"),
    });
    parts.collect()
}

/// The marks of the arguments that a person changed.
fn mark_edits(before: &str, after: &str) -> Vec<FieldMark> {
    let (Some(mut before), Some(mut after)) = (JsonNode::json(before), JsonNode::json(after))
    else {
        return Vec::new();
    };
    let (Some(before), Some(after)) = (before.object(), after.object()) else {
        return Vec::new();
    };
    let is_same = |key: &str, value: &JsonNode| {
        let mut before = before.iter();
        let before = before.find(|(other, _)| other == key);
        before.is_some_and(|(_, old)| compact(&old.to_text()) == compact(&value.to_text()))
    };
    let edited = after.iter().filter(|(key, value)| !is_same(key, value));
    edited
        .map(|(key, _)| {
            let place = pointer(&[Step::Key(key.clone())]);
            FieldMark::new(place, MarkKind::Edited, "")
        })
        .collect()
}
