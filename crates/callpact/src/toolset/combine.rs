//! New lists from old ones; the tools themselves are shared.

use std::sync::Arc;

use super::{Conflict, Toolset, ToolsetError, entry::ToolEntry, list::ListInner};
use crate::names::is_provider_name;

impl Toolset {
    /// These tools, with a prefix on each name.
    ///
    /// # Errors
    /// When a name becomes too long or the prefix has characters that providers do not take.
    pub fn prefix(&self, prefix: &str) -> Result<Self, ToolsetError> {
        self.renamed(|name| Some(format!("{prefix}{name}")))
    }

    /// These tools, one of them under another name.
    ///
    /// # Errors
    /// When there is no such tool, or the new name is taken or providers do not take it.
    pub fn rename(&self, from: &str, to: &str) -> Result<Self, ToolsetError> {
        if !self.contains(from) {
            let name = from.to_owned();
            return Err(ToolsetError {
                conflicts: vec![Conflict::NoSuchTool { name }],
            });
        }
        self.renamed(|name| (name == from).then(|| to.to_owned()))
    }

    /// The tools whose names pass the test.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(&str) -> bool) -> Self {
        let entries = self
            .0
            .entries
            .iter()
            .filter(|entry| keep(&entry.name))
            .cloned()
            .collect();
        self.with_entries(entries)
    }

    /// These tools, with a decision required for each tool whose name passes.
    #[must_use]
    pub fn require_approval(&self, needs: impl Fn(&str) -> bool) -> Self {
        let mut entries = self.0.entries.clone();
        for entry in entries.iter_mut().filter(|entry| needs(&entry.name)) {
            entry.require_approval();
        }
        self.with_entries(entries)
    }

    fn renamed(&self, rename: impl Fn(&str) -> Option<String>) -> Result<Self, ToolsetError> {
        let mut entries = self.0.entries.clone();
        let mut conflicts = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for entry in &mut entries {
            if let Some(name) = rename(&entry.name) {
                // The digest covers the name too.
                *entry = entry.named(&name);
            }
            if !is_provider_name(&entry.name) {
                conflicts.push(Conflict::InvalidName {
                    name: entry.name.to_string(),
                });
            }
            if !seen.insert(Arc::clone(&entry.name)) {
                conflicts.push(Conflict::DuplicateName {
                    name: entry.name.to_string(),
                });
            }
        }
        if conflicts.is_empty() {
            Ok(self.with_entries(entries))
        } else {
            Err(ToolsetError { conflicts })
        }
    }

    fn with_entries(&self, entries: Vec<ToolEntry>) -> Self {
        let ListInner {
            max_output,
            notes,
            pages,
            ..
        } = &*self.0;
        let list = ListInner::new(entries, *max_output, *notes, pages.clone());
        Self(Arc::new(list))
    }
}
