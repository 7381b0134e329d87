//! Values in place of a list that can only be its single item.

use super::found::FoundValue;
use crate::{
    schema::{Kind, Schema, Tagging},
    text::words,
};

/// Whether the items of a list take such a value, so that the value can only be an item.
pub(crate) fn element_takes(list: &Schema, found: &FoundValue<'_>) -> bool {
    let Kind::List(rules) = &list.kind else {
        return false;
    };
    match (found, &rules.items.kind) {
        // Null stays null.
        (FoundValue::Text(text), Kind::Text(rules)) => {
            !rules.choices.is_empty() || !may_be_several_or_none(text)
        }
        (FoundValue::Text(_), Kind::Integer(_) | Kind::Number(_) | Kind::Boolean)
        | (FoundValue::Boolean(_), Kind::Boolean)
        | (FoundValue::Integer(_) | FoundValue::Number(_), Kind::Integer(_) | Kind::Number(_))
        | (FoundValue::Object, Kind::Object(_)) => true,
        (FoundValue::Object | FoundValue::Text(_), Kind::Union(rules)) => {
            rules.tagging != Tagging::None
        }
        _ => false,
    }
}

/// Whether a text may mean several items or none, such as `a b`, `*.rs` and `null`: it may be a list in another
/// notation, a command or a pattern. Only the model can decide this.
pub(super) fn may_be_several_or_none(text: &str) -> bool {
    const SEVERAL: [char; 17] = [
        ',', ';', '|', '、', '，', '；', '[', ']', '{', '}', '(', ')', '"', '\'', '`', '*', '?',
    ];
    means_nothing(text) || text.contains(|c: char| c.is_whitespace() || SEVERAL.contains(&c))
}

/// Whether a text is what models write for a parameter that they do not want to give.
pub(super) fn means_nothing(text: &str) -> bool {
    const NOTHING: &str = "- null none nil undefined n/a na nan tbd default unknown";
    let text = text.trim();
    text.is_empty() || words(NOTHING).any(|word| text.eq_ignore_ascii_case(word))
}
