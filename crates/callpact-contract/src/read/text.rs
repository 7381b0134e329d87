//! Strings, and the types that are read from one.

use super::{PlaceRules, QuickInput};
use crate::{
    read::tool_input::MapKey,
    schema::{Kind, ValueFault},
};

/// Whether a string follows the rules of its place.
#[inline]
fn follows(rules: PlaceRules, text: &str) -> bool {
    match rules.map(|schema| &schema.kind) {
        Some(Kind::Text(rules)) => rules.broken_rule(text) == ValueFault::None,
        _ => true,
    }
}

/// Reads a string and makes a value of it.
#[inline]
pub(crate) fn read_text<T>(
    input: &mut QuickInput<'_>,
    rules: PlaceRules,
    make: impl FnOnce(std::borrow::Cow<'_, str>) -> Option<T>,
) -> Option<T> {
    let text = input.take_text()?;
    if !follows(rules, &text) {
        return None;
    }
    make(text)
}

/// Reads a name of an enum. The rules of a field may allow only some names.
pub fn quick_choice<T: MapKey>(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<T> {
    read_text(input, rules, |text| T::from_text(&text))
}
