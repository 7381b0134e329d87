//! The definitions around a node, and those that its references need.

use crate::{schema::Schema, text::same};

/// How many definitions may be around a node, and how many may be referred to.
const MOST: usize = 16;

/// The definitions around a node, and those that were referred to.
pub(super) struct AroundDefinitions<'a> {
    around: [Option<&'a Schema>; MOST],
    depth: usize,
    noted: [Option<&'a Schema>; MOST],
}

impl<'a> AroundDefinitions<'a> {
    pub(super) const NONE: Self = Self {
        around: [None; MOST],
        depth: 0,
        noted: [None; MOST],
    };

    /// Begins the inside of a definition.
    pub(super) const fn enter(&mut self, definition: &'a Schema) {
        if self.depth < MOST {
            self.around[self.depth] = Some(definition);
        }
        self.depth += 1;
    }

    /// Ends the inside of a definition.
    pub(super) const fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The name of the definition that a schema stands for. Without room for it, there is none.
    pub(super) const fn refer(&mut self, stand_in: &Schema) -> Option<&'a str> {
        let mut level = if self.depth < MOST { self.depth } else { MOST };
        let mut found = None;
        while level > 0 && found.is_none() {
            level -= 1;
            if let Some(definition) = self.around[level]
                && definition.is_definition_of(stand_in)
            {
                found = Some(definition);
            }
        }
        let mut index = 0;
        while index < MOST {
            match (self.noted[index], found) {
                (Some(noted), _) if noted.is_definition_of(stand_in) => {
                    return Some(noted.name.part());
                }
                // Two definitions of one name cannot stand beside each other.
                (Some(noted), Some(found)) if same(noted.name.part(), found.name.part()) => {
                    return None;
                }
                (Some(_), _) => {}
                (None, Some(found)) => {
                    self.noted[index] = Some(found);
                    return Some(found.name.part());
                }
                (None, None) => return None,
            }
            index += 1;
        }
        None
    }

    pub(super) const fn noted(&self, index: usize) -> Option<(&'a str, &'a Schema)> {
        if index == MOST {
            return None;
        }
        match self.noted[index] {
            Some(definition) => Some((definition.name.part(), definition)),
            None => None,
        }
    }
}
