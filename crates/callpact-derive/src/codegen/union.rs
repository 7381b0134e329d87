//! Emits the reader of enums: names, and variants with content.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, Type};

use super::{
    bound, read, rules, schema,
    tokens::{input, tuple},
    wire::marker,
};
use crate::model::declaration::{FieldModel, InputModel, VariantBody, VariantModel};

fn unit_arms(variants: &[VariantModel]) -> impl Iterator<Item = TokenStream> {
    variants
        .iter()
        .enumerate()
        .filter(|(_, variant)| matches!(variant.body, VariantBody::Unit))
        .map(move |(index, variant)| {
            let (number, ident) = (Literal::usize_unsuffixed(index), &variant.ident);
            quote!(__private::Option::Some(#number) => __private::Option::Some(Self::#ident {}),)
        })
}

/// An enum of unit variants can be the key of a map.
pub(crate) fn map_key(
    model: &InputModel,
    variants: &[VariantModel],
    choices: &TokenStream,
) -> TokenStream {
    let ident = &model.ident;
    let (impl_generics, type_generics, where_clause) = model.generics.split_for_impl();
    let arms = variants.iter().map(|variant| {
        let (name, ident) = (&variant.name, &variant.ident);
        quote!(#name => __private::Option::Some(Self::#ident {}),)
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics __private::MapKey for #ident #type_generics #where_clause {
            const KEYS: &'static [__private::Choice] = #choices;

            fn from_text(__text: &__private::str) -> __private::Option<Self> {
                match __text {
                    #(#arms)*
                    _ => __private::Option::None,
                }
            }

        }
    }
}

/// `impl Union for Self`, and an object for each variant with named fields.
pub(crate) fn items(model: &InputModel, variants: &[VariantModel]) -> TokenStream {
    let ident = &model.ident;
    let (type_generics, generics) = (model.generics.split_for_impl().1, bound::generics(model));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let read_arms = variants.iter().enumerate().filter_map(|(index, variant)| {
        let number = Literal::usize_unsuffixed(index);
        let read = content(model, index, variant)?;
        Some(quote!(#number => #read,))
    });
    let unit_arms = unit_arms(variants);
    let objects = variants.iter().enumerate().map(|(index, variant)| {
        let VariantBody::Struct(fields) = &variant.body else {
            return TokenStream::new();
        };
        let (marker, name, description) = (marker(index), &variant.ident, &variant.description);
        let members = read::variant(model, fields, quote!(#ident::#name));
        let (itself, object) = (quote!(#marker<#ident #type_generics>), schema::tree(fields));
        let declared = schema::declared(fields, model, description, &itself);
        quote! {
            struct #marker<__T>(__private::PhantomData<__T>);

            #[automatically_derived]
            impl #impl_generics __private::QuickObject for #itself #where_clause {
                type Out = #ident #type_generics;
                const OBJECT: &'static __private::Schema = #object;
                #members
            }

            #declared
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics __private::QuickUnion for #ident #type_generics #where_clause {
            const UNION: &'static __private::Schema = <Self as __private::ToolInput>::SCHEMA;

            fn read_quick(
                __variant: __private::usize,
                __input: &mut __private::QuickInput<'_>,
            ) -> __private::Option<Self> {
                match __variant {
                    #(#read_arms)*
                    _ => __private::Option::None,
                }
            }

            fn unit(__variant: __private::usize) -> __private::Option<Self> {
                match __private::Option::Some(__variant) {
                    #(#unit_arms)*
                    _ => __private::Option::None,
                }
            }
        }

        #(#objects)*
    }
}

/// Reads the content of a variant; `None` for a unit variant.
fn content(model: &InputModel, index: usize, variant: &VariantModel) -> Option<TokenStream> {
    let none = quote!(__private::Option::None);
    let value = match &variant.body {
        VariantBody::Unit => return None,
        VariantBody::Newtype(field) => {
            let number = Literal::usize_unsuffixed(index);
            let rules = if rules::count(field) > 0 {
                quote!(const {
                    __private::content_rules(<Self as __private::QuickUnion>::UNION, #number)
                })
            } else {
                none
            };
            read::in_place(model, field, &rules, "read_quick")
        }
        VariantBody::Tuple(fields) => {
            let read = input(&tuple_of(fields), "read_quick");
            quote!(#read(__input, #none))
        }
        VariantBody::Struct(_) => {
            let marker = marker(index);
            return Some(quote!(__private::quick_object::<#marker<Self>>(__input)));
        }
    };
    Some(in_variant(variant, &value))
}

fn tuple_of(fields: &[FieldModel]) -> Type {
    let types: Vec<Type> = fields.iter().map(|field| field.ty.clone()).collect();
    tuple(&types)
}

/// A variant with the content that was read.
fn in_variant(variant: &VariantModel, value: &TokenStream) -> TokenStream {
    let name = &variant.ident;
    let locals = match &variant.body {
        VariantBody::Tuple(fields) => fields.len(),
        VariantBody::Unit | VariantBody::Newtype(_) | VariantBody::Struct(_) => 1,
    };
    let locals: Vec<Ident> = (0..locals)
        .map(|place| format_ident!("__value{place}"))
        .collect();
    let pattern = match &variant.body {
        VariantBody::Tuple(_) => quote!((#(#locals,)*)),
        VariantBody::Unit | VariantBody::Newtype(_) | VariantBody::Struct(_) => quote!(#(#locals)*),
    };
    quote! {
        match #value {
            __private::Option::Some(#pattern) => {
                __private::Option::Some(Self::#name(#(#locals),*))
            }
            __private::Option::None => __private::Option::None,
        }
    }
}
