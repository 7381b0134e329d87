//! Objects with declared fields.

use std::borrow::Cow;

use super::{
    FieldFacts, FieldValue, QuickInput, Refusal, ToolInput,
    input::{NextKey, OpenObject},
};
use crate::{
    json::{NameTable, places},
    schema::{Kind, Schema, extra_of},
};

/// The names of a schema's fields, in a table of the least of these sizes that has room for them.
macro_rules! name_table {
    ($schema:expr; $($size:literal)*) => {
        match width($schema) {
            $(0..=$size => NameTable {
                names: &names_of::<$size>($schema),
                places: &places::<{ 2 * $size }>(&names_of::<$size>($schema), width($schema)),
            },)*
            _ => panic!("a struct has at most 8192 parameters"),
        }
    };
}

/// The facts of a schema's fields, in a table of the least of these sizes that has room for them.
macro_rules! field_facts {
    ($schema:expr, $ruled:expr; $($size:literal)*) => {
        match width($schema) {
            $(0..=$size => &FieldFacts::table::<$size>($schema, $ruled),)*
            _ => &[],
        }
    };
}

/// The slots of a struct and the readers of its fields, which the derive generates.
///
/// Fields are numbered in the order of the declaration. The fields of a flattened struct take its place.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    label = "flattened here",
    note = "`flatten` takes a struct with named fields that derives `ToolInput`, or a map with string keys that collects the other parameters"
)]
pub trait QuickObject: Sized {
    /// The type that is built from the slots.
    type Out: ToolInput;
    /// One `Option` for each field.
    type Slots;

    /// The schema that names the fields; its kind is an object.
    const OBJECT: &'static Schema = <Self::Out as ToolInput>::SCHEMA;

    /// A bit for each of the first 64 fields that must be [filled](Self::fill) if it is not given. The slots of the
    /// others start with the value for an absent field.
    const FILLED: u64 = u64::MAX;

    /// A bit for each of the first 64 fields that has rules of its own. Others count as fields with rules.
    const RULED: u64 = 0;

    /// What is known of each field before reading.
    const FACTS: &'static [FieldFacts] =
        field_facts!(Self::OBJECT, Self::RULED; 4 8 16 32 64 256 1024 8192);

    /// The names of the fields, by which a key finds its number.
    const NAMES: NameTable = name_table!(Self::OBJECT; 4 8 16 32 64 256 1024 8192);

    /// The slots before reading.
    fn slots() -> Self::Slots;

    /// Reads the value of one field into its slot, if it is plain.
    fn read_quick(
        slots: &mut Self::Slots,
        field: usize,
        input: &mut QuickInput<'_>,
    ) -> Option<FieldValue>;

    /// Puts the value for an absent field into its slot.
    fn fill(slots: &mut Self::Slots, field: usize, refusal: Refusal<'_>);

    /// Reads the value of a key that no field declares, if a flattened map collects such keys.
    fn read_other(slots: &mut Self::Slots, key: &str, input: &mut QuickInput<'_>) -> Option<()> {
        let _ = (slots, key, input);
        None
    }

    /// The value, if every slot is filled.
    fn build(slots: Self::Slots, refusal: Refusal<'_>) -> Option<Self::Out>;
}

/// What is known of a field of an object before reading.
#[inline]
#[must_use]
pub fn facts<O: QuickObject>(number: usize) -> &'static FieldFacts {
    O::FACTS.get(number).unwrap_or(&FieldFacts::UNCLEAR)
}

/// The fields of an object that were given.
#[derive(Default)]
struct SeenFields {
    /// A bit for each of the first 64 fields.
    low: u64,
    /// A bit for each other field.
    high: Vec<u64>,
}

impl SeenFields {
    /// Marks a field, and returns whether it is new.
    #[inline]
    fn insert(&mut self, number: usize) -> bool {
        if number >= 64 {
            return self.insert_high(number);
        }
        let bit = 1 << number;
        let is_new = self.low & bit == 0;
        self.low |= bit;
        is_new
    }

    #[cold]
    #[inline(never)]
    fn insert_high(&mut self, number: usize) -> bool {
        let (index, bit) = (number / 64 - 1, 1 << (number % 64));
        if self.high.len() <= index {
            self.high.resize(index + 1, 0);
        }
        let Some(word) = self.high.get_mut(index) else {
            return false;
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    fn has(&self, number: usize) -> bool {
        let word = match number / 64 {
            0 => self.low,
            index => self.high.get(index - 1).copied().unwrap_or_default(),
        };
        word & (1 << (number % 64)) != 0
    }
}

/// Reads an object.
pub fn quick_object<O: QuickObject>(input: &mut QuickInput<'_>) -> Option<O::Out> {
    let mut slots = O::slots();
    let mut object = input.open_object()?;
    let mut seen = SeenFields::default();
    let mut next = 0;
    loop {
        let number = match next_field(input, &mut object, const { &O::NAMES }, next)? {
            NextField::Field(number) => number,
            NextField::Other(key) => {
                O::read_other(&mut slots, &key, input)?;
                continue;
            }
            NextField::End => break,
        };
        if !seen.insert(number) {
            return None;
        }
        if let FieldValue::Absent = O::read_quick(&mut slots, number, input)? {
            O::fill(&mut slots, number, input.refusal());
        }
        next = number + 1;
    }
    let count = const { width(O::OBJECT) };
    if const { width(O::OBJECT) <= 64 } {
        let all = if count == 64 {
            u64::MAX
        } else {
            (1 << count) - 1
        };
        let mut open = O::FILLED & all & !seen.low;
        while open != 0 {
            let number = open.trailing_zeros() as usize;
            open &= open - 1;
            O::fill(&mut slots, number, input.refusal());
        }
    } else {
        for number in 0..count {
            if !seen.has(number) {
                O::fill(&mut slots, number, input.refusal());
            }
        }
    }
    O::build(slots, input.refusal())
}

/// What comes next in an object.
enum NextField<'de> {
    Field(usize),
    /// A key that no field has.
    Other(Cow<'de, str>),
    End,
}

/// The field whose key comes next; the field `likely` is tried first. Compiled once for all objects.
#[inline(never)]
fn next_field<'de>(
    input: &mut QuickInput<'de>,
    object: &mut OpenObject,
    names: &NameTable,
    likely: usize,
) -> Option<NextField<'de>> {
    if let Some(number) = input.next_name(object, names, likely) {
        return Some(NextField::Field(number));
    }
    Some(match input.next_key(object)? {
        NextKey::Key(key) => match names.find(&key) {
            Some(number) => NextField::Field(number),
            None => NextField::Other(key),
        },
        NextKey::End => NextField::End,
    })
}

/// The names of a schema's fields, and behind them names that no key has, since a key of a text is not compared with
/// a control character.
const fn names_of<const N: usize>(schema: &'static Schema) -> [&'static str; N] {
    let mut names = ["\0"; N];
    if let Kind::Object(object) = &schema.kind {
        let mut walk = object.walk();
        let mut number = 0;
        while let Some(field) = walk.step() {
            names[number] = field.name.part();
            number += 1;
        }
    }
    names
}

/// The number of fields of a struct, with those of flattened structs.
#[must_use]
pub const fn width(schema: &Schema) -> usize {
    match &schema.kind {
        Kind::Object(object) => object.count(),
        _ => 0,
    }
}

/// Whether a flattened type takes keys that no field declares.
#[must_use]
pub const fn takes_others(schema: &'static Schema) -> bool {
    extra_of(schema, None).is_some()
}
