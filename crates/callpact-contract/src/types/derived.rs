//! Helpers of derived readers: enum values, patterns, conversions, rules across fields.

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

/// Reads a name of an enum as its number. The schema of a field may allow only some names.
#[doc(hidden)]
pub fn read_choice(input: &mut Input<'_>, choices: &'static [Choice], at: At<'_>) -> Option<usize> {
    match input.as_value() {
        Some(Value::String(name)) if !name.is_empty() => TakeChoice { choices }.find(name, at),
        _ => take_mostly_text(input, TakeChoice { choices }, at),
    }
}

/// The variant with this number.
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
        // Unless the field narrows the list of its type, the schema has the name at the same place.
        if let Some(found) = self.choices.iter().position(is_it)
            && let Kind::Text(rules) = &at.schema().kind
            && (ptr::eq(rules.choices.part(), self.choices)
                || rules.choices.get(found).is_some_and(is_it))
        {
            return Some(found);
        }
        self.look(value, at)
    }

    /// Looks for other spellings and in a list that the field narrows; reports any other text.
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
    // The derive has compiled the same expression with the same library. If it still fails here,
    // nothing matches: a refusal, not a guess.
    cell.get_or_init(|| regex_lite::Regex::new(source).ok())
        .as_ref()
        .is_some_and(|regex| regex.is_match(text))
}

/// The conversion of `with`. The function has no arguments: for a type that does not convert, the compiler would
/// report an error on the arguments instead of the types.
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

/// Converts a value from the type that it is read as, and reports an error to the model.
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

/// Passes on a value if the author's rule accepts it, and reports it otherwise.
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

/// Stands for a type inside its own schema. Its schema describes the form of the type as far as this is finite.
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
