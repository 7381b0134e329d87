//! What the user wrote, with spans: darling receivers for `tool_param` and `tool_input`.

use std::collections::HashSet;

use darling::{FromMeta, ast::NestedMeta};
use quote::quote;
use syn::{
    Attribute, Expr, Meta, MetaNameValue, Path, Token, Type, parse::ParseStream,
    punctuated::Punctuated, spanned::Spanned,
};

use crate::{
    errors::Errors,
    literal::{Count, DefaultValue, NumberValue, PathValue, Str, Switch, TypeValue, Value},
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
    seen: &mut HashSet<Path>,
    errors: &mut Errors,
) -> Option<NestedMeta> {
    let NestedMeta::Meta(meta) = &item else {
        errors.at(&item, "expected the name of an attribute");
        return None;
    };
    let path = meta.path().clone();
    let alone = std::slice::from_ref(&item);
    if let Err(error) = T::from_list(alone) {
        match belongs(alone, place) {
            Some(place) => {
                let name = quote!(#path);
                errors.at(&path, format!("`{name}` belongs on {place}"));
            }
            None => errors.darling(error),
        }
        return None;
    }
    if path.is_ident("alias") || seen.insert(path.clone()) {
        return Some(item);
    }
    let name = quote!(#path);
    errors.at(&path, format!("`{name}` is given twice"));
    None
}

/// Where else an item has a meaning.
fn belongs(item: &[NestedMeta], place: Place) -> Option<&'static str> {
    match place {
        Place::Container => FieldAttrs::from_list(item).ok().map(|_| "a field"),
        Place::Variant if FieldAttrs::from_list(item).is_ok() => Some("a field, not on a variant"),
        Place::Field | Place::Variant => ContainerAttrs::from_list(item)
            .ok()
            .map(|_| "the struct or enum: write it in `tool_input`"),
    }
}

/// An item, where `with` takes a type: `Vec<u8>` is no expression.
fn item(input: ParseStream<'_>) -> syn::Result<NestedMeta> {
    let ahead = input.fork();
    if let Ok(path) = Path::parse_mod_style(&ahead)
        && path.is_ident("with")
        && ahead.peek(Token![=])
    {
        let path = Path::parse_mod_style(input)?;
        let eq_token = input.parse()?;
        let value = match input.fork().parse::<syn::LitStr>() {
            Ok(_) => input.parse::<Expr>()?,
            Err(_) => {
                let ty: Type = input.parse()?;
                Expr::Verbatim(quote!(#ty))
            }
        };
        return Ok(NestedMeta::Meta(Meta::NameValue(MetaNameValue {
            path,
            eq_token,
            value,
        })));
    }
    input.parse()
}
