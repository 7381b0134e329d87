//! The attributes of serde, so that a type with serde's derives needs only one more.

use darling::{FromMeta, Result};
use proc_macro2::Span;
use syn::{Attribute, Meta, spanned::Spanned};

use super::{
    errors::AttributeErrors,
    list::{parse_attributes, word},
    place::AttributePlace,
    receivers::{AttributeReceiver, NestedItems, receive, receivers},
    values::{BareWord, DefaultValue, PathValue, SpannedStr, TypeValue},
};

/// The way of a value: a tool reads its input, and serde writes an output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueDirection {
    Input,
    Output,
}

receivers! {
    /// `#[serde(…)]` on a type, field or variant.
    SerdeAttrs {
        rename: Option<SerdeNames>,
        rename_all: Option<SerdeNames>,
        rename_all_fields: Option<SerdeNames>,
        #[darling(multiple)]
        alias: Vec<SpannedStr>,
        default: Option<SerdeDefault>,
        skip: Option<BareWord>,
        skip_deserializing: Option<BareWord>,
        skip_serializing: Option<BareWord>,
        skip_serializing_if: Option<SkipCondition>,
        flatten: Option<BareWord>,
        tag: Option<SpannedStr>,
        content: Option<SpannedStr>,
        untagged: Option<BareWord>,
        transparent: Option<BareWord>,
        deny_unknown_fields: Option<BareWord>,
        into: Option<TypeValue>,
        with: Option<BareWord>,
        serialize_with: Option<BareWord>,
        getter: Option<BareWord>,
        remote: Option<BareWord>,
    }

    /// `rename(serialize = "…", deserialize = "…")`.
    Sides {
        serialize: Option<SpannedStr>,
        deserialize: Option<SpannedStr>,
    }
}

/// Names for reading and for writing.
#[derive(Clone)]
pub(crate) struct SerdeNames(Sides);

impl FromMeta for SerdeNames {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::List(_) = item {
            return NestedItems::from_meta(item).map(|sides| Self(sides.0));
        }
        let name = SpannedStr::from_meta(item)?;
        Ok(Self(Sides {
            serialize: Some(name.clone()),
            deserialize: Some(name),
            given: Vec::new(),
        }))
    }
}

impl ValueDirection {
    /// The name on this side.
    pub(crate) fn name(self, names: Option<SerdeNames>) -> Option<SpannedStr> {
        let SerdeNames(sides) = names?;
        match self {
            Self::Input => sides.deserialize,
            Self::Output => sides.serialize,
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
pub(crate) struct SkipCondition {
    pub(crate) function: syn::Path,
    pub(crate) span: Span,
}

impl FromMeta for SkipCondition {
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
    place: AttributePlace,
    direction: ValueDirection,
    errors: &mut AttributeErrors,
) -> SerdeAttrs {
    let mut ignored = AttributeErrors::default();
    let errors = match direction {
        ValueDirection::Input => errors,
        ValueDirection::Output => &mut ignored,
    };
    let mut items = parse_attributes(attrs, "serde", "an attribute of serde", errors);
    items.retain(|item| {
        let word = word(item);
        if direction == ValueDirection::Input
            && let Some(advice) = find_unsupported(&word, place)
        {
            errors.refuse(item, "serde", advice);
            return false;
        }
        let is_replaced = overriding.iter().any(|other| other.path() == item.path());
        SerdeAttrs::WORDS.contains(&word.as_str()) && !is_replaced
    });
    items.extend(overriding);
    let mut read: SerdeAttrs = receive(&items, place, errors);
    if direction == ValueDirection::Output {
        read.alias.clear();
        read.default = None;
    }
    read
}

/// What to write instead of an attribute that changes how values are read.
fn find_unsupported(word: &str, place: AttributePlace) -> Option<&'static str> {
    Some(match word {
        "with" | "deserialize_with" | "from" | "try_from" => match place {
            AttributePlace::Container => {
                "put `#[tool_param(with = Type)]` on the fields of this type"
            }
            _ => "read the field from another type: `#[tool_param(with = Type)]`",
        },
        "other" => "declare every variant",
        "borrow" => "a tool input owns its data",
        "untagged" if place == AttributePlace::Container => return None,
        "bound" | "crate" | "expecting" => return None,
        "remote" | "untagged" => "remove it, or write a `tool_param` beside it",
        _ if SerdeAttrs::WORDS.contains(&word) => return None,
        _ => "remove it, or write a `tool_param` beside it",
    })
}

impl SerdeAttrs {
    /// The span of the word that leaves the field or variant out.
    pub(crate) fn skipped(&self, direction: ValueDirection) -> Option<Span> {
        let one_way = match direction {
            ValueDirection::Input => &self.skip_deserializing,
            ValueDirection::Output => &self.skip_serializing,
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
