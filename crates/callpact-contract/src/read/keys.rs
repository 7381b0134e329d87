//! The keys of an object as they come in: the given fields, and the keys that no field takes.

use super::{
    any::ANY,
    at::At,
    fields::Facts,
    found::Found,
    given::{Given, Rare, STRANGERS},
    here::{Tagged, Way},
};
use crate::{
    report::{Fix, FixKind, Issue, IssueKind, Path},
    schema::{Field, Object as Rules, Unknown},
    text::{Texts, resembles, ticked},
};

/// The most common orders of keys.
#[derive(Clone, Copy)]
enum Order {
    Declared,
    /// The order of the names, in which a program writes a map.
    Sorted,
    Reverse,
}

/// The keys of an object that is being read.
pub(super) struct Keys<'a> {
    /// The fields that were given.
    pub(super) given: Given,
    /// The likely place of the next key: among the fields for a text, in the order of their names for a value in
    /// memory.
    pub(super) next: usize,
    pub(super) rare: Option<Box<Rare>>,
    pub(super) tagged: Option<&'a Tagged<'a>>,
    /// The number of unknown keys that are not remembered.
    pub(super) more: usize,
    /// The number of times that the tag was given.
    pub(super) tags: u32,
    /// Whether enough unknown keys are remembered, so that the others are only counted.
    full: bool,
    /// The order in which the keys come.
    order: Order,
}

impl<'a> Keys<'a> {
    #[inline]
    pub(super) fn new(given: Given, next: usize, tagged: Option<&'a Tagged<'a>>) -> Self {
        Self {
            given,
            next,
            rare: None,
            tagged,
            more: 0,
            tags: 0,
            full: false,
            order: Order::Declared,
        }
    }

    /// The field whose key is likely to come next in a text, if it was not given yet.
    #[inline]
    pub(super) fn expected<'s>(&self, facts: &Facts<'s>) -> Option<(usize, &'s Field)> {
        let (number, field) = match self.order {
            Order::Declared | Order::Reverse => (self.next, facts.next(self.next)?),
            Order::Sorted => facts.in_order(self.next)?,
        };
        (!self.given.low(number)).then_some((number, field))
    }

    /// Moves on from the field with this number.
    #[inline]
    pub(super) fn move_on(&mut self, number: usize) {
        self.next = match self.order {
            Order::Declared => number + 1,
            Order::Reverse => number.wrapping_sub(1),
            Order::Sorted => self.next + 1,
        };
    }

    /// Finds out in which order the keys come, after a field that was not expected.
    pub(super) fn look_for_order(&mut self, number: usize, facts: &Facts<'_>) {
        let place = self.given.0.count_ones() as usize;
        self.order = if facts.is_in_order(place, number) {
            self.next = place;
            Order::Sorted
        } else if number + 2 == self.next {
            Order::Reverse
        } else {
            Order::Declared
        };
    }

    /// Whether a field was given.
    pub(super) fn has(&self, number: usize) -> bool {
        let rare = self.rare.as_deref();
        rare.map_or(self.given.low(number), |rare| self.given.has(number, rare))
    }

    /// Marks a key as collected by a map, and returns whether it is new.
    pub(super) fn collect(&mut self, key: &str) -> bool {
        let rare = self.rare.get_or_insert_default();
        rare.others.insert(key.to_owned())
    }

    /// Notes an unknown key.
    #[inline]
    pub(super) fn pass_stranger(&mut self, key: &str, facts: &Facts<'_>, at: &mut At<'_>) {
        if self.full {
            self.more += 1;
        } else {
            self.note_stranger(key, facts, at);
        }
    }

    #[inline(never)]
    fn note_stranger(&mut self, key: &str, facts: &Facts<'_>, at: &mut At<'_>) {
        let most = STRANGERS.max(at.state().policy.max_issues() / 2);
        let rare = self.rare.get_or_insert_default();
        if rare.strangers.len() < most {
            rare.remember(key);
            return;
        }
        // Of any number of keys, those that may mean a missing parameter must be reported.
        let guards = facts.has_optional && guards_names(facts.rules, at);
        self.full = !guards;
        if guards && resembles_any(key, facts.rules) {
            rare.remember(key);
        } else {
            self.more += 1;
        }
    }
}

/// Whether a key that resembles a missing parameter is a fault.
fn guards_names(rules: &Rules, at: &mut At<'_>) -> bool {
    let drops = match rules.unknown {
        Unknown::Report | Unknown::Keep => true,
        Unknown::Ignore => false,
        // Every unknown key is a fault already.
        Unknown::Deny => rules.extra.is_some(),
    };
    drops && at.state().policy.guards_names()
}

fn resembles_any(key: &str, rules: &Rules) -> bool {
    let mut optional = rules.all_fields().filter(|field| !field.required);
    optional.any(|field| is_meant(key, field))
}

/// Whether a key resembles the name of a field.
pub(super) fn is_meant(key: &str, field: &Field) -> bool {
    resembles(key, field.name.part()) || field.aliases.iter().any(|name| resembles(key, name))
}

/// Reports the unknown keys.
#[cold]
#[inline(never)]
#[allow(clippy::boxed_local)] // dropped here, out of the way
pub(crate) fn report(
    rare: Box<Rare>,
    more: usize,
    given: Given,
    facts: &Facts<'_>,
    at: &mut At<'_>,
) {
    let rules = facts.rules;
    let free: Vec<&Field> = if facts.has_optional && guards_names(rules, at) {
        let fields = rules.all_fields().enumerate();
        // A missing required field is a fault already, and its hint looks for such a key.
        let free = fields.filter(|(number, field)| !field.required && !given.has(*number, &rare));
        free.map(|(_, field)| field).collect()
    } else {
        Vec::new()
    };
    let Rare {
        others,
        mut strangers,
        nulls,
        ..
    } = *rare;
    if rules.extra.is_some() {
        for key in &others {
            report_near_miss(key, &free, at);
        }
    }
    if !free.is_empty() {
        strangers.retain(|key| !report_near_miss(key, &free, at));
    }
    report_unknown(strangers, more, rules, at);
    for key in &nulls {
        null_of_another(key, at);
    }
}

/// Reports a key if it resembles a field that was not given, and returns whether it does.
fn report_near_miss(key: &str, free: &[&Field], at: &mut At<'_>) -> bool {
    let meant: Vec<&str> = free
        .iter()
        .filter(|field| is_meant(key, field))
        .map(|field| field.name.part())
        .collect();
    if meant.is_empty() {
        return false;
    }
    let path = at.path_of(key.to_owned());
    at.state().push_of_key(near_miss(path, &meant));
    true
}

/// The issue of a key that may mean one of these parameters.
pub(super) fn near_miss(path: Path, meant: &[&str]) -> Issue {
    let meant = list(meant);
    let hint = format!("it resembles {meant}: rename it, or leave it out");
    Issue::new(path, IssueKind::UnknownKey, meant, "").with_hint(hint)
}

/// Reports a null at a key of another variant, which has no meaning.
#[cold]
pub(crate) fn null_of_another(key: &str, at: &mut At<'_>) {
    at.below(Way::Key(key), ANY, |mut at| {
        at.fixed(FixKind::NullAsAbsent, &Found::Null, "absent");
    });
}

#[cold]
pub(crate) fn repeated_key(key: &str, at: &mut At<'_>) {
    at.below(Way::Key(key), ANY, |mut at| {
        at.issue(IssueKind::DuplicateKey, "once", "more than once");
    });
}

fn report_unknown(strangers: Texts, more: usize, rules: &Rules, at: &mut At<'_>) {
    if !strangers.is_empty() {
        at.state().strangers = true;
    }
    if strangers.is_empty() || rules.unknown == Unknown::Ignore {
        return;
    }
    if rules.unknown == Unknown::Keep {
        let kept: Vec<Path> = strangers
            .iter()
            .map(|key| at.path_of(key.to_owned()))
            .collect();
        at.state().notes_mut().kept.extend(kept);
        return;
    }
    if rules.unknown == Unknown::Report {
        return report_dropped(strangers, at);
    }
    for key in strangers.iter() {
        let issue = unknown_key(at.path_of(key.to_owned()), &at_names(rules));
        at.state().push(issue);
    }
    at.state().omitted += more;
}

/// Reports the keys that are dropped. Keys that must not be shown are hidden later, in the report and the fixes.
fn report_dropped(strangers: Texts, at: &mut At<'_>) {
    let dropped = |key: &str, at: &At<'_>| Fix::dropped(at.path_of(key.to_owned()), key);
    let room = at.state().room_for_fixes();
    if at.state().policy.refuses(FixKind::UnknownDropped) {
        for key in strangers.iter() {
            let fix = dropped(key, at);
            if room == 0 {
                at.state().notes_mut().kept.push(fix.path.clone());
            }
            at.push_fix(fix);
        }
        return;
    }
    if at.is_root() && strangers.len() <= room {
        return at.state().note_dropped(strangers);
    }
    let mut keys = strangers.iter();
    let told: Vec<Fix> = keys
        .by_ref()
        .take(room)
        .map(|key| dropped(key, at))
        .collect();
    at.state().fixes_mut().extend(told);
    // The hints also need the keys for which there is no room among the fixes.
    let kept: Vec<Path> = keys.map(|key| at.path_of(key.to_owned())).collect();
    if !kept.is_empty() {
        at.state().notes_mut().kept.extend(kept);
    }
}

fn at_names(rules: &Rules) -> Vec<&str> {
    let fields = rules.all_fields();
    fields.map(|field| field.name.part()).collect()
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
