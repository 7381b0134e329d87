//! JSON inside a string, which the repair policy reads in place of a list or an object.

use std::borrow::Cow;

use super::found::FoundValue;
use super::{
    change::ChangeKind,
    checker::Checker,
    place::{PlaceFit, ValuePlace},
};
use crate::{
    json::{JsonDocument, NodeId},
    repair::{explain, mend_value},
    report::FixKind,
    schema::{Kind, Tagging, Union},
};

/// The most strings inside each other from which JSON is read.
const LAYERS: usize = 2;

impl<'a> Checker<'a> {
    /// Checks the JSON in a string. Any other string is reported.
    pub(super) fn check_in_text(&mut self, node: NodeId, place: ValuePlace<'a>) -> PlaceFit {
        let Some(value) = self.document.string(node) else {
            return self.break_off();
        };
        if self.is_absent_text(&value, place) {
            return PlaceFit::Absent;
        }
        let clean = self.json_in(&value, place).and_then(|text| {
            let clean = mend_value(&text, &self.policy()).ok()?;
            (!clean.refused).then(|| (clean.text.into_owned(), clean.fixes))
        });
        let Some((text, fixes)) = clean else {
            return self.mismatch(&FoundValue::Text(&value), place);
        };
        let path = self.path();
        for mut fix in fixes {
            fix.path = path.clone().below(fix.path);
            self.state.fix(fix);
        }
        let kind = if self.is_root() {
            FixKind::DoubleEncoded
        } else {
            FixKind::StructureFromText
        };
        self.fixed(kind, &FoundValue::Text(&value), "the JSON in it", place);
        self.state.notes_mut().layers += 1;
        let document = JsonDocument::parse(&text);
        let (fit, checked) = self.check_inside(&document, place);
        self.state.notes_mut().layers -= 1;
        let Some((checked, forms)) = checked else {
            let path = self.state.notes_mut().broken.take();
            let path = path.unwrap_or_else(|| self.path());
            let secret = place.secret || place.schema.holds_secret();
            if let Some(issue) = explain(&text, path, secret) {
                self.state.push(issue);
            }
            return PlaceFit::Bad;
        };
        if fit.is_good() {
            self.change(node, ChangeKind::Replace(checked));
            self.forms
                .extend(forms.into_iter().rev().map(|form| (node, form)));
        }
        fit
    }

    /// Whether a string may contain a value for this place.
    pub(super) fn may_hold_json(&mut self, value: &str, place: ValuePlace<'_>) -> bool {
        self.json_in(value, place).is_some()
    }

    fn json_in<'v>(&mut self, value: &'v str, place: ValuePlace<'_>) -> Option<Cow<'v, str>> {
        if !self.repairs() || self.state.notes_mut().layers >= LAYERS {
            return None;
        }
        let mut text = Cow::Borrowed(value.trim());
        if self.is_root() && text.starts_with('"') {
            // The whole was encoded twice.
            text = Cow::Owned(serde_json::from_str::<String>(&text).ok()?);
        }
        let fits = match &place.schema.kind {
            Kind::List(_) | Kind::Tuple(_) => text.starts_with('['),
            Kind::Map(_) => text.starts_with(['{', '[']),
            Kind::Object(_) => text.starts_with('{'),
            Kind::Union(Union { tagging, .. }) => {
                *tagging != Tagging::None && text.starts_with('{')
            }
            Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_) => false,
        };
        fits.then_some(text)
    }
}
