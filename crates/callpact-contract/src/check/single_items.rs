//! Values in place of a list that can only be its single item.

use super::found::Found;
use crate::schema::{Kind, Schema, Tagging};

/// Whether the items of a list take such a value, so that the value can only be an item.
pub(crate) fn element_takes(list: &Schema, found: &Found<'_>) -> bool {
    let Kind::List(rules) = &list.kind else {
        return false;
    };
    match (found, &rules.items.kind) {
        // Null stays null.
        (Found::Text(text), Kind::Text(rules)) => {
            !rules.choices.is_empty() || !may_be_several_or_none(text.trim())
        }
        (Found::Text(_), Kind::Integer(_) | Kind::Number(_) | Kind::Boolean)
        | (Found::Boolean(_), Kind::Boolean)
        | (Found::Integer(_) | Found::Number(_), Kind::Integer(_) | Kind::Number(_))
        | (Found::Object, Kind::Object(_)) => true,
        (Found::Object | Found::Text(_), Kind::Union(rules)) => rules.tagging != Tagging::None,
        _ => false,
    }
}

/// Whether a text may mean several items or none, such as `a, b` and `null`. Only the model can decide this.
fn may_be_several_or_none(text: &str) -> bool {
    const NONE: [&str; 7] = ["", "null", "none", "nil", "undefined", "n/a", "-"];
    const BETWEEN: [&str; 4] = [" and ", " or ", " & ", " + "];
    let lower = text.to_ascii_lowercase();
    let is_numbered = || lower.starts_with("1.") && lower.contains(" 2.");
    NONE.contains(&&*lower)
        || lower.starts_with(['[', '{'])
        || lower.contains([',', ';', '\n', '\t', '|', '、', '，', '；'])
        || BETWEEN.iter().any(|word| lower.contains(word))
        || is_numbered()
}
