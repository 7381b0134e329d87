//! The shapes of outputs: every setting of serde for writing.

use std::{
    collections::{BTreeMap, HashMap},
    marker::PhantomData,
    ops::Range,
    sync::Mutex,
    time::{Duration, SystemTime},
};

use callpact::{Schema, ToolOutput};
use callpact_testing::Generator;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::rng::Rng;

/// A type as an output, with its type parameter erased.
pub struct OutputShape {
    pub name: &'static str,
    pub schema: &'static Schema,
    /// What serde writes for a generated value.
    pub write: fn(&mut Generator) -> Option<Written>,
}

/// A value as serde writes it, both ways.
pub struct Written {
    pub value: Value,
    pub text: String,
}

impl Written {
    /// # Panics
    /// When serde cannot write the value.
    pub fn of(value: &impl Serialize) -> Self {
        Self {
            value: serde_json::to_value(value).expect("serde writes the value"),
            text: serde_json::to_string(value).expect("serde writes the value"),
        }
    }
}

/// A type with generated values.
trait Make {
    fn make(rng: &mut Rng) -> Self;
}

#[allow(clippy::unnecessary_wraps)] // the type of every generator
fn write<T: Make + Serialize>(generator: &mut Generator) -> Option<Written> {
    Some(Written::of(&T::make(&mut generator.rng)))
}

/// Declares types and the generators of their values.
macro_rules! outputs {
    ($($(#[$attr:meta])* struct $name:ident { $($(#[$on:meta])* $field:ident: $ty:ty = $make:expr),* $(,)? })*) => {
        $(
            #[derive(Serialize, ToolOutput)]
            $(#[$attr])*
            pub struct $name {
                $($(#[$on])* $field: $ty,)*
            }

            impl Make for $name {
                fn make(rng: &mut Rng) -> Self {
                    let _ = &rng;
                    Self { $($field: { let make: fn(&mut Rng) -> $ty = $make; make(rng) },)* }
                }
            }
        )*
    };
}

fn number(rng: &mut Rng) -> u8 {
    u8::try_from(rng.below(256)).expect("a byte")
}

fn maybe<T>(rng: &mut Rng, make: fn(&mut Rng) -> T) -> Option<T> {
    rng.one_in(2).then(|| make(rng))
}

fn many<T>(rng: &mut Rng, make: fn(&mut Rng) -> T) -> Vec<T> {
    (0..rng.below(4)).map(|_| make(rng)).collect()
}

fn text(rng: &mut Rng) -> String {
    (0..rng.below(5))
        .map(|_| crate::generate::character(rng))
        .collect()
}

fn float(rng: &mut Rng) -> f64 {
    *rng.pick(&[
        0.0,
        -0.0,
        1e300,
        0.1,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        5e-324,
    ])
}

fn table<T>(rng: &mut Rng, make: fn(&mut Rng) -> T) -> BTreeMap<String, T> {
    (0..rng.below(4))
        .map(|_| (crate::generate::word(rng), make(rng)))
        .collect()
}

fn wait(rng: &mut Rng) -> Duration {
    Duration::new(
        rng.bits(),
        u32::try_from(rng.below(1_000_000_000)).expect("nanoseconds"),
    )
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(value: &u8) -> bool {
    *value == 0
}

mod as_hex {
    use serde::Serializer;

    #[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
    pub(super) fn serialize<S: Serializer>(value: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:02x}"))
    }
}

/// Leaves out a long text.
#[allow(clippy::ref_option)] // serde's signature
fn short<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_ref()
        .filter(|text| text.len() < 3)
        .serialize(serializer)
}

fn count<S: Serializer>(items: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(items.len() as u64)
}

outputs! {
    struct Nulls {
        plain: Option<u8> = |rng| maybe(rng, number),
        double: Option<Option<u8>> = |rng| maybe(rng, |rng| maybe(rng, number)),
        boxed: Box<Option<String>> = |rng| Box::new(maybe(rng, text)),
        inside: Vec<Option<bool>> = |rng| many(rng, |rng| maybe(rng, |rng| rng.one_in(2))),
        unit: () = |_| (),
        marker: PhantomData<u8> = |_| PhantomData,
        named: Option<Side> = |rng| maybe(rng, side),
        nested: Option<Point> = |rng| maybe(rng, Point::make),
    }
    struct Point {
        x: i64 = |rng| rng.bits().cast_signed(),
        y: f64 = float,
    }
    struct Skipping {
        #[serde(skip_serializing_if = "Option::is_none")]
        never_null: Option<u8> = |rng| maybe(rng, number),
        #[serde(skip_serializing_if = "Option::is_none")]
        double: Option<Option<u8>> = |rng| maybe(rng, |rng| maybe(rng, number)),
        #[serde(skip_serializing_if = "is_zero")]
        sometimes: u8 = |rng| if rng.one_in(2) { 0 } else { number(rng) },
        #[serde(skip_serializing)]
        _unsaid: u8 = number,
        #[serde(skip)]
        _gone: Option<String> = |rng| maybe(rng, text),
        #[serde(default, skip_deserializing)]
        always: u8 = number,
    }
    struct Floats {
        one: f64 = float,
        small: f32 = |rng| f32::from(number(rng)) / 3.0,
        many: Vec<f64> = |rng| many(rng, float),
        keyed: BTreeMap<String, f64> = |rng| table(rng, float),
        pair: (f64, Option<f64>) = |rng| (float(rng), maybe(rng, float)),
    }
    struct Times {
        wait: Duration = wait,
        maybe: Option<Duration> = |rng| maybe(rng, wait),
        at: SystemTime = |rng| SystemTime::UNIX_EPOCH + Duration::from_secs(rng.bits() >> 24),
        span: Range<u8> = |rng| number(rng)..number(rng),
    }
    #[serde(rename_all(serialize = "camelCase", deserialize = "kebab-case"))]
    struct Renamed {
        first_word: u8 = number,
        #[serde(rename(serialize = "written", deserialize = "read"))]
        other_word: u8 = number,
        #[serde(rename = "both ways")]
        third_word: u8 = number,
        r#type: u8 = number,
    }
    #[serde(tag = "kind", rename = "tagged")]
    struct Tagged {
        value: u8 = number,
        #[serde(flatten)]
        point: Point = Point::make,
    }
    #[serde(transparent)]
    struct Transparent {
        inner: BTreeMap<String, Option<u8>> = |rng| table(rng, |rng| maybe(rng, number)),
        marker: PhantomData<String> = |_| PhantomData,
    }
    struct ByFunction {
        #[serde(with = "as_hex")]
        #[tool_output(with = String)]
        hex: u8 = number,
        #[serde(serialize_with = "count")]
        #[tool_output(with = usize)]
        items: Vec<u8> = |rng| many(rng, number),
        #[serde(serialize_with = "short", skip_serializing_if = "Option::is_none")]
        #[tool_output(with = Option<String>)]
        short: Option<String> = |rng| maybe(rng, text),
    }
    struct Flat {
        own: u8 = number,
        #[serde(flatten)]
        point: Point = Point::make,
        #[serde(flatten)]
        maybe: Option<Skipping> = |rng| maybe(rng, Skipping::make),
        #[serde(flatten)]
        rest: HashMap<String, Vec<bool>> = |rng| {
            table(rng, |rng| many(rng, |rng| rng.one_in(2)))
                .into_iter()
                .map(|(key, value)| (format!("rest {key}"), value))
                .collect()
        },
    }
    struct FlatBoxed {
        #[serde(flatten)]
        inner: Box<Flat> = |rng| Box::new(Flat::make(rng)),
        more: Option<u8> = |rng| maybe(rng, number),
    }
    struct Keys {
        side: BTreeMap<Side, u8> = |rng| many(rng, side).into_iter().map(|side| (side, 1)).collect(),
        number: BTreeMap<i8, String> = |rng| many(rng, number).into_iter().map(|n| (n.cast_signed(), text(rng))).collect(),
        flag: BTreeMap<bool, u8> = |rng| many(rng, |rng| rng.one_in(2)).into_iter().map(|key| (key, 2)).collect(),
        letter: BTreeMap<char, Option<u8>> = |rng| many(rng, crate::generate::character).into_iter().map(|key| (key, None)).collect(),
        id: HashMap<Id, u8> = |rng| many(rng, number).into_iter().map(|id| (Id(id.into()), id)).collect(),
    }
    struct Wrapped {
        sum: std::num::Wrapping<u8> = |rng| std::num::Wrapping(number(rng)),
        lock: Mutex<Option<u8>> = |rng| Mutex::new(maybe(rng, number)),
        large: i128 = |rng| i128::from(rng.bits()) - i128::from(u64::MAX >> 1),
        shared: std::sync::Arc<str> = |rng| text(rng).into(),
        result: Result<u8, String> = |rng| if rng.one_in(2) { Ok(number(rng)) } else { Err(text(rng)) },
        stars: &'static str = |_| "***",
        many: &'static [u8] = |_| &[1, 2, 3],
        array: [Option<u8>; 3] = |rng| [maybe(rng, number), None, maybe(rng, number)],
        bytes: Vec<u8> = |rng| many(rng, number),
    }
    struct Bodies {
        unit: UnitStruct = |_| UnitStruct,
        empty: EmptyStruct = |_| EmptyStruct {},
        none: EmptyTuple = |_| EmptyTuple(),
        one: Id = |rng| Id(number(rng).into()),
        pair: Pair = pair,
        shorter: Shorter = |rng| Shorter(number(rng), (), rng.one_in(2)),
        into: Celsius = |rng| Celsius(float(rng)),
    }
    struct Unions {
        external: External = external,
        internal: Internal = internal,
        adjacent: Adjacent = adjacent,
        untagged: Untagged = untagged,
        list: Vec<Option<Internal>> = |rng| many(rng, |rng| maybe(rng, internal)),
        #[serde(skip_serializing_if = "Option::is_none")]
        maybe: Option<External> = |rng| maybe(rng, external),
    }
    /// A tree of folders
    struct Folder {
        /// How it is called
        name: String = text,
        #[tool_output(recursive)]
        inside: Vec<Folder> = |rng| if rng.one_in(3) { vec![Folder::make(rng)] } else { Vec::new() },
        #[tool_output(recursive)]
        by_name: BTreeMap<String, Folder> = |rng| if rng.one_in(4) { table(rng, Folder::make) } else { BTreeMap::new() },
        #[serde(skip_serializing_if = "Option::is_none")]
        #[tool_output(recursive)]
        parent: Option<Box<Folder>> = |rng| rng.one_in(4).then(|| Box::new(Folder::make(rng))),
    }
    struct Generics {
        page: Page<Point> = |rng| Page { items: many(rng, Point::make), next: maybe(rng, number) },
        pages: Page<Page<Option<Side>>> = |rng| Page {
            items: many(rng, |rng| Page { items: many(rng, |rng| maybe(rng, side)), next: None }),
            next: None,
        },
    }
}

#[derive(Serialize, ToolOutput)]
pub struct Page<T> {
    items: Vec<T>,
    next: Option<u8>,
}

#[derive(Serialize, ToolOutput)]
pub struct UnitStruct;

#[derive(Serialize, ToolOutput)]
pub struct EmptyStruct {}

#[derive(Serialize, ToolOutput)]
pub struct EmptyTuple();

#[derive(Serialize, ToolOutput, PartialEq, Eq, Hash)]
pub struct Id(u32);

#[derive(Serialize, ToolOutput)]
pub struct Pair(u8, Option<String>);

fn pair(rng: &mut Rng) -> Pair {
    Pair(number(rng), maybe(rng, text))
}

#[derive(Serialize, ToolOutput)]
pub struct Shorter(u8, #[serde(skip)] (), bool);

/// Degrees as text with a unit
#[derive(Serialize, ToolOutput, Clone)]
#[serde(into = "String")]
pub struct Celsius(f64);

impl From<Celsius> for String {
    fn from(value: Celsius) -> Self {
        format!("{} °C", value.0)
    }
}

#[derive(Serialize, ToolOutput, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub enum Side {
    LeftHand,
    #[serde(rename = "r")]
    RightHand,
    #[allow(dead_code)] // serde refuses to write it
    #[serde(skip)]
    Unseen,
}

fn side(rng: &mut Rng) -> Side {
    *rng.pick(&[Side::LeftHand, Side::RightHand])
}

#[derive(Serialize, ToolOutput)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum External {
    JustThis,
    One(Option<u8>),
    Two(u8, String),
    Empty(),
    Named {
        a_field: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        b_field: Option<u8>,
    },
    #[serde(rename = "THE POINT")]
    Spot(Point),
    #[tool_output(with = String)]
    #[serde(serialize_with = "as_hex::serialize")]
    Hex(u8),
}

fn external(rng: &mut Rng) -> External {
    match rng.below(7) {
        0 => External::JustThis,
        1 => External::One(maybe(rng, number)),
        2 => External::Two(number(rng), text(rng)),
        3 => External::Empty(),
        4 => External::Named {
            a_field: number(rng),
            b_field: maybe(rng, number),
        },
        5 => External::Spot(Point::make(rng)),
        _ => External::Hex(number(rng)),
    }
}

#[derive(Serialize, ToolOutput)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Internal {
    Nothing,
    Spot(Point),
    Table(BTreeMap<String, Option<u8>>),
    #[serde(rename_all = "kebab-case")]
    Named {
        a_field: f64,
        #[serde(flatten)]
        flat: Skipping,
    },
}

fn internal(rng: &mut Rng) -> Internal {
    match rng.below(4) {
        0 => Internal::Nothing,
        1 => Internal::Spot(Point::make(rng)),
        2 => Internal::Table(
            table(rng, |rng| maybe(rng, number))
                .into_iter()
                .map(|(key, value)| (format!("a {key}"), value))
                .collect(),
        ),
        _ => Internal::Named {
            a_field: float(rng),
            flat: Skipping::make(rng),
        },
    }
}

#[derive(Serialize, ToolOutput)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    Nothing,
    One(Option<Point>),
    Two(u8, f64),
    Named { a: Option<u8> },
}

fn adjacent(rng: &mut Rng) -> Adjacent {
    match rng.below(4) {
        0 => Adjacent::Nothing,
        1 => Adjacent::One(maybe(rng, Point::make)),
        2 => Adjacent::Two(number(rng), float(rng)),
        _ => Adjacent::Named {
            a: maybe(rng, number),
        },
    }
}

#[derive(Serialize, ToolOutput)]
#[serde(untagged)]
pub enum Untagged {
    Nothing,
    Number(u8),
    Pair(bool, String),
    Named { a: Option<u8> },
    Side(Side),
}

fn untagged(rng: &mut Rng) -> Untagged {
    match rng.below(5) {
        0 => Untagged::Nothing,
        1 => Untagged::Number(number(rng)),
        2 => Untagged::Pair(rng.one_in(2), text(rng)),
        3 => Untagged::Named {
            a: maybe(rng, number),
        },
        _ => Untagged::Side(side(rng)),
    }
}

/// All variants are objects, each in its own way.
#[derive(Serialize, ToolOutput)]
pub enum Events {
    Opened { at: u8 },
    Renamed(String),
    Moved(u8, Option<u8>),
    Closed(Option<Point>),
}

/// Written by form alone: structs, maps and enums of such.
#[derive(Serialize, ToolOutput)]
#[serde(untagged)]
pub enum Answer {
    Event(Events),
    Internal(Internal),
    Page(Page<Side>),
    Other(BTreeMap<String, Option<u8>>),
}

/// Strings, numbers and objects, and never null.
#[derive(Serialize, ToolOutput)]
#[serde(untagged)]
pub enum Mixed {
    Word(String),
    Number(i32),
    Many(Vec<Option<Side>>),
    Inside(External),
}

#[derive(Serialize, ToolOutput)]
#[serde(transparent)]
pub struct Outcome {
    /// What came of it
    result: Result<Point, String>,
}

fn events(rng: &mut Rng) -> Events {
    match rng.below(4) {
        0 => Events::Opened { at: number(rng) },
        1 => Events::Renamed(text(rng)),
        2 => Events::Moved(number(rng), maybe(rng, number)),
        _ => Events::Closed(maybe(rng, Point::make)),
    }
}

fn answer(rng: &mut Rng) -> Answer {
    match rng.below(4) {
        0 => Answer::Event(events(rng)),
        1 => Answer::Internal(internal(rng)),
        2 => Answer::Page(Page {
            items: many(rng, side),
            next: maybe(rng, number),
        }),
        _ => Answer::Other(table(rng, |rng| maybe(rng, number))),
    }
}

fn mixed(rng: &mut Rng) -> Mixed {
    match rng.below(4) {
        0 => Mixed::Word(text(rng)),
        1 => Mixed::Number(number(rng).into()),
        2 => Mixed::Many(many(rng, |rng| maybe(rng, side))),
        _ => Mixed::Inside(external(rng)),
    }
}

fn outcome(rng: &mut Rng) -> Outcome {
    Outcome {
        result: if rng.one_in(2) {
            Ok(Point::make(rng))
        } else {
            Err(text(rng))
        },
    }
}

macro_rules! makes {
    ($($type:ty: $make:path),*) => {$(
        impl Make for $type {
            fn make(rng: &mut Rng) -> Self {
                $make(rng)
            }
        }
    )*};
}

makes! {
    Side: side, Pair: pair, External: external, Internal: internal, Adjacent: adjacent, Untagged: untagged,
    Events: events, Answer: answer, Mixed: mixed, Outcome: outcome
}

macro_rules! shapes {
    ($($type:ident),*) => {
        vec![$(OutputShape {
            name: stringify!($type),
            schema: <$type as ToolOutput>::SCHEMA,
            write: write::<$type>,
        }),*]
    };
}

/// The shapes that only an output has, and the types of the contract harness as outputs.
#[must_use]
pub fn all() -> Vec<OutputShape> {
    let mut all = shapes![
        Nulls,
        Point,
        Skipping,
        Floats,
        Times,
        Renamed,
        Tagged,
        Transparent,
        ByFunction,
        Flat,
        FlatBoxed,
        Keys,
        Wrapped,
        Bodies,
        Unions,
        Folder,
        Generics,
        Side,
        Pair,
        External,
        Internal,
        Adjacent,
        Untagged,
        Events,
        Answer,
        Mixed,
        Outcome
    ];
    all.extend(crate::shapes::all().into_iter().map(|shape| shape.output));
    all
}
