//! Enums with content: which variant is meant, and its content read in place.

mod adjacent;
mod external;
mod internal;
mod tag;
#[cfg(test)]
mod tests;
mod untagged;
mod variants;

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
    let mut variants = VariantsOf::<U> {
        value: None,
        kept: None,
    };
    let mut read = |at: At<'_>| read_variants(input, rules, &mut variants, at);
    // Inside of itself the place says no more than that the form is the same again.
    let is_there = match &at.schema().kind {
        Kind::Union(_) => read(at),
        _ => at.under(U::UNION, read),
    };
    is_there.then_some(variants.value).flatten()
}

/// Reads a union into a place for its value; whether there is one.
pub(super) fn read_variants(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    match &rules.tagging {
        Tagging::External => read_external(input, rules, variants, at),
        Tagging::Internal { tag } => read_internal(input, rules, tag.part(), variants, at),
        Tagging::Adjacent { tag, content } => {
            read_adjacent(input, rules, (tag.part(), content.part()), variants, at)
        }
        Tagging::None => read_untagged(input, rules, variants, at),
    }
}

struct VariantsOf<U> {
    value: Option<U>,
    kept: Option<U>,
}

impl<U: Union> Variants for VariantsOf<U> {
    fn read(&mut self, variant: usize, input: &mut Input<'_>, at: At<'_>) -> bool {
        self.value = U::read(variant, input, at);
        self.value.is_some()
    }

    fn unit(&mut self, variant: usize) -> bool {
        self.value = U::unit(variant);
        self.value.is_some()
    }

    fn swap(&mut self) {
        std::mem::swap(&mut self.value, &mut self.kept);
    }
}
