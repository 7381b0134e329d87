//! Reads a declaration: the attributes of the struct or enum, and what they mean for its fields and variants.

use proc_macro2::Span;
use syn::{Data, DataEnum, DeriveInput, Fields};

use super::{
    declaration::{
        InputModel, TypeShape, UnionTagging, UnknownRule, VariantBody, VariantModel, itself,
    },
    field::{FieldWords, INPUT, describe, read_case, read_name},
};
use crate::attrs::{
    clap,
    errors::AttributeErrors,
    place::AttributePlace,
    receivers::{self, ContainerAttrs},
    schemars::{self, add_title},
    serde,
    values::SpannedStr,
};

impl InputModel {
    /// Reads a declaration. `None` if it has no meaning.
    pub(crate) fn new(input: &DeriveInput, errors: &mut AttributeErrors) -> Option<Self> {
        let attrs: ContainerAttrs =
            receivers::read(&input.attrs, AttributePlace::Container, errors);
        let (schemars, of_serde) =
            schemars::read(&input.attrs, AttributePlace::Container, INPUT, errors);
        let serde = serde::read(
            &input.attrs,
            of_serde,
            AttributePlace::Container,
            INPUT,
            errors,
        );
        let is_validated = attrs.validate.is_some();
        let mut clap = clap::read(
            &input.attrs,
            AttributePlace::Container,
            is_validated,
            errors,
        );
        let lost = errors.lost();
        for param in input.generics.lifetimes() {
            errors.at(
                &param.lifetime,
                "a tool input owns its data: use `String` instead of `&str`, `Vec<T>` instead of `&[T]`",
            );
        }
        let rename_all = attrs.rename_all.or(read_name(serde.rename_all));
        let all = read_case(rename_all.as_ref(), errors);
        let rename_all_fields = attrs
            .rename_all_fields
            .or(read_name(serde.rename_all_fields));
        let all_fields = read_case(rename_all_fields.as_ref(), errors);
        let tag = attrs.tag.clone().or(serde.tag);
        let content = attrs.content.clone().or(serde.content);
        let untagged = attrs
            .untagged
            .filter(|switch| switch.value)
            .map(|switch| switch.span)
            .or(serde.untagged.map(|word| word.span));
        let help = clap.help();
        let written = attrs.description.as_ref().or(schemars.description.as_ref());
        let written = written.or(help.as_ref());
        let description = add_title(schemars.title, describe(written, &input.attrs, errors));
        let of_serde = serde.deny_unknown_fields.map(|word| word.span);
        let unknown = read_unknown(attrs.unknown.as_ref(), of_serde.is_some(), errors);
        let denies = match (unknown, &attrs.unknown) {
            (UnknownRule::Deny, Some(word)) => Some(word.span),
            (UnknownRule::Deny, None) => of_serde,
            (UnknownRule::Ignore | UnknownRule::Report, _) => None,
        };
        let words = FieldWords {
            all,
            all_fields,
            tag,
            content,
            untagged,
            is_validated,
            is_of_clap: is_of_clap(input),
            clap_case: clap.rename_all,
        };
        let default_all = serde.default.map(|default| default.0);
        if let Some(default) = &default_all
            && !matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Named(_)))
        {
            errors.span(
                default.span(),
                "`default` belongs on a struct with named fields",
            );
        }
        if let (Data::Struct(_), Some(word)) = (&input.data, rename_all_fields) {
            errors.span(
                word.span,
                "`rename_all_fields` belongs on an enum: write `rename_all`",
            );
        }
        let shape = match &input.data {
            Data::Struct(data) => read_struct(input, &data.fields, &words, errors)?,
            Data::Enum(data) => read_enum(input, data, words, errors)?,
            Data::Union(data) => {
                errors.at(data.union_token, "a union has no JSON form: use an enum");
                return None;
            }
        };
        let partial = attrs.partial.filter(|switch| switch.value);
        Some(Self {
            vis: input.vis.clone(),
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: receivers::krate(attrs.krate),
            description,
            unknown,
            denies,
            validate: attrs.validate.map(|path| path.0),
            partial: partial.map(|switch| switch.span),
            default_all,
            shape,
            lost,
        })
    }
}

/// Whether clap reads the type too, as far as its attributes show.
fn is_of_clap(input: &DeriveInput) -> bool {
    let of_fields = |fields: &Fields| {
        let mut attrs = fields.iter().flat_map(|field| &field.attrs);
        attrs.any(clap::is_of_clap)
    };
    input.attrs.iter().any(clap::is_of_clap)
        || match &input.data {
            Data::Struct(data) => of_fields(&data.fields),
            Data::Enum(data) => data.variants.iter().any(|variant| {
                variant.attrs.iter().any(clap::is_of_clap) || of_fields(&variant.fields)
            }),
            Data::Union(_) => false,
        }
}

fn read_struct(
    input: &DeriveInput,
    fields: &Fields,
    words: &FieldWords,
    errors: &mut AttributeErrors,
) -> Option<TypeShape> {
    for word in [&words.tag, &words.content].into_iter().flatten() {
        errors.span(word.span, "`tag` and `content` belong on an enum");
    }
    if let Some(span) = words.untagged {
        errors.span(span, "`untagged` belongs on an enum");
    }
    let itself = itself(&input.ident, &input.generics);
    match VariantBody::new(fields, words.style(words.all), &itself, errors) {
        VariantBody::Unit => Some(TypeShape::Struct(Vec::new())),
        VariantBody::Struct(fields) => Some(TypeShape::Struct(fields)),
        VariantBody::Newtype(field) => Some(TypeShape::Newtype(field)),
        VariantBody::Tuple(_) => {
            errors.at(
                fields,
                "parameters have names: give the fields names, or keep one unnamed field",
            );
            None
        }
    }
}

fn read_enum(
    input: &DeriveInput,
    data: &DataEnum,
    words: FieldWords,
    errors: &mut AttributeErrors,
) -> Option<TypeShape> {
    let itself = itself(&input.ident, &input.generics);
    let variants: Vec<VariantModel> = data
        .variants
        .iter()
        .filter_map(|variant| VariantModel::new(variant, &words, &itself, errors))
        .collect();
    let tagging = read_tagging(words.tag, words.content, words.untagged, errors);
    if variants.is_empty() {
        errors.at(
            &input.ident,
            if data.variants.is_empty() {
                "an enum without variants has no values: declare one"
            } else {
                "an enum whose variants are all skipped has no values: keep one"
            },
        );
        return None;
    }
    let names = variants
        .iter()
        .all(|variant| matches!(variant.body, VariantBody::Unit));
    Some(match tagging {
        UnionTagging::External if names => TypeShape::Names(variants),
        tagging => TypeShape::Union { tagging, variants },
    })
}

pub(crate) fn read_tagging(
    tag: Option<SpannedStr>,
    content: Option<SpannedStr>,
    untagged: Option<Span>,
    errors: &mut AttributeErrors,
) -> UnionTagging {
    match (tag, content, untagged) {
        (None, None, None) => UnionTagging::External,
        (Some(tag), None, None) => UnionTagging::Internal(tag),
        (Some(tag), Some(content), None) => {
            if tag.value == content.value {
                errors.span(
                    content.span,
                    "`tag` and `content` are the same key: rename one",
                );
            }
            UnionTagging::Adjacent(tag, content)
        }
        (None, None, Some(_)) => UnionTagging::None,
        (None, Some(content), _) => {
            errors.span(
                content.span,
                "`content` needs a `tag` beside it: `tag = \"…\", content = \"…\"`",
            );
            UnionTagging::External
        }
        (Some(_), _, Some(span)) => {
            errors.span(span, "`untagged` and `tag` exclude each other: keep one");
            UnionTagging::None
        }
    }
}

fn read_unknown(
    word: Option<&SpannedStr>,
    serde_denies: bool,
    errors: &mut AttributeErrors,
) -> UnknownRule {
    match word {
        None if serde_denies => UnknownRule::Deny,
        None => UnknownRule::Report,
        Some(word) => match word.value.as_str() {
            "ignore" => UnknownRule::Ignore,
            "report" => UnknownRule::Report,
            "deny" => UnknownRule::Deny,
            other => {
                errors.span(
                    word.span,
                    format!("unknown value `{other}`: write \"ignore\", \"report\" or \"deny\""),
                );
                UnknownRule::Report
            }
        },
    }
}
