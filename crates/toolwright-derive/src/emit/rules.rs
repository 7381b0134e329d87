//! The rules of a field, for its schema and for the checks against its type.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::{shown, tokens::held};
use crate::{
    mean::{check, model::Field, pattern},
    say::values::ValueKind,
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
fn limits(field: &Field, private: &TokenStream) -> Vec<FieldRule> {
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
            let value = number.0.kind.tokens(private);
            let rule = quote!(Number(#private::NumberRule::#name(&#value)));
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
            FieldRule::new(quote!(#kind(#private::#rule::#name(#value))), count.span)
        }));
    }
    out.extend(attrs.unique_items.map(|switch| {
        let rule = quote!(List(#private::ListRule::UniqueItems));
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
            let texts = texts(&list.kind, private);
            FieldRule::new(quote!(OneOfText(#texts)), list.span)
        };
        // For a list of mixed kinds, the macro has reported an error.
        rule.checked = rule.checked.filter(|_| check::is_of_one_kind(&list.kind));
        out.push(rule);
    }
    out
}

/// All rules of a field.
pub(crate) fn rules(field: &Field, private: &TokenStream) -> Vec<FieldRule> {
    let mut out = limits(field, private);
    out.extend(field.attrs.pattern.as_ref().map(|written| FieldRule {
        said: Some(expression(&written.value, private)),
        // Which expression it is makes no difference to the type.
        checked: Some(quote!(Text(#private::TextRule::Pattern("", |_| true)))),
        span: written.span,
    }));
    out
}

/// A schema with the description, rules, default and example of the field.
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
        said.push(quote!(Example(&#literal)));
    }
    if Field::is(field.attrs.secret) {
        said.push(quote!(Secret));
    }
    refine(base, &said, private)
}

/// A schema with the limits of a field.
pub(crate) fn refine_by_limits(
    base: &TokenStream,
    field: &Field,
    private: &TokenStream,
) -> TokenStream {
    let limits = limits(field, private).into_iter();
    let said: Vec<TokenStream> = limits.filter_map(|rule| rule.said).collect();
    if said.is_empty() {
        return base.clone();
    }
    // In a constant of its own, because a temporary would be dropped where the check is.
    let schema = refine(base, &said, private);
    quote!(const { #schema })
}

fn refine(base: &TokenStream, said: &[TokenStream], private: &TokenStream) -> TokenStream {
    if said.is_empty() {
        return base.clone();
    }
    quote!(&#private::refine(#base, &[#(#private::Rule::#said),*]))
}

fn expression(text: &str, private: &TokenStream) -> TokenStream {
    let translated = pattern::translate(text).unwrap_or_default();
    quote! {
        Text(#private::TextRule::Pattern(#text, {
            fn __matches(__text: &#private::str) -> #private::bool {
                static __CELL: #private::OnceLock<#private::Option<#private::Regex>> =
                    #private::OnceLock::new();
                #private::pattern(&__CELL, #translated, __text)
            }
            __matches
        }))
    }
}

fn texts(list: &ValueKind, private: &TokenStream) -> TokenStream {
    let texts = list.items().iter().filter_map(|item| match item {
        ValueKind::Text(text) => Some(text),
        _ => None,
    });
    // Not `Choice::plain`: the result of a call in an inline const does not live for `'static`.
    let none = held(&quote!(""), private);
    let names = texts.map(|text| held(&quote!(#text), private));
    quote!(&[#(#private::Choice { name: #names, aliases: &[], description: #none }),*])
}

fn integers(list: &ValueKind) -> TokenStream {
    let integers = list.items().iter().filter_map(|item| match item {
        ValueKind::Integer(value) => Some(Literal::i128_suffixed(*value)),
        _ => None,
    });
    quote!(&[#(#integers),*])
}
