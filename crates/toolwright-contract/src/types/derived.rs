//! What derived readers share: enum values, patterns, conversions, rules across fields.

use std::{borrow::Cow, fmt::Display, marker::PhantomData, ptr, sync::OnceLock};

use serde_json::Value;

use crate::{
    read::{
        at::At,
        found::Found,
        input::Input,
        meant::choice_by_case,
        take::{Take, take_mostly_text},
        tool_input::{MapKey, ToolInput},
    },
    report::FixKind,
    schema::{Choice, Kind, Schema},
    text::{is_equal, quoted},
};

/// Reads one of the names of an enum, as its number; the schema of a field may allow only some.
#[doc(hidden)]
pub fn read_choice(input: &mut Input<'_>, choices: &'static [Choice], at: At<'_>) -> Option<usize> {
    match input.as_value() {
        Some(Value::String(name)) if !name.is_empty() => TakeChoice { choices }.find(name, at),
        _ => take_mostly_text(input, TakeChoice { choices }, at),
    }
}

/// The variant of a number.
#[doc(hidden)]
#[inline]
pub fn nth<T: MapKey>(number: Option<usize>) -> Option<T> {
    T::nth(number?)
}

struct TakeChoice {
    choices: &'static [Choice],
}

impl Take for TakeChoice {
    type Out = usize;

    #[inline]
    fn text(self, value: Cow<'_, str>, at: At<'_>) -> Option<usize> {
        self.find(&value, at)
    }
}

impl TakeChoice {
    #[inline]
    fn find(self, value: &str, at: At<'_>) -> Option<usize> {
        let is_it = |choice: &Choice| is_equal(choice.name.part().as_bytes(), value.as_bytes());
        // Unless the field narrows the list of its type, the name stands at the same place there.
        if let Some(found) = self.choices.iter().position(is_it)
            && let Kind::Text(rules) = &at.schema().kind
            && (ptr::eq(rules.choices.part(), self.choices)
                || rules.choices.get(found).is_some_and(is_it))
        {
            return Some(found);
        }
        self.look(value, at)
    }

    /// Other spellings, a list that the field narrows, and what to say of any other text.
    #[inline(never)]
    fn look(self, value: &str, mut at: At<'_>) -> Option<usize> {
        let choices = self.choices;
        let mut found = choices.iter().position(|choice| choice.name == value);
        if found.is_none() && at.converts() {
            found = choices
                .iter()
                .position(|choice| choice.aliases.contains(&value));
            if let Some(choice) = found.and_then(|index| choices.get(index)) {
                at.fixed(
                    FixKind::Alias,
                    &Found::Text(value),
                    quoted(choice.name.part()),
                );
            }
        }
        if found.is_none()
            && let Some(name) = choice_by_case(value, choices, &mut at)
        {
            found = choices.iter().position(|choice| choice.name == name);
        }
        // A field can narrow the list of its type with `one_of`.
        let allowed = match &at.schema().kind {
            Kind::Text(rules) if !rules.choices.is_empty() => rules.choices.part(),
            _ => choices,
        };
        let found = found.filter(|index| {
            let name = choices.get(*index).map(|choice| &choice.name);
            allowed.iter().any(|choice| Some(&choice.name) == name)
        });
        if found.is_none() {
            at.fault(crate::input::IssueKind::NotAChoice, &Found::Text(value));
        }
        found
    }
}

/// Whether a text matches a pattern that the derive has compiled before.
#[doc(hidden)]
pub fn pattern(
    cell: &'static OnceLock<Option<regex_lite::Regex>>,
    source: &str,
    text: &str,
) -> bool {
    // The derive has compiled the same expression with the same library. Should it fail here all
    // the same, nothing matches: a refusal, not a guess.
    cell.get_or_init(|| regex_lite::Regex::new(source).ok())
        .as_ref()
        .is_some_and(|regex| regex.is_match(text))
}

/// The conversion of `with`. A function without arguments, since the compiler would blame those
/// for a type that does not convert, and not the types.
#[doc(hidden)]
#[must_use]
pub fn conversion<W, T>() -> fn(Option<W>, At<'_>) -> Option<T>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    converted
}

/// Like [`conversion`], for a field in an `Option`.
#[doc(hidden)]
#[must_use]
#[allow(clippy::option_option)] // read or not, and present or not
pub fn conversion_inside<W, T>() -> fn(Option<Option<W>>, At<'_>) -> Option<Option<T>>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    converted_inside
}

/// A value converted from the type that it is read as; the error is what the model is told.
fn converted<W, T>(value: Option<W>, mut at: At<'_>) -> Option<T>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    match T::try_from(value?) {
        Ok(value) => Some(value),
        Err(why) => {
            at.refuse(why);
            None
        }
    }
}

#[allow(clippy::option_option)]
fn converted_inside<W, T>(value: Option<Option<W>>, at: At<'_>) -> Option<Option<T>>
where
    T: TryFrom<W>,
    T::Error: Display,
{
    match value? {
        Some(value) => converted(Some(value), at).map(Some),
        None => Some(None),
    }
}

/// A value that the author's own rule accepts.
#[doc(hidden)]
pub fn validated<T, E: Display>(
    value: Option<T>,
    rule: impl FnOnce(&T) -> Result<(), E>,
    mut at: At<'_>,
) -> Option<T> {
    let value = value?;
    match rule(&value) {
        Ok(()) => Some(value),
        Err(why) => {
            at.refuse(why);
            None
        }
    }
}

/// Stands in a schema for a type that contains itself there: of its form, what can be said with an end.
#[doc(hidden)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Again<T>(PhantomData<T>);

impl<T: ToolInput> ToolInput for Again<T> {
    const SCHEMA: &'static Schema = T::AGAIN;
    const OPTIONAL: bool = T::OPTIONAL;

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        T::read(input, at).map(|_| Self(PhantomData))
    }
}

impl<T: MapKey> MapKey for Again<T> {
    const KEYS: &'static [Choice] = T::KEYS;

    fn from_text(text: &str) -> Option<Self> {
        T::from_text(text).map(|_| Self(PhantomData))
    }
}
