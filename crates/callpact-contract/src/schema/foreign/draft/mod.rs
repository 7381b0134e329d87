//! The drafts of JSON Schema: a document of any of them becomes one that needs no draft to be read.
//!
//! References lead to places by `#/…`, names of places (`$id`, `$anchor`) no longer matter, and keywords that the
//! draft does not have are called otherwise. What needs more than that is a fault.

mod places;
mod rewrite;
mod uri;

use serde_json::Value;

use super::{
    SchemaFaults,
    keyword::{about, deeper_than},
    shape::MAX_DEPTH,
};
use crate::schema::JsonValue;
use places::PlaceIndex;

/// A draft that a schema names in `$schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SchemaDraft {
    Four,
    Six,
    Seven,
    Of2019,
    Of2020,
}

/// The fault of a `$schema` that names no known draft.
const UNKNOWN_DRAFT: &str =
    "this draft is not understood; write the schema in draft 4, 6, 7, 2019-09 or 2020-12";

impl SchemaDraft {
    /// The draft of a `$schema`; `None` for the newest one, under which older forms are read too.
    fn named(uri: &str) -> Result<Option<Self>, &'static str> {
        let name = uri.strip_suffix('#').unwrap_or(uri);
        let name = name
            .strip_prefix("http://")
            .or(name.strip_prefix("https://"));
        Ok(match name.unwrap_or_default() {
            "json-schema.org/draft-04/schema" | "json-schema.org/draft-05/schema" => {
                Some(Self::Four)
            }
            "json-schema.org/draft-06/schema" => Some(Self::Six),
            "json-schema.org/draft-07/schema" => Some(Self::Seven),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Of2019),
            "json-schema.org/draft/2020-12/schema" => Some(Self::Of2020),
            "json-schema.org/schema" | "spec.openapis.org/oas/3.1/dialect/base" => None,
            _ => return Err(UNKNOWN_DRAFT),
        })
    }

    /// Whether keywords beside `$ref` do not count.
    fn has_lone_references(self) -> bool {
        self <= Self::Seven
    }

    /// Whether a keyword that later or earlier drafts have is none here.
    fn lacks(self, keyword: &str) -> bool {
        let first = match keyword {
            "const" | "contains" | "propertyNames" => Self::Six,
            "if" | "then" | "else" => Self::Seven,
            "dependentRequired"
            | "dependentSchemas"
            | "minContains"
            | "maxContains"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "$anchor"
            | "$recursiveRef" => Self::Of2019,
            "prefixItems" | "$dynamicRef" => Self::Of2020,
            "additionalItems" => return self == Self::Of2020,
            _ => return false,
        };
        self < first || keyword == "$recursiveRef" && self != Self::Of2019
    }
}

/// Whether a keyword restricts values, so that it does not count beside a `$ref` of an older draft.
fn is_rule(keyword: &str) -> bool {
    const RULES: [&str; 11] = [
        "type", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "nullable",
    ];
    !about(keyword).is_empty() || RULES.contains(&keyword)
}

/// The document without its draft; `None` if it can be read as it is.
pub(super) fn without_draft(json: &JsonValue, value: &Value) -> (Option<JsonValue>, SchemaFaults) {
    let mut faults = SchemaFaults::default();
    if deeper_than(value, MAX_DEPTH) {
        return (None, faults);
    }
    let named = json.text_at("$schema");
    let draft = match named.map_or(Ok(None), SchemaDraft::named) {
        Ok(draft) => draft,
        Err(words) => {
            faults.note("", "$schema", words);
            return (None, faults);
        }
    };
    if matches!(draft, None | Some(SchemaDraft::Of2020)) && !names_places(json, draft.is_some()) {
        return (None, faults);
    }
    let index = PlaceIndex::of(json, draft, &mut faults);
    let plain = rewrite::rewrite(json, &index, &mut faults);
    (Some(plain), faults)
}

/// Whether a document has a keyword that is read by its draft, or that names a place or refers to one by name.
fn names_places(json: &JsonValue, is_newest: bool) -> bool {
    match json {
        JsonValue::List(items) => items.iter().any(|item| names_places(item, is_newest)),
        JsonValue::Object(entries) => entries.iter().any(|(key, value)| {
            let is_own = match (key.as_str(), value) {
                ("$id" | "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "$recursiveRef", _) => true,
                ("$ref", JsonValue::Text(text)) => text != "#" && !text.starts_with("#/"),
                ("items", JsonValue::List(_)) | ("additionalItems", _) => is_newest,
                _ => false,
            };
            is_own || names_places(value, is_newest)
        }),
        _ => false,
    }
}
