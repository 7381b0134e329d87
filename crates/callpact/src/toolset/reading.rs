//! Reads arguments, from the model or from a person who replaced them.

use std::borrow::Cow;

use serde_json::Value;

use super::{entry::Entry, outcome::Ending, secrets};
use crate::{
    adapter::Outcome,
    crash::caught,
    input::{Fix, FixKind, repair::clean_text},
    schema::cut,
    secret::SecretRef,
    tool::{Prepared, ToolContext},
};

/// Arguments that were read.
pub(super) struct Reading<'a> {
    /// Their text, already mended.
    pub(super) arguments: Cow<'a, str>,
    pub(super) prepared: Prepared,
    /// The secrets that the arguments ask for.
    pub(super) secrets: Vec<SecretRef>,
}

/// Reads the arguments, finds their placeholders, and lets the tool check them.
pub(super) fn read<'a>(
    entry: &Entry,
    arguments: Cow<'a, str>,
    cx: &ToolContext,
) -> Result<Reading<'a>, Box<Ending>> {
    let read = caught(|| {
        let prepared = entry
            .tool
            .prepare(&arguments, cx.policy())
            .map_err(|report| Ending::invalid(entry, report))?;
        let mut read = Reading {
            arguments,
            prepared,
            secrets: Vec::new(),
        };
        if read.has_more_in_it(cx) {
            read.look_closer(entry, cx)?;
        }
        entry
            .tool
            .check(&read.prepared)
            .map_err(|reason| Ending::refused(Outcome::Refused, reason))?;
        Ok(read)
    });
    read.unwrap_or_else(|| {
        let reason = "it crashed while it read its arguments";
        Err(Ending::not_run(entry, Outcome::Crash, reason).into())
    })
}

impl Reading<'_> {
    /// Whether the arguments were changed, or may name a secret.
    fn has_more_in_it(&self, cx: &ToolContext) -> bool {
        let is_exact = self.prepared.changes.is_empty() && tells_all(&self.prepared, cx);
        !is_exact || secrets::may_be_named(&self.arguments)
    }

    /// Mends the text, and finds the secrets that the arguments ask for.
    fn look_closer(&mut self, entry: &Entry, cx: &ToolContext) -> Result<(), Box<Ending>> {
        let Self {
            arguments,
            prepared,
            ..
        } = self;
        // From here on the mended text counts: a reviewer decides about it, and it is searched for
        // secrets.
        let tells_all = tells_all(prepared, cx);
        let whole = if tells_all || !secrets::may_be_named(arguments) {
            None
        } else {
            with_all_changes(entry, arguments, prepared, cx)?
        };
        let mut changes: Vec<&Fix> = whole.as_ref().unwrap_or(prepared).changes.iter().collect();
        let escaped = |fix: &Fix| fix.kind == FixKind::DoubleEncoded && fix.path.is_root();
        let of_text = |fix: &Fix| fix.kind.is_textual() || escaped(fix);
        if (prepared.changes.iter().any(of_text) || !tells_all)
            && let Some(clean) = clean_text(arguments, cx.policy())
        {
            // An object whose quotes were escaped is no longer inside a string.
            if clean.starts_with('{') {
                changes.retain(|fix| !escaped(fix));
            }
            *arguments = Cow::Owned(clean);
        }
        if let Some(other) = names_another_tool(&prepared.changes, arguments, &entry.name) {
            let reason = format!(
                "the arguments name the tool '{other}', and the call is of '{}'; \
                 call the one that is meant, with its parameters alone",
                entry.name
            );
            return Err(Ending::refused(Outcome::InvalidArguments, reason).into());
        }
        self.secrets = secrets::find_references(entry, arguments, &changes)
            .map_err(|error| Ending::refused(Outcome::InvalidArguments, error.to_string()))?;
        Ok(())
    }
}

/// The most changes that are checked for a reviewer and for secrets.
pub(super) const CHANGES: usize = 500;

/// Whether a reading reports all its changes. A model could send a million unknown keys, so the reader reports as many
/// changes as issues, and half as many unknown keys of one object.
fn tells_all(prepared: &Prepared, cx: &ToolContext) -> bool {
    prepared.changes.len() < cx.policy().max_issues() / 2
}

/// Reads arguments again with all changes, if the first reading may not report all of them. Nobody may approve
/// changes that are not shown, and a secret must not hide behind an unreported change.
pub(super) fn with_all_changes(
    entry: &Entry,
    arguments: &str,
    prepared: &Prepared,
    cx: &ToolContext,
) -> Result<Option<Prepared>, Box<Ending>> {
    if tells_all(prepared, cx) {
        return Ok(None);
    }
    let policy = cx.policy().with_max_issues(2 * CHANGES);
    let mut whole = entry
        .tool
        .prepare(arguments, &policy)
        .map_err(|report| Ending::invalid(entry, report))?;
    if whole.changes.len() >= CHANGES {
        let reason =
            "its arguments need too many changes to be looked at. Write them as the parameters say";
        return Err(Ending::not_run(entry, Outcome::InvalidArguments, reason).into());
    }
    // The mended parts of the text are mended in these arguments.
    let changes = prepared.changes.iter();
    let of_text = changes.filter(|fix| fix.kind.is_textual());
    whole.changes.splice(0..0, of_text.cloned());
    Ok(Some(whole))
}

/// The name of another tool beside arguments that were wrapped in one more object: `{"name":
/// "other", "arguments": {…}}`. Running this tool with them would be a guess.
fn names_another_tool(fixes: &[Fix], arguments: &str, tool: &str) -> Option<String> {
    if !fixes.iter().any(|fix| fix.kind == FixKind::Wrapped) {
        return None;
    }
    let whole: Value = serde_json::from_str(arguments).ok()?;
    let named = whole
        .get("name")
        .or_else(|| whole.pointer("/function/name"));
    let named = named?.as_str()?;
    (named != tool).then(|| cut(named, 64))
}
