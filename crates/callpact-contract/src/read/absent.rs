//! The fields of an object that were not given.

use super::{
    at::At,
    fields::{Facts, Fields},
    given::{Given, Rare},
    keys::{Keys, report},
    leaks::swallowed,
};
use crate::schema::Field;

/// Ends an object: handles the fields that were not given and the keys that no field takes.
#[inline]
pub(super) fn close(facts: &Facts<'_>, keys: Keys<'_>, fields: &mut dyn Fields, at: &mut At<'_>) {
    let Keys {
        given, rare, more, ..
    } = keys;
    let is_done = facts.plain && facts.due & !given.0 == 0 && !at.repairs();
    if !is_done {
        finish(facts, given, rare.as_deref(), fields, at);
    }
    if let Some(rare) = rare {
        report(rare, more, given, facts, at);
    }
}

/// Fills the optional fields that were not given, and reports the required ones.
#[inline(never)]
fn finish(
    facts: &Facts<'_>,
    given: Given,
    rare: Option<&Rare>,
    fields: &mut dyn Fields,
    at: &mut At<'_>,
) {
    if !facts.plain {
        for (number, field) in facts.rules.walk().enumerate() {
            if !rare.map_or(given.low(number), |rare| given.has(number, rare)) {
                not_given(fields, number, field, at);
            }
        }
        return;
    }
    let repairs = at.repairs();
    let mut open = if repairs { facts.all } else { facts.due } & !given.0;
    let mut place = at.place_of(at.schema());
    while open != 0 {
        let number = open.trailing_zeros() as usize;
        open &= open - 1;
        match facts.rules.fields.get(number) {
            Some(field) if !field.required && !repairs => {
                place.move_to(field);
                fields.fill(number, at.at(&place));
            }
            Some(field) => not_given(fields, number, field, at),
            None => {}
        }
    }
}

#[inline(never)]
fn not_given(fields: &mut dyn Fields, number: usize, field: &Field, at: &mut At<'_>) {
    if at.repairs() {
        swallowed(field, at);
    }
    at.field(field, |mut at| {
        if field.required {
            at.missing();
        } else {
            fields.fill(number, at);
        }
    });
}
