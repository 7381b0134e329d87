//! The variants that a value may mean, judged by its form and its keys.

use std::cell::OnceCell;

use serde_json::Value;

use super::super::{input::form_of, keys::is_meant};
use crate::{
    json::Form,
    policy::Policy,
    schema::{
        Field, Kind, Schema, Tagging, Union as Rules, Unknown, Variant, field_by_case, is_safe_name,
    },
    text::is_equal,
};

/// The keys of a value, which show the meant variant of an untagged union.
pub(super) struct Given<'a> {
    pub(super) value: &'a Value,
    pub(super) rules: &'a Rules,
    /// Whether a misspelt key counts too.
    guards: bool,
    misspelt: OnceCell<Vec<&'a str>>,
}

/// The rules for looking at keys.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    /// Whether a key with null counts. It does not in a strict form, which has null at all keys of the other variants.
    pub(super) nulls: bool,
    /// Whether a key in another case is read.
    pub(super) cases: bool,
}

impl<'a> Given<'a> {
    pub(super) fn new(value: &'a Value, rules: &'a Rules, policy: &Policy) -> Self {
        Self {
            value,
            rules,
            guards: policy.guards_names(),
            misspelt: OnceCell::new(),
        }
    }

    fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value)> + use<'a> {
        let entries = self.value.as_object().into_iter().flatten();
        entries.map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn has_null(&self) -> bool {
        self.entries().any(|(_, value)| value.is_null())
    }

    /// The keys that this variant would drop, although another variant declares them or they may mean a parameter. They
    /// show that this variant was not meant.
    pub(super) fn strangers(&self, variant: &Variant, look: Look) -> impl Iterator<Item = &'a str> {
        let strange = self.entries().filter(move |(key, value)| {
            (look.nulls || !value.is_null()) && self.is_stranger(key, value, variant, look)
        });
        strange.map(|(key, _)| key)
    }

    fn is_stranger(&self, key: &str, value: &Value, variant: &Variant, look: Look) -> bool {
        let content = variant.content.as_deref();
        let own = content.map_or(Some(false), |content| declares(content, key));
        let keeps = own.is_none() && content.is_some_and(keeps_any);
        if own == Some(true) || own.is_none() && !keeps {
            return false;
        }
        let mut variants = self.rules.variants.iter();
        if variants.any(|other| is_declared(key, other) == Some(true)) {
            // An open form keeps a value, but the null of a strict form has no meaning.
            return !keeps || value.is_null();
        }
        !value.is_null()
            && self.misspelt().contains(&key)
            && !(look.cases && self.may_mean(variant, key))
    }

    /// The keys that no variant declares and that may mean a parameter of one.
    fn misspelt(&self) -> &[&'a str] {
        self.misspelt.get_or_init(|| {
            if !self.guards {
                return Vec::new();
            }
            let given = self.entries().filter(|(key, value)| {
                let mut variants = self.rules.variants.iter();
                !value.is_null() && !variants.any(|variant| names(variant, key))
            });
            let misspelt = given.filter(|(key, _)| {
                let mut variants = self.rules.variants.iter();
                variants.any(|variant| self.may_mean(variant, key))
            });
            misspelt.map(|(key, _)| key).collect()
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
            Kind::Union(inner) if inner.tagging == Tagging::None => {
                let mut forms = inner.contents();
                forms.any(|content| self.may_be_field(content, key))
            }
            Kind::Object(rules) if rules.unknown != Unknown::Ignore => {
                let is_given = |name: &str| self.value.get(name).is_some();
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
    pub(super) fn undeclared(&self, variant: &Variant) -> usize {
        let given = self.entries().filter(|(_, value)| !value.is_null());
        given
            .filter(|(key, _)| {
                let is_own = names(variant, key) || self.may_mean(variant, key);
                let mut others = self.rules.variants.iter();
                !is_own && (others.any(|other| names(other, key)) || self.misspelt().contains(key))
            })
            .count()
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

pub(super) fn is_declared(key: &str, variant: &Variant) -> Option<bool> {
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

/// Whether an object declares a key; `None` for a schema that may take any key.
pub(super) fn declares(schema: &Schema, key: &str) -> Option<bool> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
    let declared = |field: &Field| {
        is_equal(field.name.part().as_bytes(), key.as_bytes())
            || field.aliases.contains(&key)
            || rules.is_safe_name_of(field, key)
    };
    if rules.walk().any(declared) {
        Some(true)
    } else if rules.extra.is_some() || rules.unknown == Unknown::Keep {
        None
    } else {
        Some(false)
    }
}

/// Whether a value may be read without a conversion, judged by its form and the form of its fields. This needs no
/// reader, so most variants are excluded quickly.
pub(super) fn may_fit(value: &Value, schema: &Schema) -> bool {
    if !has_form(form_of(value), schema) {
        return false;
    }
    let (Value::Object(map), Kind::Object(_)) = (value, &schema.kind) else {
        return true;
    };
    let mut fields = schema.fields();
    fields.all(|field| match map.get(field.name.part()) {
        Some(value) => value.is_null() || has_form(form_of(value), field.schema.part()),
        // The field may be there under another name.
        None => !field.required || !is_safe_name(&field.name),
    })
}

/// Whether the schema may take a value of this form without a conversion.
pub(super) fn has_form(form: Form, schema: &Schema) -> bool {
    if schema.is_loose() || form == Form::Null {
        return true;
    }
    match &schema.kind {
        Kind::Any | Kind::Union(_) => true,
        Kind::Boolean => matches!(form, Form::Boolean(_)),
        Kind::Integer(_) | Kind::Number(_) => form == Form::Number,
        Kind::Text(_) => form == Form::Text,
        Kind::List(_) | Kind::Tuple(_) => form == Form::List,
        // A list of pairs is another form of a map.
        Kind::Map(_) => matches!(form, Form::Object | Form::List),
        Kind::Object(_) => form == Form::Object,
    }
}

pub(super) fn same_form(value: &Value, variant: &Variant) -> bool {
    let Some(content) = &variant.content else {
        return false;
    };
    match value {
        Value::Object(_) => matches!(
            content.kind,
            Kind::Object(_) | Kind::Map(_) | Kind::Union(_)
        ),
        Value::Array(_) => matches!(content.kind, Kind::List(_) | Kind::Tuple(_)),
        Value::String(_) => matches!(content.kind, Kind::Text(_)),
        Value::Number(_) => matches!(content.kind, Kind::Integer(_) | Kind::Number(_)),
        Value::Bool(_) => matches!(content.kind, Kind::Boolean),
        Value::Null => false,
    }
}
