//! Emits the const schema.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;

use super::{
    rules::refine_by_field,
    tokens::{self, held},
    wire::{marker, wire},
};
use crate::mean::model::{Body, Field, Model, Shape, Tagging, Unknown, Variant};

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
                quote!(#private::Kind::Text(#private::Text::one_of(<Self as #private::MapKey>::KEYS))),
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
pub(crate) fn node(kind: &TokenStream, description: &str, private: &TokenStream) -> TokenStream {
    let description = held(&quote!(#description), private);
    quote!(&#private::Schema {
        kind: #kind,
        description: #description,
        nullable: false,
        default: #private::Option::None,
        example: #private::Option::None,
        secret: false,
        mark: 0,
    })
}

fn newtype(model: &Model, field: &Field, private: &TokenStream) -> Consts {
    let ty = wire(field, model);
    let description = if field.description.is_empty() {
        &model.description
    } else {
        &field.description
    };
    let refine = |base: &TokenStream| refine_by_field(base, field, description, private);
    let input = model.input(&ty);
    let present = refine(&input.get("PRESENT"));
    let optional = input.get("OPTIONAL");
    let again = if Field::is(field.attrs.recursive) {
        again(&quote!(#private::ANY_AGAIN), private)
    } else {
        again(&input.get("AGAIN"), private)
    };
    Consts {
        schema: refine(&input.get("SCHEMA")),
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
    let extra = if fields.iter().any(|field| field.flatten.is_some()) {
        quote!(#private::extra(#extra))
    } else {
        extra
    };
    let fields = held(&quote!(const { &[#(#entries),*] }), private);
    // In a constant of its own: while it looks for what lasts, the compiler visits all of a constant once
    // more for each level of references in it.
    quote!(#private::ObjectRules { fields: #fields, unknown: #unknown, extra: #extra })
}

fn unknown(unknown: Unknown, private: &TokenStream) -> TokenStream {
    let variant = format_ident!("{}", format!("{unknown:?}"));
    quote!(#private::Unknown::#variant)
}

fn entry(field: &Field, model: &Model, private: &TokenStream) -> TokenStream {
    if field.flatten.is_some() {
        let schema = held(&model.object(&field.ty).get("OBJECT"), private);
        let name = held(&quote!(""), private);
        return quote! {
            #private::Field {
                name: #name,
                aliases: &[],
                schema: #schema,
                required: true,
                keep_empty: false,
                flatten: true,
            }
        };
    }
    let name = &field.name;
    let name = held(&quote!(#name), private);
    let aliases = field.aliases.iter().map(|alias| &alias.value);
    let ty = wire(field, model);
    let schema = held(&field_schema(field, &ty, model, private), private);
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
    refine_by_field(&base(field, ty, model), field, &field.description, private)
}

/// The schema of the type where its schema would contain itself.
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
    let none = held(&quote!(""), private);
    let form = |content: TokenStream| {
        let content = held(&content, private);
        quote!(#private::Variant {
            name: #none,
            aliases: &[],
            description: #none,
            content: #private::Option::Some { 0: #content },
        })
    };
    let name = form(node(
        &quote!(#private::Kind::Text(#private::Text::one_of(#choices))),
        "",
        private,
    ));
    let object = form(quote!(#private::OBJECT_AGAIN));
    let variants = held(&quote!(&[#name, #object]), private);
    let kind = quote!(#private::Kind::Union(#private::UnionRules {
        tagging: #private::Tagging::None,
        variants: #variants,
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
        let name = held(&quote!(#name), private);
        let description = held(&quote!(#description), private);
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
    let tagging = self::tagging(tagging, private);
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
                let schema = refine_by_field(&schema, field, &field.description, private);
                some(&schema, private)
            }
            Body::Tuple(fields) => {
                let types: Vec<Type> = fields.iter().map(|field| wire(field, model)).collect();
                let schema = model.input(&tokens::tuple(&types)).get("SCHEMA");
                some(&schema, private)
            }
            Body::Struct(_) => {
                let marker = marker(index);
                let schema = quote!(<#marker<Self> as #private::Object>::OBJECT);
                some(&schema, private)
            }
        };
        let name = held(&quote!(#name), private);
        let description = held(&quote!(#description), private);
        quote! {
            #private::Variant {
                name: #name,
                aliases: &[#(#aliases),*],
                description: #description,
                content: #content,
            }
        }
    });
    let variants = held(&quote!(&[#(#variants),*]), private);
    quote!(#private::UnionRules { tagging: #tagging, variants: #variants, unknown: #unknown })
}

pub(crate) fn tagging(tagging: &Tagging, private: &TokenStream) -> TokenStream {
    match tagging {
        Tagging::External => quote!(#private::Tagging::External),
        Tagging::None => quote!(#private::Tagging::None),
        Tagging::Internal(tag) => {
            let tag = &tag.value;
            let tag = held(&quote!(#tag), private);
            quote!(#private::Tagging::Internal { tag: #tag })
        }
        Tagging::Adjacent(tag, content) => {
            let (tag, content) = (&tag.value, &content.value);
            let tag = held(&quote!(#tag), private);
            let content = held(&quote!(#content), private);
            quote!(#private::Tagging::Adjacent { tag: #tag, content: #content })
        }
    }
}

/// The content of a variant, in braces for the reason that [`held`] gives.
fn some(schema: &TokenStream, private: &TokenStream) -> TokenStream {
    let schema = held(schema, private);
    quote!(#private::Option::Some { 0: #schema })
}
