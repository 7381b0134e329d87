//! Schemas of a document as JSON Schema: references become definitions, and the words of OpenAPI their equals.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use crate::document::ApiDocument;

/// The words that mean the same in JSON Schema and have no schema in them.
const KEPT: &[&str] = &[
    "title",
    "description",
    "enum",
    "const",
    "default",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
];

/// The types of JSON Schema.
const TYPES: &[&str] = &[
    "object", "array", "string", "integer", "number", "boolean", "null",
];

/// Writes the schemas of one tool.
pub(crate) struct SchemaWriter<'a> {
    document: &'a ApiDocument,
    /// The definitions that are needed, by reference, with their names.
    names: BTreeMap<String, String>,
    definitions: Map<String, Value>,
    /// The last number behind each name that several references have.
    numbers: HashMap<String, usize>,
    /// A reference that leads out of the document or nowhere.
    pub(crate) lost: Option<String>,
}

impl<'a> SchemaWriter<'a> {
    pub(crate) fn new(document: &'a ApiDocument) -> Self {
        Self {
            document,
            names: BTreeMap::new(),
            definitions: Map::new(),
            numbers: HashMap::new(),
            lost: None,
        }
    }

    /// The definitions of all schemas that were written.
    pub(crate) fn into_definitions(self) -> Map<String, Value> {
        self.definitions
    }

    /// A schema of the document as JSON Schema.
    pub(crate) fn write(&mut self, schema: &Value) -> Value {
        let Value::Object(object) = schema else {
            return schema.as_bool().map_or_else(|| json!({}), Value::from);
        };
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            return self.write_reference(reference, object.get("description"));
        }
        let mut out = Map::new();
        for word in KEPT {
            if let Some(value) = object.get(*word) {
                out.insert((*word).to_owned(), value.clone());
            }
        }
        write_type(object, &mut out);
        self.write_properties(object, &mut out);
        for word in ["items", "not", "additionalProperties"] {
            if let Some(inner) = object.get(word) {
                let inner = match inner {
                    // Earlier versions listed the items of a tuple here.
                    Value::Array(_) => json!({}),
                    inner => self.write(inner),
                };
                out.insert(word.to_owned(), inner);
            }
        }
        for word in ["allOf", "anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = object.get(word)
                && !parts.is_empty()
            {
                let parts = parts.iter().map(|part| self.write(part)).collect();
                out.insert(word.to_owned(), Value::Array(parts));
            }
        }
        write_limits(&mut out);
        if object.get("nullable") == Some(&Value::Bool(true)) {
            return take_null_too(out);
        }
        Value::Object(out)
    }

    fn write_properties(&mut self, object: &Map<String, Value>, out: &mut Map<String, Value>) {
        let none = Map::new();
        let properties = object.get("properties").and_then(Value::as_object);
        let required = object.get("required").and_then(Value::as_array);
        if properties.is_none() && required.is_none() {
            return;
        }
        let properties = properties.unwrap_or(&none);
        // A request does not have what only an answer has.
        let is_sent = |property: &Value| property.get("readOnly") != Some(&Value::Bool(true));
        let mut sent = Map::new();
        for (name, property) in properties {
            if is_sent(property) {
                sent.insert(name.clone(), self.write(property));
            }
        }
        let required: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|name| properties.get(*name).is_none_or(is_sent))
            .collect();
        for name in &required {
            // Some documents require what they do not describe.
            sent.entry(*name).or_insert_with(|| json!({}));
        }
        if !required.is_empty() {
            out.insert("required".to_owned(), json!(required));
        }
        out.insert("properties".to_owned(), Value::Object(sent));
    }

    fn write_reference(&mut self, reference: &str, description: Option<&Value>) -> Value {
        let known = self.names.get(reference).cloned();
        let target = self.document.find(reference);
        let Some(name) = known.or_else(|| Some(self.define(reference, target?))) else {
            self.lost.get_or_insert_with(|| reference.to_owned());
            return json!({});
        };
        let mut out = json!({ "$ref": format!("#/$defs/{name}") });
        if let Some(description) = description {
            out["description"] = description.clone();
        }
        out
    }

    fn define(&mut self, reference: &str, target: &'a Value) -> String {
        let last = reference.rsplit('/').next().unwrap_or_default();
        let plain: String = last
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut name = plain.clone();
        let number = self.numbers.entry(plain.clone()).or_insert(1);
        while self.definitions.contains_key(&name) {
            *number += 1;
            name = format!("{plain}_{number}");
        }
        self.names.insert(reference.to_owned(), name.clone());
        // The name is taken before the definition is known, since it may refer to itself.
        self.definitions.insert(name.clone(), Value::Null);
        let schema = self.write(target);
        self.definitions.insert(name.clone(), schema);
        name
    }
}

/// Writes the type. A type that JSON does not have is left out, and a file is a text.
fn write_type(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    let known = |kind: &Value| kind.as_str().is_some_and(|kind| TYPES.contains(&kind));
    match object.get("type") {
        Some(kind) if kind == "file" => drop(out.insert("type".to_owned(), "string".into())),
        Some(kind @ Value::String(_)) if known(kind) => {
            out.insert("type".to_owned(), kind.clone());
        }
        Some(Value::Array(kinds)) if !kinds.is_empty() && kinds.iter().all(known) => {
            out.insert("type".to_owned(), json!(kinds));
        }
        None if object.contains_key("properties") => {
            out.insert("type".to_owned(), "object".into());
        }
        _ => {}
    }
}

/// Before 3.1, an exclusive limit was a boolean beside the limit.
fn write_limits(out: &mut Map<String, Value>) {
    for (exclusive, limit) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        if let Some(Value::Bool(is_exclusive)) = out.get(exclusive) {
            let is_exclusive = *is_exclusive;
            out.remove(exclusive);
            if is_exclusive && let Some(value) = out.remove(limit) {
                out.insert(exclusive.to_owned(), value);
            }
        }
    }
    // Words of a wrong form say nothing.
    out.retain(|word, value| match word.as_str() {
        "pattern" | "format" | "title" | "description" => value.is_string(),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            value.is_number()
        }
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" => {
            value.is_u64()
        }
        "uniqueItems" => value.is_boolean(),
        "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
        _ => true,
    });
}

/// The schema for null and what it takes already.
fn take_null_too(mut out: Map<String, Value>) -> Value {
    if let Some(Value::Array(values)) = out.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match out.get("type") {
        Some(Value::String(kind)) => {
            let kinds = json!([kind, "null"]);
            out.insert("type".to_owned(), kinds);
        }
        Some(Value::Array(kinds)) if !kinds.contains(&Value::from("null")) => {
            let mut kinds = kinds.clone();
            kinds.push("null".into());
            out.insert("type".to_owned(), kinds.into());
        }
        None if !out.is_empty() => {
            return json!({ "anyOf": [Value::Object(out), { "type": "null" }] });
        }
        _ => {}
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::SchemaWriter;
    use crate::document::ApiDocument;

    #[test]
    fn words_of_openapi_become_those_of_json_schema() {
        let document = r##"{"openapi": "3.0.3", "paths": {}, "components": {"schemas": {
            "Node": {"type": "object", "properties": {
                "id": {"type": "integer", "readOnly": true}, "next": {"$ref": "#/components/schemas/Node"}},
                "required": ["id", "next"]}}}}"##;
        let document = ApiDocument::parse(document).expect("a document");
        let mut schemas = SchemaWriter::new(&document);
        for (schema, written) in [
            (
                json!({"type": "string", "nullable": true, "enum": ["a"], "x-y": 1}),
                json!({"type": ["string", "null"], "enum": ["a", null]}),
            ),
            (
                json!({"minimum": 1, "exclusiveMinimum": true, "type": "integer"}),
                json!({"exclusiveMinimum": 1, "type": "integer"}),
            ),
            (
                json!({"minimum": 1, "exclusiveMinimum": false, "example": 5}),
                json!({"minimum": 1}),
            ),
            (json!({"type": "file"}), json!({"type": "string"})),
            (json!({"type": "any", "required": true}), json!({})),
            (
                json!({"required": ["a"]}),
                json!({"properties": {"a": {}}, "required": ["a"]}),
            ),
            (
                json!({"$ref": "#/components/schemas/Node"}),
                json!({"$ref": "#/$defs/Node"}),
            ),
            (
                json!({"nullable": true, "allOf": [{"$ref": "#/components/schemas/Node"}]}),
                json!({"anyOf": [{"allOf": [{"$ref": "#/$defs/Node"}]}, {"type": "null"}]}),
            ),
        ] {
            assert_eq!(schemas.write(&schema), written, "{schema}");
        }
        assert_eq!(schemas.lost, None);
        schemas.write(&json!({"$ref": "other.json#/A"}));
        assert_eq!(schemas.lost.as_deref(), Some("other.json#/A"));
        let node = json!({"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "required": ["next"]}});
        assert_eq!(json!(schemas.into_definitions()), node);
    }
}
