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
use crate::mean::model::{Body, Model, Tagging, Variant};

/// The body of `read`, or of its sister for a text, for an enum of unit variants, of which a field allows
/// all or, unless it is `own`, may allow only some.
pub(crate) fn names(model: &Model, reader: &str, own: bool) -> TokenStream {
    let private = model.private();
    let reader = format_ident!("{reader}");
    validated(
        model,
        &quote!(#private::nth(#private::#reader(
            __source,
            <Self as #private::MapKey>::KEYS,
            #own,
            __at.reborrow(),
        )?)),
    )
}

/// The readers for fields that allow all names.
pub(crate) fn read_own_names(model: &Model) -> TokenStream {
    let private = model.private();
    let (any, text) = (
        names(model, "read_choice", true),
        names(model, "read_choice_text", true),
    );
    quote! {
        fn read_own<'__de, __D: #private::Deserializer<'__de>>(
            __source: __D,
            mut __at: #private::At<'_>,
        ) -> #private::Result<#private::Option<Self>, __D::Error> {
            #any
        }

        fn read_own_text(
            __source: &mut #private::Json<'_>,
            mut __at: #private::At<'_>,
        ) -> #private::Result<#private::Option<Self>, #private::Broken> {
            #text
        }
    }
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
pub(crate) fn body(model: &Model, tagging: &Tagging) -> TokenStream {
    let private = model.private();
    let reader = match tagging {
        Tagging::External => quote!(read_external),
        Tagging::Internal(_) => quote!(read_internal),
        Tagging::Adjacent(..) => quote!(read_adjacent),
        Tagging::None => quote!(read_untagged),
    };
    let read = quote!(#private::#reader::<__D, Self>(__source, __at.reborrow()));
    match model.validate {
        None => read,
        Some(_) => read::validated(model, &quote!(#read?)),
    }
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

            fn read<'__de, __D: #private::Deserializer<'__de>>(
                __variant: #private::usize,
                __source: __D,
                mut __at: #private::At<'_>,
            ) -> #private::Result<#private::Option<Self>, __D::Error> {
                #private::Result::Ok(match __variant {
                    #(#read_arms)*
                    _ => #private::unusable(__source, __at.reborrow())?,
                })
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
            let value = read::in_place(model, field, "read");
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
                match #read(__source, __at.reborrow())? {
                    #private::Option::Some((#(#locals,)*)) => {
                        #private::Option::Some(Self::#name(#(#locals),*))
                    }
                    #private::Option::None => #private::Option::None,
                }
            })
        }
        Body::Struct(_) => {
            let marker = marker(index);
            Some(quote!(#private::read_object::<__D, #marker<Self>>(__source, __at.reborrow())?))
        }
    }
}
