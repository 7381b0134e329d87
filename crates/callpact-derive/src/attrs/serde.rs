//! The attributes of serde, so that a type with `Deserialize` needs only one more derive.

use proc_macro2::Span;
use syn::{Attribute, spanned::Spanned};

use super::{
    attr::Place,
    errors::Errors,
    item::{Form, Item, attribute_items, token_items},
    values::{DefaultValue, PathValue, Read, Str},
};

/// The attributes of serde that concern reading.
#[derive(Default)]
pub(crate) struct SerdeAttrs {
    pub(crate) rename: Option<Str>,
    pub(crate) rename_all: Option<Str>,
    pub(crate) rename_all_fields: Option<Str>,
    pub(crate) alias: Vec<Str>,
    pub(crate) default: Option<DefaultValue>,
    pub(crate) skip: Option<Span>,
    pub(crate) flatten: Option<Span>,
    pub(crate) tag: Option<Str>,
    pub(crate) content: Option<Str>,
    pub(crate) untagged: Option<Span>,
    pub(crate) deny_unknown_fields: Option<Span>,
}

/// Reads serde's attributes. An unsupported attribute that changes how values are read is an error.
pub(crate) fn read(attrs: &[Attribute], place: Place, errors: &mut Errors) -> SerdeAttrs {
    let mut out = SerdeAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        let items = attribute_items(attr, "an attribute of serde", errors);
        for item in &items {
            if let Err(error) = out.set(item, place) {
                errors.push(error);
                errors.lose_form();
            }
        }
    }
    out
}

impl SerdeAttrs {
    fn set(&mut self, item: &Item, place: Place) -> syn::Result<()> {
        let word = item.name();
        let span = item.word.span();
        match word.as_str() {
            "rename" => set_name(&mut self.rename, item)?,
            "rename_all" => set_name(&mut self.rename_all, item)?,
            "rename_all_fields" => set_name(&mut self.rename_all_fields, item)?,
            "alias" => self.alias.push(Str::read(item)?),
            "default" => {
                self.default = Some(match item.form {
                    Form::Word => DefaultValue::Trait(span),
                    _ => DefaultValue::Function(PathValue::read(item)?.0),
                });
            }
            "skip" | "skip_deserializing" => self.skip = Some(span),
            "flatten" => self.flatten = Some(span),
            "tag" => self.tag = Some(Str::read(item)?),
            "content" => self.content = Some(Str::read(item)?),
            "untagged" if place == Place::Container => self.untagged = Some(span),
            "deny_unknown_fields" => self.deny_unknown_fields = Some(span),
            // A struct of one unnamed field is always transparent. The others concern writing, or only
            // serde's own impl.
            "transparent"
            | "skip_serializing"
            | "skip_serializing_if"
            | "serialize_with"
            | "bound"
            | "crate"
            | "expecting"
            | "into"
            | "getter" => {}
            _ => {
                let advice = match (word.as_str(), place) {
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
                return Err(syn::Error::new_spanned(
                    &item.word,
                    format!("`#[serde({word})]` cannot be honoured here: {advice}"),
                ));
            }
        }
        Ok(())
    }
}

/// Sets a name from `= "…"` or from `(serialize = "…", deserialize = "…")`.
fn set_name(name: &mut Option<Str>, item: &Item) -> syn::Result<()> {
    let Form::List(sides) = &item.form else {
        *name = Some(Str::read(item)?);
        return Ok(());
    };
    let mut errors = Errors::default();
    let items = token_items(sides.clone(), "`deserialize = \"…\"`", &mut errors);
    if let Some(error) = errors.finish() {
        return Err(error);
    }
    for side in &items {
        let value = Str::read(side)?;
        if side.word.is_ident("deserialize") {
            *name = Some(value);
        }
    }
    Ok(())
}
