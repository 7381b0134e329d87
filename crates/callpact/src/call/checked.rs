//! The third step of a call: its secrets are known, and its tool has checked it.

use std::{borrow::Cow, sync::Arc};

use serde_json::Value;

use super::{
    canonical::{CHANGES, noting_changes},
    finished::FinishedCall,
    found::FoundCall,
    key::{has_keys, make_key},
    parsed::ParsedCall,
    secrets,
};
use crate::{
    adapter::Outcome,
    crash::caught,
    input::{Fix, FixKind, repair::clean_text},
    schema::cut,
    secret::SecretRef,
    tool::{ParsedInput, ToolContext, compact},
    toolset::ToolEntry,
};

/// A call whose arguments may run.
pub(super) struct CheckedCall<'a> {
    pub(super) found: FoundCall<'a>,
    /// The text of the arguments, repaired.
    pub(super) arguments: Cow<'a, str>,
    pub(super) input: ParsedInput,
    /// The secrets that the arguments ask for.
    pub(super) secrets: Vec<SecretRef>,
}

impl<'a> FoundCall<'a> {
    /// Reads and checks the arguments of the model.
    #[inline]
    pub(super) fn read(self) -> Result<CheckedCall<'a>, Box<FinishedCall>> {
        self.read_text(Cow::Borrowed(&self.call.arguments))
    }

    /// Reads and checks these arguments, such as those that a person wrote in place of the model's.
    pub(super) fn read_text(
        self,
        arguments: Cow<'a, str>,
    ) -> Result<CheckedCall<'a>, Box<FinishedCall>> {
        let read = caught(|| self.parse(arguments)?.check());
        read.unwrap_or_else(|| {
            let reason = "it crashed while it read its arguments";
            Err(FinishedCall::not_run(self.entry, Outcome::Crash, reason).into())
        })
    }

    /// The key of a call that its tool refuses.
    pub(super) fn key_of_refused(self) -> Option<Arc<str>> {
        if !has_keys(self.cx) {
            return None;
        }
        let arguments = Cow::Borrowed(&*self.call.arguments);
        let call = caught(|| self.parse(arguments)?.find_secrets());
        call?.ok()?.make_key().ok()?
    }
}

impl<'a> ParsedCall<'a> {
    /// Finds the placeholders of secrets, and lets the tool check its input.
    #[inline]
    pub(super) fn check(self) -> Result<CheckedCall<'a>, Box<FinishedCall>> {
        let call = self.find_secrets()?;
        let checked = call.found.entry.tool.check(&call.input);
        checked.map_err(|reason| FinishedCall::refused(Outcome::Refused, reason))?;
        Ok(call)
    }

    #[inline]
    fn find_secrets(self) -> Result<CheckedCall<'a>, Box<FinishedCall>> {
        let (found, arguments, input) = self.into_parts();
        let mut call = CheckedCall {
            found,
            arguments,
            input,
            secrets: Vec::new(),
        };
        if call.has_more_in_it() {
            call.look_closer()?;
        }
        Ok(call)
    }
}

impl CheckedCall<'_> {
    /// Whether two calls have the same value and the same text, apart from blanks.
    pub(super) fn is_equal(&self, other: &Self) -> bool {
        self.arguments == other.arguments
            || !self.input.is_text() && compact(&self.arguments) == compact(&other.arguments)
    }

    /// Makes the key under which the call runs once, if the calls of its context have keys.
    #[inline]
    pub(super) fn make_key(&self) -> Result<Option<Arc<str>>, Box<FinishedCall>> {
        let FoundCall { entry, cx, .. } = self.found;
        if !has_keys(cx) {
            return Ok(None);
        }
        let key = caught(|| make_key(entry, &self.arguments, &self.input, cx));
        key.map(Some).ok_or_else(|| {
            let reason = "it crashed while it read its arguments";
            FinishedCall::not_run(entry, Outcome::Crash, reason).into()
        })
    }

    /// Whether the arguments were changed, or may name a secret.
    fn has_more_in_it(&self) -> bool {
        let is_exact =
            self.input.changes.is_empty() && reports_all_changes(&self.input, self.found.cx);
        !is_exact || secrets::may_be_named(&self.arguments)
    }

    /// Repairs the text, and finds the secrets that the arguments ask for.
    fn look_closer(&mut self) -> Result<(), Box<FinishedCall>> {
        let FoundCall { entry, cx, .. } = self.found;
        let Self {
            arguments, input, ..
        } = self;
        // From here on the repaired text counts: a reviewer decides about it, and it is searched for
        // secrets.
        let reports_all = reports_all_changes(input, cx);
        let whole = if reports_all || !secrets::may_be_named(arguments) {
            None
        } else {
            read_all_changes(entry, arguments, input, cx)?
        };
        let mut changes: Vec<&Fix> = whole.as_ref().unwrap_or(input).changes.iter().collect();
        let escaped = |fix: &Fix| fix.kind == FixKind::DoubleEncoded && fix.path.is_root();
        let of_text = |fix: &Fix| fix.kind.is_textual() || escaped(fix);
        if (input.changes.iter().any(of_text) || !reports_all)
            && let Some(clean) = clean_text(arguments, cx.policy())
        {
            // An object whose quotes were escaped is no longer inside a string.
            if clean.starts_with('{') {
                changes.retain(|fix| !escaped(fix));
            }
            *arguments = Cow::Owned(clean);
        }
        if let Some(other) = names_another_tool(&input.changes, arguments, &entry.name) {
            let reason = format!(
                "the arguments name the tool '{other}', and the call is of '{}'; \
                 call the one that is meant, with its parameters alone",
                entry.name
            );
            return Err(FinishedCall::refused(Outcome::InvalidArguments, reason).into());
        }
        let found = secrets::find_references(entry, arguments, &changes);
        self.secrets = found
            .map_err(|error| FinishedCall::refused(Outcome::InvalidArguments, error.to_string()))?;
        Ok(())
    }
}

/// Whether a reading reports all its changes. A model could send a million unknown keys, so the reader reports as many
/// changes as issues, and half as many unknown keys of one object.
fn reports_all_changes(input: &ParsedInput, cx: &ToolContext) -> bool {
    input.changes.len() < cx.policy().max_issues() / 2
}

/// Reads arguments again with all changes, if the first reading may not report all of them. Nobody may approve
/// changes that are not shown, and a secret must not hide behind an unreported change.
pub(super) fn read_all_changes(
    entry: &ToolEntry,
    arguments: &str,
    input: &ParsedInput,
    cx: &ToolContext,
) -> Result<Option<ParsedInput>, Box<FinishedCall>> {
    if reports_all_changes(input, cx) {
        return Ok(None);
    }
    let policy = noting_changes(cx.policy());
    let mut whole = entry
        .tool
        .prepare(arguments, &policy)
        .map_err(|report| FinishedCall::invalid(entry, report))?;
    if whole.changes.len() >= CHANGES {
        let reason =
            "its arguments need too many changes to be looked at. Write them as the parameters say";
        return Err(FinishedCall::not_run(entry, Outcome::InvalidArguments, reason).into());
    }
    // These arguments are already repaired, so the second reading does not report the repairs.
    let changes = input.changes.iter();
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
