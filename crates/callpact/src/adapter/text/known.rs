//! The tools that a text may call.

use std::collections::HashMap;

use crate::schema::Schema;

/// The tools of a request with their schemas, for reading calls in a text: a name says whether a text without marks is a
/// call, and a schema says what type a value has that was written without quotes.
///
/// [`Toolset::known_tools`](crate::Toolset::known_tools) gives those of a list.
#[derive(Clone, Debug, Default)]
pub struct KnownTools<'a> {
    tools: HashMap<&'a str, &'a Schema>,
    is_any: bool,
}

impl<'a> KnownTools<'a> {
    /// No tool is known, and any name may be one.
    pub fn any() -> Self {
        Self {
            tools: HashMap::new(),
            is_any: true,
        }
    }

    /// Whether any name may be that of a tool.
    pub(super) const fn is_any(&self) -> bool {
        self.is_any
    }

    /// Whether there may be a tool of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.is_any || self.tools.contains_key(name)
    }

    /// The names of the tools.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().copied()
    }

    /// The schema of a tool's parameters.
    pub(crate) fn schema(&self, name: &str) -> Option<&'a Schema> {
        self.tools.get(name).copied()
    }
}

impl<'a> FromIterator<(&'a str, &'a Schema)> for KnownTools<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a Schema)>>(tools: I) -> Self {
        Self {
            tools: tools.into_iter().collect(),
            is_any: false,
        }
    }
}
