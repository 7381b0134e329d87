//! The arguments of a call as they will run: the text of the model with every fix applied and every
//! default written out.
//!
//! The checker writes the changed text, from which the reader makes the value. The result is not trusted: it counts
//! only if the reader accepts it under the exact policy.

use crate::{
    input::{Fix, Policy, WrittenArguments, read_text},
    schema::Schema,
    tool::{ParsedInput, ToolContext, compact},
    toolset::ToolEntry,
};

/// The most changes that are checked for a reviewer and for secrets.
pub(super) const CHANGES: usize = 500;

/// A policy under which a reading notes so many changes, and more.
pub(super) const fn noting_changes(policy: &Policy) -> Policy {
    policy.with_max_issues(2 * CHANGES)
}

/// Writes out fixes and defaults, and reads the result.
///
/// # Errors
/// Nothing needs to be written out, or the result cannot be read without a fix. Then this gives what was written, if
/// anything, for a reviewer who sees the text of the model.
pub(super) fn exact_input(
    entry: &ToolEntry,
    arguments: &str,
    prepared: &ParsedInput,
    cx: &ToolContext,
) -> Result<(WrittenArguments, ParsedInput), Option<WrittenArguments>> {
    let written = write_changes(entry, arguments, prepared, cx.policy()).ok_or(None)?;
    let most = cx.policy().max_bytes().max(written.text.len());
    let policy = Policy::exact().with_max_bytes(most);
    // A name that no provider takes may stand there as the model was shown it.
    for policy in [policy, policy.lowered()] {
        match entry.tool.prepare(&written.text, &policy) {
            Ok(input) if input.changes.is_empty() => return Ok((written, input)),
            _ => {}
        }
    }
    Err(Some(written))
}

/// Writes out fixes and defaults, as the reading does that has just these fixes; `None` if there is nothing to write.
fn write_changes(
    entry: &ToolEntry,
    arguments: &str,
    prepared: &ParsedInput,
    policy: &Policy,
) -> Option<WrittenArguments> {
    if prepared.is_text() {
        // The tool reads the text itself.
        return None;
    }
    let parameters = entry.tool.parameters();
    // The text is already mended.
    let of_values = |fix: &&Fix| !fix.kind.is_textual();
    let mut policy = noting_changes(&policy.of_call());
    // A server knows its defaults itself.
    if parameters.schema().is_some_and(has_defaults) {
        policy = policy.filling_defaults();
    } else if !prepared.changes.iter().any(|fix| of_values(&fix)) {
        return None;
    }
    // A tool of a server reads empty texts in another way.
    let policies = [policy.keeping_empty(), policy];
    let (mut written, fixes) = policies.iter().find_map(|policy| {
        let read = read_text(arguments, parameters.reading(), policy).ok()?;
        let made = read.1.iter().filter(of_values);
        made.eq(prepared.changes.iter().filter(of_values))
            .then_some(read)
    })?;
    written.text = compact(&written.text);
    let is_changed = !written.defaults.is_empty() || fixes.iter().any(|fix| of_values(&fix));
    is_changed.then_some(written)
}

/// Whether a default stands anywhere in a schema.
fn has_defaults(schema: &Schema) -> bool {
    schema.has_part(|part| part.default.is_some() || has_defaults(part))
}
