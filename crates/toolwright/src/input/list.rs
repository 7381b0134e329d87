//! Arrays: items one after the other, each at its index.

use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess};

use super::{
    At, IssueKind, ToolInput,
    at::Way,
    value::{canonical, read_any},
    visit::{Seed, Take},
};
use crate::schema::{Kind, List, expected};

/// Something that items are put into.
pub(super) trait Collect<T>: Sized {
    fn with_room(items: usize) -> Self;
    /// Adds an item; a set that holds it already stays as it is.
    fn put(&mut self, item: T);
}

pub(super) struct TakeList<C, T>(PhantomData<(C, T)>);

impl<C, T> TakeList<C, T> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

/// Room reserved on a source's word; a lying one costs this and no more.
const ROOM: usize = 4096;

impl<'de, C: Collect<T>, T: ToolInput> Take<'de> for TakeList<C, T> {
    type Out = C;

    #[inline]
    fn array<A: SeqAccess<'de>>(self, mut items: A, mut at: At<'_>) -> Result<Option<C>, A::Error> {
        let rules: &'static List = match &at.schema().kind {
            Kind::List(rules) => rules,
            _ => const { &List::of(T::SCHEMA) },
        };
        if rules.unique {
            return unique_items::<C, T, A>(items, rules, at);
        }
        let mut out = Some(C::with_room(items.size_hint().unwrap_or(0).min(ROOM)));
        let mut count = 0;
        let mut place = at.place();
        loop {
            place.move_to_item(count, rules.items);
            let next = items
                .next_element_seed(Seed::<T>::new(at.at(&place)))
                .inspect_err(|_| at.at(&place).note_broken())?;
            match next {
                None => break,
                Some(Some(item)) => {
                    if let Some(all) = &mut out {
                        all.put(item);
                    }
                }
                Some(None) => out = None,
            }
            count += 1;
        }
        Ok(if count_fits(rules, count, &mut at) {
            out
        } else {
            None
        })
    }
}

/// Items are unique as JSON, which is what the schema says. A type may tell fewer of them apart (an
/// object's unknown keys, two writings of one path), and keeps what it holds to be equal once.
fn unique_items<'de, C: Collect<T>, T: ToolInput, A: SeqAccess<'de>>(
    mut items: A,
    rules: &List,
    mut at: At<'_>,
) -> Result<Option<C>, A::Error> {
    let mut seen = std::collections::HashSet::new();
    let mut out = Some(C::with_room(0));
    let mut count = 0;
    loop {
        let next = at.below(Way::Index(count), rules.items, |mut at| {
            let next = items
                .next_element_seed(AnySeed(at.reborrow()))
                .inspect_err(|_| at.note_broken())?;
            let value = match next {
                None => return Ok(None),
                Some(None) => return Ok(Some(None)),
                Some(Some(value)) => value,
            };
            if !seen.insert(canonical(&value)) {
                at.issue(
                    IssueKind::DuplicateItem,
                    "every item once",
                    "the same item again",
                );
                return Ok(Some(None));
            }
            Ok(Some(T::read(&value, at).unwrap_or_default()))
        })?;
        match next {
            None => break,
            Some(Some(item)) => {
                if let Some(all) = &mut out {
                    all.put(item);
                }
            }
            Some(None) => out = None,
        }
        count += 1;
    }
    Ok(if count_fits(rules, count, &mut at) {
        out
    } else {
        None
    })
}

struct AnySeed<'a>(At<'a>);

impl<'de> serde::de::DeserializeSeed<'de> for AnySeed<'_> {
    type Value = Option<serde_json::Value>;

    fn deserialize<D: serde::Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        read_any(source, self.0)
    }
}

#[inline]
fn count_fits(rules: &List, count: usize, at: &mut At<'_>) -> bool {
    let n = count as u64;
    let fits =
        rules.min_items.is_none_or(|min| n >= min) && rules.max_items.is_none_or(|max| n <= max);
    if !fits {
        wrong_count(count, at);
    }
    fits
}

#[cold]
pub(super) fn wrong_count(count: usize, at: &mut At<'_>) {
    let words = expected(at.schema());
    at.issue(IssueKind::ItemCount, words, count_words(count));
}

pub(super) fn count_words(count: usize) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}

/// Reads the rest of an array that is already known to be wrong, and counts it.
pub(super) fn drain<'de, A: SeqAccess<'de>>(items: &mut A) -> Result<usize, A::Error> {
    let mut count = 0;
    while items.next_element::<IgnoredAny>()?.is_some() {
        count += 1;
    }
    Ok(count)
}
