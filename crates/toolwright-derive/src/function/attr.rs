//! What the user wrote in `#[tool(…)]`.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::{Expr, ExprLit, Ident, Lit, LitStr, spanned::Spanned};

use crate::say::{
    attr::{self, Place, Slot, words},
    errors::Errors,
    item::{Form, Item},
    values::{PathValue, Read, Str, Switch},
};

words! {
    /// `#[tool(…)]`.
    ToolAttrs {
        permission = "read_only" | "write" | "destructive": Reach,
        secrets: Option<SecretPaths>,
        name: Option<Str>,
        description: Option<Expr>,
        title: Option<Str>,
        idempotent: Option<Switch>,
        open_world: Option<Switch>,
        structure = "struct": Option<Ident>,
        krate = "crate": Option<PathValue>,
    }
}

impl ToolAttrs {
    /// Reads the list. `place` is what to underline when the permission is missing.
    pub(crate) fn read(tokens: TokenStream, place: Span, errors: &mut Errors) -> Self {
        let mut attrs: Self = attr::read_tokens(tokens, Place::Tool, errors);
        let lost = errors.lost();
        if attrs.permission.0.is_none() && !lost.list && !lost.permission {
            errors.span(
                place,
                "say how far the tool reaches: `#[tool(read_only)]`, `#[tool(write)]` or \
                 `#[tool(destructive)]`; parameters that may hold secrets are named beside it: \
                 `#[tool(write, secrets(token))]`",
            );
        }
        if let Some(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        })) = &attrs.description
            && text.value().trim().is_empty()
        {
            errors.at(
                text,
                "the description is empty: say what the tool does and when to use it",
            );
        }
        if let Some(title) = &attrs.title
            && title.value.trim().is_empty()
        {
            errors.span(title.span, "the title is empty: write a name for people");
        }
        // Nothing is said of the absence of what could not be read.
        if lost.description {
            attrs.description = Some(syn::parse_quote!("…"));
        }
        if lost.secrets {
            attrs.secrets = Some(SecretPaths(Vec::new()));
        }
        attrs
    }
}

/// How far a tool reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    ReadOnly,
    Write,
    Destructive,
}

impl Permission {
    /// The variant of the runtime's enum.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Self::ReadOnly => "ReadOnly",
            Self::Write => "Write",
            Self::Destructive => "Destructive",
        }
    }
}

/// The permission, one of three words.
#[derive(Clone, Default)]
pub(crate) struct Reach(pub(crate) Option<Permission>);

impl Slot for Reach {
    fn fill(&mut self, item: &Item) -> syn::Result<()> {
        let word = item.name();
        let permission = match word.as_str() {
            "read_only" => Permission::ReadOnly,
            "write" => Permission::Write,
            _ => Permission::Destructive,
        };
        let message = if !matches!(item.form, Form::Word) {
            format!("`{word}` stands alone: `#[tool({word})]`")
        } else if self.0.is_some_and(|given| given != permission) {
            "a tool has one permission: keep the one that reaches farthest".to_owned()
        } else {
            self.0 = Some(permission);
            return Ok(());
        };
        Err(syn::Error::new(item.word.span(), message))
    }
}

impl Read for Expr {
    fn read(item: &Item) -> syn::Result<Self> {
        item.value()
            .cloned()
            .ok_or_else(|| item.expected("a string", "\"…\""))
    }
}

impl Read for Ident {
    fn read(item: &Item) -> syn::Result<Self> {
        match item.value() {
            Some(Expr::Path(path)) => path.path.get_ident().cloned(),
            _ => None,
        }
        .ok_or_else(|| item.expected("the name of the tool's struct", "Name"))
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

#[derive(Clone)]
pub(crate) struct SecretPaths(pub(crate) Vec<SecretPath>);

impl Read for SecretPaths {
    fn read(item: &Item) -> syn::Result<Self> {
        let tokens = match &item.form {
            Form::List(tokens) => tokens.clone(),
            Form::Word => TokenStream::new(),
            Form::Value(_) => return Err(item.fault("expected a list: `secrets(token)`")),
        };
        // A macro hands tokens over in a group of their own.
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
                Some(path) if paths.iter().any(|other| other.is(&path)) => {
                    format!("`{}{}` is given twice: keep one", path.first, path.rest)
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
    /// `token`, `env.TOKEN`, `headers[].value`, or a string of this form.
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

    fn is(&self, other: &Self) -> bool {
        self.first == other.first && self.rest == other.rest
    }
}
