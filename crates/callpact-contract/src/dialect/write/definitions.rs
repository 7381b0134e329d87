//! The definitions that the references of a schema need.

use crate::{schema::Schema, text::same};

/// How many definitions one schema may have.
const MOST: usize = 16;
/// The place of the root among the definitions.
const ROOT: usize = MOST;

/// The definitions that were referred to, and the one that is being written.
pub(super) struct NotedDefinitions<'a> {
    root: Option<&'a Schema>,
    /// Whether a reference to the root is `#`. Otherwise, it leads to a definition.
    has_whole_root: bool,
    /// The place of the definition of the root.
    root_place: Option<usize>,
    noted: [Option<&'a Schema>; MOST],
    /// The place of the definition around the first use of each.
    outer: [usize; MOST],
    /// The place of the definition that is being written.
    inside: usize,
    /// Whether the text is only compared with other texts: then references need no definitions.
    compares: bool,
}

/// What a reference leads to.
#[derive(Clone, Copy)]
pub(super) enum ReferenceTarget<'a> {
    Root,
    Definition {
        name: &'a str,
        /// How many definitions before it have the same name.
        twins: usize,
    },
}

impl<'a> NotedDefinitions<'a> {
    pub(super) const NONE: Self = Self {
        root: None,
        has_whole_root: false,
        root_place: None,
        noted: [None; MOST],
        outer: [ROOT; MOST],
        inside: ROOT,
        compares: false,
    };
    /// For a text that is only compared with other texts.
    pub(super) const COMPARED: Self = Self {
        compares: true,
        ..Self::NONE
    };

    pub(super) const fn compares(&self) -> bool {
        self.compares
    }

    /// Begins a schema. `is_whole` is whether the text of the root says what the root is inside itself, too.
    pub(super) const fn begin(&mut self, root: &'a Schema, is_whole: bool) {
        if root.is_definition() {
            self.root = Some(root);
            self.has_whole_root = is_whole;
        }
    }

    /// The target of a schema that refers to one of its parents, if there is room for it.
    pub(super) const fn target_of(&mut self, stand_in: &'a Schema) -> Option<ReferenceTarget<'a>> {
        if self.compares {
            return Some(ReferenceTarget::Definition {
                name: stand_in.name.part(),
                twins: stand_in.number() as usize,
            });
        }
        let mut place = self.inside;
        while place < MOST {
            if let Some(definition) = self.noted[place]
                && definition.is_definition_of(stand_in)
            {
                return self.target(place);
            }
            place = self.outer[place];
        }
        let Some(root) = self.root else { return None };
        if !root.is_definition_of(stand_in) {
            return None;
        }
        if self.has_whole_root {
            return Some(ReferenceTarget::Root);
        }
        if self.root_place.is_none() {
            self.root_place = self.add(root, ROOT);
        }
        match self.root_place {
            Some(place) => self.target(place),
            None => None,
        }
    }

    /// Notes a definition at its first use, if there is room for it.
    pub(super) const fn note(&mut self, definition: &'a Schema) -> Option<ReferenceTarget<'a>> {
        match self.add(definition, self.inside) {
            Some(place) => self.target(place),
            None => None,
        }
    }

    const fn add(&mut self, definition: &'a Schema, outer: usize) -> Option<usize> {
        let mut place = 0;
        while place < MOST {
            if self.noted[place].is_none() {
                self.noted[place] = Some(definition);
                self.outer[place] = outer;
                return Some(place);
            }
            place += 1;
        }
        None
    }

    /// The definition at a place.
    pub(super) const fn noted(&self, place: usize) -> Option<&'a Schema> {
        if place < MOST {
            self.noted[place]
        } else {
            None
        }
    }

    /// The reference to the definition at a place.
    pub(super) const fn target(&self, place: usize) -> Option<ReferenceTarget<'a>> {
        let Some(definition) = self.noted(place) else {
            return None;
        };
        let name = definition.name.part();
        let mut twins = 0;
        let mut before = 0;
        while before < place {
            if let Some(other) = self.noted[before]
                && same(other.name.part(), name)
            {
                twins += 1;
            }
            before += 1;
        }
        Some(ReferenceTarget::Definition { name, twins })
    }

    /// Begins the definition at a place; after the last one, the root again.
    pub(super) const fn enter(&mut self, place: usize) {
        self.inside = place;
    }

    /// Ends the definitions.
    pub(super) const fn leave(&mut self) {
        self.inside = ROOT;
    }
}
