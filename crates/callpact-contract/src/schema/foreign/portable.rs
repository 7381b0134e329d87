//! The portable subset that every provider takes, and what to write instead of the rest.

use serde_json::{Map, Value};

use super::{
    SchemaFaults,
    keyword::{is_of, step, types},
};
use crate::text::cut;

pub(super) fn check(root: &Value) -> Result<(), SchemaFaults> {
    let mut walk = PortableWalk(SchemaFaults::default());
    match root.as_object() {
        Some(map) => {
            if map.get("type").is_none_or(|name| name != "object") {
                let words = "the arguments of a tool are an object: write `\"type\": \"object\"`";
                walk.0.note("", "type", words);
            }
            for keyword in ["anyOf", "enum"] {
                if map.contains_key(keyword) {
                    let words = "not at the root; put it into a property";
                    walk.0.note("", keyword, words);
                }
            }
            walk.keywords(map, "", PortablePlace::Root);
        }
        None => walk.0.note("", "", "expected an object"),
    }
    walk.0.or(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PortablePlace {
    Root,
    Inside,
    /// A member of `anyOf`, which may be null.
    Member,
    /// The values of a map, which may be anything.
    Values,
}

struct PortableWalk(SchemaFaults);

impl PortableWalk {
    fn schema(&mut self, schema: &Value, path: &str, place: PortablePlace) {
        match schema {
            Value::Object(map) => {
                self.form(map, path, place);
                self.keywords(map, path, place);
            }
            _ => self.0.note(path, "", "expected an object with a `type`"),
        }
    }

    /// One type, or `anyOf`.
    fn form(&mut self, map: &Map<String, Value>, path: &str, place: PortablePlace) {
        match (map.get("type"), map.get("anyOf")) {
            (None, None) if place == PortablePlace::Values && !map.contains_key("enum") => {}
            (None, None) => {
                let words =
                    "missing; write string, integer, number, boolean, array or object, or `anyOf`";
                self.0.note(path, "type", words);
            }
            (Some(_), Some(_)) => {
                self.0
                    .note(path, "anyOf", "either `type` or `anyOf`, not both");
            }
            (Some(Value::Array(_)), None) => {
                let words = "one type; leave an optional property out of `required`, and write other unions as `anyOf`";
                self.0.note(path, "type", words);
            }
            (Some(name), None) if name == "null" && place != PortablePlace::Member => {
                let words =
                    "null stands only in `anyOf`; leave an optional property out of `required`";
                self.0.note(path, "type", words);
            }
            _ => {}
        }
    }

    fn keywords(&mut self, map: &Map<String, Value>, path: &str, place: PortablePlace) {
        for (keyword, value) in map {
            let inner = step(path, keyword);
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, schema) in properties {
                        self.name(name, &inner);
                        self.schema(schema, &step(&inner, name), PortablePlace::Inside);
                    }
                }
                ("items", _) => self.schema(value, &inner, PortablePlace::Inside),
                ("additionalProperties", Value::Bool(true)) => {
                    self.0
                        .note(path, keyword, "true is what holds anyway; leave it out");
                }
                ("additionalProperties", Value::Object(_)) => {
                    self.schema(value, &inner, PortablePlace::Values);
                }
                ("anyOf", Value::Array(members)) => {
                    for (index, member) in members.iter().enumerate() {
                        self.schema(member, &format!("{inner}/{index}"), PortablePlace::Member);
                    }
                }
                ("enum", Value::Array(values)) => self.values(values, map, path),
                ("required", Value::Array(names)) => self.required(names, map, path),
                (
                    "type"
                    | "description"
                    | "additionalProperties"
                    | "minimum"
                    | "maximum"
                    | "exclusiveMinimum"
                    | "exclusiveMaximum"
                    | "multipleOf"
                    | "minLength"
                    | "maxLength"
                    | "minItems"
                    | "maxItems"
                    | "uniqueItems",
                    _,
                ) => {}
                _ => self.0.note(path, keyword, advice(keyword)),
            }
        }
        let is = |name| map.get("type").is_some_and(|own| own == name);
        if is("array") && !map.contains_key("items") {
            let words = "missing; say what the items are";
            self.0.note(path, "items", words);
        }
        if is("object") && place == PortablePlace::Root && !map.contains_key("properties") {
            let words = "missing; write `\"properties\": {}` where there are no parameters";
            self.0.note(path, "properties", words);
        }
    }

    fn name(&mut self, name: &str, path: &str) {
        let mut chars = name.chars();
        let starts = chars
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let rest = chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'));
        if !starts || !rest || name.len() > 64 {
            let words = format!(
                "the name \"{}\" does not match ^[a-zA-Z_][a-zA-Z0-9_.-]{{0,63}}$",
                cut(name, 80)
            );
            self.0.note(path, "", words);
        }
    }

    fn values(&mut self, values: &[Value], map: &Map<String, Value>, path: &str) {
        let names = types(map);
        if names.is_empty() || names.iter().any(|name| matches!(*name, "array" | "object")) {
            let words = "a list of strings or numbers, beside their `type`";
            self.0.note(path, "enum", words);
            return;
        }
        if let Some(value) = values
            .iter()
            .find(|value| !names.iter().any(|name| is_of(value, name)))
        {
            let words = format!(
                "{} is not of type {}",
                cut(&value.to_string(), 60),
                names.join(" or ")
            );
            self.0.note(path, "enum", words);
        }
    }

    fn required(&mut self, names: &[Value], map: &Map<String, Value>, path: &str) {
        let properties = map.get("properties").and_then(Value::as_object);
        for (index, name) in names.iter().enumerate() {
            let text = name.as_str().unwrap_or_default();
            if properties.is_none_or(|properties| !properties.contains_key(text)) {
                let words = format!("`{}` is not in `properties`", cut(text, 80));
                self.0.note(path, "required", words);
            }
            if names.iter().take(index).any(|earlier| earlier == name) {
                let words = format!("`{}` stands there twice", cut(text, 80));
                self.0.note(path, "required", words);
            }
        }
    }
}

/// What to write instead of a keyword that not every provider takes.
fn advice(keyword: &str) -> &'static str {
    match keyword {
        "format" | "pattern" | "contentEncoding" | "contentMediaType" => {
            "not portable; say the form in the description"
        }
        "$ref" | "$defs" | "definitions" | "$dynamicRef" => {
            "not portable; write the form out where it is used"
        }
        "title" | "$schema" | "$id" | "$comment" | "$anchor" | "readOnly" | "writeOnly"
        | "deprecated" => "not portable; leave it out",
        "oneOf" => "not portable; write `anyOf`",
        "allOf" => "not portable; write its parts into one schema",
        "const" => "not portable; write an `enum` of one value",
        "default" | "examples" | "example" => "not portable; say it in the description",
        "nullable" => "not portable; leave an optional property out of `required`",
        "prefixItems" | "additionalItems" | "contains" => {
            "not portable; write `items` with `anyOf`, `minItems` and `maxItems`"
        }
        "not" | "if" | "then" | "else" | "dependentRequired" | "dependentSchemas"
        | "dependencies" | "minProperties" | "maxProperties" | "propertyNames"
        | "patternProperties" => {
            "not portable; say the rule in the description and check it in the tool"
        }
        _ => "not a keyword that every provider takes; leave it out",
    }
}
