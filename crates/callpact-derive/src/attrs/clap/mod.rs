//! The attributes of clap: each has a meaning for a tool, or none, or is an error that says what to write.

mod fill;
mod values;
mod words;

use syn::{Attribute, Expr, Meta, MetaNameValue, Token};

use super::{
    errors::AttributeErrors,
    list::{parse_attributes, word},
    place::AttributePlace,
    receivers::{receive, receivers},
    values::{SpannedLiteral, SpannedStr, SwitchValue},
};
use values::{ClapAction, ClapDefault, ClapDefaults, ClapNames, ClapText, LongName, ValueParser};
use words::WordUse;

pub(crate) use fill::ClapField;

receivers! {
    /// `#[arg(…)]`, `#[command(…)]` and `#[value(…)]`, without the words that concern only the command line.
    ClapAttrs {
        name: Option<ClapText>,
        rename_all: Option<SpannedStr>,
        help: Option<ClapText>,
        long: Option<LongName>,
        #[darling(multiple)]
        alias: Vec<ClapNames>,
        required: Option<SwitchValue>,
        default_value: Option<SpannedLiteral>,
        default_values: Option<SpannedLiteral>,
        default_value_t: Option<ClapDefault>,
        default_values_t: Option<ClapDefaults>,
        value_parser: Option<ValueParser>,
        action: Option<ClapAction>,
        num_args: Option<values::Amount>,
        skip: Option<ClapDefault>,
        flatten: Option<SwitchValue>,
    }
}

/// The attributes that clap's derives read.
const ATTRIBUTES: [&str; 5] = ["arg", "command", "value", "clap", "group"];

/// Whether an attribute is one of clap.
pub(crate) fn is_of_clap(attr: &Attribute) -> bool {
    ATTRIBUTES.iter().any(|name| attr.path().is_ident(name))
}

/// Reads the attributes of clap. A rule across parameters is an error unless the container is `validated`.
pub(crate) fn read(
    attrs: &[Attribute],
    place: AttributePlace,
    validated: bool,
    errors: &mut AttributeErrors,
) -> ClapAttrs {
    let mut ours: Vec<Meta> = Vec::new();
    for attribute in ATTRIBUTES {
        for item in parse_attributes(attrs, attribute, "an attribute of clap", errors) {
            let word = word(&item);
            match WordUse::of(&word, attribute, place, &item) {
                WordUse::As(name) => ours.push(renamed(item, name)),
                WordUse::Nowhere => {}
                WordUse::Rule if validated => {}
                WordUse::Rule => errors.refuse(
                    &item,
                    attribute,
                    "it is a rule across parameters: check it in a function, `#[tool_input(validate = path)]`",
                ),
                WordUse::Refused(advice) => errors.refuse(&item, attribute, advice),
            }
        }
    }
    // The shorter text comes first, and is enough.
    let mut has_help = false;
    ours.retain(|item| word(item) != "help" || !std::mem::replace(&mut has_help, true));
    receive(&ours, AttributePlace::Nested, errors)
}

/// An item under our word for it, with its argument as a value: `word(value)` means `word = value`.
fn renamed(item: Meta, name: &str) -> Meta {
    let mut path = item.path().clone();
    if let Some(first) = path.segments.first_mut() {
        first.ident = syn::Ident::new(name, first.ident.span());
    }
    let value = match item {
        Meta::Path(_) => return Meta::Path(path),
        Meta::NameValue(pair) => pair.value,
        Meta::List(list) => {
            let tokens = list.tokens;
            syn::parse2(tokens.clone()).unwrap_or(Expr::Verbatim(tokens))
        }
    };
    Meta::NameValue(MetaNameValue {
        path,
        eq_token: <Token![=]>::default(),
        value,
    })
}
