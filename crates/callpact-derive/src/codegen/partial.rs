//! Emits the type of a value that grows, and its reader.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, Member, ext::IdentExt, spanned::Spanned};

use super::tokens;
use crate::model::declaration::{
    FieldModel, InputModel, TypeShape, UnionTagging, VariantBody, VariantModel,
};

/// `NamePartial`, and the impl of `PartialInput` for `Name`.
pub(crate) fn items(model: &InputModel) -> TokenStream {
    if model.partial.is_none() {
        return TokenStream::new();
    }
    let (ident, krate, vis) = (&model.ident, &model.krate, &model.vis);
    let partial = format_ident!("{}Partial", ident);
    let private = quote!(#krate::__private);
    let import = tokens::import(krate);
    let (declared, default, shown, read) = match &model.shape {
        TypeShape::Struct(fields) => {
            let fields = fields.iter().collect::<Vec<_>>();
            let declared = named_fields(&fields, &private);
            let (shown, members) = (debug(&quote!(Self), &partial, &fields), members(&fields));
            (
                quote!(struct #partial { #declared }),
                Some(quote!(::core::default::Default,)),
                shown,
                quote! {
                    if !__node.is_object() {
                        return __private::Option::None;
                    }
                    let __content = __private::Option::Some(__node);
                    __private::Option::Some(#partial { #members })
                },
            )
        }
        TypeShape::Newtype(field) => {
            let (kind, read, field_vis) = (partial_type(field, &private), read(field), &field.vis);
            let shown = debug(&quote!(Self), &partial, &[field]);
            (
                quote!(struct #partial(#field_vis #kind);),
                Some(quote!(::core::default::Default,)),
                shown,
                quote! {
                    let __content = __private::Option::Some(__node);
                    __private::Option::Some(#partial(#read))
                },
            )
        }
        TypeShape::Names(variants) => {
            let names = variants.iter().map(|variant| &variant.ident);
            let arms = variants.iter().map(|variant| {
                let name = &variant.ident;
                quote!(#ident::#name {} => __private::Option::Some(#partial::#name),)
            });
            let shown = variants.iter().map(debug_variant).collect();
            (
                quote!(enum #partial { #(#names),* }),
                None,
                shown,
                quote! {
                    match __node.whole::<#ident>()? {
                        #(#arms)*
                        #[allow(unreachable_patterns)]
                        _ => __private::Option::None,
                    }
                },
            )
        }
        TypeShape::Union { tagging, variants } => {
            let declared = variants.iter().map(|variant| {
                let (name, body) = (&variant.ident, declare(&variant.body, &private));
                quote!(#name #body,)
            });
            let shown = variants.iter().map(debug_variant).collect();
            (
                quote!(enum #partial { #(#declared)* }),
                None,
                shown,
                read_union(tagging, variants, &partial),
            )
        }
    };
    let docs = format!("The part of a [`{ident}`] that has arrived. It is for showing.");
    quote! {
        #[doc = #docs]
        #[derive(::core::clone::Clone, #default ::core::cmp::PartialEq)]
        #[allow(dead_code, missing_docs)]
        #vis #declared

        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #import

            #[automatically_derived]
            impl ::core::fmt::Debug for #partial {
                fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self {
                        #shown
                    }
                }
            }

            #[automatically_derived]
            impl __private::PartialInput for #ident {
                type Partial = #partial;

                fn read_partial(
                    __node: __private::PartialNode<'_>,
                ) -> __private::Option<#partial> {
                    #read
                }
            }
        };
    }
}

/// The type that is written in place of the field's.
fn source(field: &FieldModel) -> &syn::Type {
    field.attrs.with.as_ref().map_or(&field.ty, |with| &with.0)
}

fn partial_type(field: &FieldModel, private: &TokenStream) -> TokenStream {
    let ty = source(field);
    quote::quote_spanned!(ty.span()=>
        ::core::option::Option<<#ty as #private::PartialInput>::Partial>
    )
}

fn shown_fields<'m>(fields: &[&'m FieldModel]) -> Vec<&'m FieldModel> {
    fields
        .iter()
        .copied()
        .filter(|field| field.skip.is_none())
        .collect()
}

fn named_fields(fields: &[&FieldModel], private: &TokenStream) -> TokenStream {
    let fields = shown_fields(fields).into_iter().map(|field| {
        let (vis, member, kind) = (&field.vis, &field.member, partial_type(field, private));
        quote!(#vis #member: #kind,)
    });
    fields.collect()
}

fn declare(body: &VariantBody, private: &TokenStream) -> TokenStream {
    match body {
        VariantBody::Unit => TokenStream::new(),
        VariantBody::Struct(_) => {
            let fields = named_fields(&body.fields(), private);
            quote!({ #fields })
        }
        VariantBody::Newtype(_) | VariantBody::Tuple(_) => {
            let kinds = body.fields().into_iter();
            let kinds = kinds.map(|field| partial_type(field, private));
            quote!((#(#kinds),*))
        }
    }
}

/// Reads a field of `__content`, the node of its object.
fn read_member(field: &FieldModel) -> TokenStream {
    if field.flatten.is_some() {
        return read(field);
    }
    let read = tokens::through(source(field), "PartialInput", "read_partial");
    let names = std::iter::once(&field.name).chain(field.aliases.iter().map(|it| &it.value));
    quote! {
        __content
            .and_then(|__node| __node.member(&[#(#names),*]))
            .and_then(#read)
    }
}

/// Reads a field whose node is `__content` itself.
fn read(field: &FieldModel) -> TokenStream {
    let read = tokens::through(source(field), "PartialInput", "read_partial");
    quote!(__content.and_then(#read))
}

fn members(fields: &[&FieldModel]) -> TokenStream {
    let fields = shown_fields(fields).into_iter().map(|field| {
        let (member, read) = (&field.member, read_member(field));
        quote!(#member: #read,)
    });
    fields.collect()
}

fn build(variant: &VariantModel, partial: &Ident) -> TokenStream {
    let name = &variant.ident;
    match &variant.body {
        VariantBody::Unit => quote!(#partial::#name),
        VariantBody::Struct(_) => {
            let members = members(&variant.body.fields());
            quote!(#partial::#name { #members })
        }
        VariantBody::Newtype(field) => {
            let read = read(field);
            quote!(#partial::#name(#read))
        }
        VariantBody::Tuple(fields) => {
            let items = fields.iter().enumerate().map(|(index, field)| {
                let read = tokens::through(source(field), "PartialInput", "read_partial");
                quote!(__content.and_then(|__node| __node.items().nth(#index)).and_then(#read))
            });
            quote!(#partial::#name(#(#items),*))
        }
    }
}

fn read_union(tagging: &UnionTagging, variants: &[VariantModel], partial: &Ident) -> TokenStream {
    let arms = variants.iter().map(|variant| {
        let names =
            std::iter::once(&variant.name).chain(variant.aliases.iter().map(|it| &it.value));
        let build = build(variant, partial);
        quote!(#(#names)|* => #build,)
    });
    let find = match tagging {
        UnionTagging::External => quote! {
            let (__tag, __content) = if __node.is_object() {
                let (__tag, __content) = __node.members().next()?;
                (__tag, __private::Option::Some(__content))
            } else if __node.is_whole() {
                (__node.text()?, __private::Option::None)
            } else {
                return __private::Option::None;
            };
        },
        // Without a tag there is no partial value, and the check has said so.
        UnionTagging::None => return quote!(__private::Option::None),
        UnionTagging::Internal(tag) | UnionTagging::Adjacent(tag, _) => {
            let tag = &tag.value;
            let content = if let UnionTagging::Adjacent(_, content) = tagging {
                let content = &content.value;
                quote!(__node.member(&[#content]))
            } else {
                quote!(__private::Option::Some(__node))
            };
            quote! {
                let __tag = __node.member(&[#tag])?;
                if !__tag.is_whole() {
                    return __private::Option::None;
                }
                let __tag = __tag.text()?;
                let __content = #content;
            }
        }
    };
    quote! {
        #find
        let _ = __content;
        __private::Option::Some(match &*__tag {
            #(#arms)*
            _ => return __private::Option::None,
        })
    }
}

fn debug_variant(variant: &VariantModel) -> TokenStream {
    let name = &variant.ident;
    debug(&quote!(Self::#name), name, &variant.body.fields())
}

/// The arm that shows a struct or a variant.
fn debug(path: &TokenStream, name: &Ident, fields: &[&FieldModel]) -> TokenStream {
    let name = name.unraw().to_string();
    let fields = shown_fields(fields);
    let local = |field: &FieldModel| match &field.member {
        Member::Named(name) => format_ident!("__field_{}", name.unraw()),
        Member::Unnamed(index) => format_ident!("__field_{}", index.index),
    };
    let is_named = fields
        .first()
        .is_some_and(|field| matches!(field.member, Member::Named(_)));
    let bound = fields.iter().map(|field| {
        let (member, local) = (field.member.to_token_stream(), local(field));
        quote!(#member: #local,)
    });
    let shown = fields.iter().map(|field| {
        let local = local(field);
        let value = if FieldModel::is(field.attrs.secret) {
            quote!(&#local.as_ref().map(|_| __private::HiddenValue))
        } else {
            quote!(#local)
        };
        match &field.member {
            Member::Named(member) => {
                let key = member.unraw().to_string();
                quote!(.field(#key, #value))
            }
            Member::Unnamed(_) => quote!(.field(#value)),
        }
    });
    let start = if is_named {
        quote!(debug_struct)
    } else {
        quote!(debug_tuple)
    };
    quote!(#path { #(#bound)* .. } => __f.#start(#name)#(#shown)*.finish(),)
}
