//! What the user wrote in our attributes: darling receivers, one for each place.

use std::collections::HashSet;

use darling::{Error, FromMeta, Result, ast::NestedMeta};
use proc_macro2::{Span, TokenStream};
use syn::{Attribute, DeriveInput, Meta};

use super::{
    errors::{AttributeErrors, meant},
    list::{parse_attributes, parse_tokens, value_span, word},
    place::AttributePlace,
    values::{
        CountValue, DefaultValue, NumberValue, PathValue, SpannedLiteral, SpannedStr, SwitchValue,
        TypeValue, split,
    },
};

/// The items of one attribute.
pub(crate) trait AttributeReceiver: FromMeta + Default {
    const WORDS: &'static [&'static str];

    /// The words that were read, in written order, with the spans of their values.
    fn given(&mut self) -> &mut Vec<(&'static str, Span)>;
}

/// Declares receivers, and lists their words for hints. A word is the name of its field, or follows `=`.
macro_rules! receivers {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            $($(#[$of_field:meta])* $field:ident $(= $word:literal)?: $ty:ty),* $(,)?
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Default, darling::FromMeta)]
        pub(crate) struct $name {
            $(
                $(#[$of_field])*
                $(#[darling(rename = $word)])?
                pub(crate) $field: $ty,
            )*
            #[darling(skip)]
            pub(crate) given: Vec<(&'static str, proc_macro2::Span)>,
        }

        impl $crate::attrs::receivers::AttributeReceiver for $name {
            const WORDS: &'static [&'static str] = &[$(receivers!(@word $field $($word)?)),*];

            fn given(&mut self) -> &mut Vec<(&'static str, proc_macro2::Span)> {
                &mut self.given
            }
        }
    )*};
    (@word $field:ident) => { stringify!($field) };
    (@word $field:ident $word:literal) => { $word };
}
pub(crate) use receivers;

receivers! {
    /// `#[tool_param(…)]` on a field.
    FieldAttrs {
        description: Option<SpannedStr>,
        required: Option<SwitchValue>,
        default: Option<DefaultValue>,
        rename: Option<SpannedStr>,
        #[darling(multiple)]
        alias: Vec<SpannedStr>,
        min: Option<NumberValue>,
        max: Option<NumberValue>,
        exclusive_min: Option<NumberValue>,
        exclusive_max: Option<NumberValue>,
        multiple_of: Option<NumberValue>,
        min_length: Option<CountValue>,
        max_length: Option<CountValue>,
        pattern: Option<SpannedStr>,
        min_items: Option<CountValue>,
        max_items: Option<CountValue>,
        unique_items: Option<SwitchValue>,
        one_of: Option<SpannedLiteral>,
        example: Option<SpannedLiteral>,
        skip: Option<SwitchValue>,
        flatten: Option<SwitchValue>,
        secret: Option<SwitchValue>,
        keep_empty: Option<SwitchValue>,
        any_name: Option<SwitchValue>,
        recursive: Option<SwitchValue>,
        with: Option<TypeValue>,
    }

    /// `#[tool_param(…)]` on a variant.
    VariantAttrs {
        description: Option<SpannedStr>,
        rename: Option<SpannedStr>,
        #[darling(multiple)]
        alias: Vec<SpannedStr>,
        skip: Option<SwitchValue>,
    }

    /// `#[tool_input(…)]` on the container.
    ContainerAttrs {
        description: Option<SpannedStr>,
        rename_all: Option<SpannedStr>,
        rename_all_fields: Option<SpannedStr>,
        tag: Option<SpannedStr>,
        content: Option<SpannedStr>,
        untagged: Option<SwitchValue>,
        unknown: Option<SpannedStr>,
        validate: Option<PathValue>,
        partial: Option<SwitchValue>,
        krate = "crate": Option<PathValue>,
    }

    /// `#[tool_output(…)]` on the type, on a field or on a variant.
    OutputAttrs {
        display: Option<SwitchValue>,
        description: Option<SpannedStr>,
        with: Option<TypeValue>,
        recursive: Option<SwitchValue>,
        krate = "crate": Option<PathValue>,
    }

    /// `#[tools(…)]`.
    BlockAttrs {
        krate = "crate": Option<PathValue>,
    }
}

impl FieldAttrs {
    /// Whether a rule is in force.
    pub(crate) fn has_rules(&self) -> bool {
        let numbers = [
            &self.min,
            &self.max,
            &self.exclusive_min,
            &self.exclusive_max,
            &self.multiple_of,
        ];
        let counts = [
            self.min_length,
            self.max_length,
            self.min_items,
            self.max_items,
        ];
        numbers.into_iter().any(Option::is_some)
            || counts.iter().any(Option::is_some)
            || self.unique_items.is_some_and(|switch| switch.value)
            || self.pattern.is_some()
            || self.one_of.is_some()
    }

    /// The span of the first value whose word matches.
    pub(crate) fn first_given(&self, is: impl Fn(&str) -> bool) -> Option<Span> {
        let mut given = self.given.iter();
        given.find(|(word, _)| is(word)).map(|(_, span)| *span)
    }
}

/// Reads the attributes of a place. A mistake in one item leaves the others valid.
pub(crate) fn read<T: AttributeReceiver>(
    attrs: &[Attribute],
    place: AttributePlace,
    errors: &mut AttributeErrors,
) -> T {
    errors.lost();
    for attr in attrs {
        if let Some((other, advice)) = place.confused()
            && attr.path().is_ident(other)
        {
            errors.at(attr.path(), advice);
            if place != AttributePlace::Container {
                errors.lose_form();
            }
        }
    }
    let items = parse_attributes(attrs, place.attribute(), place.example(), errors);
    receive(&items, place, errors)
}

/// Reads the arguments of an attribute macro.
pub(crate) fn read_tokens<T: AttributeReceiver>(
    tokens: TokenStream,
    place: AttributePlace,
    errors: &mut AttributeErrors,
) -> T {
    errors.lost();
    let items = parse_tokens(tokens, place.example(), errors);
    receive(&items, place, errors)
}

/// The path of the runtime crate: `crate = path`, or `::callpact`.
pub(crate) fn krate(written: Option<PathValue>) -> syn::Path {
    written.map_or_else(|| syn::parse_quote!(::callpact), |path| path.0)
}

/// The path of the runtime crate in the attributes of a type; the default if the attribute is malformed.
pub(crate) fn krate_of(input: &DeriveInput) -> syn::Path {
    let mut ignored = AttributeErrors::default();
    let attrs: ContainerAttrs = read(&input.attrs, AttributePlace::Container, &mut ignored);
    krate(attrs.krate)
}

/// Reads items, and reports unknown, repeated and malformed ones.
pub(crate) fn receive<T: AttributeReceiver>(
    items: &[Meta],
    place: AttributePlace,
    errors: &mut AttributeErrors,
) -> T {
    let (mut sound, mut given) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let words = T::WORDS.iter().filter(|word| place.has_word(word));
    let words: Vec<&'static str> = words.copied().collect();
    for item in items {
        let word = word(item);
        let Some(known) = words.iter().find(|known| **known == word) else {
            errors.at(item.path(), place.describe_unknown(&word, &words));
            errors.lose(match place {
                AttributePlace::Tool if word == "permission" => Some("read_only"),
                _ => meant(&word, &words),
            });
            continue;
        };
        if seen.contains(known) && *known != "alias" {
            errors.at(item.path(), format!("`{word}` is given twice: keep one"));
            continue;
        }
        // Alone first, since darling returns either a whole receiver or errors.
        let item_alone = NestedMeta::Meta(item.clone());
        match T::from_list(std::slice::from_ref(&item_alone)) {
            Ok(_) => {
                seen.insert(known);
                given.push((*known, value_span(item)));
                sound.push(item_alone);
            }
            Err(error) => {
                errors.push(locate(error, item));
                errors.lose(Some(known));
            }
        }
    }
    let mut out = T::from_list(&sound).unwrap_or_default();
    *out.given() = given;
    out
}

/// The items in the parentheses of a word, such as `range(…)`.
#[derive(Clone, Debug)]
pub(crate) struct NestedItems<T>(pub(crate) T);

impl<T: AttributeReceiver> FromMeta for NestedItems<T> {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Meta::List(list) = item else {
            let known = T::WORDS.join(" = …, ");
            return Err(Error::custom(format!(
                "expected a list: `{}({known} = …)`",
                word(item)
            )));
        };
        let mut errors = AttributeErrors::default();
        let items = parse_tokens(
            list.tokens.clone(),
            AttributePlace::Nested.example(),
            &mut errors,
        );
        let inside = receive(&items, AttributePlace::Nested, &mut errors);
        match errors.finish() {
            None => Ok(Self(inside)),
            Some(all) => Err(split(all)),
        }
    }
}

impl AttributePlace {
    /// Whether a word of the receiver has a meaning here.
    fn has_word(self, word: &str) -> bool {
        match self {
            Self::Output => !["with", "recursive"].contains(&word),
            Self::OutputField => !["display", "crate"].contains(&word),
            _ => true,
        }
    }

    /// The message about an unknown word.
    fn describe_unknown(self, word: &str, known: &[&str]) -> String {
        if let Some(advice) = self.belongs(word) {
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

    /// The message about a word that belongs to another place.
    fn belongs(self, word: &str) -> Option<String> {
        let on_a_field = FieldAttrs::WORDS.contains(&word);
        match self {
            Self::Variant if on_a_field => {
                Some(format!("`{word}` belongs on a field, not on a variant"))
            }
            Self::Container if on_a_field => Some(format!(
                "`{word}` belongs on a field: write it in `tool_param` there"
            )),
            Self::Field | Self::Variant if ContainerAttrs::WORDS.contains(&word) => Some(format!(
                "`{word}` belongs on the struct or enum: write it in `tool_input` there"
            )),
            Self::Output if !self.has_word(word) => Some(format!("`{word}` belongs on a field")),
            Self::OutputField if !self.has_word(word) => {
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

/// An error of darling on all tokens of the value: darling knows only the first one.
fn locate(error: darling::Error, item: &Meta) -> syn::Error {
    let error = syn::Error::from(error);
    match item {
        Meta::List(_) => error,
        Meta::NameValue(pair) => syn::Error::new_spanned(&pair.value, error),
        Meta::Path(path) => syn::Error::new_spanned(path, error),
    }
}
