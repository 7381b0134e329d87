//! What the user wrote, with spans: darling receivers for `tool_param` and `tool_input`.

use darling::{FromAttributes, FromMeta};
use syn::{Attribute, spanned::Spanned};

use crate::{
    errors::Errors,
    literal::{Count, DefaultValue, NumberValue, PathValue, Str, Switch, TypeValue, Value},
};

/// `#[tool_param(…)]` on a field.
#[derive(Clone, Debug, Default, FromAttributes)]
#[darling(attributes(tool_param), default)]
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
#[derive(Clone, Debug, Default, FromAttributes)]
#[darling(attributes(tool_param), default)]
pub(crate) struct VariantAttrs {
    pub(crate) description: Option<Str>,
    pub(crate) rename: Option<Str>,
    #[darling(multiple)]
    pub(crate) alias: Vec<Str>,
    pub(crate) skip: Option<Switch>,
}

/// `#[tool_input(…)]` on the container.
#[derive(Clone, Debug, Default, FromAttributes)]
#[darling(attributes(tool_input), default)]
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

/// Parses the attributes of a place, and refuses those that belong elsewhere.
pub(crate) fn parse<T: FromAttributes + Default>(
    attrs: &[Attribute],
    place: Place,
    errors: &mut Errors,
) -> T {
    for attr in attrs {
        if place == Place::Container && attr.path().is_ident("tool_param") {
            errors.at(
                &attr.path(),
                "`tool_param` belongs on fields and variants: write `tool_input` here",
            );
        }
        if place != Place::Container && attr.path().is_ident("tool_input") {
            errors.at(
                &attr.path(),
                "`tool_input` belongs on the struct or enum: write `tool_param` here",
            );
        }
        if place == Place::Variant && attr.path().is_ident("tool_param") {
            fields_only(attr, errors);
        }
    }
    errors.take(T::from_attributes(attrs)).unwrap_or_default()
}

/// Rules of a field on a variant get their own message, since darling would only not know them.
fn fields_only(attr: &Attribute, errors: &mut Errors) {
    let known = ["description", "rename", "alias", "skip"];
    let Ok(items) = attr.parse_args_with(
        syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated,
    ) else {
        return;
    };
    for item in items {
        let Some(name) = item.path().get_ident().map(ToString::to_string) else {
            continue;
        };
        if !known.contains(&name.as_str())
            && FieldAttrs::from_list(&[darling::ast::NestedMeta::Meta(item.clone())]).is_ok()
        {
            errors.span(
                item.path().span(),
                format!("`{name}` belongs on a field, not on a variant"),
            );
        }
    }
}

impl FromMeta for FieldAttrs {
    fn from_list(items: &[darling::ast::NestedMeta]) -> darling::Result<Self> {
        let items = items.iter();
        let attr: Attribute = syn::parse_quote!(#[tool_param(#(#items),*)]);
        Self::from_attributes(&[attr])
    }
}
