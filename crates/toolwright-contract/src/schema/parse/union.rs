//! Several forms of one value.

use super::{Json, Parser};
use crate::schema::{
    Choice, Field, Held, Kind, Object, Schema, Tagging, Text, Union, Unknown, Variant,
};

impl<'a> Parser<'a> {
    /// The members of `anyOf` or `oneOf`.
    pub(super) fn union(&mut self, members: &'a [Json], depth: usize) -> Schema {
        let is_null = |member: &&Json| {
            member.get("type").and_then(Json::text) == Some("null")
                || member.get("const") == Some(&Json::Null)
        };
        let null = members.iter().any(|member| is_null(&member));
        let forms = members.iter().filter(|member| !is_null(member));
        let forms = forms.map(|member| self.node(member, depth + 1)).collect();
        let mut union = Self::one_of_forms(forms);
        union.nullable |= null;
        union
    }

    /// One of these forms.
    pub(super) fn one_of_forms(mut forms: Vec<Schema>) -> Schema {
        let null = forms.iter().any(|form| form.nullable);
        if forms.len() == 1 {
            return forms.pop().unwrap_or_else(|| Schema::of(Kind::Any));
        }
        // A value of any form says no more.
        if forms.is_empty() || forms.iter().any(|form| matches!(form.kind, Kind::Any)) {
            return Schema::of(Kind::Any);
        }
        let kind = choices(&forms)
            .or_else(|| tagged(&forms))
            .unwrap_or_else(|| {
                let variants = forms.into_iter().map(|form| variant("", Some(form)));
                union(Tagging::None, variants.collect())
            });
        Schema {
            nullable: null,
            ..Schema::of(kind)
        }
    }
}

fn union(tagging: Tagging, variants: Vec<Variant>) -> Kind {
    Kind::Union(Union {
        tagging,
        variants: variants.into(),
        unknown: Unknown::Report,
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
        match &form.kind {
            Kind::Text(text) if !text.choices.is_empty() => {
                for choice in text.choices.iter() {
                    all.push(Choice {
                        description: if choice.description.is_empty() {
                            form.description.clone()
                        } else {
                            choice.description.clone()
                        },
                        ..choice.clone()
                    });
                }
            }
            _ => return None,
        }
    }
    Some(Kind::Text(Text {
        choices: all.into(),
        ..Text::ANY
    }))
}

/// Objects that one key tells apart, which has a single value in each.
fn tagged(forms: &[Schema]) -> Option<Kind> {
    let objects: Option<Vec<&Object>> = forms
        .iter()
        .map(|form| match &form.kind {
            Kind::Object(object) => Some(object),
            _ => None,
        })
        .collect();
    let objects = objects?;
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
        let content = (!fields.is_empty() || object.extra.is_some()).then(|| {
            Schema::of(Kind::Object(Object {
                fields: fields.into(),
                unknown: object.unknown,
                extra: object.extra.clone(),
            }))
        });
        Variant {
            description: form.description.clone(),
            ..variant(tag_of(object, tag).unwrap_or_default(), content)
        }
    });
    let variants: Vec<Variant> = variants.collect();
    Some(union(Tagging::Internal { tag: tag.clone() }, variants))
}

fn tag_of<'s>(object: &'s Object, tag: &str) -> Option<&'s str> {
    constant(object.fields.iter().find(|field| *field.name == *tag)?)
}

/// The only value of a field that must be given.
fn constant(field: &Field) -> Option<&str> {
    match &field.schema.kind {
        Kind::Text(text) if field.required && !field.schema.nullable => match &*text.choices {
            [only] => Some(&only.name),
            _ => None,
        },
        _ => None,
    }
}
