//! The model of a declaration: plain structs in which names and defaults are decided.

use proc_macro2::Span;
use syn::{Generics, Ident, Member, Path, Type, Visibility};

use super::types;
use crate::attrs::{
    errors::LostSettings,
    receivers::FieldAttrs,
    values::{DefaultValue, SpannedStr, SwitchValue},
};

pub(crate) struct InputModel {
    pub(crate) vis: Visibility,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the runtime crate.
    pub(crate) krate: Path,
    pub(crate) description: String,
    pub(crate) unknown: UnknownRule,
    /// The word that denies unknown keys.
    pub(crate) denies: Option<Span>,
    pub(crate) validate: Option<Path>,
    /// The word that asks for the type of a value that grows.
    pub(crate) partial: Option<Span>,
    /// A default of the whole struct, whose fields fill absent fields.
    pub(crate) default_all: Option<DefaultValue>,
    pub(crate) shape: TypeShape,
    pub(crate) lost: LostSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownRule {
    Ignore,
    Report,
    Deny,
}

pub(crate) enum TypeShape {
    Struct(Vec<FieldModel>),
    /// A struct of one unnamed field.
    Newtype(Box<FieldModel>),
    /// An enum of unit variants: a value is the name of one.
    Names(Vec<VariantModel>),
    Union {
        tagging: UnionTagging,
        variants: Vec<VariantModel>,
    },
}

#[derive(Clone)]
pub(crate) enum UnionTagging {
    External,
    Internal(SpannedStr),
    Adjacent(SpannedStr, SpannedStr),
    None,
}

pub(crate) struct FieldModel {
    pub(crate) vis: Visibility,
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// The key on the wire.
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: String,
    pub(crate) aliases: Vec<SpannedStr>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) skip: Option<Span>,
    pub(crate) flatten: Option<Span>,
    /// Whether it is one of several unnamed fields of a variant, which can have no rules.
    pub(crate) in_a_tuple: bool,
    /// Of an output, whether serde writes it.
    pub(crate) presence: FieldPresence,
    pub(crate) attrs: FieldAttrs,
    pub(crate) lost: LostSettings,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldPresence {
    Always,
    /// `None` is left out, so it is never written as null.
    UnlessNone,
    Sometimes,
}

pub(crate) struct VariantModel {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: String,
    pub(crate) aliases: Vec<SpannedStr>,
    pub(crate) body: VariantBody,
    pub(crate) lost: LostSettings,
}

pub(crate) enum VariantBody {
    Unit,
    Newtype(Box<FieldModel>),
    Tuple(Vec<FieldModel>),
    Struct(Vec<FieldModel>),
}

impl UnionTagging {
    /// The key of the tag that stands among the fields of a variant.
    pub(crate) fn internal_tag(&self) -> Option<&str> {
        match self {
            Self::Internal(tag) => Some(&tag.value),
            _ => None,
        }
    }
}

impl VariantBody {
    pub(crate) fn fields(&self) -> Vec<&FieldModel> {
        match self {
            Self::Unit => Vec::new(),
            Self::Newtype(field) => vec![&**field],
            Self::Tuple(fields) | Self::Struct(fields) => fields.iter().collect(),
        }
    }
}

impl InputModel {
    /// Whether a field contains the type itself.
    pub(crate) fn is_recursive(&self) -> bool {
        let mut fields = self.fields().into_iter();
        fields.any(|field| FieldModel::is(field.attrs.recursive))
    }

    /// The names of the parameters.
    pub(crate) fn params(&self) -> Vec<&Ident> {
        types::params(&self.generics)
    }

    /// The fields of the declaration and of its variants.
    pub(crate) fn fields(&self) -> Vec<&FieldModel> {
        match &self.shape {
            TypeShape::Struct(fields) => fields.iter().collect(),
            TypeShape::Newtype(field) => vec![field],
            TypeShape::Names(_) => Vec::new(),
            TypeShape::Union { variants, .. } => variants
                .iter()
                .flat_map(|variant| variant.body.fields())
                .collect(),
        }
    }

    /// The declared type with its parameters.
    pub(crate) fn itself(&self) -> Type {
        itself(&self.ident, &self.generics)
    }

    /// Whether the declaration has parameters, so that constants may depend on them.
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }
}

impl FieldModel {
    pub(crate) fn is(switch: Option<SwitchValue>) -> bool {
        switch.is_some_and(|switch| switch.value)
    }
}

/// The declared type with its parameters.
pub(crate) fn itself(ident: &Ident, generics: &Generics) -> Type {
    let generics = generics.split_for_impl().1;
    syn::parse_quote!(#ident #generics)
}
