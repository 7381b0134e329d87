//! Objects with declared fields: the loop over the keys that every derived struct shares.

use std::{collections::BTreeSet, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::{
    At, Fix, FixKind, Issue, IssueKind, Path, Step,
    at::{Found, Way},
    suggest::nearest,
    visit::{Take, visit},
};
use crate::schema::{Field, Kind, Object as Rules, Schema, Unknown, count, cut, expected, quoted};

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
pub trait Object {
    /// What the slots are built into.
    type Out;
    /// One `Option` a field.
    type Slots;

    /// The schema that names the fields; its kind is an object.
    const OBJECT: &'static Schema;

    /// Slots with nothing in them.
    fn slots() -> Self::Slots;

    /// Reads the value of one field into its slot.
    fn read<'de, A: MapAccess<'de>>(
        slots: &mut Self::Slots,
        field: usize,
        map: &mut A,
        at: At<'_>,
    ) -> Result<(), A::Error>;

    /// Puts what stands in for an absent value into the slot of an optional field.
    fn fill(slots: &mut Self::Slots, field: usize, at: At<'_>);

    /// Takes a key that no field declares, where a flattened map collects them.
    fn read_other<'de, A: MapAccess<'de>>(
        slots: &mut Self::Slots,
        key: &str,
        map: &mut A,
        at: At<'_>,
    ) -> Result<(), A::Error> {
        let _ = (slots, key, at);
        skip_value(map)
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
    visit(source, TakeObject::<O>(std::marker::PhantomData), at)
}

struct TakeObject<O>(std::marker::PhantomData<O>);

impl<'de, O: Object> Take<'de> for TakeObject<O> {
    type Out = O::Out;

    fn object<A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<O::Out>, A::Error> {
        let Kind::Object(rules) = &O::OBJECT.kind else {
            return Ok(None);
        };
        let mut slots = O::slots();
        let mut keys = Keys::new(rules, at.converts());
        while let Some(key) = map.next_key_seed(keys.seed())? {
            match key {
                Key::Known(number, field) if !keys.seen.insert(number) => {
                    keys.next = number + 1;
                    at.field(field, |at| {
                        read_field::<O, A>(&mut slots, number, &mut map, at)
                    })?;
                }
                Key::Known(_, field) => {
                    at.field(field, duplicate);
                    map.next_value::<IgnoredAny>()?;
                }
                Key::Alias(number, field, _) if keys.seen.insert(number) => {
                    at.field(field, duplicate);
                    map.next_value::<IgnoredAny>()?;
                }
                Key::Alias(number, field, alias) => at.field(field, |mut at| {
                    let key = Found::Text(&alias);
                    at.fixed(FixKind::Alias, &key, quoted(field.name));
                    read_field::<O, A>(&mut slots, number, &mut map, at)
                })?,
                Key::Unknown(key) => match rules.extra {
                    Some(schema) if keys.others.insert(key.clone()) => {
                        at.below(Way::Key(&key), schema, |mut at| {
                            O::read_other(&mut slots, &key, &mut map, at.reborrow())
                                .inspect_err(|_| at.note_broken())
                        })?;
                    }
                    Some(schema) => {
                        at.below(Way::Key(&key), schema, duplicate);
                        map.next_value::<IgnoredAny>()?;
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                        keys.unknown(key);
                    }
                },
            }
        }
        let mut number = 0;
        finish::<O>(&mut slots, rules.fields, &mut number, &keys, &mut at);
        keys.report(&mut at);
        Ok(O::build(slots, at))
    }
}

fn read_field<'de, O: Object, A: MapAccess<'de>>(
    slots: &mut O::Slots,
    number: usize,
    map: &mut A,
    mut at: At<'_>,
) -> Result<(), A::Error> {
    O::read(slots, number, map, at.reborrow()).inspect_err(|_| at.note_broken())?;
    if std::mem::take(&mut at.state().absent) {
        O::fill(slots, number, at);
    }
    Ok(())
}

/// Fills what is optional and was not given, reports what is required and was not.
fn finish<O: Object>(
    slots: &mut O::Slots,
    fields: &'static [Field],
    number: &mut usize,
    keys: &Keys,
    at: &mut At<'_>,
) {
    for field in fields {
        match field.schema.kind {
            Kind::Object(inner) if field.flatten => {
                finish::<O>(slots, inner.fields, number, keys, at);
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                if !keys.seen.has(*number) {
                    at.field(field, |at| {
                        if field.required {
                            missing(field, &keys.strangers, at);
                        } else {
                            O::fill(slots, *number, at);
                        }
                    });
                }
                *number += 1;
            }
        }
    }
}

#[cold]
fn duplicate(mut at: At<'_>) {
    at.issue(IssueKind::DuplicateKey, "once", "more than once");
}

#[cold]
fn missing(field: &Field, strangers: &[String], mut at: At<'_>) {
    let mut words = expected(field.schema);
    if !field.schema.description.is_empty() {
        words = format!("{words} ({})", cut(field.schema.description, 120));
    }
    let mut issue = Issue::new(at.path(), IssueKind::Missing, words, "");
    issue.hint = strangers
        .iter()
        .find(|stranger| nearest(stranger, [field.name]).is_some())
        .map(|stranger| {
            format!(
                "`{}` was given: rename it to `{}`",
                cut(stranger, 64),
                field.name
            )
        });
    at.state().push(issue);
}

/// Which numbered fields were given.
struct Seen {
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Marks a field; whether it was marked before.
    fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1u64 << (number % 64));
        let word = match word {
            0 => &mut self.low,
            n => {
                if self.high.len() < n {
                    self.high.resize(n, 0);
                }
                match self.high.get_mut(n - 1) {
                    Some(word) => word,
                    None => return false,
                }
            }
        };
        let before = *word & bit != 0;
        *word |= bit;
        before
    }

    fn has(&self, number: usize) -> bool {
        let word = match number / 64 {
            0 => self.low,
            n => self.high.get(n - 1).copied().unwrap_or(0),
        };
        word & (1 << (number % 64)) != 0
    }
}

/// The keys of one object as they come in.
struct Keys {
    rules: &'static Rules,
    converts: bool,
    /// Whether position and number of a field are the same.
    plain: bool,
    /// The field after the last one: models mostly keep the order of the schema.
    next: usize,
    seen: Seen,
    /// Keys that a flattened map took.
    others: BTreeSet<String>,
    /// Keys that nothing takes.
    strangers: Vec<String>,
    more_strangers: usize,
}

/// How many unknown keys of one object are remembered.
const STRANGERS: usize = 16;

impl Keys {
    fn new(rules: &'static Rules, converts: bool) -> Self {
        Self {
            rules,
            converts,
            plain: rules.fields.iter().all(|field| !field.flatten),
            next: 0,
            seen: Seen {
                low: 0,
                high: Vec::new(),
            },
            others: BTreeSet::new(),
            strangers: Vec::new(),
            more_strangers: 0,
        }
    }

    fn seed(&self) -> KeySeed {
        let next = if self.plain {
            self.rules.fields.get(self.next)
        } else {
            None
        };
        KeySeed {
            fields: self.rules.fields,
            next: next.map(|field| (self.next, field)),
            converts: self.converts,
        }
    }

    #[cold]
    fn unknown(&mut self, key: String) {
        if self.strangers.len() < STRANGERS {
            self.strangers.push(key);
        } else {
            self.more_strangers += 1;
        }
    }

    fn report(&self, at: &mut At<'_>) {
        if self.strangers.is_empty() || self.rules.unknown == Unknown::Ignore {
            return;
        }
        for key in &self.strangers {
            let path = at.path().join(Step::Key(key.clone()));
            if self.rules.unknown == Unknown::Report {
                let (from, to) = (quoted(key), "absent".to_owned());
                at.push_fix(Fix {
                    path,
                    kind: FixKind::UnknownDropped,
                    from,
                    to,
                });
                continue;
            }
            at.state()
                .push(unknown_key(path, key, &at_names(self.rules)));
        }
        if self.rules.unknown == Unknown::Deny {
            at.state().omitted += self.more_strangers;
        }
    }
}

fn at_names(rules: &'static Rules) -> Vec<&'static str> {
    Schema::of(Kind::Object(*rules))
        .fields()
        .map(|field| field.name)
        .collect()
}

/// The issue of a key that does not exist.
pub(super) fn unknown_key(path: Path, key: &str, names: &[&str]) -> Issue {
    let hint = match nearest(key, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if names.is_empty() => "there are no parameters here".to_owned(),
        None => format!("known are {}", list(names)),
    };
    let words = if names.is_empty() {
        "no parameter".to_owned()
    } else {
        list(names)
    };
    Issue::new(path, IssueKind::UnknownKey, words, "").with_hint(hint)
}

fn list(names: &[&str]) -> String {
    const MOST: usize = 16;
    let mut words: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MOST {
        words.push(format!("{} more", names.len() - MOST));
    }
    words.join(", ")
}

/// What a key turned out to be: a field with its number, a field by another name, or neither.
enum Key {
    Known(usize, &'static Field),
    Alias(usize, &'static Field, String),
    Unknown(String),
}

struct KeySeed {
    fields: &'static [Field],
    next: Option<(usize, &'static Field)>,
    converts: bool,
}

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Key, D::Error> {
        source.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        if let Some((number, field)) = self.next
            && field.name == key
        {
            return Ok(Key::Known(number, field));
        }
        if let Some((number, field)) = find(self.fields, &mut 0, &|field| field.name == key) {
            return Ok(Key::Known(number, field));
        }
        if self.converts
            && let Some((number, field)) =
                find(self.fields, &mut 0, &|field| field.aliases.contains(&key))
        {
            return Ok(Key::Alias(number, field, key.to_owned()));
        }
        Ok(Key::Unknown(key.to_owned()))
    }
}

fn find(
    fields: &'static [Field],
    number: &mut usize,
    is: &dyn Fn(&Field) -> bool,
) -> Option<(usize, &'static Field)> {
    for field in fields {
        match field.schema.kind {
            Kind::Object(inner) if field.flatten => {
                let found = find(inner.fields, number, is);
                if found.is_some() {
                    return found;
                }
            }
            Kind::Map(_) if field.flatten => {}
            _ => {
                if is(field) {
                    return Some((*number, field));
                }
                *number += 1;
            }
        }
    }
    None
}

/// How many numbers the fields of a flattened struct take.
#[doc(hidden)]
#[must_use]
pub const fn width(schema: &Schema) -> usize {
    match schema.kind {
        Kind::Object(object) => count(object.fields),
        _ => 0,
    }
}

/// Leaves out the value of a key that nothing takes.
#[doc(hidden)]
pub fn skip_value<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// Whether a flattened type takes keys that no field declares.
#[doc(hidden)]
#[must_use]
pub const fn takes_others(schema: &Schema) -> bool {
    extra_of(schema, None).is_some()
}

/// The schema of the values of such keys.
#[doc(hidden)]
#[must_use]
pub const fn extra_of(
    schema: &Schema,
    otherwise: Option<&'static Schema>,
) -> Option<&'static Schema> {
    match schema.kind {
        Kind::Map(map) => Some(map.values),
        Kind::Object(Rules {
            extra: Some(values),
            ..
        }) => Some(values),
        _ => otherwise,
    }
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
