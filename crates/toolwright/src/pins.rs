//! The accepted tools of somebody else: of an MCP server, or of workers on other machines.

use std::{collections::BTreeMap, error::Error, fmt};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::hex;

/// The accepted tools of a server, each with the fingerprint of its listing: its description, its
/// schemas and its annotations.
///
/// ```
/// use toolwright::pins::Pins;
///
/// let saved = r#"{"read_file":"9f86d081884c7d65"}"#;
/// let pins = Pins::from_json(saved)?;
/// assert_eq!(pins.get("read_file"), Some("9f86d081884c7d65"));
/// assert_eq!(pins.to_json(), saved);
/// # Ok::<(), toolwright::pins::PinsError>(())
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
    pub fn from_json(text: &str) -> Result<Self, PinsError> {
        serde_json::from_str(text).map_err(|error| PinsError(error.to_string()))
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

    /// Accepts a tool with this fingerprint.
    pub fn set(&mut self, tool: impl Into<String>, fingerprint: impl Into<String>) {
        self.0.insert(tool.into(), fingerprint.into());
    }

    /// Accepts a tool no more. Returns whether it was accepted.
    pub fn remove(&mut self, tool: &str) -> bool {
        self.0.remove(tool).is_some()
    }
}

/// A text that is not saved pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinsError(String);

impl fmt::Display for PinsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a list of fingerprints: {}", self.0)
    }
}

impl Error for PinsError {}

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

impl Drift {
    /// A tool that differs from the accepted one.
    pub fn new(tool: impl Into<String>, kind: DriftKind, description: Option<String>) -> Self {
        Self {
            tool: tool.into(),
            kind,
            description,
        }
    }
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

/// The fingerprint of a tool's listing: SHA-256 of its JSON, with the keys of every object sorted.
pub fn fingerprint(listing: &Value) -> String {
    let mut text = String::new();
    write_canonical(listing, &mut text);
    hex(&hmac_sha256::Hash::hash(text.as_bytes()))
}

/// Writes a value as JSON, with the keys of every object sorted.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let sorted: BTreeMap<&String, &Value> = map.iter().collect();
            out.push('{');
            for (i, (name, value)) in sorted.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
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
        other => out.push_str(&other.to_string()),
    }
}
