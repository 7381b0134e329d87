//! Booleans, numbers and strings.

use std::borrow::Cow;

use serde_json::Number as JsonNumber;

use super::{
    change::ChangeKind,
    checker::{Checker, hides},
    found::{FoundValue, scan},
    markup::{closing_markup, swallowed_parameters},
    place::{PlaceFit, ValuePlace},
};
use crate::{
    json::{EXACT, NodeForm, NodeId, ScannedNumber, boolean, is_whole, json_number, whole_number},
    report::{FixKind, IssueKind},
    schema::{Integer, Number, Text, ValueFault, missing_day},
    text::{only_by_case, quoted},
};

impl<'a> Checker<'a> {
    pub(super) fn check_boolean(&mut self, node: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        match document.form(node) {
            NodeForm::Boolean(_) => return PlaceFit::Good,
            NodeForm::Text(_) => {}
            _ => return self.wrong_form(node, place),
        }
        let text = document.string(node).unwrap_or_default();
        let Some(read) = boolean(&text).filter(|_| self.converts()) else {
            return self.wrong_form(node, place);
        };
        let fix = (FixKind::BooleanFromText, &FoundValue::Text(&text));
        self.read_as(node, fix, read.to_string(), place)
    }

    /// The number at a node, or the only number in a list if that is repaired.
    fn number_at(
        &mut self,
        node: NodeId,
        place: ValuePlace<'a>,
    ) -> Result<ScannedNumber, PlaceFit> {
        let document = self.document;
        match document.form(node) {
            NodeForm::Number => scan(document.written(node)).ok_or_else(|| self.break_off()),
            NodeForm::List if self.repairs() && !self.is_too_deep() => {
                let item = document.single_item(node);
                let number = item.filter(|item| document.form(*item) == NodeForm::Number);
                let Some(number) = number.and_then(|item| scan(document.written(item))) else {
                    return Err(self.wrong_form(node, place));
                };
                self.fixed(
                    FixKind::SingleFromList,
                    &FoundValue::Array,
                    "the number in it",
                    place,
                );
                self.change(node, ChangeKind::Unwrap);
                Ok(number)
            }
            _ => Err(self.wrong_form(node, place)),
        }
    }

    pub(super) fn check_integer(
        &mut self,
        node: NodeId,
        rules: &Integer,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        if let Some(text) = document.string(node) {
            if self.is_absent_text(&text, place) {
                return PlaceFit::Absent;
            }
            let Some(whole) = whole_number(&text).filter(|_| self.converts()) else {
                return self.mismatch(&FoundValue::Text(&text), place);
            };
            if !self.integer_fits(whole, rules, place) {
                return PlaceFit::Bad;
            }
            let fix = (FixKind::NumberFromText, &FoundValue::Text(&text));
            return self.read_as(node, fix, whole.to_string(), place);
        }
        let number = match self.number_at(node, place) {
            Ok(number) => number,
            Err(fit) => return fit,
        };
        match number {
            ScannedNumber::Positive(value) => {
                PlaceFit::of(self.integer_fits(value.into(), rules, place))
            }
            ScannedNumber::Negative(value) => {
                PlaceFit::of(self.integer_fits(value.into(), rules, place))
            }
            ScannedNumber::Float(value) => self.check_whole_float(node, value, rules, place),
        }
    }

    /// Checks a float where a whole number is expected: `5.0` is one.
    fn check_whole_float(
        &mut self,
        node: NodeId,
        value: f64,
        rules: &Integer,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let found = FoundValue::Number(value);
        let is_far = value.abs() > EXACT;
        if value.fract() != 0.0 || !is_far && !is_whole(self.number_text(node)) {
            return self.mismatch(&found, place);
        }
        if is_far {
            // The digits are lost, so any integer would be a guess. A bound of the schema names the fault.
            let is_open = !ends_before(rules, value);
            let bits_64 = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;
            if is_open && !bits_64.contains(&value) {
                let words = found.words(place.secret);
                return self.issue(IssueKind::OutOfRange, "an integer of 64 bits", words);
            }
            let hint = is_open.then(|| "write it in digits alone, in at most 64 bits".into());
            return self.fault_with(IssueKind::OutOfRange, &found, hint, place);
        }
        #[allow(clippy::cast_possible_truncation)] // whole and in range, see above
        let whole = value as i128;
        if !self.integer_fits(whole, rules, place) {
            return PlaceFit::Bad;
        }
        if self.converts() && !self.policy().refuses(FixKind::IntegerFromNumber) {
            self.fixed(FixKind::IntegerFromNumber, &found, whole.to_string(), place);
        }
        self.change(node, ChangeKind::Replace(whole.to_string()));
        PlaceFit::Good
    }

    /// The number at a node, or in the list at the node, as it is written.
    fn number_text(&self, node: NodeId) -> &'a str {
        let item = self.document.single_item(node);
        self.document.written(item.unwrap_or(node))
    }

    fn integer_fits(&mut self, value: i128, rules: &Integer, place: ValuePlace<'a>) -> bool {
        if !rules.takes(value) {
            let kind = if rules.choices.is_empty() {
                IssueKind::OutOfRange
            } else {
                IssueKind::NotAChoice
            };
            self.fault(kind, &FoundValue::Integer(value), place);
            return false;
        }
        // The code of a type knows the range of the type.
        if place.schema.code.check.is_none() && JsonNumber::from_i128(value).is_none() {
            self.issue(
                IssueKind::OutOfRange,
                "an integer of 64 bits",
                value.to_string(),
            );
            return false;
        }
        true
    }

    pub(super) fn check_number(
        &mut self,
        node: NodeId,
        rules: &Number,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        if let Some(text) = document.string(node) {
            if self.is_absent_text(&text, place) {
                return PlaceFit::Absent;
            }
            let Some(nearest) = json_number(&text).filter(|_| self.converts()) else {
                return self.mismatch(&FoundValue::Text(&text), place);
            };
            let (fits, shown) = match text.parse::<i128>() {
                Ok(whole) => (self.whole_fits(whole, rules, place), whole.to_string()),
                Err(_) => (self.float_fits(nearest, rules, place), nearest.to_string()),
            };
            if !fits {
                return PlaceFit::Bad;
            }
            let of_type = place
                .schema
                .code
                .of_number
                .and_then(|of_number| of_number(&text));
            let shown = of_type.unwrap_or(shown);
            self.fixed(
                FixKind::NumberFromText,
                &FoundValue::Text(&text),
                shown,
                place,
            );
            self.change(node, ChangeKind::Replace(text.into_owned()));
            return PlaceFit::Good;
        }
        let number = match self.number_at(node, place) {
            Ok(number) => number,
            Err(fit) => return fit,
        };
        PlaceFit::of(match number {
            ScannedNumber::Positive(value) => self.whole_fits(value.into(), rules, place),
            ScannedNumber::Negative(value) => self.whole_fits(value.into(), rules, place),
            ScannedNumber::Float(value) => self.float_fits(value, rules, place),
        })
    }

    fn whole_fits(&mut self, value: i128, rules: &Number, place: ValuePlace<'a>) -> bool {
        let fits = rules.takes_whole(value);
        if !fits {
            self.fault(IssueKind::OutOfRange, &FoundValue::Integer(value), place);
        }
        fits
    }

    fn float_fits(&mut self, value: f64, rules: &Number, place: ValuePlace<'a>) -> bool {
        let fits = value.is_finite() && rules.takes(value);
        if !fits {
            self.fault(IssueKind::OutOfRange, &FoundValue::Number(value), place);
        }
        fits
    }

    pub(super) fn check_text(
        &mut self,
        node: NodeId,
        rules: &'a Text,
        place: ValuePlace<'a>,
    ) -> PlaceFit {
        let document = self.document;
        if !matches!(document.form(node), NodeForm::Text(_)) {
            return self.text_of_number(node, place);
        }
        let Some(text) = document.string(node) else {
            return self.break_off();
        };
        if self.is_absent_text(&text, place) {
            return PlaceFit::Absent;
        }
        if self.converts()
            && let Some(name) = place.schema.code.name_of.and_then(|name_of| name_of(&text))
            && rules.choices.iter().any(|choice| choice.name == *name)
        {
            let fix = (FixKind::Alias, &FoundValue::Text(&text));
            return self.read_as_text(node, fix, name, place);
        }
        if rules.choices.is_empty() {
            if self.converts() {
                self.look_for_markup(&text, place);
            }
        } else if self.repairs()
            && !rules.choices.iter().any(|choice| choice.name == *text)
            && let Some(name) = only_by_case(&text, rules.choices.iter().map(|one| one.name.part()))
        {
            let fix = (FixKind::ChoiceCase, &FoundValue::Text(&text));
            return self.read_as_text(node, fix, name, place);
        }
        if rules.takes_any() {
            return PlaceFit::Good;
        }
        self.check_rules(&text, rules, place)
    }

    /// Checks a value that is not a string, where a string is expected: some types take a number too.
    fn text_of_number(&mut self, node: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let document = self.document;
        let is_number = document.form(node) == NodeForm::Number && self.converts();
        let of_number = place.schema.code.of_number.filter(|_| is_number);
        let Some(text) = of_number.and_then(|of_number| of_number(document.written(node))) else {
            return self.wrong_form(node, place);
        };
        let fix = (FixKind::TextFromNumber, &self.found(node));
        self.read_as_text(node, fix, &text, place)
    }

    /// Checks a string against the rules of its schema, and reports the first rule that it breaks.
    fn check_rules(&mut self, text: &str, rules: &Text, place: ValuePlace<'a>) -> PlaceFit {
        let kind = match rules.broken_rule(text) {
            ValueFault::None => return PlaceFit::Good,
            ValueFault::Choice => IssueKind::NotAChoice,
            ValueFault::Form => {
                let found = FoundValue::Text(text);
                let names_day = rules.format.is_some() && !hides(&found, place);
                let hint = missing_day(text).filter(|_| names_day);
                return self.fault_with(IssueKind::Pattern, &found, hint.map(Cow::Owned), place);
            }
            ValueFault::Length => return self.wrong_length(text, place),
            _ => IssueKind::Invalid,
        };
        self.fault(kind, &FoundValue::Text(text), place)
    }

    fn wrong_length(&mut self, text: &str, place: ValuePlace<'a>) -> PlaceFit {
        let length = text.chars().count();
        // A long text is shown with its length anyway, and the length of a secret stays hidden.
        let hint = (length <= 60 && length > 0 && !place.secret).then(|| {
            let plural = if length == 1 { "" } else { "s" };
            format!("it has {length} character{plural}").into()
        });
        self.fault_with(IssueKind::Length, &FoundValue::Text(text), hint, place)
    }

    /// Notes that the value of a node is read as this JSON, which a report shows.
    fn read_as(
        &mut self,
        node: NodeId,
        (kind, from): (FixKind, &FoundValue<'_>),
        json: String,
        place: ValuePlace<'_>,
    ) -> PlaceFit {
        self.fixed(kind, from, json.clone(), place);
        self.change(node, ChangeKind::Replace(json));
        PlaceFit::Good
    }

    /// Notes that the value of a node is read as this text.
    fn read_as_text(
        &mut self,
        node: NodeId,
        (kind, from): (FixKind, &FoundValue<'_>),
        text: &str,
        place: ValuePlace<'_>,
    ) -> PlaceFit {
        self.fixed(kind, from, quoted(text), place);
        self.change(node, ChangeKind::Replace(quote_json(text)));
        PlaceFit::Good
    }

    /// Reports markup of a call at the end of a string, and notes the parameters that are markup in it.
    fn look_for_markup(&mut self, text: &str, place: ValuePlace<'_>) {
        if !text.contains('<') {
            return;
        }
        let path = self.path();
        swallowed_parameters(text, &path, &mut self.state);
        if let Some(found) = closing_markup(text, place.secret) {
            let issue = crate::report::Issue::new(
                self.path(),
                IssueKind::LeakedMarkup,
                "no markup of the call in it",
                found,
            );
            self.state
                .push(issue.with_hint("send the whole call again without it"));
        }
    }
}

/// A string as JSON.
pub(super) fn quote_json(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Whether the schema has an end on the side of such a number, or choices that are all nearer to zero.
fn ends_before(rules: &Integer, far: f64) -> bool {
    let end = if far.is_sign_positive() {
        rules.max
    } else {
        rules.min
    };
    #[allow(clippy::cast_precision_loss)] // the nearest float is far enough for the comparison
    let is_near = |choice: &i128| (*choice as f64) * far.signum() <= EXACT;
    end.is_some() || (!rules.choices.is_empty() && rules.choices.iter().all(is_near))
}
