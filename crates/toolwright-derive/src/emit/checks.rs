//! Emits consts whose evaluation refuses what tokens cannot tell, each on the token that is wrong.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::quote;
use syn::{Member, spanned::Spanned};

use super::{
    schema,
    tokens::moved,
    wire::{converted, marker, wire},
};
use crate::{
    mean::{
        check,
        model::{Body, Field, Model, Shape, Tagging, Variant},
        types,
    },
    say::values::{DefaultValue, ValueKind},
};

/// The checks of a declaration. One that depends on a parameter has its place in the reader: it
/// can only be made where the parameter is known.
#[derive(Default)]
pub(crate) struct Checks {
    pub(crate) outside: TokenStream,
    pub(crate) inside: TokenStream,
}

impl Checks {
    /// A call of a function of `schema::check`; a panic in it is reported at the span, and only the
    /// call has that place: what is wrong with a type is said of the type.
    fn add(&mut self, generic: bool, span: Span, function: TokenStream, arguments: TokenStream) {
        let function = moved(function, span);
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(span);
        if generic {
            self.inside.extend(quote!(const { #function #arguments };));
        } else {
            self.outside
                .extend(quote!(const _: () = #function #arguments;));
        }
    }
}

pub(crate) fn of(model: &Model) -> Checks {
    let private = model.private();
    let mut out = Checks::default();
    for field in model.fields() {
        if field.skip.is_none() && field.flatten.is_none() {
            parameter(model, field, true, &mut out);
        }
    }
    match &model.shape {
        Shape::Struct(fields) => {
            if let Some(span) = fields.iter().find_map(|field| field.flatten) {
                let (ident, generics) = (&model.ident, model.generics.split_for_impl().1);
                let itself = syn::parse_quote!(#ident #generics);
                let input = model.input(&itself);
                out.add(
                    model.is_generic(),
                    span,
                    quote!(#private::unique_names),
                    input.get("SCHEMA"),
                );
            }
        }
        Shape::Union { tagging, variants } => {
            for (index, variant) in variants.iter().enumerate() {
                content(model, tagging, (index, variant), &mut out);
            }
        }
        Shape::Newtype(_) | Shape::Names(_) => {}
    }
    out
}

/// The checks beside the mistakes that tokens told: of what is left of the declaration, so that all
/// mistakes come in one compile. What hangs on something that was lost is not said.
pub(crate) fn beside(model: &Model) -> Checks {
    let mut out = Checks::default();
    if model.lost.list || model.lost.form || model.lost.krate {
        return out;
    }
    let private = model.private();
    for field in model
        .fields()
        .into_iter()
        .filter(|field| known(field, model))
    {
        presence(model, field, &mut out);
    }
    let fields = match &model.shape {
        Shape::Struct(fields) => fields.iter().collect(),
        Shape::Newtype(field) => vec![&**field],
        Shape::Names(_) => Vec::new(),
        Shape::Union { tagging, variants } => {
            for variant in variants.iter().filter(|variant| !variant.lost.list) {
                if let (Body::Newtype(field), Tagging::Internal(tag)) = (&variant.body, tagging)
                    && known(field, model)
                {
                    tagged_newtype(model, field, &tag.value, &mut out);
                }
                if let Body::Struct(fields) = &variant.body {
                    let tag = match tagging {
                        Tagging::Internal(tag) => Some(tag.value.as_str()),
                        _ => None,
                    };
                    flattened(model, fields, tag, &mut out);
                }
            }
            // Rules have no place in a tuple, which was said.
            let tuple = |variant: &&Variant| matches!(variant.body, Body::Tuple(_));
            variants
                .iter()
                .filter(|variant| !tuple(variant))
                .flat_map(|variant| variant.body.fields())
                .collect()
        }
    };
    for field in fields {
        if field.skip.is_none() && field.flatten.is_none() && known(field, model) {
            parameter(model, field, check::agree(field), &mut out);
        }
    }
    if let Shape::Struct(fields) = &model.shape {
        flattened(model, fields, None, &mut out);
    }
    if let Some(rule) = &model.validate {
        out.inside.extend(quote! {
            let _ = |__value: #private::Option<Self>, __at: #private::At<'_>| {
                #private::validated(__value, #rule, __at)
            };
        });
    }
    out
}

/// Whether the type that is read is certain, and is one that the checks can name.
fn known(field: &Field, model: &Model) -> bool {
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

/// What the reader would ask of the type of a field, in a function that nobody calls.
fn presence(model: &Model, field: &Field, out: &mut Checks) {
    let private = model.private();
    let ty = &field.ty;
    if field.skip.is_none() {
        let has = if field.flatten.is_some() {
            model.object(ty).get("OBJECT")
        } else {
            model.input(&wire(field, model)).get("PRESENT")
        };
        out.inside.extend(quote!(let _ = #has;));
    }
    if field.skip.is_some()
        && field.default.is_none()
        && model.default_all.is_none()
        && !field.lost.presence
    {
        let default = quote!(let _ = <#ty as #private::Default>::default;);
        out.inside.extend(moved(default, ty.span()));
    }
    if let Some(default) = &field.default
        && let Some(value) = default.expression(ty, &private)
    {
        out.inside.extend(quote!(let _ = || -> #ty { #value };));
    }
    if field.attrs.with.is_some() {
        let value = converted(model, field, &quote!(__value));
        out.inside
            .extend(quote!(let _ = |__value, mut __at: #private::At<'_>| #value;));
    }
}

/// The keys of an object with flattened fields, those that stand twice without them left out.
fn flattened(model: &Model, fields: &[Field], tag: Option<&str>, out: &mut Checks) {
    let Some(span) = fields.iter().find_map(|field| field.flatten) else {
        return;
    };
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
    let private = model.private();
    let rules = schema::object(once, model, &private);
    let object = quote!(&#private::Schema::of(#private::Kind::Object(#rules)));
    let generic = model.is_generic();
    out.add(
        generic,
        span,
        quote!(#private::unique_names),
        object.clone(),
    );
    if let Some(tag) = tag {
        out.add(
            generic,
            span,
            quote!(#private::tagged_object),
            quote!(#object, #tag),
        );
    }
}

fn tagged_newtype(model: &Model, field: &Field, tag: &str, out: &mut Checks) {
    let private = model.private();
    let ty = wire(field, model);
    let schema = model.input(&ty).get("SCHEMA");
    out.add(
        types::mentions(&ty, &model.params()),
        ty.span(),
        quote!(#private::tagged_object),
        quote!(#schema, #tag),
    );
}

/// The checks of one field; where its rules do not `agree`, a default is held against the type alone.
fn parameter(model: &Model, field: &Field, agree: bool, out: &mut Checks) {
    let private = &model.private();
    let ty = wire(field, model);
    let generic = types::mentions(&ty, &model.params());
    let input = model.input(&ty);
    let base = input.get("PRESENT");
    for (span, rule) in rules(field, private) {
        out.add(
            generic,
            span,
            quote!(#private::check_rule),
            quote!(#base, #private::Rule::#rule),
        );
    }
    // The macro has tried the field's own pattern; that of the type is beyond it.
    let rules = if agree {
        schema::limits(field, private)
    } else {
        Vec::new()
    };
    let schema = schema::refined(&base, &rules, private);
    // Without a key there is no default either, which was said.
    let keyed = matches!(field.member, Member::Named(_));
    if let Some(DefaultValue::Literal(value)) = &field.default
        && keyed
    {
        let literal = value.kind.tokens(private);
        out.add(
            generic,
            value.span,
            quote!(#private::check_default),
            quote!(#schema, &#literal),
        );
    }
    if let Some(value) = &field.attrs.example {
        let literal = value.kind.tokens(private);
        out.add(
            generic,
            value.span,
            quote!(#private::check_example),
            quote!(#schema, &#literal),
        );
    }
    if let Some(required) = field.attrs.required
        && !required.value
        && field.default.is_none()
        && model.default_all.is_none()
        && !field.lost.presence
        && keyed
    {
        out.add(
            generic,
            required.span,
            quote!(#private::optional_or_default),
            input.get("OPTIONAL"),
        );
    }
}

/// The content of a variant: no key twice, and the tag's key is free.
fn content(model: &Model, tagging: &Tagging, variant: (usize, &Variant), out: &mut Checks) {
    let private = model.private();
    let tag = match tagging {
        Tagging::Internal(tag) => Some(&tag.value),
        _ => None,
    };
    let (index, variant) = variant;
    match (&variant.body, tag) {
        (Body::Newtype(field), Some(tag)) => tagged_newtype(model, field, tag, out),
        (Body::Struct(fields), tag) => {
            let Some(span) = fields.iter().find_map(|field| field.flatten) else {
                return;
            };
            let marker = marker(index);
            let (ident, generics) = (&model.ident, model.generics.split_for_impl().1);
            let schema = quote!(<#marker<#ident #generics> as #private::Object>::OBJECT);
            out.add(
                model.is_generic(),
                span,
                quote!(#private::unique_names),
                quote!(#schema),
            );
            if let Some(tag) = tag {
                out.add(
                    model.is_generic(),
                    span,
                    quote!(#private::tagged_object),
                    quote!(#schema, #tag),
                );
            }
        }
        _ => {}
    }
}

/// The rules of a field as `Rule`s, each with its place.
fn rules(field: &Field, private: &TokenStream) -> Vec<(Span, TokenStream)> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    for (name, value) in [
        ("Bound", &attrs.min),
        ("Bound", &attrs.max),
        ("Above", &attrs.exclusive_min),
        ("Below", &attrs.exclusive_max),
        ("MultipleOf", &attrs.multiple_of),
    ] {
        if let Some(value) = value {
            let name = syn::Ident::new(name, Span::call_site());
            let literal = value.0.kind.tokens(private);
            out.push((value.0.span, quote!(#name(#literal))));
        }
    }
    if let (Some(low), Some(high)) = (&attrs.exclusive_min, &attrs.exclusive_max)
        && let (ValueKind::Integer(a), ValueKind::Integer(b)) = (&low.0.kind, &high.0.kind)
        && a.checked_add(1) == Some(*b)
    {
        out.push((low.0.span, quote!(Between)));
    }
    for (name, count) in [
        ("MinLength", attrs.min_length),
        ("MaxLength", attrs.max_length),
        ("MinItems", attrs.min_items),
        ("MaxItems", attrs.max_items),
    ] {
        if let Some(count) = count {
            let name = syn::Ident::new(name, Span::call_site());
            let value = count.value;
            out.push((count.span, quote!(#name(#value))));
        }
    }
    if let Some(written) = &attrs.pattern {
        out.push((written.span, quote!(Pattern)));
    }
    if let Some(switch) = attrs.unique_items {
        out.push((switch.span, quote!(Unique)));
    }
    // Where there is no key, it has no place, which was said.
    if let (Some(switch), Member::Named(_)) = (attrs.keep_empty, &field.member) {
        out.push((switch.span, quote!(KeepEmpty)));
    }
    match &attrs.one_of {
        None => {}
        // What else it is was said of the list.
        Some(list) if !check::one_kind(&list.kind) => {}
        Some(list) if list.kind.whole_numbers() => {
            let integers = schema::integers(&list.kind);
            out.push((list.span, quote!(OneOfInteger(#integers))));
        }
        Some(list) => {
            let texts = schema::texts(&list.kind, private);
            out.push((list.span, quote!(OneOfText(#texts))));
        }
    }
    out
}
