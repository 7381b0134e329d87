//! The bounds of generated impls: only those that the fields need.

use quote::format_ident;
use syn::{Generics, Type, WherePredicate, parse_quote};

use crate::{
    attrs::values::DefaultValue,
    model::{
        declaration::{FieldModel, InputModel},
        types,
    },
};

/// The generics of the generated impls.
pub(crate) fn generics(model: &InputModel) -> Generics {
    if !model.is_generic() {
        return model.generics.clone();
    }
    let params = model.params();
    let mut bounds = slot_bounds(model);
    for field in model.fields() {
        let ty = &field.ty;
        let made = match &field.default {
            None => field.skip.is_some() && model.default_all.is_none(),
            Some(default) => matches!(default, DefaultValue::Trait(_)),
        };
        if made && types::mentions(ty, &params) {
            bounds.push(parse_quote!(#ty: __private::Default));
        }
    }
    if let Some(DefaultValue::Trait(_)) = &model.default_all {
        let itself = model.itself();
        bounds.push(parse_quote!(#itself: __private::Default));
    }
    bounded(&model.generics, bounds)
}

/// The generics of a struct of slots, with the bounds that make its field types well formed.
pub(crate) fn slots(model: &InputModel) -> Generics {
    bounded(&model.generics, slot_bounds(model))
}

fn slot_bounds(model: &InputModel) -> Vec<WherePredicate> {
    if !model.is_generic() {
        return Vec::new();
    }
    let params = model.params();
    let of_field = |field: &FieldModel| -> Vec<WherePredicate> {
        let ty = &field.ty;
        match (field.skip, field.flatten, &field.attrs.with) {
            (Some(_), ..) => Vec::new(),
            (_, Some(_), _) if types::mentions(ty, &params) => {
                vec![parse_quote!(#ty: __private::QuickObject<Out = #ty>)]
            }
            (_, Some(_), _) => Vec::new(),
            (.., with) => {
                let ty = with.as_ref().map_or(ty, |with| &with.0);
                of_parameters(ty, &model.generics, "ToolInput")
            }
        }
    };
    model.fields().into_iter().flat_map(of_field).collect()
}

/// The bounds of a trait on the parameters in a type.
pub(crate) fn of_parameters(ty: &Type, generics: &Generics, bound: &str) -> Vec<WherePredicate> {
    let params = generics.type_params().map(|param| &param.ident);
    let params: Vec<_> = params.collect();
    let bound = format_ident!("{bound}");
    let uses = types::uses(ty, &params).into_iter();
    uses.map(|path| parse_quote!(#path: __private::#bound))
        .collect()
}

/// The generics with these bounds, each once.
pub(crate) fn bounded(
    generics: &Generics,
    bounds: impl IntoIterator<Item = WherePredicate>,
) -> Generics {
    let mut all: Vec<WherePredicate> = Vec::new();
    for bound in bounds {
        if !all.contains(&bound) {
            all.push(bound);
        }
    }
    let mut generics = generics.clone();
    if !all.is_empty() {
        generics.make_where_clause().predicates.extend(all);
    }
    generics
}
