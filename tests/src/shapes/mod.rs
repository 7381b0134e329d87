//! The shapes of the contract harness: every attribute and every type.

pub mod attributes;
pub mod flat;
pub mod lists;
pub mod maps;
pub mod numbers;
pub mod structs;
pub mod text;
pub mod unions;

use std::{collections::BTreeMap, fmt::Debug};

use callpact::{
    Dialect, Fingerprint, Fix, FixKind, Issue, IssueKind, Policy, Report, Schema, ToolInput,
    ToolOutput,
    input::{Fixes, read_str_quickly, read_str_thoroughly},
    read_str, read_value, schema_json,
};
use callpact_testing::Generator;
use serde::Serialize;
use serde_json::Value;

use crate::outputs::{OutputShape, Written};

use attributes::*;
use flat::*;
use lists::*;
use maps::*;
use numbers::*;
use structs::*;
use text::*;
use unions::*;

/// A type of the harness, with its type parameter erased.
pub struct Shape {
    pub name: &'static str,
    pub schema: &'static Schema,
    pub fingerprint: Fingerprint,
    /// The schema in [`Dialect::Portable`].
    pub portable: &'static str,
    /// The schema in [`Dialect::Mcp20260728`], which states every rule.
    pub whole: &'static str,
    /// Reads by both entries, which must agree.
    pub read: fn(&Value, &str, &Policy) -> Result<Fixes, Report>,
    /// Reads a text that may not be JSON.
    pub read_text: fn(&str, &Policy) -> Result<Fixes, Report>,
    /// Reads a text by the quick reader, and returns whether that gave a value, which the checker must return too.
    pub read_quickly: fn(&str, &Policy) -> Result<bool, String>,
    /// Whether two texts, each read under its policy, give the same value.
    pub same: fn((&str, &Policy), (&str, &Policy)) -> Result<bool, Report>,
    /// What the lax policy makes of a text that the exact policy accepts, and whether the values
    /// are equal.
    pub lax_of_exact: fn(&str) -> Option<(bool, Fixes)>,
    /// Whether the repair policy reads a damaged text as the value of the clean text, and which
    /// kinds of fixes that takes; `None` if the clean text is refused.
    pub repaired: fn(&str, &str) -> Option<Result<(bool, Vec<FixKind>), Report>>,
    /// Whether the author's code refuses the value.
    pub refuses: fn(&Value) -> bool,
    /// The type as an output.
    pub output: OutputShape,
}

fn read<T: ToolInput + PartialEq + Debug>(
    value: &Value,
    text: &str,
    policy: &Policy,
) -> Result<Fixes, Report> {
    // Another order of keys can show another issue or fix first.
    let same_order = || {
        let plain = value.to_string();
        text == plain
    };
    match (read_value::<T>(value, policy), read_str::<T>(text, policy)) {
        (Ok(one), Ok(other)) => {
            assert_eq!(one.value, other.value, "read_value and read_str of {text}");
            if one.fixes != other.fixes && same_order() {
                assert_eq!(one.fixes, other.fixes, "read_value and read_str of {text}");
            }
            Ok(one.fixes)
        }
        (Err(one), Err(other)) => {
            if one != other && same_order() {
                assert_eq!(one, other, "read_value and read_str of {text}");
            }
            Err(one)
        }
        (one, other) => panic!("read_value: {one:?}\nread_str: {other:?}\nof {text}"),
    }
}

/// The text that serde writes for a generated value; `None` if the author's code refuses the value.
fn write_read<T: ToolInput + Serialize>(generator: &mut Generator) -> Option<Written> {
    let value = generator.valid(T::SCHEMA);
    let read = read_value::<T>(&value, &Policy::lax()).ok()?;
    Some(Written::of(&read.value))
}

fn read_text<T: ToolInput>(text: &str, policy: &Policy) -> Result<Fixes, Report> {
    read_str::<T>(text, policy).map(|read| read.fixes)
}

/// Every level of policy, the forms of a dialect, refused classes of fixes, and limits.
pub fn policies() -> Vec<Policy> {
    vec![
        Policy::exact(),
        Policy::lax(),
        Policy::repair(),
        Policy::exact().lowered(),
        Policy::lax().lowered(),
        Policy::exact().of_call(),
        Policy::lax().of_call(),
        Policy::repair().of_call(),
        Policy::lax().refusing(FixKind::NumberFromText),
        Policy::lax().refusing(FixKind::EmptyAsAbsent),
        Policy::repair().only(&[FixKind::NullAsAbsent]),
        Policy::lax().with_max_issues(1),
        Policy::repair().with_max_issues(0),
        Policy::lax().with_max_bytes(40),
    ]
}

fn read_quickly<T: ToolInput + PartialEq + Debug>(
    text: &str,
    policy: &Policy,
) -> Result<bool, String> {
    let Some(quick) = read_str_quickly::<T>(text, policy) else {
        return Ok(false);
    };
    let thorough = match read_str_thoroughly::<T>(text, policy) {
        Ok(read) if quick == read && quick.fixes.len() == read.fixes.len() => return Ok(true),
        other => other,
    };
    Err(format!(
        "{text}\n{policy:?}\nquick: {quick:?}\nthorough: {thorough:?}"
    ))
}

fn same<T: ToolInput + PartialEq>(
    one: (&str, &Policy),
    other: (&str, &Policy),
) -> Result<bool, Report> {
    Ok(read_str::<T>(one.0, one.1)?.value == read_str::<T>(other.0, other.1)?.value)
}

fn lax_of_exact<T: ToolInput + PartialEq + Debug>(text: &str) -> Option<(bool, Fixes)> {
    let exact = read_str::<T>(text, &Policy::exact()).ok()?;
    let lax = read_str::<T>(text, &Policy::lax());
    if is_misspelt(&exact.fixes, lax.as_ref().map(|read| &*read.fixes)) {
        return None;
    }
    match lax {
        Ok(lax) => Some((exact.value == lax.value, lax.fixes)),
        Err(report) => panic!("exact accepts and lax does not: {text}\n{report}"),
    }
}

/// Whether a key that the exact policy dropped, or that a flattened map took, is a misspelt parameter to another
/// policy.
pub fn is_misspelt(exact: &[Fix], other: Result<&[Fix], &Report>) -> bool {
    let dropped = || exact.iter().any(|fix| fix.kind == FixKind::UnknownDropped);
    match other {
        Ok(fixes) => fixes.iter().any(|fix| fix.kind == FixKind::KeyCase),
        Err(report) => {
            let unknown = |issue: &Issue| issue.kind == IssueKind::UnknownKey;
            dropped() || report.issues.iter().any(unknown)
        }
    }
}

fn repaired<T: ToolInput + PartialEq + Debug>(
    clean: &str,
    damaged: &str,
) -> Option<Result<(bool, Vec<FixKind>), Report>> {
    const MANY: usize = 100_000;
    let lax = read_str::<T>(clean, &Policy::lax().with_max_issues(MANY)).ok()?;
    let read = match read_str::<T>(damaged, &Policy::repair().with_max_issues(MANY)) {
        Ok(read) => read,
        Err(report) => return Some(Err(report)),
    };
    let mut kinds: Vec<FixKind> = read.fixes.iter().map(|fix| fix.kind).collect();
    for fix in &lax.fixes {
        if let Some(index) = kinds.iter().position(|kind| *kind == fix.kind) {
            kinds.swap_remove(index);
        }
    }
    Some(Ok((read.value == lax.value, kinds)))
}

macro_rules! shape {
    ($type:ty) => {
        shape!($type, |_| false)
    };
    ($type:ty, $refuses:expr) => {
        Shape {
            name: stringify!($type),
            schema: <$type as ToolInput>::SCHEMA,
            fingerprint: <$type as ToolInput>::FINGERPRINT,
            portable: schema_json!($type, Dialect::Portable),
            whole: schema_json!($type, Dialect::Mcp20260728),
            read: read::<$type>,
            read_text: read_text::<$type>,
            read_quickly: read_quickly::<$type>,
            same: same::<$type>,
            lax_of_exact: lax_of_exact::<$type>,
            repaired: repaired::<$type>,
            refuses: $refuses,
            output: OutputShape {
                name: stringify!($type),
                schema: <$type as ToolOutput>::SCHEMA,
                write: write_read::<$type>,
            },
        }
    };
}

fn odd(value: &Value) -> bool {
    ["even", "maybe", "four"]
        .iter()
        .filter_map(|key| value.get(key)?.as_f64())
        .any(|number| number % 2.0 != 0.0)
}

fn backwards(value: &Value) -> bool {
    let number = |key| value.get(key).and_then(Value::as_f64);
    number("from") > number("to")
}

/// All shapes.
#[must_use]
#[allow(clippy::too_many_lines)] // a list
pub fn all() -> Vec<Shape> {
    vec![
        shape!(Signed),
        shape!(Unsigned),
        shape!(NonZeroSigned),
        shape!(NonZeroUnsigned),
        shape!(NonZeroRules),
        shape!(Floats),
        shape!(IntegerBounds),
        shape!(FloatBounds),
        shape!(Multiples),
        shape!(IntegerChoices),
        shape!(BigBounds),
        shape!(Switches),
        shape!(Strings),
        shape!(Characters),
        shape!(Lengths),
        shape!(Patterns),
        shape!(TextChoices),
        shape!(Forms),
        shape!(Enums),
        shape!(Lists),
        shape!(Sets),
        shape!(SetsOfObjects),
        shape!(Arrays),
        shape!(Tuples),
        shape!(ItemRules),
        shape!(UniqueItems),
        shape!(UniqueObjects),
        shape!(Maps),
        shape!(EnumKeys),
        shape!(NumberedKeys),
        shape!(OpenJson),
        shape!(Point),
        shape!(Nested),
        shape!(Deep),
        shape!(Options),
        shape!(Empty),
        shape!(Unit),
        shape!(Closed),
        shape!(ClosedEmpty),
        shape!(Ignoring),
        shape!(Reporting),
        shape!(Page<u8>),
        shape!(Page<Page<Color>>),
        shape!(Both<Option<Point>, Vec<Port>>),
        shape!(Newtypes),
        shape!(Pointers),
        shape!(Wide),
        shape!(FlatOne),
        shape!(FlatTwo),
        shape!(FlatDeep),
        shape!(FlatMap),
        shape!(FlatOpen),
        shape!(FlatBoth),
        shape!(FlatMapInside),
        shape!(FlatGeneric<Point>),
        shape!(FlatClosed),
        shape!(FlatSerde),
        shape!(Externals),
        shape!(Internals),
        shape!(Adjacents),
        shape!(Untaggeds),
        shape!(Generics),
        shape!(External),
        shape!(Internal),
        shape!(Adjacent),
        shape!(UntaggedObjects),
        shape!(ClosedInternal),
        shape!(ClosedAdjacent),
        shape!(Generic<Point>),
        shape!(Defaults),
        shape!(SerdeContainer),
        shape!(SerdeFields),
        shape!(Names),
        shape!(Secrets),
        shape!(Converted, odd),
        shape!(Range, backwards),
        shape!(Kept),
        shape!(Tree),
        shape!(Chain),
        shape!(Words),
        shape!(BTreeMap<String, Point>),
    ]
}
