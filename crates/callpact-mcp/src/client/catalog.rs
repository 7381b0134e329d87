//! The tools that a server listed, and which of them are accepted.

use std::{collections::BTreeSet, time::Instant};

use callpact::pins::{Drift, DriftKind, ListedTool, Pins};
use rmcp::model::Tool;

use super::{connection::ToolList, error::cut, fingerprint::fingerprint};

/// The most characters kept of a description.
pub(super) const DESCRIPTION: usize = 8_192;

/// The last list of a server, with the tools that were accepted.
pub(super) struct ServerCatalog {
    pub(super) listed: Vec<CatalogTool>,
    /// The names that the server listed more than once.
    pub(super) repeated: BTreeSet<String>,
    /// The entries of the list that are not tools, with the reason.
    pub(super) malformed: Vec<(String, String)>,
    pub(super) pins: Pins,
    /// When the list was fetched.
    pub(super) fetched: Instant,
    /// How many change notifications the server had sent before the list was requested.
    pub(super) changes: u64,
}

/// A tool with the fingerprint of its listing.
pub(super) struct CatalogTool {
    pub(super) tool: Tool,
    pub(super) fingerprint: String,
}

impl ServerCatalog {
    pub(super) fn new(pins: Pins) -> Self {
        Self {
            listed: Vec::new(),
            repeated: BTreeSet::new(),
            malformed: Vec::new(),
            pins,
            fetched: Instant::now(),
            changes: 0,
        }
    }

    /// Replaces the list, unless a newer one is already here: of two requests under way, the older
    /// one may finish last.
    pub(super) fn replace(&mut self, list: ToolList, changes: u64) {
        if changes < self.changes {
            return;
        }
        let mut seen = BTreeSet::new();
        self.listed.clear();
        self.repeated.clear();
        self.malformed = list.malformed;
        for tool in list.tools {
            // A call by a repeated name could reach either tool, so only the first is kept.
            if seen.insert(tool.name.clone()) {
                self.listed.push(CatalogTool {
                    fingerprint: fingerprint(&tool),
                    tool,
                });
            } else {
                self.repeated.insert(tool.name.into_owned());
            }
        }
        self.fetched = Instant::now();
        self.changes = changes;
    }

    pub(super) fn find(&self, tool: &str) -> Option<&CatalogTool> {
        self.listed.iter().find(|listed| listed.tool.name == tool)
    }

    /// How a listed tool differs from the accepted one, if it does.
    pub(super) fn drift_of(&self, listed: &CatalogTool) -> Option<DriftKind> {
        self.pins.drift_of(&listed.tool.name, &listed.fingerprint)
    }

    /// All tools that differ from the accepted ones.
    pub(super) fn drift(&self) -> Vec<Drift> {
        self.pins.drift(self.listed.iter().map(|listed| {
            let description = listed.tool.description.as_ref();
            let description = description.map(|text| cut(text, DESCRIPTION).into());
            ListedTool::new(&*listed.tool.name, &listed.fingerprint, description)
        }))
    }

    /// Accepts a tool as it is listed now, or forgets one that is gone. Returns whether there was such a tool.
    pub(super) fn accept(&mut self, tool: &str) -> bool {
        let now = self.find(tool).map(|listed| listed.fingerprint.clone());
        self.pins.accept(tool, now)
    }

    /// Accepts all tools as they are listed now.
    pub(super) fn accept_all(&mut self) {
        let listed = self.listed.iter();
        let prints = listed.map(|listed| (&*listed.tool.name, &*listed.fingerprint));
        self.pins = prints.collect();
    }
}
