//! Tokens that several emitters write: paths through a trait, literals, defaults.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Ident, Type, spanned::Spanned};

use crate::{
    mean::model::Model,
    say::values::{DefaultValue, ValueKind},
};

/// Tokens with the span of the user's code, so that an error about them points only there.
pub(crate) fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            match &mut token {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), moved(group.stream(), place));
                    inner.set_span(place);
                    return TokenTree::Group(inner);
                }
                // The span decides which crate `$crate` is.
                TokenTree::Ident(ident) if *ident == "$crate" => {
                    ident.set_span(ident.span().located_at(place));
                }
                other => other.set_span(place),
            }
            token
        })
        .collect()
}

/// A tuple type with the span of its first type.
pub(crate) fn tuple(types: &[Type]) -> Type {
    let place = types.first().map_or_else(Span::call_site, Spanned::span);
    syn::parse_quote_spanned!(place=> (#(#types,)*))
}

impl Model {
    /// The path of the module that generated code calls.
    pub(crate) fn private(&self) -> TokenStream {
        let krate = &self.krate;
        quote!(#krate::__private)
    }

    /// A type as a `ToolInput`.
    pub(crate) fn input<'a>(&self, ty: &'a Type) -> Through<'a> {
        let krate = &self.krate;
        Through(ty, quote!(#krate::ToolInput))
    }

    /// A type as an `Object`, which can be flattened.
    pub(crate) fn object<'a>(&self, ty: &'a Type) -> Through<'a> {
        let private = self.private();
        Through(ty, quote!(#private::Object))
    }
}

/// A type seen through a trait.
pub(crate) struct Through<'a>(&'a Type, TokenStream);

impl<'a> Through<'a> {
    pub(crate) fn new(ty: &'a Type, path: TokenStream) -> Self {
        Self(ty, path)
    }

    /// `<Type as Trait>::name` with the span of the type, so that a missing trait is one error, on
    /// the type.
    pub(crate) fn get(&self, name: &str) -> TokenStream {
        let Self(ty, path) = self;
        let (name, place) = (Ident::new(name, Span::call_site()), ty.span());
        let mut out = moved(quote!(<), place);
        ty.to_tokens(&mut out);
        out.extend(moved(quote!(as #path>::#name), place));
        out
    }
}

impl ValueKind {
    /// The value as a `toolwright::schema::Literal`.
    pub(crate) fn tokens(&self, private: &TokenStream) -> TokenStream {
        match self {
            Self::Boolean(value) => quote!(#private::Literal::Boolean(#value)),
            Self::Integer(value) => {
                let value = proc_macro2::Literal::i128_suffixed(*value);
                quote!(#private::Literal::Integer(#value))
            }
            Self::Number(value) => {
                let text = format!("{value:?}");
                let value = proc_macro2::Literal::f64_suffixed(*value);
                let text = held(&quote!(#text), private);
                quote!(#private::Literal::Number(#private::Decimal { text: #text, value: #value }))
            }
            Self::Text(value) => {
                let text = held(&quote!(#value), private);
                quote!(#private::Literal::Text(#text))
            }
            Self::List(items) => {
                let items = items.iter().map(|item| item.tokens(private));
                let items = held(&quote!(&[#(#items),*]), private);
                quote!(#private::Literal::List(#items))
            }
        }
    }
}

impl DefaultValue {
    /// The default as an expression of the field's type; `None` for a literal, which is read instead.
    pub(crate) fn expression(&self, ty: &syn::Type, private: &TokenStream) -> Option<TokenStream> {
        match self {
            Self::Trait(span) => Some(moved(quote!(<#ty as #private::Default>::default()), *span)),
            Self::Literal(_) => None,
            Self::Function(path) => Some(moved(quote!(#path()), path.span())),
            Self::Expression(expr) => Some(quote!(#expr)),
        }
    }
}

/// A part of the tree that is borrowed for good.
///
/// In braces, because the compiler lets what is borrowed inside a call last for `'static` only since 1.89.
pub(crate) fn held(part: &TokenStream, private: &TokenStream) -> TokenStream {
    quote!(#private::Held::Static { 0: #part })
}
