//! Reads a declaration: the attributes of the struct or enum, and what they mean for its fields and variants.

use proc_macro2::Span;
use syn::{Data, DataEnum, DeriveInput, Fields};

use super::{
    declaration::{InputModel, TypeShape, UnionTagging, UnknownRule, VariantBody, VariantModel},
    reader::DeclarationReader,
};
use crate::attrs::{
    errors::AttributeErrors,
    receivers::{self, ContainerAttrs},
    serde::ValueDirection,
    values::SpannedStr,
    written::WrittenAttrs,
};

impl InputModel {
    /// Reads a declaration. `None` if it has no meaning.
    pub(crate) fn new(input: &DeriveInput, errors: &mut AttributeErrors) -> Option<Self> {
        let mut reader = DeclarationReader::new(input, ValueDirection::Input, errors);
        let written: WrittenAttrs<ContainerAttrs> = reader.read_container(&input.attrs);
        let ours = written.ours.description.as_ref();
        let description = written.describe(ours, &input.attrs, reader.errors);
        let WrittenAttrs {
            ours: attrs,
            serde,
            clap,
            lost,
            ..
        } = written;
        for param in input.generics.lifetimes() {
            reader.errors.at(
                &param.lifetime,
                "a tool input owns its data: use `String` instead of `&str`, `Vec<T>` instead of `&[T]`",
            );
        }
        let input_name = |names| ValueDirection::Input.name(names);
        let all = attrs.rename_all.or(input_name(serde.rename_all));
        reader.all = reader.find_case(all.as_ref());
        let all_fields = attrs.rename_all_fields;
        let all_fields = all_fields.or(input_name(serde.rename_all_fields));
        reader.all_fields = reader.find_case(all_fields.as_ref());
        reader.clap_case = clap.rename_all;
        let of_serde = serde.deny_unknown_fields.map(|word| word.span);
        let unknown = read_unknown(attrs.unknown.as_ref(), of_serde.is_some(), reader.errors);
        let denies = match (unknown, &attrs.unknown) {
            (UnknownRule::Deny, Some(word)) => Some(word.span),
            (UnknownRule::Deny, None) => of_serde,
            (UnknownRule::Ignore | UnknownRule::Report, _) => None,
        };
        let default_all = serde.default.map(|default| default.0);
        if let Some(default) = &default_all
            && !matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Named(_)))
        {
            reader.errors.span(
                default.span(),
                "`default` belongs on a struct with named fields",
            );
        }
        if let (Data::Struct(_), Some(word)) = (&input.data, all_fields) {
            reader.errors.span(
                word.span,
                "`rename_all_fields` belongs on an enum: write `rename_all`",
            );
        }
        let untagged = attrs.untagged.filter(|switch| switch.value);
        let untagged = untagged.map(|switch| switch.span);
        let words = TagWords {
            tag: attrs.tag.or(serde.tag),
            content: attrs.content.or(serde.content),
            untagged: untagged.or(serde.untagged.map(|word| word.span)),
        };
        let shape = match &input.data {
            Data::Struct(data) => read_struct(&data.fields, words, &mut reader)?,
            Data::Enum(data) => read_enum(data, words, &mut reader)?,
            Data::Union(data) => {
                reader.refuse_union(data);
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

/// The words that tell the variants of an enum apart.
pub(crate) struct TagWords {
    pub(crate) tag: Option<SpannedStr>,
    pub(crate) content: Option<SpannedStr>,
    pub(crate) untagged: Option<Span>,
}

fn read_struct(
    fields: &Fields,
    words: TagWords,
    reader: &mut DeclarationReader<'_>,
) -> Option<TypeShape> {
    for word in [words.tag, words.content].into_iter().flatten() {
        let message = "`tag` and `content` belong on an enum";
        reader.errors.span(word.span, message);
    }
    if let Some(span) = words.untagged {
        reader.errors.span(span, "`untagged` belongs on an enum");
    }
    match reader.body(fields, reader.all) {
        VariantBody::Unit => Some(TypeShape::Struct(Vec::new())),
        VariantBody::Struct(fields) => Some(TypeShape::Struct(fields)),
        VariantBody::Newtype(field) => Some(TypeShape::Newtype(field)),
        VariantBody::Tuple(_) => {
            reader.errors.at(
                fields,
                "parameters have names: give the fields names, or keep one unnamed field",
            );
            None
        }
    }
}

fn read_enum(
    data: &DataEnum,
    words: TagWords,
    reader: &mut DeclarationReader<'_>,
) -> Option<TypeShape> {
    let (tagging, variants) = reader.union(data, words);
    if variants.is_empty() {
        reader.errors.at(
            reader.ident,
            if data.variants.is_empty() {
                "an enum without variants has no values: declare one"
            } else {
                "an enum whose variants are all skipped has no values: keep one"
            },
        );
        return None;
    }
    Some(if are_names(&tagging, &variants) {
        TypeShape::Names(variants)
    } else {
        TypeShape::Union { tagging, variants }
    })
}

/// Whether a value of the enum is the name of a variant.
pub(crate) fn are_names(tagging: &UnionTagging, variants: &[VariantModel]) -> bool {
    let mut variants = variants.iter();
    matches!(tagging, UnionTagging::External)
        && variants.all(|variant| matches!(variant.body, VariantBody::Unit))
}

impl DeclarationReader<'_> {
    pub(crate) fn refuse_union(&mut self, data: &syn::DataUnion) {
        let message = "a union has no JSON form: use an enum";
        self.errors.at(data.union_token, message);
    }

    /// The variants of an enum.
    pub(crate) fn union(
        &mut self,
        data: &DataEnum,
        words: TagWords,
    ) -> (UnionTagging, Vec<VariantModel>) {
        let variants = data.variants.iter();
        let variants = variants
            .filter_map(|variant| self.variant(variant))
            .collect();
        (self.tagging(words), variants)
    }

    fn tagging(&mut self, words: TagWords) -> UnionTagging {
        match (words.tag, words.content, words.untagged) {
            (None, None, None) => UnionTagging::External,
            (Some(tag), None, None) => UnionTagging::Internal(tag),
            (Some(tag), Some(content), None) => {
                if tag.value == content.value {
                    self.errors.span(
                        content.span,
                        "`tag` and `content` are the same key: rename one",
                    );
                }
                UnionTagging::Adjacent(tag, content)
            }
            (None, None, Some(_)) => UnionTagging::None,
            (None, Some(content), _) => {
                self.errors.span(
                    content.span,
                    "`content` needs a `tag` beside it: `tag = \"…\", content = \"…\"`",
                );
                UnionTagging::External
            }
            (Some(_), _, Some(span)) => {
                let message = "`untagged` and `tag` exclude each other: keep one";
                self.errors.span(span, message);
                UnionTagging::None
            }
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
