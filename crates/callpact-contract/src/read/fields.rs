//! The fields of an object: their slots, and a table of their numbers and names, which is made before reading.

use super::{at::At, given::Given, input::Input};
use crate::{
    schema::{Field, Held, Kind, Object as Rules, Schema, Unknown, extra_of, field_by_case},
    text::{initial, is_equal},
};

/// The slots of an object. The loop over keys sees only this trait, so that one loop serves all objects: the code for
/// each object decides how long a program builds.
pub(super) trait Fields {
    /// Reads the value of a field into its slot.
    fn read(&mut self, field: usize, input: &mut Input<'_>, at: At<'_>);
    /// Puts the value for an absent field into its slot.
    fn fill(&mut self, field: usize, at: At<'_>);
    /// Reads the value of a key that is not a field into the map that collects such keys.
    fn read_other(&mut self, key: &str, input: &mut Input<'_>, at: At<'_>);
}

/// Facts about an object that are known before reading.
#[allow(clippy::struct_excessive_bools)] // each says one thing alone
pub(crate) struct Facts<'s> {
    pub(crate) rules: &'s Rules,
    /// The fields of a plain object.
    pub(crate) fields: &'s [Field],
    /// Whether nothing is flattened and a word has a bit for every field, so that the number of a field is its
    /// position.
    pub(crate) plain: bool,
    /// The bits of all fields, of a plain object.
    pub(crate) all: u64,
    /// The bits of the fields that are filled or reported if they are not given.
    pub(crate) due: u64,
    /// The bits of the optional fields of a plain object whose kind alone decides that null means absent.
    pub(crate) nulls: u64,
    /// Whether a field may be left out.
    pub(crate) has_optional: bool,
    /// Whether a field has aliases.
    pub(crate) aliases: bool,
    /// Whether a key is unknown if no name begins with its first letter.
    drops: bool,
    /// The bits of the first letters of all names. Most unknown keys begin with another letter.
    initials: u32,
    /// The numbers of the fields of a plain object in the order of their names.
    sorted: &'static [u8],
    /// Whether `sorted` is the order of the declaration. It is assumed to be if no other order was given.
    declares_sorted: bool,
}

/// The numbers of fields that are declared in the order of their names.
const DECLARED: &[u8; 64] = &{
    let mut numbers = [0; 64];
    let mut number = 0_u8;
    while number < 64 {
        numbers[number as usize] = number;
        number += 1;
    }
    numbers
};

impl<'s> Facts<'s> {
    /// The facts of an object. `filled` has the bits of the fields that are filled if they are not given. `sorted` has
    /// the numbers of the fields in the order of their names, and is empty if that is the order of the declaration.
    pub(crate) const fn of(schema: &'s Schema, filled: u64, sorted: &'static [u8]) -> Self {
        let rules = match &schema.kind {
            Kind::Object(rules) => rules,
            _ => &Rules {
                fields: Held::Static(&[]),
                unknown: Unknown::Report,
                extra: None,
            },
        };
        let count = rules.count();
        let (mut aliases, mut has_optional) = (false, false);
        let (mut due, mut nulls, mut bit, mut initials) = (0, 0, 1, 0);
        let mut fields = rules.walk();
        while let Some(field) = fields.step() {
            aliases = aliases || !field.aliases.is_empty();
            if field.required {
                due |= bit;
            } else {
                has_optional = true;
                if null_is_absent(field.schema.part()) {
                    nulls |= bit;
                }
            }
            bit <<= 1;
            initials |= initial(field.name.part());
        }
        let plain = count <= 64 && !rules.is_nested();
        let all = if count >= 64 {
            u64::MAX
        } else {
            (1 << count) - 1
        };
        Self {
            rules,
            fields: if plain { rules.fields.part() } else { &[] },
            plain,
            all,
            due: due | filled & all,
            nulls: if plain { nulls } else { 0 },
            has_optional,
            aliases,
            drops: !aliases && rules.extra.is_none() && !matches!(rules.unknown, Unknown::Keep),
            initials,
            sorted: if !plain {
                &[]
            } else if sorted.is_empty() {
                DECLARED.split_at(count).0
            } else {
                sorted
            },
            declares_sorted: sorted.is_empty(),
        }
    }

    /// The field with this number, in a plain object.
    #[inline]
    pub(crate) fn next(&self, number: usize) -> Option<&'s Field> {
        self.fields.get(number)
    }

    /// Whether null at this field means that the field is absent.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // no bit is set where a number is beyond 64
    pub(crate) fn takes_null(&self, number: usize) -> bool {
        self.nulls & 1_u64.wrapping_shl(number as u32) != 0
    }

    /// Whether an absent optional field must be filled.
    #[inline]
    pub(crate) fn fills(&self, number: usize) -> bool {
        !self.plain || self.due & (1 << number) != 0
    }

    /// The field at this place in the order of the names, which is the order of the keys in memory. `None` if the
    /// object is not plain.
    #[inline]
    pub(crate) fn in_order(&self, place: usize) -> Option<(usize, &'s Field)> {
        let number = usize::from(*self.sorted.get(place)?);
        Some((number, self.next(number)?))
    }

    /// The numbers of the fields in the order of their names; empty if the object is not plain.
    #[inline]
    pub(super) fn in_order_of_names(&self) -> &'static [u8] {
        self.sorted
    }

    /// The fields before this place in the order of the names.
    #[inline]
    pub(super) fn given_in_order(&self, place: usize) -> Given {
        if self.declares_sorted {
            return Given::first(place);
        }
        let before = self.sorted.get(..place).unwrap_or_default();
        Given(before.iter().fold(0, |all, number| all | 1 << number))
    }

    /// Whether the field with this number is at this place in the order of the names, and that order is not the order
    /// of the declaration.
    #[inline]
    pub(crate) fn is_in_order(&self, place: usize, number: usize) -> bool {
        !self.declares_sorted && self.stands_at(place, number)
    }

    /// Whether the field with this number is at this place in the order of the names.
    #[inline]
    pub(crate) fn stands_at(&self, place: usize, number: usize) -> bool {
        let there = self.sorted.get(place);
        there.is_some_and(|there| usize::from(*there) == number)
    }

    /// The place behind the field with this number in the order of the names. The search begins at `place`.
    #[inline]
    pub(crate) fn place_behind(&self, place: usize, number: usize) -> usize {
        if self.stands_at(number, number) {
            return number + 1;
        }
        let behind = self.sorted.get(place..).unwrap_or_default();
        let step = behind
            .iter()
            .position(|there| usize::from(*there) == number);
        // The field comes later, unless the map keeps another order.
        step.map_or(place, |step| place + step + 1)
    }

    /// Whether the name of a field begins with the first letter of a key, in either case.
    #[inline]
    pub(crate) fn may_name(&self, key: &str) -> bool {
        self.initials & initial(key) != 0
    }

    /// Whether the first letter of a key shows that no field takes it.
    #[inline]
    pub(crate) fn is_stranger(&self, key: &str) -> bool {
        self.drops && !self.may_name(key)
    }

    /// The field with this name. The search begins at a number, since most keys come in order.
    #[inline]
    pub(crate) fn find(&self, next: usize, key: &str) -> Option<(usize, &'s Field)> {
        if !self.may_name(key) {
            return None;
        }
        if !self.plain {
            return by_name(self.rules, key);
        }
        let fields = self.fields;
        let is_it = |field: &Field| is_equal(field.name.part().as_bytes(), key.as_bytes());
        let found = fields
            .get(next..)
            .unwrap_or_default()
            .iter()
            .position(is_it);
        let number = match found {
            Some(found) => next + found,
            None => fields
                .get(..next)
                .unwrap_or(fields)
                .iter()
                .position(is_it)?,
        };
        Some((number, fields.get(number)?))
    }
}

/// Whether null means an absent value for every type of this kind, so that no reader has to look at it.
const fn null_is_absent(schema: &Schema) -> bool {
    let is_plain = match &schema.kind {
        Kind::Boolean
        | Kind::Integer(_)
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Map(_)
        | Kind::Object(_) => true,
        Kind::Any | Kind::Tuple(_) | Kind::Union(_) => false,
    };
    is_plain && !schema.nullable && schema.mark == 0
}

/// The field with this name and its number, by the table.
#[inline(never)]
fn by_name<'s>(rules: &'s Rules, key: &str) -> Option<(usize, &'s Field)> {
    find(rules, |field| field.name == *key)
}

fn find(rules: &Rules, is_it: impl Fn(&Field) -> bool) -> Option<(usize, &Field)> {
    rules.walk().enumerate().find(|(_, field)| is_it(field))
}

/// The field that has this key as an alias, if names are converted.
pub(crate) fn by_alias<'s>(
    facts: &Facts<'s>,
    key: &str,
    at: &At<'_>,
) -> Option<(usize, &'s Field)> {
    if !facts.aliases || !at.converts() {
        return None;
    }
    find(facts.rules, |field| field.aliases.contains(&key))
}

/// The field that has this key as its safe name, for dialects that refuse its own name.
pub(crate) fn by_safe_name<'s>(
    facts: &Facts<'s>,
    key: &str,
    at: &At<'_>,
) -> Option<(usize, &'s Field)> {
    if !facts.may_name(key) || !at.takes_lowered() {
        return None;
    }
    let rules = facts.rules;
    find(rules, |field| rules.is_safe_name_of(field, key))
}

/// The only field that this key names in another case, if names are converted.
pub(crate) fn by_case<'s>(facts: &Facts<'s>, key: &str, at: &At<'_>) -> Option<(usize, &'s Field)> {
    let rules = facts.rules;
    if !facts.may_name(key) || !at.converts() || rules.unknown == Unknown::Ignore {
        return None;
    }
    by_name(rules, field_by_case(rules, key)?)
}

/// The number of fields of a flattened struct.
#[doc(hidden)]
#[must_use]
pub const fn width(schema: &Schema) -> usize {
    match &schema.kind {
        Kind::Object(object) => object.count(),
        _ => 0,
    }
}

/// Whether a flattened type takes keys that no field declares.
#[doc(hidden)]
#[must_use]
pub const fn takes_others(schema: &'static Schema) -> bool {
    extra_of(schema, None).is_some()
}

#[cfg(test)]
mod tests {
    use super::{Facts, takes_others, width};
    use crate::ToolInput;
    use crate::schema::{Field, Held, Kind, Object as Rules, Schema, Unknown, extra_of};

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Point {
        x: u8,
    }

    #[test]
    fn the_facts_of_an_object_are_those_of_its_fields() {
        const ANY: &Schema = &Schema::of(Kind::Any);
        let facts = |count: usize, flattened: Option<usize>| {
            let field = |number| Field {
                name: Held::Static("a"),
                aliases: &[],
                schema: Held::Static(if flattened == Some(number) {
                    Point::SCHEMA
                } else {
                    ANY
                }),
                required: true,
                keep_empty: false,
                flatten: flattened == Some(number),
            };
            let rules = Rules {
                fields: (0..count).map(field).collect::<Vec<_>>().into(),
                unknown: Unknown::Report,
                extra: None,
            };
            let facts = Facts::of(Box::leak(Box::new(Schema::of(Kind::Object(rules)))), 0, &[]);
            assert_eq!(facts.rules.fields.len(), count);
            assert_eq!(facts.due, facts.all);
            (facts.plain, facts.all)
        };
        for (count, all) in [(0, 0), (1, 1), (3, 7), (63, u64::MAX >> 1), (64, u64::MAX)] {
            assert_eq!(facts(count, None), (true, all), "{count}");
        }
        assert!(!facts(65, None).0);
        for flattened in 0..3 {
            assert!(!facts(3, Some(flattened)).0);
        }
        let none = Facts::of(ANY, 0, &[]);
        assert_eq!((none.rules.fields.len(), none.all), (0, 0));
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Mixed {
        zone: u8,
        age: Option<u8>,
        _mark: Option<u8>,
        size: u8,
    }

    /// Every key is found whatever comes before it: in the order of the names, in any other order, and alone.
    #[test]
    fn a_key_in_memory_is_found_in_any_order() {
        let facts = [
            Facts::of(Mixed::SCHEMA, 0, b"\x02\x01\x03\x00"),
            // The order of the names is not known.
            Facts::of(Mixed::SCHEMA, 0, &[]),
        ];
        let names = [("zone", 0), ("age", 1), ("_mark", 2), ("size", 3)];
        for facts in &facts {
            for (first, number) in names {
                for (second, other) in names {
                    let find = |place: usize, key: &str| {
                        let (number, field) = facts.find(0, key)?;
                        assert_eq!(field.name.part(), key);
                        Some((number, facts.place_behind(place, number)))
                    };
                    let (found, next) = find(0, first).expect("it is a field");
                    assert_eq!(found, number);
                    let before = facts.in_order(next - 1).expect("a place");
                    assert_eq!(before.0, number);
                    for unknown in ["", "Age", "zon", "zones", "a", "_", "other", "ä"] {
                        assert_eq!(find(next, unknown), None, "{unknown}");
                    }
                    let (found, _) = find(next, second).expect("it is a field");
                    assert_eq!(found, other, "{second} behind {first}");
                }
            }
        }
    }

    #[derive(ToolInput)]
    #[allow(dead_code)] // a declaration
    struct Open {
        x: u8,
        #[tool_param(flatten)]
        others: std::collections::BTreeMap<String, bool>,
    }

    #[test]
    fn a_flattened_type_says_how_many_fields_it_takes_and_what_else() {
        type Map = std::collections::BTreeMap<String, u8>;
        let widths = [Point::SCHEMA, Open::SCHEMA, Map::SCHEMA].map(width);
        assert_eq!(widths, [1, 1, 0]);
        let others = [Point::SCHEMA, Open::SCHEMA, Map::SCHEMA].map(takes_others);
        assert_eq!(others, [false, true, true]);
        let kind = |schema| extra_of(schema, Some(Point::SCHEMA)).map(|schema| &schema.kind);
        assert!(matches!(kind(Point::SCHEMA), Some(Kind::Object(_))));
        assert!(matches!(kind(Open::SCHEMA), Some(Kind::Boolean)));
        assert!(matches!(kind(Map::SCHEMA), Some(Kind::Integer(_))));
    }
}
