//! How a fault can be mended. A hint is a change of one node that was tried: the changed value fits its place.

use std::borrow::Cow;

use super::state::CheckState;
use super::{
    change::{ChangeKind, NodeChange},
    checker::Checker,
    place::{PlaceFit, ValuePlace},
    render::render,
    scalar::quote_json,
    single_items::{may_be_several_or_none, means_nothing},
    trouble::{CheckTrouble, IssueSubject},
};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    policy::Policy,
    report::{IssueKind, Path},
    schema::{Field, Kind, Object, Schema, Tagging, Union},
    text::{cut, meant_by, nearest, quoted, ticked},
};

impl<'a> Checker<'a> {
    /// Adds hints to the issues of this document.
    pub(super) fn add_hints(&mut self) {
        if self.state.quiet || self.troubles.is_empty() {
            return;
        }
        let Some(notes) = self.state.notes_if_any() else {
            return;
        };
        let issues = &mut notes.issues;
        let own: Vec<(usize, IssueKind, usize)> = issues
            .iter()
            .enumerate()
            .filter(|(_, issue)| {
                let replaces = matches!(issue.kind, IssueKind::UnknownKey | IssueKind::Length);
                issue.hint.is_none() || replaces
            })
            .filter_map(|(number, issue)| {
                let trouble = issue.clue.trouble?.checked_sub(self.first_trouble)?;
                Some((number, issue.kind, trouble))
            })
            .collect();
        let mut used = Vec::new();
        for (number, kind, trouble) in own.into_iter().take(HINTED) {
            let Some(trouble) = self.troubles.get(trouble).copied() else {
                continue;
            };
            let hint = self.hint(kind, trouble, &mut used);
            let is_left_out = hint.is_none() && self.means_nothing(trouble);
            let issues = &mut self.state.notes_mut().issues;
            let Some(issue) = issues.get_mut(number) else {
                continue;
            };
            if let Some(hint) = hint {
                issue.hint = Some(Cow::Owned(hint));
                issue.clue.is_tried = true;
            } else if is_left_out && let Some(steps) = trouble.place.leave {
                issue.hint = Some(leave_out(&issue.path, steps));
                issue.clue.may_be_left_out = true;
            }
        }
    }

    fn hint(
        &mut self,
        kind: IssueKind,
        trouble: CheckTrouble<'a>,
        used: &mut Vec<NodeId>,
    ) -> Option<String> {
        if self.trials == 0 {
            return None;
        }
        let CheckTrouble { subject, place } = trouble;
        match (kind, subject) {
            (
                IssueKind::Missing,
                IssueSubject::Missing {
                    object,
                    field,
                    rules,
                },
            ) => self
                .hint_unwrap(object, field, rules)
                .filter(|_| !place.secret)
                .or_else(|| self.hint_rename_to(object, field, place, used)),
            (IssueKind::UnknownKey, IssueSubject::UnknownKey { object, key, rules }) => {
                self.hint_rename_from(object, key, rules, place)
            }
            (IssueKind::UnknownKey, IssueSubject::VariantKey { key, rules }) => {
                self.hint_variant_key(key, rules, place)
            }
            (IssueKind::NotAChoice, IssueSubject::Tag { object, tag, rules }) => {
                self.hint_tag(object, tag, rules, place)
            }
            (IssueKind::NotAChoice, IssueSubject::Value(node)) => self
                .hint_choice(node, place)
                .or_else(|| self.hint_value(node, place)),
            (
                IssueKind::WrongType | IssueKind::NotAnObject | IssueKind::NoVariant,
                IssueSubject::Value(node),
            ) => self.hint_value(node, place),
            _ => None,
        }
    }

    /// The variant that a key means, if the value of the key fits it.
    fn hint_variant_key(
        &mut self,
        key: NodeId,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> Option<String> {
        let written = self.document.string(key)?;
        let carrying = rules
            .variants
            .iter()
            .filter(|variant| variant.content.is_some());
        let name = nearest(&written, carrying.map(|variant| variant.name.part()))?;
        let variant = rules
            .variants
            .iter()
            .find(|variant| *variant.name == *name)?;
        let content = place.required().below(variant.content.as_deref()?);
        self.node_fits(key + 1, content)
            .then(|| format!("did you mean {}?", ticked(name)))
    }

    /// Whether an issue is about a value that models write for a parameter that they do not want to give.
    fn means_nothing(&self, trouble: CheckTrouble<'a>) -> bool {
        let IssueSubject::Value(node) = trouble.subject else {
            return false;
        };
        let document = self.document;
        match document.form(node) {
            NodeForm::Null => true,
            NodeForm::Text(_) => document
                .string(node)
                .is_some_and(|text| means_nothing(&text)),
            NodeForm::List => document.items(node).next().is_none(),
            NodeForm::Object => document.keys(node).next().is_none(),
            NodeForm::Boolean(_) | NodeForm::Number => false,
        }
    }

    /// Whether a text fits a place. Nothing of the trial is kept.
    fn fits(&mut self, text: &str, place: ValuePlace<'a>) -> bool {
        if self.trials == 0 {
            return false;
        }
        self.trials -= 1;
        let document = JsonDocument::parse(text);
        if document.broken_at().is_some() || document.is_empty() {
            return false;
        }
        let mut state = CheckState::new(self.policy());
        state.quiet = true;
        let outer = std::mem::replace(&mut self.state, state);
        let place = ValuePlace {
            tag_key: None,
            ..place.required()
        };
        let (fit, _) = self.check_inside(&document, place);
        let state = std::mem::replace(&mut self.state, outer);
        fit.is_good() && state.count() == 0
    }

    /// Whether the value of a node fits a place. Nothing of the trial is kept.
    pub(super) fn node_fits(&mut self, node: NodeId, place: ValuePlace<'a>) -> bool {
        self.fits_under(self.policy(), node, place)
    }

    /// Whether the value of a node fits a place without a conversion.
    pub(super) fn fits_as_it_is(&mut self, node: NodeId, place: ValuePlace<'a>) -> bool {
        self.fits_under(self.policy().for_form(), node, place)
    }

    fn fits_under(&mut self, policy: Policy, node: NodeId, place: ValuePlace<'a>) -> bool {
        if self.trials == 0 {
            return false;
        }
        self.trials -= 1;
        let mut state = CheckState::new(policy);
        state.quiet = true;
        let outer = std::mem::replace(&mut self.state, state);
        let (mark, troubles) = ((self.changes.len(), self.forms.len()), self.troubles.len());
        let fit = self.check(node, place);
        self.take_back(mark);
        self.troubles.truncate(troubles);
        let state = std::mem::replace(&mut self.state, outer);
        fit != PlaceFit::Bad && state.count() == 0
    }

    /// What a value of another type may be meant as.
    fn hint_value(&mut self, node: NodeId, place: ValuePlace<'a>) -> Option<String> {
        let document = self.document;
        let written = document.written(node);
        let takes = |fits: fn(&Kind) -> bool| takes_kind(place.schema, fits);
        let takes_list = takes(|kind| matches!(kind, Kind::List(_)));
        let form = document.form(node);
        match form {
            NodeForm::Null => None,
            NodeForm::Text(_) => {
                let text = document.string(node)?;
                if means_nothing(&text) && place.is_keyed {
                    return None;
                }
                if holds_json(&text) && (begins_list(&text) || !takes_list) {
                    return self
                        .fits(&text, place)
                        .then(|| "send it without the quotes around it".to_owned());
                }
                (takes_list
                    && !may_be_several_or_none(&text)
                    && self.fits(&format!("[{written}]"), place))
                .then(|| ONLY_ITEM.to_owned())
            }
            NodeForm::Number | NodeForm::Boolean(_)
                if takes(|kind| matches!(kind, Kind::Text(_))) =>
            {
                self.fits(&format!("\"{written}\""), place)
                    .then(|| "put it in quotes".to_owned())
            }
            NodeForm::Number | NodeForm::Boolean(_) | NodeForm::Object => (takes_list
                && self.fits(&format!("[{written}]"), place))
            .then(|| ONLY_ITEM.to_owned()),
            NodeForm::List => {
                let item = document.single_item(node)?;
                self.fits(document.written(item), place)
                    .then(|| "send it alone, without a list".to_owned())
            }
        }
    }

    /// The value of a closed list that another one resembles.
    fn hint_choice(&mut self, node: NodeId, place: ValuePlace<'a>) -> Option<String> {
        if place.secret {
            return None;
        }
        let text = self.document.string(node)?;
        let mut names = Vec::new();
        add_names(place.schema, &mut names);
        let name = nearest(&text, names)?;
        self.fits(&quote_json(name), place)
            .then(|| format!("did you mean {}?", quoted(name)))
    }

    /// The name of a variant that the value of a tag resembles.
    fn hint_tag(
        &mut self,
        object: NodeId,
        tag: NodeId,
        rules: &'a Union,
        place: ValuePlace<'a>,
    ) -> Option<String> {
        if place.secret {
            return None;
        }
        let text = self.document.string(tag)?;
        let names = rules.variants.iter().map(|variant| variant.name.part());
        let name = nearest(&text, names)?;
        let kind = ChangeKind::Replace(quote_json(name));
        let changed = render(self.document, &[NodeChange { node: tag, kind }], object);
        self.fits(&changed, place)
            .then(|| format!("did you mean {}?", quoted(name)))
    }

    /// A key of any name whose object contains a field that is missing beside it.
    fn hint_unwrap(&mut self, object: NodeId, field: &Field, rules: &'a Object) -> Option<String> {
        let document = self.document;
        let index = self.index(rules);
        let holds = |name: &str, value: NodeId| -> Option<String> {
            let (value, way) = match document.single_item(value) {
                Some(item) => (item, format!("{}[0]", cut(name, 64))),
                None => (value, cut(name, 64)),
            };
            if document.form(value) == NodeForm::Object {
                document.get(value, field.name.part())?;
                return Some(format!("found inside `{way}`: send it without that"));
            }
            let text = document.string(value).filter(|text| holds_json(text))?;
            let inside = JsonDocument::parse(&text);
            inside.get(0, field.name.part())?;
            Some(format!(
                "found in the text of `{way}`: send it without that"
            ))
        };
        let mut entries = document.entries(object).take(KEYS);
        entries.find_map(|(key, name)| match index.find(0, &name) {
            Some(_) => None,
            None => holds(&name, key + 1),
        })
    }

    /// A key beside a missing field that nothing takes and that resembles it, and no other missing field as much.
    fn hint_rename_to(
        &mut self,
        object: NodeId,
        field: &'a Field,
        place: ValuePlace<'a>,
        used: &mut Vec<NodeId>,
    ) -> Option<String> {
        let document = self.document;
        let Kind::Object(rules) = &place.schema.kind else {
            return None;
        };
        let index = self.index(rules);
        let given: Vec<(NodeId, Cow<'a, str>)> = document.entries(object).collect();
        let is_given = |name: &str| given.iter().any(|(_, key)| key == name);
        let missing = index
            .fields
            .iter()
            .filter(|other| other.required && !is_given(&other.name));
        let missing: Vec<&str> = missing.map(|other| other.name.part()).take(KEYS).collect();
        let name = field.name.part();
        let unclaimed = given
            .iter()
            .filter(|(key, written)| !used.contains(key) && index.find(0, written).is_none());
        let (key, from) = unclaimed.take(KEYS).find(|(_, written)| {
            meant_by(written, [name]).is_some()
                && meant_by(written, missing.iter().copied()) == Some(name)
        })?;
        used.push(*key);
        self.node_fits(key + 1, place.field(field)).then(|| {
            format!(
                "`{}` was given: rename it to {}",
                cut(from, 64),
                ticked(name)
            )
        })
    }

    /// The declared name that an unknown key resembles, which is not given.
    fn hint_rename_from(
        &mut self,
        object: NodeId,
        key: NodeId,
        rules: &'a Object,
        place: ValuePlace<'a>,
    ) -> Option<String> {
        let document = self.document;
        let written = document.string(key)?;
        let index = self.index(rules);
        let is_given = |name: &str| document.keys(object).any(|key| document.is_key(key, name));
        let mut free = index.names_near(&written);
        free.retain(|name| !is_given(name));
        let name = meant_by(&written, free)?;
        let field = index.fields.iter().find(|field| field.name == *name)?;
        self.node_fits(key + 1, place.field(field))
            .then(|| format!("did you mean {}?", ticked(name)))
    }

    /// Notes what an issue is about, for its hint.
    pub(super) fn note_trouble(
        &mut self,
        subject: IssueSubject<'a>,
        place: ValuePlace<'a>,
    ) -> Option<usize> {
        if self.state.quiet {
            return None;
        }
        self.troubles.push(CheckTrouble { subject, place });
        Some(self.first_trouble + self.troubles.len() - 1)
    }
}

/// The hint that a value, or the nearest one around it that is optional, may be left out.
pub(super) fn leave_out(path: &Path, steps: usize) -> Cow<'static, str> {
    if steps == 0 {
        return Cow::Borrowed("send one, or leave it out");
    }
    let all = path.steps();
    let around: Path = all
        .iter()
        .take(all.len() - steps.min(all.len()))
        .cloned()
        .collect();
    format!("send one, or leave out `{around}`").into()
}

const ONLY_ITEM: &str = "send it as the only item of a list";

/// The most issues that get a hint.
const HINTED: usize = 64;

/// The most keys of an object that are compared with a missing field.
const KEYS: usize = 64;

/// Whether a schema, or a form of an untagged union, is of a kind.
fn takes_kind(schema: &Schema, fits: fn(&Kind) -> bool) -> bool {
    match &schema.kind {
        Kind::Union(rules) if rules.tagging == Tagging::None => {
            rules.contents().any(|content| takes_kind(content, fits))
        }
        kind => fits(kind),
    }
}

/// Adds the names of closed lists and of variants that a value may be.
fn add_names<'s>(schema: &'s Schema, names: &mut Vec<&'s str>) {
    match &schema.kind {
        Kind::Text(rules) => names.extend(rules.choices.iter().map(|choice| choice.name.part())),
        Kind::Union(rules) => match rules.tagging {
            Tagging::None => rules
                .contents()
                .for_each(|content| add_names(content, names)),
            Tagging::External => {
                names.extend(rules.variants.iter().map(|variant| variant.name.part()));
            }
            Tagging::Internal { .. } | Tagging::Adjacent { .. } => {}
        },
        _ => {}
    }
}

fn begins_list(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Whether a text is JSON, and neither a text again nor null.
fn holds_json(text: &str) -> bool {
    let document = JsonDocument::parse(text);
    document.broken_at().is_none()
        && !document.is_empty()
        && matches!(
            document.form(0),
            NodeForm::Boolean(_) | NodeForm::Number | NodeForm::List | NodeForm::Object
        )
}
