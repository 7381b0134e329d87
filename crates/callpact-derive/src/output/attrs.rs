//! The attributes of serde that concern writing.

use proc_macro2::Span;
use syn::{Attribute, Path, Type, spanned::Spanned};

use crate::attrs::{
    errors::Errors,
    item::{Form, Item, attribute_items, token_items},
    values::{PathValue, Read, Str, TypeValue},
};

/// The attributes for writing. serde itself reports the words that it does not know.
#[derive(Default)]
pub(super) struct Written {
    pub(super) rename: Option<String>,
    pub(super) rename_all: Option<Str>,
    pub(super) rename_all_fields: Option<Str>,
    pub(super) skip: bool,
    pub(super) skip_if: Option<(Path, Span)>,
    pub(super) flatten: Option<Span>,
    pub(super) tag: Option<Str>,
    pub(super) content: Option<Str>,
    pub(super) untagged: Option<Span>,
    pub(super) transparent: bool,
    pub(super) into: Option<Type>,
    /// `with`, `serialize_with`, `getter` or `remote`: a function writes the form.
    pub(super) function: Option<(String, Span)>,
}

pub(super) fn read(attrs: &[Attribute]) -> Written {
    // serde reports the mistakes in its own attributes.
    let mut ignored = Errors::default();
    let mut out = Written::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        for item in &attribute_items(attr, "an attribute of serde", &mut ignored) {
            let _ = out.set(item);
        }
    }
    out
}

impl Written {
    fn set(&mut self, item: &Item) -> syn::Result<()> {
        let word = item.name();
        let span = item.word.span();
        match word.as_str() {
            "rename" => self.rename = name(item)?.map(|name| name.value),
            "rename_all" => self.rename_all = name(item)?,
            "rename_all_fields" => self.rename_all_fields = name(item)?,
            "skip" | "skip_serializing" => self.skip = true,
            "skip_serializing_if" => self.skip_if = Some((PathValue::read(item)?.0, span)),
            "flatten" => self.flatten = Some(span),
            "tag" => self.tag = Some(Str::read(item)?),
            "content" => self.content = Some(Str::read(item)?),
            "untagged" => self.untagged = Some(span),
            "transparent" => self.transparent = true,
            "into" => self.into = Some(TypeValue::read(item)?.0),
            "with" | "serialize_with" | "getter" | "remote" => self.function = Some((word, span)),
            _ => {}
        }
        Ok(())
    }
}

/// The name of `= "…"` or of `(serialize = "…")`.
fn name(item: &Item) -> syn::Result<Option<Str>> {
    let Form::List(sides) = &item.form else {
        return Str::read(item).map(Some);
    };
    let sides = token_items(sides.clone(), "`serialize = \"…\"`", &mut Errors::default());
    let side = sides.iter().find(|side| side.word.is_ident("serialize"));
    side.map(Str::read).transpose()
}
