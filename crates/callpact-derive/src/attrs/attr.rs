//! Our attributes: the words that each place takes, and what the user wrote.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use syn::Attribute;

use super::{
    errors::{Errors, meant},
    item::{Item, attribute_items, token_items},
    values::{Count, DefaultValue, NumberValue, PathValue, Read, Str, Switch, TypeValue, Value},
};

/// The words of one attribute.
pub(crate) trait Words: Default {
    const KNOWN: &'static [&'static str];

    /// Sets the field of an item. `None` for an unknown word.
    fn set(&mut self, item: &Item) -> Option<syn::Result<()>>;

    /// The fields that were set, in written order, with the spans of their values.
    fn given(&self) -> &[(&'static str, Span)];

    /// The span of the first value whose field matches.
    fn first_given(&self, is: impl Fn(&str) -> bool) -> Option<Span> {
        let mut given = self.given().iter();
        given.find(|(field, _)| is(field)).map(|(_, span)| *span)
    }
}

/// A field that takes the value of a word.
pub(crate) trait Slot {
    fn fill(&mut self, item: &Item) -> syn::Result<()>;
}

impl<T: Read> Slot for Option<T> {
    fn fill(&mut self, item: &Item) -> syn::Result<()> {
        *self = Some(T::read(item)?);
        Ok(())
    }
}

impl<T: Read> Slot for Vec<T> {
    fn fill(&mut self, item: &Item) -> syn::Result<()> {
        self.push(T::read(item)?);
        Ok(())
    }
}

/// Declares the words of attributes. Each word is the name of a field, or follows `=`.
macro_rules! words {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            $($field:ident $(= $first:literal $(| $other:literal)*)?: $slot:ty),* $(,)?
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Default)]
        pub(crate) struct $name {
            $(pub(crate) $field: $slot,)*
            pub(crate) given: Vec<(&'static str, proc_macro2::Span)>,
        }

        impl $crate::attrs::attr::Words for $name {
            const KNOWN: &'static [&'static str] =
                &[$(words!(@word $field $($first)?), $($($other,)*)?)*];

            fn set(&mut self, item: &$crate::attrs::item::Item) -> Option<syn::Result<()>> {
                use $crate::attrs::attr::Slot;

                let word = item.name();
                $(if word == words!(@word $field $($first)?) $($(|| word == $other)*)? {
                    let filled = self.$field.fill(item);
                    if filled.is_ok() {
                        self.given.push((stringify!($field), item.span()));
                    }
                    return Some(filled);
                })*
                None
            }

            fn given(&self) -> &[(&'static str, proc_macro2::Span)] {
                &self.given
            }
        }
    )*};
    (@word $field:ident) => { stringify!($field) };
    (@word $field:ident $word:literal) => { $word };
}
pub(crate) use words;

words! {
    /// `#[tool_param(…)]` on a field.
    FieldAttrs {
        description: Option<Str>,
        required: Option<Switch>,
        default: Option<DefaultValue>,
        rename: Option<Str>,
        alias: Vec<Str>,
        min: Option<NumberValue>,
        max: Option<NumberValue>,
        exclusive_min: Option<NumberValue>,
        exclusive_max: Option<NumberValue>,
        multiple_of: Option<NumberValue>,
        min_length: Option<Count>,
        max_length: Option<Count>,
        pattern: Option<Str>,
        min_items: Option<Count>,
        max_items: Option<Count>,
        unique_items: Option<Switch>,
        one_of: Option<Value>,
        example: Option<Value>,
        skip: Option<Switch>,
        flatten: Option<Switch>,
        secret: Option<Switch>,
        keep_empty: Option<Switch>,
        any_name: Option<Switch>,
        recursive: Option<Switch>,
        with: Option<TypeValue>,
    }

    /// `#[tool_param(…)]` on a variant.
    VariantAttrs {
        description: Option<Str>,
        rename: Option<Str>,
        alias: Vec<Str>,
        skip: Option<Switch>,
    }

    /// `#[tool_input(…)]` on the container.
    ContainerAttrs {
        description: Option<Str>,
        rename_all: Option<Str>,
        rename_all_fields: Option<Str>,
        tag: Option<Str>,
        content: Option<Str>,
        untagged: Option<Switch>,
        unknown: Option<Str>,
        validate: Option<PathValue>,
        krate = "crate": Option<PathValue>,
    }

    /// `#[tool_output(…)]` on the type.
    OutputAttrs {
        display: Option<Switch>,
        description: Option<Str>,
        krate = "crate": Option<PathValue>,
    }

    /// `#[tool_output(…)]` on a field or variant.
    OutputFieldAttrs {
        description: Option<Str>,
        with: Option<TypeValue>,
        recursive: Option<Switch>,
    }

    /// `#[tools(…)]`.
    BlockAttrs {
        krate = "crate": Option<PathValue>,
    }
}

/// The place of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Container,
    Field,
    Variant,
    Output,
    OutputField,
    Tool,
    Block,
}

impl Place {
    /// The name of the attribute.
    fn attribute(self) -> &'static str {
        match self {
            Self::Container => "tool_input",
            Self::Field | Self::Variant => "tool_param",
            Self::Output | Self::OutputField => "tool_output",
            Self::Tool => "tool",
            Self::Block => "tools",
        }
    }

    /// An attribute that people confuse with the right one, and the message about it.
    fn confused(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Container => Some((
                "tool_param",
                "`tool_param` belongs on fields and variants: write `tool_input` here",
            )),
            Self::Field | Self::Variant => Some((
                "tool_input",
                "`tool_input` belongs on the struct or enum: write `tool_param` here",
            )),
            Self::Output | Self::OutputField | Self::Tool | Self::Block => None,
        }
    }

    /// The text to write instead of a bare literal.
    fn example(self) -> &'static str {
        match self {
            Self::Tool => "a word such as `read_only`; a description is `description = \"…\"`",
            Self::Block => "`crate = path`",
            Self::Output => "an attribute such as `display`",
            _ => "an attribute such as `description = \"…\"`",
        }
    }

    /// The message about a word that belongs to another place.
    fn belongs(self, word: &str) -> Option<String> {
        let on_a_field = FieldAttrs::KNOWN.contains(&word);
        match self {
            Self::Variant if on_a_field => {
                Some(format!("`{word}` belongs on a field, not on a variant"))
            }
            Self::Container if on_a_field => Some(format!(
                "`{word}` belongs on a field: write it in `tool_param` there"
            )),
            Self::Field | Self::Variant if ContainerAttrs::KNOWN.contains(&word) => Some(format!(
                "`{word}` belongs on the struct or enum: write it in `tool_input` there"
            )),
            Self::Output if OutputFieldAttrs::KNOWN.contains(&word) => {
                Some(format!("`{word}` belongs on a field"))
            }
            Self::OutputField if OutputAttrs::KNOWN.contains(&word) => {
                Some(format!("`{word}` belongs on the struct or enum"))
            }
            Self::Block => Some(format!(
                "`{word}` belongs on a method: `#[tools]` takes only `crate = path`"
            )),
            Self::Tool if word == "permission" => {
                Some("a permission stands alone: `read_only`, `write` or `destructive`".to_owned())
            }
            _ => None,
        }
    }
}

/// Reads the attributes of a place. A mistake in one item leaves the others valid.
pub(crate) fn read<T: Words>(attrs: &[Attribute], place: Place, errors: &mut Errors) -> T {
    errors.lost();
    let mut items = Vec::new();
    for attr in attrs {
        if let Some((other, advice)) = place.confused()
            && attr.path().is_ident(other)
        {
            errors.at(attr.path(), advice);
            if place != Place::Container {
                errors.lose_form();
            }
        }
        if attr.path().is_ident(place.attribute()) {
            items.extend(attribute_items(attr, place.example(), errors));
        }
    }
    take(&items, place, errors)
}

/// Reads the arguments of an attribute macro.
pub(crate) fn read_tokens<T: Words>(tokens: TokenStream, place: Place, errors: &mut Errors) -> T {
    errors.lost();
    let items = token_items(tokens, place.example(), errors);
    take(&items, place, errors)
}

/// The path of the runtime crate: `crate = path`, or `::callpact`.
pub(crate) fn krate(written: Option<PathValue>) -> syn::Path {
    written.map_or_else(|| syn::parse_quote!(::callpact), |path| path.0)
}

/// Takes the items, and reports unknown and repeated words.
fn take<T: Words>(items: &[Item], place: Place, errors: &mut Errors) -> T {
    let mut out = T::default();
    let mut seen = HashSet::new();
    for item in items {
        let word = item.name();
        if seen.contains(&word) && word != "alias" {
            errors.at(&item.word, format!("`{word}` is given twice: keep one"));
            continue;
        }
        match out.set(item) {
            Some(Ok(())) => {
                seen.insert(word);
            }
            Some(Err(error)) => {
                errors.push(error);
                errors.lose(Some(&word));
            }
            None => {
                errors.at(&item.word, unknown(&word, place, T::KNOWN));
                errors.lose(match place {
                    Place::Tool if word == "permission" => Some("read_only"),
                    _ => meant(&word, T::KNOWN),
                });
            }
        }
    }
    out
}

/// The message about an unknown word.
fn unknown(word: &str, place: Place, known: &[&str]) -> String {
    if let Some(advice) = place.belongs(word) {
        return advice;
    }
    match meant(word, known) {
        Some(known) => format!("unknown attribute `{word}`: did you mean `{known}`?"),
        None => format!(
            "unknown attribute `{word}`: known are `{}`",
            known.join("`, `")
        ),
    }
}
