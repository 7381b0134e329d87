//! What is wrong in a schema that a person wrote, though JSON Schema allows it: unknown keywords, names of no property.

use serde_json::{Map, Value};

use super::{
    SchemaFaults,
    keyword::{KNOWN, KeywordForm, holds, pointer, step},
};
use crate::text::{cut, nearest};

pub(super) fn check(root: &Value) -> SchemaFaults {
    let mut walk = HandwrittenWalk {
        root,
        faults: SchemaFaults::default(),
    };
    if let Some(map) = root.as_object() {
        // Gemini's names of types are in capitals.
        let is_object = |name: &Value| {
            name.as_str()
                .is_none_or(|name| name.eq_ignore_ascii_case("object"))
        };
        let takes_objects = match map.get("type") {
            Some(Value::Array(names)) => names.iter().any(is_object),
            Some(name) => is_object(name),
            None => true,
        };
        if !takes_objects {
            let words = "the arguments of a tool are an object: write `\"type\": \"object\"`";
            walk.faults.note("", "type", words);
        }
    }
    walk.schema(root, "", &PropertyNames::default());
    walk.faults
}

/// The properties of an object that several schemas describe.
#[derive(Clone, Default)]
struct PropertyNames<'a> {
    names: Vec<&'a str>,
    /// Other properties have a schema too.
    any: bool,
    /// The schemas that were searched.
    searched: Vec<&'a Map<String, Value>>,
}

struct HandwrittenWalk<'a> {
    root: &'a Value,
    faults: SchemaFaults,
}

impl<'a> HandwrittenWalk<'a> {
    /// Checks a schema; `around` are the properties of the same object in the schemas around it.
    fn schema(&mut self, schema: &'a Value, path: &str, around: &PropertyNames<'a>) {
        let Value::Object(map) = schema else {
            return;
        };
        let mut own = around.clone();
        self.collect(map, &mut own);
        let required = map.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !own.any && !own.names.contains(&name) {
                let mut words = format!("`{}` is no property", cut(name, 64));
                if let Some(near) = nearest(name, own.names.iter().copied()) {
                    words.extend(["; did you mean `", near, "`?"]);
                }
                self.faults.note(path, "required", words);
            }
        }
        for (keyword, value) in map {
            self.keyword(keyword, path);
            let inner = step(path, keyword);
            let is_same = is_same_object(keyword);
            let around = if is_same {
                &own
            } else {
                &PropertyNames::default()
            };
            match (holds(keyword), value) {
                (KeywordForm::Schema | KeywordForm::List, Value::Array(items)) => {
                    for (index, item) in items.iter().enumerate() {
                        self.schema(item, &format!("{inner}/{index}"), around);
                    }
                }
                (KeywordForm::Schema, value) => self.schema(value, &inner, around),
                (KeywordForm::Named, Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.schema(schema, &step(&inner, name), around);
                    }
                }
                _ => {}
            }
        }
    }

    fn keyword(&mut self, keyword: &str, path: &str) {
        if KNOWN.contains(&keyword) || keyword.starts_with("x-") {
            return;
        }
        if let Some(near) = nearest(keyword, KNOWN.iter().copied()) {
            let words = format!("this is no keyword; did you mean `{near}`?");
            self.faults.note(path, keyword, words);
        }
    }

    /// Adds the properties that a schema declares, and those of other schemas for the same object.
    fn collect(&self, map: &'a Map<String, Value>, into: &mut PropertyNames<'a>) {
        if into
            .searched
            .iter()
            .any(|searched| std::ptr::eq(*searched, map))
        {
            return;
        }
        into.searched.push(map);
        let describes = |keyword: &str| {
            map.get(keyword)
                .is_some_and(|rest| rest.as_object().is_some_and(|map| !map.is_empty()))
        };
        into.any |= [
            "additionalProperties",
            "unevaluatedProperties",
            "patternProperties",
        ]
        .into_iter()
        .any(describes);
        let properties = map.get("properties").and_then(Value::as_object);
        into.names.extend(
            properties
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str()),
        );
        for (keyword, value) in map.iter().filter(|(keyword, _)| is_same_object(keyword)) {
            let parts: Vec<&Value> = match (holds(keyword), value) {
                (KeywordForm::List, Value::Array(members)) => members.iter().collect(),
                (KeywordForm::Named, Value::Object(schemas)) => schemas.values().collect(),
                (_, value) => vec![value],
            };
            for part in parts.into_iter().filter_map(Value::as_object) {
                self.collect(part, into);
            }
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = pointer(reference).and_then(|at| self.root.pointer(&at));
            match target.and_then(Value::as_object) {
                Some(target) => self.collect(target, into),
                None => into.any = true,
            }
        }
    }
}

/// Whether the schemas of a keyword describe the same object as the schema around them.
fn is_same_object(keyword: &str) -> bool {
    matches!(
        keyword,
        "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependencies"
    )
}
