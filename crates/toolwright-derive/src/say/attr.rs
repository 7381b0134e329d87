//! What the user wrote, with spans: darling receivers for `tool_param` and `tool_input`.

use std::collections::HashSet;

use darling::{FromMeta, ast::NestedMeta};
use quote::quote;
use syn::{
    Attribute, Expr, MacroDelimiter, Meta, MetaList, MetaNameValue, Path, Token, Type,
    parse::ParseStream, punctuated::Punctuated,
};

use super::{
    errors::{Errors, nearest},
    values::{Count, DefaultValue, NumberValue, PathValue, Str, Switch, TypeValue, Value},
};

/// `#[tool_param(…)]` on a field.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct FieldAttrs {
    pub(crate) description: Option<Str>,
    pub(crate) required: Option<Switch>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) rename: Option<Str>,
    #[darling(multiple)]
    pub(crate) alias: Vec<Str>,
    pub(crate) min: Option<NumberValue>,
    pub(crate) max: Option<NumberValue>,
    pub(crate) exclusive_min: Option<NumberValue>,
    pub(crate) exclusive_max: Option<NumberValue>,
    pub(crate) multiple_of: Option<NumberValue>,
    pub(crate) min_length: Option<Count>,
    pub(crate) max_length: Option<Count>,
    pub(crate) pattern: Option<Str>,
    pub(crate) min_items: Option<Count>,
    pub(crate) max_items: Option<Count>,
    pub(crate) unique_items: Option<Switch>,
    pub(crate) one_of: Option<Value>,
    pub(crate) example: Option<Value>,
    pub(crate) skip: Option<Switch>,
    pub(crate) flatten: Option<Switch>,
    pub(crate) secret: Option<Switch>,
    pub(crate) keep_empty: Option<Switch>,
    pub(crate) any_name: Option<Switch>,
    pub(crate) recursive: Option<Switch>,
    pub(crate) with: Option<TypeValue>,
}

/// `#[tool_param(…)]` on a variant.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct VariantAttrs {
    pub(crate) description: Option<Str>,
    pub(crate) rename: Option<Str>,
    #[darling(multiple)]
    pub(crate) alias: Vec<Str>,
    pub(crate) skip: Option<Switch>,
}

/// `#[tool_input(…)]` on the container.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct ContainerAttrs {
    pub(crate) description: Option<Str>,
    pub(crate) rename_all: Option<Str>,
    pub(crate) rename_all_fields: Option<Str>,
    pub(crate) tag: Option<Str>,
    pub(crate) content: Option<Str>,
    pub(crate) untagged: Option<Switch>,
    pub(crate) unknown: Option<Str>,
    pub(crate) validate: Option<PathValue>,
    #[darling(rename = "crate")]
    pub(crate) krate: Option<PathValue>,
}

/// Where attributes stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Container,
    Field,
    Variant,
}

impl Place {
    /// The names that mean something here.
    fn known(self) -> &'static [&'static str] {
        match self {
            Self::Container => &[
                "description",
                "rename_all",
                "rename_all_fields",
                "tag",
                "content",
                "untagged",
                "unknown",
                "validate",
                "crate",
            ],
            Self::Field => &[
                "description",
                "required",
                "default",
                "rename",
                "alias",
                "min",
                "max",
                "exclusive_min",
                "exclusive_max",
                "multiple_of",
                "min_length",
                "max_length",
                "pattern",
                "min_items",
                "max_items",
                "unique_items",
                "one_of",
                "example",
                "skip",
                "flatten",
                "secret",
                "keep_empty",
                "any_name",
                "recursive",
                "with",
            ],
            Self::Variant => &["description", "rename", "alias", "skip"],
        }
    }

    /// The attribute that belongs here, and the one that does not.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Container => ("tool_input", "tool_param"),
            Self::Field | Self::Variant => ("tool_param", "tool_input"),
        }
    }
}

/// Parses the attributes of a place one by one, so that a mistake costs one item and not all,
/// and says of a misplaced one where it belongs.
pub(crate) fn parse<T: FromMeta + Default>(
    attrs: &[Attribute],
    place: Place,
    errors: &mut Errors,
) -> T {
    let (own, other) = place.names();
    let mut good = Vec::new();
    let mut seen = HashSet::new();
    for attr in attrs {
        if attr.path().is_ident(other) {
            errors.at(
                attr.path(),
                match place {
                    Place::Container => {
                        "`tool_param` belongs on fields and variants: write `tool_input` here"
                    }
                    _ => "`tool_input` belongs on the struct or enum: write `tool_param` here",
                },
            );
            if place != Place::Container {
                errors.lose_form();
            }
        }
        if !attr.path().is_ident(own) {
            continue;
        }
        let Meta::List(list) = &attr.meta else {
            errors.at(&attr.meta, format!("expected a list: `{own}(…)`"));
            continue;
        };
        match list.parse_args_with(|input: ParseStream<'_>| {
            Punctuated::<_, Token![,]>::parse_terminated_with(input, item)
        }) {
            Ok(items) => {
                for item in items {
                    if let Some(item) = sound::<T>(item, place, &mut seen, errors) {
                        good.push(item);
                    }
                }
            }
            Err(error) => errors.syntax(error),
        }
    }
    T::from_list(&good).unwrap_or_default()
}

/// An item that means something here and has not been seen.
fn sound<T: FromMeta>(
    item: NestedMeta,
    place: Place,
    seen: &mut HashSet<String>,
    errors: &mut Errors,
) -> Option<NestedMeta> {
    let NestedMeta::Meta(meta) = &item else {
        errors.at(&item, "expected an attribute such as `description = \"…\"`");
        return None;
    };
    let path = meta.path();
    let name = quote!(#path).to_string();
    if !place.known().contains(&name.as_str()) {
        errors.at(path, unknown(&name, place));
        errors.lose(near(&name, place));
        return None;
    }
    if let Err(error) = T::from_list(std::slice::from_ref(&item)) {
        // darling adds where it was, which the span says better.
        let words = error.to_string();
        let words = words.strip_suffix(&format!(" at {name}")).unwrap_or(&words);
        match meta {
            Meta::NameValue(pair) => errors.at(&pair.value, words),
            other => errors.at(other, words),
        }
        errors.lose(Some(&name));
        return None;
    }
    if name == "alias" || seen.insert(name.clone()) {
        return Some(item);
    }
    errors.at(path, format!("`{name}` is given twice: keep one"));
    None
}

/// A name that means nothing here: where it belongs, or what it resembles.
fn unknown(name: &str, place: Place) -> String {
    let elsewhere = |place: Place| place.known().contains(&name);
    match place {
        Place::Variant if elsewhere(Place::Field) => {
            return format!("`{name}` belongs on a field, not on a variant");
        }
        Place::Container if elsewhere(Place::Field) => {
            return format!("`{name}` belongs on a field: write it in `tool_param` there");
        }
        Place::Field | Place::Variant if elsewhere(Place::Container) => {
            return format!(
                "`{name}` belongs on the struct or enum: write it in `tool_input` there"
            );
        }
        _ => {}
    }
    match near(name, place) {
        Some(known) => format!("unknown attribute `{name}`: did you mean `{known}`?"),
        None => format!(
            "unknown attribute `{name}`: known are `{}`",
            place.known().join("`, `")
        ),
    }
}

/// The name that a word resembles.
fn near(name: &str, place: Place) -> Option<&'static str> {
    nearest(name, place.known())
}

/// An item, where `with` takes a type: `Vec<u8>` is no expression.
fn item(input: ParseStream<'_>) -> syn::Result<NestedMeta> {
    if input.peek(syn::Lit) {
        return input.parse();
    }
    let path = Path::parse_mod_style(input)?;
    if !input.peek(Token![=]) {
        if input.peek(syn::token::Paren) {
            let content;
            let paren = syn::parenthesized!(content in input);
            return Ok(NestedMeta::Meta(Meta::List(MetaList {
                path,
                delimiter: MacroDelimiter::Paren(paren),
                tokens: content.parse()?,
            })));
        }
        return Ok(NestedMeta::Meta(Meta::Path(path)));
    }
    let eq_token = input.parse::<Token![=]>()?;
    if input.is_empty() {
        return Err(syn::Error::new_spanned(eq_token, "expected a value: `= …`"));
    }
    let value = if path.is_ident("with") && !input.peek(syn::LitStr) {
        let ty: Type = input.parse()?;
        Expr::Verbatim(quote!(#ty))
    } else {
        input.parse()?
    };
    Ok(NestedMeta::Meta(Meta::NameValue(MetaNameValue {
        path,
        eq_token,
        value,
    })))
}
