//! Rules on a value of any form.

use serde_json::Value;

use super::super::{
    checker::Checker, numbers::number_fits, place::ValuePlace, trouble::IssueSubject,
    values::canonical,
};
use crate::{
    json::NodeForm,
    report::IssueKind,
    schema::{
        Condition, ExtraRule, Kind, NOTHING, Schema, Tagging, expected,
        foreign::{is_of, type_of},
        has_form, listed,
    },
};

impl<'a> Checker<'a> {
    /// Checks the rules of a place.
    pub(super) fn follow(&mut self, place: ValuePlace<'a>, is_good: bool) -> bool {
        let rules = place.schema.rules();
        let is_first = |rule: &&ExtraRule| {
            matches!(
                rule,
                ExtraRule::Never(_) | ExtraRule::Null | ExtraRule::Values(_)
            )
        };
        for rule in rules.iter().filter(is_first) {
            if !self.follow_rule(rule, place, is_good) {
                return false;
            }
        }
        let mut follows = true;
        for rule in rules.iter().filter(|rule| !is_first(rule)) {
            follows &= self.follow_rule(rule, place, is_good && follows);
        }
        follows
    }

    fn follow_rule(&mut self, rule: &'a ExtraRule, place: ValuePlace<'a>, is_good: bool) -> bool {
        let node = place.node;
        let document = self.document;
        let form = document.form(node);
        match rule {
            ExtraRule::Never(name) => {
                let is_meant = name.is_none_or(|name| is_form_of(form, name));
                if is_meant && place.schema.nullable && place.schema.takes_nothing() {
                    self.rule_fault(IssueKind::WrongType, place);
                } else if is_meant {
                    self.issue(IssueKind::Invalid, NOTHING, "");
                }
                !is_meant
            }
            ExtraRule::Null => {
                if form != NodeForm::Null {
                    self.rule_fault(IssueKind::WrongType, place);
                }
                form == NodeForm::Null
            }
            ExtraRule::Values(values) => self.follow_values(values, place),
            ExtraRule::NumberEnds(ends) => {
                let fits = match self.value(node) {
                    Value::Number(number) => number_fits(ends, &number),
                    _ => true,
                };
                if !fits {
                    self.rule_fault(IssueKind::OutOfRange, place);
                }
                fits
            }
            ExtraRule::All(schemas) => {
                let mut all = true;
                for schema in schemas {
                    all &= self.report(node, schema, place);
                }
                all
            }
            ExtraRule::Fits(number) => match self.rules.definition(*number) {
                Some(schema) => self.report(node, schema, place),
                None => true,
            },
            ExtraRule::Forms { forms, only } => {
                let forms: Vec<&Schema> = forms.iter().collect();
                self.follow_forms(&forms, *only, 0, place)
            }
            ExtraRule::OnlyOne { nulls } => {
                let Kind::Union(union) = &place.schema.kind else {
                    return true;
                };
                let forms: Vec<&Schema> = union.contents().collect();
                self.follow_forms(&forms, true, *nulls, place)
            }
            ExtraRule::Not { form, words } => {
                let fits = self.count_faults(node, form, place) == 0;
                if fits {
                    self.issue(IssueKind::Invalid, words.clone(), "");
                }
                !fits
            }
            ExtraRule::If(condition) => self.follow_condition(condition, place, is_good),
            ExtraRule::Definitions(_) => true,
            _ if form == NodeForm::List => self.follow_of_list(rule, place, is_good),
            _ if form == NodeForm::Object => self.follow_of_object(rule, place, is_good),
            _ => true,
        }
    }

    fn follow_values(&mut self, values: &[Value], place: ValuePlace<'a>) -> bool {
        let value = self.value(place.node);
        let text = canonical(&value);
        if values.iter().any(|choice| canonical(choice) == text) {
            return true;
        }
        let is_near = values.iter().any(|choice| is_of(&value, type_of(choice)));
        let kind = if is_near {
            IssueKind::NotAChoice
        } else {
            IssueKind::WrongType
        };
        let words = (listed(values).into(), self.found_words(place).into());
        self.issue_about(IssueSubject::Value(place.node), kind, words, place);
        false
    }

    fn follow_condition(
        &mut self,
        condition: &'a Condition,
        place: ValuePlace<'a>,
        is_good: bool,
    ) -> bool {
        let fits = self.count_faults(place.node, &condition.test, place) == 0;
        let branch = if fits {
            &condition.then
        } else if is_good {
            &condition.otherwise
        } else {
            // The test may only fail because of another fault.
            &None
        };
        match branch {
            Some(branch) => self.report(place.node, branch, place),
            None => true,
        }
    }

    /// Checks that a value fits one of several forms, or just one of them and of some that are null.
    fn follow_forms(
        &mut self,
        forms: &[&'a Schema],
        only: bool,
        nulls: usize,
        place: ValuePlace<'a>,
    ) -> bool {
        let node = place.node;
        let form = self.document.form(node);
        let mut fits = if form == NodeForm::Null { nulls } else { 0 };
        // The form of the same type with the fewest faults explains best what is wrong.
        let mut nearest: Option<(usize, &'a Schema)> = None;
        for schema in forms.iter().copied() {
            let faults = self.count_faults(node, schema, place);
            fits += usize::from(faults == 0);
            if fits > usize::from(only) {
                break;
            }
            let is_nearer = nearest.is_none_or(|(least, _)| faults < least);
            if is_nearer && self.is_for(schema, form) {
                nearest = Some((faults, schema));
            }
        }
        match nearest {
            _ if fits == 1 || fits > 0 && !only => return true,
            Some((_, schema)) if fits == 0 => {
                self.report(node, schema, place);
            }
            _ if fits == 0 => self.rule_fault(IssueKind::NoVariant, place),
            _ => {
                let count = forms.len() + nulls;
                let words = expected(place.schema);
                let words = format!("{words}, in exactly one of {count} forms");
                let found = format!("{}, which fits more than one", self.found_words(place));
                let (subject, kind) = (IssueSubject::Value(node), IssueKind::NoVariant);
                self.issue_about(subject, kind, (words.into(), found.into()), place);
            }
        }
        false
    }

    /// Whether a form is for values of this form.
    fn is_for(&self, schema: &'a Schema, form: NodeForm) -> bool {
        let mut schema = schema;
        for _ in 0..8 {
            if !schema.is_inside_itself() {
                break;
            }
            match self.definition(schema.number()) {
                Some(definition) => schema = definition,
                None => break,
            }
        }
        if form == NodeForm::Null {
            return schema.nullable;
        }
        match &schema.kind {
            _ if schema.is_loose() => form == NodeForm::Object,
            Kind::Any => form == NodeForm::Object && !schema.takes_nothing(),
            Kind::Union(rules) if rules.tagging == Tagging::None => {
                rules.contents().any(|content| self.is_for(content, form))
            }
            Kind::Map(_) => form == NodeForm::Object,
            _ => has_form(form.form(), schema),
        }
    }
}

/// Whether a form of a value is that of a type.
fn is_form_of(form: NodeForm, name: &str) -> bool {
    let own = match form {
        NodeForm::Null => "null",
        NodeForm::Boolean(_) => "boolean",
        NodeForm::Number => "number",
        NodeForm::Text(_) => "string",
        NodeForm::List => "array",
        NodeForm::Object => "object",
    };
    own == name
}
