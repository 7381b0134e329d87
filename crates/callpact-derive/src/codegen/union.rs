//! Emits the reader of enums: names, and variants with content.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, Type};

use super::{
    bound, read, schema, shown,
    tokens::{implement, input, tuple},
    wire::marker,
};
use crate::model::declaration::{FieldModel, InputModel, VariantBody, VariantModel};

/// An enum of unit variants can be the key of a map.
pub(crate) fn names(model: &InputModel, variants: &[VariantModel]) -> TokenStream {
    let choices = schema::choices(variants);
    let arms = variants.iter().map(|variant| {
        let (name, ident) = (&variant.name, &variant.ident);
        quote!(#name => __Some(Self::#ident {}),)
    });
    let map_key = implement(
        &model.generics,
        &quote!(MapKey),
        &model.itself(),
        &quote! {
            const KEYS: &'static [__private::Choice] = #choices;

            fn from_text(__text: &__private::str) -> __Option<Self> {
                match __text {
                    #(#arms)*
                    _ => __None,
                }
            }
        },
    );
    let list = shown::variants(model, variants);
    quote!(#map_key #list)
}

/// `impl QuickUnion for Self`, and an object for each variant with named fields.
pub(crate) fn items(model: &InputModel, variants: &[VariantModel]) -> TokenStream {
    let (itself, generics) = (model.itself(), bound::generics(model));
    let (mut read_arms, mut unit_arms, mut objects) = (Vec::new(), Vec::new(), Vec::new());
    for (index, variant) in variants.iter().enumerate() {
        let (number, name) = (Literal::usize_unsuffixed(index), &variant.ident);
        match content(model, index, variant) {
            Some(read) => read_arms.push(quote!(#number => #read,)),
            None => unit_arms.push(quote! {
                __Some(#number) => __Some(Self::#name {}),
            }),
        }
        if let VariantBody::Struct(fields) = &variant.body {
            let (marker, ident) = (marker(index), &model.ident);
            let object = quote!(#marker<#itself>);
            let (tree, members) = (
                schema::tree(fields),
                read::variant(model, fields, quote!(#ident::#name)),
            );
            objects.push(quote!(struct #marker<__T>(__private::PhantomData<__T>);));
            objects.push(implement(
                &generics,
                &quote!(QuickObject),
                &object,
                &quote! {
                    type Out = #itself;
                    const OBJECT: &'static __private::Schema = #tree;
                    #members
                },
            ));
            let description = &variant.description;
            objects.push(schema::declared(fields, model, description, &object));
        }
    }
    let union = implement(
        &generics,
        &quote!(QuickUnion),
        &itself,
        &quote! {
            const UNION: &'static __private::Schema = <Self as __private::ToolInput>::SCHEMA;

            fn read_quick(
                __variant: __private::usize,
                __input: &mut __private::QuickInput<'_>,
            ) -> __Option<Self> {
                match __variant {
                    #(#read_arms)*
                    _ => __None,
                }
            }

            fn unit(__variant: __private::usize) -> __Option<Self> {
                match __Some(__variant) {
                    #(#unit_arms)*
                    _ => __None,
                }
            }
        },
    );
    quote!(#union #(#objects)*)
}

/// Reads the content of a variant; `None` for a unit variant.
fn content(model: &InputModel, index: usize, variant: &VariantModel) -> Option<TokenStream> {
    let none = quote!(__None);
    let value = match &variant.body {
        VariantBody::Unit => return None,
        VariantBody::Newtype(field) => {
            let number = Literal::usize_unsuffixed(index);
            let rules = if field.attrs.has_rules() {
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
    let fields = variant.body.fields().into_iter().enumerate();
    let locals = fields.map(|(place, _)| format_ident!("__value{place}"));
    let locals: Vec<Ident> = locals.collect();
    let pattern = match &variant.body {
        VariantBody::Tuple(_) => quote!((#(#locals,)*)),
        VariantBody::Unit | VariantBody::Newtype(_) | VariantBody::Struct(_) => quote!(#(#locals)*),
    };
    quote! {
        match #value {
            __Some(#pattern) => {
                __Some(Self::#name(#(#locals),*))
            }
            __None => __None,
        }
    }
}
