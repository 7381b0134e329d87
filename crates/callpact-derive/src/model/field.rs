//! Reads fields and variants: their attributes, those of serde, schemars and clap, and their names.

use proc_macro2::Span;
use syn::{Attribute, Fields, Member, Type, ext::IdentExt, spanned::Spanned};

use super::{
    case::{CASES, RenameCase, rename_as_clap},
    declaration::{FieldModel, VariantBody, VariantModel},
    types,
};
use crate::attrs::{
    clap::{self, ClapAttrs, ClapField},
    doc,
    errors::AttributeErrors,
    place::AttributePlace,
    receivers::{self, FieldAttrs, VariantAttrs},
    schemars::{self, add_title},
    serde::{self, SerdeNames, ValueDirection},
    values::{SpannedStr, SwitchValue},
};

/// The side of serde's attributes that counts here.
pub(super) const INPUT: ValueDirection = ValueDirection::Input;

pub(super) fn read_name(names: Option<SerdeNames>) -> Option<SpannedStr> {
    names.and_then(|names| names.into_name(INPUT))
}

/// The attributes of the container that concern its fields and variants.
pub(super) struct FieldWords {
    pub(super) all: Option<RenameCase>,
    pub(super) all_fields: Option<RenameCase>,
    pub(super) tag: Option<SpannedStr>,
    pub(super) content: Option<SpannedStr>,
    pub(super) untagged: Option<Span>,
    pub(super) is_validated: bool,
    pub(super) is_of_clap: bool,
    pub(super) clap_case: Option<SpannedStr>,
}

impl FieldWords {
    pub(super) fn style(&self, case: Option<RenameCase>) -> FieldStyle {
        FieldStyle {
            case,
            is_validated: self.is_validated,
            is_of_clap: self.is_of_clap,
        }
    }

    /// The name of a variant without a name of its own. Clap has a case of its own where nobody chooses one.
    fn variant_name(&self, name: &str, errors: &mut AttributeErrors) -> String {
        if let Some(case) = self.all {
            return case.variant(name);
        }
        if !self.is_of_clap {
            return name.to_owned();
        }
        let case = self.clap_case.as_ref();
        rename_as_clap(name, case.map(|case| case.value.as_str())).unwrap_or_else(|| {
            if let Some(case) = case {
                errors.span(case.span, format!("unknown case `{}`", case.value));
            }
            name.to_owned()
        })
    }
}

/// Adds what clap's attributes mean to the settings of a field.
fn fill_from_clap(
    clap: ClapAttrs,
    attrs: &mut FieldAttrs,
    field: &syn::Field,
    has_default: bool,
    errors: &mut AttributeErrors,
) {
    let optional = types::inside_option(&field.ty);
    let is_list = types::is_list(&field.ty);
    let inner = types::ungroup(optional.unwrap_or(&field.ty));
    let item = types::first_argument(inner).filter(|_| is_list);
    let of = ClapField {
        ty: types::ungroup(&field.ty),
        item: item.unwrap_or(inner),
        is_list,
        may_be_absent: optional.is_some() || field.ident.is_none(),
        has_docs: !doc::description(&field.attrs).is_empty(),
        has_default,
    };
    clap.fill(attrs, &of, errors);
}

/// What the container decides about its fields.
#[derive(Clone, Copy, Default)]
pub(crate) struct FieldStyle {
    case: Option<RenameCase>,
    /// Whether a function checks rules across fields.
    is_validated: bool,
    /// Whether clap reads the type too, so that a flag may be left out.
    is_of_clap: bool,
}

pub(crate) fn read_case(
    word: Option<&SpannedStr>,
    errors: &mut AttributeErrors,
) -> Option<RenameCase> {
    let word = word?;
    let case = RenameCase::parse(&word.value);
    if case.is_none() {
        let names: Vec<String> = CASES
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        errors.span(
            word.span,
            format!(
                "unknown case `{}`: write one of {}",
                word.value,
                names.join(", ")
            ),
        );
    }
    case
}

/// The description: that of the attribute, or the doc comment.
pub(crate) fn describe(
    written: Option<&SpannedStr>,
    docs: &[Attribute],
    errors: &mut AttributeErrors,
) -> String {
    match written {
        Some(text) if text.value.trim().is_empty() => {
            errors.span(
                text.span,
                "the description is empty: say what the value is for, or remove it",
            );
            String::new()
        }
        Some(text) => text.value.clone(),
        None => {
            if let Some(made) = doc::find_macro(docs) {
                errors.at(
                    made,
                    "the text of a macro is not known here: write it out, `description = \"…\"`",
                );
            }
            doc::description(docs)
        }
    }
}

impl FieldModel {
    pub(crate) fn new(
        index: usize,
        field: &syn::Field,
        style: FieldStyle,
        itself: &Type,
        errors: &mut AttributeErrors,
    ) -> Self {
        let mut attrs: FieldAttrs = receivers::read(&field.attrs, AttributePlace::Field, errors);
        let (schemars, of_serde) =
            schemars::read(&field.attrs, AttributePlace::Field, INPUT, errors);
        let serde = serde::read(&field.attrs, of_serde, AttributePlace::Field, INPUT, errors);
        let clap = clap::read(
            &field.attrs,
            AttributePlace::Field,
            style.is_validated,
            errors,
        );
        let lost = errors.lost();
        let (of_clap, clap_aliases) = clap.names();
        let title = schemars.title.clone();
        schemars.fill(&mut attrs, types::is_list(&field.ty));
        if style.is_of_clap {
            fill_from_clap(clap, &mut attrs, field, serde.default.is_some(), errors);
        }
        let description = describe(attrs.description.as_ref(), &field.attrs, errors);
        let description = add_title(title, description);
        let (member, span) = match &field.ident {
            Some(ident) => (Member::Named(ident.clone()), ident.span()),
            None => (Member::Unnamed(index.into()), field.ty.span()),
        };
        let skip = serde.skipped(INPUT);
        let (name, name_span) = attrs
            .rename
            .clone()
            .or(read_name(serde.rename))
            .or(of_clap)
            .map_or_else(
                || {
                    let name = field.ident.as_ref().map(IdentExt::unraw);
                    let name = name.map_or_else(|| index.to_string(), |name| name.to_string());
                    (
                        style.case.map_or(name.clone(), |case| case.field(&name)),
                        span,
                    )
                },
                SpannedStr::into_parts,
            );
        let on = |switch: Option<SwitchValue>| switch.filter(|on| on.value).map(|on| on.span);
        Self {
            vis: field.vis.clone(),
            member,
            ty: types::spell_out_self(&field.ty, itself),
            name,
            name_span,
            description,
            aliases: attrs
                .alias
                .iter()
                .cloned()
                .chain(serde.alias)
                .chain(clap_aliases)
                .collect(),
            default: attrs
                .default
                .clone()
                .or(serde.default.map(|default| default.0)),
            skip: on(attrs.skip).or(skip),
            flatten: on(attrs.flatten).or(serde.flatten.map(|word| word.span)),
            in_a_tuple: false,
            attrs,
            lost,
        }
    }
}

impl VariantModel {
    pub(super) fn new(
        variant: &syn::Variant,
        words: &FieldWords,
        itself: &Type,
        errors: &mut AttributeErrors,
    ) -> Option<Self> {
        let attrs: VariantAttrs = receivers::read(&variant.attrs, AttributePlace::Variant, errors);
        let (schemars, of_serde) =
            schemars::read(&variant.attrs, AttributePlace::Variant, INPUT, errors);
        let serde = serde::read(
            &variant.attrs,
            of_serde,
            AttributePlace::Variant,
            INPUT,
            errors,
        );
        let mut clap = clap::read(
            &variant.attrs,
            AttributePlace::Variant,
            words.is_validated,
            errors,
        );
        let lost = errors.lost();
        if FieldModel::is(attrs.skip) || serde.skipped(INPUT).or(clap.skipped()).is_some() {
            return None;
        }
        let written = attrs.rename.or(read_name(serde.rename));
        let (of_clap, clap_aliases) = clap.variant_names(written.is_some(), errors);
        let (name, name_span) = written.or(of_clap).map_or_else(
            || {
                let name = variant.ident.unraw().to_string();
                (words.variant_name(&name, errors), variant.ident.span())
            },
            SpannedStr::into_parts,
        );
        let help = clap.help();
        let written = attrs.description.as_ref().or(schemars.description.as_ref());
        let written = written.or(help.as_ref());
        let description = describe(written, &variant.attrs, errors);
        let description = add_title(schemars.title, description);
        let fields_case =
            read_case(read_name(serde.rename_all).as_ref(), errors).or(words.all_fields);
        Some(Self {
            ident: variant.ident.clone(),
            name,
            name_span,
            description,
            aliases: attrs
                .alias
                .into_iter()
                .chain(serde.alias)
                .chain(clap_aliases)
                .collect(),
            body: VariantBody::new(&variant.fields, words.style(fields_case), itself, errors),
            lost,
        })
    }
}

impl VariantBody {
    pub(super) fn new(
        fields: &Fields,
        style: FieldStyle,
        itself: &Type,
        errors: &mut AttributeErrors,
    ) -> Self {
        let mut all: Vec<FieldModel> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| FieldModel::new(i, field, style, itself, errors))
            .collect();
        match (fields, all.len()) {
            (Fields::Named(_), _) => Self::Struct(all),
            (Fields::Unnamed(_), 1) => all
                .pop()
                .map_or(Self::Unit, |field| Self::Newtype(Box::new(field))),
            (Fields::Unnamed(_), 2..) => {
                for field in &mut all {
                    field.in_a_tuple = true;
                }
                Self::Tuple(all)
            }
            (Fields::Unit | Fields::Unnamed(_), _) => Self::Unit,
        }
    }
}
