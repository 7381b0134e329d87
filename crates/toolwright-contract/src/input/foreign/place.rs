//! Where a value stands, on the stack.

use crate::{
    read::at::Way,
    report::{Path, Step},
};

/// One place on the way down.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    base: &'p Path,
    step: Way<'p>,
}

impl<'p> Place<'p> {
    pub(super) fn root(base: &'p Path) -> Self {
        Self {
            parent: None,
            base,
            step: Way::Root,
        }
    }

    pub(super) fn below(&'p self, step: Way<'p>) -> Self {
        Self {
            parent: Some(self),
            base: self.base,
            step,
        }
    }

    pub(super) fn key(&'p self, key: &'p str) -> Self {
        self.below(Way::Key(key))
    }

    pub(super) fn index(&'p self, index: usize) -> Self {
        self.below(Way::Index(index))
    }

    pub(super) fn is_root(&self) -> bool {
        self.parent.is_none() && self.base.is_root()
    }

    pub(super) fn path(&self) -> Path {
        let base = self.base.steps().iter().cloned();
        base.chain(self.steps()).collect()
    }

    /// The way from the value that the schema is about.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(place) = here {
            steps.extend(place.step.step());
            here = place.parent;
        }
        steps.reverse();
        steps
    }
}
