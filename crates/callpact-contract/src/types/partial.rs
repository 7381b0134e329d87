//! [`PartialInput`] for the types of the standard library and of other crates.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
    fmt::Debug,
    hash::{BuildHasher, Hash},
    rc::Rc,
    sync::Arc,
};

use serde_json::{Map, Number, Value};

use crate::{
    input::{PartialInput, stream::PartialNode},
    read::{MapKey, ToolInput},
};

/// Types whose values are there once they are complete.
macro_rules! whole {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::input::PartialInput for $type {
            type Partial = Self;

            fn read_partial(node: $crate::input::stream::PartialNode<'_>) -> Option<Self> {
                node.whole()
            }
        }
    )*};
}

pub(super) use whole;

whole!(bool, char, f32, f64, Number);

macro_rules! strings {
    ($($type:ty),*) => {$(
        impl $crate::input::PartialInput for $type {
            type Partial = Self;

            fn read_partial(node: $crate::input::stream::PartialNode<'_>) -> Option<Self> {
                match node.text() {
                    Some(text) => Some(Self::from(text.into_owned())),
                    None => node.whole(),
                }
            }
        }
    )*};
}

pub(super) use strings;

strings!(String, Cow<'static, str>);

impl PartialInput for Value {
    type Partial = Self;

    fn read_partial(node: PartialNode<'_>) -> Option<Self> {
        node.value()
    }
}

impl PartialInput for Map<String, Value> {
    type Partial = Self;

    fn read_partial(node: PartialNode<'_>) -> Option<Self> {
        match node.value()? {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }
}

impl<T: PartialInput> PartialInput for Option<T> {
    type Partial = T::Partial;

    fn read_partial(node: PartialNode<'_>) -> Option<T::Partial> {
        if node.written().starts_with('n') {
            return None;
        }
        T::read_partial(node)
    }
}

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: PartialInput> PartialInput for $pointer<T> {
            type Partial = $pointer<T::Partial>;

            fn read_partial(node: PartialNode<'_>) -> Option<Self::Partial> {
                T::read_partial(node).map($pointer::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);

/// The items so far; behind one that cannot be shown, nothing is.
fn items<T: PartialInput>(node: PartialNode<'_>) -> Option<Vec<T::Partial>> {
    let items = || node.items().map_while(T::read_partial).collect();
    node.is_list().then(items)
}

macro_rules! lists {
    ($([$($bounds:tt)*] $type:ty;)*) => {$(
        impl<$($bounds)*> PartialInput for $type {
            type Partial = Vec<T::Partial>;

            fn read_partial(node: PartialNode<'_>) -> Option<Self::Partial> {
                items::<T>(node)
            }
        }
    )*};
}

lists! {
    [T: PartialInput] Vec<T>;
    [T: PartialInput] VecDeque<T>;
    [T: PartialInput] LinkedList<T>;
    [T: PartialInput] Box<[T]>;
    [T: PartialInput + Ord] BTreeSet<T>;
    [T: PartialInput + Eq + Hash, S: BuildHasher + Default] HashSet<T, S>;
    [T: PartialInput, const N: usize] [T; N];
}

/// The members so far; behind one that cannot be shown, nothing is.
fn members<K: MapKey, V: PartialInput>(
    node: PartialNode<'_>,
) -> impl Iterator<Item = (K, V::Partial)> {
    node.members()
        .map_while(|(key, value)| Some((K::from_text(&key)?, V::read_partial(value)?)))
}

impl<K, V, S> PartialInput for HashMap<K, V, S>
where
    K: MapKey + Eq + Hash + Clone + Debug,
    V: PartialInput,
    S: BuildHasher + Default,
{
    type Partial = HashMap<K, V::Partial>;

    fn read_partial(node: PartialNode<'_>) -> Option<Self::Partial> {
        node.is_object().then(|| members::<K, V>(node).collect())
    }
}

impl<K: MapKey + Ord + Clone + Debug, V: PartialInput> PartialInput for BTreeMap<K, V> {
    type Partial = BTreeMap<K, V::Partial>;

    fn read_partial(node: PartialNode<'_>) -> Option<Self::Partial> {
        node.is_object().then(|| members::<K, V>(node).collect())
    }
}

macro_rules! tuples {
    ($($($type:ident)+;)*) => {$(
        impl<$($type: PartialInput),+> PartialInput for ($($type,)+)
        where
            Self: ToolInput,
        {
            type Partial = ($(Option<$type::Partial>,)+);

            fn read_partial(node: PartialNode<'_>) -> Option<Self::Partial> {
                let mut items = node.items();
                node.is_list()
                    .then(|| ($(items.next().and_then($type::read_partial),)+))
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
}
