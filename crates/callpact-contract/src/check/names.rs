//! Words about keys that no field takes.

use crate::{
    report::{Issue, IssueKind, Path},
    schema::{Field, Kind, Union, Variant},
    text::{quoted, resembles, ticked},
};

/// Whether a key resembles the name of a field.
pub(crate) fn is_meant(key: &str, field: &Field) -> bool {
    resembles(key, field.name.part()) || field.aliases.iter().any(|name| resembles(key, name))
}

/// The issue of a key that may mean one of these parameters.
pub(crate) fn near_miss(path: Path, meant: &[&str]) -> Issue {
    let meant = list(meant);
    let hint = format!("it resembles {meant}: rename it, or leave it out");
    Issue::new(path, IssueKind::UnknownKey, meant, "").with_hint(hint)
}

/// The issue of a key that does not exist.
pub(crate) fn unknown_key(path: Path, names: &[&str]) -> Issue {
    unknown_key_by_pattern(path, names, &[])
}

/// Like [`unknown_key`], for an object in which names that match a pattern are parameters too.
pub(crate) fn unknown_key_by_pattern(path: Path, names: &[&str], patterns: &[&str]) -> Issue {
    let mut known = list(names);
    if !patterns.is_empty() {
        known.push_str(if names.is_empty() { "" } else { ", and " });
        known.push_str("names that match ");
        known.push_str(&list(patterns));
    }
    let (words, hint) = if known.is_empty() {
        (
            "no parameter".to_owned(),
            "there are no parameters here".to_owned(),
        )
    } else {
        let hint = format!("known are {known}");
        (known, hint)
    };
    Issue::new(path, IssueKind::UnknownKey, words, "").with_hint(hint)
}

fn list(names: &[&str]) -> String {
    const MOST: usize = 16;
    let mut words: Vec<String> = names.iter().take(MOST).map(|name| ticked(name)).collect();
    if names.len() > MOST {
        words.push(format!("{} more", names.len() - MOST));
    }
    words.join(", ")
}

/// Whether a key belongs to another variant and not to this one.
pub(crate) fn belongs_to_another(key: &str, rules: &Union, own: &Variant) -> bool {
    let has = |variant: &Variant| {
        variant.content.as_ref().is_some_and(|content| {
            let collects = matches!(&content.kind, Kind::Object(rules) if rules.extra.is_some());
            collects
                || content
                    .fields()
                    .any(|field| field.name == *key || field.aliases.contains(&key))
                || matches!(&content.kind, Kind::Object(rules)
                    if rules.walk().any(|field| rules.is_safe_name_of(field, key)))
        })
    };
    !has(own) && rules.variants.iter().any(has)
}

/// The names of the variants in words.
pub(crate) fn variant_names(rules: &Union) -> String {
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
