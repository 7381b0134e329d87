//! The items of an attribute: `word`, `word = value`, `word(…)`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Expr, Ident, Lit, LitStr, Meta, Path, Token, Type,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    spanned::Spanned,
    token::Paren,
};

use super::errors::Errors;

/// One item of an attribute.
pub(crate) struct Item {
    pub(crate) word: Path,
    pub(crate) form: Form,
}

/// The part after the word.
pub(crate) enum Form {
    Word,
    Value(Expr),
    List(TokenStream),
}

impl Item {
    pub(crate) fn name(&self) -> String {
        self.word.to_token_stream().to_string()
    }

    /// The span of the value, or of the word if there is none.
    pub(crate) fn span(&self) -> Span {
        self.value().map_or_else(|| self.word.span(), Spanned::span)
    }

    /// An error on the value, or on the word if there is none.
    pub(crate) fn fault(&self, message: impl std::fmt::Display) -> syn::Error {
        match &self.form {
            Form::Value(value) => syn::Error::new_spanned(value, message),
            Form::Word | Form::List(_) => syn::Error::new_spanned(&self.word, message),
        }
    }

    /// An error that shows what to write.
    pub(crate) fn expected(&self, what: &str, example: &str) -> syn::Error {
        self.fault(format!("expected {what}: `{} = {example}`", self.name()))
    }

    /// The value, if there is one.
    pub(crate) fn value(&self) -> Option<&Expr> {
        match &self.form {
            Form::Value(value) => Some(value),
            Form::Word | Form::List(_) => None,
        }
    }

    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word = if input.peek(Ident::peek_any) && !input.peek2(Token![::]) {
            // A keyword is allowed too, such as `crate` or `struct`.
            input.call(Ident::parse_any)?.into()
        } else {
            Path::parse_mod_style(input)?
        };
        let form = if input.peek(Token![=]) {
            let equals: Token![=] = input.parse()?;
            if input.is_empty() || input.peek(Token![,]) {
                return Err(syn::Error::new_spanned(equals, "expected a value: `= …`"));
            }
            Form::Value(parse_value(&word, input)?)
        } else if input.peek(Paren) {
            let content;
            syn::parenthesized!(content in input);
            Form::List(content.parse()?)
        } else {
            Form::Word
        };
        Ok(Self { word, form })
    }
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

/// The items of an attribute. `example` is what to write instead of a bare literal.
pub(crate) fn attribute_items(attr: &Attribute, example: &str, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    let parsed = match &attr.meta {
        Meta::List(list) => list.parse_args_with(parser(example, &mut items, errors)),
        meta => {
            let name = attr.path().to_token_stream();
            errors.at(meta, format!("expected a list: `{name}(…)`"));
            Ok(())
        }
    };
    note_syntax(parsed, errors);
    items
}

/// The items of an attribute macro, which gets its list without parentheses.
pub(crate) fn token_items(tokens: TokenStream, example: &str, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    let parsed = parser(example, &mut items, errors).parse2(tokens);
    note_syntax(parsed, errors);
    items
}

fn note_syntax(parsed: syn::Result<()>, errors: &mut Errors) {
    if let Err(error) = parsed {
        errors.syntax(error);
    }
}

/// A parser of items, which stops at the first malformed one.
fn parser(
    example: &str,
    items: &mut Vec<Item>,
    errors: &mut Errors,
) -> impl FnOnce(ParseStream<'_>) -> syn::Result<()> {
    move |input| {
        while !input.is_empty() {
            if input.peek(Lit) {
                let literal: Lit = input.parse()?;
                errors.at(&literal, format!("expected {example}"));
            } else {
                items.push(Item::parse(input)?);
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }
}
