//! The variants that a value may mean, judged by its form and its keys.

use std::{borrow::Cow, cell::OnceCell};

use super::names::is_meant;
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    policy::Policy,
    schema::{
        Kind, Schema, Tagging, Union, Unknown, Variant, declares, field_by_case, has_form,
        is_safe_name,
    },
};

/// The keys of a value, which show the meant variant of an untagged union.
pub(super) struct FormKeys<'a> {
    document: &'a JsonDocument<'a>,
    pub(super) node: NodeId,
    pub(super) rules: &'a Union,
    entries: Vec<(Cow<'a, str>, NodeId)>,
    /// Whether a misspelt key counts too.
    guards: bool,
    misspelt: OnceCell<Vec<usize>>,
}

/// The rules for looking at keys.
#[derive(Clone, Copy)]
pub(super) struct KeyLook {
    /// Whether a key with null counts. It does not in a strict form, which has null at all keys of the other variants.
    pub(super) nulls: bool,
    /// Whether a key in another case is read.
    pub(super) cases: bool,
}

impl<'a> FormKeys<'a> {
    pub(super) fn new(
        document: &'a JsonDocument<'a>,
        node: NodeId,
        rules: &'a Union,
        policy: &Policy,
    ) -> Self {
        let entries = document.entries(node);
        let entries = entries.map(|(key, name)| (name, key + 1)).collect();
        Self {
            document,
            node,
            rules,
            entries,
            guards: policy.guards_names(),
            misspelt: OnceCell::new(),
        }
    }

    fn form(&self) -> NodeForm {
        self.document.form(self.node)
    }

    fn is_null(&self, value: NodeId) -> bool {
        self.document.form(value) == NodeForm::Null
    }

    pub(super) fn has_null(&self) -> bool {
        self.entries.iter().any(|(_, value)| self.is_null(*value))
    }

    fn get(&self, name: &str) -> Option<NodeId> {
        self.entries
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }

    /// The keys that this variant would drop, although another variant declares them or they may mean a parameter. They
    /// show that this variant was not meant.
    pub(super) fn foreign_keys(
        &self,
        variant: &Variant,
        look: KeyLook,
    ) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().enumerate();
        let foreign = entries.filter(move |(number, (key, value))| {
            (look.nulls || !self.is_null(*value))
                && self.is_foreign(*number, key, *value, variant, look)
        });
        foreign.map(|(_, (key, _))| &**key)
    }

    fn is_foreign(
        &self,
        number: usize,
        key: &str,
        value: NodeId,
        variant: &Variant,
        look: KeyLook,
    ) -> bool {
        let content = variant.content.as_deref();
        let own = content.map_or(Some(false), |content| declares(content, key));
        let keeps = own.is_none() && content.is_some_and(keeps_any);
        if own == Some(true) || own.is_none() && !keeps {
            return false;
        }
        let mut variants = self.rules.variants.iter();
        if variants.any(|other| is_declared(key, other) == Some(true)) {
            // An open form keeps a value, but the null of a strict form has no meaning.
            return !keeps || self.is_null(value);
        }
        !self.is_null(value)
            && self.misspelt().contains(&number)
            && !(look.cases && self.may_mean(variant, key))
    }

    /// The numbers of the keys that no variant declares and that may mean a parameter of one.
    fn misspelt(&self) -> &[usize] {
        self.misspelt.get_or_init(|| {
            if !self.guards {
                return Vec::new();
            }
            let entries = self.entries.iter().enumerate();
            let misspelt = entries.filter(|(_, (key, value))| {
                let variants = || self.rules.variants.iter();
                !self.is_null(*value)
                    && !variants().any(|variant| names(variant, key))
                    && variants().any(|variant| self.may_mean(variant, key))
            });
            misspelt.map(|(number, _)| number).collect()
        })
    }

    fn may_mean(&self, variant: &Variant, key: &str) -> bool {
        let content = variant.content.as_deref();
        content.is_some_and(|content| self.may_be_field(content, key))
    }

    /// Whether a key is a field of a schema or of one of its forms in another case, or resembles a field that was not
    /// given.
    fn may_be_field(&self, schema: &Schema, key: &str) -> bool {
        match &schema.kind {
            Kind::Union(inner) if inner.tagging == Tagging::None => inner
                .contents()
                .any(|content| self.may_be_field(content, key)),
            Kind::Object(rules) if rules.unknown != Unknown::Ignore => {
                let is_given = |name: &str| self.get(name).is_some();
                let mut fields = rules.all_fields();
                field_by_case(rules, key).is_some()
                    || fields.any(|field| {
                        let is_free = !is_given(field.name.part())
                            && !field.aliases.iter().any(|name| is_given(name));
                        is_free && is_meant(key, field)
                    })
            }
            _ => false,
        }
    }

    /// The number of keys that another variant declares and this one does not, though it may take them.
    pub(super) fn count_undeclared(&self, variant: &Variant) -> usize {
        let entries = self.entries.iter().enumerate();
        let undeclared = entries.filter(|(number, (key, value))| {
            let is_own = names(variant, key) || self.may_mean(variant, key);
            let mut others = self.rules.variants.iter();
            !self.is_null(*value)
                && !is_own
                && (others.any(|other| names(other, key)) || self.misspelt().contains(number))
        });
        undeclared.count()
    }
}

/// Whether an object keeps keys that it does not declare.
fn keeps_any(schema: &Schema) -> bool {
    matches!(&schema.kind, Kind::Object(rules) if rules.extra.is_none())
}

/// Whether a variant or one of its forms declares a key.
fn names(variant: &Variant, key: &str) -> bool {
    let content = variant.content.as_deref();
    content.is_some_and(|content| names_key(content, key))
}

fn is_declared(key: &str, variant: &Variant) -> Option<bool> {
    match &variant.content {
        Some(content) => declares(content.part(), key),
        None => Some(false),
    }
}

/// Whether a schema or one of its forms declares a key.
fn names_key(schema: &Schema, key: &str) -> bool {
    match &schema.kind {
        Kind::Union(inner) if matches!(inner.tagging, Tagging::None) => {
            inner.contents().any(|content| names_key(content, key))
        }
        _ => declares(schema, key) == Some(true),
    }
}

/// Whether a value may fit without a conversion, judged by its form and the form of its fields. This needs no check, so
/// most variants are excluded quickly.
pub(super) fn may_fit(form: &FormKeys<'_>, schema: &Schema) -> bool {
    if !has_form(form.form().form(), schema) {
        return false;
    }
    if form.form() != NodeForm::Object || !matches!(schema.kind, Kind::Object(_)) {
        return true;
    }
    let mut fields = schema.fields();
    fields.all(|field| match form.get(field.name.part()) {
        Some(value) => {
            form.is_null(value) || has_form(form.document.form(value).form(), field.schema.part())
        }
        // The field may be there under another name.
        None => !field.required || !is_safe_name(&field.name),
    })
}

pub(super) fn same_form(form: &FormKeys<'_>, variant: &Variant) -> bool {
    let Some(content) = &variant.content else {
        return false;
    };
    match form.form() {
        NodeForm::Object => matches!(
            content.kind,
            Kind::Object(_) | Kind::Map(_) | Kind::Union(_)
        ),
        NodeForm::List => matches!(content.kind, Kind::List(_) | Kind::Tuple(_)),
        NodeForm::Text(_) => {
            matches!(content.kind, Kind::Text(_))
        }
        NodeForm::Number => matches!(content.kind, Kind::Integer(_) | Kind::Number(_)),
        NodeForm::Boolean(_) => matches!(content.kind, Kind::Boolean),
        NodeForm::Null => false,
    }
}
