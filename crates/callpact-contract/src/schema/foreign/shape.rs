//! Checks that a schema is well formed: every keyword has a valid value.

use serde_json::Value;

use super::{
    SchemaFaults,
    keyword::{KeywordForm, deeper_than, holds, pointer, step},
    reference::ReferenceFault,
};
use crate::text::cut;

/// The deepest nesting of a schema document, as text or as a value.
pub(super) const MAX_DEPTH: usize = 127;

/// The names of types.
pub(super) const TYPES: [&str; 7] = [
    "string", "integer", "number", "boolean", "array", "object", "null",
];

/// Checks a whole document.
pub(super) fn check(root: &Value) -> Result<(), SchemaFaults> {
    let mut walk = ShapeWalk {
        root,
        faults: SchemaFaults::default(),
    };
    if deeper_than(root, MAX_DEPTH) {
        let words = format!("nested deeper than {MAX_DEPTH} levels");
        walk.faults.note("", "", words);
    } else if root.is_object() {
        walk.schema(root, "");
    } else {
        walk.faults
            .note("", "", "a schema of arguments is a JSON object");
    }
    walk.faults.or(())
}

/// Whether the keywords of a document can be checked one by one.
pub(super) fn is_walkable(root: &Value) -> bool {
    root.is_object() && !deeper_than(root, MAX_DEPTH)
}

struct ShapeWalk<'a> {
    root: &'a Value,
    faults: SchemaFaults,
}

impl ShapeWalk<'_> {
    fn schema(&mut self, schema: &Value, path: &str) {
        match schema {
            Value::Bool(_) => {}
            Value::Object(map) => {
                for (keyword, value) in map {
                    self.keyword(keyword, value, path);
                }
            }
            _ => self
                .faults
                .note(path, "", "expected a schema: an object, true or false"),
        }
    }

    fn keyword(&mut self, keyword: &str, value: &Value, path: &str) {
        match (holds(keyword), value) {
            (KeywordForm::Schema, Value::Array(items)) if keyword == "items" => {
                self.list(keyword, items, path);
            }
            (KeywordForm::Schema, _) => self.schema(value, &step(path, keyword)),
            (KeywordForm::Named, Value::Object(schemas)) => {
                let inner = step(path, keyword);
                for (name, schema) in schemas {
                    if keyword != "dependencies" || !names(schema) {
                        self.schema(schema, &step(&inner, name));
                    }
                }
            }
            (KeywordForm::Named, _) => {
                self.faults
                    .note(path, keyword, "expected an object of schemas");
            }
            (KeywordForm::List, Value::Array(items)) if !items.is_empty() => {
                self.list(keyword, items, path);
            }
            (KeywordForm::List, _) => {
                self.faults
                    .note(path, keyword, "expected an array of at least one schema");
            }
            (KeywordForm::Data, _) => self.data(keyword, value, path),
        }
    }

    fn list(&mut self, keyword: &str, items: &[Value], path: &str) {
        let inner = step(path, keyword);
        for (index, item) in items.iter().enumerate() {
            self.schema(item, &format!("{inner}/{index}"));
        }
    }

    fn data(&mut self, keyword: &str, value: &Value, path: &str) {
        let expected = match keyword {
            "type" => return self.types(value, path),
            "$ref" => return self.reference(value, path),
            "required" if !names(value) => "expected an array of names",
            "enum" if value.as_array().is_none_or(Vec::is_empty) => {
                "expected an array of at least one value"
            }
            "description" | "pattern" if !value.is_string() => "expected a string",
            "minimum" | "maximum" if !value.is_number() => "expected a number",
            "exclusiveMinimum" | "exclusiveMaximum" if !value.is_number() => {
                "expected a number: the end itself stands here, not `true`"
            }
            "multipleOf" if value.as_f64().is_none_or(|step| step <= 0.0) => {
                "expected a number above 0"
            }
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" | "minContains" | "maxContains"
                if count(value).is_none() =>
            {
                "expected a whole number of at least 0"
            }
            "uniqueItems" | "nullable" if !value.is_boolean() => "expected true or false",
            "dependentRequired" if value.as_object().is_none_or(|map| !map.values().all(names)) => {
                "expected an object of arrays of names"
            }
            _ => return,
        };
        self.faults.note(path, keyword, expected);
    }

    fn types(&mut self, value: &Value, path: &str) {
        let names = match value {
            Value::String(_) => std::slice::from_ref(value),
            Value::Array(names) if !names.is_empty() => names.as_slice(),
            _ => &[],
        };
        if names.is_empty() {
            self.faults
                .note(path, "type", "expected the name of a type");
        }
        for name in names {
            let known = name.as_str().is_some_and(|name| TYPES.contains(&name));
            if !known {
                let name = name
                    .as_str()
                    .map_or_else(|| name.to_string(), str::to_owned);
                let words = format!(
                    "`{}` is not a type; write string, integer, number, boolean, array, object or null",
                    cut(&name, 40)
                );
                self.faults.note(path, "type", words);
            }
        }
    }

    fn reference(&mut self, value: &Value, path: &str) {
        let Some(text) = value.as_str() else {
            self.faults.note(path, "$ref", "expected a string");
            return;
        };
        let fault = match pointer(text).map(|pointer| self.root.pointer(&pointer)) {
            Some(Some(Value::Object(_) | Value::Bool(_))) => return,
            Some(Some(_)) => ReferenceFault::NoSchema,
            Some(None) => ReferenceFault::Nothing,
            None => ReferenceFault::Outside,
        };
        self.faults.note(path, "$ref", fault.words(text));
    }
}

fn names(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|names| names.iter().all(Value::is_string))
}

/// A keyword's whole number, which may be written `2.0`.
pub(super) fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        let whole = float.fract() == 0.0 && (0.0..9e15).contains(&float);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked above
        whole.then_some(float as u64)
    })
}
