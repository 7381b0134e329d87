//! Chooses among the variants of an untagged union.

use std::mem;

use serde_json::Value;

use super::{
    super::{
        any::found,
        at::At,
        input::Input,
        pass::strangers_of,
        state::{Choice, Nearest, State},
    },
    forms::{Given, Look, may_fit, same_form},
    variants::Variants,
};
use crate::{
    policy::Policy,
    report::IssueKind,
    schema::{Kind, Union as Rules, expected},
    text::ticked,
};

/// Reads the variant that fits, and returns whether there is one.
///
/// For the choice, only the faults of the variants are counted. The choice is remembered. Then only the chosen variant
/// is read with all of its issues and fixes.
pub(super) fn pick(
    value: &Value,
    rules: &Rules,
    variants: &mut dyn Variants,
    mut at: At<'_>,
) -> bool {
    let place = place_of(value, rules);
    let given = Given::new(value, rules, &at.state().policy);
    let known = at.state().tried.as_ref();
    let known = known.and_then(|tried| tried.choices.get(&place).copied());
    match known {
        Some(choice @ (Choice::Exactly(_) | Choice::Lowered(_))) => {
            return read_exactly(choice, &given, variants, &mut at);
        }
        None | Some(Choice::NotExactly) => {
            let lowers = at.takes_lowered() && given.has_null();
            if known.is_none() || lowers {
                let choice = pick_exactly(known.is_none(), lowers, &given, variants, &mut at);
                let is_there = !matches!(choice, Choice::NotExactly | Choice::NotLowered);
                remember(place, choice, &mut at);
                if is_there {
                    return true;
                }
            }
        }
        Some(_) => {}
    }
    let is_counted = at.state().counts;
    if at.state().quiet && !is_counted {
        at.state().omitted += 1;
        return false;
    }
    let choice = match known {
        Some(choice) if !matches!(choice, Choice::NotExactly | Choice::NotLowered) => choice,
        _ if is_out_of_fuel(&mut at) => {
            let words = "checking this takes too long; send something simpler";
            at.issue(IssueKind::Invalid, words, "");
            return false;
        }
        _ => {
            let choice = choose(&given, variants, &mut at);
            let choice = without_guess(choice, &given, variants, &mut at);
            remember(place, choice, &mut at);
            if is_counted && matches!(choice, Choice::Converted(_)) {
                return true;
            }
            choice
        }
    };
    read_choice(choice, &given, variants, &mut at)
}

fn place_of(value: &Value, rules: &Rules) -> (usize, usize) {
    let (value, rules): (*const Value, *const Rules) = (value, rules);
    (value.addr(), rules.addr())
}

fn remember(place: (usize, usize), choice: Choice, at: &mut At<'_>) {
    if let Some(tried) = &mut at.state().tried {
        tried.choices.insert(place, choice);
    }
}

fn is_out_of_fuel(at: &mut At<'_>) -> bool {
    at.state()
        .tried
        .as_ref()
        .is_some_and(|tried| tried.fuel == 0)
}

/// Reads the first variant that fits without a conversion: first the value as it is, then with null for absent values,
/// as in a strict form.
fn pick_exactly(
    as_it_is: bool,
    lowers: bool,
    given: &Given<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> Choice {
    let minds_nulls = at.state().policy.minds_nulls();
    let passes = [
        (as_it_is, false, minds_nulls),
        (lowers, true, !at.is_root()),
    ];
    for (is_wanted, lowered, nulls) in passes {
        let choice = if lowered {
            Choice::Lowered
        } else {
            Choice::Exactly
        };
        let look = Look {
            nulls,
            cases: false,
        };
        if !is_wanted {
            continue;
        }
        for (index, variant) in given.rules.variants.iter().enumerate() {
            let fits = variant
                .content
                .as_deref()
                .is_some_and(|content| may_fit(given.value, content));
            if !fits || given.strangers(variant, look).next().is_some() || is_out_of_fuel(at) {
                continue;
            }
            if read_exactly(choice(index), given, variants, at) {
                return choice(index);
            }
        }
    }
    if lowers {
        Choice::NotLowered
    } else {
        Choice::NotExactly
    }
}

fn read_exactly(
    choice: Choice,
    given: &Given<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let policy = at.state().policy.for_form();
    let (index, policy) = match choice {
        Choice::Exactly(index) => (index, policy),
        Choice::Lowered(index) => (index, policy.of_call()),
        _ => return false,
    };
    let mut state = State::new(policy);
    state.quiet = true;
    let fits = attempt(index, given, &mut state, variants, at);
    if fits {
        // Nothing is converted here, but unknown keys are dropped.
        at.state().take_good(state);
    }
    fits
}

/// Counts the faults of the variants, and chooses the only one that fits with the conversions of the policy, or the
/// nearest one. Also reads the value of one that fits.
fn choose(given: &Given<'_>, variants: &mut dyn Variants, at: &mut At<'_>) -> Choice {
    if at.takes_lowered() && !at.is_root() && given.has_null() {
        let look = Look {
            nulls: true,
            cases: true,
        };
        let choice = choose_by(look, converting(at), given, variants, at);
        if matches!(choice, Choice::Converted(_) | Choice::Several(_)) {
            return choice;
        }
    }
    choose_by(CONVERTED, converting(at), given, variants, at)
}

/// Adds to several variants that fit the one that is nearest without conversions, so that its faults are told.
fn without_guess(
    choice: Choice,
    given: &Given<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> Choice {
    if choice != Choice::Several(None) {
        return choice;
    }
    let policy = at.state().policy.for_form();
    let nearest = apart(at, |at| choose_by(CONVERTED, policy, given, variants, at));
    match nearest {
        Choice::Nearest(nearest) if nearest.faults > 0 => Choice::Several(Some(nearest)),
        _ => choice,
    }
}

/// Reads under another policy, whose choices for the values inside are forgotten.
fn apart<R>(at: &mut At<'_>, read: impl FnOnce(&mut At<'_>) -> R) -> R {
    let tried = at.state().tried.as_mut();
    let known = tried.map(|tried| mem::take(&mut tried.choices));
    let out = read(at);
    if let (Some(tried), Some(known)) = (&mut at.state().tried, known) {
        tried.choices = known;
    }
    out
}

/// The rules for looking at keys if values are converted.
const CONVERTED: Look = Look {
    nulls: false,
    cases: true,
};

fn choose_by(
    look: Look,
    policy: Policy,
    given: &Given<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> Choice {
    let mut fits = None;
    let mut nearest: Option<(usize, [usize; 3])> = None;
    let same_forms = given
        .rules
        .variants
        .iter()
        .filter(|one| same_form(given.value, one));
    let least = same_forms.map(|one| given.undeclared(one)).min();
    for (index, variant) in given.rules.variants.iter().enumerate() {
        let is_strange = given.strangers(variant, look).next().is_some();
        let has_form = same_form(given.value, variant);
        let lacking = given.undeclared(variant);
        // This variant does not fit, and another one will be nearer.
        if is_strange && (!has_form || least.is_some_and(|least| lacking > least)) {
            continue;
        }
        let mut state = State::new(policy);
        state.quiet = true;
        state.counts = true;
        let is_there = attempt(index, given, &mut state, variants, at);
        if is_there && !is_strange {
            if fits.is_some() && variants.are_same() {
                continue;
            }
            if fits.is_some() {
                return Choice::Several(None);
            }
            fits = Some(index);
            variants.swap();
        } else if has_form {
            // A variant of the same form explains best what is wrong. A variant with a wrong value is nearer than
            // one with a missing value.
            let faults = [lacking, state.count(), state.missing];
            if nearest.is_none_or(|(_, best)| faults < best) {
                nearest = Some((index, faults));
            }
        }
    }
    match (fits, nearest) {
        (Some(index), _) => {
            variants.swap();
            Choice::Converted(index)
        }
        (None, Some((index, [_, faults, missing]))) => Choice::Nearest(Nearest {
            index,
            faults,
            missing,
        }),
        (None, None) => Choice::Nothing,
    }
}

/// The policy with conversions but without repairs: several forms are possible here, so a repair would be a guess.
fn converting(at: &mut At<'_>) -> Policy {
    at.state().policy.without_repair()
}

/// Reads the chosen variant, or reports why there is none. Returns whether there is a value.
fn read_choice(
    choice: Choice,
    given: &Given<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let index = match choice {
        Choice::Nearest(Nearest {
            index, faults: 0, ..
        }) => {
            let variant = given.rules.variants.get(index);
            let keys = variant
                .into_iter()
                .flat_map(|variant| given.strangers(variant, CONVERTED));
            let keys: Vec<String> = keys.map(ticked).collect();
            let why = format!("which fits only without {}", keys.join(" and "));
            none_of(given.value, &why, at);
            return false;
        }
        Choice::Nearest(nearest) | Choice::Several(Some(nearest)) if at.state().counts => {
            at.state().omitted += nearest.faults;
            at.state().missing += nearest.missing;
            return false;
        }
        Choice::Exactly(index)
        | Choice::Lowered(index)
        | Choice::Converted(index)
        | Choice::Nearest(Nearest { index, .. }) => index,
        Choice::Several(Some(Nearest { index, .. })) => {
            let policy = at.state().policy.for_form();
            return apart(at, |at| read_variant(index, policy, given, variants, at));
        }
        Choice::Several(None) => {
            none_of(given.value, "which fits more than one", at);
            return false;
        }
        Choice::NotExactly | Choice::NotLowered | Choice::Nothing => {
            none_of(given.value, "", at);
            return false;
        }
    };
    read_variant(index, converting(at), given, variants, at)
}

/// Reads a variant, and reports its faults.
fn read_variant(
    index: usize,
    policy: Policy,
    given: &Given<'_>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let mut state = State::new(policy);
    state.quiet = at.state().quiet;
    state.counts = at.state().counts;
    let fits = attempt(index, given, &mut state, variants, at);
    if fits {
        at.state().take_good(state);
    } else {
        tell_all_choices(index, given, &mut state, at);
        // One of the unknown keys may mean a missing parameter.
        if !state.quiet {
            let strangers = strangers_of(&state);
            at.state().notes_mut().kept.extend(strangers);
        }
        at.state().take_issues(state);
    }
    fits
}

/// For a value outside a closed list, the issue names the other forms too, since the union takes more than the list.
fn tell_all_choices(index: usize, given: &Given<'_>, state: &mut State, at: &At<'_>) {
    let nearest = given.rules.variants.get(index);
    let content = nearest.and_then(|nearest| nearest.content.as_deref());
    let is_closed = content.is_some_and(|content| match &content.kind {
        Kind::Text(rules) => !rules.choices.is_empty(),
        Kind::Integer(rules) => !rules.choices.is_empty(),
        Kind::Boolean => true,
        _ => false,
    });
    if is_closed && let Some(issue) = state.first_issue_mut() {
        issue.expected = expected(at.schema());
    }
}

fn none_of(value: &Value, why: &str, at: &mut At<'_>) {
    if at.state().quiet {
        at.state().omitted += 1;
        return;
    }
    let words = expected(at.schema());
    let mut found = found(value, at.secret() || at.schema().holds_secret());
    if !why.is_empty() {
        found.push_str(", ");
        found.push_str(why);
    }
    at.issue(IssueKind::NoVariant, words, found);
}

/// Reads one variant with a separate state: its issues count only if no other variant fits.
fn attempt(
    index: usize,
    given: &Given<'_>,
    state: &mut State,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    let Some(variant) = given.rules.variants.get(index) else {
        return false;
    };
    let Some(content) = variant.content.as_deref() else {
        return false;
    };
    let mut input = Input::value(given.value);
    let mut read = |at: At<'_>| variants.read(index, &mut input, at);
    let others = (given.rules, variant);
    let is_strict = at.is_root() && state.policy.takes_lowered();
    let is_there = at.aside(state, content, |at| {
        if is_strict {
            at.variant(&others, read)
        } else {
            read(at)
        }
    });
    if let Some(tried) = &mut at.state().tried {
        tried.fuel = tried.fuel.saturating_sub(input.steps() + 1);
    }
    is_there && state.count() == 0
}
