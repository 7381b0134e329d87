//! The items of an attribute: `word`, `word = value`, `word(…)`.
//!
//! darling's parser drops the whole list at the first mistake, and splits the type `Map<A, B>` at its comma.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, Ident, Lit, LitStr, MacroDelimiter, Meta, MetaList, MetaNameValue, Path,
    Token, Type,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    spanned::Spanned,
    token::Paren,
};

use super::errors::AttributeErrors;

/// The word that an item begins with.
pub(crate) fn word(item: &Meta) -> String {
    item.path().to_token_stream().to_string()
}

/// The value of an item, if there is one.
pub(crate) fn value(item: &Meta) -> Option<&Expr> {
    match item {
        Meta::NameValue(pair) => Some(&pair.value),
        Meta::Path(_) | Meta::List(_) => None,
    }
}

/// The span of the value, or of the word if there is none.
pub(crate) fn value_span(item: &Meta) -> Span {
    value(item).map_or_else(|| item.path().span(), Spanned::span)
}

/// Parses all attributes with a name. `example` is what to write instead of a bare literal.
pub(crate) fn parse_attributes(
    attrs: &[Attribute],
    name: &str,
    example: &str,
    errors: &mut AttributeErrors,
) -> Vec<Meta> {
    let mut items = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        let parsed = match &attr.meta {
            Meta::List(list) => list.parse_args_with(parser(example, &mut items, errors)),
            meta => {
                errors.at(meta, format!("expected a list: `{name}(…)`"));
                Ok(())
            }
        };
        note_syntax(parsed, errors);
    }
    items
}

/// Parses a list that has no parentheses around it.
pub(crate) fn parse_tokens(
    tokens: TokenStream,
    example: &str,
    errors: &mut AttributeErrors,
) -> Vec<Meta> {
    let mut items = Vec::new();
    let parsed = parser(example, &mut items, errors).parse2(tokens);
    note_syntax(parsed, errors);
    items
}

fn note_syntax(parsed: syn::Result<()>, errors: &mut AttributeErrors) {
    if let Err(error) = parsed {
        errors.syntax(error);
    }
}

/// A parser of items, which stops at the first malformed one.
fn parser(
    example: &str,
    items: &mut Vec<Meta>,
    errors: &mut AttributeErrors,
) -> impl FnOnce(ParseStream<'_>) -> syn::Result<()> {
    move |input| {
        while !input.is_empty() {
            if input.peek(Lit) {
                let literal: Lit = input.parse()?;
                errors.at(&literal, format!("expected {example}"));
            } else {
                items.push(parse_item(input)?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}

fn parse_item(input: ParseStream<'_>) -> syn::Result<Meta> {
    if input.peek(Token![!]) {
        let message = "remove the attribute of serde instead of taking it back here";
        return Err(input.error(message));
    }
    let path: Path = if input.peek(Ident::peek_any) && !input.peek2(Token![::]) {
        // A keyword is allowed too, such as `crate` or `struct`.
        input.call(Ident::parse_any)?.into()
    } else {
        Path::parse_mod_style(input)?
    };
    if input.peek(Token![=]) {
        let eq_token: Token![=] = input.parse()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(syn::Error::new_spanned(eq_token, "expected a value: `= …`"));
        }
        let value = parse_value(&path, input)?;
        return Ok(Meta::NameValue(MetaNameValue {
            path,
            eq_token,
            value,
        }));
    }
    if input.peek(Paren) {
        let content;
        let delimiter = MacroDelimiter::Paren(syn::parenthesized!(content in input));
        let tokens = content.parse()?;
        return Ok(Meta::List(MetaList {
            path,
            delimiter,
            tokens,
        }));
    }
    Ok(Meta::Path(path))
}

/// Parses a value. The value of `with` is a type, which may not be an expression: `Vec<u8>`.
fn parse_value(word: &Path, input: ParseStream<'_>) -> syn::Result<Expr> {
    if word.is_ident("with") && !input.peek(LitStr) {
        let ty: Type = input.parse()?;
        return Ok(Expr::Verbatim(quote!(#ty)));
    }
    input.parse().map(ungroup)
}

/// The value inside the invisible groups that `macro_rules!` adds.
fn ungroup(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => ungroup(*group.expr),
        other => other,
    }
}
