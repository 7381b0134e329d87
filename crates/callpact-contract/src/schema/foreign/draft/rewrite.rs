//! The document whose references are pointers from its root, and whose keywords all count.

use super::{SchemaDraft, places::PlaceIndex};
use crate::schema::{
    JsonValue,
    foreign::{
        SchemaFaults,
        keyword::{WHOLE_DIGITS, pointer, step},
    },
};

/// Comes before the name of a keyword that does not count.
const IGNORED: &str = "x-ignored-";

pub(super) fn rewrite(
    json: &JsonValue,
    index: &PlaceIndex<'_>,
    faults: &mut SchemaFaults,
) -> JsonValue {
    let mut rewriter = Rewriter { index, faults };
    rewriter.value(json, "")
}

struct Rewriter<'r, 'a> {
    index: &'r PlaceIndex<'a>,
    faults: &'r mut SchemaFaults,
}

impl Rewriter<'_, '_> {
    fn value(&mut self, json: &JsonValue, place: &str) -> JsonValue {
        match json {
            JsonValue::List(items) => {
                let items = items.iter().enumerate();
                let items =
                    items.map(|(number, item)| self.value(item, &format!("{place}/{number}")));
                JsonValue::List(items.collect())
            }
            JsonValue::Object(entries) if self.index.is_schema(place) => {
                self.schema(entries, place)
            }
            JsonValue::Object(entries) => {
                let entries = entries.iter();
                let entries =
                    entries.map(|(key, value)| (key.clone(), self.value(value, &step(place, key))));
                JsonValue::Object(entries.collect())
            }
            other => other.clone(),
        }
    }

    fn schema(&mut self, entries: &[(String, JsonValue)], place: &str) -> JsonValue {
        let mut out = Vec::new();
        let mut targets = Vec::new();
        for (key, value) in entries {
            let inner = step(place, key);
            let is_ignored = self.index.is_ignored(&inner);
            match (key.as_str(), value) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", JsonValue::Text(reference))
                    if !is_ignored =>
                {
                    match self.index.find(place, key, reference) {
                        Ok(target) => targets.push(self.pointer(&target)),
                        // The check of all keywords reports it in its order.
                        Err(_) if key == "$ref" && pointer(reference).is_none() => {
                            out.push((key.clone(), value.clone()));
                        }
                        Err(words) => self.faults.note(place, key, words),
                    }
                }
                _ => {
                    let prefix = if is_ignored { IGNORED } else { "" };
                    out.push((format!("{prefix}{key}"), self.value(value, &inner)));
                }
            }
        }
        if self.index.draft(place) == Some(SchemaDraft::Four) {
            exclude_ends(&mut out);
            if names_integer(&out) {
                out.push((WHOLE_DIGITS.to_owned(), JsonValue::Boolean(true)));
            }
        }
        let mut targets = targets.into_iter();
        if let Some(target) = targets.next() {
            out.push(("$ref".to_owned(), JsonValue::Text(target)));
        }
        for target in targets {
            let part = [("$ref".to_owned(), JsonValue::Text(target))];
            let part = JsonValue::Object(part.into_iter().collect());
            match out.iter_mut().find(|(key, _)| key == "allOf") {
                Some((_, JsonValue::List(parts))) => parts.push(part),
                _ => out.push(("allOf".to_owned(), JsonValue::List(vec![part]))),
            }
        }
        JsonValue::Object(out.into_iter().collect())
    }

    /// The reference to a place, by the names that its keywords have here.
    fn pointer(&self, target: &str) -> String {
        let (mut place, mut out) = (String::new(), String::from("#"));
        for one in target.split('/').skip(1) {
            place = format!("{place}/{one}");
            let prefix = if self.index.is_ignored(&place) {
                IGNORED
            } else {
                ""
            };
            out.extend(["/", prefix, &one.replace('%', "%25")]);
        }
        out
    }
}

/// Whether the type is an integer, and not just any number.
fn names_integer(entries: &[(String, JsonValue)]) -> bool {
    let names = |name: &str| {
        entries.iter().any(|(key, value)| {
            key == "type"
                && match value {
                    JsonValue::Text(text) => text == name,
                    JsonValue::List(texts) => texts.iter().any(|text| text.text() == Some(name)),
                    _ => false,
                }
        })
    };
    names("integer") && !names("number")
}

/// In draft 4, a switch says whether the end of a range is outside of it.
fn exclude_ends(entries: &mut Vec<(String, JsonValue)>) {
    for (end, excluded) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        let switch = entries
            .iter()
            .position(|(key, value)| key == excluded && matches!(value, JsonValue::Boolean(_)));
        let Some(switch) = switch else {
            continue;
        };
        let is_excluded = entries.remove(switch).1 == JsonValue::Boolean(true);
        let end = entries
            .iter_mut()
            .find(|(key, _)| is_excluded && key == end);
        if let Some((key, _)) = end {
            excluded.clone_into(key);
        }
    }
}
