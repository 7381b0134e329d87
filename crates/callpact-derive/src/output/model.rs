//! The meaning of a declaration for serde's output.

use std::collections::HashSet;

use syn::{Data, DeriveInput, Fields, Generics, Ident, Path, ext::IdentExt};

use crate::{
    attrs::{
        errors::AttributeErrors,
        place::AttributePlace,
        receivers::{self, ContainerAttrs},
        serde::{SerdeAttrs, ValueDirection},
        values::SpannedStr,
        written::WrittenAttrs,
    },
    model::{
        container::{TagWords, are_names},
        declaration::{FieldModel, UnionTagging, VariantBody, VariantModel},
        reader::DeclarationReader,
        types,
    },
};

pub(super) struct OutputModel {
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    pub(super) krate: Path,
    pub(super) description: String,
    /// Whether `Display` makes the text for the model.
    pub(super) display: bool,
    pub(super) shape: OutputShape,
}

pub(super) enum OutputShape {
    /// Unknown, and already reported.
    Unknown,
    Body(VariantBody),
    /// A struct with `#[serde(tag = "…")]`: its name is the value of that key.
    Tagged {
        tag: String,
        name: String,
        fields: Vec<FieldModel>,
    },
    /// An enum of unit variants.
    Names(Vec<VariantModel>),
    Union {
        tagging: UnionTagging,
        variants: Vec<VariantModel>,
    },
}

impl OutputModel {
    pub(super) fn new(input: &DeriveInput, errors: &mut AttributeErrors) -> Self {
        let mut reader = DeclarationReader::new(input, ValueDirection::Output, errors);
        let written: WrittenAttrs<ContainerAttrs> = reader.read_container(&input.attrs);
        for param in input.generics.lifetimes() {
            reader.errors.at(
                &param.lifetime,
                "a tool returns owned data: use `String` instead of `&str`",
            );
        }
        let ours = written.ours.description.as_ref();
        let description = written.describe(ours, &input.attrs, reader.errors);
        let WrittenAttrs {
            ours,
            output,
            serde,
            ..
        } = written;
        let shape = read_shape(input, serde, &mut reader).filter(|_| errors.len() == 0);
        Self {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: receivers::krate(output.krate.or(ours.krate)),
            description,
            display: FieldModel::is(output.display),
            shape: shape.unwrap_or(OutputShape::Unknown),
        }
    }

    pub(super) fn fields(&self) -> Vec<&FieldModel> {
        match &self.shape {
            OutputShape::Unknown => Vec::new(),
            OutputShape::Body(body) => body.fields(),
            OutputShape::Tagged { fields, .. } => fields.iter().collect(),
            OutputShape::Names(variants) | OutputShape::Union { variants, .. } => variants
                .iter()
                .flat_map(|variant| variant.body.fields())
                .collect(),
        }
    }

    /// Whether the declaration has parameters, so that constants may depend on them.
    pub(super) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }
}

fn read_shape(
    input: &DeriveInput,
    written: SerdeAttrs,
    reader: &mut DeclarationReader<'_>,
) -> Option<OutputShape> {
    if let Some((word, span)) = written.writer() {
        let message = format!(
            "`#[serde({word})]` writes another type: derive `ToolOutput` for a type of your own, with `#[serde(into = \"Type\")]` if its form is that of `Type`"
        );
        reader.errors.span(span, message);
        return None;
    }
    if let Some(into) = &written.into {
        return Some(OutputShape::Body(reader.form_of(&into.0)));
    }
    reader.all = reader.read_case(written.rename_all.clone());
    match &input.data {
        Data::Struct(data) => Some(read_struct(&data.fields, written, reader)),
        Data::Enum(data) => {
            reader.all_fields = reader.read_case(written.rename_all_fields);
            let words = TagWords {
                tag: written.tag,
                content: written.content,
                untagged: written.untagged.map(|word| word.span),
            };
            let (tagging, variants) = reader.union(data, words);
            check_variants(&variants, reader)?;
            Some(if are_names(&tagging, &variants) {
                OutputShape::Names(variants)
            } else {
                OutputShape::Union { tagging, variants }
            })
        }
        Data::Union(data) => {
            reader.refuse_union(data);
            None
        }
    }
}

fn read_struct(
    fields: &Fields,
    written: SerdeAttrs,
    reader: &mut DeclarationReader<'_>,
) -> OutputShape {
    if written.transparent.is_some() {
        let inside = fields.iter().find(|field| {
            let last = types::last_segment(&field.ty);
            last.is_none_or(|last| last.ident != "PhantomData")
                && !reader.is_unwritten(&field.attrs, AttributePlace::Field)
        });
        // serde reports a transparent struct without a field.
        return OutputShape::Body(inside.map_or(VariantBody::Unit, |field| {
            VariantBody::Newtype(Box::new(reader.field(0, field, None)))
        }));
    }
    let body = reader.body(fields, reader.all);
    check_fields(&body, reader.errors);
    match (body, written.tag) {
        (VariantBody::Struct(fields), Some(SpannedStr { value: tag, span })) => {
            if fields.iter().any(|field| field.name == tag) {
                let message = format!("a field is named `{tag}` too: rename one");
                reader.errors.span(span, message);
            }
            let name = reader.direction.name(written.rename);
            let name = name.map(|name| name.value);
            OutputShape::Tagged {
                tag,
                name: name.unwrap_or_else(|| reader.ident.unraw().to_string()),
                fields,
            }
        }
        (body, _) => OutputShape::Body(body),
    }
}

fn check_variants(variants: &[VariantModel], reader: &mut DeclarationReader<'_>) -> Option<()> {
    if variants.is_empty() {
        reader.errors.at(
            reader.ident,
            "an enum without variants that serde writes has no values: keep one",
        );
        return None;
    }
    let mut seen = HashSet::new();
    if let Some(twice) = variants.iter().find(|variant| !seen.insert(&variant.name)) {
        reader.errors.at(
            reader.ident,
            format!("two variants are written as `{}`: rename one", twice.name),
        );
    }
    for variant in variants {
        check_fields(&variant.body, reader.errors);
    }
    Some(())
}

fn check_fields(body: &VariantBody, errors: &mut AttributeErrors) {
    let VariantBody::Struct(fields) = body else {
        return;
    };
    let mut seen = HashSet::new();
    let mut names = fields.iter().filter(|field| field.flatten.is_none());
    if let Some(twice) = names.find(|field| !seen.insert(&field.name)) {
        errors.at(
            &twice.ty,
            format!("two fields are written as `{}`: rename one", twice.name),
        );
    }
}
