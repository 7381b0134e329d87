//! Emits the impl: the const schema, and around it what the other emitters give.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::Type;

use crate::{
    bound,
    checks::{self, Checks},
    literal::{DefaultValue, ValueKind},
    model::{Body, Field, Model, Shape, Tagging, Unknown, Variant},
    pattern, read, types, union,
};

pub(crate) fn expand(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let private = model.private();
    let ident = &model.ident;
    let generics = bound::generics(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let parts = Parts::of(model);
    let Parts {
        schema,
        extra_consts,
        read,
        read_text,
        items,
    } = &parts;
    let Checks { outside, inside } = checks::of(model);
    let read_text = read_text.as_ref().map(|body| {
        quote! {
            fn read_text(
                __source: &mut #private::Json<'_>,
                mut __at: #krate::At<'_>,
            ) -> #private::Result<#private::Option<Self>, #private::Broken> {
                #inside
                #body
            }
        }
    });
    // Tokens in the user's places are subject to the user's lints.
    quote! {
        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #outside

            #[automatically_derived]
            impl #impl_generics #krate::ToolInput for #ident #type_generics #where_clause {
                const SCHEMA: &'static #private::Schema = #schema;
                #extra_consts

                fn read<'__de, __D: #private::Deserializer<'__de>>(
                    __source: __D,
                    mut __at: #krate::At<'_>,
                ) -> #private::Result<#private::Option<Self>, __D::Error> {
                    #inside
                    #read
                }

                #read_text
            }

            #items
        };
    }
}

/// What fills the impl.
pub(crate) struct Parts {
    /// The value of `SCHEMA`.
    pub(crate) schema: TokenStream,
    pub(crate) extra_consts: TokenStream,
    /// The body of `read`.
    pub(crate) read: TokenStream,
    /// The body of `read_text`, where it is another.
    pub(crate) read_text: Option<TokenStream>,
    /// Further impls.
    pub(crate) items: TokenStream,
}

impl Parts {
    fn of(model: &Model) -> Self {
        let private = model.private();
        let description = &model.description;
        let node = |kind: TokenStream| {
            quote!(&#private::Schema {
                kind: #kind,
                description: #description,
                nullable: false,
                default: #private::Option::None,
                example: #private::Option::None,
                secret: false,
            })
        };
        match &model.shape {
            Shape::Struct(fields) => {
                let rules = object(fields, model, &private);
                Self {
                    schema: node(quote!(#private::Kind::Object(#rules))),
                    extra_consts: again(&quote!(#private::OBJECT_AGAIN), &private),
                    read: quote!(#private::read_object::<__D, Self>(__source, __at)),
                    read_text: Some(quote!(#private::read_object_text::<Self>(__source, __at))),
                    items: read::object(model, fields),
                }
            }
            Shape::Newtype(field) => newtype(model, field),
            Shape::Names(variants) => {
                let choices = choices(variants, &private);
                Self {
                    schema: node(quote!(#private::Kind::Text(#private::Text {
                        choices: <Self as #private::MapKey>::KEYS,
                        ..#private::Text::ANY
                    }))),
                    extra_consts: union::read_own_names(model),
                    read: union::names(model, "read_choice", false),
                    read_text: Some(union::names(model, "read_choice_text", false)),
                    items: union::map_key(model, variants, &choices),
                }
            }
            Shape::Union { tagging, variants } => {
                let rules = union(model, tagging, variants, &private);
                Self {
                    schema: node(quote!(#private::Kind::Union(#rules))),
                    extra_consts: again(&union_again(tagging, variants, &private), &private),
                    read: union::body(model, tagging),
                    read_text: None,
                    items: union::items(model, variants),
                }
            }
        }
    }
}

fn newtype(model: &Model, field: &Field) -> Parts {
    let private = model.private();
    let ty = wire(field, model);
    let mut rules = rules(field, &private);
    if field.description.is_empty() && !model.description.is_empty() {
        let description = &model.description;
        rules.push(quote!(Description(#description)));
    }
    let input = model.input(&ty);
    let present = refined(&input.get("PRESENT"), &rules, &private);
    let optional = input.get("OPTIONAL");
    let absent = read::newtype_absent(model, field);
    let again = if Field::is(field.attrs.recursive) {
        again(&quote!(#private::ANY_AGAIN), &private)
    } else {
        again(&input.get("AGAIN"), &private)
    };
    Parts {
        schema: refined(&input.get("SCHEMA"), &rules, &private),
        extra_consts: quote! {
            const PRESENT: &'static #private::Schema = #present;
            const OPTIONAL: #private::bool = #optional;
            #again
            #absent
        },
        read: read::newtype(model, field, "read"),
        read_text: Some(read::newtype(model, field, "read_text")),
        items: TokenStream::new(),
    }
}

/// The type that a field is read as, for its schema.
pub(crate) fn wire(field: &Field, model: &Model) -> Type {
    let private = model.private();
    if let Some(with) = &field.attrs.with {
        let with = &with.0;
        return if types::inside_option(&field.ty).is_some() {
            syn::parse_quote!(#private::Option<#with>)
        } else {
            with.clone()
        };
    }
    if Field::is(field.attrs.recursive) {
        return types::opened(&field.ty, &model.ident, &mut |ty| {
            *ty = syn::parse_quote!(#private::Again<#ty>);
        });
    }
    field.ty.clone()
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

/// Whether the field adds no rule to those of its type, so that the compiler knows them all.
pub(crate) fn is_own(field: &Field) -> bool {
    let attrs = &field.attrs;
    let counts = [
        attrs.min_length.is_some(),
        attrs.max_length.is_some(),
        attrs.min_items.is_some(),
        attrs.max_items.is_some(),
    ];
    numbers(field).is_empty()
        && !counts.contains(&true)
        && attrs.pattern.is_none()
        && attrs.one_of.is_none()
        && !Field::is(attrs.unique_items)
        // Described as something open, and read as what it is.
        && !Field::is(attrs.recursive)
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
    let node = |kind: TokenStream| {
        quote!(&#private::Schema {
            kind: #kind,
            description: "",
            nullable: false,
            default: #private::Option::None,
            example: #private::Option::None,
            secret: false,
        })
    };
    let name = form(node(
        quote!(#private::Kind::Text(#private::Text { choices: #choices, ..#private::Text::ANY })),
    ));
    let object = form(quote!(#private::OBJECT_AGAIN));
    node(quote!(#private::Kind::Union(#private::UnionRules {
        tagging: #private::Tagging::None,
        variants: &[#name, #object],
        unknown: #private::Unknown::Report,
    })))
}

fn choices<'a>(
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
                let schema = model.input(&types::tuple(&types)).get("SCHEMA");
                quote!(#private::Option::Some(#schema))
            }
            Body::Struct(_) => {
                let marker = union::marker(index);
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
