//! The table of an object's fields: their numbers and names, and what is known before anything is read.

use super::at::At;
use crate::{
    schema::{Field, Held, Kind, Object as Rules, Schema, Unknown, field_by_case},
    text::{initial, is_equal},
};

/// Facts about an object that are known before anything is read.
pub(crate) struct Facts<'s> {
    pub(crate) rules: &'s Rules,
    /// Nothing is flattened and a word has a bit for every field, so that the number of a field is
    /// its position.
    pub(crate) plain: bool,
    /// The bits of all fields, of a plain object.
    pub(crate) all: u64,
    /// The bits of those that something is to be done for when they are not given.
    pub(crate) due: u64,
    /// A field may be left out.
    pub(crate) has_optional: bool,
    /// A field has other names.
    pub(crate) aliases: bool,
    /// The bits of the first letters of all names: most unknown keys begin with another one.
    initials: u32,
    /// The numbers of the fields in the order of their names, unless that is the order of the declaration.
    pub(crate) sorted: &'static [u8],
}

impl<'s> Facts<'s> {
    /// The facts of an object, with the bits of those fields that are filled when they are not given.
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
        let (mut due, mut bit, mut initials) = (0, 1, 0);
        let mut fields = rules.walk();
        while let Some(field) = fields.step() {
            aliases = aliases || !field.aliases.is_empty();
            if field.required {
                due |= bit;
            } else {
                has_optional = true;
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
            plain,
            all,
            due: due | filled & all,
            has_optional,
            aliases,
            initials,
            sorted,
        }
    }

    /// The field of this number, if that is its position.
    #[inline]
    pub(crate) fn next(&self, number: usize) -> Option<&'s Field> {
        if self.plain {
            self.rules.fields.get(number)
        } else {
            None
        }
    }

    /// The names for keys that come in the order of their names.
    #[inline]
    pub(crate) fn names<'f>(&'f self) -> Names<'f, 's> {
        Names {
            facts: self,
            fields: if self.plain {
                self.rules.fields.part()
            } else {
                &[]
            },
            passed: 0,
        }
    }

    /// Whether a key begins as the name of a field does, in any case.
    #[inline]
    fn may_name(&self, key: &str) -> bool {
        self.initials & initial(key) != 0
    }

    /// The field with this name, which is looked for from a number on: most keys come in order.
    #[inline]
    pub(crate) fn find(&self, next: usize, key: &str) -> Option<(usize, &'s Field)> {
        if !self.may_name(key) {
            return None;
        }
        if !self.plain {
            return by_name(self.rules, key);
        }
        let fields = self.rules.fields.part();
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

/// The names of an object's fields in the order of the keys of a value in memory.
pub(crate) struct Names<'f, 's> {
    facts: &'f Facts<'s>,
    /// None, where the number of a field is not its position.
    fields: &'s [Field],
    /// The place behind the name that was found last.
    passed: usize,
}

impl<'s> Names<'_, 's> {
    /// The field of the next key.
    #[inline(always)]
    #[allow(clippy::inline_always)] // most of what a key costs
    pub(crate) fn find(&mut self, key: &str) -> Option<(usize, &'s Field)> {
        let number = match self.facts.sorted.get(self.passed) {
            Some(number) => usize::from(*number),
            None => self.passed,
        };
        match self.fields.get(number) {
            Some(field) if is_equal(field.name.part().as_bytes(), key.as_bytes()) => {
                self.passed += 1;
                Some((number, field))
            }
            _ if self.facts.may_name(key) => self.search(key),
            _ => None,
        }
    }

    /// Like `find`, behind fields that were not given and in any other order.
    #[inline(never)]
    fn search(&mut self, key: &str) -> Option<(usize, &'s Field)> {
        let sorted = self.facts.sorted;
        if sorted.is_empty() {
            let found = self.facts.find(self.passed, key)?;
            self.passed = found.0 + 1;
            return Some(found);
        }
        let field = |number: &u8| self.fields.get(usize::from(*number));
        let name = |number: &u8| field(number).map(|field| field.name.part());
        let place = sorted.binary_search_by_key(&Some(key), name).ok()?;
        let number = sorted.get(place)?;
        self.passed = place + 1;
        Some((usize::from(*number), field(number)?))
    }
}

/// The field with this name and its number, by the table.
#[inline(never)]
fn by_name<'s>(rules: &'s Rules, key: &str) -> Option<(usize, &'s Field)> {
    find(rules, |field| field.name == *key)
}

fn find(rules: &Rules, is_it: impl Fn(&Field) -> bool) -> Option<(usize, &Field)> {
    rules.walk().enumerate().find(|(_, field)| is_it(field))
}

/// The field that a key is another name of, where names are converted.
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

/// The field that a key is the safe name of, where a dialect refuses its own.
pub(crate) fn by_safe_name<'s>(
    rules: &'s Rules,
    key: &str,
    at: &At<'_>,
) -> Option<(usize, &'s Field)> {
    if !at.takes_lowered() {
        return None;
    }
    find(rules, |field| rules.is_safe_name_of(field, key))
}

/// The field that a key names in another case, when there is exactly one and names are converted.
pub(crate) fn by_case<'s>(facts: &Facts<'s>, key: &str, at: &At<'_>) -> Option<(usize, &'s Field)> {
    let rules = facts.rules;
    if !facts.may_name(key) || !at.converts() || rules.unknown == Unknown::Ignore {
        return None;
    }
    by_name(rules, field_by_case(rules, key)?)
}

/// How many numbers the fields of a flattened struct take.
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

/// The schema of the values of such keys.
#[doc(hidden)]
#[must_use]
pub const fn extra_of(
    schema: &'static Schema,
    otherwise: Option<&'static Schema>,
) -> Option<&'static Schema> {
    match &schema.kind {
        Kind::Map(map) => Some(map.values.part()),
        Kind::Object(Rules {
            extra: Some(values),
            ..
        }) => Some(values.part()),
        _ => otherwise,
    }
}

/// The schema of the other keys' values, as a part of the tree.
#[doc(hidden)]
#[must_use]
pub const fn extra(values: Option<&'static Schema>) -> Option<Held<Schema>> {
    match values {
        Some(values) => Some(Held::Static(values)),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, extra_of, takes_others, width};
    use crate::ToolInput;
    use crate::schema::{Field, Held, Kind, Object as Rules, Schema, Unknown};

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

    /// Every key is found whatever stands before it: in the order of names, in any other, and alone.
    #[test]
    fn a_key_in_memory_is_found_in_any_order() {
        let facts = [
            Facts::of(Mixed::SCHEMA, 0, b"\x02\x01\x03\x00"),
            // Where the order of names is not known.
            Facts::of(Mixed::SCHEMA, 0, &[]),
        ];
        let names = [("zone", 0), ("age", 1), ("_mark", 2), ("size", 3)];
        for facts in &facts {
            for (first, number) in names {
                for (second, other) in names {
                    let mut found = facts.names();
                    let mut find = |key: &str| found.find(key).map(|(number, _)| number);
                    assert_eq!(find(first), Some(number));
                    for unknown in ["", "Age", "zon", "zones", "a", "_", "other", "ä"] {
                        assert_eq!(find(unknown), None, "{unknown}");
                    }
                    assert_eq!(find(second), Some(other), "{second} behind {first}");
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
