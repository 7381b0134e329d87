//! The attributes of serde, so that a type with serde's derives needs only one more.

use darling::{FromMeta, Result};
use proc_macro2::Span;
use syn::{Attribute, Meta, spanned::Spanned};

use super::{
    errors::Errors,
    list::{parse_attributes, word},
    place::Place,
    receivers::{Nested, Receiver, receive, receivers},
    values::{DefaultValue, PathValue, Str, TypeValue, Word},
};

/// The way of a value: a tool reads its input, and serde writes an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Input,
    Output,
}

receivers! {
    /// `#[serde(…)]` on a type, field or variant.
    SerdeAttrs {
        rename: Option<Names>,
        rename_all: Option<Names>,
        rename_all_fields: Option<Names>,
        #[darling(multiple)]
        alias: Vec<Str>,
        default: Option<SerdeDefault>,
        skip: Option<Word>,
        skip_deserializing: Option<Word>,
        skip_serializing: Option<Word>,
        skip_serializing_if: Option<Condition>,
        flatten: Option<Word>,
        tag: Option<Str>,
        content: Option<Str>,
        untagged: Option<Word>,
        transparent: Option<Word>,
        deny_unknown_fields: Option<Word>,
        into: Option<TypeValue>,
        with: Option<Word>,
        serialize_with: Option<Word>,
        getter: Option<Word>,
        remote: Option<Word>,
    }

    /// `rename(serialize = "…", deserialize = "…")`.
    Sides {
        serialize: Option<Str>,
        deserialize: Option<Str>,
    }
}

/// Names for reading and for writing.
#[derive(Clone)]
pub(crate) struct Names(Sides);

impl FromMeta for Names {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::List(_) = item {
            return Nested::from_meta(item).map(|sides| Self(sides.0));
        }
        let name = Str::from_meta(item)?;
        Ok(Self(Sides {
            serialize: Some(name.clone()),
            deserialize: Some(name),
            given: Vec::new(),
        }))
    }
}

impl Names {
    pub(crate) fn into_name(self, direction: Direction) -> Option<Str> {
        match direction {
            Direction::Input => self.0.deserialize,
            Direction::Output => self.0.serialize,
        }
    }
}

/// `default`, or `default = "function"`.
#[derive(Clone)]
pub(crate) struct SerdeDefault(pub(crate) DefaultValue);

impl FromMeta for SerdeDefault {
    fn from_meta(item: &Meta) -> Result<Self> {
        Ok(Self(match item {
            Meta::Path(path) => DefaultValue::Trait(path.span()),
            _ => DefaultValue::Function(PathValue::from_meta(item)?.0),
        }))
    }
}

/// `skip_serializing_if = "function"`, with the span of the word.
#[derive(Clone)]
pub(crate) struct Condition {
    pub(crate) function: syn::Path,
    pub(crate) span: Span,
}

impl FromMeta for Condition {
    fn from_meta(item: &Meta) -> Result<Self> {
        Ok(Self {
            function: PathValue::from_meta(item)?.0,
            span: item.path().span(),
        })
    }
}

/// Reads serde's attributes. An item of `overriding` replaces the one of serde with the same word. An unsupported
/// attribute that changes how values are read is an error. serde itself reports mistakes about writing.
pub(crate) fn read(
    attrs: &[Attribute],
    overriding: Vec<Meta>,
    place: Place,
    direction: Direction,
    errors: &mut Errors,
) -> SerdeAttrs {
    let mut ignored = Errors::default();
    let errors = match direction {
        Direction::Input => errors,
        Direction::Output => &mut ignored,
    };
    let mut items = parse_attributes(attrs, "serde", "an attribute of serde", errors);
    items.retain(|item| {
        let word = word(item);
        if direction == Direction::Input
            && let Some(advice) = find_unsupported(&word, place)
        {
            let message = format!("`#[serde({word})]` cannot be honoured here: {advice}");
            errors.at(item.path(), message);
            errors.lose_form();
            return false;
        }
        let is_replaced = overriding.iter().any(|other| other.path() == item.path());
        SerdeAttrs::WORDS.contains(&word.as_str()) && !is_replaced
    });
    items.extend(overriding);
    receive(&items, place, errors)
}

/// What to write instead of an attribute that changes how values are read.
fn find_unsupported(word: &str, place: Place) -> Option<&'static str> {
    Some(match word {
        "with" | "deserialize_with" | "from" | "try_from" => match place {
            Place::Container => "put `#[tool_param(with = Type)]` on the fields of this type",
            _ => "read the field from another type: `#[tool_param(with = Type)]`",
        },
        "other" => "declare every variant",
        "borrow" => "a tool input owns its data",
        "untagged" if place == Place::Container => return None,
        "bound" | "crate" | "expecting" => return None,
        "remote" | "untagged" => "remove it, or write a `tool_param` beside it",
        _ if SerdeAttrs::WORDS.contains(&word) => return None,
        _ => "remove it, or write a `tool_param` beside it",
    })
}

impl SerdeAttrs {
    /// The span of the word that leaves the field or variant out.
    pub(crate) fn skipped(&self, direction: Direction) -> Option<Span> {
        let one_way = match direction {
            Direction::Input => &self.skip_deserializing,
            Direction::Output => &self.skip_serializing,
        };
        let word = self.skip.as_ref().or(one_way.as_ref())?;
        Some(word.span)
    }

    /// The word for a function that writes the form of the value.
    pub(crate) fn writer(&self) -> Option<(&'static str, Span)> {
        let words = [
            ("with", &self.with),
            ("serialize_with", &self.serialize_with),
            ("getter", &self.getter),
            ("remote", &self.remote),
        ];
        let mut given = words.into_iter();
        given.find_map(|(name, word)| Some((name, word.as_ref()?.span)))
    }
}
