//! The rules of a field: as its schema says them, and as they are checked against its type.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::shown;
use crate::{
    mean::{check, model::Field, pattern},
    say::values::ValueKind,
};

/// One rule of a field.
pub(crate) struct FieldRule {
    /// The variant of `Said`, if the rule is in force.
    said: Option<TokenStream>,
    /// The variant of `Rule`, if the type may refuse it.
    pub(crate) checked: Option<TokenStream>,
    pub(crate) span: Span,
}

impl FieldRule {
    fn new(said: &str, checked: &str, value: &TokenStream, span: Span) -> Self {
        let variant = |name: &str| {
            let name = Ident::new(name, Span::call_site());
            quote!(#name(#value))
        };
        Self {
            said: Some(variant(said)),
            checked: Some(variant(checked)),
            span,
        }
    }
}

/// The rules that a constant can be held against: all but the pattern.
fn limits(field: &Field, private: &TokenStream) -> Vec<FieldRule> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    for (said, checked, number) in [
        ("Min", "Bound", &attrs.min),
        ("Max", "Bound", &attrs.max),
        ("ExclusiveMin", "Above", &attrs.exclusive_min),
        ("ExclusiveMax", "Below", &attrs.exclusive_max),
        ("MultipleOf", "MultipleOf", &attrs.multiple_of),
    ] {
        out.extend(number.as_ref().map(|number| {
            let value = number.0.kind.tokens(private);
            FieldRule::new(said, checked, &value, number.0.span)
        }));
    }
    for (name, count) in [
        ("MinLength", attrs.min_length),
        ("MaxLength", attrs.max_length),
        ("MinItems", attrs.min_items),
        ("MaxItems", attrs.max_items),
    ] {
        out.extend(count.map(|count| {
            let value = count.value;
            FieldRule::new(name, name, &quote!(#value), count.span)
        }));
    }
    out.extend(attrs.unique_items.map(|switch| FieldRule {
        said: switch.value.then(|| quote!(UniqueItems)),
        checked: Some(quote!(Unique)),
        span: switch.span,
    }));
    if let Some(list) = &attrs.one_of {
        let mut rule = if list.kind.whole_numbers() {
            let integers = integers(&list.kind);
            FieldRule::new("OneOfInteger", "OneOfInteger", &integers, list.span)
        } else {
            let texts = texts(&list.kind, private);
            FieldRule::new("OneOfText", "OneOfText", &texts, list.span)
        };
        // Of a list of several kinds an error is reported already.
        rule.checked = rule.checked.filter(|_| check::one_kind(&list.kind));
        out.push(rule);
    }
    out
}

/// All rules of a field.
pub(crate) fn rules(field: &Field, private: &TokenStream) -> Vec<FieldRule> {
    let mut out = limits(field, private);
    out.extend(field.attrs.pattern.as_ref().map(|written| FieldRule {
        said: Some(expression(&written.value, private)),
        checked: Some(quote!(Pattern)),
        span: written.span,
    }));
    out
}

/// Whether the field adds no rule to those of its type, so that the compiler knows them all.
pub(crate) fn is_own(field: &Field, private: &TokenStream) -> bool {
    // A recursive field is described as something open, and read as what it is.
    !Field::is(field.attrs.recursive)
        && rules(field, private).iter().all(|rule| rule.said.is_none())
}

/// A schema with what the field says laid over it.
pub(crate) fn refine_by_field(
    base: &TokenStream,
    field: &Field,
    description: &str,
    private: &TokenStream,
) -> TokenStream {
    let mut said = Vec::new();
    if !description.is_empty() {
        said.push(quote!(Description(#description)));
    }
    said.extend(
        rules(field, private)
            .into_iter()
            .filter_map(|rule| rule.said),
    );
    if let Some((_, literal)) = shown::literal_default(field, private) {
        said.push(quote!(Default(#literal)));
    } else if let Some((names, name)) = shown::named_default(field) {
        said.push(quote!(NamedDefault(#names, #name)));
    }
    if let Some(value) = &field.attrs.example {
        let literal = value.kind.tokens(private);
        said.push(quote!(Example(#literal)));
    }
    if Field::is(field.attrs.secret) {
        said.push(quote!(Secret));
    }
    refine(base, &said, private)
}

/// A schema with the limits of a field laid over it.
pub(crate) fn refine_by_limits(
    base: &TokenStream,
    field: &Field,
    private: &TokenStream,
) -> TokenStream {
    let limits = limits(field, private).into_iter();
    let said: Vec<TokenStream> = limits.filter_map(|rule| rule.said).collect();
    refine(base, &said, private)
}

fn refine(base: &TokenStream, said: &[TokenStream], private: &TokenStream) -> TokenStream {
    match said {
        [] => base.clone(),
        [only] => quote!(&#private::refine_one(#base, #private::Said::#only)),
        _ => quote!(&#private::refine(#base, &[#(#private::Said::#said),*])),
    }
}

fn expression(text: &str, private: &TokenStream) -> TokenStream {
    let translated = pattern::translate(text).unwrap_or_default();
    quote! {
        Pattern(#private::Pattern {
            text: #text,
            is_match: {
                fn __matches(__text: &#private::str) -> #private::bool {
                    static __CELL: #private::OnceLock<#private::Option<#private::Regex>> =
                        #private::OnceLock::new();
                    #private::pattern(&__CELL, #translated, __text)
                }
                __matches
            },
        })
    }
}

fn texts(list: &ValueKind, private: &TokenStream) -> TokenStream {
    let texts = list.items().iter().filter_map(|item| match item {
        ValueKind::Text(text) => Some(text),
        _ => None,
    });
    // Not `Choice::plain`: a call inside of an inline const does not last for `'static`.
    quote!(&[#(#private::Choice { name: #texts, aliases: &[], description: "" }),*])
}

fn integers(list: &ValueKind) -> TokenStream {
    let integers = list.items().iter().filter_map(|item| match item {
        ValueKind::Integer(value) => Some(Literal::i128_suffixed(*value)),
        _ => None,
    });
    quote!(&[#(#integers),*])
}
