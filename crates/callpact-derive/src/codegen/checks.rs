//! Emits consts that check what tokens do not show. A failed check is reported on the token that is wrong.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Member, spanned::Spanned};

use super::{
    rules, schema, shown,
    tokens::{self, input, moved},
    wire::{converted, marker, wire},
};
use crate::{
    attrs::values::ValueKind,
    model::{
        check,
        declaration::{FieldModel, InputModel, TypeShape, VariantBody},
        types,
    },
};

/// The checks of a declaration. A check that depends on a type parameter goes inside the reader, where the parameter
/// is known.
#[derive(Default)]
pub(crate) struct DeclarationChecks {
    pub(crate) outside: TokenStream,
    pub(crate) inside: TokenStream,
}

impl DeclarationChecks {
    /// Adds a call of a check. A panic in the check is reported at the span. Only the call has this span; an error
    /// about a type is reported on the type.
    pub(crate) fn add(&mut self, generic: bool, span: Span, check: &str, arguments: TokenStream) {
        let check = Ident::new(check, Span::call_site());
        let function = moved(quote!(__private::#check), span);
        let call = tokens::call(&function, arguments, span);
        if generic {
            self.inside.extend(quote!(const { #call };));
        } else {
            self.outside.extend(quote!(const _: () = #call;));
        }
    }
}

pub(crate) fn of(model: &InputModel) -> DeclarationChecks {
    let mut out = DeclarationChecks::default();
    for field in model.fields() {
        if field.skip.is_none() && field.flatten.is_none() {
            parameter(model, field, true, &mut out);
        }
    }
    let itself = model.itself();
    match &model.shape {
        TypeShape::Struct(fields) => {
            let schema = input(&itself, "SCHEMA");
            names(model, fields, &schema, None, &mut out);
        }
        TypeShape::Union { tagging, variants } => {
            for (index, variant) in variants.iter().enumerate() {
                match (&variant.body, tagging.internal_tag()) {
                    (VariantBody::Newtype(field), Some(tag)) => {
                        tagged_newtype(model, field, tag, &mut out);
                    }
                    (VariantBody::Struct(fields), tag) => {
                        let marker = marker(index);
                        let schema = tokens::object(&syn::parse_quote!(#marker<#itself>), "OBJECT");
                        names(model, fields, &schema, tag, &mut out);
                    }
                    _ => {}
                }
            }
        }
        TypeShape::Newtype(_) | TypeShape::Names(_) => {}
    }
    out
}

/// The checks of a declaration in which the macro found mistakes, so that one compile reports all mistakes. A check
/// that depends on a lost setting is left out.
pub(crate) fn beside(model: &InputModel) -> DeclarationChecks {
    let mut out = DeclarationChecks::default();
    if model.lost.list || model.lost.form || model.lost.krate {
        return out;
    }
    for field in model.fields() {
        if known(field, model) {
            presence(model, field, &mut out);
            if field.skip.is_none() && field.flatten.is_none() && !field.in_a_tuple {
                parameter(model, field, check::rules_agree(field), &mut out);
            }
        }
    }
    match &model.shape {
        TypeShape::Struct(fields) => flattened(model, fields, None, &mut out),
        TypeShape::Newtype(_) | TypeShape::Names(_) => {}
        TypeShape::Union { tagging, variants } => {
            for variant in variants.iter().filter(|variant| !variant.lost.list) {
                match (&variant.body, tagging.internal_tag()) {
                    (VariantBody::Newtype(field), Some(tag)) if known(field, model) => {
                        tagged_newtype(model, field, tag, &mut out);
                    }
                    (VariantBody::Struct(fields), tag) => flattened(model, fields, tag, &mut out),
                    _ => {}
                }
            }
        }
    }
    if let Some(rule) = &model.validate {
        out.inside.extend(quote! {
            let _ = |__value: __Option<Self>, __refusal: __private::Refusal<'_>| {
                __private::validated(__value, #rule, __refusal)
            };
        });
    }
    out
}

/// Whether the type of a field is certain and a check can name it.
fn known(field: &FieldModel, model: &InputModel) -> bool {
    let lifetimes = model
        .generics
        .lifetimes()
        .map(|param| &param.lifetime.ident);
    let lifetimes: Vec<_> = lifetimes.collect();
    !field.lost.list
        && !field.lost.form
        && !matches!(field.ty, syn::Type::Reference(_))
        && !types::mentions(&field.ty, &lifetimes)
}

/// Requires the bounds that the reader needs of a field's type, in a function that is never called.
fn presence(model: &InputModel, field: &FieldModel, out: &mut DeclarationChecks) {
    let ty = &field.ty;
    if field.skip.is_none() {
        let has = if field.flatten.is_some() {
            tokens::object(ty, "OBJECT")
        } else {
            input(&wire(field, &model.ident), "PRESENT")
        };
        out.inside.extend(quote!(let _ = #has;));
    }
    if field.skip.is_some()
        && field.default.is_none()
        && model.default_all.is_none()
        && !field.lost.presence
    {
        let default = quote!(let _ = <#ty as __private::Default>::default;);
        out.inside.extend(moved(default, ty.span()));
    }
    if let Some(default) = &field.default
        && let Some(value) = default.expression(ty)
    {
        out.inside.extend(quote!(let _ = || -> #ty { #value };));
    }
    if field.attrs.with.is_some() {
        let value = converted(field, &quote!(__value), &quote!(__refusal));
        out.inside
            .extend(quote!(let _ = |__value, __refusal: __private::Refusal<'_>| #value;));
    }
}

/// Checks the keys of an object with flattened fields. A field is left out if its own key is doubled, since the tokens
/// show that.
fn flattened(
    model: &InputModel,
    fields: &[FieldModel],
    tag: Option<&str>,
    out: &mut DeclarationChecks,
) {
    let mut seen = HashSet::new();
    let once = fields.iter().filter(|field| {
        let names = field.aliases.iter().map(|alias| &alias.value);
        let parameter = field.skip.is_none() && field.flatten.is_none();
        known(field, model)
            && !field.lost.name
            && (!parameter
                || names
                    .chain([&field.name])
                    .all(|name| tag != Some(name) && seen.insert(name.clone())))
    });
    let object = schema::object(once, model, "");
    let object = quote!(const { #object });
    names(model, fields, &object, tag, out);
}

/// Checks that an object with flattened fields has no doubled key, and none equal to the tag.
fn names(
    model: &InputModel,
    fields: &[FieldModel],
    object: &TokenStream,
    tag: Option<&str>,
    out: &mut DeclarationChecks,
) {
    let Some(span) = fields.iter().find_map(|field| field.flatten) else {
        return;
    };
    let generic = model.is_generic();
    out.add(generic, span, "unique_names", object.clone());
    // The word of an enum concerns its other variants too.
    if let (Some(word), TypeShape::Struct(_)) = (model.denies, &model.shape) {
        out.add(generic, word, "nothing_collected", object.clone());
    }
    if let Some(tag) = tag {
        out.add(generic, span, "tagged_object", quote!(#object, #tag));
    }
}

fn tagged_newtype(model: &InputModel, field: &FieldModel, tag: &str, out: &mut DeclarationChecks) {
    let ty = wire(field, &model.ident);
    let schema = input(&ty, "SCHEMA");
    out.add(
        types::mentions(&ty, &model.params()),
        ty.span(),
        "tagged_object",
        quote!(#schema, #tag),
    );
}

/// The checks of one field. If its rules do not `agree`, its default and example are checked against the type alone.
fn parameter(model: &InputModel, field: &FieldModel, agree: bool, out: &mut DeclarationChecks) {
    let ty = wire(field, &model.ident);
    let base = input(&ty, "PRESENT");
    let generic = types::mentions(&ty, &model.params());
    let mut add = |span, check, arguments| out.add(generic, span, check, arguments);
    // On a field without a key, settings of a key such as a default have been reported.
    let keyed = matches!(field.member, Member::Named(_));
    for rule in rules::rules(field) {
        if let Some(checked) = rule.checked {
            let rule_of = quote!(#base, __private::Rule::#checked);
            add(rule.span, "check_rule", rule_of);
        }
    }
    if let Some(span) = neighbours(field) {
        add(span, "check_ends", base.clone());
    }
    if let Some(switch) = field.attrs.keep_empty.filter(|_| keyed) {
        add(switch.span, "check_keep_empty", base.clone());
    }
    // The macro has tried the field's own pattern. It does not know a pattern of the type.
    let schema = || {
        if agree {
            rules::refine_by_limits(&base, field)
        } else {
            base.clone()
        }
    };
    // A check cannot name a constant of the type itself or of a type parameter.
    let out_of_reach = |name: &Ident| name == "Self" || model.params().contains(&name);
    if let Some((span, literal)) = shown::literal_default(field)
        && keyed
        && types::find_name(literal.clone(), &out_of_reach).is_none()
    {
        let schema = schema();
        add(span, "check_default", quote!(#schema, #literal));
    }
    if let Some(value) = &field.attrs.example {
        let (schema, literal) = (schema(), value.kind.tokens());
        add(value.span, "check_example", quote!(#schema, &#literal));
    }
    if let Some(required) = field.attrs.required
        && !required.value
        && field.default.is_none()
        && model.default_all.is_none()
        && !field.lost.presence
        && keyed
    {
        let optional = input(&ty, "OPTIONAL");
        add(required.span, "optional_or_default", optional);
    }
}

/// The span of `exclusive_min`, if there is no whole number between it and `exclusive_max`.
fn neighbours(field: &FieldModel) -> Option<Span> {
    let (low, high) = (&field.attrs.exclusive_min, &field.attrs.exclusive_max);
    let (low, high) = (low.as_ref()?, high.as_ref()?);
    match (&low.0.kind, &high.0.kind) {
        (ValueKind::Integer(a), ValueKind::Integer(b)) if a.checked_add(1) == Some(*b) => {
            Some(low.0.span)
        }
        _ => None,
    }
}
