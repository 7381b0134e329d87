//! Arrays: items one after the other, each at its index.

use std::marker::PhantomData;

use serde::de::{IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, value::MapAccessDeserializer};

use super::{
    At, FixKind, IssueKind, ToolInput,
    at::{Found, Way},
    repair::{element_takes, structure},
    value::{canonical, read_any},
    visit::{Seed, Take},
};
use crate::schema::{Kind, List, Schema, expected};

/// Something that items are put into.
pub(super) trait Collect<T>: Sized {
    fn with_room(items: usize) -> Self;
    /// Adds an item; a set that holds it already stays as it is.
    fn put(&mut self, item: T);
}

/// Takes an array; `OWN` when no field adds a rule to those of the type.
pub(super) struct TakeList<C, T, const OWN: bool>(PhantomData<(C, T)>);

impl<C, T, const OWN: bool> TakeList<C, T, OWN> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

/// Room reserved on a source's word; a lying one costs this and no more.
const ROOM: usize = 4096;

impl<C, T, const OWN: bool> Take for TakeList<C, T, OWN>
where
    C: Collect<T> + ToolInput,
    T: ToolInput,
{
    type Out = C;

    fn boolean(self, value: bool, at: At<'_>) -> Option<C> {
        single::<C, T, _>(value, &Found::Boolean(value), at)
    }

    fn integer(self, value: i128, at: At<'_>) -> Option<C> {
        single::<C, T, _>(value, &Found::Integer(value), at)
    }

    fn number(self, value: f64, at: At<'_>) -> Option<C> {
        single::<C, T, _>(value, &Found::Number(value), at)
    }

    fn text(self, value: &str, at: At<'_>) -> Option<C> {
        if at.repairs() && !value.trim_start().starts_with('[') {
            return single::<C, T, _>(value, &Found::Text(value), at);
        }
        structure(self, value, at)
    }

    fn object<'de, A: MapAccess<'de>>(self, map: A, mut at: At<'_>) -> Result<Option<C>, A::Error> {
        if !at.repairs() || !element_takes(at.schema(), &Found::Object) {
            return not_a_list(map, at);
        }
        let source = MapAccessDeserializer::new(map);
        let item = at.below(Way::Index(0), items_of::<T>(&at), |at| T::read(source, at))?;
        Ok(item.and_then(|item| one::<C, T>(item, &Found::Object, at)))
    }

    #[inline]
    fn array<'de, A: SeqAccess<'de>>(
        self,
        mut items: A,
        mut at: At<'_>,
    ) -> Result<Option<C>, A::Error> {
        let ruling = if OWN { C::SCHEMA } else { at.schema() };
        let rules: &'static List = match &ruling.kind {
            Kind::List(rules) => rules,
            _ => const { &List::of(T::SCHEMA) },
        };
        if rules.unique {
            return unique_items::<C, T, A>(items, rules, at);
        }
        let mut out = C::with_room(items.size_hint().unwrap_or(0).min(ROOM));
        let mut whole = true;
        let mut count = 0;
        // One place for all items, moved on from item to item.
        let mut place = at.place_of(rules.items);
        loop {
            place.move_to_item(count);
            let next = match items.next_element_seed(Seed::<T, OWN>::new(at.at(&place))) {
                Ok(next) => next,
                Err(error) => {
                    at.at(&place).note_broken();
                    return Err(error);
                }
            };
            match next {
                None => break,
                Some(Some(item)) => out.put(item),
                Some(None) => whole = false,
            }
            count += 1;
        }
        let fits = count_fits(rules, count, &mut at);
        Ok((whole && fits).then_some(out))
    }
}

/// Passes over an object, or the number that stands behind one under `arbitrary_precision`.
fn not_a_list<'de, C, A: MapAccess<'de>>(map: A, at: At<'_>) -> Result<Option<C>, A::Error> {
    struct Nothing<C>(PhantomData<C>);
    impl<C> Take for Nothing<C> {
        type Out = C;
    }
    Nothing(PhantomData).object(map, at)
}

fn items_of<T: ToolInput>(at: &At<'_>) -> &'static Schema {
    match at.schema().kind {
        Kind::List(rules) => rules.items,
        _ => T::SCHEMA,
    }
}

/// A single value where a list is wanted: its only item, where the policy says so and the items
/// take it.
#[cold]
fn single<'de, C, T, V>(value: V, found: &Found<'_>, mut at: At<'_>) -> Option<C>
where
    C: Collect<T>,
    T: ToolInput,
    V: IntoDeserializer<'de, serde_json::Error>,
{
    if !at.repairs() || !element_takes(at.schema(), found) {
        at.mismatch(found);
        return None;
    }
    let item = at.below(Way::Index(0), items_of::<T>(&at), |at| {
        T::read(value.into_deserializer(), at)
    });
    one(item.unwrap_or_default()?, found, at)
}

fn one<C: Collect<T>, T>(item: T, found: &Found<'_>, mut at: At<'_>) -> Option<C> {
    if let Kind::List(rules) = at.schema().kind
        && !count_fits(&rules, 1, &mut at)
    {
        return None;
    }
    at.fixed(FixKind::ListFromSingle, found, "an array of it");
    let mut out = C::with_room(1);
    out.put(item);
    Some(out)
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
pub(super) fn count_fits(rules: &List, count: usize, at: &mut At<'_>) -> bool {
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
