//! Several forms of one value.

use std::collections::HashSet;

use super::{SchemaParser, UNSAYABLE, kind::is_note, merge::are_apart};
use crate::schema::{
    Choice, ExtraRule, Field, Held, Integer, Kind, Object, Schema, Tagging, Text, Union, Unknown,
    Variant, is_safe_name, json::JsonValue,
};

impl<'a> SchemaParser<'a> {
    /// The members of `anyOf`, or those of `oneOf`, of which `only` one may fit.
    pub(super) fn union(&mut self, members: &'a [JsonValue], only: bool, depth: usize) -> Schema {
        let keyword = if only { "oneOf" } else { "anyOf" };
        let nulls = members.iter().filter(|member| is_null(member)).count();
        let forms = members.iter().enumerate();
        let forms = forms.filter(|(_, member)| !is_null(member));
        let forms = forms
            .map(|(index, member)| self.below(&[keyword, &index.to_string()], member, depth + 1));
        let forms: Vec<Schema> = forms.collect();
        let nullable = forms.iter().filter(|form| form.nullable).count();
        let mut overlapping = None;
        if forms.is_empty() {
            self.widen();
            self.notes.push("null".to_owned());
            self.rules.push(ExtraRule::Null);
        } else if only && (nulls + nullable > 1 || !exclude_each_other(&forms)) {
            self.widen();
            self.unsaid.note(&self.path, keyword, UNSAYABLE);
            self.notes.push("exactly one of these forms".to_owned());
            overlapping = Some(forms.clone());
        }
        let mut union = Self::one_of_forms(forms);
        if let Some(mut forms) = overlapping {
            self.rules.push(match &union.kind {
                Kind::Union(rules) if rules.tagging == Tagging::None => {
                    ExtraRule::OnlyOne { nulls }
                }
                _ => {
                    forms.extend((0..nulls).map(|_| null()));
                    ExtraRule::Forms { forms, only }
                }
            });
        }
        let takes_any = matches!(union.kind, Kind::Any) && !union.is_inside_itself();
        union.nullable |= nulls > 0 && !takes_any;
        union
    }

    /// One of these forms.
    pub(super) fn one_of_forms(mut forms: Vec<Schema>) -> Schema {
        let is_empty = |form: &Schema| form.takes_nothing() && !form.nullable && !form.is_loose();
        if forms.iter().all(is_empty) {
            forms.truncate(1);
        } else {
            forms.retain(|form| !is_empty(form));
        }
        if forms.len() == 1 {
            return forms.pop().unwrap_or_else(|| Schema::of(Kind::Any));
        }
        // A merged union does not keep the rules of its forms, nor where they lead.
        let says_more = |form: &Schema| !form.rules().is_empty() || form.is_inside_itself();
        let rules = forms.iter().any(says_more).then(|| {
            let forms = forms.clone();
            ExtraRule::Forms { forms, only: false }
        });
        let secret = forms.iter().any(|form| form.secret);
        // A form that takes any value makes the others pointless.
        if forms.is_empty() || forms.iter().any(|form| matches!(form.kind, Kind::Any)) {
            let mut any = Schema::of(Kind::Any);
            any.secret = secret;
            let takes_any = |form: &Schema| {
                matches!(form.kind, Kind::Any) && !form.takes_nothing() && !says_more(form)
            };
            if !forms.iter().any(takes_any) {
                any.add_rules(rules);
            }
            return any;
        }
        let null = forms.iter().any(|form| form.nullable);
        let loose = forms.iter().any(Schema::is_loose);
        let one = choices(&forms).or_else(|| around_zero(&forms));
        let mut is_merged = true;
        let (kind, secret) = match one.map(|kind| (kind, secret)) {
            Some(choices) => choices,
            None => tagged(&forms).unwrap_or_else(|| {
                is_merged = false;
                let variants = forms.into_iter().map(|form| variant("", Some(form)));
                (union(Tagging::None, variants.collect()), false)
            }),
        };
        let mut schema = Schema {
            nullable: null,
            secret,
            ..Schema::of(kind)
        };
        schema.set_loose(loose);
        schema.add_rules(rules.filter(|_| is_merged));
        schema
    }
}

/// A schema that only null fits.
fn null() -> Schema {
    let mut null = Schema::of(Kind::Any);
    null.nullable = true;
    null.set_takes_nothing();
    null.add_rules([ExtraRule::Null]);
    null
}

/// Whether a member of a union is only null.
pub(super) fn is_null(member: &JsonValue) -> bool {
    let name = member.get("type").map(|name| name.text() == Some("null"));
    let constant = member.get("const").map(|value| *value == JsonValue::Null);
    let plain =
        |(key, _): &(String, JsonValue)| matches!(key.as_str(), "type" | "const") || is_note(key);
    member
        .entries()
        .is_some_and(|entries| entries.iter().all(plain))
        && name.or(constant).is_some()
        && name.unwrap_or(true)
        && constant.unwrap_or(true)
}

/// Whether no value fits two of these forms.
fn exclude_each_other(forms: &[Schema]) -> bool {
    if forms.iter().any(Schema::is_loose) {
        return forms.len() == 1;
    }
    let list_others = |a: &Kind, b: &Kind| {
        let (Kind::Text(a), Kind::Text(b)) = (a, b) else {
            return false;
        };
        let (a, b) = (&a.choices, &b.choices);
        let are_shared = a
            .iter()
            .any(|one| b.iter().any(|other| other.name == one.name));
        !a.is_empty() && !b.is_empty() && !are_shared
    };
    let apart =
        |a: &Schema, b: &Schema| are_apart(&a.kind, &b.kind) || list_others(&a.kind, &b.kind);
    let mut pairs = forms.iter().enumerate();
    tagged(forms).is_some()
        || pairs.all(|(i, form)| forms.iter().take(i).all(|earlier| apart(earlier, form)))
}

fn union(tagging: Tagging, variants: Vec<Variant>) -> Kind {
    Kind::Union(Union {
        tagging,
        variants: variants.into(),
        unknown: Unknown::Keep,
    })
}

fn variant(name: &str, content: Option<Schema>) -> Variant {
    Variant::of(name.to_owned().into(), content.map(Held::from))
}

/// Lists of texts become one list, each value with its meaning.
fn choices(forms: &[Schema]) -> Option<Kind> {
    let mut all: Vec<Choice> = Vec::new();
    for form in forms {
        let Kind::Text(Text { choices, .. }) = &form.kind else {
            return None;
        };
        if choices.is_empty() {
            return None;
        }
        for choice in choices.iter() {
            let mut choice = choice.clone();
            if choice.description.is_empty() {
                choice.description = form.description.clone();
            }
            all.push(choice);
        }
    }
    Some(Kind::Text(Text {
        choices: all.into(),
        ..Text::ANY
    }))
}

/// The whole numbers without zero.
fn around_zero(forms: &[Schema]) -> Option<Kind> {
    let [below, above] = forms else {
        return None;
    };
    let (Kind::Integer(low), Kind::Integer(high)) = (&below.kind, &above.kind) else {
        return None;
    };
    let is_bare = |form: &Schema| form.description.is_empty() && !form.is_loose();
    let rules = Integer::around_zero(low, high).filter(|_| is_bare(below) && is_bare(above));
    rules.map(Kind::Integer)
}

/// Forms that a name tells apart, and whether that name is secret.
fn tagged(forms: &[Schema]) -> Option<(Kind, bool)> {
    external(forms)
        .or_else(|| adjacent(forms))
        .or_else(|| internal(forms))
}

/// Closed objects whose single key is the name of the variant, along with lists of bare names.
fn external(forms: &[Schema]) -> Option<(Kind, bool)> {
    let mut variants: Vec<Variant> = Vec::new();
    let (mut secret, mut carries) = (false, false);
    for form in forms {
        match &form.kind {
            Kind::Text(text) if !text.choices.is_empty() => {
                secret |= form.secret;
                variants.extend(text.choices.iter().map(|choice| Variant {
                    description: choice.description.clone(),
                    ..variant(&choice.name, None)
                }));
            }
            Kind::Object(object) if object.unknown == Unknown::Deny && object.extra.is_none() => {
                let [field] = object.fields.part() else {
                    return None;
                };
                if !is_safe_name(&field.name) {
                    return None;
                }
                carries = true;
                variants.push(carrying(&field.name, form, content(field)?));
            }
            _ => return None,
        }
    }
    let names = variants.iter().map(|variant| variant.name.part());
    (carries && are_distinct(names)).then(|| (union(Tagging::External, variants), secret))
}

/// Objects of a name and one content, with the same keys in all.
fn adjacent(forms: &[Schema]) -> Option<(Kind, bool)> {
    let objects = objects(forms)?;
    let tag = tag(&objects)?;
    let mut others = objects.iter().map(|object| beside(object, tag));
    let key = others.find_map(|field| Some(&field?.name))?;
    let mut variants = Vec::new();
    for (object, form) in objects.iter().zip(forms) {
        // Undeclared keys of a variant are kept only if the fields of an object are read.
        if object.fields.len() > 2 || object.unknown != Unknown::Deny || object.extra.is_some() {
            return None;
        }
        let name = tag_of(object, tag)?;
        variants.push(match beside(object, tag) {
            Some(field) if field.name == *key && is_safe_name(key) => {
                let mut content = content(field)?;
                content.set_keys_before_tag(keys_before(object, tag));
                carrying(name, form, content)
            }
            Some(_) => return None,
            None => Variant {
                description: form.description.clone(),
                ..variant(name, None)
            },
        });
    }
    let secret = objects.iter().any(|object| has_secret_tag(object, tag));
    let tagging = Tagging::Adjacent {
        tag: tag.clone(),
        content: key.clone(),
    };
    let kind = Kind::Union(Union {
        tagging,
        variants: variants.into(),
        unknown: Unknown::Deny,
    });
    Some((kind, secret))
}

/// Objects that one key tells apart, with a single value in each.
fn internal(forms: &[Schema]) -> Option<(Kind, bool)> {
    let objects = objects(forms)?;
    let tag = tag(&objects)?;
    let variants = objects.iter().zip(forms).map(|(object, form)| {
        let fields = object.fields.iter().filter(|field| field.name != *tag);
        let fields: Vec<Field> = fields.cloned().collect();
        let mut content = Schema::of(Kind::Object(Object {
            fields: fields.into(),
            unknown: object.unknown,
            extra: object.extra.clone(),
        }));
        content.set_keys_before_tag(keys_before(object, tag));
        carrying(tag_of(object, tag).unwrap_or_default(), form, content)
    });
    let variants: Vec<Variant> = variants.collect();
    let secret = objects.iter().any(|object| has_secret_tag(object, tag));
    let kind = union(Tagging::Internal { tag: tag.clone() }, variants);
    Some((kind, secret))
}

fn objects(forms: &[Schema]) -> Option<Vec<&Object>> {
    let objects = forms.iter().map(|form| match &form.kind {
        Kind::Object(object) => Some(object),
        _ => None,
    });
    objects.collect()
}

/// The first key that has a single, different value in each object.
fn tag<'s>(objects: &[&'s Object]) -> Option<&'s Held<str>> {
    let (first, _) = objects.split_first()?;
    let mut keys = first.fields.iter().map(|field| &field.name);
    keys.find(|key| {
        let names = objects.iter().map(|object| tag_of(object, key));
        let names: Option<Vec<&str>> = names.collect();
        is_safe_name(key) && names.is_some_and(are_distinct)
    })
}

/// How many keys an object declares before its tag.
fn keys_before(object: &Object, tag: &str) -> usize {
    let mut fields = object.fields.iter();
    fields.position(|field| *field.name == *tag).unwrap_or(0)
}

/// A field that is not the tag.
fn beside<'s>(object: &'s Object, tag: &str) -> Option<&'s Field> {
    object.fields.iter().find(|field| *field.name != *tag)
}

fn are_distinct<'s>(names: impl IntoIterator<Item = &'s str>) -> bool {
    let mut seen = HashSet::new();
    names.into_iter().all(|name| seen.insert(name))
}

fn has_secret_tag(object: &Object, tag: &str) -> bool {
    let mut fields = object.fields.iter();
    fields.any(|field| *field.name == *tag && field.schema.secret)
}

/// The schema of a required field.
fn content(field: &Field) -> Option<Schema> {
    field.required.then(|| field.schema.part().clone())
}

/// A variant with content, and the description of its form.
fn carrying(name: &str, form: &Schema, content: Schema) -> Variant {
    let secret = form.secret || content.secret;
    Variant {
        description: form.description.clone(),
        ..variant(name, Some(Schema { secret, ..content }))
    }
}

fn tag_of<'s>(object: &'s Object, tag: &str) -> Option<&'s str> {
    constant(object.fields.iter().find(|field| *field.name == *tag)?)
}

/// The only value of a required field.
fn constant(field: &Field) -> Option<&str> {
    let Kind::Text(text) = &field.schema.kind else {
        return None;
    };
    match &*text.choices {
        [only] if field.required && !field.schema.nullable => Some(&only.name),
        _ => None,
    }
}
