//! Tokens that several emitters write: paths through a trait, literals, defaults.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, Ident, Path, Type, spanned::Spanned};

use crate::attrs::values::{DefaultValue, ValueKind};

/// Tokens with the span of the user's code, so that an error about them points only there.
pub(crate) fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    // The span decides which crate `$crate` is.
    let is_crate = |tree: &TokenTree| matches!(tree, TokenTree::Ident(name) if name == "$crate");
    respan(tokens, &|tree| {
        if is_crate(tree) {
            tree.span().located_at(place)
        } else {
            place
        }
    })
}

/// The tokens with the location of a span, so that an error points there. They keep their own hygiene.
pub(crate) fn located(tokens: TokenStream, place: Span) -> TokenStream {
    respan(tokens, &|tree| place.resolved_at(tree.span()))
}

fn respan(tokens: TokenStream, span: &impl Fn(&TokenTree) -> Span) -> TokenStream {
    let respanned = tokens.into_iter().map(|mut tree| {
        let place = span(&tree);
        if let TokenTree::Group(group) = &tree {
            tree = Group::new(group.delimiter(), respan(group.stream(), span)).into();
        }
        tree.set_span(place);
        tree
    });
    respanned.collect()
}

/// A call whose parentheses have a span of the user's code, so that an error about the whole call points there. The
/// arguments keep their spans, by which their names are resolved.
pub(crate) fn call(function: &TokenStream, given: TokenStream, place: Span) -> TokenStream {
    let mut given = Group::new(Delimiter::Parenthesis, given);
    given.set_span(place);
    quote!(#function #given)
}

/// A tuple type with the span of its first type.
pub(crate) fn tuple(types: &[Type]) -> Type {
    let place = types.first().map_or_else(Span::call_site, Spanned::span);
    syn::parse_quote_spanned!(place=> (#(#types,)*))
}

/// The impl of a trait of `__private` for a type.
pub(crate) fn implement(
    generics: &Generics,
    of: &TokenStream,
    ty: &impl ToTokens,
    items: &TokenStream,
) -> TokenStream {
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __private::#of for #ty #where_clause {
            #items
        }
    }
}

/// Imports the module that generated code calls. Each block imports it once, since every token of a path costs the
/// compiler time.
pub(crate) fn import(krate: &Path) -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use #krate::__private::{self, Option as __Option, Option::{None as __None, Some as __Some}};
    }
}

/// `<Type as Trait>::name` with the span of the type, so that a missing trait is one error, on the type.
pub(crate) fn through(ty: &Type, of: &str, name: &str) -> TokenStream {
    let place = ty.span();
    let (of, name) = (Ident::new(of, place), Ident::new(name, place));
    quote_spanned!(place=> <#ty as __private::#of>::#name)
}

/// A type as a `ToolInput`.
pub(crate) fn input(ty: &Type, name: &str) -> TokenStream {
    through(ty, "ToolInput", name)
}

/// A type as a `QuickObject`, which can be flattened.
pub(crate) fn object(ty: &Type, name: &str) -> TokenStream {
    through(ty, "QuickObject", name)
}

impl ValueKind {
    /// The value as a `callpact::schema::Literal`.
    pub(crate) fn tokens(&self) -> TokenStream {
        match self {
            Self::Boolean(value) => quote!(__private::Literal::Boolean(#value)),
            Self::Integer(value) => {
                let value = proc_macro2::Literal::i128_suffixed(*value);
                quote!(__private::Literal::Integer(#value))
            }
            Self::Number(value) => {
                let text = format!("{value:?}");
                let value = proc_macro2::Literal::f64_suffixed(*value);
                let text = held(&quote!(#text));
                quote!(__private::Literal::Number(__private::Decimal { text: #text, value: #value }))
            }
            Self::Text(value) => {
                let text = held(&quote!(#value));
                quote!(__private::Literal::Text(#text))
            }
            Self::List(items) => {
                let items = items.iter().map(Self::tokens);
                let items = held(&quote!(&[#(#items),*]));
                quote!(__private::Literal::List(#items))
            }
        }
    }
}

impl DefaultValue {
    /// The default as an expression of the field's type; `None` for a literal, which is read instead.
    pub(crate) fn expression(&self, ty: &syn::Type) -> Option<TokenStream> {
        match self {
            Self::Trait(span) => Some(moved(quote!(<#ty as __private::Default>::default()), *span)),
            Self::Literal(_) => None,
            Self::Function(path) => Some(moved(quote!(#path()), path.span())),
            Self::Expression(expr) => Some(quote!(#expr)),
        }
    }
}

/// A part of the tree, borrowed for `'static`.
///
/// In braces: in the parentheses of `Static(…)`, the borrow lasts for `'static` only since Rust 1.89.
pub(crate) fn held(part: &TokenStream) -> TokenStream {
    quote!(__private::Held::Static { 0: #part })
}
