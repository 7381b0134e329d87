//! What the user wrote in `#[tool(…)]` and `#[tools(…)]`, with spans.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, ExprLit, Ident, Lit, LitStr, Path, Token, ext::IdentExt, parse::ParseStream,
    parse::Parser, token::Paren,
};

use crate::say::errors::{Errors, nearest};

/// How far a tool reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    ReadOnly,
    Write,
    Destructive,
}

impl Permission {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "read_only" => Some(Self::ReadOnly),
            "write" => Some(Self::Write),
            "destructive" => Some(Self::Destructive),
            _ => None,
        }
    }

    /// The variant of the runtime's enum.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Self::ReadOnly => "ReadOnly",
            Self::Write => "Write",
            Self::Destructive => "Destructive",
        }
    }
}

/// A path such as `token` or `headers[].value`.
#[derive(Clone)]
pub(crate) struct SecretPath {
    /// The parameter that it starts with.
    pub(crate) first: String,
    /// What follows the parameter.
    pub(crate) rest: String,
    /// Whether the parameter is meant by its name on the wire.
    pub(crate) on_the_wire: bool,
    pub(crate) span: Span,
}

/// `#[tool(…)]`.
#[derive(Default)]
pub(crate) struct ToolAttr {
    pub(crate) permission: Option<Permission>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) structure: Option<Ident>,
    pub(crate) secrets: Option<Vec<SecretPath>>,
    pub(crate) krate: Option<Path>,
}

const KNOWN: [&str; 8] = [
    "read_only",
    "write",
    "destructive",
    "secrets",
    "name",
    "description",
    "struct",
    "crate",
];

/// One item of a list: a word, and perhaps a value or a list of its own.
struct Item {
    word: Ident,
    value: Option<Given>,
}

enum Given {
    Value(Expr),
    List(TokenStream),
}

impl Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) {
            return Err(input.error(
                "expected a word such as `read_only`; a description is `description = \"…\"`",
            ));
        }
        let word = Ident::parse_any(input)?;
        let value = if input.peek(Token![=]) {
            let equals: Token![=] = input.parse()?;
            if input.is_empty() || input.peek(Token![,]) {
                return Err(syn::Error::new_spanned(equals, "expected a value: `= …`"));
            }
            // The name of a type or of a crate may be a keyword in an expression.
            if word == "crate" && !input.peek(Lit) {
                let path: Path = input.parse()?;
                return Ok(Self {
                    word,
                    value: Some(Given::List(path.into_token_stream())),
                });
            }
            Some(Given::Value(ungrouped(input.parse()?)))
        } else if input.peek(Paren) {
            let content;
            syn::parenthesized!(content in input);
            Some(Given::List(content.parse()?))
        } else {
            None
        };
        Ok(Self { word, value })
    }
}

/// A value as it was written: a macro hands it over in a group.
fn ungrouped(value: Expr) -> Expr {
    match value {
        Expr::Group(group) => ungrouped(*group.expr),
        other => other,
    }
}

/// Items up to the first that cannot be read at all.
fn items(tokens: TokenStream, errors: &mut Errors) -> Vec<Item> {
    let mut out = Vec::new();
    let parsed = (|input: ParseStream<'_>| {
        while !input.is_empty() {
            out.push(Item::parse(input)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    })
    .parse2(tokens);
    if let Err(error) = parsed {
        errors.push(error);
    }
    out
}

impl ToolAttr {
    /// `place` is what to underline when something is left out.
    pub(crate) fn parse(tokens: TokenStream, place: Span, errors: &mut Errors) -> Self {
        let mut out = Self::default();
        let mut seen: Vec<String> = Vec::new();
        let mut syntax = Errors::default();
        let items = items(tokens, &mut syntax);
        let broken = syntax.finish();
        // What cannot be read at all may be the permission.
        let unread = broken.is_some();
        if let Some(error) = broken {
            errors.push(error);
        }
        for item in items {
            let word = item.word.to_string();
            if seen.contains(&word) {
                errors.span(
                    item.word.span(),
                    format!("`{word}` is given twice: keep one"),
                );
                continue;
            }
            seen.push(word.clone());
            if let Some(permission) = Permission::parse(&word) {
                out.permission(permission, &item, errors);
                continue;
            }
            match word.as_str() {
                "name" => out.name = text(&item, errors),
                "description" => out.description = Some(description(item, errors)),
                "struct" => out.structure = ident(&item, errors),
                "secrets" => out.secrets = Some(secrets(item, errors)),
                "crate" => out.krate = path(&item, errors),
                _ => errors.span(item.word.span(), unknown(&word)),
            }
        }
        // A word that was misspelled was meant to be something.
        if out.permission.is_none() && !unread && !seen.iter().any(|word| resembles(word)) {
            errors.span(
                place,
                "say how far the tool reaches: `#[tool(read_only)]`, `#[tool(write)]` or \
                 `#[tool(destructive)]`; parameters that may hold secrets are named beside it: \
                 `#[tool(write, secrets(token))]`",
            );
        }
        out
    }

    fn permission(&mut self, permission: Permission, item: &Item, errors: &mut Errors) {
        if item.value.is_some() {
            errors.span(
                item.word.span(),
                format!("`{0}` stands alone: `#[tool({0})]`", item.word),
            );
        }
        if self.permission.is_some() {
            errors.span(
                item.word.span(),
                "a tool has one permission: keep the one that reaches farthest",
            );
            return;
        }
        self.permission = Some(permission);
    }
}

/// `#[tools(…)]`: where the crate is.
pub(crate) fn block(tokens: TokenStream, errors: &mut Errors) -> Option<Path> {
    let mut out = None;
    for item in items(tokens, errors) {
        if item.word == "crate" {
            out = path(&item, errors);
        } else {
            errors.span(
                item.word.span(),
                format!(
                    "`{}` belongs on a method: `#[tools]` takes only `crate = path`",
                    item.word
                ),
            );
        }
    }
    out
}

fn unknown(word: &str) -> String {
    if word == "permission" {
        return "a permission stands alone: `read_only`, `write` or `destructive`".to_owned();
    }
    match nearest(word, &KNOWN) {
        Some(known) => format!("unknown attribute `{word}`: did you mean `{known}`?"),
        None => format!(
            "unknown attribute `{word}`: known are `{}`",
            KNOWN.join("`, `")
        ),
    }
}

fn resembles(word: &str) -> bool {
    word == "permission"
        || nearest(word, &KNOWN).is_some_and(|near| Permission::parse(near).is_some())
}

fn text(item: &Item, errors: &mut Errors) -> Option<LitStr> {
    match &item.value {
        Some(Given::Value(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }))) => Some(text.clone()),
        Some(Given::Value(other)) => {
            let message = format!("expected a string: `{} = \"…\"`", item.word);
            errors.push(syn::Error::new_spanned(other, message));
            None
        }
        _ => {
            let message = format!("expected a string: `{} = \"…\"`", item.word);
            errors.span(item.word.span(), message);
            None
        }
    }
}

fn description(item: Item, errors: &mut Errors) -> Expr {
    match item.value {
        Some(Given::Value(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }))) if text.value().trim().is_empty() => {
            errors.span(
                text.span(),
                "the description is empty: say what the tool does and when to use it",
            );
            syn::parse_quote!("…")
        }
        Some(Given::Value(value)) => value,
        _ => {
            errors.span(item.word.span(), "expected a string: `description = \"…\"`");
            syn::parse_quote!("…")
        }
    }
}

fn ident(item: &Item, errors: &mut Errors) -> Option<Ident> {
    if let Some(Given::Value(Expr::Path(path))) = &item.value
        && let Some(ident) = path.path.get_ident()
    {
        return Some(ident.clone());
    }
    errors.span(
        item.word.span(),
        "expected the name of the tool's struct: `struct = Name`",
    );
    None
}

fn path(item: &Item, errors: &mut Errors) -> Option<Path> {
    let path = match &item.value {
        Some(Given::List(tokens)) => syn::parse2(tokens.clone()).ok(),
        Some(Given::Value(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }))) => text.parse().ok(),
        _ => None,
    };
    if path.is_none() {
        errors.span(item.word.span(), "expected a path: `crate = path`");
    }
    path
}

fn secrets(item: Item, errors: &mut Errors) -> Vec<SecretPath> {
    let tokens = match item.value {
        Some(Given::List(tokens)) => tokens,
        None => TokenStream::new(),
        Some(Given::Value(value)) => {
            errors.push(syn::Error::new_spanned(
                value,
                "expected a list: `secrets(token)`",
            ));
            return Vec::new();
        }
    };
    let mut out: Vec<SecretPath> = Vec::new();
    let mut one: Vec<TokenTree> = Vec::new();
    // What a macro hands over stands in a group of its own.
    let plain = tokens.into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => group.stream(),
        other => other.into(),
    });
    let ends = plain.map(Some).chain([None]);
    for tree in ends {
        match tree {
            Some(TokenTree::Punct(comma)) if comma.as_char() == ',' => {}
            Some(tree) => {
                one.push(tree);
                continue;
            }
            None => {}
        }
        if let Some(path) = secret(&std::mem::take(&mut one), errors) {
            if out
                .iter()
                .any(|other| other.first == path.first && other.rest == path.rest)
            {
                errors.span(
                    path.span,
                    format!("`{}{}` is given twice: keep one", path.first, path.rest),
                );
            } else {
                out.push(path);
            }
        }
    }
    out
}

/// `token`, `env.TOKEN`, `headers[].value`, or a string of this form.
fn secret(tokens: &[TokenTree], errors: &mut Errors) -> Option<SecretPath> {
    let first = tokens.first()?;
    let span = first.span();
    let (text, on_the_wire) = match first {
        TokenTree::Literal(literal) => match syn::parse_str::<LitStr>(&literal.to_string()) {
            Ok(text) if tokens.len() == 1 => (text.value(), true),
            _ => (String::new(), true),
        },
        TokenTree::Ident(_) => (
            tokens
                .iter()
                .map(|tree| tree.to_string().replace("r#", ""))
                .collect(),
            false,
        ),
        _ => (String::new(), false),
    };
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    if first.is_empty() || text.contains(char::is_whitespace) {
        errors.span(
            span,
            "expected the path of a parameter, such as `token` or `headers[].value`",
        );
        return None;
    }
    Some(SecretPath {
        first: first.to_owned(),
        rest: rest.to_owned(),
        on_the_wire,
        span,
    })
}
