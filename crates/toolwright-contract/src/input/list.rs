//! Arrays: items one after the other, each at its index.

use std::{collections::HashSet, marker::PhantomData};

use serde::de::{IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, value::MapAccessDeserializer};
use serde_json::Value;

use super::{
    At, FixKind, IssueKind, ToolInput,
    at::{Found, Way},
    meant::{element_takes, structure},
    value::canonical,
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
        if !is_alone(&Found::Object, &at) {
            return not_a_list(map, at);
        }
        let source = MapAccessDeserializer::new(map);
        let rules = rules_of::<T>(at.schema());
        let item = at.below(Way::Index(0), rules.items.part(), |at| T::read(source, at))?;
        Ok(item.and_then(|item| one::<C, T>(item, rules, &Found::Object, at)))
    }

    #[inline]
    fn array<'de, A: SeqAccess<'de>>(
        self,
        mut items: A,
        mut at: At<'_>,
    ) -> Result<Option<C>, A::Error> {
        let rules = rules_of::<T>(if OWN { C::SCHEMA } else { at.schema() });
        if rules.unique {
            return unique_items::<C, T, A>(items, rules, at);
        }
        let mut out = C::with_room(items.size_hint().unwrap_or(0).min(ROOM));
        let mut whole = true;
        let mut count = 0;
        // One place for all items, moved on from item to item.
        let mut place = at.place_of(rules.items.part());
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

/// The rules of a list: those of the schema, or none where it says less than the type, as that of a type
/// which contains itself does.
#[inline]
pub(super) fn rules_of<T: ToolInput>(schema: &'static Schema) -> &'static List {
    match &schema.kind {
        Kind::List(rules) => rules,
        _ => const { &List::of(T::SCHEMA) },
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
    if !is_alone(found, &at) {
        at.mismatch(found);
        return None;
    }
    let rules = rules_of::<T>(at.schema());
    let item = at.below(Way::Index(0), rules.items.part(), |at| {
        T::read(value.into_deserializer(), at)
    });
    one(item.unwrap_or_default()?, rules, found, at)
}

fn one<C: Collect<T>, T>(item: T, rules: &List, found: &Found<'_>, mut at: At<'_>) -> Option<C> {
    if !only_item(rules, found, &mut at) {
        return None;
    }
    let mut out = C::with_room(1);
    out.put(item);
    Some(out)
}

/// Items are unique as JSON, which is what the schema says. A type may tell fewer of them apart (an
/// object's unknown keys, two writings of one path), and keeps what it holds to be equal once.
fn unique_items<'de, C: Collect<T>, T: ToolInput, A: SeqAccess<'de>>(
    mut items: A,
    rules: &'static List,
    mut at: At<'_>,
) -> Result<Option<C>, A::Error> {
    let mut seen = HashSet::new();
    let mut out = Some(C::with_room(0));
    let mut count = 0;
    loop {
        let next = at.below(Way::Index(count), rules.items.part(), |mut at| {
            let next = items
                .next_element_seed(Seed::<Value>::new(at.reborrow()))
                .inspect_err(|_| at.note_broken())?;
            let value = match next {
                None => return Ok(None),
                Some(None) => return Ok(Some(None)),
                Some(Some(value)) => value,
            };
            if !is_new(&value, &mut seen, &mut at) {
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

/// Whether an item is another than those before it; reports one that is not.
pub(super) fn is_new(item: &Value, seen: &mut HashSet<String>, at: &mut At<'_>) -> bool {
    let is_new = seen.insert(canonical(item));
    if !is_new {
        at.issue(
            IssueKind::DuplicateItem,
            "every item once",
            "the same item again",
        );
    }
    is_new
}

/// Whether a value where a list is wanted can only be its one item, and the policy says so.
pub(super) fn is_alone(found: &Found<'_>, at: &At<'_>) -> bool {
    at.repairs() && element_takes(at.schema(), found)
}

/// Notes that a value was taken for a list of it; whether such a list may be.
pub(super) fn only_item(rules: &List, found: &Found<'_>, at: &mut At<'_>) -> bool {
    let fits = count_fits(rules, 1, at);
    if fits {
        at.fixed(FixKind::ListFromSingle, found, "an array of it");
    }
    fits
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
