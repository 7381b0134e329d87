//! The rules of a field, for its schema and for the checks against its type.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::{shown, tokens::held, wire::conversion_check};
use crate::{
    attrs::values::ValueKind,
    model::{check, declaration::FieldModel},
};

/// One rule of a field, as a variant of `Rule`.
pub(crate) struct FieldRule {
    /// The rule, if it is in force.
    said: Option<TokenStream>,
    /// The rule, if the type may refuse it.
    pub(crate) checked: Option<TokenStream>,
    pub(crate) span: Span,
}

impl FieldRule {
    fn new(rule: TokenStream, span: Span) -> Self {
        Self {
            said: Some(rule.clone()),
            checked: Some(rule),
            span,
        }
    }
}

/// All rules but the pattern. Constant evaluation can check a value against them.
fn limits(field: &FieldModel) -> Vec<FieldRule> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    for (name, number) in [
        ("Min", &attrs.min),
        ("Max", &attrs.max),
        ("ExclusiveMin", &attrs.exclusive_min),
        ("ExclusiveMax", &attrs.exclusive_max),
        ("MultipleOf", &attrs.multiple_of),
    ] {
        out.extend(number.as_ref().map(|number| {
            let name = format_ident!("{name}");
            let value = number.0.kind.tokens();
            let rule = quote!(Number(__private::NumberRule::#name(&#value)));
            FieldRule::new(rule, number.0.span)
        }));
    }
    for (kind, name, count) in [
        ("Text", "MinLength", attrs.min_length),
        ("Text", "MaxLength", attrs.max_length),
        ("List", "MinItems", attrs.min_items),
        ("List", "MaxItems", attrs.max_items),
    ] {
        out.extend(count.map(|count| {
            let (kind, rule, name) = (
                format_ident!("{kind}"),
                format_ident!("{kind}Rule"),
                format_ident!("{name}"),
            );
            let value = count.value;
            FieldRule::new(quote!(#kind(__private::#rule::#name(#value))), count.span)
        }));
    }
    out.extend(attrs.unique_items.map(|switch| {
        let rule = quote!(List(__private::ListRule::UniqueItems));
        FieldRule {
            said: switch.value.then(|| rule.clone()),
            checked: Some(rule),
            span: switch.span,
        }
    }));
    if let Some(list) = &attrs.one_of {
        let mut rule = if list.kind.whole_numbers() {
            let integers = integers(&list.kind);
            FieldRule::new(quote!(OneOfInteger(#integers)), list.span)
        } else {
            let texts = texts(&list.kind);
            FieldRule::new(quote!(OneOfText(#texts)), list.span)
        };
        // For a list of mixed kinds, the macro has reported an error.
        rule.checked = rule.checked.filter(|_| check::is_of_one_kind(&list.kind));
        out.push(rule);
    }
    out
}

/// All rules of a field.
pub(crate) fn rules(field: &FieldModel) -> Vec<FieldRule> {
    let mut out = limits(field);
    out.extend(field.attrs.pattern.as_ref().map(|written| FieldRule {
        said: Some(expression(&written.value)),
        // The type takes or refuses a pattern whatever its expression is.
        checked: Some(quote!(Text(__private::TextRule::Pattern(
            "",
            __private::any_text
        )))),
        span: written.span,
    }));
    out
}

/// Everything that a field adds to the schema of its type: rules, default, example, secrecy.
pub(crate) fn said(field: &FieldModel) -> Vec<TokenStream> {
    let rules = rules(field).into_iter();
    let mut said: Vec<TokenStream> = rules.filter_map(|rule| rule.said).collect();
    if let Some((_, literal)) = shown::literal_default(field) {
        said.push(quote!(Default(#literal)));
    } else if let Some((names, name)) = shown::named_default(field) {
        said.push(quote!(NamedDefault(#names, #name)));
    }
    if let Some(value) = &field.attrs.example {
        let literal = value.kind.tokens();
        said.push(quote!(Example(&#literal)));
    }
    if FieldModel::is(field.attrs.secret) {
        said.push(quote!(Secret));
    }
    if let Some(check) = conversion_check(field) {
        said.push(quote!(Check(#check)));
    }
    said
}

/// A schema with the description of a field and everything that the field adds.
pub(crate) fn refine_by_field(
    base: &TokenStream,
    field: &FieldModel,
    description: &str,
) -> TokenStream {
    refine(base, description, &said(field))
}

/// A schema with the limits of a field.
pub(crate) fn refine_by_limits(base: &TokenStream, field: &FieldModel) -> TokenStream {
    let limits = limits(field).into_iter();
    let said: Vec<TokenStream> = limits.filter_map(|rule| rule.said).collect();
    if said.is_empty() {
        return base.clone();
    }
    // In a separate constant, because a temporary would be dropped in the check.
    let schema = refine(base, "", &said);
    quote!(const { #schema })
}

/// A schema with a description, unless that is empty, and rules.
pub(crate) fn refine(base: &TokenStream, description: &str, said: &[TokenStream]) -> TokenStream {
    if said.is_empty() && description.is_empty() {
        return base.clone();
    }
    let rules = list(said);
    quote!(&__private::refine(#base, #description, #rules))
}

/// Rules as a list.
pub(crate) fn list(said: &[TokenStream]) -> TokenStream {
    if said.is_empty() {
        quote!(__private::NO_RULES)
    } else {
        quote!(&[#(__private::Rule::#said),*])
    }
}

fn expression(text: &str) -> TokenStream {
    quote! {
        Text(__private::TextRule::Pattern(#text, {
            fn __matches(__text: &__private::str) -> __private::bool {
                static __CELL: __private::OnceLock<__Option<__private::CompiledPattern>> =
                    __private::OnceLock::new();
                __private::pattern(&__CELL, #text, __text)
            }
            __matches
        }))
    }
}

fn texts(list: &ValueKind) -> TokenStream {
    let texts = list.items().iter().filter_map(|item| match item {
        ValueKind::Text(text) => Some(text),
        _ => None,
    });
    // Not `Choice::plain`: the result of a call in an inline const does not live for `'static`.
    let none = held(&quote!(""));
    let names = texts.map(|text| held(&quote!(#text)));
    quote!(&[#(__private::Choice { name: #names, aliases: &[], description: #none }),*])
}

fn integers(list: &ValueKind) -> TokenStream {
    let integers = list.items().iter().filter_map(|item| match item {
        ValueKind::Integer(value) => Some(Literal::i128_suffixed(*value)),
        _ => None,
    });
    quote!(&[#(#integers),*])
}
