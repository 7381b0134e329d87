//! Objects with free keys, and their form as key/value pairs.

use std::{
    collections::{BTreeMap, HashMap},
    hash::{BuildHasher, Hash},
    marker::PhantomData,
};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess};

use super::{
    At, FixKind, IssueKind, MapKey, ToolInput,
    at::{Found, Way},
    entry::Entry,
    keys::unknown_key,
    object::Object,
    visit::{Seed, Take, means_number, visit},
};
use crate::schema::{Held, Kind, Object as Rules, Schema, Unknown};

/// A map type that entries are put into.
#[doc(hidden)]
pub(super) trait KeyedMap: Default {
    type Key: MapKey;
    type Value: ToolInput;
    /// Whether the key was new.
    fn put(&mut self, key: Self::Key, value: Self::Value) -> bool;
}

impl<K: MapKey + Eq + Hash, V: ToolInput, S: BuildHasher + Default> KeyedMap for HashMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn put(&mut self, key: K, value: V) -> bool {
        self.insert(key, value).is_none()
    }
}

impl<K: MapKey + Ord, V: ToolInput> KeyedMap for BTreeMap<K, V> {
    type Key = K;
    type Value = V;

    fn put(&mut self, key: K, value: V) -> bool {
        self.insert(key, value).is_none()
    }
}

impl KeyedMap for serde_json::Map<String, serde_json::Value> {
    type Key = String;
    type Value = serde_json::Value;

    fn put(&mut self, key: String, value: serde_json::Value) -> bool {
        self.insert(key, value).is_none()
    }
}

macro_rules! flattened {
    ($([$($params:tt)*] $map:ty;)*) => {$(
        /// A map flattened into a struct collects the keys that no field declares.
        impl<$($params)*> Object for $map {
            type Out = Self;
            type Slots = Option<Self>;
            const OBJECT: &'static Schema = Self::SCHEMA;

            fn slots() -> Option<Self> {
                Some(Self::default())
            }

            fn read<'de, Source: Entry<'de>>(
                _: &mut Option<Self>,
                _: usize,
                entry: &mut Source,
                _: At<'_>,
            ) -> Result<(), Source::Error> {
                entry.skip()
            }

            fn fill(_: &mut Option<Self>, _: usize, _: At<'_>) {}

            fn read_other<'de, Source: Entry<'de>>(
                into: &mut Option<Self>,
                key: &str,
                entry: &mut Source,
                mut at: At<'_>,
            ) -> Result<(), Source::Error> {
                let value = entry.read(at.reborrow())?;
                put(into, key, value, at);
                Ok(())
            }

            fn build(slots: Option<Self>, _: At<'_>) -> Option<Self> {
                slots
            }
        }
    )*};
}

flattened! {
    [K: MapKey + Eq + Hash, V: ToolInput, S: BuildHasher + Default] HashMap<K, V, S>;
    [K: MapKey + Ord, V: ToolInput] BTreeMap<K, V>;
    [] serde_json::Map<String, serde_json::Value>;
}

/// Puts an entry where key and value are both good, else gives up the map.
fn put<M: KeyedMap>(into: &mut Option<M>, key: &str, value: Option<M::Value>, mut at: At<'_>) {
    let mut read = M::Key::from_text(key);
    if read.is_none()
        && let Some(name) = super::meant::choice_by_case(key, M::Key::KEYS, &mut at)
    {
        read = M::Key::from_text(name);
    }
    let Some(read) = read else {
        wrong_key(key, M::Key::KEYS, at);
        *into = None;
        return;
    };
    match (into.as_mut(), value) {
        (Some(all), Some(value)) => {
            if !all.put(read, value) {
                at.issue(IssueKind::DuplicateKey, "once", "more than once");
                *into = None;
            }
        }
        _ => *into = None,
    }
}

#[cold]
fn wrong_key(key: &str, keys: &'static [crate::schema::Choice], mut at: At<'_>) {
    let names: Vec<&str> = keys.iter().map(|choice| choice.name.part()).collect();
    let issue = unknown_key(at.path(), key, &names);
    at.state().push(issue);
}

pub(super) struct TakeMap<M>(PhantomData<M>);

impl<M> TakeMap<M> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<M: KeyedMap> Take for TakeMap<M> {
    type Out = M;

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<M>, A::Error> {
        let values = values_of::<M>(&at);
        let mut out = Some(M::default());
        let mut first = true;
        while let Some(key) = map.next_key::<String>()? {
            if first && means_number(&key) {
                let text: String = map.next_value()?;
                at.mismatch(&Found::Number(text.parse().unwrap_or_default()));
                return Ok(None);
            }
            first = false;
            at.below(Way::Key(&key), values, |mut at| {
                let value = map
                    .next_value_seed(Seed::<M::Value>::new(at.reborrow()))
                    .inspect_err(|_| at.note_broken())?;
                put(&mut out, &key, value, at);
                Ok(())
            })?;
        }
        Ok(out)
    }

    fn array<'de, A: SeqAccess<'de>>(
        self,
        mut items: A,
        mut at: At<'_>,
    ) -> Result<Option<M>, A::Error> {
        let values = values_of::<M>(&at);
        if !at.converts() {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            at.mismatch(&Found::Array);
            return Ok(None);
        }
        let mut out = Some(M::default());
        let mut index = 0;
        loop {
            let pair = at.below(Way::Index(index), PAIR, |at| {
                items.next_element_seed(PairSeed::<M>(at, values, PhantomData))
            })?;
            match pair {
                None => break,
                Some(None) => out = None,
                Some(Some((key, value))) => at.below(Way::Index(index), values, |at| {
                    put(&mut out, &key, Some(value), at);
                }),
            }
            index += 1;
        }
        if out.is_some() {
            at.fixed(FixKind::MapFromPairs, &Found::Array, "an object");
        }
        Ok(out)
    }
}

fn values_of<M: KeyedMap>(at: &At<'_>) -> &'static Schema {
    match &at.schema().kind {
        Kind::Map(rules) => rules.values.part(),
        _ => M::Value::SCHEMA,
    }
}

/// What stands for an entry where a map is written as an array.
const PAIR: &Schema = &Schema::of(Kind::Object(Rules {
    fields: Held::Static(&[]),
    unknown: Unknown::Ignore,
    extra: None,
}));

struct PairSeed<'a, M>(At<'a>, &'static Schema, PhantomData<M>);

impl<'de, M: KeyedMap> DeserializeSeed<'de> for PairSeed<'_, M> {
    type Value = Option<(String, M::Value)>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        visit(source, TakePair::<M>(self.1, PhantomData), self.0)
    }
}

/// With the schema of the values.
struct TakePair<M>(&'static Schema, PhantomData<M>);

impl<M: KeyedMap> Take for TakePair<M> {
    type Out = (String, M::Value);

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<Self::Out>, A::Error> {
        let values = self.0;
        let (mut key, mut value) = (None, None);
        let (mut keys, mut values_seen) = (0, 0);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "key" => {
                    keys += 1;
                    key = at.below(Way::Key("key"), String::SCHEMA, |at| {
                        map.next_value_seed(Seed::<String>::new(at))
                    })?;
                }
                "value" => {
                    values_seen += 1;
                    value = at.below(Way::Key("value"), values, |at| {
                        map.next_value_seed(Seed::<M::Value>::new(at))
                    })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    keys = 2;
                }
            }
        }
        if keys != 1 || values_seen != 1 {
            at.issue(
                IssueKind::WrongType,
                "an object of one `key` and one `value`",
                "other keys",
            );
            return Ok(None);
        }
        Ok(key.zip(value))
    }

    /// `["a", 1]` for `{"key": "a", "value": 1}`.
    fn array<'de, A: SeqAccess<'de>>(
        self,
        mut items: A,
        mut at: At<'_>,
    ) -> Result<Option<Self::Out>, A::Error> {
        let values = self.0;
        if !at.repairs() {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            at.mismatch(&Found::Array);
            return Ok(None);
        }
        let key = at.below(Way::Index(0), String::SCHEMA, |at| {
            items.next_element_seed(Seed::<String>::new(at))
        })?;
        let value = at.below(Way::Index(1), values, |at| {
            items.next_element_seed(Seed::<M::Value>::new(at))
        })?;
        let more = items.next_element::<IgnoredAny>()?.is_some();
        while items.next_element::<IgnoredAny>()?.is_some() {}
        match (key, value) {
            (Some(key), Some(value)) if !more => Ok(key.zip(value)),
            _ => {
                at.issue(
                    IssueKind::WrongType,
                    "a pair of a key and a value",
                    "an array",
                );
                Ok(None)
            }
        }
    }
}
