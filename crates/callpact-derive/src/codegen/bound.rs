//! The bounds of generated impls: only those that the fields need.

use syn::{Generics, WherePredicate, parse_quote};

use crate::{
    attrs::values::DefaultValue,
    model::{
        declaration::{FieldModel, InputModel},
        types,
    },
};

/// The generics of the generated impls.
pub(crate) fn generics(model: &InputModel) -> Generics {
    let mut generics = slots(model);
    if !model.is_generic() {
        return generics;
    }
    let params = model.params();
    let clause = generics.make_where_clause();
    for field in model.fields() {
        let ty = &field.ty;
        let made = match &field.default {
            None => field.skip.is_some() && model.default_all.is_none(),
            Some(default) => matches!(default, DefaultValue::Trait(_)),
        };
        if made && types::mentions(ty, &params) {
            clause
                .predicates
                .push(parse_quote!(#ty: __private::Default));
        }
    }
    if let Some(DefaultValue::Trait(_)) = &model.default_all {
        let itself = model.itself();
        clause
            .predicates
            .push(parse_quote!(#itself: __private::Default));
    }
    generics
}

/// The generics of a struct of slots, with the bounds that make its field types well formed.
pub(crate) fn slots(model: &InputModel) -> Generics {
    let mut generics = model.generics.clone();
    if !model.is_generic() {
        return generics;
    }
    let mut predicates: Vec<WherePredicate> = Vec::new();
    for field in model.fields() {
        for predicate in of(field, model) {
            if !predicates.contains(&predicate) {
                predicates.push(predicate);
            }
        }
    }
    generics.make_where_clause().predicates.extend(predicates);
    generics
}

fn of(field: &FieldModel, model: &InputModel) -> Vec<WherePredicate> {
    if field.skip.is_some() {
        return Vec::new();
    }
    let params = model.params();
    if field.flatten.is_some() {
        let ty = &field.ty;
        return if types::mentions(ty, &params) {
            vec![parse_quote!(#ty: __private::QuickObject<Out = #ty>)]
        } else {
            Vec::new()
        };
    }
    let ty = field.attrs.with.as_ref().map_or(&field.ty, |with| &with.0);
    let params: Vec<_> = model
        .generics
        .type_params()
        .map(|param| &param.ident)
        .collect();
    types::uses(ty, &params)
        .into_iter()
        .map(|path| parse_quote!(#path: __private::ToolInput))
        .collect()
}
