//! A normalised schema whose place is not known yet.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{keyword::is_of, numbers};

/// A normalised schema on its way to its place.
#[derive(Debug, Default)]
pub(super) struct ForeignNode {
    pub(super) schema: Map<String, Value>,
    /// Whether null is accepted too; the effect depends on the place.
    pub(super) null: bool,
    /// Whether the author wrote `nullable`, whatever else is there.
    pub(super) forced: bool,
    /// Properties that are optional because they could be null.
    pub(super) optional: BTreeSet<String>,
    /// The meanings of the values of the enum.
    pub(super) meanings: String,
}

impl ForeignNode {
    pub(super) fn of_type(name: &str) -> Self {
        let mut node = Self::default();
        node.schema.insert("type".to_owned(), name.into());
        node
    }

    /// Whether null is a value, stated or implied.
    pub(super) fn takes_null(&self) -> bool {
        const TELLING: [&str; 5] = ["type", "enum", "anyOf", "allOf", "not"];
        self.null || !TELLING.iter().any(|key| self.schema.contains_key(*key))
    }

    /// Adds the keywords that depend on all parts.
    pub(super) fn finish(&mut self) {
        let schema = &mut self.schema;
        if !schema.contains_key("type") && !schema.contains_key("anyOf") {
            let implied = if schema.contains_key("properties") {
                Some("object")
            } else if schema.contains_key("items") {
                Some("array")
            } else {
                None
            };
            if let Some(name) = implied {
                schema.insert("type".to_owned(), name.into());
            }
        }
        let name = schema
            .get("type")
            .and_then(Value::as_str)
            .map(str::to_owned);
        if let (Some(name), Some(Value::Array(values))) = (&name, schema.get_mut("enum")) {
            values.retain(|value| is_of(value, name));
        }
        match name.as_deref() {
            Some("object") => {
                schema
                    .entry("properties")
                    .or_insert_with(|| Value::Object(Map::new()));
            }
            Some("integer" | "number") => numbers::mean(schema),
            Some("string") if schema.get("format").is_some_and(|format| format == "char") => {
                schema.remove("format");
            }
            // Null next to null is null.
            Some("null") => self.null = false,
            _ => {}
        }
        if let Some(Value::Array(names)) = schema.get_mut("required") {
            let mut seen = BTreeSet::new();
            names.retain(|name| {
                let text = name.as_str().unwrap_or_default();
                !self.optional.contains(text) && seen.insert(text.to_owned())
            });
            if names.is_empty() {
                schema.remove("required");
            }
        }
    }

    /// Appends the meanings of the values to the description. This must wait until it is known
    /// whose description that is: one next to a `$ref` wins, and the meanings stay.
    pub(super) fn settle(&mut self) {
        let schema = &mut self.schema;
        if !self.meanings.is_empty() {
            let meanings = std::mem::take(&mut self.meanings);
            let words = match schema.get("description").and_then(Value::as_str) {
                Some(own) if !own.is_empty() => format!("{own} ({meanings})"),
                _ => meanings,
            };
            schema.insert("description".to_owned(), words.into());
        }
    }

    /// The schema for a place where null cannot become "optional".
    pub(super) fn placed(mut self) -> Value {
        self.settle();
        if !self.null || self.takes_anything() {
            return Value::Object(self.schema);
        }
        let mut outer = Map::new();
        for key in ["description", "default", "examples"] {
            if let Some(value) = self.schema.remove(key) {
                outer.insert(key.to_owned(), value);
            }
        }
        let null = Value::Object(Self::of_type("null").schema);
        let members = match self.schema.remove("anyOf") {
            Some(Value::Array(mut members)) if self.schema.is_empty() => {
                members.push(null);
                members
            }
            inner => {
                self.schema
                    .extend(inner.map(|members| ("anyOf".to_owned(), members)));
                vec![Value::Object(self.schema), null]
            }
        };
        outer.insert("anyOf".to_owned(), Value::Array(members));
        Value::Object(outer)
    }

    fn takes_anything(&self) -> bool {
        self.schema
            .keys()
            .all(|key| matches!(key.as_str(), "description" | "default" | "examples"))
    }
}
