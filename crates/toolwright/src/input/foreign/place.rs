//! Where a value stands, on the stack, and the words for what stands there.

use serde_json::Value;

use crate::input::{
    Path,
    at::{Found, Way},
};

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

/// A value in words, cut and escaped.
pub(in crate::input) fn found(value: &Value, secret: bool) -> String {
    let found = match value {
        Value::Null => Found::Null,
        Value::Bool(value) => Found::Boolean(*value),
        Value::Number(number) => match (whole(number), number.as_f64()) {
            (Some(whole), _) => Found::Integer(whole),
            (None, Some(float)) => Found::Number(float),
            (None, None) => return "a number".to_owned(),
        },
        Value::String(text) => Found::Text(text),
        Value::Array(_) => Found::Array,
        Value::Object(_) => Found::Object,
    };
    found.words(secret)
}

/// A number that is written as a whole one.
pub(super) fn whole(number: &serde_json::Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}
