//! The settings in `#[tool(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::{Expr, ExprLit, Ident, Lit};

use super::secret_paths::SecretPaths;
use crate::attrs::{
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
        blocking: Option<Switch>,
        structure = "struct": Option<Ident>,
        krate = "crate": Option<PathValue>,
    }
}

impl ToolAttrs {
    /// Reads the list. `place` is the span to underline when the permission is missing.
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
        // A setting that was malformed is not reported as missing.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    ReadOnly,
    Write,
    Destructive,
}

/// The slot of the permission: one of three words.
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
        Err(syn::Error::new_spanned(&item.word, message))
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
