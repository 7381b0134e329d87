//! Objects with declared fields: the loop over the keys that every derived struct shares.

use std::marker::PhantomData;

use serde::de::{Deserializer, IgnoredAny, MapAccess};

use super::{
    At, Fix, FixKind, Issue, IssueKind,
    at::{Found, State, Way},
    entry::{Entries, Entry},
    json::{Broken, Json},
    keys::{Given, Rare, report},
    meant::take_out,
    table::{Facts, UNKNOWN, by_alias, by_case, by_name},
    visit::{Take, visit_apart},
};
use crate::{
    schema::{Field, Kind, Object as Rules, Schema, described, is_wrapper},
    text::{cut, nearest, quoted},
};

/// What the derive generates for a struct: typed slots, and which field goes into which.
///
/// Fields are numbered in the order of the declaration, the fields of a flattened struct in its
/// place.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    label = "flattened here",
    note = "`flatten` takes a struct with named fields that derives `ToolInput`, or a map with string keys that collects the other parameters"
)]
pub trait Object: Sized {
    /// What the slots are built into.
    type Out;
    /// One `Option` a field.
    type Slots;

    /// The schema that names the fields; its kind is an object.
    const OBJECT: &'static Schema;

    /// Slots with nothing in them.
    fn slots() -> Self::Slots;

    /// The number of the field with this name, [`UNKNOWN`] for none.
    ///
    /// The derive writes a `match` where it knows the names of all fields, which it does not when
    /// one is flattened.
    #[inline]
    fn number(key: &[u8]) -> usize {
        by_name(FactsOf::<Self>::FACTS.rules, key)
    }

    /// Reads the value of one field into its slot.
    fn read<'de, E: Entry<'de>>(
        slots: &mut Self::Slots,
        field: usize,
        entry: &mut E,
        at: At<'_>,
    ) -> Result<(), E::Error>;

    /// Puts what stands in for an absent value into the slot of an optional field.
    fn fill(slots: &mut Self::Slots, field: usize, at: At<'_>);

    /// Takes a key that no field declares, where a flattened map collects them.
    fn read_other<'de, E: Entry<'de>>(
        slots: &mut Self::Slots,
        key: &str,
        entry: &mut E,
        at: At<'_>,
    ) -> Result<(), E::Error> {
        let _ = (slots, key, at);
        entry.skip()
    }

    /// The value, when every slot is filled.
    fn build(slots: Self::Slots, at: At<'_>) -> Option<Self::Out>;
}

/// Reads an object from a source.
#[doc(hidden)]
pub fn read_object<'de, D, O>(source: D, at: At<'_>) -> Result<Option<O::Out>, D::Error>
where
    D: Deserializer<'de>,
    O: Object,
{
    visit_apart(source, TakeObject::<O>(PhantomData), at)
}

/// Reads an object from a text.
#[doc(hidden)]
pub fn read_object_text<O: Object>(
    json: &mut Json<'_>,
    mut at: At<'_>,
) -> Result<Option<O::Out>, Broken> {
    let mut slots = SlotsOf::<O>(O::slots());
    // Without `?`, whose functions would be compiled for each type.
    match read_fields(json, at.reborrow(), FactsOf::<O>::FACTS, &mut slots) {
        Ok(true) => Ok(O::build(slots.0, at)),
        Ok(false) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The slots of an object that is read from a text.
type TextFields<'a> = dyn for<'de> Fields<'de, Json<'de>> + 'a;

/// Reads the fields of an object into their slots; whether there was an object. All that a text costs
/// is in here, once for all objects.
fn read_fields(
    json: &mut Json<'_>,
    at: At<'_>,
    facts: &'static Facts,
    fields: &mut TextFields<'_>,
) -> Result<bool, Broken> {
    if json.is_at(b'{') && !at.too_deep() {
        json.open()?;
        entries(json, at, facts, fields)?;
        return Ok(true);
    }
    Ok(visit_apart(json, NoObject { facts, fields }, at)?.is_some())
}

/// Takes what is no object: reports it, or reads the one in a string.
struct NoObject<'a, 'b> {
    facts: &'static Facts,
    fields: &'a mut TextFields<'b>,
}

impl Take for NoObject<'_, '_> {
    type Out = ();

    #[cold]
    fn text(self, value: &str, at: At<'_>) -> Option<()> {
        let mut found = false;
        take_out(value, at, &mut |json, at| {
            found = read_fields(json, at, self.facts, self.fields)?;
            Ok(())
        });
        found.then_some(())
    }
}

struct TakeObject<O>(PhantomData<O>);

struct FactsOf<O>(PhantomData<O>);

impl<O: Object> FactsOf<O> {
    const FACTS: &'static Facts = &Facts::of(O::OBJECT);
}

/// The slots of an object. The loop over keys sees no more of it, so that there is one loop for all
/// objects: what is compiled for each of them decides how long a program builds.
trait Fields<'de, E: Entry<'de>> {
    /// See [`Object::number`].
    fn number(&self, key: &[u8]) -> usize;
    /// See [`Object::read`].
    fn read(&mut self, field: usize, entry: &mut E, at: At<'_>) -> Result<(), E::Error>;
    /// See [`Object::fill`].
    fn fill(&mut self, field: usize, at: At<'_>);
    /// See [`Object::read_other`].
    fn read_other(&mut self, key: &str, entry: &mut E, at: At<'_>) -> Result<(), E::Error>;
}

struct SlotsOf<O: Object>(O::Slots);

impl<'de, O: Object, E: Entry<'de>> Fields<'de, E> for SlotsOf<O> {
    fn number(&self, key: &[u8]) -> usize {
        O::number(key)
    }

    fn read(&mut self, field: usize, entry: &mut E, at: At<'_>) -> Result<(), E::Error> {
        O::read(&mut self.0, field, entry, at)
    }

    fn fill(&mut self, field: usize, at: At<'_>) {
        O::fill(&mut self.0, field, at);
    }

    fn read_other(&mut self, key: &str, entry: &mut E, at: At<'_>) -> Result<(), E::Error> {
        O::read_other(&mut self.0, key, entry, at)
    }
}

impl<O: Object> Take for TakeObject<O> {
    type Out = O::Out;

    #[inline]
    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<O::Out>, A::Error> {
        let mut slots = SlotsOf::<O>(O::slots());
        let fields: &mut dyn Fields<'de, A> = &mut slots;
        entries(&mut map, at.reborrow(), FactsOf::<O>::FACTS, fields)?;
        Ok(O::build(slots.0, at))
    }
}

/// Reads all entries of an object into its slots.
#[inline(never)]
fn entries<'de, E: Entries<'de>, F: Fields<'de, E> + ?Sized>(
    map: &mut E,
    mut at: At<'_>,
    facts: &'static Facts,
    fields: &mut F,
) -> Result<(), E::Error> {
    // Apart, so that the bits stay in a register.
    let mut given = Given(0);
    let mut rare = None;
    // One place for all fields, moved on from key to key.
    let mut place = at.place_of(at.schema());
    loop {
        let number_of = |key: &[u8]| {
            let number = fields.number(key);
            if number == UNKNOWN {
                keep(&mut rare, key);
            }
            number
        };
        let Some(key) = map.next_key(number_of)? else {
            break;
        };
        let (number, field) = match facts.field(key) {
            Some(field) => (key, field),
            None => match other(given, &mut rare, facts.rules, fields, map, &mut at)? {
                Some(known) => known,
                None => continue,
            },
        };
        if given.insert(number, &mut rare) {
            again(field, map, &mut at)?;
            continue;
        }
        place.move_to(field);
        if let Err(error) = fields.read(number, map, at.at(&place)) {
            at.at(&place).note_broken();
            return Err(error);
        }
        if at.state().absent {
            at.state().absent = false;
            fields.fill(number, at.at(&place));
        }
    }
    let mut fill = |number, at: At<'_>| fields.fill(number, at);
    if facts.plain {
        let mut open = facts.all & !given.0;
        while open != 0 {
            let number = open.trailing_zeros() as usize;
            open &= open - 1;
            if let Some(field) = facts.rules.fields.get(number) {
                not_given(&mut fill, number, field, rare.as_deref(), &mut at);
            }
        }
    } else {
        let all = &facts.rules.fields;
        finish(
            &mut fill,
            all.part(),
            &mut 0,
            (given, rare.as_deref()),
            &mut at,
        );
    }
    if let Some(rare) = rare {
        report(rare, facts.rules, &mut at);
    }
    Ok(())
}

/// What a key that is no field's name turned out to be.
enum Stranger {
    /// A field all the same, whose value is to be read.
    Field(usize, &'static Field),
    /// One that a flattened map takes, with the schema of its value.
    Other(String, &'static Schema),
    /// One that may hold all of the arguments.
    Wrapper(String),
    /// One whose value nothing takes.
    Nothing,
}

/// A key that is no field's name: the field that it stands for all the same, which is then to be
/// read; the value of any other key is dealt with here.
#[cold]
#[inline(never)]
fn other<'de, E: Entry<'de>, F: Fields<'de, E> + ?Sized>(
    given: Given,
    rare: &mut Option<Box<Rare>>,
    rules: &'static Rules,
    fields: &mut F,
    entry: &mut E,
    at: &mut At<'_>,
) -> Result<Option<(usize, &'static Field)>, E::Error> {
    match stranger(rules, given, rare.get_or_insert_default(), at) {
        Stranger::Field(number, field) => return Ok(Some((number, field))),
        Stranger::Other(text, schema) => at.below(Way::Key(&text), schema, |mut at| {
            let read = fields.read_other(&text, entry, at.reborrow());
            if read.is_err() {
                at.note_broken();
            }
            read
        })?,
        Stranger::Wrapper(key) => {
            const OPEN: &Schema = &Schema::of(Kind::Any);
            // What is wrong in there is nothing to the model: it learns where its arguments stand.
            let mut state = State::new(&at.state().policy);
            let read = at.aside(&mut state, OPEN, |at| entry.read::<serde_json::Value>(at))?;
            if let (Some(serde_json::Value::Object(inner)), Some(rare)) = (read, rare.as_mut()) {
                rare.wrapped = inner.into_iter().map(|(key, _)| key).collect();
                rare.wrapper = key;
            }
        }
        Stranger::Nothing => entry.skip()?,
    }
    Ok(None)
}

/// The part of it that reads nothing.
fn stranger(rules: &'static Rules, given: Given, rare: &mut Rare, at: &mut At<'_>) -> Stranger {
    let text = std::mem::take(&mut rare.text);
    if let Some((number, field)) = by_alias(rules, &text, at) {
        if given.has(number, rare) {
            at.field(field, |at| given_twice(&text, field, at));
            return Stranger::Nothing;
        }
        at.field(field, |mut at| {
            at.fixed(
                FixKind::Alias,
                &Found::Text(&text),
                quoted(field.name.part()),
            );
        });
        return Stranger::Field(number, field);
    }
    if let Some(schema) = &rules.extra {
        if rare.others.insert(text.clone()) {
            return Stranger::Other(text, schema.part());
        }
        at.below(Way::Key(&text), schema.part(), duplicate);
        return Stranger::Nothing;
    }
    let Some((number, field)) = by_case(rules, &text, at) else {
        let wrapper = at.is_root() && at.converts() && text != "name" && is_wrapper(&text);
        if wrapper {
            rare.unknown(text.clone());
            return Stranger::Wrapper(text);
        }
        rare.unknown(text);
        return Stranger::Nothing;
    };
    if given.has(number, rare) {
        at.field(field, |at| given_twice(&text, field, at));
        return Stranger::Nothing;
    }
    at.field(field, |mut at| {
        at.fixed(
            FixKind::KeyCase,
            &Found::Text(&text),
            quoted(field.name.part()),
        );
    });
    Stranger::Field(number, field)
}

/// A field whose value was read already.
#[cold]
#[inline(never)]
fn again<'de, E: Entry<'de>>(
    field: &'static Field,
    entry: &mut E,
    at: &mut At<'_>,
) -> Result<(), E::Error> {
    at.field(field, |at| given_twice(field.name.part(), field, at));
    entry.skip()
}

/// Fills what is optional and was not given, reports what is required and was not.
fn finish(
    fill: &mut dyn FnMut(usize, At<'_>),
    fields: &'static [Field],
    number: &mut usize,
    (given, rare): (Given, Option<&Rare>),
    at: &mut At<'_>,
) {
    for field in fields {
        match &field.schema.kind {
            Kind::Object(inner) if field.flatten => {
                finish(fill, inner.fields.part(), number, (given, rare), at);
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                if !rare.map_or(given.low(*number), |rare| given.has(*number, rare)) {
                    not_given(fill, *number, field, rare, at);
                }
                *number += 1;
            }
        }
    }
}

#[inline(never)]
fn not_given(
    fill: &mut dyn FnMut(usize, At<'_>),
    number: usize,
    field: &'static Field,
    rare: Option<&Rare>,
    at: &mut At<'_>,
) {
    if at.repairs() {
        super::leaks::swallowed(field, at);
    }
    at.field(field, |at| {
        if field.required {
            missing(field, rare, at);
        } else {
            fill(number, at);
        }
    });
}

#[cold]
fn duplicate(mut at: At<'_>) {
    at.issue(IssueKind::DuplicateKey, "once", "more than once");
}

/// A field that was given already, perhaps under another name.
#[cold]
fn given_twice(key: &str, field: &Field, mut at: At<'_>) {
    let path = at.path();
    let named = |fix: &&Fix| {
        matches!(fix.kind, FixKind::Alias | FixKind::KeyCase)
            && fix.path == path
            && fix.to == quoted(field.name.part())
    };
    let before = at
        .state()
        .fixes
        .iter()
        .rfind(named)
        .map(|fix| fix.from.clone());
    let before = before.unwrap_or_else(|| quoted(field.name.part()));
    if at.secret() || before == quoted(key) {
        return duplicate(at);
    }
    let both = format!("`{}` and `{}`", before.trim_matches('"'), cut(key, 64));
    at.issue(IssueKind::DuplicateKey, "once", both);
}

#[cold]
fn missing(field: &Field, rare: Option<&Rare>, mut at: At<'_>) {
    let words = described(field.schema.part());
    let mut issue = Issue::new(at.path(), IssueKind::Missing, words, "");
    issue.hint = rare
        .filter(|rare| rare.wrapped.iter().any(|key| *key == *field.name.part()))
        .map(|rare| format!("found inside `{}`: send it without that", rare.wrapper))
        .or_else(|| resembling(field, rare?));
    at.state().push(issue);
}

/// What a key that nothing takes was probably meant to be.
fn resembling(field: &Field, rare: &Rare) -> Option<String> {
    rare.strangers
        .iter()
        .find(|stranger| nearest(stranger, [field.name.part()]).is_some())
        .map(|stranger| {
            format!(
                "`{}` was given: rename it to `{}`",
                cut(stranger, 64),
                field.name
            )
        })
}

/// Keeps the text of a key that is no field's name.
#[cold]
#[inline(never)]
fn keep(rare: &mut Option<Box<Rare>>, key: &[u8]) {
    rare.get_or_insert_default().text = String::from_utf8_lossy(key).into_owned();
}

/// Leaves out the value of a key that nothing takes.
#[doc(hidden)]
pub fn skip_value<'de, E: Entry<'de>>(entry: &mut E) -> Result<(), E::Error> {
    entry.skip()
}

/// Stands in for the reader of a declaration that does not compile.
#[doc(hidden)]
#[allow(clippy::needless_pass_by_value)] // the shape of every reader
pub fn unusable<'de, D: Deserializer<'de>, T>(
    source: D,
    at: At<'_>,
) -> Result<Option<T>, D::Error> {
    let _ = at;
    source.deserialize_ignored_any(IgnoredAny)?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{Object, skip_value, unusable};
    use crate::{
        At, Policy, ToolInput,
        input::{
            at::{Here, State},
            json::Json,
        },
    };

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Point {
        x: u8,
    }

    /// Whatever nothing takes is read over to its end, so that what follows can be read.
    #[test]
    fn what_nothing_takes_is_passed_over() {
        let policy = Policy::exact();
        let here = Here::root(Point::SCHEMA);
        let over = |read: &dyn Fn(&mut Json<'_>, At<'_>) -> bool| {
            for text in ["1", "\"a\"", "[1, {\"a\": [2]}]", "{\"x\": {}, \"y\": []}"] {
                let mut state = State::new(&policy);
                let mut json = Json::new(text);
                assert!(read(&mut json, At::new(&mut state, &here)), "{text}");
                assert!(json.is_at_end(), "{text}");
                assert!(state.issues.is_empty() && state.omitted == 0);

                let broken = text.get(..text.len() - 1).unwrap_or_default();
                let read = read(&mut Json::new(broken), At::new(&mut state, &here));
                assert!(!read, "{broken}");
            }
        };
        over(&|json, _| skip_value(json).is_ok());
        over(&|json, at| matches!(unusable::<_, u8>(json, at), Ok(None)));
        over(&|json, at| {
            let mut slots = <Point as Object>::slots();
            Point::read_other(&mut slots, "other", json, at).is_ok()
        });
    }
}
