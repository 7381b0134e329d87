//! Objects with declared fields: the loop over the keys that every derived struct shares.

use std::marker::PhantomData;

use serde_json::{Map, Value};

use super::{
    absent::close,
    any::ANY,
    at::At,
    fields::{Facts, Fields},
    given::Given,
    here::{Here, Tagged},
    input::Input,
    keys::{Keys, repeated_key},
    meant::take_out,
    stranger::{given_twice, read_stranger},
    take::{Take, stands_for_absent, take_other},
    tool_input::ToolInput,
};
use crate::{
    json::{Form, Inside, Json, Source},
    report::Part,
    schema::{Field, Schema},
    text::is_equal,
};

/// The slots of a struct and the readers of its fields, which the derive generates.
///
/// Fields are numbered in the order of the declaration. The fields of a flattened struct take its place.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    label = "flattened here",
    note = "`flatten` takes a struct with named fields that derives `ToolInput`, or a map with string keys that collects the other parameters"
)]
pub trait Object: Sized {
    /// The type that is built from the slots.
    type Out: ToolInput;
    /// One `Option` for each field.
    type Slots;

    /// The schema that names the fields; its kind is an object.
    const OBJECT: &'static Schema = <Self::Out as ToolInput>::SCHEMA;

    /// A bit for each of the first 64 fields that must be [filled](Self::fill) if it is not given. The slots of the
    /// others start with the value for an absent field.
    const FILLED: u64 = u64::MAX;

    /// The numbers of the fields in the order of their names, which is the order of the keys in memory; empty if that
    /// is the order of the declaration.
    const SORTED: &'static [u8] = &[];

    /// The slots before reading.
    fn slots() -> Self::Slots;

    /// Reads the value of one field into its slot.
    fn read(slots: &mut Self::Slots, field: usize, input: &mut Input<'_>, at: At<'_>);

    /// Puts the value for an absent field into its slot.
    fn fill(slots: &mut Self::Slots, field: usize, at: At<'_>);

    /// Takes a key that no field declares, if a flattened map collects such keys.
    fn read_other(slots: &mut Self::Slots, key: &str, input: &mut Input<'_>, at: At<'_>) {
        let _ = (slots, key, at);
        input.skip();
    }

    /// The value, if every slot is filled.
    fn build(slots: Self::Slots, at: At<'_>) -> Option<Self::Out>;
}

/// Reads an object.
#[doc(hidden)]
pub fn read_object<O: Object>(input: &mut Input<'_>, mut at: At<'_>) -> Option<O::Out> {
    let mut slots = SlotsOf::<O>(O::slots());
    if read_fields(input, at.reborrow(), FactsOf::<O>::FACTS, &mut slots) {
        O::build(slots.0, at)
    } else {
        None
    }
}

struct FactsOf<O>(PhantomData<O>);

impl<O: Object> FactsOf<O> {
    const FACTS: &'static Facts<'static> = &Facts::of(O::OBJECT, O::FILLED, O::SORTED);
}

struct SlotsOf<O: Object>(O::Slots);

impl<O: Object> Fields for SlotsOf<O> {
    fn read(&mut self, field: usize, input: &mut Input<'_>, at: At<'_>) {
        O::read(&mut self.0, field, input, at);
    }

    fn fill(&mut self, field: usize, at: At<'_>) {
        O::fill(&mut self.0, field, at);
    }

    fn read_other(&mut self, key: &str, input: &mut Input<'_>, at: At<'_>) {
        O::read_other(&mut self.0, key, input, at);
    }
}

/// Reads the fields of an object into their slots, and returns whether there was an object.
#[inline(never)]
pub(super) fn read_fields(
    input: &mut Input<'_>,
    at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    // Three functions, so that none saves registers for another.
    match input.as_object() {
        Some(map) if map.len() == facts.in_order_of_names().len() && !at.is_content() => {
            read_all_in_memory(input, at, facts, fields)
        }
        Some(_) => read_in_memory(input, at, facts, fields),
        None => read_in_text(input, at, facts, fields),
    }
}

/// Like `read_fields`, for an object in a text, and for any other form. Most calls keep the order of the declaration.
/// Then a key is only compared and never copied, and this function does nothing else.
#[inline(never)]
fn read_in_text(
    input: &mut Input<'_>,
    mut at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    if !input.as_text().is_some_and(Json::is_object) || at.too_deep() {
        let form = input.form();
        return read_other_form(input, form, at, facts, fields);
    }
    if let Some(tagged) = at.tagged() {
        return read_tagged_in_text(tagged, input, at, facts, fields);
    }
    // One place for all fields, which moves from key to key.
    let mut place = at.place_of(ANY);
    let next = read_declared(b'{', &mut place, input, &mut at, facts, fields);
    if next > 0 && input.closes() {
        let is_whole = facts.plain && next == facts.fields.len() && !at.repairs();
        if !is_whole {
            close_declared(next, facts, fields, &mut at);
        }
        return true;
    }
    let keys = Keys::new(Given::first(next), next, None);
    read_on_in_text(keys, next > 0, &mut place, input, at, facts, fields)
}

/// Like `read_in_text`, for the content of a variant. Its tag mostly comes before or behind all other keys.
#[inline(never)]
fn read_tagged_in_text(
    tagged: &Tagged<'_>,
    input: &mut Input<'_>,
    mut at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    let mut place = at.place_of(ANY);
    let mut before = b'{';
    let mut tags = 0;
    if pass_tag(input, before, tagged.tag) {
        (tags, before) = (1, b',');
    }
    let next = read_declared(before, &mut place, input, &mut at, facts, fields);
    if next > 0 {
        before = b',';
    }
    if tags == 0 && pass_tag(input, before, tagged.tag) {
        (tags, before) = (1, b',');
        if input.is_broken() {
            return false;
        }
    }
    let is_open = before == b',';
    if is_open && input.closes() {
        close_declared(next, facts, fields, &mut at);
        return true;
    }
    let mut keys = Keys::new(Given::first(next), next, Some(tagged));
    keys.tags = tags;
    read_on_in_text(keys, is_open, &mut place, input, at, facts, fields)
}

/// Reads the fields that come in the order of the declaration, the first one behind this byte, and returns their
/// number.
#[inline]
fn read_declared<'a>(
    mut before: u8,
    place: &mut Here<'a>,
    input: &mut Input<'_>,
    at: &mut At<'_>,
    facts: &Facts<'a>,
    fields: &mut dyn Fields,
) -> usize {
    let mut next = 0;
    for field in facts.fields {
        let Some(json) = input.as_text() else {
            break;
        };
        if !json.key_is(before, field.name.part()) {
            break;
        }
        before = b',';
        place.move_to(field);
        let is_null = !field.required && input.is_null();
        read_field(next, is_null, facts, fields, input, at.at(place));
        next += 1;
    }
    next
}

/// Ends an object of which the first `next` fields were given.
#[inline(never)]
fn close_declared(next: usize, facts: &Facts<'_>, fields: &mut dyn Fields, at: &mut At<'_>) {
    close(facts, Keys::new(Given::first(next), next, None), fields, at);
}

/// Skips the tag of a variant and its value if they come next, and returns whether they did.
#[inline(never)]
fn pass_tag(input: &mut Input<'_>, before: u8, tag: &str) -> bool {
    let json = input.as_text();
    let is_it = json.is_some_and(|json| json.key_is(before, tag));
    if is_it {
        input.skip();
    }
    is_it
}

/// Reads the keys from the first one that is not in the order of the declaration.
#[inline(never)]
fn read_on_in_text<'a>(
    mut keys: Keys<'_>,
    is_open: bool,
    place: &mut Here<'a>,
    input: &mut Input<'_>,
    mut at: At<'_>,
    facts: &Facts<'a>,
    fields: &mut dyn Fields,
) -> bool {
    let Some(json) = input.as_text() else {
        return false;
    };
    let mut inside = if is_open {
        Inside::BEHIND_FIRST
    } else {
        json.open_object()
    };
    while let Some(json) = input.as_text() {
        let (number, field) = if let Some((number, field)) = keys.expected(facts)
            && json.next_is(&mut inside, field.name.part())
        {
            keys.given.0 |= 1 << number;
            (number, field)
        } else if json.closes() {
            break;
        } else {
            match seek(&mut inside, &mut keys, place, facts, fields, input, &mut at) {
                Some(found) => found,
                None if input.is_broken() => return false,
                None => break,
            }
        };
        keys.move_on(number);
        place.move_to(field);
        let is_null = !field.required && input.is_null();
        read_field(number, is_null, facts, fields, input, at.at(place));
    }
    let (tagged, tags) = (keys.tagged, keys.tags);
    close(facts, keys, fields, &mut at);
    if let Some(tagged) = tagged
        && tags > 1
    {
        repeated_key(tagged.tag, &mut at);
    }
    true
}

/// Moves to the value of the next field of an object in a text, past keys that are not fields; `None` at the end or if
/// the text is broken.
#[inline(never)]
fn seek<'s>(
    inside: &mut Inside,
    keys: &mut Keys<'_>,
    place: &Here<'_>,
    facts: &Facts<'s>,
    fields: &mut dyn Fields,
    input: &mut Input<'_>,
    at: &mut At<'_>,
) -> Option<(usize, &'s Field)> {
    if input.is_broken() {
        // The value that was read last broke the text, if there is one.
        if place.is_field() {
            at.at(place).note_broken();
        }
        return None;
    }
    loop {
        let json = input.as_text()?;
        let key = json.next_key(inside)?;
        let found = if keys.tagged.is_none() && facts.is_stranger(&key) {
            keys.pass_stranger(&key, facts, at);
            json.skip();
            None
        } else if let Some(found) = facts.find(keys.next, &key) {
            keys.look_for_order(found.0, facts);
            Some(found)
        } else {
            read_stranger(&key, keys, facts, fields, input, at)
        };
        if let Some((number, field)) = found {
            if !keys.given.insert(number, &mut keys.rare) {
                return found;
            }
            keys.move_on(number);
            at.field(field, |mut at| {
                given_twice(field.name.part(), field, at.reborrow());
                input.skip();
                if input.is_broken() {
                    at.note_broken();
                }
            });
        }
        if input.is_broken() {
            return None;
        }
    }
}

/// Reads the value of a field, or null for an absent one. `is_null` is never set for a required field.
#[inline(always)]
#[allow(clippy::inline_always)] // a call would take as long as many a value
fn read_field(
    number: usize,
    is_null: bool,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
    input: &mut Input<'_>,
    at: At<'_>,
) {
    if is_null {
        read_null(number, facts, fields, input, at);
    } else {
        read_value(number, fields, input, at);
    }
}

#[inline(always)]
#[allow(clippy::inline_always)] // see `read_field`
fn read_value(number: usize, fields: &mut dyn Fields, input: &mut Input<'_>, mut at: At<'_>) {
    fields.read(number, input, at.reborrow());
    if at.state().absent {
        fill_absent(number, fields, at);
    }
}

/// Fills a field whose value stands for an absent one.
#[cold]
#[inline(never)]
fn fill_absent(number: usize, fields: &mut dyn Fields, mut at: At<'_>) {
    at.state().absent = false;
    fields.fill(number, at);
}

/// Reads null at a field that may be left out.
#[inline(never)]
fn read_null(
    number: usize,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
    input: &mut Input<'_>,
    mut at: At<'_>,
) {
    if !facts.takes_null(number) || !at.takes_lowered() {
        return read_value(number, fields, input, at);
    }
    if input.take_word() {
        at.note_null();
        if facts.fills(number) {
            fields.fill(number, at);
        }
    }
}

/// An object in memory that is being read. It is one struct, so that few registers are saved before the first key.
struct InMemory<'a, 's, 'de> {
    keys: Keys<'a>,
    /// The place where another field was expected, and the number of the field that was looked up last.
    last: Option<(usize, usize)>,
    /// Whether a key is dropped if no name begins with its first letter.
    drops: bool,
    facts: &'a Facts<'s>,
    fields: &'a mut dyn Fields,
    input: &'a mut Input<'de>,
    at: At<'a>,
}

/// Like `read_fields`, for an object in memory with as many keys as there are fields. Mostly the keys are all fields in
/// the order of their names. This function handles only that case, so that it needs few registers.
#[inline(never)]
fn read_all_in_memory(
    input: &mut Input<'_>,
    mut at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    let Some(map) = input.as_object() else {
        return false;
    };
    if at.too_deep() || map.is_empty() || at.repairs() {
        return read_in_memory(input, at, facts, fields);
    }
    input.count_steps(map.len());
    let mut place = at.place_of(ANY);
    for ((key, value), number) in map.iter().zip(facts.in_order_of_names()) {
        let number = usize::from(*number);
        let field = facts.next(number);
        let is_it = |field: &&Field| is_equal(field.name.part().as_bytes(), key.as_bytes());
        let Some(field) = field.filter(is_it) else {
            return read_on_in_memory(key, map, input, at, facts, fields);
        };
        input.move_to(value);
        place.move_to(field);
        let is_null = value.is_null() && !field.required;
        read_field(number, is_null, facts, fields, input, at.at(&place));
    }
    true
}

/// Like `read_fields`, for an object in memory.
#[inline(never)]
fn read_in_memory(
    input: &mut Input<'_>,
    at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    let Some(map) = input.as_object() else {
        return false;
    };
    if at.too_deep() {
        return read_other_form(input, Form::Object, at, facts, fields);
    }
    input.count_steps(map.len());
    read_each_in_memory(0, map, input, at, facts, fields)
}

/// Reads this key and those behind it. The keys before it are the first fields in the order of the names.
#[cold]
#[inline(never)]
fn read_on_in_memory<'de>(
    key: &str,
    map: &'de Map<String, Value>,
    input: &mut Input<'de>,
    at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    let read = map.keys().take_while(|before| *before != key).count();
    read_each_in_memory(read, map, input, at, facts, fields)
}

/// Reads an object in memory of which the first `read` keys were read. It has no doubled key and is never broken. Most
/// keys come in the order of their names.
#[inline(always)]
#[allow(clippy::inline_always)] // one of the calls is for most objects, and has read nothing
fn read_each_in_memory<'de>(
    read: usize,
    map: &'de Map<String, Value>,
    input: &mut Input<'de>,
    at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    let mut place = at.place_of(ANY);
    let mut object = InMemory {
        keys: Keys::new(facts.given_in_order(read), read, None),
        last: None,
        drops: false,
        facts,
        fields,
        input,
        at,
    };
    let mut entries = map.iter();
    for _ in 0..read {
        entries.next();
    }
    for (key, value) in entries {
        let (number, field) = match object.facts.in_order(object.keys.next) {
            Some((number, field)) if is_equal(field.name.part().as_bytes(), key.as_bytes()) => {
                object.keys.next += 1;
                object.keys.given.0 |= 1 << number;
                (number, field)
            }
            _ if object.drops && !object.facts.may_name(key) => {
                object.keys.pass_stranger(key, object.facts, &mut object.at);
                continue;
            }
            _ => match object.look_up(key, value) {
                Some(found) => found,
                None => continue,
            },
        };
        object.input.move_to(value);
        place.move_to(field);
        let is_null = value.is_null() && !field.required;
        let at = object.at.at(&place);
        read_field(
            number,
            is_null,
            object.facts,
            object.fields,
            object.input,
            at,
        );
    }
    close(object.facts, object.keys, object.fields, &mut object.at);
    true
}

impl<'s, 'de> InMemory<'_, 's, 'de> {
    /// The field to read for a key that was not expected next.
    #[inline(never)]
    fn look_up(&mut self, key: &str, value: &'de Value) -> Option<(usize, &'s Field)> {
        let Self {
            keys,
            last,
            facts,
            fields,
            input,
            at,
            ..
        } = self;
        keys.tagged = at.tagged();
        let known = facts.find(0, key);
        if known.is_none() && keys.tagged.is_some_and(|tagged| tagged.tag == key) {
            return None;
        }
        if let Some((place, number)) = last.take() {
            // Behind the field that was looked up last, keys mostly come in order again.
            keys.next = facts.place_behind(place, number);
        }
        let (number, field) = if let Some((number, field)) = known {
            if facts.stands_at(keys.next, number) {
                keys.next += 1;
            } else if keys.next != usize::MAX {
                *last = Some((keys.next, number));
                keys.next = usize::MAX;
            }
            (number, field)
        } else if keys.tagged.is_none() && facts.is_stranger(key) && at.others().is_none() {
            self.drops = true;
            keys.pass_stranger(key, facts, at);
            return None;
        } else {
            input.move_to(value);
            let found = read_stranger(key, keys, facts, *fields, input, at)?;
            // The own name of this field may still come, so no field is expected next from here on.
            keys.next = usize::MAX;
            found
        };
        if keys.given.insert(number, &mut keys.rare) {
            at.field(field, |at| given_twice(field.name.part(), field, at));
            return None;
        }
        Some((number, field))
    }
}

/// Reads an object in a string, if the policy allows it.
#[cold]
#[inline(never)]
fn read_other_form(
    input: &mut Input<'_>,
    form: Form,
    mut at: At<'_>,
    facts: &Facts<'_>,
    fields: &mut dyn Fields,
) -> bool {
    struct NoObject;
    impl Take for NoObject {
        type Out = ();
    }
    if form == Form::Broken {
        read_alone(input, at, facts, fields);
        return false;
    }
    if form != Form::Text {
        return take_other(input, form, NoObject, at).is_some();
    }
    let Some(text) = input.take_text() else {
        return false;
    };
    if text.is_empty() && stands_for_absent(&mut at) {
        return false;
    }
    let mut found = false;
    take_out(&text, at, &mut |input, at| {
        found = read_fields(input, at, facts, fields);
    });
    found
}

/// Reads the value of one field, if the object contains nothing else.
fn read_alone(input: &mut Input<'_>, mut at: At<'_>, facts: &Facts<'_>, fields: &mut dyn Fields) {
    if let Some(Part::Key(key)) = input.next_step()
        && let Some((number, field)) = facts.find(0, key)
    {
        at.state().reached |= !input.has_step();
        let is_null = !field.required && input.is_null();
        at.field(field, |at| {
            read_field(number, is_null, facts, fields, input, at);
        });
    }
}

/// Skips the value of a key that no field takes.
#[doc(hidden)]
pub fn skip_value(input: &mut Input<'_>) {
    input.skip();
}

/// The stand-in for the reader of a declaration that does not compile.
#[doc(hidden)]
#[allow(clippy::needless_pass_by_value)] // the shape of every reader
pub fn unusable<T>(input: &mut Input<'_>, at: At<'_>) -> Option<T> {
    let _ = at;
    input.skip();
    None
}

#[cfg(test)]
mod tests {
    use super::{Object, skip_value, unusable};
    use crate::{
        At, Input, Policy, ToolInput,
        read::{here::Here, state::State},
    };

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Point {
        x: u8,
    }

    /// A value that no field takes is skipped to its end, so that the next value can be read.
    #[test]
    fn what_nothing_takes_is_passed_over() {
        let policy = Policy::exact();
        let here = Here::root(Point::SCHEMA);
        let over = |read: &dyn Fn(&mut Input<'_>, At<'_>)| {
            for text in ["1", "\"a\"", "[1, {\"a\": [2]}]", "{\"x\": {}, \"y\": []}"] {
                let mut state = State::new(policy);
                let mut input = Input::text(text);
                read(&mut input, At::new(&mut state, &here));
                assert!(!input.is_broken() && input.is_at_end(), "{text}");
                assert_eq!(state.count(), 0);

                let broken = text.get(..text.len() - 1).unwrap_or_default();
                let mut input = Input::text(broken);
                read(&mut input, At::new(&mut state, &here));
                assert!(input.is_broken(), "{broken}");
            }
        };
        over(&|input, _| skip_value(input));
        over(&|input, at| assert!(unusable::<u8>(input, at).is_none()));
        over(&|input, at| {
            let mut slots = <Point as Object>::slots();
            Point::read_other(&mut slots, "other", input, at);
        });
    }
}
