//! The accepted tools of a server, by fingerprint.

use std::{collections::BTreeMap, fmt::Write};

use hmac_sha256::Hash as Sha256;
use rmcp::model::Tool;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::ClientError;

/// The accepted tools of a server, each with the fingerprint of its listing: its description, its
/// schemas and its annotations.
///
/// ```
/// use toolwright_mcp::client::Pins;
///
/// let saved = r#"{"read_file":"9f86d081884c7d65"}"#;
/// let pins = Pins::from_json(saved)?;
/// assert_eq!(pins.get("read_file"), Some("9f86d081884c7d65"));
/// assert_eq!(pins.to_json(), saved);
/// # Ok::<(), toolwright_mcp::client::ClientError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pins(BTreeMap<String, String>);

impl Pins {
    /// No accepted tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads saved pins.
    ///
    /// # Errors
    /// If the text is not a JSON object whose values are strings.
    pub fn from_json(text: &str) -> Result<Self, ClientError> {
        serde_json::from_str(text).map_err(|error| ClientError::Pins(error.to_string()))
    }

    /// Writes the pins as JSON, to save them.
    pub fn to_json(&self) -> String {
        // A map of strings can always be written.
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// The fingerprint of a tool, by the name that the server gives it.
    pub fn get(&self, tool: &str) -> Option<&str> {
        self.0.get(tool).map(String::as_str)
    }

    /// The accepted tools and their fingerprints.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(tool, print)| (&**tool, &**print))
    }

    pub(super) fn set(&mut self, tool: &str, fingerprint: &str) {
        self.0.insert(tool.to_owned(), fingerprint.to_owned());
    }

    pub(super) fn remove(&mut self, tool: &str) {
        self.0.remove(tool);
    }
}

/// A tool that differs from the accepted one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// The name that the server gives the tool.
    pub tool: String,
    /// How it differs.
    pub kind: DriftKind,
    /// The description that the server gives now, for the person who accepts the change.
    pub description: Option<String>,
}

/// How a tool differs from the accepted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DriftKind {
    /// The tool was never accepted.
    New,
    /// The description, a schema or an annotation has changed.
    Changed,
    /// The server no longer lists the tool.
    Gone,
}

/// The fingerprint of a tool's listing.
pub(super) fn fingerprint(tool: &Tool) -> String {
    let mut text = String::new();
    let mut all = serde_json::to_value(tool).unwrap_or_default();
    if let Value::Object(map) = &mut all {
        // A person accepts neither icons nor metadata.
        map.remove("icons");
        map.remove("_meta");
    }
    write_canonical(&all, &mut text);
    let mut out = String::with_capacity(64);
    for byte in Sha256::hash(text.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// Writes a value as JSON, with the keys of every object sorted.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<&String, &Value> = map.iter().collect();
            out.push('{');
            for (i, (name, value)) in sorted.into_iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                let _ = write!(out, "{comma}{}:", Value::from(name.as_str()));
                write_canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}
