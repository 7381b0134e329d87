//! Arrays.

use super::text::{are_crossed, is_outside, larger, refuse_count, smaller};
use crate::schema::{Held, List, Schema, fault::ValueFault, phrases::put_range};

/// A rule that a field adds to an array; built by generated code.
#[allow(missing_docs)] // named after the settings of the attribute
#[derive(Clone, Copy, Debug)]
pub enum ListRule {
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
}

impl List {
    /// Any number of these items.
    #[must_use]
    pub const fn of(items: &'static Schema) -> Self {
        Self::set(items, false)
    }

    /// Any number of these items, with or without repeats.
    pub(crate) const fn set(items: &'static Schema, unique: bool) -> Self {
        Self {
            items: Held::Static(items),
            min_items: None,
            max_items: None,
            unique,
        }
    }

    /// A fixed number of these items.
    pub(crate) const fn exactly(count: u64, items: &'static Schema) -> Self {
        Self {
            items: Held::Static(items),
            min_items: Some(count),
            max_items: Some(count),
            unique: false,
        }
    }

    pub(in crate::schema) const fn fixed(&self) -> Self {
        Self {
            items: self.items.fixed(),
            ..*self
        }
    }

    /// The lists of these items that follow both rules.
    pub(in crate::schema) fn and(&self, other: &Self, items: Schema) -> Self {
        Self {
            items: items.into(),
            min_items: larger(self.min_items, other.min_items),
            max_items: smaller(self.max_items, other.max_items),
            unique: self.unique || other.unique,
        }
    }

    /// Whether no array follows all rules.
    pub(in crate::schema) fn takes_nothing(&self) -> bool {
        are_crossed(self.min_items, self.max_items)
    }

    /// These rules and one more.
    pub(in crate::schema) const fn with(&self, rule: ListRule) -> Self {
        let (min, max, unique) = match rule {
            ListRule::MinItems(count) => (Some(count), None, false),
            ListRule::MaxItems(count) => (None, Some(count), false),
            ListRule::UniqueItems => (None, None, true),
        };
        Self {
            items: self.items.fixed(),
            min_items: larger(self.min_items, min),
            max_items: smaller(self.max_items, max),
            unique: self.unique || unique,
        }
    }

    /// Why the type does not take a rule; empty if it does.
    pub(in crate::schema) const fn refuse(&self, rule: ListRule) -> &'static str {
        match rule {
            ListRule::MinItems(count) | ListRule::MaxItems(count) => {
                refuse_count(count, self.min_items, self.max_items)
            }
            ListRule::UniqueItems => "",
        }
    }

    /// Whether an array literal has too few or too many items.
    pub(in crate::schema) const fn fault(&self, count: usize) -> ValueFault {
        if is_outside(count as u64, self.min_items, self.max_items) {
            ValueFault::Items
        } else {
            ValueFault::None
        }
    }

    pub(in crate::schema) fn describe(&self, words: &mut String) {
        words.push_str("an array");
        self.describe_counts(words);
    }

    /// The rules about the number of items in words.
    pub(in crate::schema) fn describe_counts(&self, words: &mut String) {
        put_range(self.min_items, self.max_items, "item", words);
        if self.unique {
            words.push_str(" without duplicates");
        }
    }
}
