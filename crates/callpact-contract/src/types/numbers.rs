//! Booleans, integers and floats.

use std::{
    num::{
        NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
        NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
    },
    str::FromStr,
};

use super::partial::whole;
use crate::{
    json::{EXACT, ScannedNumber, boolean, is_whole, json_number, rounded, whole_number},
    read::{MapKey, PlaceRules, QuickInput, ToolInput},
    schema::{CheckedValue, CodeFault, Integer, IntegerKeys, Kind, Literal, Number, Schema},
};

impl ToolInput for bool {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Boolean);

    fn read_quick(input: &mut QuickInput<'_>, _: PlaceRules) -> Option<Self> {
        input.take_boolean().or_else(|| input.take_quoted(boolean))
    }

    fn from_literal(literal: &'static Literal) -> Option<Self> {
        match literal {
            Literal::Boolean(value) => Some(*value),
            _ => None,
        }
    }
}

/// Refuses an integer outside the range of its type, where the schema has no bound.
fn in_range<T: FromStr>(value: CheckedValue<'_>) -> Result<(), CodeFault> {
    match value.text.parse::<T>() {
        Ok(_) => Ok(()),
        Err(_) => Err(CodeFault::Range("an integer of 64 bits")),
    }
}

/// Reads an integer quickly.
#[inline]
fn read_integer_quickly<T>(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<T>
where
    T: TryFrom<u64> + TryFrom<i64> + TryFrom<i128>,
{
    if !input.is_number() {
        return input.take_quoted(|text| integer_under(whole_number(text)?, rules));
    }
    let start = input.position();
    match (input.take_number()?, rules) {
        (ScannedNumber::Positive(value), None) => value.try_into().ok(),
        (ScannedNumber::Negative(value), None) => value.try_into().ok(),
        (ScannedNumber::Positive(value), _) => integer_under(value.into(), rules),
        (ScannedNumber::Negative(value), _) => integer_under(value.into(), rules),
        // The checker makes whole numbers of floats, and takes integers of 128 bits.
        (ScannedNumber::Float(_), _) if input.is_checked() => {
            let whole: i128 = input.written_from(start)?.parse().ok()?;
            whole.try_into().ok()
        }
        (ScannedNumber::Float(value), _) => {
            if !is_whole(input.written_from(start)?) {
                return None;
            }
            input.note_whole_float();
            integer_under(exact_whole(value)?, rules)
        }
    }
}

/// An integer that follows the rules of its place.
#[inline]
fn integer_under<T: TryFrom<i128>>(value: i128, rules: PlaceRules) -> Option<T> {
    let follows = match rules.map(|schema| &schema.kind) {
        Some(Kind::Integer(rules)) => rules.takes(value),
        _ => true,
    };
    if follows { value.try_into().ok() } else { None }
}

/// The integer that a float is, if no digit can be lost.
fn exact_whole(value: f64) -> Option<i128> {
    if value.fract() != 0.0 || value.abs() > EXACT {
        return None;
    }
    #[allow(clippy::cast_possible_truncation)] // whole and in range, see above
    Some(value as i128)
}

macro_rules! integers {
    ($($type:ty $([$keys:ident])?: $rules:expr $(=> $check:expr)?;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Integer($rules))$(.with_check($check))?;

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                read_integer_quickly(input, rules)
            }

            fn from_literal(literal: &'static Literal) -> Option<Self> {
                match literal {
                    Literal::Integer(value) => (*value).try_into().ok(),
                    Literal::Number(value) => exact_whole(value.value)?.try_into().ok(),
                    _ => None,
                }
            }
        }

        whole!($type);

        $(impl MapKey for $type {
            const INTEGERS: Option<&'static IntegerKeys> = Some(&IntegerKeys::$keys);

            fn from_text(text: &str) -> Option<Self> {
                IntegerKeys::value(text)?.try_into().ok()
            }
        })?
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
// and no model means 9223372036854775808. In brackets are the rules of a type as the keys of a map.
integers! {
    i8 [I8]: between!(i8);
    i16 [I16]: between!(i16);
    i32 [I32]: between!(i32);
    i64 [I64]: Integer::ANY => in_range::<Self>;
    i128: Integer::ANY => in_range::<Self>;
    isize [ISIZE]: Integer::ANY => in_range::<Self>;
    u8 [U8]: between!(u8);
    u16 [U16]: between!(u16);
    u32 [U32]: between!(u32);
    u64 [U64]: UNSIGNED => in_range::<Self>;
    u128: UNSIGNED => in_range::<Self>;
    usize [USIZE]: UNSIGNED => in_range::<Self>;
}

macro_rules! nonzero {
    ($($type:ty: $plain:ty, $rules:expr $(=> $check:expr)?;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Integer($rules))$(.with_check($check))?;

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                <$plain>::read_quick(input, rules).and_then(Self::new)
            }
        }

        whole!($type);
    )*};
}

/// The same without zero.
macro_rules! around_zero {
    ($type:ty) => {
        Integer::ranged(Some(<$type>::MIN as i128), Some(<$type>::MAX as i128), true)
    };
}

const NONZERO: Integer = Integer::ranged(None, None, true);

nonzero! {
    NonZeroI8: i8, around_zero!(i8);
    NonZeroI16: i16, around_zero!(i16);
    NonZeroI32: i32, around_zero!(i32);
    NonZeroI64: i64, NONZERO => in_range::<Self>;
    NonZeroI128: i128, NONZERO => in_range::<Self>;
    NonZeroIsize: isize, NONZERO => in_range::<Self>;
    NonZeroU8: u8, Integer::between(1, 0xFF);
    NonZeroU16: u16, Integer::between(1, 0xFFFF);
    NonZeroU32: u32, Integer::between(1, 0xFFFF_FFFF);
    NonZeroU64: u64, POSITIVE => in_range::<Self>;
    NonZeroU128: u128, POSITIVE => in_range::<Self>;
    NonZeroUsize: usize, POSITIVE => in_range::<Self>;
}

impl ToolInput for f64 {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Number(Number::ANY));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        if !input.is_number() {
            return input.take_quoted(|text| {
                let value = json_number(text)?;
                match text.parse() {
                    Ok(whole) => whole_under(whole, rules),
                    Err(_) => float_under(value, rules),
                }
            });
        }
        match input.take_number()? {
            ScannedNumber::Positive(value) => whole_under(value.into(), rules),
            ScannedNumber::Negative(value) => whole_under(value.into(), rules),
            ScannedNumber::Float(value) => float_under(value, rules),
        }
    }

    fn from_literal(literal: &'static Literal) -> Option<Self> {
        match literal {
            Literal::Integer(value) => Some(rounded(*value)),
            Literal::Number(value) => Some(value.value),
            _ => None,
        }
    }
}

/// A whole number as a float, if it follows the rules of its place.
#[inline]
pub(super) fn whole_under(value: i128, rules: PlaceRules) -> Option<f64> {
    match rules.map(|schema| &schema.kind) {
        Some(Kind::Number(rules)) if !rules.takes_whole(value) => None,
        _ => Some(rounded(value)),
    }
}

/// A finite float that follows the rules of its place.
#[inline]
pub(super) fn float_under(value: f64, rules: PlaceRules) -> Option<f64> {
    match rules.map(|schema| &schema.kind) {
        Some(Kind::Number(rules)) if !rules.takes(value) => None,
        _ => value.is_finite().then_some(value),
    }
}

impl ToolInput for f32 {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Number(Number::ANY))
        .with_numbers(|text| Some(nearest_single(text.parse().ok()?)?.to_string()))
        .with_check(|value| {
            let read = value.text.parse().ok().and_then(nearest_single);
            read.map(drop)
                .ok_or(CodeFault::Range("a number of single precision"))
        });

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        nearest_single(f64::read_quick(input, rules)?)
    }

    fn from_literal(literal: &'static Literal) -> Option<Self> {
        nearest_single(f64::from_literal(literal)?)
    }
}

/// The nearest number of single precision, if that is finite.
fn nearest_single(value: f64) -> Option<f32> {
    #[allow(clippy::cast_possible_truncation)]
    let read = value as f32;
    read.is_finite().then_some(read)
}
