//! Emits consts whose evaluation refuses what tokens cannot tell, each on the token that is wrong.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

use crate::{
    literal::{DefaultValue, ValueKind},
    model::{Body, Field, Model, Shape, Tagging, Variant},
    schema, types, union,
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
        let function = types::moved(function, span);
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
            parameter(model, field, &private, &mut out);
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

fn parameter(model: &Model, field: &Field, private: &TokenStream, out: &mut Checks) {
    let ty = schema::wire(field, model);
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
    let rules = schema::limits(field, private);
    let schema = schema::refined(&base, &rules, private);
    if let Some(DefaultValue::Literal(value)) = &field.default {
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
        (Body::Newtype(field), Some(tag)) => {
            let ty = schema::wire(field, model);
            let span = ty.span();
            let input = model.input(&ty);
            out.add(
                types::mentions(&ty, &model.params()),
                span,
                quote!(#private::tagged_object),
                {
                    let schema = input.get("SCHEMA");
                    quote!(#schema, #tag)
                },
            );
        }
        (Body::Struct(fields), tag) => {
            let Some(span) = fields.iter().find_map(|field| field.flatten) else {
                return;
            };
            let marker = union::marker(index);
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
    match &attrs.one_of {
        None => {}
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
