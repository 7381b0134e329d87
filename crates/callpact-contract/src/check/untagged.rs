//! Unions without a tag: the variant is the one that fits.
//!
//! Without conversions, the first variant that fits is chosen. With conversions, only one may fit, since a choice would
//! be a guess. Each variant is tried once for each value, because the choices are remembered.

use super::reading::strangers_of;
use super::state::{CheckState, FormChoice, NearestVariant};
use super::values::{canonical, parse};
use super::{
    change::NodeChange,
    checker::Checker,
    forms::{FormKeys, KeyLook, may_fit, same_form},
    place::{PlaceFit, ValuePlace},
    render::render,
    sorted,
    trouble::IssueSubject,
};
use crate::{
    json::{NodeForm, NodeId},
    policy::Policy,
    report::IssueKind,
    schema::{Kind, Schema, Tagging, Union, expected},
    text::ticked,
};

/// The most nodes that are tried for any union, and the additional ones for each node of the document.
const FUEL: usize = 100_000;
const FUEL_EACH: usize = 64;

impl<'a> Checker<'a> {
    pub(super) fn check_untagged(
        &mut self,
        node: NodeId,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        let is_outermost = self.memo.fuel.is_none();
        if is_outermost {
            if !self.check_any(node, place.required()).is_good() {
                return PlaceFit::Bad;
            }
            self.memo.fuel = Some(document.len() * FUEL_EACH + FUEL);
        }
        let fit = self.pick_or_leave(node, rules, place);
        if is_outermost {
            self.memo.fuel = None;
        }
        fit
    }

    fn pick_or_leave(&mut self, node: NodeId, rules: &'a Union, place: ValuePlace<'a>) -> PlaceFit {
        // Null and the empty string have the meaning that they have for every optional field, unless a variant takes
        // them as they are.
        let document = self.document;
        if document.form(node) == NodeForm::Null && !takes_null(rules) && self.is_absent_null(place)
        {
            return PlaceFit::Absent;
        }
        let text = document.string(node);
        if text.is_some_and(|text| self.is_absent_text(&text, place)) {
            return PlaceFit::Absent;
        }
        PlaceFit::of(self.pick(node, rules, place.required()))
    }

    fn remember(&mut self, node: NodeId, rules: &Union, choice: FormChoice) {
        self.memo
            .choices
            .insert((node, std::ptr::from_ref(rules)), choice);
    }

    /// Checks the variant that fits, and returns whether there is one.
    ///
    /// For the choice, only the faults of the variants are counted. Then only the chosen variant is checked with all of
    /// its issues and fixes.
    fn pick(&mut self, node: NodeId, rules: &'a Union, place: ValuePlace<'a>) -> bool {
        let form = FormKeys::new(self.document, node, rules, &self.policy());
        let known = self
            .memo
            .choices
            .get(&(node, std::ptr::from_ref(rules)))
            .copied();
        match known {
            Some(choice @ (FormChoice::Exactly(_) | FormChoice::Lowered(_))) => {
                return self.check_exactly(choice, &form, place);
            }
            None | Some(FormChoice::NotExactly) => {
                let lowers = self.takes_lowered() && form.has_null();
                if known.is_none() || lowers {
                    let choice = self.pick_exactly(known.is_none(), lowers, &form, place);
                    self.remember(node, rules, choice);
                    if !matches!(choice, FormChoice::NotExactly | FormChoice::NotLowered) {
                        return true;
                    }
                }
            }
            Some(_) => {}
        }
        let is_counted = self.state.counts;
        if self.state.quiet && !is_counted {
            self.state.omitted += 1;
            return false;
        }
        let choice = match known {
            Some(choice) if !matches!(choice, FormChoice::NotExactly | FormChoice::NotLowered) => {
                choice
            }
            _ if self.memo.fuel == Some(0) => {
                let words = "checking this takes too long; send something simpler";
                self.issue(IssueKind::Invalid, words, "");
                return false;
            }
            _ => {
                let choice = self.choose(&form, place);
                let choice = self.without_guess(choice, &form, place);
                self.remember(node, rules, choice);
                if is_counted && matches!(choice, FormChoice::Converted(_)) {
                    return true;
                }
                choice
            }
        };
        self.check_choice(choice, &form, place)
    }

    /// Checks the variants without a conversion: first the value as it is, then with null for absent values.
    fn pick_exactly(
        &mut self,
        as_it_is: bool,
        lowers: bool,
        form: &FormKeys<'a>,
        place: ValuePlace<'a>,
    ) -> FormChoice {
        let minds_nulls = self.policy().minds_nulls();
        let passes = [
            (as_it_is, false, minds_nulls),
            (lowers, true, !self.is_root()),
        ];
        for (is_wanted, lowered, nulls) in passes {
            if !is_wanted {
                continue;
            }
            let look = KeyLook {
                nulls,
                cases: false,
            };
            for (index, variant) in form.rules.variants.iter().enumerate() {
                let content = variant.content.as_deref();
                let fits = content.is_some_and(|content| may_fit(form, content));
                if !fits
                    || form.foreign_keys(variant, look).next().is_some()
                    || self.memo.fuel == Some(0)
                {
                    continue;
                }
                let choice = if lowered {
                    FormChoice::Lowered(index)
                } else {
                    FormChoice::Exactly(index)
                };
                if self.check_exactly(choice, form, place) {
                    return choice;
                }
            }
        }
        if lowers {
            FormChoice::NotLowered
        } else {
            FormChoice::NotExactly
        }
    }

    fn check_exactly(
        &mut self,
        choice: FormChoice,
        form: &FormKeys<'a>,
        place: ValuePlace<'a>,
    ) -> bool {
        let policy = self.policy().for_form();
        let (index, policy) = match choice {
            FormChoice::Exactly(index) => (index, policy),
            FormChoice::Lowered(index) => (index, policy.of_call()),
            _ => return false,
        };
        let mut state = CheckState::new(policy);
        state.quiet = true;
        let mark = (self.changes.len(), self.forms.len());
        let (fits, state) = self.attempt(index, form, state, place);
        if fits {
            // Nothing is converted here, but unknown keys are dropped.
            self.state.take_good(state);
        } else {
            self.take_back(mark);
        }
        fits
    }

    /// Counts the faults of the variants, and chooses the only one that fits with the conversions of the policy, or the
    /// nearest one.
    fn choose(&mut self, form: &FormKeys<'a>, place: ValuePlace<'a>) -> FormChoice {
        let policy = self.policy().without_repair();
        if self.takes_lowered() && !self.is_root() && form.has_null() {
            let look = KeyLook {
                nulls: true,
                cases: true,
            };
            let choice = self.choose_by(look, policy, form, place);
            if matches!(choice, FormChoice::Converted(_) | FormChoice::Several(_)) {
                return choice;
            }
        }
        self.choose_by(CONVERTED, policy, form, place)
    }

    /// Adds to several variants that fit the one that is nearest without conversions, so that its faults are reported.
    fn without_guess(
        &mut self,
        choice: FormChoice,
        form: &FormKeys<'a>,
        place: ValuePlace<'a>,
    ) -> FormChoice {
        if choice != FormChoice::Several(None) {
            return choice;
        }
        let policy = self.policy().for_form();
        let nearest = self.apart(|check| check.choose_by(CONVERTED, policy, form, place));
        match nearest {
            FormChoice::Nearest(nearest) if nearest.faults > 0 => {
                FormChoice::Several(Some(nearest))
            }
            _ => choice,
        }
    }

    /// Checks under another policy, whose choices for the values inside are forgotten.
    fn apart<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        let known = std::mem::take(&mut self.memo.choices);
        let out = check(self);
        self.memo.choices = known;
        out
    }

    fn choose_by(
        &mut self,
        look: KeyLook,
        policy: Policy,
        form: &FormKeys<'a>,
        place: ValuePlace<'a>,
    ) -> FormChoice {
        let mut fits: Option<(usize, Vec<NodeChange>)> = None;
        let mut nearest: Option<(usize, [usize; 3])> = None;
        let variants = || form.rules.variants.iter().enumerate();
        let same_forms = variants().filter(|(_, variant)| same_form(form, variant));
        let least = same_forms
            .map(|(_, variant)| form.count_undeclared(variant))
            .min();
        for (index, variant) in variants() {
            let is_foreign = form.foreign_keys(variant, look).next().is_some();
            let has_form = same_form(form, variant);
            let lacking = form.count_undeclared(variant);
            // This variant does not fit, and another one will be nearer.
            if is_foreign && (!has_form || least.is_some_and(|least| lacking > least)) {
                continue;
            }
            let mut state = CheckState::new(policy);
            state.quiet = true;
            state.counts = true;
            let mark = (self.changes.len(), self.forms.len());
            let (is_good, state) = self.attempt(index, form, state, place);
            if is_good && !is_foreign {
                self.forms.truncate(mark.1);
                let changes = sorted(self.changes.split_off(mark.0));
                match &fits {
                    // For a type, another variant is another value.
                    Some((_, other))
                        if !form.rules.variants.is_static()
                            && self.is_same(form.node, other, &changes) => {}
                    Some(_) => return FormChoice::Several(None),
                    None => fits = Some((index, changes)),
                }
                continue;
            }
            self.take_back(mark);
            if has_form {
                // A variant of the same form explains best what is wrong. A variant with a wrong value is nearer than
                // one with a missing value.
                let faults = [lacking, state.count(), state.missing];
                if nearest.is_none_or(|(_, best)| faults < best) {
                    nearest = Some((index, faults));
                }
            }
        }
        match (fits, nearest) {
            (Some((index, _)), _) => FormChoice::Converted(index),
            (None, Some((index, [_, faults, missing]))) => FormChoice::Nearest(NearestVariant {
                index,
                faults,
                missing,
            }),
            (None, None) => FormChoice::Nothing,
        }
    }

    /// Whether a node is the same value with either of two lists of changes.
    fn is_same(&self, node: NodeId, one: &[NodeChange], other: &[NodeChange]) -> bool {
        let value = |changes| {
            let text = render(self.document, changes, node);
            parse(&text).map(|value| canonical(&value))
        };
        value(one) == value(other)
    }

    /// Checks the chosen variant, or reports why there is none.
    fn check_choice(
        &mut self,
        choice: FormChoice,
        form: &FormKeys<'a>,
        place: ValuePlace<'a>,
    ) -> bool {
        let index = match choice {
            FormChoice::Nearest(NearestVariant {
                index, faults: 0, ..
            }) => {
                let variant = form.rules.variants.get(index);
                let keys = variant
                    .into_iter()
                    .flat_map(|variant| form.foreign_keys(variant, CONVERTED));
                let keys: Vec<String> = keys.map(ticked).collect();
                let why = format!("which fits only without {}", keys.join(" and "));
                self.none_fits(form.node, &why, place);
                return false;
            }
            FormChoice::Nearest(nearest) | FormChoice::Several(Some(nearest))
                if self.state.counts =>
            {
                self.state.omitted += nearest.faults;
                self.state.missing += nearest.missing;
                return false;
            }
            FormChoice::Exactly(index)
            | FormChoice::Lowered(index)
            | FormChoice::Converted(index)
            | FormChoice::Nearest(NearestVariant { index, .. }) => index,
            FormChoice::Several(Some(NearestVariant { index, .. })) => {
                let policy = self.policy().for_form();
                return self.apart(|check| check.check_variant(index, policy, form, place));
            }
            FormChoice::Several(None) => {
                self.none_fits(form.node, "which fits more than one", place);
                return false;
            }
            FormChoice::NotExactly | FormChoice::NotLowered | FormChoice::Nothing => {
                self.none_fits(form.node, "", place);
                return false;
            }
        };
        self.check_variant(index, self.policy().without_repair(), form, place)
    }

    /// Checks a variant, and reports its faults.
    fn check_variant(
        &mut self,
        index: usize,
        policy: Policy,
        form: &FormKeys<'a>,
        place: ValuePlace<'a>,
    ) -> bool {
        let mut state = CheckState::new(policy);
        state.quiet = self.state.quiet;
        state.counts = self.state.counts;
        let mark = (self.changes.len(), self.forms.len());
        let (fits, mut state) = self.attempt(index, form, state, place);
        if fits {
            self.state.take_good(state);
            return true;
        }
        self.take_back(mark);
        name_all_choices(index, form, &mut state, place.schema);
        // One of the unknown keys may mean a missing parameter.
        if !state.quiet {
            let unclaimed = strangers_of(&state);
            self.state.notes_mut().kept.extend(unclaimed);
        }
        self.state.take_issues(state);
        false
    }

    fn none_fits(&mut self, node: NodeId, why: &str, place: ValuePlace<'a>) {
        if self.state.quiet {
            self.state.omitted += 1;
            return;
        }
        let is_secret = place.secret || place.schema.holds_secret();
        let mut found = match self.document.string(node) {
            Some(text) => super::found::FoundValue::Text(&text).words(is_secret),
            None => self.found(node).words(is_secret),
        }
        .into_owned();
        if !why.is_empty() {
            found.push_str(", ");
            found.push_str(why);
        }
        let words = (expected(place.schema), found.into());
        self.issue_about(
            IssueSubject::Value(node),
            IssueKind::NoVariant,
            words,
            place,
        );
    }

    /// Checks one variant with a separate state: its issues count only if no other variant fits.
    fn attempt(
        &mut self,
        index: usize,
        form: &FormKeys<'a>,
        state: CheckState,
        place: ValuePlace<'a>,
    ) -> (bool, CheckState) {
        let Some(variant) = form.rules.variants.get(index) else {
            return (false, state);
        };
        let Some(content) = variant.content.as_deref() else {
            return (false, state);
        };
        let is_strict = self.is_root() && state.policy.takes_lowered();
        let place = ValuePlace {
            variant: if is_strict {
                Some((form.rules, variant))
            } else {
                place.variant
            },
            ..place.required().under(content)
        };
        let outer = std::mem::replace(&mut self.state, state);
        let fit = self.check(form.node, place);
        let state = std::mem::replace(&mut self.state, outer);
        let size = (self.document.node(form.node).next - form.node) as usize;
        if let Some(fuel) = &mut self.memo.fuel {
            *fuel = fuel.saturating_sub(size);
        }
        let is_good = fit.is_good() && state.count() == 0;
        if is_good {
            self.forms
                .push((form.node, u32::try_from(index).unwrap_or(u32::MAX)));
        }
        (is_good, state)
    }

    /// Takes back the changes and forms of a trial.
    pub(super) fn take_back(&mut self, (changes, forms): (usize, usize)) {
        self.changes.truncate(changes);
        self.forms.truncate(forms);
    }
}

/// The rules for looking at keys if values are converted.
const CONVERTED: KeyLook = KeyLook {
    nulls: false,
    cases: true,
};

/// For a value outside a closed list, the issue names the other forms too, since the union takes more than the list.
fn name_all_choices(index: usize, form: &FormKeys<'_>, state: &mut CheckState, union: &Schema) {
    let nearest = form.rules.variants.get(index);
    let content = nearest.and_then(|nearest| nearest.content.as_deref());
    let is_closed = content.is_some_and(|content| match &content.kind {
        Kind::Text(rules) => !rules.choices.is_empty(),
        Kind::Integer(rules) => !rules.choices.is_empty(),
        Kind::Boolean => true,
        _ => false,
    });
    if is_closed && let Some(issue) = state.first_issue_mut() {
        issue.expected = expected(union);
    }
}

/// Whether null is a value of one of the variants.
fn takes_null(rules: &Union) -> bool {
    let mut contents = rules.contents();
    contents.any(|content| match &content.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            content.nullable || takes_null(inner)
        }
        _ => content.nullable,
    })
}
