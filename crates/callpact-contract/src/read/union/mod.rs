//! Enums with content: finds the meant variant and reads its content in place.

mod adjacent;
mod external;
mod forms;
mod internal;
mod pick;
mod tag;
#[cfg(test)]
mod tests;
mod untagged;
mod variants;

use std::mem;

use super::{at::At, input::Input};
use crate::schema::{Kind, Schema, Tagging, Union as Rules};
use adjacent::read_adjacent;
use external::read_external;
use internal::read_internal;
use untagged::read_untagged;
pub(super) use variants::Variants;

/// The readers of an enum with content, which the derive generates.
#[doc(hidden)]
pub trait Union: Sized {
    /// The schema that names the variants; its kind is a union.
    const UNION: &'static Schema;

    /// Reads the content of a variant.
    fn read(variant: usize, input: &mut Input<'_>, at: At<'_>) -> Option<Self>;

    /// The value of a variant without content.
    fn unit(variant: usize) -> Option<Self>;
}

/// Reads an enum with content.
#[doc(hidden)]
pub fn read_union<U: Union>(input: &mut Input<'_>, at: At<'_>) -> Option<U> {
    let Kind::Union(rules) = &U::UNION.kind else {
        return None;
    };
    let mut value = None;
    let mut variants = VariantsOf::<U> {
        value: &mut value,
        kept: None,
    };
    let read = const {
        match &U::UNION.kind {
            Kind::Union(rules) => reader_of(&rules.tagging),
            _ => read_variants,
        }
    };
    let mut read = |at: At<'_>| read(input, rules, &mut variants, at);
    // Inside its own type, the schema of the place is only a stand-in for the union.
    let is_there = match &at.schema().kind {
        Kind::Union(_) => read(at),
        _ => at.under(U::UNION, read),
    };
    if !is_there {
        value = None;
    }
    value
}

/// Reads a union into a place for its value, and returns whether there is one.
type Reader = fn(&mut Input<'_>, &Rules, &mut dyn Variants, At<'_>) -> bool;

const fn reader_of(tagging: &Tagging) -> Reader {
    match tagging {
        Tagging::External => read_external,
        Tagging::Internal { .. } => read_internal,
        Tagging::Adjacent { .. } => read_adjacent,
        Tagging::None => read_untagged,
    }
}

/// Reads a union into a place for its value, and returns whether there is one.
pub(super) fn read_variants(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    reader_of(&rules.tagging)(input, rules, variants, at)
}

struct VariantsOf<'a, U> {
    value: &'a mut Option<U>,
    kept: Option<Box<U>>,
}

impl<U: Union> Variants for VariantsOf<'_, U> {
    fn read(&mut self, variant: usize, input: &mut Input<'_>, at: At<'_>) -> bool {
        *self.value = U::read(variant, input, at);
        self.value.is_some()
    }

    fn unit(&mut self, variant: usize) -> bool {
        *self.value = U::unit(variant);
        self.value.is_some()
    }

    fn swap(&mut self) {
        let kept = self.kept.take().map(|kept| *kept);
        self.kept = mem::replace(self.value, kept).map(Box::new);
    }
}
