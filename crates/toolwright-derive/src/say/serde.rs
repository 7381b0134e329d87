//! The attributes of serde, so that moving from `Deserialize` is one derive line.

use syn::{Attribute, LitStr, Token, meta::ParseNestedMeta, spanned::Spanned};

use super::{
    attr::Place,
    errors::Errors,
    values::{DefaultValue, Str},
};

/// What serde's attributes say of reading.
#[derive(Default)]
pub(crate) struct SerdeAttrs {
    pub(crate) rename: Option<Str>,
    pub(crate) rename_all: Option<Str>,
    pub(crate) rename_all_fields: Option<Str>,
    pub(crate) alias: Vec<Str>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) skip: Option<proc_macro2::Span>,
    pub(crate) flatten: Option<proc_macro2::Span>,
    pub(crate) tag: Option<Str>,
    pub(crate) content: Option<Str>,
    pub(crate) untagged: Option<proc_macro2::Span>,
    pub(crate) deny_unknown_fields: bool,
}

pub(crate) fn parse(attrs: &[Attribute], place: Place, errors: &mut Errors) -> SerdeAttrs {
    let mut out = SerdeAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        if let Err(error) = attr.parse_nested_meta(|meta| item(&meta, place, &mut out, errors)) {
            errors.push(error);
            errors.lose_form();
        }
    }
    out
}

fn item(
    meta: &ParseNestedMeta<'_>,
    place: Place,
    out: &mut SerdeAttrs,
    errors: &mut Errors,
) -> syn::Result<()> {
    let name = meta
        .path
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default();
    match name.as_str() {
        "rename" => out.rename = reading(meta)?.or(out.rename.take()),
        "rename_all" => out.rename_all = reading(meta)?.or(out.rename_all.take()),
        "rename_all_fields" => {
            out.rename_all_fields = reading(meta)?.or(out.rename_all_fields.take());
        }
        "alias" => out.alias.push(text(meta)?),
        "default" if meta.input.peek(Token![=]) => {
            let path = text(meta)?;
            let path: syn::Path = syn::parse_str(&path.value)
                .map_err(|_| syn::Error::new(path.span, "expected the path of a function"))?;
            out.default = Some(DefaultValue::Function(path));
        }
        "default" => out.default = Some(DefaultValue::Trait(meta.path.span())),
        "skip" | "skip_deserializing" => out.skip = Some(meta.path.span()),
        "flatten" => out.flatten = Some(meta.path.span()),
        "tag" => out.tag = Some(text(meta)?),
        "content" => out.content = Some(text(meta)?),
        "untagged" if place == Place::Container => out.untagged = Some(meta.path.span()),
        "deny_unknown_fields" => out.deny_unknown_fields = true,
        // A struct of one unnamed field is transparent anyway; the others are of writing, or of
        // serde's impl alone.
        "transparent"
        | "skip_serializing"
        | "skip_serializing_if"
        | "serialize_with"
        | "bound"
        | "crate"
        | "expecting"
        | "into"
        | "getter" => {
            skip_value(meta)?;
        }
        _ => {
            let advice = match (name.as_str(), place) {
                ("with" | "deserialize_with" | "from" | "try_from", Place::Container) => {
                    "put `#[tool_param(with = Type)]` on the fields of this type"
                }
                ("with" | "deserialize_with" | "from" | "try_from", _) => {
                    "read the field from another type: `#[tool_param(with = Type)]`"
                }
                ("other", _) => "declare every variant",
                ("borrow", _) => "a tool input owns its data",
                _ => "remove it, or write a `tool_param` beside it",
            };
            errors.at(
                &meta.path,
                format!("`#[serde({name})]` cannot be honoured here: {advice}"),
            );
            errors.lose_form();
            skip_value(meta)?;
        }
    }
    Ok(())
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<Str> {
    let literal: LitStr = meta.value()?.parse()?;
    Ok(Str {
        value: literal.value(),
        span: literal.span(),
    })
}

/// `= "…"`, or the reading side of `(serialize = "…", deserialize = "…")`.
fn reading(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<Str>> {
    if meta.input.peek(Token![=]) {
        return text(meta).map(Some);
    }
    let mut out = None;
    meta.parse_nested_meta(|side| {
        let value = text(&side)?;
        if side.path.is_ident("deserialize") {
            out = Some(value);
        }
        Ok(())
    })?;
    Ok(out)
}

fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}
