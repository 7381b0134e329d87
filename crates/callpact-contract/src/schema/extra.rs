//! Rules on a value that its kind cannot express, as foreign schemas have them.

use std::sync::Arc;

use serde_json::{Number, Value};

use super::{CompiledPattern, Schema};

/// A rule on a value that its kind cannot express.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ExtraRule {
    /// No value fits, or no value of this type.
    Never(Option<&'static str>),
    /// Only null fits.
    Null,
    /// Only these values fit.
    Values(Vec<Value>),
    /// The bounds and the step of a number.
    NumberEnds(Vec<(NumberEnd, Number)>),
    /// The number of keys of an object.
    KeyCount { min: Option<u64>, max: Option<u64> },
    /// The names of the keys of an object.
    KeyNames(Box<Schema>),
    /// The values of keys that match a pattern, and of the other keys.
    KeyPatterns(Box<KeyPatterns>),
    /// Keys that an object must not have.
    Without(Vec<String>),
    /// The keys that an object needs if it has a key.
    Needs(Vec<(String, Vec<String>)>),
    /// The schema of an object that has a key.
    WithKey(Vec<(String, Schema)>),
    /// No two items of a list are equal.
    Unique,
    /// The first items of a list, and the others.
    Positions {
        firsts: Vec<Schema>,
        rest: Option<Box<Schema>>,
    },
    /// The number of items of a list that fit a schema.
    Contains {
        items: Box<Schema>,
        min: u64,
        max: Option<u64>,
    },
    /// Every one of these schemas.
    All(Vec<Schema>),
    /// One of these schemas, or exactly one.
    Forms { forms: Vec<Schema>, only: bool },
    /// Just one of the forms of the union, of which some more are null.
    OnlyOne { nulls: usize },
    /// A schema that must not fit, and the words about it.
    Not { form: Box<Schema>, words: String },
    /// A schema that depends on whether another one fits.
    If(Box<Condition>),
    /// The keys or items that no other keyword evaluates.
    Unevaluated(Box<Unevaluated>),
    /// The definition with this number.
    Fits(u32),
    /// The definitions of the whole schema by their numbers.
    Definitions(Vec<(u32, Schema)>),
}

/// A bound of a number, or its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberEnd {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
    Multiple,
}

/// The values of keys that match a pattern, and of the other keys.
#[derive(Clone, Debug)]
pub struct KeyPatterns {
    /// The declared keys, which are not other keys.
    pub names: Vec<String>,
    pub patterns: Vec<KeyPattern>,
    pub rest: OtherKeys,
}

/// A pattern of keys with the schema of their values.
#[derive(Clone, Debug)]
pub struct KeyPattern {
    pub text: String,
    pub compiled: CompiledPattern,
    pub values: Schema,
}

/// The keys of an object that nothing declares.
#[derive(Clone, Debug)]
pub enum OtherKeys {
    Open,
    Closed,
    Values(Box<Schema>),
}

/// A schema that depends on whether another one fits.
#[derive(Clone, Debug)]
pub struct Condition {
    pub test: Schema,
    pub then: Option<Schema>,
    pub otherwise: Option<Schema>,
}

/// The keys or items that no other keyword evaluates.
#[derive(Clone, Debug)]
pub struct Unevaluated {
    /// Whether this is about items.
    pub items: bool,
    /// The schema of the others; without one, there must be none.
    pub rest: Option<Schema>,
    pub evaluated: Evaluated,
}

/// The keys and items that the keywords of a schema evaluate.
#[derive(Clone, Debug, Default)]
pub struct Evaluated {
    pub names: Vec<String>,
    pub patterns: Vec<CompiledPattern>,
    pub all_keys: bool,
    /// The number of items that have a schema by their position.
    pub firsts: usize,
    pub all_items: bool,
    pub contains: Option<Schema>,
    pub forms: Vec<EvaluatedForm>,
}

/// What a form of a value evaluates if the value fits it.
#[derive(Clone, Debug)]
pub struct EvaluatedForm {
    pub needs: FormNeed,
    pub schema: Schema,
    pub evaluated: Evaluated,
}

/// When a form counts, apart from fitting.
#[derive(Clone, Debug)]
pub enum FormNeed {
    Always,
    /// The object has this key.
    Key(String),
    /// A test fits, or does not.
    Test(Box<Schema>, bool),
}

impl Schema {
    /// The rules that the kind cannot express.
    pub(crate) fn rules(&self) -> &[ExtraRule] {
        self.extra.as_deref().map_or(&[], Vec::as_slice)
    }

    pub(super) fn add_rules(&mut self, rules: impl IntoIterator<Item = ExtraRule>) {
        let mut rules = rules.into_iter().peekable();
        if rules.peek().is_some() {
            Arc::make_mut(self.extra.get_or_insert_default()).extend(rules);
        }
    }
}
