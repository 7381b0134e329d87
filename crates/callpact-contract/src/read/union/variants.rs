//! The variants of an enum, by number. The readers of unions see only these, so that they are compiled once.

use std::borrow::Cow;

use super::super::{at::At, found::Found, input::Input, meant::variant_by_case};
use crate::{
    report::{FixKind, Issue, IssueKind},
    schema::{Union as Rules, Variant},
    text::{is_equal, quoted},
};

/// A place for the value of a union.
pub(in super::super) trait Variants {
    /// Reads the content of a variant into the place, and returns whether there is a value.
    fn read(&mut self, variant: usize, input: &mut Input<'_>, at: At<'_>) -> bool;
    /// Puts the value of a variant without content into the place.
    fn unit(&mut self, variant: usize) -> bool;
    /// Swaps the value with the kept one, so that another variant can be tried.
    fn swap(&mut self);
    /// Whether the value equals the kept one, so that either variant can be taken.
    fn are_same(&self) -> bool {
        false
    }
}

/// A variant, and the fix if it was found by another name.
pub(super) struct Named<'s> {
    pub(super) index: usize,
    pub(super) variant: &'s Variant,
    fix: Option<FixKind>,
}

/// Finds a variant by its name, by an alias if values are converted, or by its name in another case if they are
/// repaired. Notes nothing.
pub(super) fn find<'s>(name: &str, rules: &'s Rules, at: &At<'_>) -> Option<Named<'s>> {
    if let Some((index, variant)) = find_exact(name.as_bytes(), rules) {
        return Some(Named {
            index,
            variant,
            fix: None,
        });
    }
    find_other(name, rules, at)
}

/// The variant with this name, and its number.
#[inline]
pub(super) fn find_exact<'s>(name: &[u8], rules: &'s Rules) -> Option<(usize, &'s Variant)> {
    let mut variants = rules.variants.iter().enumerate();
    variants.find(|(_, variant)| is_equal(variant.name.part().as_bytes(), name))
}

/// Finds a variant by a name that is not its own.
#[cold]
fn find_other<'s>(name: &str, rules: &'s Rules, at: &At<'_>) -> Option<Named<'s>> {
    let by = |fix, is_it: &dyn Fn(&Variant) -> bool| {
        let index = rules.variants.iter().position(is_it)?;
        let variant = rules.variants.get(index)?;
        Some(Named {
            index,
            variant,
            fix: Some(fix),
        })
    };
    if !at.converts() {
        return None;
    }
    let is_alias = |variant: &Variant| variant.aliases.contains(&name);
    if let Some(found) = by(FixKind::Alias, &is_alias) {
        return Some(found);
    }
    if !at.repairs() {
        return None;
    }
    let near = variant_by_case(name, rules.variants.part())?;
    by(FixKind::ChoiceCase, &|variant| variant.name == *near)
}

/// Like `find`, and notes a name that is not the variant's own.
pub(super) fn find_noted<'s>(name: &str, rules: &'s Rules, at: &mut At<'_>) -> Option<Named<'s>> {
    let found = find(name, rules, at)?;
    if let Some(fix) = found.fix {
        at.fixed(fix, &Found::Text(name), quoted(found.variant.name.part()));
    }
    Some(found)
}

#[cold]
pub(super) fn report_no_such(name: &str, words: Cow<'static, str>, at: &mut At<'_>) {
    let secret = at.secret();
    let found = Found::Text(name).words(secret);
    let issue = Issue::new(at.path(), IssueKind::NotAChoice, words, found);
    at.state().push(issue);
}

/// The names of the variants in words.
pub(super) fn names(rules: &Rules) -> String {
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
