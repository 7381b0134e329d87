//! Arrays in a text, which are read by one loop for all lists.

use std::collections::HashSet;

use super::{
    At, ToolInput,
    at::{Found, Way},
    json::{Broken, Json},
    list::{Collect, count_fits, is_alone, is_new, only_item, rules_of},
    meant::take_out,
    value::read_any,
    visit::{Take, visit_apart},
};
use crate::schema::List;

/// Reads a list from a text; `OWN` when no field adds a rule to those of the type.
pub(super) fn read_list<C, T, const OWN: bool>(
    json: &mut Json<'_>,
    at: At<'_>,
) -> Result<Option<C>, Broken>
where
    C: Collect<T> + ToolInput,
    T: ToolInput,
{
    let mut out = C::with_room(0);
    let mut read = |json: &mut Json<'_>, at: At<'_>| {
        let item = if OWN {
            T::read_own_text(json, at)
        } else {
            T::read_text(json, at)
        };
        // Without `?`, whose functions would be compiled for each type.
        match item {
            Ok(Some(item)) => {
                out.put(item);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => Err(error),
        }
    };
    let rules = rules_of::<T>(if OWN { C::SCHEMA } else { at.schema() });
    match items(json, at, rules, &mut read) {
        Ok(true) => Ok(Some(out)),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads one item and puts it where it belongs; whether there is one.
type ReadItem<'a> = &'a mut dyn FnMut(&mut Json<'_>, At<'_>) -> Result<bool, Broken>;

/// Reads all items; whether the list is whole.
fn items(
    json: &mut Json<'_>,
    mut at: At<'_>,
    rules: &'static List,
    read: ReadItem<'_>,
) -> Result<bool, Broken> {
    if !json.is_at(b'[') || at.too_deep() {
        return no_list(json, at, rules, read);
    }
    json.open()?;
    if rules.unique {
        return unique_items(json, at, rules, read);
    }
    let mut whole = true;
    let mut count = 0;
    // One place for all items, moved on from item to item.
    let mut place = at.place_of(rules.items.part());
    loop {
        place.move_to_item(count);
        let more = json.has_item();
        let read = match more {
            Ok(false) => break,
            Ok(true) => read(json, at.at(&place)),
            Err(error) => Err(error),
        };
        match read {
            Ok(is_there) => whole &= is_there,
            Err(error) => {
                at.at(&place).note_broken();
                return Err(error);
            }
        }
        count += 1;
    }
    Ok(count_fits(rules, count, &mut at) && whole)
}

/// Items are unique as JSON, which is what the schema says. A type may tell fewer of them apart (an
/// object's unknown keys, two writings of one path), and keeps what it holds to be equal once.
#[inline(never)]
fn unique_items(
    json: &mut Json<'_>,
    mut at: At<'_>,
    rules: &'static List,
    read: ReadItem<'_>,
) -> Result<bool, Broken> {
    let mut seen = HashSet::new();
    let mut whole = true;
    let mut count = 0;
    loop {
        let more = at.below(Way::Index(count), rules.items.part(), |mut at| {
            let item = unique_item(json, at.reborrow(), &mut seen, read);
            if item.is_err() {
                at.note_broken();
            }
            item
        })?;
        match more {
            None => break,
            Some(is_there) => whole &= is_there,
        }
        count += 1;
    }
    Ok(count_fits(rules, count, &mut at) && whole)
}

/// The next item, if there is one: whether it is good.
fn unique_item(
    json: &mut Json<'_>,
    mut at: At<'_>,
    seen: &mut HashSet<String>,
    read: ReadItem<'_>,
) -> Result<Option<bool>, Broken> {
    if !json.has_item()? {
        return Ok(None);
    }
    let raw = json.raw()?;
    let Some(value) = read_any(&mut json.part(raw), at.reborrow())? else {
        return Ok(Some(false));
    };
    if !is_new(&value, seen, &mut at) {
        return Ok(Some(false));
    }
    read(&mut json.part(raw), at).map(Some)
}

/// What is no array: the only item of one, or an array in a string, where the policy says so.
#[cold]
#[inline(never)]
fn no_list(
    json: &mut Json<'_>,
    mut at: At<'_>,
    rules: &'static List,
    read: ReadItem<'_>,
) -> Result<bool, Broken> {
    let is_object = json.is_at(b'{');
    if is_object && !at.too_deep() && is_alone(&Found::Object, &at) {
        // Read in place: an object in an object in an object is not to be looked through once a level.
        let is_there = at.below(Way::Index(0), rules.items.part(), |at| read(json, at))?;
        return Ok(is_there && only_item(rules, &Found::Object, &mut at));
    }
    let is_scalar = !is_object && !json.is_at(b'[');
    let alone = if is_scalar && at.repairs() {
        json.part(json.ahead()?)
    } else {
        json.part("")
    };
    let take = NoList { rules, alone, read };
    Ok(visit_apart(json, take, at)?.is_some())
}

struct NoList<'a, 'de> {
    rules: &'static List,
    /// The value that is no array, unless that has brackets.
    alone: Json<'de>,
    read: ReadItem<'a>,
}

impl NoList<'_, '_> {
    fn single(mut self, found: &Found<'_>, mut at: At<'_>) -> Option<()> {
        if !is_alone(found, &at) {
            at.mismatch(found);
            return None;
        }
        let is_there = at.below(Way::Index(0), self.rules.items.part(), |at| {
            (self.read)(&mut self.alone, at).unwrap_or_default()
        });
        (is_there && only_item(self.rules, found, &mut at)).then_some(())
    }
}

impl Take for NoList<'_, '_> {
    type Out = ();

    fn boolean(self, value: bool, at: At<'_>) -> Option<()> {
        self.single(&Found::Boolean(value), at)
    }

    fn integer(self, value: i128, at: At<'_>) -> Option<()> {
        self.single(&Found::Integer(value), at)
    }

    fn number(self, value: f64, at: At<'_>) -> Option<()> {
        self.single(&Found::Number(value), at)
    }

    fn text(self, value: &str, at: At<'_>) -> Option<()> {
        if at.repairs() && !value.trim_start().starts_with('[') {
            return self.single(&Found::Text(value), at);
        }
        let mut whole = false;
        take_out(value, at, &mut |json, at| {
            whole = items(json, at, self.rules, self.read)?;
            Ok(())
        });
        whole.then_some(())
    }
}
