//! The settings in `#[tool(…)]`.

use darling::{FromMeta, Result};
use proc_macro2::{Span, TokenStream};
use syn::{Expr, ExprLit, Ident, Lit, Meta};

use super::secret_paths::SecretPaths;
use crate::{
    attrs::{
        errors::AttributeErrors,
        list::value,
        place::AttributePlace,
        receivers::{read_tokens, receivers},
        values::{BareWord, PathValue, SpannedStr, SwitchValue, expected},
    },
    model::declaration::FieldModel,
};

receivers! {
    /// `#[tool(…)]`.
    ToolAttrs {
        read_only: Option<BareWord>,
        write: Option<BareWord>,
        destructive: Option<BareWord>,
        secrets: Option<SecretPaths>,
        name: Option<SpannedStr>,
        description: Option<ExprValue>,
        title: Option<SpannedStr>,
        idempotent: Option<SwitchValue>,
        open_world: Option<SwitchValue>,
        blocking: Option<SwitchValue>,
        asks_itself: Option<SwitchValue>,
        preview: Option<PathValue>,
        precheck: Option<PathValue>,
        text: Option<SwitchValue>,
        lark: Option<SpannedStr>,
        regex: Option<SpannedStr>,
        structure = "struct": Option<StructName>,
        krate = "crate": Option<PathValue>,
    }
}

impl ToolAttrs {
    /// Reads the list. `place` is the span to underline when the permission is missing.
    pub(crate) fn read(tokens: TokenStream, place: Span, errors: &mut AttributeErrors) -> Self {
        let mut attrs: Self = read_tokens(tokens, AttributePlace::Tool, errors);
        let lost = errors.lost();
        if attrs.permissions().next().is_none() && !lost.list && !lost.permission {
            errors.span(
                place,
                "say how far the tool reaches: `#[tool(read_only)]`, `#[tool(write)]` or \
                 `#[tool(destructive)]`; parameters that may hold secrets are named beside it: \
                 `#[tool(write, secrets(token))]`",
            );
        }
        attrs.check_permissions(errors);
        if let Some(ExprValue(Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }))) = &attrs.description
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
        attrs.check_grammar(errors);
        // A setting that was malformed is not reported as missing.
        if lost.description {
            attrs.description = Some(ExprValue(syn::parse_quote!("…")));
        }
        if lost.secrets {
            attrs.secrets = Some(SecretPaths(Vec::new()));
        }
        attrs
    }

    /// The variant of `Permission`. Without a permission, which is an error, the one that reaches least.
    pub(crate) fn permission(&self) -> Ident {
        let name = self.permissions().next().map(|(name, _)| name);
        let variant = match name {
            Some("write") => "Write",
            Some("destructive") => "Destructive",
            _ => "ReadOnly",
        };
        Ident::new(variant, Span::call_site())
    }

    /// The permissions that are given, in written order.
    fn permissions(&self) -> impl Iterator<Item = (&'static str, &BareWord)> {
        self.given.iter().filter_map(|(name, _)| {
            let word = match *name {
                "read_only" => &self.read_only,
                "write" => &self.write,
                "destructive" => &self.destructive,
                _ => return None,
            };
            Some((*name, word.as_ref()?))
        })
    }

    /// Whether the tool takes free text.
    pub(crate) fn is_text(&self) -> bool {
        FieldModel::is(self.text)
    }

    fn check_grammar(&self, errors: &mut AttributeErrors) {
        let grammars = [("lark", &self.lark), ("regex", &self.regex)];
        for (name, grammar) in grammars {
            if let Some(grammar) = grammar
                && !self.is_text()
            {
                errors.span(
                    grammar.span,
                    format!("`{name}` is the grammar of a free text: write `text` beside it"),
                );
            }
        }
        if let (Some(_), Some(regex)) = (&self.lark, &self.regex) {
            errors.span(regex.span, "a text has one grammar: keep `lark` or `regex`");
        }
    }

    fn check_permissions(&self, errors: &mut AttributeErrors) {
        for (index, (name, word)) in self.permissions().enumerate() {
            if !word.is_bare {
                errors.span(
                    word.span,
                    format!("`{name}` stands alone: `#[tool({name})]`"),
                );
            } else if index > 0 {
                errors.span(
                    word.span,
                    "a tool has one permission: keep the one that reaches farthest",
                );
            }
        }
    }
}

/// Any expression. darling would read a string as code.
#[derive(Clone)]
pub(crate) struct ExprValue(pub(crate) Expr);

impl FromMeta for ExprValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value(item).ok_or_else(|| expected(item, "a string", "\"…\""))?;
        Ok(Self(expr.clone()))
    }
}

/// A name without quotes.
#[derive(Clone)]
pub(crate) struct StructName(pub(crate) Ident);

impl FromMeta for StructName {
    fn from_meta(item: &Meta) -> Result<Self> {
        match value(item) {
            Some(Expr::Path(path)) => path.path.get_ident().cloned(),
            _ => None,
        }
        .map(Self)
        .ok_or_else(|| expected(item, "the name of the tool's struct", "Name"))
    }
}
