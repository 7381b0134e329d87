//! Emits the reader of enums: names, and variants with content.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, Type};

use super::{
    bound,
    read::{self, validated},
    schema,
    tokens::tuple,
    wire::marker,
};
use crate::mean::model::{Body, Model, Variant};

/// The body of `read` for an enum of unit variants.
pub(crate) fn names(model: &Model) -> TokenStream {
    let private = model.private();
    validated(
        model,
        &quote!(#private::nth(#private::read_choice(
            __input,
            <Self as #private::MapKey>::KEYS,
            __at.reborrow(),
        ))),
    )
}

fn unit_arms<'a>(
    variants: &'a [Variant],
    private: &'a TokenStream,
) -> impl Iterator<Item = TokenStream> + 'a {
    variants
        .iter()
        .enumerate()
        .filter(|(_, variant)| matches!(variant.body, Body::Unit))
        .map(move |(index, variant)| {
            let (number, ident) = (Literal::usize_unsuffixed(index), &variant.ident);
            quote!(#private::Option::Some(#number) => #private::Option::Some(Self::#ident {}),)
        })
}

/// An enum of unit variants can be the key of a map.
pub(crate) fn map_key(model: &Model, variants: &[Variant], choices: &TokenStream) -> TokenStream {
    let private = model.private();
    let ident = &model.ident;
    let (impl_generics, type_generics, where_clause) = model.generics.split_for_impl();
    let arms = variants.iter().map(|variant| {
        let (name, ident) = (&variant.name, &variant.ident);
        quote!(#name => #private::Option::Some(Self::#ident {}),)
    });
    let numbers = unit_arms(variants, &private);
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::MapKey for #ident #type_generics #where_clause {
            const KEYS: &'static [#private::Choice] = #choices;

            fn from_text(__text: &#private::str) -> #private::Option<Self> {
                match __text {
                    #(#arms)*
                    _ => #private::Option::None,
                }
            }

            fn nth(__number: #private::usize) -> #private::Option<Self> {
                match #private::Option::Some(__number) {
                    #(#numbers)*
                    _ => #private::Option::None,
                }
            }
        }
    }
}

/// The body of `read` for an enum with content.
pub(crate) fn body(model: &Model) -> TokenStream {
    let private = model.private();
    validated(
        model,
        &quote!(#private::read_union::<Self>(__input, __at.reborrow())),
    )
}

/// `impl Union for Self`, and an object for each variant with named fields.
pub(crate) fn items(model: &Model, variants: &[Variant]) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let ident = &model.ident;
    let (type_generics, generics) = (model.generics.split_for_impl().1, bound::generics(model));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let read_arms = variants.iter().enumerate().filter_map(|(index, variant)| {
        let number = Literal::usize_unsuffixed(index);
        let read = content(model, index, variant)?;
        Some(quote!(#number => #read,))
    });
    let unit_arms = unit_arms(variants, &private);
    let objects = variants.iter().enumerate().map(|(index, variant)| {
        let Body::Struct(fields) = &variant.body else {
            return TokenStream::new();
        };
        let (marker, name, description) = (marker(index), &variant.ident, &variant.description);
        let members = read::variant(model, fields, quote!(#ident::#name));
        let rules = schema::object(fields, model, &private);
        let object = schema::node(
            &quote!(#private::Kind::Object(#rules)),
            description,
            &private,
        );
        quote! {
            struct #marker<__T>(#private::PhantomData<__T>);

            #[automatically_derived]
            impl #impl_generics #private::Object for #marker<#ident #type_generics> #where_clause {
                type Out = #ident #type_generics;
                const OBJECT: &'static #private::Schema = #object;
                #members
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::Union for #ident #type_generics #where_clause {
            const UNION: &'static #private::Schema = <Self as #krate::ToolInput>::SCHEMA;

            fn read(
                __variant: #private::usize,
                __input: &mut #private::Input<'_>,
                mut __at: #private::At<'_>,
            ) -> #private::Option<Self> {
                match __variant {
                    #(#read_arms)*
                    _ => #private::unusable(__input, __at.reborrow()),
                }
            }

            fn unit(__variant: #private::usize) -> #private::Option<Self> {
                match #private::Option::Some(__variant) {
                    #(#unit_arms)*
                    _ => #private::Option::None,
                }
            }
        }

        #(#objects)*
    }
}

/// Reads the content of a variant; nothing for one that has none.
fn content(model: &Model, index: usize, variant: &Variant) -> Option<TokenStream> {
    let private = model.private();
    let name = &variant.ident;
    match &variant.body {
        Body::Unit => None,
        Body::Newtype(field) => {
            let value = read::in_place(model, field);
            Some(quote! {
                match #value {
                    #private::Option::Some(__value) => #private::Option::Some(Self::#name(__value)),
                    #private::Option::None => #private::Option::None,
                }
            })
        }
        Body::Tuple(fields) => {
            let types: Vec<Type> = fields.iter().map(|field| field.ty.clone()).collect();
            let read = model.input(&tuple(&types)).get("read");
            let locals: Vec<Ident> = (0..fields.len())
                .map(|place| format_ident!("__value{place}"))
                .collect();
            Some(quote! {
                match #read(__input, __at.reborrow()) {
                    #private::Option::Some((#(#locals,)*)) => {
                        #private::Option::Some(Self::#name(#(#locals),*))
                    }
                    #private::Option::None => #private::Option::None,
                }
            })
        }
        Body::Struct(_) => {
            let marker = marker(index);
            Some(quote!(#private::read_object::<#marker<Self>>(__input, __at.reborrow())))
        }
    }
}
