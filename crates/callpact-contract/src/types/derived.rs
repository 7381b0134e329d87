//! Helpers of derived readers: patterns, conversions, rules across fields.

use std::{fmt::Display, marker::PhantomData, sync::OnceLock};

use crate::{
    read::{MapKey, Refusal, ToolInput, read_checked},
    schema::{CheckedValue, Choice, CodeFault, CompiledPattern, IntegerKeys, Schema},
};

/// Whether a text matches a pattern that the derive has compiled before.
pub fn pattern(cell: &'static OnceLock<Option<CompiledPattern>>, source: &str, text: &str) -> bool {
    // The derive has compiled the same expression with the same library. If it still fails here,
    // nothing matches: a refusal, not a guess.
    cell.get_or_init(|| CompiledPattern::new(source).ok())
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(text))
}

/// Stands for any pattern where only the type of a field is checked.
#[must_use]
pub fn any_text(_: &str) -> bool {
    true
}

/// The conversion of `with`. The function has no arguments: for a type that does not convert, the compiler would
/// report an error on the arguments instead of the types.
#[must_use]
pub fn conversion<W, T>() -> fn(Option<W>, Refusal<'_>) -> Option<T>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    converted
}

/// Like [`conversion`], for a field in an `Option`.
#[must_use]
#[allow(clippy::option_option)] // read or not, and present or not
pub fn conversion_inside<W, T>() -> fn(Option<Option<W>>, Refusal<'_>) -> Option<Option<T>>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    converted_inside
}

/// Refuses a value that does not convert to the type of its field.
pub fn check_conversion<W, T>(value: CheckedValue<'_>) -> Result<(), CodeFault>
where
    W: ToolInput,
    T: TryFrom<W>,
    T::Error: Display,
{
    let Ok(read) = read_checked::<W>(value.text, value.forms) else {
        return Ok(());
    };
    let converted = T::try_from(read).map(drop);
    converted.map_err(|why| CodeFault::Refused(why.to_string()))
}

/// Converts a value from the type that it is read as, and reports an error to the model.
fn converted<W, T>(value: Option<W>, refusal: Refusal<'_>) -> Option<T>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    let converted = T::try_from(value?);
    converted.map_err(|why| refusal.refuse(why)).ok()
}

#[allow(clippy::option_option)]
fn converted_inside<W, T>(value: Option<Option<W>>, refusal: Refusal<'_>) -> Option<Option<T>>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    match value? {
        Some(value) => converted(Some(value), refusal).map(Some),
        None => Some(None),
    }
}

/// Passes on a value if the author's rule accepts it, and reports it otherwise.
pub fn validated<T, E: Display>(
    value: Option<T>,
    rule: impl FnOnce(&T) -> Result<(), E>,
    refusal: Refusal<'_>,
) -> Option<T> {
    let value = value?;
    let follows = rule(&value).map_err(|why| refusal.refuse(why));
    follows.is_ok().then_some(value)
}

/// Stands for a type inside its own schema. Its schema describes the form of the type as far as this is finite.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Again<T>(PhantomData<T>);

impl<T: ToolInput> ToolInput for Again<T> {
    const SCHEMA: &'static Schema = T::AGAIN;
    const OPTIONAL: bool = T::OPTIONAL;
}

impl<T: MapKey> MapKey for Again<T> {
    const KEYS: &'static [Choice] = T::KEYS;
    const INTEGERS: Option<&'static IntegerKeys> = T::INTEGERS;

    fn from_text(text: &str) -> Option<Self> {
        T::from_text(text).map(|_| Self(PhantomData))
    }
}
