//! The accepted tools of another party: of an MCP server, or of workers on other machines.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fmt,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest::hex;

/// The accepted tools of a server, each with the fingerprint of its listing: its description, its
/// schemas and its annotations.
///
/// ```
/// use callpact::pins::Pins;
///
/// let saved = r#"{"read_file":"9f86d081884c7d65"}"#;
/// let pins = Pins::from_json(saved)?;
/// assert_eq!(pins.get("read_file"), Some("9f86d081884c7d65"));
/// assert_eq!(pins.to_json(), saved);
/// # Ok::<(), callpact::pins::PinsError>(())
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

    /// Stops accepting a tool. Returns whether it was accepted.
    pub fn remove(&mut self, tool: &str) -> bool {
        self.0.remove(tool).is_some()
    }

    /// How a tool with this fingerprint differs from the accepted one, if it does.
    pub fn drift_of(&self, tool: &str, fingerprint: &str) -> Option<DriftKind> {
        match self.get(tool) {
            None => Some(DriftKind::New),
            Some(accepted) if accepted != fingerprint => Some(DriftKind::Changed),
            Some(_) => None,
        }
    }

    /// All tools that differ from the accepted ones: those that are listed, in their order, then those that
    /// are gone.
    ///
    /// ```
    /// use callpact::pins::{DriftKind, ListedTool, Pins};
    ///
    /// let pins = Pins::from_iter([("read_file", "9f86d081"), ("list_files", "4e1243bd")]);
    /// let now = ListedTool::new("read_file", "60303ae2", Some("Reads any file".into()));
    /// let drift = pins.drift([now]);
    /// assert_eq!((&*drift[0].tool, drift[0].kind), ("read_file", DriftKind::Changed));
    /// assert_eq!((&*drift[1].tool, drift[1].kind), ("list_files", DriftKind::Gone));
    /// ```
    pub fn drift<'a>(&self, listed: impl IntoIterator<Item = ListedTool<'a>>) -> Vec<Drift> {
        let (mut drift, mut names) = (Vec::new(), BTreeSet::new());
        for tool in listed {
            if let Some(kind) = self.drift_of(&tool.name, tool.fingerprint) {
                let description = tool.description.map(Cow::into_owned);
                drift.push(Drift::new(&*tool.name, kind, description));
            }
            names.insert(tool.name);
        }
        let gone = self.iter().filter(|(tool, _)| !names.contains(*tool));
        drift.extend(gone.map(|(tool, _)| Drift::new(tool, DriftKind::Gone, None)));
        drift
    }

    /// Accepts a tool with its present fingerprint, or forgets a tool that is gone and has none. Returns
    /// whether there was such a tool.
    pub fn accept(&mut self, tool: &str, now: Option<String>) -> bool {
        match now {
            Some(fingerprint) => self.set(tool, fingerprint),
            None => return self.remove(tool),
        }
        true
    }
}

impl<T: Into<String>, F: Into<String>> FromIterator<(T, F)> for Pins {
    fn from_iter<I: IntoIterator<Item = (T, F)>>(tools: I) -> Self {
        let tools = tools.into_iter();
        Self(
            tools
                .map(|(tool, print)| (tool.into(), print.into()))
                .collect(),
        )
    }
}

/// A tool as it is listed now.
#[derive(Clone, Debug)]
pub struct ListedTool<'a> {
    name: Cow<'a, str>,
    fingerprint: &'a str,
    description: Option<Cow<'a, str>>,
}

impl<'a> ListedTool<'a> {
    /// A tool by its name, its fingerprint, and the description for the person who accepts it.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        fingerprint: &'a str,
        description: Option<Cow<'a, str>>,
    ) -> Self {
        Self {
            name: name.into(),
            fingerprint,
            description,
        }
    }
}

/// The text that a model reads for a tool that has changed. It shows nothing of the new listing, which
/// nobody has accepted.
pub const CHANGED: &str = "This tool has changed since it was accepted. It cannot be used until a person accepts the change.";

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

/// A tool of another party that cannot be offered to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// What the other side calls the tool.
    pub tool: String,
    /// Why it cannot be offered.
    pub reason: String,
}

impl Unusable {
    /// A tool by its name, and the reason. Both are cut, and have no control characters.
    pub fn new(tool: &str, reason: &str) -> Self {
        Self {
            tool: one_line(tool, 128),
            reason: cut(reason, 500),
        }
    }
}

/// The first characters of a text, without control characters that could move a terminal's cursor.
pub fn cut(text: &str, most: usize) -> String {
    let clean = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let mut out: String = text.chars().take(most).map(clean).collect();
    if text.chars().nth(most).is_some() {
        out.push('…');
    }
    out
}

/// The first characters of a name, on one line.
pub fn one_line(name: &str, most: usize) -> String {
    cut(name, most).replace('\n', " ")
}

/// The fingerprint of a tool's listing: SHA-256 of its JSON, with the keys of every object sorted.
pub fn fingerprint(listing: &Value) -> String {
    let mut sorted = listing.clone();
    sorted.sort_all_objects();
    hex(&hmac_sha256::Hash::hash(sorted.to_string().as_bytes()))
}
