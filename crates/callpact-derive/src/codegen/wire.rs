//! The types that fields and variants are read as, and the conversion to their own types.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type, spanned::Spanned};

use super::tokens::moved;
use crate::model::{
    declaration::{FieldModel, InputModel},
    types,
};

/// The type whose schema describes a field.
pub(crate) fn wire(field: &FieldModel, container: &Ident) -> Type {
    if let Some(with) = &field.attrs.with {
        let with = &with.0;
        return if types::inside_option(&field.ty).is_some() {
            syn::parse_quote!(__Option<#with>)
        } else {
            with.clone()
        };
    }
    if FieldModel::is(field.attrs.recursive) {
        return types::open(&field.ty, container, &mut |ty| {
            *ty = syn::parse_quote!(__private::Again<#ty>);
        });
    }
    field.ty.clone()
}

/// The type that reads a field. The schema of a recursive field is open, but the field is read as its own type.
pub(crate) fn read_as(model: &InputModel, field: &FieldModel) -> Type {
    if field.attrs.with.is_some() {
        wire(field, &model.ident)
    } else {
        field.ty.clone()
    }
}

/// Converts a value that was read to the type of the field.
pub(crate) fn converted(
    field: &FieldModel,
    value: &TokenStream,
    refusal: &TokenStream,
) -> TokenStream {
    match conversion(field) {
        Some(conversion) => quote!(#conversion(#value, #refusal)),
        None => value.clone(),
    }
}

/// The function that converts to the type of a field; `None` for a field that is read as its own type.
pub(crate) fn conversion(field: &FieldModel) -> Option<TokenStream> {
    let with = &field.attrs.with.as_ref()?.0;
    let ty = &field.ty;
    let conversion = match types::inside_option(ty) {
        None => quote!(__private::conversion::<#with, #ty>()),
        Some(inner) => quote!(__private::conversion_inside::<#with, #inner>()),
    };
    Some(moved(conversion, with.span()))
}

/// The check whether a value of the type that is read converts to the type of a field.
pub(crate) fn conversion_check(field: &FieldModel) -> Option<TokenStream> {
    let with = &field.attrs.with.as_ref()?.0;
    let ty = types::inside_option(&field.ty).unwrap_or(&field.ty);
    let check = quote!(__private::check_conversion::<#with, #ty>);
    Some(moved(check, with.span()))
}

/// The marker type of a variant with named fields.
pub(crate) fn marker(index: usize) -> Ident {
    format_ident!("__Variant{index}")
}
