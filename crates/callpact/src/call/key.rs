//! The key under which a call runs once.

use std::{fmt::Write, sync::Arc};

use super::{canonical::exact_input, json_edit::JsonNode};
use crate::{
    digest::Digest,
    tool::{ParsedInput, ToolContext},
    toolset::{ToolEntry, new_id},
};

/// How deep the keys of arguments are sorted. Deeper values stay as written.
const DEPTH: usize = 64;

/// Whether the calls of a context have keys.
pub(super) fn has_keys(cx: &ToolContext) -> bool {
    cx.run_name().is_some() || cx.store().is_some()
}

/// Makes the key of a call: of the run and its turn or the call around this one, the workspace, the id of the call, the tool, and the arguments in their canonical form.
pub(super) fn make_key(
    entry: &ToolEntry,
    arguments: &str,
    prepared: &ParsedInput,
    cx: &ToolContext,
) -> Arc<str> {
    let mut digest = Digest::new();
    digest.add("a call of callpact");
    match cx.run_state().outer_key().or(cx.run_name()) {
        Some(scope) if !cx.call_id().is_empty() => digest.add(scope),
        // Nothing says that two such calls are the same.
        _ => digest.add(&new_id()),
    }
    if let Some(turn) = cx.turn() {
        digest.add("turn");
        digest.add(&turn.to_string());
    }
    if let Some(workspace) = cx.workspace() {
        digest.add("workspace");
        digest.add(workspace);
    }
    digest.add(cx.call_id());
    digest.add(&entry.name);
    if prepared.is_text() {
        digest.add(arguments);
    } else {
        let exact = exact_input(entry, arguments, prepared, cx);
        let text = exact
            .as_ref()
            .map_or(arguments, |(canonical, _)| &*canonical.text);
        let mut sorted = String::with_capacity(text.len());
        write_sorted(&mut JsonNode::new(text), DEPTH, &mut sorted);
        digest.add(&sorted);
    }
    digest.finish().into()
}

/// Writes JSON with the keys of its objects in order and its strings in one form.
fn write_sorted(node: &mut JsonNode, depth: usize, out: &mut String) {
    if depth == 0 {
        out.push_str(&node.to_text());
    } else if let Some(items) = node.list() {
        out.push('[');
        for item in items {
            write_sorted(item, depth - 1, out);
            out.push(',');
        }
        out.push(']');
    } else if let Some(fields) = node.object() {
        fields.sort_by(|(one, _), (other, _)| one.cmp(other));
        out.push('{');
        for (key, value) in fields {
            let _ = write!(out, "{key:?}:");
            write_sorted(value, depth - 1, out);
            out.push(',');
        }
        out.push('}');
    } else {
        let text = node.to_text();
        match serde_json::from_str::<String>(&text) {
            Ok(text) => {
                let _ = write!(out, "{text:?}");
            }
            Err(_) => out.push_str(&text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, JsonNode, write_sorted};

    fn sorted(json: &str) -> String {
        let mut out = String::new();
        write_sorted(&mut JsonNode::new(json), DEPTH, &mut out);
        out
    }

    #[test]
    fn sorted_form_is_equal_only_for_equal_values() {
        let one = sorted(r#"{"b": [1, {"d": "\u0041", "c": null}], "a": 18446744073709551617}"#);
        let other = sorted(r#"{"a":18446744073709551617,"b":[1,{"c":null,"d":"A"}]}"#);
        assert_eq!(one, other);
        for different in [
            r#"{"a":18446744073709551616,"b":[1,{"c":null,"d":"A"}]}"#,
            r#"{"a":18446744073709551617,"b":[1,{"c":null,"d":"B"}]}"#,
            r#"{"a":18446744073709551617,"b":[1],"c":null,"d":"A"}"#,
            r#"{"a":18446744073709551617,"b":[{"c":null,"d":"A"},1]}"#,
        ] {
            assert_ne!(sorted(different), one, "{different}");
        }
        let deep = "[".repeat(9999) + &"]".repeat(9999);
        assert!(sorted(&deep).starts_with("[[["));
    }
}
