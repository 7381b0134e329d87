//! Keys that no field declares.

use std::collections::BTreeMap;

use super::{
    rule::{GrammarPart, any_number, choice, optional, row, text},
    words::{character, character_except, escape, quoted},
};

/// The longest declared key that a grammar excludes from the other keys.
const LONGEST: usize = 40;

/// A JSON string that is not empty and none of the declared keys.
pub(super) fn other_key(declared: &[&str]) -> GrammarPart {
    let mut excluded = vec![""];
    let is_short = |key: &&str| key.chars().count() <= LONGEST;
    excluded.extend(declared.iter().copied().filter(is_short));
    quoted(none_of(&excluded))
}

/// The rest of a string that differs from all of these.
fn none_of(excluded: &[&str]) -> GrammarPart {
    let mut after: BTreeMap<char, Vec<&str>> = BTreeMap::new();
    for rest in excluded {
        let mut signs = rest.chars();
        if let Some(first) = signs.next() {
            after.entry(first).or_default().push(signs.as_str());
        }
    }
    let firsts: Vec<char> = after.keys().copied().collect();
    let mut ways = vec![row([character_except(&firsts), any_number(character())])];
    for (first, rests) in after {
        let spelt = match first {
            '/' => choice([text("/"), text("\\/")]),
            _ => text(&escape(first)),
        };
        ways.push(row([spelt, none_of(&rests)]));
    }
    let ways = choice(ways);
    if excluded.contains(&"") {
        ways
    } else {
        optional(ways)
    }
}
