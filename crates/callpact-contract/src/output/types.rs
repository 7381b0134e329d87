//! Output schemas of the types of the standard library and of `serde_json`.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque},
    marker::PhantomData,
    net, num,
    ops::{Range, RangeFrom, RangeInclusive, RangeTo},
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Mutex, RwLock},
    time::{Duration, SystemTime},
};

use super::{OutputKey, ToolOutput};
use crate::{
    input::ToolInput,
    schema::{
        Choice, Field, Held, Integer, IntegerKeys, Kind, List, Map, Object, Schema, Tagging, Text,
        Union, Unknown, Variant, nullable,
    },
    types::Again,
};

/// Types that are written in the same form as they are read. Those after `keys` and `integers` can be keys of a map.
macro_rules! written_as_read {
    ($(keys $key:ty),* $(, integers $integer:ty)* $(; $($type:ty),*)?) => {
        $($crate::output::types::written_as_read!(@schema $key);
          impl $crate::output::OutputKey for $key {})*
        $($crate::output::types::written_as_read!(@schema $integer);
          impl $crate::output::OutputKey for $integer {
              const INTEGERS: Option<&'static $crate::schema::IntegerKeys> =
                  <$integer as $crate::read::MapKey>::INTEGERS;
          })*
        $($($crate::output::types::written_as_read!(@schema $type);)*)?
    };
    (@schema $type:ty) => {
        impl $crate::output::ToolOutput for $type {
            const SCHEMA: &'static $crate::schema::Schema =
                <$type as $crate::input::ToolInput>::SCHEMA;
        }
    };
}
pub(crate) use written_as_read;

written_as_read! {
    keys bool, keys char, keys String, keys PathBuf,
    keys num::NonZeroI8, keys num::NonZeroI16, keys num::NonZeroI32, keys num::NonZeroI64,
    keys num::NonZeroIsize,
    keys num::NonZeroU8, keys num::NonZeroU16, keys num::NonZeroU32, keys num::NonZeroU64,
    keys num::NonZeroUsize,
    keys net::IpAddr, keys net::Ipv4Addr, keys net::Ipv6Addr, keys net::SocketAddr,
    integers i8, integers i16, integers i32, integers i64, integers isize,
    integers u8, integers u16, integers u32, integers u64, integers usize;
    serde_json::Value, serde_json::Number, serde_json::Map<String, serde_json::Value>
}

macro_rules! schemas {
    ($([$($generics:tt)*] $type:ty: $schema:expr, $again:expr;)*) => {$(
        impl<$($generics)*> ToolOutput for $type {
            const SCHEMA: &'static Schema = &$schema;
            const AGAIN: &'static Schema = &$again;
        }
    )*};
    ($($type:ty: $schema:expr;)*) => {$(
        impl ToolOutput for $type {
            const SCHEMA: &'static Schema = &$schema;
        }
    )*};
}

macro_rules! written_in_64_bits {
    ($($type:ty: $min:expr, $nonzero:expr;)*) => {$(
        impl ToolOutput for $type {
            const SCHEMA: &'static Schema =
                &Schema::of(Kind::Integer(Integer::ranged(Some($min), Some(Integer::READ.1), $nonzero)));
        }

        // As a key it is a text of any length.
        impl OutputKey for $type {}
    )*};
}

written_in_64_bits! {
    i128: Integer::READ.0, false;
    u128: 0, false;
    num::NonZeroI128: Integer::READ.0, true;
    num::NonZeroU128: 1, false;
}

/// A number, or null in place of infinity and NaN, which JSON does not have.
const FLOAT: Schema = nullable(<serde_json::Number as ToolInput>::SCHEMA);
const TEXT: Schema = Schema::of(Kind::Text(Text::ANY));
const NULL: Schema = union(
    Tagging::None,
    const { &[Variant::of(Held::Static("null"), None)] },
);
const NANOS: &Schema = &Schema::of(Kind::Integer(Integer::between(0, 999_999_999)));

schemas! {
    f32: FLOAT;
    f64: FLOAT;
    str: TEXT;
    Path: TEXT;
    net::SocketAddrV4: TEXT;
    net::SocketAddrV6: TEXT;
    (): NULL;
    Duration: object(const { &[field("secs", <u64 as ToolInput>::SCHEMA), field("nanos", NANOS)] });
    SystemTime: object(const { &[field("secs_since_epoch", <u64 as ToolInput>::SCHEMA), field("nanos_since_epoch", NANOS)] });
}

impl OutputKey for str {}
impl OutputKey for Path {}

impl<T: ?Sized> ToolOutput for PhantomData<T> {
    const SCHEMA: &'static Schema = &NULL;
}

schemas! {
    [T: ToolOutput] [T]: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput] Vec<T>: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput] VecDeque<T>: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput] LinkedList<T>: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput] BTreeSet<T>: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput] BinaryHeap<T>: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput, S] HashSet<T, S>: list(T::SCHEMA), list(T::AGAIN);
    [T: ToolOutput, const N: usize] [T; N]:
        Schema::of(Kind::List(List::exactly(N as u64, T::SCHEMA))),
        Schema::of(Kind::List(List::exactly(N as u64, T::AGAIN)));
    [K: OutputKey, V: ToolOutput] BTreeMap<K, V>: map::<K>(V::SCHEMA), map::<K>(V::AGAIN);
    [K: OutputKey, V: ToolOutput, S] HashMap<K, V, S>:
        map::<K>(V::SCHEMA), map::<K>(V::AGAIN);
    [T: ToolOutput] Range<T>:
        object(const { &[field("start", T::SCHEMA), field("end", T::SCHEMA)] }),
        object(const { &[field("start", T::AGAIN), field("end", T::AGAIN)] });
    [T: ToolOutput] RangeInclusive<T>:
        object(const { &[field("start", T::SCHEMA), field("end", T::SCHEMA)] }),
        object(const { &[field("start", T::AGAIN), field("end", T::AGAIN)] });
    [T: ToolOutput] RangeFrom<T>:
        object(const { &[field("start", T::SCHEMA)] }), object(const { &[field("start", T::AGAIN)] });
    [T: ToolOutput] RangeTo<T>:
        object(const { &[field("end", T::SCHEMA)] }), object(const { &[field("end", T::AGAIN)] });
    [T: ToolOutput, E: ToolOutput] Result<T, E>:
        union(Tagging::External, const { &[variant("Ok", T::SCHEMA), variant("Err", E::SCHEMA)] }),
        union(Tagging::External, const { &[variant("Ok", T::AGAIN), variant("Err", E::AGAIN)] });
}

/// The items need not differ: values that differ in Rust may be written alike.
const fn list(items: &'static Schema) -> Schema {
    Schema::of(Kind::List(List::of(items)))
}

const fn map<K: OutputKey>(values: &'static Schema) -> Schema {
    Schema::of(Kind::Map(Map::keyed(values, K::KEYS, K::INTEGERS)))
}

const fn object(fields: &'static [Field]) -> Schema {
    Schema::of(Kind::Object(Object {
        fields: Held::Static(fields),
        unknown: Unknown::Report,
        extra: None,
    }))
}

const fn field(name: &'static str, schema: &'static Schema) -> Field {
    Field::of(Held::Static(name), Held::Static(schema), true)
}

pub(crate) const fn union(tagging: Tagging, variants: &'static [Variant]) -> Schema {
    Schema::of(Kind::Union(Union {
        tagging,
        variants: Held::Static(variants),
        unknown: Unknown::Report,
    }))
}

pub(crate) const fn variant(name: &'static str, content: &'static Schema) -> Variant {
    Variant::of(Held::Static(name), Some(Held::Static(content)))
}

macro_rules! tuples {
    ($($($type:ident),+;)*) => {$(
        impl<$($type: ToolOutput),+> ToolOutput for ($($type,)+) {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Tuple(Held::Static(
                &[$(Held::Static($type::SCHEMA)),+],
            )));
            const AGAIN: &'static Schema = &Schema::of(Kind::Tuple(Held::Static(
                &[$(Held::Static($type::AGAIN)),+],
            )));
        }
    )*};
}

tuples! {
    A;
    A, B;
    A, B, C;
    A, B, C, D;
    A, B, C, D, E;
    A, B, C, D, E, F;
    A, B, C, D, E, F, G;
    A, B, C, D, E, F, G, H;
    A, B, C, D, E, F, G, H, I;
    A, B, C, D, E, F, G, H, I, J;
    A, B, C, D, E, F, G, H, I, J, K;
    A, B, C, D, E, F, G, H, I, J, K, L;
}

impl<T: ToolOutput> ToolOutput for Option<T> {
    const SCHEMA: &'static Schema = &nullable(T::SCHEMA);
    const PRESENT: &'static Schema = T::SCHEMA;
    const AGAIN: &'static Schema = &nullable(T::AGAIN);
}

/// Types that are written like their content.
macro_rules! transparent {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> ToolOutput for $type {
            const SCHEMA: &'static Schema = T::SCHEMA;
            const PRESENT: &'static Schema = T::PRESENT;
            const AGAIN: &'static Schema = T::AGAIN;
        }
    )*};
}

transparent! {
    [T: ToolOutput + ?Sized] &T,
    [T: ToolOutput + ?Sized] &mut T,
    [T: ToolOutput + ?Sized] Box<T>,
    [T: ToolOutput + ?Sized] Rc<T>,
    [T: ToolOutput + ?Sized] Arc<T>,
    [T: ToolOutput + ToOwned + ?Sized] Cow<'_, T>,
    [T: ToolOutput + Copy] Cell<T>,
    [T: ToolOutput + ?Sized] RefCell<T>,
    [T: ToolOutput + ?Sized] Mutex<T>,
    [T: ToolOutput + ?Sized] RwLock<T>,
    [T: ToolOutput] Reverse<T>,
    [T: ToolOutput] num::Wrapping<T>,
    [T: ToolOutput] num::Saturating<T>,
}

macro_rules! transparent_keys {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> OutputKey for $type {
            const KEYS: &'static [Choice] = T::KEYS;
            const INTEGERS: Option<&'static IntegerKeys> = T::INTEGERS;
        }
    )*};
}

transparent_keys! {
    [T: OutputKey + ?Sized] &T,
    [T: OutputKey + ?Sized] Box<T>,
    [T: OutputKey + ?Sized] Rc<T>,
    [T: OutputKey + ?Sized] Arc<T>,
    [T: OutputKey + ToOwned + ?Sized] Cow<'_, T>,
    [T: OutputKey] Reverse<T>,
}

impl<T: ToolOutput> ToolOutput for Again<T> {
    const SCHEMA: &'static Schema = T::AGAIN;
}

impl<T: OutputKey> OutputKey for Again<T> {
    const KEYS: &'static [Choice] = T::KEYS;
    const INTEGERS: Option<&'static IntegerKeys> = T::INTEGERS;
}
