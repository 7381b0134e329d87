//! Objects with free keys, also in the form of key/value pairs.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    hash::{BuildHasher, Hash},
    mem,
};

use super::{
    at::At,
    found::Found,
    here::Way,
    input::Input,
    keys::unknown_key,
    meant::{choice_by_case, take_out},
    object::Object,
    take::{Take, refuse_whole, take},
    tool_input::{MapKey, ToolInput},
};
use crate::{
    json::Source,
    report::{FixKind, IssueKind},
    schema::{Choice, Held, Kind, Object as Rules, Schema, Unknown},
};

/// A type of map that collects entries.
#[doc(hidden)]
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
#[doc(hidden)]
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
        impl<$($params)*> Object for $map {
            type Out = Self;
            type Slots = Option<<Self as KeyedMap>::Entries>;

            fn slots() -> Self::Slots {
                Some(Default::default())
            }

            fn read(_: &mut Self::Slots, _: usize, input: &mut Input<'_>, _: At<'_>) {
                input.skip();
            }

            fn fill(_: &mut Self::Slots, _: usize, _: At<'_>) {}

            fn read_other(
                into: &mut Self::Slots,
                key: &str,
                input: &mut Input<'_>,
                mut at: At<'_>,
            ) {
                let value = ToolInput::read(input, at.reborrow());
                if !input.is_broken() {
                    put::<Self>(into, key, value, at);
                }
            }

            fn build(slots: Self::Slots, _: At<'_>) -> Option<Self> {
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

/// Adds an entry if its key and value are right; otherwise gives up the map.
fn put<M: KeyedMap>(into: &mut Option<M::Entries>, key: &str, value: Option<M::Value>, at: At<'_>) {
    put_key::<M>(into, key, value, (M::Key::KEYS, &M::Key::from_text), at);
}

/// Makes a key of a text, if the text is one.
type ToKey<'a, K> = &'a dyn Fn(&str) -> Option<K>;

/// Like `put`, with the allowed keys and the function that makes a key of a text.
pub(super) fn put_key<M: KeyedMap>(
    into: &mut Option<M::Entries>,
    key: &str,
    value: Option<M::Value>,
    (keys, from_text): (&[Choice], ToKey<'_, M::Key>),
    mut at: At<'_>,
) {
    let mut read = from_text(key);
    if read.is_none()
        && let Some(name) = choice_by_case(key, keys, &mut at)
    {
        read = from_text(name);
    }
    let Some(read) = read else {
        wrong_key(keys, at);
        *into = None;
        return;
    };
    match (into.as_mut(), value) {
        (Some(all), Some(value)) => {
            if !M::put(all, read, value) {
                at.issue(IssueKind::DuplicateKey, "once", "more than once");
                *into = None;
            }
        }
        _ => *into = None,
    }
}

#[cold]
fn wrong_key(keys: &[Choice], mut at: At<'_>) {
    let names: Vec<&str> = keys.iter().map(|choice| choice.name.part()).collect();
    let issue = unknown_key(at.path(), &names);
    at.state().push(issue);
}

/// Reads a map.
pub(crate) fn read_map<M: KeyedMap>(input: &mut Input<'_>, at: At<'_>) -> Option<M> {
    let values = match &at.schema().kind {
        Kind::Map(rules) => rules.values.part(),
        _ => M::Value::SCHEMA,
    };
    let mut slots = SlotsOf::<M> {
        entries: Some(M::Entries::default()),
        value: None,
    };
    let take_map = TakeMap {
        values,
        slots: &mut slots,
    };
    take(input, take_map, at)?;
    slots.entries.map(M::close)
}

/// A map that is being read. The loops over entries see only this trait, so that they are compiled once.
pub(super) trait Slots {
    /// Reads and keeps a value, and returns whether there is one.
    fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool;
    /// Puts the last value under its key.
    fn put(&mut self, key: &str, at: At<'_>);
}

struct SlotsOf<M: KeyedMap> {
    entries: Option<M::Entries>,
    value: Option<M::Value>,
}

impl<M: KeyedMap> Slots for SlotsOf<M> {
    fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool {
        self.value = M::Value::read(input, at);
        self.value.is_some()
    }

    fn put(&mut self, key: &str, at: At<'_>) {
        put::<M>(&mut self.entries, key, self.value.take(), at);
    }
}

/// Takes a map, with the schema of its values.
pub(super) struct TakeMap<'a> {
    pub(super) values: &'a Schema,
    pub(super) slots: &'a mut dyn Slots,
}

impl Take for TakeMap<'_> {
    type Out = ();

    #[cold]
    fn text(self, value: Cow<'_, str>, at: At<'_>) -> Option<()> {
        let Self { values, slots } = self;
        let mut whole = None;
        take_out(&value, at, &mut |input, at| {
            let slots = &mut *slots;
            whole = take(input, TakeMap { values, slots }, at);
        });
        whole
    }

    fn object(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<()> {
        let tagged = at.tagged();
        let mut entries = input.open_object();
        while let Some(key) = input.next_key(&mut entries) {
            if tagged.is_some_and(|tagged| tagged.tag == key) {
                input.skip();
                continue;
            }
            at.below(Way::Key(&key), self.values, |mut at| {
                self.slots.read(input, at.reborrow());
                if input.is_broken() {
                    at.note_broken();
                } else {
                    self.slots.put(&key, at);
                }
            });
        }
        (!input.is_broken()).then_some(())
    }

    /// Reads the form of key/value pairs.
    #[cold]
    fn list(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<()> {
        let Self { values, slots } = self;
        if !at.takes_lowered() {
            refuse_whole(input, &Found::Array, at);
            return None;
        }
        let mut whole = true;
        let mut kind = FixKind::MapFromPairs;
        let mut index = 0;
        let mut items = input.open_list();
        while input.next_item(&mut items) {
            let key = at.below(Way::Index(index), PAIR, |at| {
                let (slots, kind) = (&mut *slots, &mut kind);
                take(
                    input,
                    TakePair {
                        values,
                        slots,
                        kind,
                    },
                    at,
                )
            });
            if input.is_broken() {
                break;
            }
            match key {
                Some(key) => at.below(Way::Index(index), values, |at| slots.put(&key, at)),
                None => whole = false,
            }
            index += 1;
        }
        if input.is_broken() {
            return None;
        }
        if whole {
            at.fixed(kind, &Found::Array, "an object");
        }
        whole.then_some(())
    }
}

/// An entry of a map that is written as an array.
const PAIR: &Schema = &Schema::of(Kind::Object(Rules {
    fields: Held::Static(&[]),
    unknown: Unknown::Ignore,
    extra: None,
}));

/// Takes one entry of a map that is written as an array: its key, while the map keeps the value.
struct TakePair<'a> {
    values: &'a Schema,
    slots: &'a mut dyn Slots,
    /// The form in which the map is written.
    kind: &'a mut FixKind,
}

impl Take for TakePair<'_> {
    type Out = String;

    fn object(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<String> {
        let (mut key, mut is_there) = (None, false);
        let (mut keys, mut values) = (0, 0);
        let mut entries = input.open_object();
        while let Some(name) = input.next_key(&mut entries) {
            match &*name {
                "key" => {
                    keys += 1;
                    key = at.below(Way::Key("key"), String::SCHEMA, |at| {
                        String::read(input, at)
                    });
                }
                "value" => {
                    values += 1;
                    is_there = at.below(Way::Key("value"), self.values, |at| {
                        self.slots.read(input, at)
                    });
                }
                _ => {
                    input.skip();
                    keys = 2;
                }
            }
        }
        if input.is_broken() {
            return None;
        }
        if keys != 1 || values != 1 {
            let words = "an object of one `key` and one `value`";
            at.issue(IssueKind::WrongType, words, "other keys");
            return None;
        }
        key.filter(|_| is_there)
    }

    /// Reads `["a", 1]` as `{"key": "a", "value": 1}`.
    fn list(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<String> {
        if !at.repairs() {
            refuse_whole(input, &Found::Array, at);
            return None;
        }
        *self.kind = FixKind::MapFromLists;
        let (mut key, mut is_there) = (None, false);
        let mut count = 0;
        let mut items = input.open_list();
        while input.next_item(&mut items) {
            match count {
                0 => key = at.below(Way::Index(0), String::SCHEMA, |at| String::read(input, at)),
                1 => {
                    is_there =
                        at.below(Way::Index(1), self.values, |at| self.slots.read(input, at));
                }
                _ => input.skip(),
            }
            count += 1;
        }
        if input.is_broken() {
            return None;
        }
        if count != 2 {
            at.issue(
                IssueKind::WrongType,
                "a pair of a key and a value",
                "an array",
            );
            return None;
        }
        key.filter(|_| is_there)
    }
}
