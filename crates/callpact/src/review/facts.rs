//! What a person should know of a call besides its text.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::preview::{Preview, PreviewShape};

/// What a person should know of a call besides the text that will run: the tool in its own words, who calls it, and
/// which values the model did not write itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct CallFacts {
    /// The tool's name for people, such as "Delete a report".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The tool's description of itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The server that the tool comes from, if it is not one of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<ToolServer>,
    /// The role of the agent that calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The run to which the call belongs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The turn of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// What the call is about, in one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// The places in the arguments with something to know about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<FieldMark>,
}

/// The server that a foreign tool comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolServer {
    /// Its name.
    pub name: String,
    /// Whether the program trusts what it says about its tools.
    pub trusted: bool,
}

impl ToolServer {
    /// A server by its name.
    pub fn new(name: impl Into<String>, trusted: bool) -> Self {
        Self {
            name: name.into(),
            trusted,
        }
    }
}

/// A place in the arguments, and why it has a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldMark {
    /// The place, as a JSON pointer.
    pub place: String,
    /// What is to know.
    pub kind: MarkKind,
    /// More about it, in words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl FieldMark {
    /// A mark at a place.
    pub fn new(place: impl Into<String>, kind: MarkKind, reason: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            kind,
            reason: reason.into(),
        }
    }
}

/// What is to know about a value of the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MarkKind {
    /// The model left it out, and this is its default.
    Default,
    /// The reader changed what the model wrote.
    Fixed,
    /// A person wrote it in place of the model's.
    Edited,
    /// It is a secret, which is not shown.
    Secret,
}

/// The most characters of a summary.
const SUMMARY: usize = 120;

/// What a call is about, in one line: of its preview if that is data, else of its first plain arguments.
pub(crate) fn summarize(arguments: &str, preview: Option<&Preview>) -> String {
    let line = match preview.and_then(Preview::shape) {
        Some(PreviewShape::File(change)) => {
            format!("{} +{} −{}", change.path, change.added, change.removed)
        }
        Some(PreviewShape::Request(request)) => format!("{} {}", request.method, request.url),
        Some(PreviewShape::Command(command)) => command.command.clone(),
        None => first_values(arguments),
    };
    let line = line.split(['\n', '\r']).next().unwrap_or_default();
    match line.char_indices().nth(SUMMARY) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// The first plain values of the arguments, with their names if there are several.
fn first_values(arguments: &str) -> String {
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(arguments) else {
        return arguments.to_owned();
    };
    let plain: Vec<(&String, String)> = fields
        .iter()
        .filter_map(|(name, value)| match value {
            Value::String(text) => Some((name, text.clone())),
            Value::Number(number) => Some((name, number.to_string())),
            Value::Bool(value) => Some((name, value.to_string())),
            _ => None,
        })
        .take(3)
        .collect();
    if let [(_, only)] = &*plain {
        return only.clone();
    }
    let mut line = String::new();
    for (name, value) in plain {
        let comma = if line.is_empty() { "" } else { ", " };
        let value = value.split(['\n', '\r']).next().unwrap_or_default();
        // Writing to a String does not fail.
        let _ = write!(line, "{comma}{name} {value}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::summarize;
    use crate::review::{FileChange, Preview, RequestPreview};

    #[test]
    fn a_call_is_summarized_in_one_line() {
        assert_eq!(summarize(r#"{"name": "a.md"}"#, None), "a.md");
        // Without `preserve_order` of serde_json, names come in alphabetical order.
        let two = r#"{"count": 2, "list": [1], "name": "a.md\nb"}"#;
        assert_eq!(summarize(two, None), "count 2, name a.md");
        assert_eq!(summarize("{}", None), "");
        let request = Preview::request(RequestPreview::new("POST", "https://example.com/a"));
        assert_eq!(
            summarize("{}", Some(&request)),
            "POST https://example.com/a"
        );
        let file = Preview::file(FileChange::new("a.md"));
        assert_eq!(summarize("{}", Some(&file)), "a.md +0 −0");
        let long = format!(r#"{{"a": "{}"}}"#, "x".repeat(500));
        assert_eq!(summarize(&long, None).chars().count(), 121);
    }
}
