//! Emits the type of a value that grows, and its reader.
//!
//! Everything that concerns a field has the span of its type, so that a type without `PartialInput` is one error.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Member, Type, ext::IdentExt, spanned::Spanned};

use super::tokens::{self, call, moved};
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
    let forms = PartialForm::all(model, &partial);
    let read = match &model.shape {
        TypeShape::Struct(_) | TypeShape::Newtype(_) => read_struct(model, &forms),
        TypeShape::Names(variants) => {
            let names: Vec<&Ident> = variants.iter().map(|variant| &variant.ident).collect();
            quote! {
                match __node.whole::<#ident>()? {
                    #(#ident::#names {} => __Some(#partial::#names),)*
                    #[allow(unreachable_patterns)]
                    _ => __None,
                }
            }
        }
        TypeShape::Union { tagging, variants } => read_union(tagging, variants, &forms),
    };
    let declared = forms.iter().map(|form| form.declaration(&private));
    let declared = match &model.shape {
        TypeShape::Struct(_) => quote!(struct #(#declared)*),
        TypeShape::Newtype(_) => quote!(struct #(#declared)*;),
        TypeShape::Names(_) | TypeShape::Union { .. } => quote!(enum #partial { #(#declared),* }),
    };
    let default = match &model.shape {
        TypeShape::Struct(_) | TypeShape::Newtype(_) => forms.first().map(PartialForm::default),
        TypeShape::Names(_) | TypeShape::Union { .. } => None,
    };
    let clones = forms.iter().map(PartialForm::clone);
    let equal = forms.iter().map(PartialForm::equal);
    let shown = forms.iter().map(PartialForm::debug);
    let docs = format!("The part of a [`{ident}`] that has arrived. It is for showing.");
    quote! {
        #[doc = #docs]
        #[allow(dead_code, missing_docs)]
        #vis #declared

        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #import

            #[automatically_derived]
            impl ::core::clone::Clone for #partial {
                fn clone(&self) -> Self {
                    match self {
                        #(#clones)*
                    }
                }
            }

            #[automatically_derived]
            impl ::core::cmp::PartialEq for #partial {
                fn eq(&self, __other: &Self) -> __private::bool {
                    match (self, __other) {
                        #(#equal)*
                        #[allow(unreachable_patterns)]
                        _ => false,
                    }
                }
            }

            #[automatically_derived]
            impl ::core::fmt::Debug for #partial {
                fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self {
                        #(#shown)*
                    }
                }
            }

            #default

            #[automatically_derived]
            impl __private::PartialInput for #ident {
                type Partial = #partial;

                fn read_partial(
                    __node: __private::PartialNode<'_>,
                ) -> __Option<#partial> {
                    #read
                }
            }
        };
    }
}

/// A struct, or a variant of an enum.
struct PartialForm<'m> {
    path: TokenStream,
    name: Ident,
    body: FormBody,
    fields: Vec<&'m FieldModel>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FormBody {
    Unit,
    Named,
    Unnamed,
}

impl<'m> PartialForm<'m> {
    fn all(model: &'m InputModel, partial: &Ident) -> Vec<Self> {
        let form = |path, name: &Ident, body, fields: Vec<&'m FieldModel>| Self {
            path,
            name: name.clone(),
            body,
            fields: fields
                .into_iter()
                .filter(|field| field.skip.is_none())
                .collect(),
        };
        let whole = |body| {
            vec![form(
                partial.to_token_stream(),
                partial,
                body,
                model.fields(),
            )]
        };
        match &model.shape {
            TypeShape::Struct(_) => whole(FormBody::Named),
            TypeShape::Newtype(_) => whole(FormBody::Unnamed),
            TypeShape::Names(variants) | TypeShape::Union { variants, .. } => variants
                .iter()
                .map(|VariantModel { ident, body, .. }| {
                    let kind = match body {
                        VariantBody::Unit => FormBody::Unit,
                        VariantBody::Struct(_) => FormBody::Named,
                        VariantBody::Newtype(_) | VariantBody::Tuple(_) => FormBody::Unnamed,
                    };
                    form(quote!(#partial::#ident), ident, kind, body.fields())
                })
                .collect(),
        }
    }

    fn declaration(&self, private: &TokenStream) -> TokenStream {
        let name = &self.name;
        let fields = self.fields.iter().map(|field| {
            let (vis, ty) = (&field.vis, source(field));
            let key = match &field.member {
                Member::Named(name) => Some(quote!(#name:)),
                Member::Unnamed(_) => None,
            };
            let kind = quote_spanned!(ty.span()=>
                ::core::option::Option<<#ty as #private::PartialInput>::Partial>
            );
            quote!(#vis #key #kind)
        });
        match self.body {
            FormBody::Unit => quote!(#name),
            FormBody::Named => quote!(#name { #(#fields),* }),
            FormBody::Unnamed => quote!(#name(#(#fields),*)),
        }
    }

    /// The form with a part for each field: its value, or the pattern of its value.
    fn with(&self, part: impl Fn(usize, &FieldModel) -> TokenStream) -> TokenStream {
        let path = &self.path;
        let fields = self.fields.iter().enumerate().map(|(index, field)| {
            let place = source(field).span();
            let (member, part) = (field.member.to_token_stream(), part(index, field));
            let member = moved(quote!(#member:), place);
            quote!(#member #part,)
        });
        quote!(#path { #(#fields)* })
    }

    /// The pattern that names the values of the fields.
    fn pattern(&self, prefix: &str) -> TokenStream {
        self.with(|index, field| local(prefix, index, field).to_token_stream())
    }

    fn default(&self) -> TokenStream {
        let partial = &self.name;
        let value = self.with(|_, field| {
            let none = quote!(::core::option::Option::None);
            moved(none, source(field).span())
        });
        quote! {
            #[automatically_derived]
            impl ::core::default::Default for #partial {
                fn default() -> Self {
                    #value
                }
            }
        }
    }

    fn clone(&self) -> TokenStream {
        let pattern = self.pattern("__value");
        let value = self.with(|index, field| {
            let local = local("__value", index, field);
            moved(quote!(::core::clone::Clone::clone(#local)), local.span())
        });
        quote!(#pattern => #value,)
    }

    fn equal(&self) -> TokenStream {
        let (pattern, other) = (self.pattern("__value"), self.pattern("__other"));
        let fields = self.fields.iter().enumerate().map(|(index, field)| {
            let local = |prefix| local(prefix, index, field);
            let (value, other) = (local("__value"), local("__other"));
            moved(
                quote!(::core::cmp::PartialEq::eq(#value, #other)),
                value.span(),
            )
        });
        let fields = fields.reduce(|all, next| quote!(#all && #next));
        let fields = fields.unwrap_or_else(|| quote!(true));
        quote!((#pattern, #other) => #fields,)
    }

    fn debug(&self) -> TokenStream {
        let (pattern, name) = (self.pattern("__value"), self.name.unraw().to_string());
        let start = match self.body {
            FormBody::Named => quote!(debug_struct),
            FormBody::Unit | FormBody::Unnamed => quote!(debug_tuple),
        };
        let fields = self.fields.iter().enumerate().map(|(index, field)| {
            let local = local("__value", index, field);
            let key = match &field.member {
                Member::Named(name) => {
                    let name = name.unraw().to_string();
                    Some(quote!(#name,))
                }
                Member::Unnamed(_) => None,
            };
            if FieldModel::is(field.attrs.secret) {
                quote!(.field(#key &#local.as_ref().map(|_| __private::HiddenValue)))
            } else {
                quote!(.field(#key #local))
            }
        });
        quote!(#pattern => __f.#start(#name)#(#fields)*.finish(),)
    }

    /// Reads the fields from `__content`, the node of the value if there is one.
    fn read(&self) -> TokenStream {
        let value = self.with(|_, field| read(field));
        quote!(__Some(#value))
    }
}

/// The type that is written in place of the field's.
fn source(field: &FieldModel) -> &Type {
    field.attrs.with.as_ref().map_or(&field.ty, |with| &with.0)
}

fn local(prefix: &str, index: usize, field: &FieldModel) -> Ident {
    Ident::new(&format!("{prefix}{index}"), source(field).span())
}

fn read(field: &FieldModel) -> TokenStream {
    let (ty, place) = (source(field), source(field).span());
    let (function, arguments) = match &field.member {
        Member::Unnamed(index) if field.in_a_tuple => {
            let index = index.index as usize;
            ("partial_item", quote!(__content, #index))
        }
        Member::Named(_) if field.flatten.is_none() => {
            let names = std::iter::once(&field.name);
            let names = names.chain(field.aliases.iter().map(|alias| &alias.value));
            ("partial_member", quote!(__content, &[#(#names),*]))
        }
        Member::Named(_) | Member::Unnamed(_) => ("partial_value", quote!(__content)),
    };
    let function = Ident::new(function, place);
    let function = quote_spanned!(place=> __private::#function::<#ty>);
    call(&function, arguments, place)
}

fn read_struct(model: &InputModel, forms: &[PartialForm<'_>]) -> TokenStream {
    let value = forms.iter().map(PartialForm::read);
    let is_object = matches!(model.shape, TypeShape::Struct(_)).then(|| {
        quote! {
            if !__node.is_object() {
                return __None;
            }
        }
    });
    quote! {
        #is_object
        let __content = __Some(__node);
        let _ = __content;
        #(#value)*
    }
}

fn read_union(
    tagging: &UnionTagging,
    variants: &[VariantModel],
    forms: &[PartialForm<'_>],
) -> TokenStream {
    let found = match tagging {
        UnionTagging::External => quote!(__private::partial_variant(__node)?),
        UnionTagging::Internal(tag) => {
            let tag = &tag.value;
            quote!((__private::partial_tag(__node, #tag)?, __Some(__node)))
        }
        UnionTagging::Adjacent(tag, content) => {
            let (tag, content) = (&tag.value, &content.value);
            quote!((__private::partial_tag(__node, #tag)?, __node.member(&[#content])))
        }
        // Without a tag there is no partial value, and the check has said so.
        UnionTagging::None => return quote!(__None),
    };
    let arms = variants.iter().zip(forms).map(|(variant, form)| {
        let names = std::iter::once(&variant.name);
        let names = names.chain(variant.aliases.iter().map(|alias| &alias.value));
        let value = form.read();
        quote!(#(#names)|* => #value,)
    });
    quote! {
        let (__tag, __content) = #found;
        let _ = __content;
        match &*__tag {
            #(#arms)*
            _ => __None,
        }
    }
}
