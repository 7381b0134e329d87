//! Several forms of one value.

use super::{Parser, kind::is_note, merge::are_apart};
use crate::schema::{
    Choice, Field, Held, Kind, Object, Schema, Tagging, Text, Union, Unknown, Variant, json::Json,
};

impl<'a> Parser<'a> {
    /// The members of `anyOf`, or those of `oneOf`, of which `only` one may fit.
    pub(super) fn union(&mut self, members: &'a [Json], only: bool, depth: usize) -> Schema {
        let nulls = members.iter().filter(|member| is_null(member)).count();
        let forms = members.iter().filter(|member| !is_null(member));
        let forms: Vec<Schema> = forms.map(|member| self.node(member, depth + 1)).collect();
        let nullable = forms.iter().filter(|form| form.nullable).count();
        if forms.is_empty() || only && (nulls + nullable > 1 || !exclude_each_other(&forms)) {
            self.widen();
        }
        let mut union = Self::one_of_forms(forms);
        let takes_any = matches!(union.kind, Kind::Any) && !union.is_inside_itself();
        union.nullable |= nulls > 0 && !takes_any;
        union
    }

    /// One of these forms.
    pub(super) fn one_of_forms(mut forms: Vec<Schema>) -> Schema {
        if forms.len() == 1 {
            return forms.pop().unwrap_or_else(|| Schema::of(Kind::Any));
        }
        let secret = forms.iter().any(|form| form.secret);
        // A value of any form says no more.
        if forms.is_empty() || forms.iter().any(|form| matches!(form.kind, Kind::Any)) {
            return Schema {
                secret,
                ..Schema::of(Kind::Any)
            };
        }
        let null = forms.iter().any(|form| form.nullable);
        let loose = forms.iter().any(Schema::is_loose);
        let (kind, secret) = match choices(&forms).map(|kind| (kind, secret)) {
            Some(choices) => choices,
            None => tagged(&forms).unwrap_or_else(|| {
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
        schema
    }
}

/// Whether a member of a union is null and no more.
fn is_null(member: &Json) -> bool {
    let name = member.get("type").map(|name| name.text() == Some("null"));
    let constant = member.get("const").map(|value| *value == Json::Null);
    let plain =
        |(key, _): &(String, Json)| matches!(key.as_str(), "type" | "const") || is_note(key);
    member
        .entries()
        .is_some_and(|entries| entries.iter().all(plain))
        && name.or(constant).is_some()
        && name.unwrap_or(true)
        && constant.unwrap_or(true)
}

/// Whether no value is of two of these forms.
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
    Variant {
        name: name.to_owned().into(),
        aliases: &[],
        description: Held::Static(""),
        content: content.map(Held::from),
    }
}

/// Lists of texts become one list, each value with what it means.
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

/// Objects that one key tells apart, which has a single value in each; and whether that key is secret.
fn tagged(forms: &[Schema]) -> Option<(Kind, bool)> {
    let mut objects = Vec::new();
    for form in forms {
        let Kind::Object(object) = &form.kind else {
            return None;
        };
        objects.push(object);
    }
    let (tag, _) = objects.first()?.fields.iter().find_map(|field| {
        let name = constant(field)?;
        let others = objects.iter().skip(1);
        let all = others.map(|object| tag_of(object, &field.name));
        let names: Option<Vec<&str>> = std::iter::once(Some(name)).chain(all).collect();
        let names = names?;
        let apart = (1..names.len()).all(|i| {
            !names
                .get(..i)
                .is_some_and(|earlier| names.get(i).is_some_and(|name| earlier.contains(name)))
        });
        apart.then_some((&field.name, name))
    })?;
    let variants = objects.iter().zip(forms).map(|(object, form)| {
        let fields = object.fields.iter().filter(|field| field.name != *tag);
        let fields: Vec<Field> = fields.cloned().collect();
        let content = Schema {
            secret: form.secret,
            ..Schema::of(Kind::Object(Object {
                fields: fields.into(),
                unknown: object.unknown,
                extra: object.extra.clone(),
            }))
        };
        Variant {
            description: form.description.clone(),
            ..variant(tag_of(object, tag).unwrap_or_default(), Some(content))
        }
    });
    let variants: Vec<Variant> = variants.collect();
    let mut tags = objects.iter().flat_map(|object| object.fields.iter());
    let secret = tags.any(|field| field.name == *tag && field.schema.secret);
    let kind = union(Tagging::Internal { tag: tag.clone() }, variants);
    Some((kind, secret))
}

fn tag_of<'s>(object: &'s Object, tag: &str) -> Option<&'s str> {
    constant(object.fields.iter().find(|field| *field.name == *tag)?)
}

/// The only value of a field that must be given.
fn constant(field: &Field) -> Option<&str> {
    let Kind::Text(text) = &field.schema.kind else {
        return None;
    };
    match &*text.choices {
        [only] if field.required && !field.schema.nullable => Some(&only.name),
        _ => None,
    }
}
