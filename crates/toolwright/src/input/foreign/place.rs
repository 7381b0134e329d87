//! Where a value stands, on the stack.

use serde_json::Value;

use crate::input::{Path, at::Way};

/// One place on the way down.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    parent: Option<&'p Place<'p>>,
    base: &'p Path,
    step: Way<'p>,
    /// Values from here on are never shown.
    pub(super) secret: bool,
}

impl<'p> Place<'p> {
    pub(super) fn root(base: &'p Path) -> Self {
        Self {
            parent: None,
            base,
            step: Way::Root,
            secret: false,
        }
    }

    pub(super) fn below(&'p self, step: Way<'p>) -> Self {
        Self {
            parent: Some(self),
            base: self.base,
            step,
            secret: self.secret,
        }
    }

    pub(super) fn key(&'p self, key: &'p str) -> Self {
        self.below(Way::Key(key))
    }

    pub(super) fn index(&'p self, index: usize) -> Self {
        self.below(Way::Index(index))
    }

    /// The same place, whose values are shown no longer if the schema says so.
    pub(super) fn under(&self, schema: &Value) -> Self {
        let told = |key: &str, value: Value| schema.get(key) == Some(&value);
        Self {
            secret: self.secret
                || told("writeOnly", Value::Bool(true))
                || told("format", "password".into()),
            ..*self
        }
    }

    pub(super) fn is_root(&self) -> bool {
        self.parent.is_none() && self.base.is_root()
    }

    pub(super) fn path(&self) -> Path {
        let mut steps = Vec::new();
        let mut here = Some(self);
        while let Some(place) = here {
            steps.extend(place.step.step());
            here = place.parent;
        }
        steps.extend(self.base.steps().iter().rev().cloned());
        steps.reverse();
        steps.into_iter().collect()
    }
}
