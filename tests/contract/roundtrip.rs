//! A Rust value written as JSON is read back as the same value, for every type of the contract.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque},
    fmt::Debug,
    hash::Hash,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    num::{
        NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
        NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
    },
    path::PathBuf,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use callpact::{Fix, FixKind, Policy, ToolInput, read_str, read_value};
use callpact_tests::{
    generate::{Generator, any, character, whole, word},
    rng::Rng,
    shapes::all,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::schema_and_reader::text_of;

/// A random value and its JSON.
trait Sample: Sized {
    fn sample(rng: &mut Rng) -> Self;
    fn json(&self) -> Value;
}

fn check<T: Sample + ToolInput + PartialEq + Debug>(seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..300 {
        let value = T::sample(&mut rng);
        let json = value.json();
        let mut text = String::new();
        text_of(&json, &mut rng, &mut text);
        let exact = Policy::exact();
        let read = read_str::<T>(&text, &exact).unwrap_or_else(|why| panic!("{text}\n{why}"));
        assert_eq!(read.value, value, "{text}");
        assert_eq!(read.fixes, [], "{text}");
        let read = read_value::<T>(&json, &exact).unwrap_or_else(|why| panic!("{text}\n{why}"));
        assert_eq!(read.value, value, "{text}");
        let lax = Policy::lax();
        let read = read_str::<T>(&text, &lax).unwrap_or_else(|why| panic!("{text}\n{why}"));
        assert!(
            read.value == value || stands_for_absent(&read.fixes),
            "{text}"
        );
    }
}

/// Two differences between lax and exact: an empty string of an optional field, and null for a
/// field that takes any value.
fn stands_for_absent(fixes: &[Fix]) -> bool {
    let absent = [FixKind::EmptyAsAbsent, FixKind::NullAsAbsent];
    fixes.iter().any(|fix| absent.contains(&fix.kind))
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Sample for $type {
            fn sample(rng: &mut Rng) -> Self {
                #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)] // random bits
                match rng.below(4) {
                    0 => Self::MIN.max(i64::MIN as Self),
                    1 => Self::MAX.min(u64::MAX as Self),
                    _ => (rng.bits() >> rng.below(64)) as Self,
                }
            }
            fn json(&self) -> Value {
                whole(i128::try_from(*self).expect("64 bits at most"))
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

// JSON numbers carry 64 bits. Larger ones are the exception `RoundedInteger`.
impl Sample for i128 {
    fn sample(rng: &mut Rng) -> Self {
        if rng.one_in(2) {
            i64::sample(rng).into()
        } else {
            u64::sample(rng).into()
        }
    }
    fn json(&self) -> Value {
        whole(*self)
    }
}
impl Sample for u128 {
    fn sample(rng: &mut Rng) -> Self {
        u64::sample(rng).into()
    }
    fn json(&self) -> Value {
        whole(i128::try_from(*self).expect("64 bits at most"))
    }
}

macro_rules! nonzero {
    ($($type:ident: $plain:ty),*) => {$(
        impl Sample for $type {
            fn sample(rng: &mut Rng) -> Self {
                loop {
                    if let Some(value) = Self::new(<$plain>::sample(rng)) {
                        return value;
                    }
                }
            }
            fn json(&self) -> Value {
                self.get().json()
            }
        }
    )*};
}
nonzero!(
    NonZeroI8: i8, NonZeroI16: i16, NonZeroI32: i32, NonZeroI64: i64, NonZeroI128: i128,
    NonZeroIsize: isize, NonZeroU8: u8, NonZeroU16: u16, NonZeroU32: u32, NonZeroU64: u64,
    NonZeroU128: u128, NonZeroUsize: usize
);

impl Sample for f64 {
    fn sample(rng: &mut Rng) -> Self {
        loop {
            let value = match rng.below(3) {
                0 => *rng.pick(&[0.0, -0.0, 1e300, 5e-324, f64::MAX, f64::MIN, 0.1, 1e21]),
                _ => f64::from_bits(rng.bits()),
            };
            if value.is_finite() {
                return value;
            }
        }
    }
    fn json(&self) -> Value {
        json!(self)
    }
}
impl Sample for f32 {
    fn sample(rng: &mut Rng) -> Self {
        loop {
            #[allow(clippy::cast_possible_truncation)] // random bits
            let value = f32::from_bits(rng.bits() as u32);
            if value.is_finite() {
                return value;
            }
        }
    }
    fn json(&self) -> Value {
        json!(self)
    }
}
impl Sample for bool {
    fn sample(rng: &mut Rng) -> Self {
        rng.one_in(2)
    }
    fn json(&self) -> Value {
        json!(self)
    }
}
impl Sample for char {
    fn sample(rng: &mut Rng) -> Self {
        character(rng)
    }
    fn json(&self) -> Value {
        json!(self)
    }
}
impl Sample for String {
    fn sample(rng: &mut Rng) -> Self {
        (0..rng.below(6)).map(|_| character(rng)).collect()
    }
    fn json(&self) -> Value {
        json!(self)
    }
}

macro_rules! texts {
    ($($type:ty),*) => {$(
        impl Sample for $type {
            fn sample(rng: &mut Rng) -> Self {
                String::sample(rng).into()
            }
            fn json(&self) -> Value {
                json!(self)
            }
        }
    )*};
}
texts!(Box<str>, Cow<'static, str>, PathBuf);

macro_rules! shared_texts {
    ($($type:ty),*) => {$(
        impl Sample for $type {
            fn sample(rng: &mut Rng) -> Self {
                String::sample(rng).into()
            }
            fn json(&self) -> Value {
                (**self).into()
            }
        }
    )*};
}
shared_texts!(Rc<str>, Arc<str>);

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: Sample> Sample for $pointer<T> {
            fn sample(rng: &mut Rng) -> Self {
                Self::new(T::sample(rng))
            }
            fn json(&self) -> Value {
                (**self).json()
            }
        }
    )*};
}
pointers!(Box, Rc, Arc);

impl<T: Sample> Sample for Option<T> {
    fn sample(rng: &mut Rng) -> Self {
        rng.one_in(2).then(|| T::sample(rng))
    }
    fn json(&self) -> Value {
        self.as_ref().map_or(Value::Null, Sample::json)
    }
}

macro_rules! lists {
    ($($list:ident $(: $bound:ident $(+ $more:ident)*)?),*) => {$(
        impl<T: Sample $(+ $bound $(+ $more)*)?> Sample for $list<T> {
            fn sample(rng: &mut Rng) -> Self {
                (0..rng.below(5)).map(|_| T::sample(rng)).collect()
            }
            fn json(&self) -> Value {
                self.iter().map(Sample::json).collect()
            }
        }
    )*};
}
lists!(Vec, VecDeque, LinkedList, BTreeSet: Ord, HashSet: Eq + Hash);

impl<T: Sample> Sample for Box<[T]> {
    fn sample(rng: &mut Rng) -> Self {
        Vec::sample(rng).into()
    }
    fn json(&self) -> Value {
        self.iter().map(Sample::json).collect()
    }
}
impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(rng: &mut Rng) -> Self {
        std::array::from_fn(|_| T::sample(rng))
    }
    fn json(&self) -> Value {
        self.iter().map(Sample::json).collect()
    }
}

macro_rules! tuples {
    ($($($type:ident $index:tt),+;)*) => {$(
        impl<$($type: Sample),+> Sample for ($($type,)+) {
            fn sample(rng: &mut Rng) -> Self {
                ($($type::sample(rng),)+)
            }
            fn json(&self) -> Value {
                Value::Array(vec![$(self.$index.json()),+])
            }
        }
    )*};
}
tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
}

impl<V: Sample> Sample for BTreeMap<String, V> {
    fn sample(rng: &mut Rng) -> Self {
        (0..rng.below(4))
            .map(|_| (word(rng), V::sample(rng)))
            .collect()
    }
    fn json(&self) -> Value {
        self.iter()
            .map(|(key, value)| (key.clone(), value.json()))
            .collect()
    }
}
impl<V: Sample> Sample for HashMap<Arc<str>, V> {
    fn sample(rng: &mut Rng) -> Self {
        (0..rng.below(4))
            .map(|_| (word(rng).into(), V::sample(rng)))
            .collect()
    }
    fn json(&self) -> Value {
        self.iter()
            .map(|(key, value)| (key.to_string(), value.json()))
            .collect()
    }
}
impl<V: Sample> Sample for BTreeMap<Side, V> {
    fn sample(rng: &mut Rng) -> Self {
        (0..rng.below(3))
            .map(|_| (Side::sample(rng), V::sample(rng)))
            .collect()
    }
    fn json(&self) -> Value {
        self.iter()
            .map(|(key, value)| {
                (
                    json!(key).as_str().expect("a name").to_owned(),
                    value.json(),
                )
            })
            .collect()
    }
}

impl Sample for Value {
    fn sample(rng: &mut Rng) -> Self {
        any(rng, 3)
    }
    fn json(&self) -> Value {
        self.clone()
    }
}
impl Sample for Map<String, Value> {
    fn sample(rng: &mut Rng) -> Self {
        (0..rng.below(4))
            .map(|_| (word(rng), any(rng, 2)))
            .collect()
    }
    fn json(&self) -> Value {
        Value::Object(self.clone())
    }
}

macro_rules! displayed {
    ($($type:ty: $make:expr;)*) => {$(
        impl Sample for $type {
            fn sample(rng: &mut Rng) -> Self {
                let make: fn(&mut Rng) -> $type = $make;
                make(rng)
            }
            fn json(&self) -> Value {
                self.to_string().into()
            }
        }
    )*};
}
displayed! {
    Ipv4Addr: |rng| u32::sample(rng).into();
    Ipv6Addr: |rng| u128::sample(rng).into();
    IpAddr: |rng| if rng.one_in(2) { Ipv4Addr::sample(rng).into() } else { Ipv6Addr::sample(rng).into() };
    SocketAddr: |rng| (IpAddr::sample(rng), u16::sample(rng)).into();
}

impl Sample for Duration {
    fn sample(rng: &mut Rng) -> Self {
        let nanos = u32::try_from(rng.below(1_000_000_000)).expect("below a milliard");
        Duration::new(
            rng.bits() >> rng.below(64),
            if rng.one_in(2) { 0 } else { nanos },
        )
    }
    /// The documented form, with the largest unit first.
    fn json(&self) -> Value {
        let (seconds, nanos) = (self.as_secs(), self.subsec_nanos());
        let parts = [
            (seconds / 86_400, "d"),
            (seconds / 3_600 % 24, "h"),
            (seconds / 60 % 60, "m"),
            (seconds % 60, "s"),
            ((nanos / 1_000_000).into(), "ms"),
            ((nanos / 1_000 % 1_000).into(), "us"),
            ((nanos % 1_000).into(), "ns"),
        ];
        let text: String = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .flat_map(|(count, unit)| [count.to_string(), (*unit).to_owned()])
            .collect();
        if text.is_empty() {
            "0s".into()
        } else {
            text.into()
        }
    }
}

// Serde writes derived types, so its attributes decide their form.

#[derive(ToolInput, Serialize, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Side {
    LeftHand,
    #[serde(rename = "R")]
    RightHand,
    Above,
}
impl Sample for Side {
    fn sample(rng: &mut Rng) -> Self {
        *rng.pick(&[Self::LeftHand, Self::RightHand, Self::Above])
    }
    fn json(&self) -> Value {
        json!(self)
    }
}

#[derive(ToolInput, Serialize, Debug, PartialEq)]
struct Inner {
    id: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}
fn inner(rng: &mut Rng) -> Inner {
    Inner {
        id: u8::sample(rng),
        note: Option::sample(rng),
    }
}

#[derive(ToolInput, Serialize, Debug, PartialEq)]
struct Wrapped(u16);

macro_rules! union {
    ($name:ident, $($attr:tt)*) => {
        #[derive(ToolInput, Serialize, Debug, PartialEq)]
        #[serde($($attr)*)]
        enum $name {
            Nothing,
            New(Inner),
            Named { first: u8, second: Vec<bool> },
        }
        impl Sample for $name {
            fn sample(rng: &mut Rng) -> Self {
                match rng.below(3) {
                    0 => Self::Nothing,
                    1 => Self::New(inner(rng)),
                    _ => Self::Named { first: u8::sample(rng), second: Vec::sample(rng) },
                }
            }
            fn json(&self) -> Value {
                json!(self)
            }
        }
    };
}
union!(External, rename_all = "lowercase");
union!(Internal, tag = "type", rename_all = "snake_case");
union!(Adjacent, tag = "t", content = "c");

#[derive(ToolInput, Serialize, Debug, PartialEq)]
enum Tuples {
    Pair(u8, String),
    One(Option<u8>),
}
#[derive(ToolInput, Serialize, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Text(String),
    Object { id: u8 },
    List(Vec<bool>),
}

#[derive(ToolInput, Serialize, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Everything<T> {
    generic_field: T,
    #[serde(flatten)]
    inner: Inner,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<T>,
    wrapped: Wrapped,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(clippy::option_option)] // a type of the contract
    double: Option<Option<u8>>,
    #[tool_param(required)]
    null: Option<bool>,
    side: Side,
    tuple: (u8, Side, Option<f64>),
    external: External,
    internal: Internal,
    adjacent: Adjacent,
    tuples: Tuples,
    untagged: Untagged,
    internals: Vec<Internal>,
    #[serde(skip)]
    skipped: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, Vec<u8>>,
}
impl<T: Sample + Serialize> Sample for Everything<T> {
    fn sample(rng: &mut Rng) -> Self {
        Self {
            generic_field: T::sample(rng),
            inner: inner(rng),
            maybe: Option::sample(rng),
            wrapped: Wrapped(u16::sample(rng)),
            double: Option::sample(rng),
            null: Option::sample(rng),
            side: Side::sample(rng),
            tuple: Sample::sample(rng),
            external: External::sample(rng),
            internal: Internal::sample(rng),
            adjacent: Adjacent::sample(rng),
            tuples: if rng.one_in(2) {
                Tuples::Pair(u8::sample(rng), String::sample(rng))
            } else {
                Tuples::One(Option::sample(rng))
            },
            untagged: match rng.below(4) {
                0 => Untagged::Number(i32::sample(rng)),
                1 => Untagged::Text(String::sample(rng)),
                2 => Untagged::Object {
                    id: u8::sample(rng),
                },
                _ => Untagged::List(Vec::sample(rng)),
            },
            internals: Vec::sample(rng),
            skipped: 0,
            rest: BTreeMap::sample(rng),
        }
    }
    fn json(&self) -> Value {
        json!(self)
    }
}

macro_rules! check_all {
    ($($type:ty),* $(,)?) => {{
        let mut seed = 0;
        $(
            seed += 1;
            check::<$type>(seed);
        )*
        seed
    }};
}

#[test]
fn value_to_json_to_reader() {
    let types = check_all!(
        bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, char,
        NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
        NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
        String, Box<str>, Rc<str>, Arc<str>, Cow<'static, str>, PathBuf,
        Box<u8>, Rc<String>, Arc<Vec<u8>>, Box<Option<u8>>, Option<u8>, Option<Box<str>>,
        Vec<u8>, VecDeque<String>, LinkedList<bool>, BTreeSet<String>, BTreeSet<i64>,
        HashSet<u8>, HashSet<Side>, Box<[f64]>, [u8; 3], [Option<bool>; 2], [u8; 0],
        Vec<Vec<Option<f64>>>, Vec<Value>, BTreeSet<Option<u8>>,
        (u8,), (u8, String), (bool, Option<u8>, Vec<f32>), (u8, u8, Side, char),
        (u8, u8, u8, u8, u8, u8, u8, String),
        BTreeMap<String, u8>, BTreeMap<String, Option<String>>, HashMap<Arc<str>, Vec<bool>>,
        BTreeMap<Side, f64>, BTreeMap<String, BTreeMap<Side, bool>>,
        Value, Map<String, Value>,
        IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, Duration,
        Side, External, Internal, Adjacent,
        Everything<u8>, Everything<String>, Everything<Vec<Option<f64>>>,
    );
    assert!(types > 70);
}

/// Lax accepts everything that exact accepts, with the same value.
#[test]
fn lax_takes_all_that_exact_takes() {
    let mut taken = 0;
    for (i, shape) in all().iter().enumerate() {
        let mut generator = Generator::new(0xBEEF + i as u64);
        for _ in 0..400 {
            let case = generator.case(shape.schema);
            let mut text = String::new();
            text_of(&case.value, &mut generator.rng, &mut text);
            let Some((same, fixes)) = (shape.lax_of_exact)(&text) else {
                continue;
            };
            taken += 1;
            assert!(same || stands_for_absent(&fixes), "{}: {text}", shape.name);
            let known = fixes.iter().all(|fix| {
                // `5.0` is an integer in JSON Schema. Both policies drop an unknown key.
                matches!(
                    fix.kind,
                    FixKind::IntegerFromNumber | FixKind::UnknownDropped
                ) || stands_for_absent(std::slice::from_ref(fix))
            });
            assert!(known, "{}: {fixes:?} of {text}", shape.name);
        }
    }
    assert!(taken > 15_000, "{taken}");
}
