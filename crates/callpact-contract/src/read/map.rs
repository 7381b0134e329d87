//! Maps.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{BuildHasher, Hash},
    mem,
};

use super::{FieldValue, MapKey, QuickInput, QuickObject, Refusal, ToolInput, input::NextKey};

/// A type of map that collects entries.
pub trait KeyedMap: Sized {
    type Key: MapKey;
    type Value: ToolInput;
    /// The entries that have been read.
    type Entries: Default;
    /// Adds an entry, and returns whether the key was new.
    fn put(entries: &mut Self::Entries, key: Self::Key, value: Self::Value) -> bool;
    /// The map of these entries.
    fn close(entries: Self::Entries) -> Self;
}

impl<K: MapKey + Eq + Hash, V: ToolInput, S: BuildHasher + Default> KeyedMap for HashMap<K, V, S> {
    type Key = K;
    type Value = V;
    type Entries = Self;

    fn put(entries: &mut Self, key: K, value: V) -> bool {
        entries.insert(key, value).is_none()
    }

    fn close(entries: Self) -> Self {
        entries
    }
}

/// The entries of a sorted map. While the keys come in order, as most writers send them, they need no search, and the
/// map is built at the end.
pub struct Sorted<K, V> {
    in_order: Vec<(K, V)>,
    /// All entries, once a key has come out of order.
    map: BTreeMap<K, V>,
}

impl<K, V> Default for Sorted<K, V> {
    fn default() -> Self {
        Self {
            in_order: Vec::new(),
            map: BTreeMap::new(),
        }
    }
}

impl<K: MapKey + Ord, V: ToolInput> KeyedMap for BTreeMap<K, V> {
    type Key = K;
    type Value = V;
    type Entries = Sorted<K, V>;

    fn put(entries: &mut Sorted<K, V>, key: K, value: V) -> bool {
        let Sorted { in_order, map } = entries;
        if map.is_empty() && in_order.last().is_none_or(|(last, _)| *last < key) {
            in_order.push((key, value));
            return true;
        }
        if map.is_empty() {
            *map = mem::take(in_order).into_iter().collect();
        }
        map.insert(key, value).is_none()
    }

    fn close(entries: Sorted<K, V>) -> Self {
        let Sorted { in_order, map } = entries;
        if map.is_empty() {
            in_order.into_iter().collect()
        } else {
            map
        }
    }
}

impl KeyedMap for serde_json::Map<String, serde_json::Value> {
    type Key = String;
    type Value = serde_json::Value;
    type Entries = Self;

    fn put(entries: &mut Self, key: String, value: serde_json::Value) -> bool {
        entries.insert(key, value).is_none()
    }

    fn close(entries: Self) -> Self {
        entries
    }
}

macro_rules! flattened {
    ($([$($params:tt)*] $map:ty;)*) => {$(
        /// A map flattened into a struct collects the keys that no field declares.
        impl<$($params)*> QuickObject for $map {
            type Out = Self;
            type Slots = Option<<Self as KeyedMap>::Entries>;

            fn slots() -> Self::Slots {
                Some(Default::default())
            }

            fn read_quick(_: &mut Self::Slots, _: usize, _: &mut QuickInput<'_>) -> Option<FieldValue> {
                None
            }

            fn fill(_: &mut Self::Slots, _: usize, _: Refusal<'_>) {}

            fn read_other(slots: &mut Self::Slots, key: &str, input: &mut QuickInput<'_>) -> Option<()> {
                if input.is_lenient() {
                    return None;
                }
                put_entry::<Self>(slots.as_mut()?, key, input)
            }

            fn build(slots: Self::Slots, _: Refusal<'_>) -> Option<Self> {
                slots.map(Self::close)
            }
        }
    )*};
}

flattened! {
    [K: MapKey + Eq + Hash, V: ToolInput, S: BuildHasher + Default] HashMap<K, V, S>;
    [K: MapKey + Ord, V: ToolInput] BTreeMap<K, V>;
    [] serde_json::Map<String, serde_json::Value>;
}

/// Reads a map. A key that is given twice is not plain.
pub(crate) fn read_map<M: KeyedMap>(input: &mut QuickInput<'_>) -> Option<M> {
    let mut object = input.open_object()?;
    let mut entries = M::Entries::default();
    while let NextKey::Key(key) = input.next_key(&mut object)? {
        put_entry::<M>(&mut entries, &key, input)?;
    }
    Some(M::close(entries))
}

fn put_entry<M: KeyedMap>(
    entries: &mut M::Entries,
    key: &str,
    input: &mut QuickInput<'_>,
) -> Option<()> {
    let key = M::Key::from_text(key)?;
    let value = M::Value::read_quick(input, None)?;
    M::put(entries, key, value).then_some(())
}
