//! Booleans, integers and floats.

use std::{
    borrow::Cow,
    marker::PhantomData,
    num::{
        NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
        NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
    },
};

use serde_json::Value;

use crate::{
    json::{EXACT, Form, Json, Number as Scanned, Source, rounded},
    read::{
        at::At,
        found::Found,
        input::Input,
        list::{read_list, read_plain},
        meant::only_number,
        take::{Take, give_number, take_other},
        tool_input::{ReadVec, ToolInput},
    },
    report::{FixKind, IssueKind},
    schema::{Integer, Kind, Number, Schema},
};

struct TakeBoolean;

impl Take for TakeBoolean {
    type Out = bool;

    #[inline]
    fn boolean(self, value: bool, _: At<'_>) -> Option<bool> {
        Some(value)
    }

    #[cold]
    #[inline(never)]
    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<bool> {
        let found = Found::Text(&value);
        let read = match &*value {
            "true" | "True" | "TRUE" => true,
            "false" | "False" | "FALSE" => false,
            _ => {
                at.mismatch(&found);
                return None;
            }
        };
        if !at.converts() {
            at.mismatch(&found);
            return None;
        }
        at.fixed(FixKind::BooleanFromText, &found, read.to_string());
        Some(read)
    }
}

impl ToolInput for bool {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Boolean);
    const PLAIN: u64 = 2;

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        match input.as_value() {
            Some(Value::Bool(value)) => Some(*value),
            _ => read_any_boolean(input, at),
        }
    }
}

/// Reads a boolean from any source.
#[inline(never)]
fn read_any_boolean(input: &mut Input<'_>, at: At<'_>) -> Option<bool> {
    match input.form() {
        Form::Boolean(value) => input.take_word().then_some(value),
        form => take_other(input, form, TakeBoolean, at),
    }
}

/// Takes a number that is an integer in JSON Schema and in the range of the schema.
struct TakeInteger<T>(PhantomData<T>);

impl<T: TryFrom<i128>> Take for TakeInteger<T> {
    type Out = T;

    #[inline]
    fn integer(self, value: i128, mut at: At<'_>) -> Option<T> {
        if let Kind::Integer(rules) = &at.schema().kind
            && !rules.takes(value)
        {
            refuse_integer(rules, &Found::Integer(value), &mut at);
            return None;
        }
        T::try_from(value).ok().or_else(|| too_far(value, &mut at))
    }

    #[cold]
    fn number(self, value: f64, mut at: At<'_>) -> Option<T> {
        let whole = whole_float(value, &mut at)?;
        let read = self.integer(whole, at.reborrow())?;
        if at.converts() && !at.state().policy.refuses(FixKind::IntegerFromNumber) {
            at.fixed(
                FixKind::IntegerFromNumber,
                &Found::Number(value),
                whole.to_string(),
            );
        }
        Some(read)
    }

    #[cold]
    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<T> {
        let found = Found::Text(&value);
        match whole_number(&value) {
            Some(whole) if at.converts() => {
                let read = self.integer(whole, at.reborrow())?;
                at.fixed(FixKind::NumberFromText, &found, whole.to_string());
                Some(read)
            }
            _ => {
                at.mismatch(&found);
                None
            }
        }
    }

    #[cold]
    fn list(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<T> {
        let number = only_number(input, &mut at)?;
        give_number(number, input, self, at)
    }
}

/// Reads an integer. Most numbers in memory take the first branch, which needs few registers.
#[inline]
fn read_integer<T: TryFrom<i128> + TryFrom<i64>>(input: &mut Input<'_>, at: At<'_>) -> Option<T> {
    if let Some(value) = input.as_value().and_then(Value::as_i64)
        && let Kind::Integer(rules) = &at.schema().kind
        && rules.is_range_around(value)
        && let Ok(value) = value.try_into()
    {
        return Some(value);
    }
    read_any_integer(input, at)
}

/// Reads an integer from any source. Rare cases are in functions of their own.
#[inline(never)]
fn read_any_integer<T: TryFrom<i128>>(input: &mut Input<'_>, at: At<'_>) -> Option<T> {
    let good = |value: i128| match &at.schema().kind {
        Kind::Integer(rules) if rules.takes(value) => value.try_into().ok(),
        _ => None,
    };
    let take = TakeInteger::<T>(PhantomData);
    let number = match input.next_number() {
        Ok(number) => number,
        Err(form) => return take_other(input, form, take, at),
    };
    let value = match number {
        Scanned::Positive(value) => good(value.into()),
        Scanned::Negative(value) => good(value.into()),
        Scanned::Large | Scanned::Float(_) => None,
    };
    value.or_else(|| give_rare(number, input, take, at))
}

/// Gives a number to a type that seldom takes one of this kind.
#[cold]
#[inline(never)]
fn give_rare<T: Take>(number: Scanned, input: &Input<'_>, take: T, at: At<'_>) -> Option<T::Out> {
    give_number(number, input, take, at)
}

/// Reads a list of integers that need no conversion, of a type with these bounds; `None` for any other list.
#[inline]
fn read_integers<T, E>(
    input: &mut Input<'_>,
    at: &At<'_>,
    (min, max): (Result<i128, E>, Result<i128, E>),
) -> Option<Vec<T>>
where
    T: TryFrom<u64> + TryFrom<i64> + Copy,
    i128: TryFrom<T>,
{
    let Kind::Integer(rules) = &items_of(at)?.kind else {
        return None;
    };
    let takes_every = takes_every(rules, min, max);
    if !takes_every && input.as_value().is_some() {
        return None;
    }
    let fits = |value: T| {
        let fits = || i128::try_from(value).is_ok_and(|value| rules.takes(value));
        (takes_every || fits()).then_some(value)
    };
    let scan = |json: &mut Json<'_>| match json.next_number()? {
        Scanned::Positive(value) => fits(value.try_into().ok()?),
        Scanned::Negative(value) => fits(value.try_into().ok()?),
        Scanned::Large | Scanned::Float(_) => None,
    };
    let of = |value: &Value| match (value.as_i64(), value.as_u64()) {
        (Some(value), _) => value.try_into().ok(),
        (None, value) => value?.try_into().ok(),
    };
    read_plain(input, at, scan, of)
}

/// The schema of the items of a list.
fn items_of<'a>(at: &At<'a>) -> Option<&'a Schema> {
    match &at.schema().kind {
        Kind::List(rules) => Some(rules.items.part()),
        _ => None,
    }
}

/// Whether the rules allow every number between these bounds; `false` if a bound that matters does not fit an `i128`.
fn takes_every<E>(rules: &Integer, min: Result<i128, E>, max: Result<i128, E>) -> bool {
    rules
        .min
        .is_none_or(|least| min.is_ok_and(|min| least <= min))
        && rules
            .max
            .is_none_or(|most| max.is_ok_and(|max| most >= max))
        && !rules.nonzero
        && rules.multiple_of.is_none()
        && rules.choices.is_empty()
}

/// Whether the schema has an end on the side of such a number, or choices that are all nearer to zero.
fn ends_before(rules: &Integer, far: f64) -> bool {
    let end = if far.is_sign_positive() {
        rules.max
    } else {
        rules.min
    };
    #[allow(clippy::cast_precision_loss)] // the nearest float is far enough for the comparison
    let is_near = |choice: &i128| (*choice as f64) * far.signum() <= EXACT;
    end.is_some() || (!rules.choices.is_empty() && rules.choices.iter().all(is_near))
}

/// A float as a whole number. A float with a fraction or beyond [`EXACT`] is reported.
#[cold]
fn whole_float(value: f64, at: &mut At<'_>) -> Option<i128> {
    if value.fract() != 0.0 || !value.is_finite() {
        at.mismatch(&Found::Number(value));
        return None;
    }
    if value.abs() > EXACT {
        // The digits of the text are already lost, so any integer would be a guess.
        // If the schema has a bound, the fault names the bound.
        let open = match &at.schema().kind {
            Kind::Integer(rules) => !ends_before(rules, value),
            _ => false,
        };
        let bits_64 = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;
        if open && !bits_64.contains(&value) {
            let found = Found::Number(value).words(at.secret());
            at.issue(IssueKind::OutOfRange, "an integer of 64 bits", found);
            return None;
        }
        let hint = open.then(|| "write it in digits alone, in at most 64 bits".into());
        at.fault_with(IssueKind::OutOfRange, &Found::Number(value), hint);
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // whole and in range, see above
    Some(value as i128)
}

#[cold]
#[inline(never)]
fn refuse_integer(rules: &Integer, found: &Found<'_>, at: &mut At<'_>) {
    let kind = if rules.choices.is_empty() {
        IssueKind::OutOfRange
    } else {
        IssueKind::NotAChoice
    };
    at.fault(kind, found);
}

/// Reads `5`, `-5` or `5.0` as JSON writes it, without a plus sign, spaces or separators.
pub(crate) fn whole_number(text: &str) -> Option<i128> {
    let (digits, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let json = !unsigned.is_empty()
        && unsigned.bytes().all(|b| b.is_ascii_digit())
        && (unsigned == "0" || !unsigned.starts_with('0'))
        && !fraction.is_empty()
        && fraction.bytes().all(|b| b == b'0');
    if json { digits.parse().ok() } else { None }
}

#[cold]
fn too_far<T>(value: i128, at: &mut At<'_>) -> Option<T> {
    let bits = std::mem::size_of::<T>() * 8;
    at.issue(
        IssueKind::OutOfRange,
        format!("an integer of {bits} bits"),
        value.to_string(),
    );
    None
}

macro_rules! integers {
    ($($type:ty: $rules:expr $(, $plain:literal)?;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Integer($rules));
            $(const PLAIN: u64 = $plain;)?

            const READ_VEC: Option<ReadVec<Self>> = Some(|input, at| {
                let ends = (i128::try_from(Self::MIN), i128::try_from(Self::MAX));
                read_integers(input, &at, ends).or_else(|| read_list(input, at))
            });

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                read_integer(input, at)
            }
        }
    )*};
}

/// The exact bounds of a small type, which cost few bytes in a schema.
macro_rules! between {
    ($type:ty) => {
        Integer::between(<$type>::MIN as i128, <$type>::MAX as i128)
    };
}

const UNSIGNED: Integer = Integer::ranged(Some(0), None, false);
const POSITIVE: Integer = Integer::ranged(Some(1), None, false);

// The large bounds of 64 bits and more are left out of the schema: each request pays for every byte of a schema,
// and no model means 9223372036854775808.
integers! {
    i8: between!(i8), 6;
    i16: between!(i16), 7;
    i32: between!(i32), 8;
    i64: Integer::ANY, 9;
    i128: Integer::ANY;
    isize: Integer::ANY, 10;
    u8: between!(u8), 11;
    u16: between!(u16), 12;
    u32: between!(u32), 13;
    u64: UNSIGNED, 14;
    u128: UNSIGNED;
    usize: UNSIGNED, 15;
}

macro_rules! nonzero {
    ($($type:ty: $plain:ty, $rules:expr;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Integer($rules));

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                // The schema excludes zero, so the reader of the plain type has refused it.
                <$plain>::read(input, at).and_then(Self::new)
            }
        }
    )*};
}

macro_rules! without_zero {
    ($rules:expr) => {{
        let (min, max): (Option<i128>, Option<i128>) = $rules;
        Integer::ranged(min, max, true)
    }};
}

nonzero! {
    NonZeroI8: i8, without_zero!((Some(i8::MIN as i128), Some(i8::MAX as i128)));
    NonZeroI16: i16, without_zero!((Some(i16::MIN as i128), Some(i16::MAX as i128)));
    NonZeroI32: i32, without_zero!((Some(i32::MIN as i128), Some(i32::MAX as i128)));
    NonZeroI64: i64, without_zero!((None, None));
    NonZeroI128: i128, without_zero!((None, None));
    NonZeroIsize: isize, without_zero!((None, None));
    NonZeroU8: u8, Integer::between(1, 0xFF);
    NonZeroU16: u16, Integer::between(1, 0xFFFF);
    NonZeroU32: u32, Integer::between(1, 0xFFFF_FFFF);
    NonZeroU64: u64, POSITIVE;
    NonZeroU128: u128, POSITIVE;
    NonZeroUsize: usize, POSITIVE;
}

/// Takes any number in the range of the schema.
pub(super) struct TakeNumber;

impl Take for TakeNumber {
    type Out = f64;

    #[inline]
    fn integer(self, value: i128, mut at: At<'_>) -> Option<f64> {
        if let Kind::Number(rules) = &at.schema().kind
            && !rules.takes_whole(value)
        {
            at.fault(IssueKind::OutOfRange, &Found::Integer(value));
            return None;
        }
        // The author asked for a float.
        Some(rounded(value))
    }

    #[inline]
    fn number(self, value: f64, mut at: At<'_>) -> Option<f64> {
        let rules = match &at.schema().kind {
            Kind::Number(rules) => rules,
            _ => const { &Number::ANY },
        };
        if !value.is_finite() || !rules.takes(value) {
            at.fault(IssueKind::OutOfRange, &Found::Number(value));
            return None;
        }
        Some(value)
    }

    #[cold]
    #[inline(never)]
    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<f64> {
        let found = Found::Text(&value);
        match json_number(&value) {
            Some(read) if at.converts() => {
                let read = match value.parse() {
                    Ok(whole) => self.integer(whole, at.reborrow())?,
                    Err(_) => self.number(read, at.reborrow())?,
                };
                at.fixed(FixKind::NumberFromText, &found, read.to_string());
                Some(read)
            }
            _ => {
                at.mismatch(&found);
                None
            }
        }
    }

    #[cold]
    fn list(self, input: &mut Input<'_>, mut at: At<'_>) -> Option<f64> {
        let number = only_number(input, &mut at)?;
        give_number(number, input, self, at)
    }
}

/// Whether every number is a value.
#[inline]
fn takes_any(at: &At<'_>) -> bool {
    matches!(&at.schema().kind, Kind::Number(rules) if rules.takes_any())
}

/// A number in JSON's own grammar.
pub(crate) fn json_number(text: &str) -> Option<f64> {
    let digit = |b: &u8| b.is_ascii_digit();
    let plain = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'));
    let ends = text.as_bytes().last().is_some_and(digit);
    if !plain || !ends {
        return None;
    }
    serde_json::from_str::<f64>(text).ok()
}

/// Reads a list of numbers that follow the rules; `None` for any other list.
#[inline]
#[allow(clippy::cast_precision_loss)] // a float is what the author asked for
fn read_floats(input: &mut Input<'_>, at: &At<'_>) -> Option<Vec<f64>> {
    let Kind::Number(rules) = &items_of(at)?.kind else {
        return None;
    };
    let takes_any = rules.takes_any();
    if !takes_any && input.as_value().is_some() {
        return None;
    }
    let fits_whole = |value: i128| takes_any || rules.takes_whole(value);
    let fits = |value: f64| value.is_finite() && (takes_any || rules.takes(value));
    let scan = |json: &mut Json<'_>| match json.next_number()? {
        Scanned::Positive(value) => fits_whole(value.into()).then_some(value as f64),
        Scanned::Negative(value) => fits_whole(value.into()).then_some(value as f64),
        Scanned::Float(value) => fits(value).then_some(value),
        Scanned::Large => None,
    };
    let of = Value::as_f64;
    read_plain(input, at, scan, of)
}

impl ToolInput for f64 {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Number(Number::ANY));
    const PLAIN: u64 = 5;

    const READ_VEC: Option<ReadVec<Self>> =
        Some(|input, at| read_floats(input, &at).or_else(|| read_list(input, at)));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        if let Some(value) = input.as_value().and_then(Value::as_f64)
            && takes_any(&at)
        {
            return Some(value);
        }
        match input.next_number() {
            Ok(Scanned::Float(value)) if value.is_finite() && takes_any(&at) => Some(value),
            Ok(number) => give_number(number, input, TakeNumber, at),
            Err(form) => take_other(input, form, TakeNumber, at),
        }
    }
}

impl ToolInput for f32 {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Number(Number::ANY));
    const PLAIN: u64 = 4;

    fn read(input: &mut Input<'_>, mut at: At<'_>) -> Option<Self> {
        let before = at.state().count_fixes();
        let value = f64::read(input, at.reborrow())?;
        let read = single(value, &mut at)?;
        if at.state().count_fixes() > before {
            tell_single(read, &mut at);
        }
        Some(read)
    }
}

/// Writes the number of single precision into the fix of a number that was read from a text.
#[cold]
fn tell_single(read: f32, at: &mut At<'_>) {
    if at.secret() {
        return;
    }
    let last = at.state().fixes_mut().last_mut();
    if let Some(fix) = last.filter(|fix| fix.kind == FixKind::NumberFromText) {
        fix.to = read.to_string().into();
    }
}

/// The nearest number of single precision; a fault if that is not finite.
fn single(value: f64, at: &mut At<'_>) -> Option<f32> {
    #[allow(clippy::cast_possible_truncation)]
    let read = value as f32;
    if read.is_finite() {
        return Some(read);
    }
    let found = Found::Number(value);
    let words = found.words(at.hides(&found));
    at.issue(IssueKind::OutOfRange, "a number of single precision", words);
    None
}
