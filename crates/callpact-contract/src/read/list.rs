//! Arrays.

use super::{PlaceRules, QuickInput, ToolInput};
use crate::{
    json::OpenProgress,
    schema::{Kind, List},
};

/// A collection of items.
pub(crate) trait ItemCollection<T>: Sized {
    fn with_room(items: usize) -> Self;
    /// Adds an item. A set that already contains it does not change.
    fn put(&mut self, item: T);
    /// The number of items.
    fn count(&self) -> usize;
}

/// Reads a list. A list whose items must be unique is not plain if it has an item that is more than a string or a
/// short integer, unless the collection tells equal items apart itself.
pub(crate) fn read_list<C, T>(
    input: &mut QuickInput<'_>,
    rules: PlaceRules,
    is_set: bool,
) -> Option<C>
where
    C: ItemCollection<T>,
    T: ToolInput,
{
    if (is_set || rules.is_some()) && !input.is_checked() {
        return read_ruled_list(input, rules, is_set);
    }
    let mut inside = input.open_list()?;
    let mut all = C::with_room(0);
    while input.has_item(&mut inside) {
        all.put(T::read_quick(input, None)?);
    }
    input.closes_well().then_some(all)
}

fn read_ruled_list<C, T>(input: &mut QuickInput<'_>, rules: PlaceRules, is_set: bool) -> Option<C>
where
    C: ItemCollection<T>,
    T: ToolInput,
{
    let rules = match rules.map(|schema| &schema.kind) {
        Some(Kind::List(rules)) => Some(rules),
        _ => None,
    };
    let is_set = is_set && !input.is_checked();
    let is_unique = !input.is_checked() && !is_set && rules.is_some_and(|rules| rules.unique);
    let mut written = Vec::new();
    let mut count = 0;
    let mut inside = input.open_list()?;
    let mut all = C::with_room(0);
    while input.has_item(&mut inside) {
        let start = input.position();
        all.put(T::read_quick(input, None)?);
        count += 1;
        if is_unique {
            written.push(input.written_from(start)?);
        }
    }
    let fits = input.closes_well()
        && rules.is_none_or(|rules| has_room_for(rules, count))
        && (!is_set || all.count() == count)
        && (!is_unique || are_unique(written));
    fits.then_some(all)
}

/// Whether values differ, judged by their text. `false` if the text does not show it.
fn are_unique(mut written: Vec<&str>) -> bool {
    // Strings without escapes, and whole numbers as they are mostly written.
    let shows = |text: &&str| match text.as_bytes() {
        [b'"', inner @ ..] => !inner.contains(&b'\\'),
        [b'-', b'1'..=b'9', digits @ ..] | digits => {
            digits.len() < 18 && digits.iter().all(u8::is_ascii_digit)
        }
    };
    if !written.iter().all(shows) {
        return false;
    }
    written.sort_unstable();
    written.windows(2).all(|pair| pair[0] != pair[1])
}

/// Opens a list that has one type for each position.
pub(crate) fn open_tuple(input: &mut QuickInput<'_>) -> Option<OpenProgress> {
    input.open_list()
}

/// Whether such a list ends here.
pub(crate) fn close_tuple(input: &mut QuickInput<'_>, mut inside: OpenProgress) -> bool {
    !input.has_item(&mut inside) && input.closes_well()
}

/// Reads the next item of a list that has one type for each position.
pub(crate) fn read_tuple_item<T: ToolInput>(
    input: &mut QuickInput<'_>,
    inside: &mut OpenProgress,
) -> Option<T> {
    if !input.has_item(inside) {
        return None;
    }
    T::read_quick(input, None)
}

#[inline]
pub(crate) fn has_room_for(rules: &List, count: usize) -> bool {
    let n = count as u64;
    rules.min_items.is_none_or(|min| n >= min) && rules.max_items.is_none_or(|max| n <= max)
}
