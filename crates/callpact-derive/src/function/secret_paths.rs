//! Paths of parameters that may hold secrets, in `#[tool(secrets(…))]` and in `secret_params!(…)`.

use darling::{Error, FromMeta};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{
    LitStr, Meta, Path, Token, Type,
    parse::{ParseStream, Parser},
};

use crate::{attrs::values::split, codegen::tokens};

/// A path such as `token` or `headers[].value`.
#[derive(Clone)]
pub(crate) struct SecretPath {
    /// The parameter that it starts with.
    pub(crate) first: String,
    /// The part after the parameter.
    pub(crate) rest: String,
    /// Whether `first` is the name on the wire.
    pub(crate) on_the_wire: bool,
    pub(crate) span: Span,
}

#[derive(Clone)]
pub(crate) struct SecretPaths(pub(crate) Vec<SecretPath>);

impl FromMeta for SecretPaths {
    fn from_meta(item: &Meta) -> darling::Result<Self> {
        match item {
            Meta::List(list) => Self::parse(list.tokens.clone()).map_err(split),
            Meta::Path(_) => Ok(Self(Vec::new())),
            Meta::NameValue(_) => Err(Error::custom("expected a list: `secrets(token)`")),
        }
    }
}

impl SecretPaths {
    fn parse(tokens: TokenStream) -> syn::Result<Self> {
        // `macro_rules!` passes tokens in an invisible group.
        let trees: Vec<TokenTree> = tokens
            .into_iter()
            .flat_map(|tree| match tree {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => group.stream(),
                other => other.into(),
            })
            .collect();
        let mut paths: Vec<SecretPath> = Vec::new();
        let mut fault: Option<syn::Error> = None;
        let comma =
            |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ',');
        for tokens in trees.split(comma) {
            let Some(first) = tokens.first() else {
                continue;
            };
            let error = match SecretPath::parse(first, tokens) {
                None => "expected the path of a parameter, such as `token` or `headers[].value`"
                    .to_owned(),
                Some(path) if paths.iter().any(|other| other.text() == path.text()) => {
                    format!("`{}` is given twice: keep one", path.text())
                }
                Some(path) => {
                    paths.push(path);
                    continue;
                }
            };
            let error = syn::Error::new(first.span(), error);
            match &mut fault {
                Some(fault) => fault.combine(error),
                None => fault = Some(error),
            }
        }
        fault.map_or(Ok(Self(paths)), Err)
    }
}

impl SecretPath {
    /// Parses `token`, `env.TOKEN`, `headers[].value`, or a string of this form.
    fn parse(first: &TokenTree, tokens: &[TokenTree]) -> Option<Self> {
        let (text, on_the_wire) = match first {
            TokenTree::Literal(literal) if tokens.len() == 1 => (
                syn::parse_str::<LitStr>(&literal.to_string()).ok()?.value(),
                true,
            ),
            TokenTree::Ident(_) => (
                tokens
                    .iter()
                    .map(|tree| tree.to_string().replace("r#", ""))
                    .collect(),
                false,
            ),
            _ => return None,
        };
        let (first_word, rest) = text.split_at(text.find(['.', '[']).unwrap_or(text.len()));
        if first_word.is_empty() || text.contains(char::is_whitespace) {
            return None;
        }
        Some(Self {
            first: first_word.to_owned(),
            rest: rest.to_owned(),
            on_the_wire,
            span: first.span(),
        })
    }

    fn text(&self) -> String {
        format!("{}{}", self.first, self.rest)
    }
}

/// The check of a path against the schema of the input. Its error points at the path.
pub(crate) fn emit_check(path: &str, span: Span, input: &TokenStream, krate: &Path) -> TokenStream {
    let check = quote! {
        #krate::__private::secret_path_exists(#path, <#input as #krate::ToolInput>::SCHEMA)
    };
    let check = tokens::located(check, span);
    quote!(const _: () = #check;)
}

/// `secret_params!(Input: token, headers[].value)`: the paths, each checked at its own place.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let parsed = (|input: ParseStream<'_>| {
        let mut krate: Path = syn::parse_quote!(::callpact);
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            krate = Path::parse_mod_style(input)?;
            input.parse::<Token![,]>()?;
        }
        let ty: Type = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![:]>()?;
        }
        Ok((krate, ty, SecretPaths::parse(input.parse()?)?))
    })
    .parse2(input);
    let (krate, ty, SecretPaths(paths)) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!({ #error; &[] });
        }
    };
    let texts: Vec<String> = paths.iter().map(SecretPath::text).collect();
    let checks = paths.iter().zip(&texts);
    let checks = checks.map(|(path, text)| emit_check(text, path.span, &quote!(#ty), &krate));
    quote!({
        #(#checks)*
        &[#(#texts),*]
    })
}
