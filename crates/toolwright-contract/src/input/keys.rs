//! The keys of an object as they come in: which fields were given, and what no field takes.

use std::collections::BTreeSet;

use super::{At, Fix, FixKind, Issue, IssueKind, Path, Step};
use crate::{
    report::A_KEY,
    schema::{Object as Rules, Unknown},
    text::{nearest, quoted},
};

/// A bit for each of the first 64 fields that was given; [`Rare`] has those of the others.
#[derive(Clone, Copy)]
pub(super) struct Given(pub(super) u64);

/// Fields beyond the first 64, and keys that are no field's name.
#[derive(Default)]
pub(super) struct Rare {
    /// A bit for each further field that was given.
    high: Vec<u64>,
    /// The key that was just read.
    pub(super) text: String,
    /// Keys that a flattened map took.
    pub(super) others: BTreeSet<String>,
    /// Keys that nothing takes.
    pub(super) strangers: Vec<String>,
    more_strangers: usize,
    /// A key that models put around the arguments, and the keys inside of it.
    pub(super) wrapper: String,
    pub(super) wrapped: Vec<String>,
}

/// How many unknown keys of one object are remembered.
const STRANGERS: usize = 16;

impl Given {
    /// Marks a field as given; whether it was before.
    #[inline]
    pub(super) fn insert(&mut self, number: usize, rare: &mut Option<Box<Rare>>) -> bool {
        if number >= 64 {
            return rare.get_or_insert_default().insert(number);
        }
        let before = self.low(number);
        self.0 |= 1 << number;
        before
    }

    /// Whether one of the first 64 fields was given.
    #[inline]
    pub(super) fn low(self, number: usize) -> bool {
        number < 64 && self.0 & (1 << number) != 0
    }

    pub(super) fn has(self, number: usize, rare: &Rare) -> bool {
        let high = || rare.high.get(number / 64 - 1);
        self.low(number)
            || (number >= 64 && high().is_some_and(|word| word & (1 << (number % 64)) != 0))
    }
}

impl Rare {
    #[cold]
    #[inline(never)]
    pub(super) fn insert(&mut self, number: usize) -> bool {
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

    pub(super) fn unknown(&mut self, key: String) {
        if self.strangers.len() < STRANGERS {
            self.strangers.push(key);
        } else {
            self.more_strangers += 1;
        }
    }
}

/// What becomes of the keys that nothing took.
#[cold]
#[inline(never)]
#[allow(clippy::boxed_local)] // dropped here, out of the way
pub(super) fn report(rare: Box<Rare>, rules: &'static Rules, at: &mut At<'_>) {
    let Rare {
        strangers,
        more_strangers,
        ..
    } = *rare;
    if !strangers.is_empty() {
        at.state().repair.strangers = true;
    }
    if strangers.is_empty() || rules.unknown == Unknown::Ignore {
        return;
    }
    let secret = at.secret();
    for key in &strangers {
        let step = if secret {
            Step::hidden()
        } else {
            Step::Key(key.clone())
        };
        let path = at.path().join(step);
        if rules.unknown == Unknown::Report {
            let from = if secret {
                A_KEY.to_owned()
            } else {
                quoted(key)
            };
            let to = "absent".to_owned();
            at.push_fix(Fix {
                path,
                kind: FixKind::UnknownDropped,
                from,
                to,
            });
            continue;
        }
        at.state().push(unknown_key(path, key, &at_names(rules)));
    }
    if rules.unknown == Unknown::Deny {
        at.state().omitted += more_strangers;
    }
}

fn at_names(rules: &'static Rules) -> Vec<&'static str> {
    let fields = rules.all_fields();
    fields.map(|field| field.name.part()).collect()
}

/// The issue of a key that does not exist.
pub(super) fn unknown_key(path: Path, key: &str, names: &[&str]) -> Issue {
    let hint = match nearest(key, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if names.is_empty() => "there are no parameters here".to_owned(),
        None => format!("known are {}", list(names)),
    };
    let words = if names.is_empty() {
        "no parameter".to_owned()
    } else {
        list(names)
    };
    Issue::new(path, IssueKind::UnknownKey, words, "").with_hint(hint)
}

fn list(names: &[&str]) -> String {
    const MOST: usize = 16;
    let mut words: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MOST {
        words.push(format!("{} more", names.len() - MOST));
    }
    words.join(", ")
}
