//! Enums with content: which variant is meant, and its content read in place.

mod adjacent;
mod external;
mod internal;
mod tag;
#[cfg(test)]
mod tests;
mod untagged;

use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer};

use super::{At, FixKind, Issue, IssueKind, at::Found, visit::visit_apart};
use crate::{
    schema::{Kind, Schema, Tagging, Union as Rules, Variant},
    text::{nearest, quoted},
};
use adjacent::Adjacent;
use external::External;
use internal::Internal;
use untagged::untagged;

/// What the derive generates for an enum with content.
#[doc(hidden)]
pub trait Union: Sized {
    /// The schema that names the variants; its kind is a union.
    const UNION: &'static Schema;

    /// Reads the content of a variant.
    fn read<'de, D: Deserializer<'de>>(
        variant: usize,
        source: D,
        at: At<'_>,
    ) -> Result<Option<Self>, D::Error>;

    /// The value of a variant without content.
    fn unit(variant: usize) -> Option<Self>;
}

// One reader for each way of telling the variants apart, of which the derive names the one: a reader for
// all of them would be compiled for every enum with what it reads an internally tagged variant from,
// which is a source of its own; and that without end where an enum holds itself.

/// Reads a union whose variants are told by their form alone.
#[doc(hidden)]
pub fn read_untagged<'de, D, U>(source: D, at: At<'_>) -> Result<Option<U>, D::Error>
where
    D: Deserializer<'de>,
    U: Union,
{
    let Kind::Union(rules) = &U::UNION.kind else {
        return Ok(None);
    };
    untagged(source, rules, at)
}

/// Reads a union whose variants are keys.
#[doc(hidden)]
pub fn read_external<'de, D, U>(source: D, at: At<'_>) -> Result<Option<U>, D::Error>
where
    D: Deserializer<'de>,
    U: Union,
{
    let Kind::Union(rules) = &U::UNION.kind else {
        return Ok(None);
    };
    visit_apart(source, External::<U>(rules, PhantomData), at)
}

/// Reads a union whose tag stands among the fields.
#[doc(hidden)]
pub fn read_internal<'de, D, U>(source: D, at: At<'_>) -> Result<Option<U>, D::Error>
where
    D: Deserializer<'de>,
    U: Union,
{
    let Kind::Union(rules) = &U::UNION.kind else {
        return Ok(None);
    };
    let Tagging::Internal { tag } = &rules.tagging else {
        return Ok(None);
    };
    visit_apart(source, Internal::<U>(rules, tag.part(), PhantomData), at)
}

/// Reads a union whose tag and content have a key each.
#[doc(hidden)]
pub fn read_adjacent<'de, D, U>(source: D, at: At<'_>) -> Result<Option<U>, D::Error>
where
    D: Deserializer<'de>,
    U: Union,
{
    let Kind::Union(rules) = &U::UNION.kind else {
        return Ok(None);
    };
    let Tagging::Adjacent { tag, content } = &rules.tagging else {
        return Ok(None);
    };
    let take = Adjacent::<U> {
        rules,
        tag: tag.part(),
        content: content.part(),
        union: PhantomData,
    };
    visit_apart(source, take, at)
}

/// Finds a variant by its name; an alias counts where values are converted.
fn find(name: &str, rules: &'static Rules, at: &mut At<'_>) -> Option<(usize, &'static Variant)> {
    let found = rules
        .variants
        .iter()
        .enumerate()
        .find(|(_, variant)| variant.name == name);
    if found.is_some() || !at.converts() {
        return found;
    }
    let found = rules
        .variants
        .iter()
        .enumerate()
        .find(|(_, v)| v.aliases.contains(&name));
    if let Some((_, variant)) = found {
        at.fixed(
            FixKind::Alias,
            &Found::Text(name),
            quoted(variant.name.part()),
        );
        return found;
    }
    let near = super::meant::variant_by_case(name, rules.variants.part(), at)?;
    rules
        .variants
        .iter()
        .enumerate()
        .find(|(_, variant)| variant.name == near)
}

#[cold]
fn no_such(name: &str, rules: &'static Rules, words: String, at: &mut At<'_>) {
    let secret = at.secret();
    let mut issue = Issue::new(
        at.path(),
        IssueKind::NotAChoice,
        words,
        Found::Text(name).words(secret),
    );
    issue.hint = nearest(
        name,
        rules.variants.iter().map(|variant| variant.name.part()),
    )
    .filter(|_| !secret)
    .map(|name| format!("did you mean {}?", quoted(name)));
    at.state().push(issue);
}

fn names(rules: &Rules) -> String {
    let names: Vec<String> = rules
        .variants
        .iter()
        .take(12)
        .map(|v| quoted(v.name.part()))
        .collect();
    let more = rules.variants.len().saturating_sub(12);
    match (names.len(), more) {
        (1, 0) => names.concat(),
        (_, 0) => format!("one of {}", names.join(", ")),
        (_, more) => format!("one of {} and {more} more", names.join(", ")),
    }
}

/// The content of one variant, as a seed.
struct Content<'a, U> {
    variant: usize,
    at: At<'a>,
    union: PhantomData<U>,
}

impl<'a, U> Content<'a, U> {
    fn new(variant: usize, at: At<'a>) -> Self {
        Self {
            variant,
            at,
            union: PhantomData,
        }
    }
}

impl<'de, U: Union> DeserializeSeed<'de> for Content<'_, U> {
    type Value = Option<U>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Option<U>, D::Error> {
        U::read(self.variant, source, self.at)
    }
}
