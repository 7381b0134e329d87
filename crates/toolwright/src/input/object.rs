//! Objects with declared fields: the loop over the keys that every derived struct shares.

use std::{collections::BTreeSet, fmt, marker::PhantomData};

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
    visit(source, TakeObject::<O>(PhantomData), at)
}

struct TakeObject<O>(PhantomData<O>);

/// What is known of an object before anything is read.
struct Facts<O>(PhantomData<O>);

impl<O: Object> Facts<O> {
    const RULES: &'static Rules = match &O::OBJECT.kind {
        Kind::Object(rules) => rules,
        _ => &Rules {
            fields: &[],
            unknown: Unknown::Report,
            extra: None,
        },
    };
    const COUNT: usize = count(Self::RULES.fields);
    /// Whether position and number of a field are the same.
    const PLAIN: bool = {
        let fields = Self::RULES.fields;
        let mut i = 0;
        while i < fields.len() && !fields[i].flatten {
            i += 1;
        }
        i == fields.len()
    };
    /// Whether a word has a bit for every field.
    const SMALL: bool = Self::COUNT <= 64;
    /// The bits of all fields.
    const ALL: u64 = if Self::COUNT >= 64 {
        u64::MAX
    } else {
        (1 << Self::COUNT) - 1
    };

    /// The field of a number.
    #[inline]
    fn field(number: usize) -> Option<&'static Field> {
        if Self::PLAIN {
            return Self::RULES.fields.get(number);
        }
        numbered(Self::RULES.fields, &mut { number })
    }
}

/// The field of a number, where structs are flattened.
fn numbered(fields: &'static [Field], number: &mut usize) -> Option<&'static Field> {
    for field in fields {
        match field.schema.kind {
            Kind::Object(inner) if field.flatten => {
                let found = numbered(inner.fields, number);
                if found.is_some() {
                    return found;
                }
            }
            Kind::Map(_) if field.flatten => {}
            _ if *number == 0 => return Some(field),
            _ => *number -= 1,
        }
    }
    None
}

impl<'de, O: Object> Take<'de> for TakeObject<O> {
    type Out = O::Out;

    #[inline]
    fn object<A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<O::Out>, A::Error> {
        let mut slots = O::slots();
        let mut keys = Keys::new(at.converts());
        // One place for all fields, moved on from key to key.
        let mut place = at.place();
        while let Some(key) = map.next_key_seed(KeySeed::<O>(&mut keys, PhantomData))? {
            let (number, field) = match Facts::<O>::field(key) {
                Some(field) => (key, field),
                None if key == ALIAS => match alias::<O>(&mut keys, &mut at) {
                    Some(field) => (keys.next, field),
                    None => continue,
                },
                None => {
                    other::<O, A>(&mut keys, &mut slots, &mut map, &mut at)?;
                    continue;
                }
            };
            if keys.seen.insert(number) {
                at.field(field, duplicate);
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            keys.next = number + 1;
            place.move_to(field);
            read_field::<O, A>(&mut slots, number, &mut map, at.at(&place))?;
        }
        if Facts::<O>::PLAIN && Facts::<O>::SMALL {
            let mut open = Facts::<O>::ALL & !keys.seen.low;
            while open != 0 {
                let number = open.trailing_zeros() as usize;
                open &= open - 1;
                if let Some(field) = Facts::<O>::RULES.fields.get(number) {
                    not_given::<O>(&mut slots, number, field, &keys, &mut at);
                }
            }
        } else {
            finish::<O>(&mut slots, Facts::<O>::RULES.fields, &mut 0, &keys, &mut at);
        }
        if let Some(rare) = &keys.rare {
            rare.report(Facts::<O>::RULES, &mut at);
        }
        Ok(O::build(slots, at))
    }
}

/// The field that an alias stands for.
#[cold]
#[inline(never)]
fn alias<O: Object>(keys: &mut Keys, at: &mut At<'_>) -> Option<&'static Field> {
    let field = Facts::<O>::field(keys.next)?;
    if !keys.seen.has(keys.next) {
        let text = std::mem::take(&mut keys.rare().text);
        at.field(field, |mut at| {
            at.fixed(FixKind::Alias, &Found::Text(&text), quoted(field.name));
        });
    }
    Some(field)
}

/// A key that no field declares.
#[cold]
#[inline(never)]
fn other<'de, O: Object, A: MapAccess<'de>>(
    keys: &mut Keys,
    slots: &mut O::Slots,
    map: &mut A,
    at: &mut At<'_>,
) -> Result<(), A::Error> {
    let text = std::mem::take(&mut keys.rare().text);
    let Some(schema) = Facts::<O>::RULES.extra else {
        if let Some((number, field)) = by_case::<O>(&text, at) {
            if keys.seen.insert(number) {
                at.field(field, |at| given_twice(&text, field, at));
                return skip_value(map);
            }
            return at.field(field, |mut at| {
                at.fixed(FixKind::KeyCase, &Found::Text(&text), quoted(field.name));
                read_field::<O, A>(slots, number, map, at)
            });
        }
        skip_value(map)?;
        keys.rare().unknown(text);
        return Ok(());
    };
    if !keys.rare().others.insert(text.clone()) {
        at.below(Way::Key(&text), schema, duplicate);
        return skip_value(map);
    }
    at.below(Way::Key(&text), schema, |mut at| {
        O::read_other(slots, &text, map, at.reborrow()).inspect_err(|_| at.note_broken())
    })
}

#[inline]
fn read_field<'de, O: Object, A: MapAccess<'de>>(
    slots: &mut O::Slots,
    number: usize,
    map: &mut A,
    mut at: At<'_>,
) -> Result<(), A::Error> {
    O::read(slots, number, map, at.reborrow()).inspect_err(|_| at.note_broken())?;
    if at.state().absent {
        at.state().absent = false;
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
                    not_given::<O>(slots, *number, field, keys, at);
                }
                *number += 1;
            }
        }
    }
}

fn not_given<O: Object>(
    slots: &mut O::Slots,
    number: usize,
    field: &'static Field,
    keys: &Keys,
    at: &mut At<'_>,
) {
    if at.repairs() {
        super::repair::swallowed(field, at);
    }
    at.field(field, |at| {
        if field.required {
            let strangers = keys.rare.as_ref().map_or(&[][..], |rare| &rare.strangers);
            missing(field, strangers, at);
        } else {
            O::fill(slots, number, at);
        }
    });
}

#[cold]
fn duplicate(mut at: At<'_>) {
    at.issue(IssueKind::DuplicateKey, "once", "more than once");
}

/// The field that a key names in another case, when there is exactly one and case is mended.
fn by_case<O: Object>(key: &str, at: &At<'_>) -> Option<(usize, &'static Field)> {
    if !at.repairs() {
        return None;
    }
    let rules = Facts::<O>::RULES;
    let name = super::repair::field_by_case(rules, key)?;
    let number = find(rules.fields, &mut 0, &|field| field.name == name)?;
    Some((number, Facts::<O>::field(number)?))
}

#[cold]
fn given_twice(key: &str, field: &Field, mut at: At<'_>) {
    let names = format!("`{}` and `{}`", cut(key, 64), field.name);
    at.issue(IssueKind::DuplicateKey, "once", names);
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
#[derive(Default)]
struct Seen {
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Marks a field; whether it was marked before.
    #[inline]
    fn insert(&mut self, number: usize) -> bool {
        if number >= 64 {
            return self.insert_high(number);
        }
        let bit = 1u64 << number;
        let before = self.low & bit != 0;
        self.low |= bit;
        before
    }

    #[cold]
    fn insert_high(&mut self, number: usize) -> bool {
        let (index, bit) = (number / 64 - 1, 1u64 << (number % 64));
        if self.high.len() <= index {
            self.high.resize(index + 1, 0);
        }
        let Some(word) = self.high.get_mut(index) else {
            return false;
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
    converts: bool,
    /// The number of the field after the last one, since models mostly keep the order of the
    /// schema; or of the field that an alias stands for.
    next: usize,
    seen: Seen,
    /// What most objects never need.
    rare: Option<Box<Rare>>,
}

/// The keys that are no field's name.
#[derive(Default)]
struct Rare {
    /// The key that was just read.
    text: String,
    /// Keys that a flattened map took.
    others: BTreeSet<String>,
    /// Keys that nothing takes.
    strangers: Vec<String>,
    more_strangers: usize,
}

/// How many unknown keys of one object are remembered.
const STRANGERS: usize = 16;

impl Keys {
    fn new(converts: bool) -> Self {
        Self {
            converts,
            next: 0,
            seen: Seen::default(),
            rare: None,
        }
    }

    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }
}

impl Rare {
    fn unknown(&mut self, key: String) {
        if self.strangers.len() < STRANGERS {
            self.strangers.push(key);
        } else {
            self.more_strangers += 1;
        }
    }

    #[cold]
    fn report(&self, rules: &'static Rules, at: &mut At<'_>) {
        if !self.strangers.is_empty() {
            at.state().repair.strangers = true;
        }
        if self.strangers.is_empty() || rules.unknown == Unknown::Ignore {
            return;
        }
        for key in &self.strangers {
            let path = at.path().join(Step::Key(key.clone()));
            if rules.unknown == Unknown::Report {
                let (from, to) = (quoted(key), "absent".to_owned());
                at.push_fix(Fix {
                    path,
                    kind: FixKind::UnknownDropped,
                    from,
                    to,
                });
                continue;
            }
            at.state().push(unknown_key(path, key, &at_names(rules)));
        }
        if rules.unknown == Unknown::Deny {
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

/// What a key turned out to be: the number of a field, or one of the two below.
type Key = usize;

/// A field by another name; its number is in [`Keys::next`].
const ALIAS: Key = usize::MAX;
/// No field.
const UNKNOWN: Key = usize::MAX - 1;

struct KeySeed<'a, O>(&'a mut Keys, PhantomData<O>);

impl<'de, O: Object> DeserializeSeed<'de> for KeySeed<'_, O> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Key, D::Error> {
        source.deserialize_str(self)
    }
}

impl<O: Object> Visitor<'_> for KeySeed<'_, O> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    #[inline]
    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        let Self(keys, _) = self;
        let fields = Facts::<O>::RULES.fields;
        if Facts::<O>::PLAIN
            && let Some(field) = fields.get(keys.next)
            && same(field.name, key)
        {
            return Ok(keys.next);
        }
        Ok(keys.search(fields, key))
    }
}

/// Equality of short texts without a call.
#[inline]
fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    while let (Some((x, more_a)), Some((y, more_b))) =
        (a.split_first_chunk(), b.split_first_chunk())
    {
        if u64::from_ne_bytes(*x) != u64::from_ne_bytes(*y) {
            return false;
        }
        (a, b) = (more_a, more_b);
    }
    if let (Some((x, more_a)), Some((y, more_b))) = (a.split_first_chunk(), b.split_first_chunk()) {
        if u32::from_ne_bytes(*x) != u32::from_ne_bytes(*y) {
            return false;
        }
        (a, b) = (more_a, more_b);
    }
    a.iter().zip(b).all(|(x, y)| x == y)
}

impl Keys {
    #[inline(never)]
    fn search(&mut self, fields: &'static [Field], key: &str) -> Key {
        if let Some(number) = find(fields, &mut 0, &|field| field.name == key) {
            return number;
        }
        key.clone_into(&mut self.rare().text);
        if self.converts
            && let Some(number) = find(fields, &mut 0, &|field| field.aliases.contains(&key))
        {
            self.next = number;
            return ALIAS;
        }
        UNKNOWN
    }
}

fn find(
    fields: &'static [Field],
    number: &mut usize,
    is: &dyn Fn(&Field) -> bool,
) -> Option<usize> {
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
                    return Some(*number);
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
