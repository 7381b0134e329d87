//! Arrays. Items are read one after the other, each at its index.

use std::collections::HashSet;

use serde_json::Value;

use super::{
    any::{canonical, read_any},
    at::At,
    found::Found,
    here::Way,
    input::Input,
    meant::{element_takes, take_out},
    take::{refuse_depth, refuse_whole, stands_for_absent},
    tool_input::ToolInput,
};
use crate::{
    json::{Form, Json, Number, Source},
    report::{FixKind, IssueKind, Part},
    schema::{Kind, List, Schema, expected},
};

/// A collection of items.
pub(crate) trait Collect<T>: Sized {
    fn with_room(items: usize) -> Self;
    /// Adds an item. A set that already contains it does not change.
    fn put(&mut self, item: T);
}

/// The most items for which room is reserved at once. A longer list grows.
const ROOM: usize = 4096;

/// Reads a list.
pub(crate) fn read_list<C, T>(input: &mut Input<'_>, at: At<'_>) -> Option<C>
where
    C: Collect<T>,
    T: ToolInput,
{
    let rules = rules_of::<T>(at.schema());
    let mut items = Items::new(T::read);
    let whole = read_items(input, at, rules, &mut |input, room, at| {
        items.read(input, room, at)
    });
    items.close(whole)
}

/// Reads a list of which every item needs no conversion; `None` for any other list, which is then read item by item.
#[inline]
pub(crate) fn read_plain<'de, T>(
    input: &mut Input<'de>,
    at: &At<'_>,
    scan: impl Fn(&mut Json<'de>) -> Option<T>,
    of: impl Fn(&Value) -> Option<T>,
) -> Option<Vec<T>> {
    let Kind::List(rules) = &at.schema().kind else {
        return None;
    };
    if rules.unique || at.too_deep() {
        return None;
    }
    let mut ahead = *input;
    let all = match ahead.as_value() {
        Some(value) => collect(value.as_array()?, of)?,
        None => ahead.as_text()?.take_list(scan)?,
    };
    if !has_room_for(rules, all.len()) {
        return None;
    }
    ahead.count_steps(all.len());
    *input = ahead;
    Some(all)
}

/// The items, if all of them have this type. A separate function, so that it has all registers to itself.
#[inline(never)]
fn collect<T>(items: &[Value], of: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    let mut all = Vec::with_capacity(items.len().min(ROOM));
    for item in items {
        all.push(of(item)?);
    }
    Some(all)
}

/// The items of a list that were read, and the reader of an item.
struct Items<C, R> {
    all: Option<C>,
    read: R,
}

impl<C, R> Items<C, R> {
    #[inline]
    fn new(read: R) -> Self {
        Self { all: None, read }
    }

    #[inline]
    fn read<T>(&mut self, input: &mut Input<'_>, room: usize, at: At<'_>) -> bool
    where
        C: Collect<T>,
        R: Fn(&mut Input<'_>, At<'_>) -> Option<T>,
    {
        let all = self.all.get_or_insert_with(|| C::with_room(room));
        match (self.read)(input, at) {
            Some(item) => {
                all.put(item);
                true
            }
            None => false,
        }
    }

    #[inline]
    fn close<T>(self, whole: bool) -> Option<C>
    where
        C: Collect<T>,
    {
        if !whole {
            return None;
        }
        Some(self.all.unwrap_or_else(|| C::with_room(0)))
    }
}

/// The rules of a list: those of the schema, or no rules if the schema says less than the type, like the schema of a
/// type inside itself.
#[inline]
pub(crate) fn rules_of<T: ToolInput>(schema: &Schema) -> &List {
    match &schema.kind {
        Kind::List(rules) => rules,
        _ => const { &List::of(T::SCHEMA) },
    }
}

/// Reads one item, puts it in its place, and returns whether there is one. The number is the room for the list.
type ReadItem<'a> = &'a mut dyn FnMut(&mut Input<'_>, usize, At<'_>) -> bool;

/// Reads all items, and returns whether all were read. One loop serves all lists, so that little is compiled for
/// each.
pub(super) fn read_items(
    input: &mut Input<'_>,
    mut at: At<'_>,
    rules: &List,
    read: ReadItem<'_>,
) -> bool {
    let form = input.form();
    if form != Form::List {
        return read_other(input, form, at, rules, read);
    }
    if at.too_deep() {
        refuse_depth(input, &mut at);
        return false;
    }
    if rules.unique {
        return read_unique(input, at, rules, read);
    }
    read_each(input, &mut at, rules, read)
}

/// Reads all items of a list that may repeat items.
#[inline]
fn read_each<R>(input: &mut Input<'_>, at: &mut At<'_>, rules: &List, read: &mut R) -> bool
where
    R: FnMut(&mut Input<'_>, usize, At<'_>) -> bool + ?Sized,
{
    let mut items = input.open_list();
    let room = input.count(&items).min(ROOM);
    let mut whole = true;
    let mut count = 0;
    // One place for all items, which moves from item to item.
    let mut place = at.place_of(rules.items.part());
    loop {
        place.move_to_item(count);
        if !input.next_item(&mut items) {
            break;
        }
        if !read(input, room, at.at(&place)) {
            if input.is_broken() {
                break;
            }
            whole = false;
        }
        count += 1;
    }
    if input.is_broken() {
        at.at(&place).note_broken();
        return false;
    }
    count_fits(rules, count, at) && whole
}

/// Reads a list of items that are unique as JSON, as the schema says. A type may distinguish fewer of them (unknown
/// keys of an object, two spellings of a path), and keeps equal items once.
#[inline(never)]
fn read_unique(input: &mut Input<'_>, mut at: At<'_>, rules: &List, read: ReadItem<'_>) -> bool {
    let mut items = input.open_list();
    let room = input.count(&items).min(ROOM);
    let mut seen = HashSet::new();
    let mut whole = true;
    let mut count = 0;
    let mut place = at.place_of(rules.items.part());
    loop {
        place.move_to_item(count);
        if !input.next_item(&mut items) {
            break;
        }
        let mut at = at.at(&place);
        // The item is kept in memory, so that the lists in it are not read from the text once for each level.
        let value = match input.as_value() {
            Some(value) => Some(Kept::Borrowed(value)),
            None => read_any(input, at.reborrow()).map(Kept::Owned),
        };
        if input.is_broken() {
            break;
        }
        whole &= value.is_some_and(|value| {
            is_new(value.get(), &mut seen, &mut at)
                && read(&mut Input::value(value.get()), room, at.reborrow())
        });
        count += 1;
    }
    if input.is_broken() {
        at.at(&place).note_broken();
        return false;
    }
    count_fits(rules, count, &mut at) && whole
}

enum Kept<'a> {
    Borrowed(&'a Value),
    Owned(Value),
}

impl Kept<'_> {
    fn get(&self) -> &Value {
        match self {
            Self::Borrowed(value) => value,
            Self::Owned(value) => value,
        }
    }
}

/// Reads a value that is not an array: the only item of one, or an array in a string, if the policy allows it.
#[cold]
#[inline(never)]
fn read_other(
    input: &mut Input<'_>,
    form: Form,
    mut at: At<'_>,
    rules: &List,
    read: ReadItem<'_>,
) -> bool {
    let mut alone = *input;
    let found = match form {
        Form::Null => {
            if !input.take_word() || at.take_null_as_absent() {
                return false;
            }
            Found::Null
        }
        Form::Boolean(value) => {
            if !input.take_word() {
                return false;
            }
            Found::Boolean(value)
        }
        Form::Number => match input.take_number() {
            Some(Number::Positive(value)) => Found::Integer(value.into()),
            Some(Number::Negative(value)) => Found::Integer(value.into()),
            Some(Number::Large) => Found::Integer(input.large()),
            Some(Number::Float(value)) => Found::Number(value),
            None => return false,
        },
        Form::Text => {
            let Some(text) = input.take_text() else {
                return false;
            };
            if text.is_empty() && stands_for_absent(&mut at) {
                return false;
            }
            if !at.repairs() || text.trim_start().starts_with('[') {
                let mut whole = false;
                take_out(&text, at, &mut |input, at| {
                    whole = read_items(input, at, rules, read);
                });
                return whole;
            }
            return read_single(&mut alone, &Found::Text(&text), at, rules, read);
        }
        Form::Object if at.too_deep() => {
            refuse_depth(input, &mut at);
            return false;
        }
        Form::Object if !is_alone(&Found::Object, &at) => {
            refuse_whole(input, &Found::Object, at);
            return false;
        }
        // Read in place: nested objects must not be read once for each level.
        Form::Object => return read_single(input, &Found::Object, at, rules, read),
        Form::Broken => {
            // A single item is read alone. Unique items must be compared with each other.
            if !rules.unique
                && let Some(Part::Index(index)) = input.next_step()
            {
                at.state().reached |= !input.has_step();
                at.below(Way::Index(index), rules.items.part(), |at| {
                    read(input, 1, at)
                });
            }
            return false;
        }
        Form::List => return false,
    };
    read_single(&mut alone, &found, at, rules, read)
}

/// Reads the only item of a list that is written without brackets, if the policy allows it and the items take such a
/// value.
fn read_single(
    input: &mut Input<'_>,
    found: &Found<'_>,
    mut at: At<'_>,
    rules: &List,
    read: ReadItem<'_>,
) -> bool {
    if !is_alone(found, &at) {
        at.mismatch(found);
        return false;
    }
    let is_there = at.below(Way::Index(0), rules.items.part(), |at| read(input, 1, at));
    if !is_there || !count_fits(rules, 1, &mut at) {
        return false;
    }
    at.fixed(FixKind::ListFromSingle, found, "an array of it");
    true
}

/// Whether an item differs from those before it. Reports an item that does not.
fn is_new(item: &Value, seen: &mut HashSet<String>, at: &mut At<'_>) -> bool {
    let is_new = seen.insert(canonical(item));
    if !is_new {
        at.issue(
            IssueKind::DuplicateItem,
            "every item once",
            "the same item again",
        );
    }
    is_new
}

/// Reports the items of a list that are the same after their repair.
pub(super) fn are_unique(items: &[Value], rules: &List, at: &mut At<'_>) -> bool {
    let mut seen = HashSet::new();
    let mut all = true;
    for (index, item) in items.iter().enumerate() {
        all &= at.below(Way::Index(index), rules.items.part(), |mut at| {
            is_new(item, &mut seen, &mut at)
        });
    }
    all
}

/// Whether a value in place of a list can only be its single item, and the policy allows it.
fn is_alone(found: &Found<'_>, at: &At<'_>) -> bool {
    at.repairs() && element_takes(at.schema(), found)
}

#[inline]
fn count_fits(rules: &List, count: usize, at: &mut At<'_>) -> bool {
    let fits = has_room_for(rules, count);
    if !fits {
        wrong_count(count, at);
    }
    fits
}

#[inline]
fn has_room_for(rules: &List, count: usize) -> bool {
    let n = count as u64;
    rules.min_items.is_none_or(|min| n >= min) && rules.max_items.is_none_or(|max| n <= max)
}

#[cold]
pub(crate) fn wrong_count(count: usize, at: &mut At<'_>) {
    let words = expected(at.schema());
    at.issue(IssueKind::ItemCount, words, count_words(count));
}

pub(crate) fn count_words(count: usize) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}
