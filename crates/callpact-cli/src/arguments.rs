//! The arguments of a call on a command line: JSON, standard input, or words `name=value`.

use std::io::ErrorKind;

use serde_json::{Map, Value};

use crate::{exit::Failure, text_file::read_input};

/// The most bytes of arguments that are read from standard input.
const MAX_BYTES: u64 = 16 << 20;

/// How deep a name such as `a.b.c` leads, and how many references are followed.
const DEPTH: usize = 16;

/// Reads the words of arguments. `schema` is the schema of the tool's parameters, if there is such a tool.
///
/// # Errors
/// If a word is neither JSON nor a pair, or standard input cannot be read.
pub(crate) fn read_words(words: &[String], schema: Option<&str>) -> Result<String, Failure> {
    match words {
        // Not `{}`, since a text tool would read that as its input.
        [] => Ok(String::new()),
        [text] if text == "-" => read_standard_input(),
        [text] if split_pair(text).is_none() => Ok(text.clone()),
        words => {
            let schema: Value = schema
                .and_then(|schema| serde_json::from_str(schema).ok())
                .unwrap_or_default();
            read_pairs(words, &schema)
        }
    }
}

fn read_standard_input() -> Result<String, Failure> {
    read_input(MAX_BYTES).map_err(|error| {
        let words = format!("standard input: {error}");
        match error.kind() {
            ErrorKind::InvalidData => Failure::invalid(words),
            ErrorKind::FileTooLarge => Failure::invalid(words + " of arguments"),
            _ => Failure::failed(words),
        }
    })
}

/// Reads a text as a value of a schema.
pub(crate) fn read_value(schema: &Value, text: &str) -> Value {
    AcceptedTypes::of(schema, schema).read(text)
}

/// A word `name=text` or `name:=JSON`.
struct ArgumentPair<'a> {
    name: &'a str,
    value: &'a str,
    is_json: bool,
}

/// Splits a pair. Its name begins with a letter or `_`, so no JSON is a pair.
fn split_pair(word: &str) -> Option<ArgumentPair<'_>> {
    let (name, value) = word.split_once('=')?;
    let (name, is_json) = match name.strip_suffix(':') {
        Some(name) => (name, true),
        None => (name, false),
    };
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_part = |c: char| c.is_alphanumeric() || "_-.$".contains(c);
    (begins && name.chars().all(is_part)).then_some(ArgumentPair {
        name,
        value,
        is_json,
    })
}

fn read_pairs(words: &[String], schema: &Value) -> Result<String, Failure> {
    let mut arguments = Map::new();
    for word in words {
        let pair = split_pair(word).ok_or_else(|| {
            let word: String = word.chars().take(64).collect();
            Failure::invalid(format!(
                "`{word}` is no argument: write name=value, name:=JSON, or all arguments as one JSON object"
            ))
        })?;
        let whole = find_property(schema, schema, pair.name, 0);
        // A name with a dot leads into an object, unless a parameter has this name.
        let path: Vec<&str> = match whole {
            Some(_) => vec![pair.name],
            None => pair.name.split('.').take(DEPTH).collect(),
        };
        insert(&mut arguments, &path, &pair, schema, schema)?;
    }
    Ok(Value::Object(arguments).to_string())
}

fn insert(
    into: &mut Map<String, Value>,
    path: &[&str],
    pair: &ArgumentPair<'_>,
    schema: &Value,
    root: &Value,
) -> Result<(), Failure> {
    let Some((first, rest)) = path.split_first() else {
        return Ok(());
    };
    let property = find_property(schema, root, first, 0).unwrap_or(&Value::Null);
    let twice = || Failure::invalid(format!("`{}` is given twice, and it is no list", pair.name));
    if !rest.is_empty() {
        let inner = into
            .entry(*first)
            .or_insert_with(|| Value::Object(Map::new()));
        let inner = inner.as_object_mut().ok_or_else(twice)?;
        return insert(inner, rest, pair, property, root);
    }
    let types = AcceptedTypes::of(property, root);
    let value = if pair.is_json {
        serde_json::from_str(pair.value)
            .map_err(|error| Failure::invalid(format!("`{}`: {error}", pair.name)))?
    } else if types.array && !pair.value.trim_start().starts_with('[') {
        let items = find_items(property, root, 0).unwrap_or(&Value::Null);
        let item = AcceptedTypes::of(items, root).read(pair.value);
        match into.get_mut(*first) {
            Some(Value::Array(list)) => {
                list.push(item);
                return Ok(());
            }
            _ => Value::Array(vec![item]),
        }
    } else {
        types.read(pair.value)
    };
    match into.insert((*first).to_owned(), value) {
        None => Ok(()),
        Some(_) => Err(twice()),
    }
}

/// The types that a schema accepts.
#[derive(Clone, Copy, Default)]
struct AcceptedTypes {
    text: bool,
    array: bool,
    /// A number, a boolean, null or an object.
    other: bool,
}

impl AcceptedTypes {
    fn of(schema: &Value, root: &Value) -> Self {
        let mut types = Self::default();
        types.collect(schema, root, 0);
        types
    }

    fn collect(&mut self, schema: &Value, root: &Value, depth: usize) {
        let mut note = |kind: &str| match kind {
            "string" => self.text = true,
            "array" => self.array = true,
            _ => self.other = true,
        };
        match schema.get("type") {
            Some(Value::String(kind)) => note(kind),
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).for_each(note),
            _ => {
                let choices = schema
                    .get("enum")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten();
                for choice in choices.chain(schema.get("const")) {
                    note(if choice.is_string() { "string" } else { "" });
                }
            }
        }
        for inner in parts(schema, root, depth) {
            self.collect(inner, root, depth + 1);
        }
    }

    /// Reads a text. A type that accepts text gets the text itself. A number that JSON would write otherwise stays a
    /// text, which the reader of the tool converts or reports.
    fn read(self, text: &str) -> Value {
        let is_text_only = self.text || !(self.other || self.array);
        match serde_json::from_str::<Value>(text) {
            Ok(value) if !is_text_only => {
                let spelled = value.to_string();
                if value.is_array() || value.is_object() || spelled == text {
                    value
                } else {
                    text.into()
                }
            }
            _ => text.into(),
        }
    }
}

/// The schemas that a schema is composed of.
fn parts<'a>(schema: &'a Value, root: &'a Value, depth: usize) -> Vec<&'a Value> {
    if depth > DEPTH {
        return Vec::new();
    }
    let mut parts: Vec<&Value> = ["anyOf", "oneOf", "allOf"]
        .iter()
        .filter_map(|word| schema.get(word)?.as_array())
        .flatten()
        .collect();
    if let Some(Value::String(reference)) = schema.get("$ref") {
        parts.extend(
            reference
                .strip_prefix('#')
                .and_then(|path| root.pointer(path)),
        );
    }
    parts
}

fn find_property<'a>(
    schema: &'a Value,
    root: &'a Value,
    name: &str,
    depth: usize,
) -> Option<&'a Value> {
    let own = schema.get("properties").and_then(|all| all.get(name));
    own.or_else(|| {
        let mut parts = parts(schema, root, depth).into_iter();
        parts.find_map(|part| find_property(part, root, name, depth + 1))
    })
}

fn find_items<'a>(schema: &'a Value, root: &'a Value, depth: usize) -> Option<&'a Value> {
    schema.get("items").or_else(|| {
        let mut parts = parts(schema, root, depth).into_iter();
        parts.find_map(|part| find_items(part, root, depth + 1))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::read_words;

    const SCHEMA: &str = r##"{"type": "object", "properties": {
        "path": {"type": "string"},
        "lines": {"type": "integer"},
        "ratio": {"type": ["number", "null"]},
        "dry": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "ids": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        "mode": {"enum": ["a", "5"]},
        "range": {"$ref": "#/$defs/Range"},
        "a.b": {"type": "integer"},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    }, "$defs": {"Range": {"type": "object", "properties": {"from": {"type": "integer"}}}}}"##;

    fn read(words: &[&str]) -> Result<String, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        read_words(&words, Some(SCHEMA)).map_err(|failure| failure.message)
    }

    #[test]
    fn pairs_have_the_types_of_the_schema() {
        for (words, json) in [
            (&["path=5"][..], r#"{"path":"5"}"#),
            (&["path=a=b"], r#"{"path":"a=b"}"#),
            (&["path="], r#"{"path":""}"#),
            (&["lines=5", "dry=true"], r#"{"dry":true,"lines":5}"#),
            // A text that JSON would write otherwise is for the reader of the tool.
            (&["lines=5.50"], r#"{"lines":"5.50"}"#),
            (
                &["lines=99999999999999999999"],
                r#"{"lines":"99999999999999999999"}"#,
            ),
            (&["lines=many"], r#"{"lines":"many"}"#),
            (&["ratio=null"], r#"{"ratio":null}"#),
            (&["tags=a", "tags=5"], r#"{"tags":["a","5"]}"#),
            (&[r#"tags=["a","b"]"#], r#"{"tags":["a","b"]}"#),
            (&["ids=1", "ids=2"], r#"{"ids":[1,2]}"#),
            (&["mode=5"], r#"{"mode":"5"}"#),
            (&["range.from=3"], r#"{"range":{"from":3}}"#),
            (&["a.b=3"], r#"{"a.b":3}"#),
            (&["either=5"], r#"{"either":"5"}"#),
            (&["either:=5"], r#"{"either":5}"#),
            (&[r#"range:={"from":1}"#], r#"{"range":{"from":1}}"#),
            (&["unknown=5"], r#"{"unknown":"5"}"#),
        ] {
            let read: Value = serde_json::from_str(&read(words).unwrap()).unwrap();
            let expected: Value = serde_json::from_str(json).unwrap();
            assert_eq!(read, expected, "{words:?}");
        }
    }

    #[test]
    fn json_and_text_are_no_pairs() {
        for text in [
            r#"{"path": "a=b"}"#,
            "-5",
            "2 = 3",
            "[1]",
            "5=5",
            r#""a=b""#,
        ] {
            assert_eq!(read(&[text]).as_deref(), Ok(text));
        }
        assert_eq!(read(&[]).as_deref(), Ok(""));
    }

    #[test]
    fn what_is_no_pair_is_an_error() {
        for (words, fault) in [
            (&["path=a", "b"][..], "`b` is no argument"),
            (&["{}", "{}"], "`{}` is no argument"),
            (&["path=a", "path=b"], "`path` is given twice"),
            (&["range=1", "range.from=2"], "`range.from` is given twice"),
            (&["lines:=many"], "`lines`: expected value"),
        ] {
            let error = read(words).expect_err(fault);
            assert!(error.starts_with(fault), "{error}");
        }
    }

    #[test]
    fn schemas_that_refer_to_themselves_end() {
        let schema = r##"{"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}}"##;
        let read = read_words(&["a=1".to_owned(), "a.b=2".to_owned()], Some(schema));
        assert!(read.is_err());
    }
}
