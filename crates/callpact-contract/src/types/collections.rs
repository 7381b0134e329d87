//! Arrays, sets, tuples, maps and open JSON.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
    hash::{BuildHasher, Hash},
    marker::PhantomData,
};

use serde_json::Value;

use crate::{
    read::{
        any::{ANY, read_any},
        at::At,
        input::Input,
        list::{Collect, read_list},
        map::read_map,
        positions::read_positions,
        tool_input::{MapKey, ToolInput},
    },
    schema::{Choice, Held, Kind, List, Map, Ready, Schema, wrapped},
};

macro_rules! lists {
    ($($list:ident { $unique:expr, $room:ident => $with:expr, $put:expr } $([$($bound:tt)*])?;)*) => {$(
        impl<T: ToolInput $(+ $($bound)*)?> Collect<T> for $list<T> {
            fn with_room($room: usize) -> Self {
                $with
            }
            fn put(&mut self, item: T) {
                let put: fn(&mut Self, T) = $put;
                put(self, item);
            }
        }

        impl<T: ToolInput $(+ $($bound)*)?> ToolInput for $list<T> {
            const SCHEMA: &'static Schema =
                &Schema::of(Kind::List(List::set(T::SCHEMA, $unique)));
            const AGAIN: &'static Schema =
                &Schema::of(Kind::List(List::set(T::AGAIN, $unique)));

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                read_list::<Self, T>(input, at)
            }
        }
    )*};
}

impl<T> Collect<T> for Vec<T> {
    fn with_room(room: usize) -> Self {
        reserved(room)
    }

    #[inline]
    fn put(&mut self, item: T) {
        self.push(item);
    }
}

impl<T: ToolInput> ToolInput for Vec<T> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::of(T::SCHEMA)));
    const AGAIN: &'static Schema = &Schema::of(Kind::List(List::of(T::AGAIN)));
    const PLAIN: u64 = wrapped(T::PLAIN, 17);
    const TEXT: Option<&'static Ready> = match T::TEXT {
        Some(_) if !T::OPTIONAL => Some(ListText::<T>::TEXT),
        _ => None,
    };

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        match T::READ_VEC {
            Some(read) => read(input, at),
            None => read_list(input, at),
        }
    }
}

struct ListText<T>(PhantomData<T>);

impl<T: ToolInput> ListText<T> {
    const TEXT: &'static Ready = &Ready::list(&[T::TEXT]);
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

impl<T: ToolInput + Eq + Hash, S: BuildHasher + Default> Collect<T> for HashSet<T, S> {
    fn with_room(items: usize) -> Self {
        Self::with_capacity_and_hasher(items, S::default())
    }

    fn put(&mut self, item: T) {
        self.insert(item);
    }
}

impl<T: ToolInput + Eq + Hash, S: BuildHasher + Default> ToolInput for HashSet<T, S> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::set(T::SCHEMA, true)));
    const AGAIN: &'static Schema = &Schema::of(Kind::List(List::set(T::AGAIN, true)));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_list::<Self, T>(input, at)
    }
}

impl<T: ToolInput> ToolInput for Box<[T]> {
    const SCHEMA: &'static Schema = <Vec<T>>::SCHEMA;
    const AGAIN: &'static Schema = <Vec<T>>::AGAIN;

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        <Vec<T>>::read(input, at).map(Vec::into_boxed_slice)
    }
}

impl<T: ToolInput, const N: usize> ToolInput for [T; N] {
    const SCHEMA: &'static Schema = &Schema::of(Kind::List(List::exactly(N as u64, T::SCHEMA)));
    const AGAIN: &'static Schema = &Schema::of(Kind::List(List::exactly(N as u64, T::AGAIN)));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        // The schema allows exactly N items.
        <Vec<T>>::read(input, at)?.try_into().ok()
    }
}

macro_rules! tuples {
    ($($($type:ident $slot:ident $index:literal),+;)*) => {$(
        impl<$($type: ToolInput),+> ToolInput for ($($type,)+) {
            const SCHEMA: &'static Schema =
                &Schema::of(Kind::Tuple(Held::Static(&[$(Held::Static($type::SCHEMA)),+])));
            const AGAIN: &'static Schema =
                &Schema::of(Kind::Tuple(Held::Static(&[$(Held::Static($type::AGAIN)),+])));

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                $(let mut $slot = None;)+
                let mut read = |index: usize, input: &mut Input<'_>, at: At<'_>| match index {
                    $($index => {
                        $slot = $type::read(input, at);
                        $slot.is_some()
                    })+
                    _ => false,
                };
                let schemas = const { &[$(Held::Static($type::SCHEMA)),+] };
                read_positions(input, schemas, &mut read, at).then_some(())?;
                Some(($($slot?,)+))
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

/// The number of a map, if it takes any keys.
const fn free_map(keys: &[Choice], values: u64) -> u64 {
    if keys.is_empty() {
        wrapped(values, 18)
    } else {
        0
    }
}

impl<K: MapKey + Eq + Hash, V: ToolInput, S: BuildHasher + Default> ToolInput for HashMap<K, V, S> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Map(Map {
        values: Held::Static(V::SCHEMA),
        keys: Held::Static(K::KEYS),
    }));
    const AGAIN: &'static Schema = &Schema::of(Kind::Map(Map {
        values: Held::Static(V::AGAIN),
        keys: Held::Static(K::KEYS),
    }));
    const PLAIN: u64 = free_map(K::KEYS, V::PLAIN);

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_map(input, at)
    }
}

impl<K: MapKey + Ord, V: ToolInput> ToolInput for BTreeMap<K, V> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Map(Map {
        values: Held::Static(V::SCHEMA),
        keys: Held::Static(K::KEYS),
    }));
    const AGAIN: &'static Schema = &Schema::of(Kind::Map(Map {
        values: Held::Static(V::AGAIN),
        keys: Held::Static(K::KEYS),
    }));
    const PLAIN: u64 = free_map(K::KEYS, V::PLAIN);

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_map(input, at)
    }
}

impl ToolInput for serde_json::Map<String, Value> {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Map(Map {
        values: Held::Static(ANY),
        keys: Held::Static(&[]),
    }));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_map(input, at)
    }
}

impl ToolInput for Value {
    const SCHEMA: &'static Schema = ANY;

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_any(input, at)
    }
}
