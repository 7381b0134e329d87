//! Emits the const schema.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::Type;

use super::{
    tokens,
    wire::{marker, wire},
};
use crate::{
    mean::{
        model::{Body, Field, Model, Shape, Tagging, Unknown, Variant},
        pattern,
    },
    say::values::{DefaultValue, ValueKind},
};

/// The constants of the impl.
pub(crate) struct Consts {
    /// The value of `SCHEMA`.
    pub(crate) schema: TokenStream,
    /// The constants beside it, where they are not those of the trait.
    pub(crate) others: TokenStream,
}

impl Consts {
    pub(crate) fn of(model: &Model) -> Self {
        let private = model.private();
        let (kind, others) = match &model.shape {
            Shape::Struct(fields) => {
                let rules = object(fields, model, &private);
                (
                    quote!(#private::Kind::Object(#rules)),
                    again(&quote!(#private::OBJECT_AGAIN), &private),
                )
            }
            Shape::Newtype(field) => return newtype(model, field, &private),
            Shape::Names(_) => (
                quote!(#private::Kind::Text(#private::Text {
                    choices: <Self as #private::MapKey>::KEYS,
                    ..#private::Text::ANY
                })),
                TokenStream::new(),
            ),
            Shape::Union { tagging, variants } => {
                let rules = union(model, tagging, variants, &private);
                (
                    quote!(#private::Kind::Union(#rules)),
                    again(&union_again(tagging, variants, &private), &private),
                )
            }
        };
        Self {
            schema: node(&kind, &model.description, &private),
            others,
        }
    }
}

/// A schema about which nothing else is said.
fn node(kind: &TokenStream, description: &str, private: &TokenStream) -> TokenStream {
    quote!(&#private::Schema {
        kind: #kind,
        description: #description,
        nullable: false,
        default: #private::Option::None,
        example: #private::Option::None,
        secret: false,
    })
}

fn newtype(model: &Model, field: &Field, private: &TokenStream) -> Consts {
    let ty = wire(field, model);
    let mut rules = rules(field, private);
    if field.description.is_empty() && !model.description.is_empty() {
        let description = &model.description;
        rules.push(quote!(Description(#description)));
    }
    let input = model.input(&ty);
    let present = refined(&input.get("PRESENT"), &rules, private);
    let optional = input.get("OPTIONAL");
    let again = if Field::is(field.attrs.recursive) {
        again(&quote!(#private::ANY_AGAIN), private)
    } else {
        again(&input.get("AGAIN"), private)
    };
    Consts {
        schema: refined(&input.get("SCHEMA"), &rules, private),
        others: quote! {
            const PRESENT: &'static #private::Schema = #present;
            const OPTIONAL: #private::bool = #optional;
            #again
        },
    }
}

/// The rules of an object.
pub(crate) fn object<'a>(
    fields: impl IntoIterator<Item = &'a Field>,
    model: &Model,
    private: &TokenStream,
) -> TokenStream {
    let fields: Vec<&Field> = fields
        .into_iter()
        .filter(|field| field.skip.is_none())
        .collect();
    let entries = fields.iter().map(|field| entry(field, model, private));
    let unknown = unknown(model.unknown, private);
    let extra = fields
        .iter()
        .filter(|field| field.flatten.is_some())
        .rev()
        .fold(quote!(#private::Option::None), |rest, field| {
            let schema = model.object(&field.ty).get("OBJECT");
            quote!(#private::extra_of(#schema, #rest))
        });
    // In a constant of its own: while it looks for what lasts, the compiler visits all of a constant once
    // more for each level of references in it.
    quote!(#private::ObjectRules { fields: const { &[#(#entries),*] }, unknown: #unknown, extra: #extra })
}

fn unknown(unknown: Unknown, private: &TokenStream) -> TokenStream {
    match unknown {
        Unknown::Ignore => quote!(#private::Unknown::Ignore),
        Unknown::Report => quote!(#private::Unknown::Report),
        Unknown::Deny => quote!(#private::Unknown::Deny),
    }
}

fn entry(field: &Field, model: &Model, private: &TokenStream) -> TokenStream {
    if field.flatten.is_some() {
        let schema = model.object(&field.ty).get("OBJECT");
        return quote! {
            #private::Field {
                name: "",
                aliases: &[],
                schema: #schema,
                required: true,
                keep_empty: false,
                flatten: true,
            }
        };
    }
    let name = &field.name;
    let aliases = field.aliases.iter().map(|alias| &alias.value);
    let ty = wire(field, model);
    let schema = field_schema(field, &ty, model, private);
    let required = required(field, &ty, model);
    let keep_empty = Field::is(field.attrs.keep_empty);
    quote! {
        #private::Field {
            name: #name,
            aliases: &[#(#aliases),*],
            schema: #schema,
            required: #required,
            keep_empty: #keep_empty,
            flatten: false,
        }
    }
}

fn required(field: &Field, ty: &Type, model: &Model) -> TokenStream {
    match field.attrs.required {
        Some(switch) => {
            let value = switch.value;
            quote!(#value)
        }
        None if field.default.is_some() || model.default_all.is_some() => quote!(false),
        None => {
            let optional = model.input(ty).get("OPTIONAL");
            quote!(!#optional)
        }
    }
}

/// The schema of the type, without the null that stands for an absent value.
fn base(field: &Field, ty: &Type, model: &Model) -> TokenStream {
    let input = model.input(ty);
    if Field::is(field.attrs.required) {
        input.get("SCHEMA")
    } else {
        input.get("PRESENT")
    }
}

fn field_schema(field: &Field, ty: &Type, model: &Model, private: &TokenStream) -> TokenStream {
    refined(&base(field, ty, model), &rules(field, private), private)
}

/// A schema with what was said laid over it.
pub(crate) fn refined(
    base: &TokenStream,
    said: &[TokenStream],
    private: &TokenStream,
) -> TokenStream {
    if said.is_empty() {
        return base.clone();
    }
    if let [only] = said {
        return quote!(&#private::refine_one(#base, #private::Said::#only));
    }
    quote!(&#private::refine(#base, &[#(#private::Said::#said),*]))
}

/// What the attributes say, as variants of `Said`.
pub(crate) fn rules(field: &Field, private: &TokenStream) -> Vec<TokenStream> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    if !field.description.is_empty() {
        let description = &field.description;
        out.push(quote!(Description(#description)));
    }
    out.extend(limits(field, private));
    if let Some(written) = &attrs.pattern {
        let expression = expression(&written.value, private);
        out.push(quote!(Pattern(#expression)));
    }
    if let Some(DefaultValue::Literal(value)) = &field.default {
        let literal = value.kind.tokens(private);
        out.push(quote!(Default(#literal)));
    }
    if let Some(value) = &attrs.example {
        let literal = value.kind.tokens(private);
        out.push(quote!(Example(#literal)));
    }
    if Field::is(attrs.secret) {
        out.push(quote!(Secret));
    }
    out
}

/// Those of them that a constant can be compared with: all but the pattern.
pub(crate) fn limits(field: &Field, private: &TokenStream) -> Vec<TokenStream> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    for (name, value) in numbers(field) {
        let name = syn::Ident::new(name, Span::call_site());
        let literal = value.tokens(private);
        out.push(quote!(#name(#literal)));
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
            out.push(quote!(#name(#value)));
        }
    }
    if Field::is(attrs.unique_items) {
        out.push(quote!(UniqueItems));
    }
    match &attrs.one_of {
        None => {}
        Some(list) if list.kind.whole_numbers() => {
            let integers = integers(&list.kind);
            out.push(quote!(OneOfInteger(#integers)));
        }
        Some(list) => {
            let texts = texts(&list.kind, private);
            out.push(quote!(OneOfText(#texts)));
        }
    }
    out
}

fn numbers(field: &Field) -> Vec<(&'static str, &ValueKind)> {
    let attrs = &field.attrs;
    [
        ("Min", &attrs.min),
        ("Max", &attrs.max),
        ("ExclusiveMin", &attrs.exclusive_min),
        ("ExclusiveMax", &attrs.exclusive_max),
        ("MultipleOf", &attrs.multiple_of),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.as_ref().map(|value| (name, &value.0.kind)))
    .collect()
}

fn expression(text: &str, private: &TokenStream) -> TokenStream {
    let translated = pattern::translate(text).unwrap_or_default();
    quote! {
        #private::Pattern {
            text: #text,
            is_match: {
                fn __matches(__text: &#private::str) -> #private::bool {
                    static __CELL: #private::OnceLock<#private::Option<#private::Regex>> =
                        #private::OnceLock::new();
                    #private::pattern(&__CELL, #translated, __text)
                }
                __matches
            },
        }
    }
}

pub(crate) fn texts(list: &ValueKind, private: &TokenStream) -> TokenStream {
    let texts = list.items().iter().filter_map(|item| match item {
        ValueKind::Text(text) => Some(text),
        _ => None,
    });
    // Not `Choice::plain`: a call inside of an inline const does not last for `'static`.
    quote!(&[#(#private::Choice { name: #texts, aliases: &[], description: "" }),*])
}

pub(crate) fn integers(list: &ValueKind) -> TokenStream {
    let integers = list.items().iter().filter_map(|item| match item {
        ValueKind::Integer(value) => Some(Literal::i128_suffixed(*value)),
        _ => None,
    });
    quote!(&[#(#integers),*])
}

/// What the type is where its schema would contain itself.
fn again(schema: &TokenStream, private: &TokenStream) -> TokenStream {
    quote!(const AGAIN: &'static #private::Schema = #schema;)
}

/// The forms that a union has, without what is in them.
fn union_again(tagging: &Tagging, variants: &[Variant], private: &TokenStream) -> TokenStream {
    let objects = variants
        .iter()
        .all(|variant| matches!(variant.body, Body::Struct(_)));
    if let Tagging::None = tagging
        && !objects
    {
        return quote!(#private::ANY_AGAIN);
    }
    let names: Vec<&Variant> = variants
        .iter()
        .filter(|variant| matches!(variant.body, Body::Unit))
        .collect();
    if names.is_empty() || !matches!(tagging, Tagging::External) {
        return quote!(#private::OBJECT_AGAIN);
    }
    let choices = choices(names, private);
    let form = |content: TokenStream| {
        quote!(#private::Variant {
            name: "",
            aliases: &[],
            description: "",
            content: #private::Option::Some(#content),
        })
    };
    let name = form(node(
        &quote!(#private::Kind::Text(#private::Text { choices: #choices, ..#private::Text::ANY })),
        "",
        private,
    ));
    let object = form(quote!(#private::OBJECT_AGAIN));
    let kind = quote!(#private::Kind::Union(#private::UnionRules {
        tagging: #private::Tagging::None,
        variants: &[#name, #object],
        unknown: #private::Unknown::Report,
    }));
    node(&kind, "", private)
}

pub(crate) fn choices<'a>(
    variants: impl IntoIterator<Item = &'a Variant>,
    private: &TokenStream,
) -> TokenStream {
    let choices = variants.into_iter().map(|variant| {
        let Variant { name, description, .. } = variant;
        let aliases = variant.aliases.iter().map(|alias| &alias.value);
        quote!(#private::Choice { name: #name, aliases: &[#(#aliases),*], description: #description })
    });
    quote!(&[#(#choices),*])
}

fn union(
    model: &Model,
    tagging: &Tagging,
    variants: &[Variant],
    private: &TokenStream,
) -> TokenStream {
    let tagging = match tagging {
        Tagging::External => quote!(#private::Tagging::External),
        Tagging::None => quote!(#private::Tagging::None),
        Tagging::Internal(tag) => {
            let tag = &tag.value;
            quote!(#private::Tagging::Internal { tag: #tag })
        }
        Tagging::Adjacent(tag, content) => {
            let (tag, content) = (&tag.value, &content.value);
            quote!(#private::Tagging::Adjacent { tag: #tag, content: #content })
        }
    };
    let unknown = unknown(model.unknown, private);
    let variants = variants.iter().enumerate().map(|(index, variant)| {
        let Variant {
            name, description, ..
        } = variant;
        let aliases = variant.aliases.iter().map(|alias| &alias.value);
        let content = match &variant.body {
            Body::Unit => quote!(#private::Option::None),
            Body::Newtype(field) => {
                let schema = model.input(&wire(field, model)).get("SCHEMA");
                let schema = refined(&schema, &rules(field, private), private);
                quote!(#private::Option::Some(#schema))
            }
            Body::Tuple(fields) => {
                let types: Vec<Type> = fields.iter().map(|field| wire(field, model)).collect();
                let schema = model.input(&tokens::tuple(&types)).get("SCHEMA");
                quote!(#private::Option::Some(#schema))
            }
            Body::Struct(_) => {
                let marker = marker(index);
                quote!(#private::Option::Some(<#marker<Self> as #private::Object>::OBJECT))
            }
        };
        quote! {
            #private::Variant {
                name: #name,
                aliases: &[#(#aliases),*],
                description: #description,
                content: #content,
            }
        }
    });
    quote!(#private::UnionRules { tagging: #tagging, variants: &[#(#variants),*], unknown: #unknown })
}
