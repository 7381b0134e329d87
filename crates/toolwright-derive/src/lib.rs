//! The derive macros of [`toolwright`](https://docs.rs/toolwright), which re-exports them.
//!
//! `attr` and `serde_attr` parse what the user wrote, `model` is what it means, `check` refuses what
//! makes no sense, `schema`, `checks`, `read` and `union` emit. Every mistake is reported in one go, beside an impl that
//! keeps the rest of the program compiling.
#![forbid(unsafe_code)]

mod attr;
mod bound;
mod case;
mod check;
mod checks;
mod doc;
mod errors;
mod fallback;
mod literal;
mod model;
mod pattern;
mod read;
mod schema;
mod serde_attr;
mod types;
mod union;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct or an enum the contract of a tool: its JSON schema, and the reader that checks
/// arguments against it.
///
/// # On fields: `#[tool_param(…)]`
///
/// | attribute | meaning |
/// |---|---|
/// | `description = "…"` | what the model is told; the doc comment otherwise |
/// | `required`, `required = false` | must be present, or need not be (then with a default or `Option`) |
/// | `default`, `default = …` | the value when left out: a literal, a function, a constant, or `Default` |
/// | `rename = "…"`, `alias = "…"` | the key on the wire; another key that the lax policy accepts |
/// | `min`, `max`, `exclusive_min`, `exclusive_max`, `multiple_of` | of numbers |
/// | `min_length`, `max_length`, `pattern` | of strings |
/// | `min_items`, `max_items`, `unique_items` | of arrays |
/// | `one_of = ["…", …]` | the only values, strings or whole numbers |
/// | `example = …` | a value that shows what is wanted |
/// | `skip` | not a parameter; `Default` or `default` fills it |
/// | `flatten` | the fields of a struct stand here; a map collects the other keys |
/// | `secret` | never echoed in a report |
/// | `keep_empty` | an empty string is a value, although the field is optional |
/// | `with = Type` | read as `Type`, then converted with `TryFrom`, whose error the model is told |
/// | `recursive` | the type contains itself: its schema is left open here |
/// | `any_name` | allows a key such as `Content-Type` |
///
/// # On variants
///
/// `description`, `rename`, `alias` and `skip`.
///
/// # On the container: `#[tool_input(…)]`
///
/// | attribute | meaning |
/// |---|---|
/// | `description = "…"` | what the model is told; the doc comment otherwise |
/// | `rename_all = "…"`, `rename_all_fields = "…"` | a case for all fields or variants; for the fields of variants |
/// | `tag`, `content`, `untagged` | how the variants of an enum are told apart |
/// | `unknown = "ignore" \| "report" \| "deny"` | what happens to unknown keys; `report` by default |
/// | `validate = path` | a function `fn(&Self) -> Result<(), impl Display>` for rules across fields |
/// | `crate = path` | where `toolwright` is, when it is renamed |
///
/// The serde attributes `rename`, `rename_all`, `default`, `alias`, `skip`, `flatten`, `tag`,
/// `content`, `untagged`, `transparent` and `deny_unknown_fields` are understood; one that changes
/// what is read and cannot be honoured is an error.
#[proc_macro_derive(ToolInput, attributes(tool_param, tool_input, serde))]
pub fn derive_tool_input(input: TokenStream) -> TokenStream {
    expand(&parse_macro_input!(input as DeriveInput)).into()
}

fn expand(input: &DeriveInput) -> proc_macro2::TokenStream {
    let mut errors = errors::Errors::default();
    let model = model::Model::new(input, &mut errors);
    if let Some(model) = &model
        && !errors.unread()
    {
        check::check(model, &mut errors);
    }
    match (model, errors.finish()) {
        (Some(model), None) => schema::expand(&model),
        (_, errors) => fallback::expand(input, errors),
    }
}

#[cfg(test)]
mod tests;
