//! The meaning of a declaration for serde's output.

use std::collections::HashSet;

use proc_macro2::Span;
use syn::{Attribute, Data, DeriveInput, Fields, Generics, Ident, Path, Type, ext::IdentExt};

use crate::{
    attrs::{
        errors::AttributeErrors,
        place::AttributePlace,
        receivers::{
            self, ContainerAttrs, FieldAttrs, OutputAttrs, OutputFieldAttrs, VariantAttrs,
        },
        schemars::{self, add_title},
        serde::{self, SerdeAttrs, SerdeNames, ValueDirection},
        values::{SpannedStr, SwitchValue},
    },
    model::{
        case::RenameCase,
        container::read_tagging,
        declaration::{UnionTagging, itself},
        field::{describe, read_case},
        types,
    },
};

/// The side of serde's attributes that counts here.
const OUTPUT: ValueDirection = ValueDirection::Output;

fn read_serde(attrs: &[Attribute], place: AttributePlace) -> SerdeAttrs {
    serde::read(
        attrs,
        Vec::new(),
        place,
        OUTPUT,
        &mut AttributeErrors::default(),
    )
}

fn read_name(names: Option<&SerdeNames>) -> Option<SpannedStr> {
    names?.clone().into_name(OUTPUT)
}

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
    Body(OutputBody),
    /// A struct with `#[serde(tag = "…")]`: its name is the value of that key.
    Tagged {
        tag: String,
        name: String,
        fields: Vec<OutputField>,
    },
    /// An enum of unit variants.
    Names(Vec<OutputVariant>),
    Union {
        tagging: UnionTagging,
        variants: Vec<OutputVariant>,
    },
}

pub(super) enum OutputBody {
    Unit,
    Newtype(Box<OutputField>),
    Tuple(Vec<OutputField>),
    Struct(Vec<OutputField>),
}

pub(super) struct OutputField {
    /// The type that is written in place of the field's.
    pub(super) ty: Type,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) presence: FieldPresence,
    pub(super) flatten: Option<Span>,
    pub(super) recursive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldPresence {
    Always,
    /// `None` is left out, so it is never written as null.
    UnlessNone,
    Sometimes,
}

pub(super) struct OutputVariant {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) body: OutputBody,
}

impl OutputBody {
    pub(super) fn fields(&self) -> &[OutputField] {
        match self {
            Self::Unit => &[],
            Self::Newtype(field) => std::slice::from_ref(field),
            Self::Tuple(fields) | Self::Struct(fields) => fields,
        }
    }
}

impl OutputModel {
    pub(super) fn new(input: &DeriveInput, errors: &mut AttributeErrors) -> Self {
        let attrs: OutputAttrs = receivers::read(&input.attrs, AttributePlace::Output, errors);
        // Words of the input that also apply to the output; its own derive checks them.
        let beside: ContainerAttrs = receivers::read(
            &input.attrs,
            AttributePlace::Container,
            &mut AttributeErrors::default(),
        );
        let written = read_serde(&input.attrs, AttributePlace::Container);
        for param in input.generics.lifetimes() {
            errors.at(
                &param.lifetime,
                "a tool returns owned data: use `String` instead of `&str`",
            );
        }
        let (schemars, _) = schemars::read(&input.attrs, AttributePlace::Container, OUTPUT, errors);
        let shape = OutputReader {
            itself: itself(&input.ident, &input.generics),
            ident: &input.ident,
            errors,
        }
        .shape(input, &written);
        Self {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: receivers::krate(attrs.krate.or(beside.krate)),
            description: {
                let written = attrs.description.or(beside.description);
                let written = written.or(schemars.description);
                let words = describe(written.as_ref(), &input.attrs, errors);
                add_title(schemars.title, words)
            },
            display: attrs.display.is_some_and(|display| display.value),
            shape: shape
                .filter(|_| errors.len() == 0)
                .unwrap_or(OutputShape::Unknown),
        }
    }

    pub(super) fn fields(&self) -> Vec<&OutputField> {
        match &self.shape {
            OutputShape::Unknown => Vec::new(),
            OutputShape::Body(body) => body.fields().iter().collect(),
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

struct OutputReader<'a> {
    itself: Type,
    ident: &'a Ident,
    errors: &'a mut AttributeErrors,
}

impl OutputReader<'_> {
    fn shape(&mut self, input: &DeriveInput, written: &SerdeAttrs) -> Option<OutputShape> {
        if let Some((word, span)) = written.writer() {
            self.errors.span(
                span,
                format!("`#[serde({word})]` writes another type: derive `ToolOutput` for a type of your own, with `#[serde(into = \"Type\")]` if its form is that of `Type`"),
            );
            return None;
        }
        if let Some(into) = &written.into {
            return Some(OutputShape::Body(OutputBody::Newtype(Box::new(
                OutputField {
                    ty: types::spell_out_self(&into.0, &self.itself),
                    name: String::new(),
                    description: String::new(),
                    presence: FieldPresence::Always,
                    flatten: None,
                    recursive: false,
                },
            ))));
        }
        let all = read_case(read_name(written.rename_all.as_ref()).as_ref(), self.errors);
        match &input.data {
            Data::Struct(data) => Some(self.structure(&data.fields, all, written)),
            Data::Enum(data) => {
                let all_fields = read_case(
                    read_name(written.rename_all_fields.as_ref()).as_ref(),
                    self.errors,
                );
                let variants: Vec<OutputVariant> = data
                    .variants
                    .iter()
                    .filter_map(|variant| self.variant(variant, all, all_fields))
                    .collect();
                let tagging = read_tagging(
                    written.tag.clone(),
                    written.content.clone(),
                    written.untagged.as_ref().map(|word| word.span),
                    self.errors,
                );
                self.union(tagging, variants)
            }
            Data::Union(data) => {
                self.errors
                    .at(data.union_token, "a union has no JSON form: use an enum");
                None
            }
        }
    }

    fn structure(
        &mut self,
        fields: &Fields,
        case: Option<RenameCase>,
        written: &SerdeAttrs,
    ) -> OutputShape {
        if written.transparent.is_some() {
            let inside = fields.iter().find(|field| {
                let marker =
                    types::last_segment(&field.ty).is_some_and(|last| last.ident == "PhantomData");
                !marker
                    && read_serde(&field.attrs, AttributePlace::Field)
                        .skipped(OUTPUT)
                        .is_none()
            });
            // serde reports a transparent struct without a field.
            let inside = inside.and_then(|field| self.field(field, 0, None, true));
            return OutputShape::Body(inside.map_or(OutputBody::Unit, |field| {
                OutputBody::Newtype(Box::new(field))
            }));
        }
        match (self.body(fields, case), &written.tag) {
            (OutputBody::Struct(fields), Some(tag)) => {
                if fields.iter().any(|field| field.name == tag.value) {
                    self.errors.span(
                        tag.span,
                        format!("a field is named `{}` too: rename one", tag.value),
                    );
                }
                let name = read_name(written.rename.as_ref()).map(|name| name.value);
                OutputShape::Tagged {
                    tag: tag.value.clone(),
                    name: name.unwrap_or_else(|| self.ident.unraw().to_string()),
                    fields,
                }
            }
            (body, _) => OutputShape::Body(body),
        }
    }

    fn union(
        &mut self,
        tagging: UnionTagging,
        variants: Vec<OutputVariant>,
    ) -> Option<OutputShape> {
        if variants.is_empty() {
            self.errors.at(
                self.ident,
                "an enum without variants that serde writes has no values: keep one",
            );
            return None;
        }
        let mut seen = HashSet::new();
        if let Some(twice) = variants.iter().find(|variant| !seen.insert(&variant.name)) {
            self.errors.at(
                self.ident,
                format!("two variants are written as `{}`: rename one", twice.name),
            );
        }
        let names = variants
            .iter()
            .all(|variant| matches!(variant.body, OutputBody::Unit));
        Some(match tagging {
            UnionTagging::External if names => OutputShape::Names(variants),
            tagging => OutputShape::Union { tagging, variants },
        })
    }

    fn variant(
        &mut self,
        variant: &syn::Variant,
        case: Option<RenameCase>,
        all_fields: Option<RenameCase>,
    ) -> Option<OutputVariant> {
        let written = read_serde(&variant.attrs, AttributePlace::Variant);
        if written.skipped(OUTPUT).is_some() {
            return None;
        }
        let attrs: OutputFieldAttrs =
            receivers::read(&variant.attrs, AttributePlace::OutputField, self.errors);
        let beside: VariantAttrs = receivers::read(
            &variant.attrs,
            AttributePlace::Variant,
            &mut AttributeErrors::default(),
        );
        if let Some(recursive) = attrs.recursive {
            self.errors.span(
                recursive.span,
                "`recursive` belongs on the field that contains the type, not on a variant",
            );
        }
        if let Some(word) = &written.untagged {
            self.errors.span(
                word.span,
                "one untagged variant among others cannot be said: tag all variants, or none",
            );
        }
        let (schemars, _) =
            schemars::read(&variant.attrs, AttributePlace::Variant, OUTPUT, self.errors);
        let described = attrs.description.or(beside.description);
        let described = described.or(schemars.description);
        let description = describe(described.as_ref(), &variant.attrs, self.errors);
        let description = add_title(schemars.title, description);
        let name = read_name(written.rename.as_ref()).map(|name| name.value);
        let name = name.unwrap_or_else(|| {
            let name = variant.ident.unraw().to_string();
            case.map_or(name.clone(), |case| case.variant(&name))
        });
        let fields_case =
            read_case(read_name(written.rename_all.as_ref()).as_ref(), self.errors).or(all_fields);
        let body = match (attrs.with, written.writer()) {
            (Some(with), _) => OutputBody::Newtype(Box::new(OutputField {
                ty: types::spell_out_self(&with.0, &self.itself),
                name: String::new(),
                description: String::new(),
                presence: FieldPresence::Always,
                flatten: None,
                recursive: false,
            })),
            (None, Some((word, span))) => {
                self.form_is_not_known(word, span);
                OutputBody::Unit
            }
            (None, None) => self.body(&variant.fields, fields_case),
        };
        Some(OutputVariant {
            name,
            description,
            body,
        })
    }

    fn body(&mut self, fields: &Fields, case: Option<RenameCase>) -> OutputBody {
        let alone = fields.len() == 1;
        let mut all: Vec<OutputField> = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            all.extend(self.field(field, index, case, alone));
        }
        match fields {
            Fields::Unit => OutputBody::Unit,
            Fields::Named(_) => {
                let mut seen = HashSet::new();
                let mut names = all.iter().filter(|field| field.flatten.is_none());
                if let Some(twice) = names.find(|field| !seen.insert(&field.name)) {
                    self.errors.at(
                        &twice.ty,
                        format!("two fields are written as `{}`: rename one", twice.name),
                    );
                }
                OutputBody::Struct(all)
            }
            Fields::Unnamed(_) if alone => all.pop().map_or(OutputBody::Unit, |field| {
                OutputBody::Newtype(Box::new(field))
            }),
            Fields::Unnamed(_) => OutputBody::Tuple(all),
        }
    }

    /// A field; `None` if serde leaves it out. `alone` says that it may be the value itself.
    fn field(
        &mut self,
        field: &syn::Field,
        index: usize,
        case: Option<RenameCase>,
        alone: bool,
    ) -> Option<OutputField> {
        let written = read_serde(&field.attrs, AttributePlace::Field);
        let attrs: OutputFieldAttrs =
            receivers::read(&field.attrs, AttributePlace::OutputField, self.errors);
        let named = field.ident.is_some();
        if written.skipped(OUTPUT).is_some() {
            if !named && alone {
                self.errors.at(
                    &field.ty,
                    "serde writes the only unnamed field of a type even where it is told to skip it: name the field",
                );
            }
            return None;
        }
        let beside: FieldAttrs = receivers::read(
            &field.attrs,
            AttributePlace::Field,
            &mut AttributeErrors::default(),
        );
        let recursive = on(attrs.recursive) || on(beside.recursive);
        let (schemars, _) =
            schemars::read(&field.attrs, AttributePlace::Field, OUTPUT, self.errors);
        let described = attrs.description.or(beside.description);
        let described = described.or(schemars.description);
        let description = describe(described.as_ref(), &field.attrs, self.errors);
        let description = add_title(schemars.title, description);
        let with = attrs.with.or(schemars.with).map(|with| with.0);
        if let (None, Some((word, span))) = (&with, written.writer()) {
            self.form_is_not_known(word, span);
            return None;
        }
        let ty = types::spell_out_self(with.as_ref().unwrap_or(&field.ty), &self.itself);
        if types::holds_itself(&ty, self.ident) && !recursive {
            self.errors.at(
                with.as_ref().unwrap_or(&field.ty),
                format!(
                    "`{}` contains itself, and its schema would never end: add `#[tool_output(recursive)]` to leave it open here",
                    self.ident
                ),
            );
        }
        let condition = written.skip_serializing_if.as_ref();
        if let (false, Some(condition)) = (named, condition) {
            self.errors.span(
                condition.span,
                "an item that is sometimes left out moves the others: name the fields",
            );
        }
        let name = read_name(written.rename.as_ref()).map(|name| name.value);
        let name = name.unwrap_or_else(|| {
            let name = field.ident.as_ref().map(IdentExt::unraw);
            let name = name.map_or_else(|| index.to_string(), |name| name.to_string());
            case.map_or(name.clone(), |case| case.field(&name))
        });
        Some(OutputField {
            ty,
            name,
            description,
            presence: match condition {
                None => FieldPresence::Always,
                // A function may write null for a present value: `with` says whether it does.
                Some(condition) if is_none(&condition.function) && with.is_none() => {
                    FieldPresence::UnlessNone
                }
                Some(_) => FieldPresence::Sometimes,
            },
            flatten: written.flatten.map(|word| word.span),
            recursive,
        })
    }

    fn form_is_not_known(&mut self, word: &str, span: Span) {
        self.errors.span(
            span,
            format!("`#[serde({word})]` writes a form that is not known here: say it, `#[tool_output(with = Type)]`"),
        );
    }
}

fn on(switch: Option<SwitchValue>) -> bool {
    switch.is_some_and(|switch| switch.value)
}

/// Whether a path is `Option::is_none`.
fn is_none(path: &Path) -> bool {
    let mut last = path.segments.iter().rev();
    last.next().is_some_and(|name| name.ident == "is_none")
        && last.next().is_some_and(|name| name.ident == "Option")
}

impl UnionTagging {
    /// The key of the tag among the fields of a variant.
    pub(super) fn tag_among_fields(&self) -> Option<&SpannedStr> {
        match self {
            Self::Internal(tag) => Some(tag),
            _ => None,
        }
    }
}
