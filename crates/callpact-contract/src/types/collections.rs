//! Arrays, sets, tuples, maps and open JSON.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
    hash::{BuildHasher, Hash},
};

use serde_json::Value;

use crate::{
    check::values::ANY,
    read::{
        ItemCollection, MapKey, PlaceRules, QuickInput, ToolInput, close_tuple, open_tuple,
        read_list, read_map, read_tuple_item, read_value,
    },
    schema::{Held, Kind, List, Map, Schema},
};

macro_rules! lists {
    ($($list:ident { $unique:expr, $room:ident => $with:expr, $put:expr } $([$($bound:tt)*])?;)*) => {$(
        impl<T: ToolInput $(+ $($bound)*)?> ItemCollection<T> for $list<T> {
            fn with_room($room: usize) -> Self {
                $with
            }
            fn put(&mut self, item: T) {
                let put: fn(&mut Self, T) = $put;
                put(self, item);
            }
            fn count(&self) -> usize {
                self.len()
            }
        }

        impl<T: ToolInput $(+ $($bound)*)?> ToolInput for $list<T> {
            const SCHEMA: &'static Schema =
                &Schema::of(Kind::List(List::set(T::SCHEMA, $unique)));
            const AGAIN: &'static Schema =
                &Schema::of(Kind::List(List::set(T::AGAIN, $unique)));

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                read_list(input, rules, $unique)
            }
        }
    )*};
}

impl<T> ItemCollection<T> for Vec<T> {
    fn with_room(room: usize) -> Self {
        reserved(room)
    }

    #[inline]
    fn put(&mut self, item: T) {
        self.push(item);
    }

    fn count(&self) -> usize {
        self.len()
    }
}

impl<T: ToolInput> ToolInput for Vec<T> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::of(T::SCHEMA)));
    const AGAIN: &'static Schema = &Schema::of(Kind::List(List::of(T::AGAIN)));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        read_list(input, rules, false)
    }
}

/// A list with room for this many items; 0 if the number is unknown, as it always is for text.
#[inline]
fn reserved<T>(room: usize) -> Vec<T> {
    let mut items = Vec::new();
    if room > 0 {
        items.reserve_exact(room);
    }
    items
}

lists! {
    VecDeque { false, room => Self::with_capacity(room), |all, item| all.push_back(item) };
    LinkedList { false, _room => Self::new(), |all, item| all.push_back(item) };
    BTreeSet { true, _room => Self::new(), |all, item| { all.insert(item); } } [Ord];
}

impl<T: ToolInput + Eq + Hash, S: BuildHasher + Default> ItemCollection<T> for HashSet<T, S> {
    fn with_room(items: usize) -> Self {
        Self::with_capacity_and_hasher(items, S::default())
    }

    fn put(&mut self, item: T) {
        self.insert(item);
    }

    fn count(&self) -> usize {
        self.len()
    }
}

impl<T: ToolInput + Eq + Hash, S: BuildHasher + Default> ToolInput for HashSet<T, S> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::set(T::SCHEMA, true)));
    const AGAIN: &'static Schema = &Schema::of(Kind::List(List::set(T::AGAIN, true)));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        read_list(input, rules, true)
    }
}

impl<T: ToolInput> ToolInput for Box<[T]> {
    const SCHEMA: &'static Schema = <Vec<T>>::SCHEMA;
    const AGAIN: &'static Schema = <Vec<T>>::AGAIN;

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        <Vec<T>>::read_quick(input, rules).map(Vec::into_boxed_slice)
    }
}

impl<T: ToolInput, const N: usize> ToolInput for [T; N] {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::exactly(N as u64, T::SCHEMA)));
    const AGAIN: &'static Schema = &Schema::of(Kind::List(List::exactly(N as u64, T::AGAIN)));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        <Vec<T>>::read_quick(input, rules)?.try_into().ok()
    }
}

macro_rules! tuples {
    ($($($type:ident $slot:ident $index:literal),+;)*) => {$(
        impl<$($type: ToolInput),+> ToolInput for ($($type,)+) {
            const SCHEMA: &'static Schema =
                &Schema::of(Kind::Tuple(Held::Static(&[$(Held::Static($type::SCHEMA)),+])));
            const AGAIN: &'static Schema =
                &Schema::of(Kind::Tuple(Held::Static(&[$(Held::Static($type::AGAIN)),+])));

            fn read_quick(input: &mut QuickInput<'_>, _: PlaceRules) -> Option<Self> {
                let mut items = open_tuple(input)?;
                let value = ($(read_tuple_item::<$type>(input, &mut items)?,)+);
                close_tuple(input, items).then_some(value)
            }
        }
    )*};
}

tuples! {
    A a 0;
    A a 0, B b 1;
    A a 0, B b 1, C c 2;
    A a 0, B b 1, C c 2, D d 3;
    A a 0, B b 1, C c 2, D d 3, E e 4;
    A a 0, B b 1, C c 2, D d 3, E e 4, F f 5;
    A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6;
    A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7;
}

impl<K: MapKey + Eq + Hash, V: ToolInput, S: BuildHasher + Default> ToolInput for HashMap<K, V, S> {
    const SCHEMA: &'static Schema =
        &Schema::of(Kind::Map(Map::keyed(V::SCHEMA, K::KEYS, K::INTEGERS)));
    const AGAIN: &'static Schema =
        &Schema::of(Kind::Map(Map::keyed(V::AGAIN, K::KEYS, K::INTEGERS)));

    fn read_quick(input: &mut QuickInput<'_>, _: PlaceRules) -> Option<Self> {
        read_map(input)
    }
}

impl<K: MapKey + Ord, V: ToolInput> ToolInput for BTreeMap<K, V> {
    const SCHEMA: &'static Schema =
        &Schema::of(Kind::Map(Map::keyed(V::SCHEMA, K::KEYS, K::INTEGERS)));
    const AGAIN: &'static Schema =
        &Schema::of(Kind::Map(Map::keyed(V::AGAIN, K::KEYS, K::INTEGERS)));

    fn read_quick(input: &mut QuickInput<'_>, _: PlaceRules) -> Option<Self> {
        read_map(input)
    }
}

impl ToolInput for serde_json::Map<String, Value> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Map(Map::of(ANY)));

    fn read_quick(input: &mut QuickInput<'_>, _: PlaceRules) -> Option<Self> {
        read_map(input)
    }
}

impl ToolInput for Value {
    const SCHEMA: &'static Schema = ANY;

    fn read_quick(input: &mut QuickInput<'_>, _: PlaceRules) -> Option<Self> {
        read_value(input)
    }
}
