//! The given fields of an object, and the keys that no field takes.

use std::collections::BTreeSet;

use crate::text::Texts;

/// A bit for each of the first 64 fields that was given. [`Rare`] has the bits of the others.
#[derive(Clone, Copy, Default)]
pub(crate) struct Given(pub(crate) u64);

/// Given fields beyond the first 64, and keys that are not the name of a field.
#[derive(Default)]
pub(crate) struct Rare {
    /// A bit for each further field that was given.
    high: Vec<u64>,
    /// Keys that a flattened map took.
    pub(crate) others: BTreeSet<String>,
    /// Unknown keys.
    pub(crate) strangers: Texts,
    /// Keys of other variants whose value is null.
    pub(crate) nulls: Vec<String>,
}

/// The number of unknown keys of one object that are remembered, unless half of the most issues is more.
pub(super) const STRANGERS: usize = 16;

impl Given {
    /// The first `count` fields, at most 64.
    #[inline]
    pub(crate) const fn first(count: usize) -> Self {
        if count < 64 {
            Self((1 << count) - 1)
        } else {
            Self(u64::MAX)
        }
    }

    /// Marks a field as given, and returns whether it was given before.
    #[inline]
    pub(crate) fn insert(&mut self, number: usize, rare: &mut Option<Box<Rare>>) -> bool {
        if number >= 64 {
            return rare.get_or_insert_default().insert(number);
        }
        let before = self.low(number);
        self.0 |= 1 << number;
        before
    }

    /// Whether one of the first 64 fields was given.
    #[inline]
    pub(crate) fn low(self, number: usize) -> bool {
        number < 64 && self.0 & (1 << number) != 0
    }

    pub(crate) fn has(self, number: usize, rare: &Rare) -> bool {
        let high = || rare.high.get(number / 64 - 1);
        self.low(number)
            || (number >= 64 && high().is_some_and(|word| word & (1 << (number % 64)) != 0))
    }
}

impl Rare {
    #[cold]
    #[inline(never)]
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let (index, bit) = (number / 64 - 1, 1u64 << (number % 64));
        if self.high.len() <= index {
            self.high.resize(index + 1, 0);
        }
        let Some(word) = self.high.get_mut(index) else {
            return false;
        };
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    pub(super) fn remember(&mut self, key: &str) {
        // One unknown key seldom comes alone.
        if self.strangers.is_empty() {
            self.strangers.reserve(STRANGERS);
        }
        self.strangers.push(key);
    }
}
