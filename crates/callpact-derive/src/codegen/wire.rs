//! The types that fields and variants are read as, and the conversion to their own types.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type, spanned::Spanned};

use super::tokens::moved;
use crate::model::{
    declaration::{Field, Model},
    types,
};

/// The type whose schema describes a field.
pub(crate) fn wire(field: &Field, model: &Model) -> Type {
    if let Some(with) = &field.attrs.with {
        let with = &with.0;
        return if types::inside_option(&field.ty).is_some() {
            syn::parse_quote!(__private::Option<#with>)
        } else {
            with.clone()
        };
    }
    if Field::is(field.attrs.recursive) {
        return types::open(&field.ty, &model.ident, &mut |ty| {
            *ty = syn::parse_quote!(__private::Again<#ty>);
        });
    }
    field.ty.clone()
}

/// The type that reads a field. The schema of a recursive field is open, but the field is read as its own type.
pub(crate) fn read_as(model: &Model, field: &Field) -> Type {
    if field.attrs.with.is_some() {
        wire(field, model)
    } else {
        field.ty.clone()
    }
}

/// Converts a value that was read to the type of the field.
pub(crate) fn converted(field: &Field, value: &TokenStream) -> TokenStream {
    let Some(with) = &field.attrs.with else {
        return value.clone();
    };
    let (with, span) = (&with.0, with.0.span());
    match types::inside_option(&field.ty) {
        None => {
            let ty = &field.ty;
            let call = moved(quote!(__private::conversion::<#with, #ty>()), span);
            quote!(#call(#value, __at.reborrow()))
        }
        Some(inner) => {
            let call = moved(
                quote!(__private::conversion_inside::<#with, #inner>()),
                span,
            );
            quote!(#call(#value, __at.reborrow()))
        }
    }
}

/// The marker type of a variant with named fields.
pub(crate) fn marker(index: usize) -> Ident {
    format_ident!("__Variant{index}")
}
