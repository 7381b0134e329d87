//! The derive macros of [`callpact`](https://docs.rs/callpact), which re-exports them.
//!
//! `attrs` reads the attributes, `model` decides what they mean and rejects contradictions, `codegen`
//! writes the impls, and `function` turns functions into tools. Every mistake is reported in one
//! compile, along with an impl that keeps the rest of the program compiling.
#![forbid(unsafe_code)]

mod attrs;
mod codegen;
mod function;
mod model;
mod output;

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
/// | `default`, `default = …` | the value when left out: a literal, an expression, the path of a function, or `Default` |
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
/// | `partial` | makes `NamePartial`, the part of a value that has arrived, and implements `PartialInput` |
/// | `crate = path` | where `callpact` is, when it is renamed |
///
/// The serde attributes `rename`, `rename_all`, `default`, `alias`, `skip`, `flatten`, `tag`,
/// `content`, `untagged`, `transparent` and `deny_unknown_fields` are understood, and those of schemars that have a
/// meaning here. So are those of clap, see `docs/commands.md`. An unsupported attribute that changes how values are
/// read is an error.
#[proc_macro_derive(
    ToolInput,
    attributes(
        tool_param, tool_input, serde, schemars, arg, command, clap, value, group
    )
)]
pub fn derive_tool_input(input: TokenStream) -> TokenStream {
    expand(&parse_macro_input!(input as DeriveInput)).into()
}

fn expand(input: &DeriveInput) -> proc_macro2::TokenStream {
    let mut errors = attrs::errors::AttributeErrors::default();
    let model = model::declaration::InputModel::new(input, &mut errors);
    if let Some(model) = &model {
        model::check::check(model, &mut errors);
    }
    match (model, errors.finish()) {
        (Some(model), None) => codegen::expand(&model),
        (model, errors) => codegen::fallback::expand(input, model.as_ref(), errors),
    }
}

/// Makes a function a tool: its parameters are the schema, its doc comment the description.
///
/// The function stays callable. A unit struct next to it, named after it in `PascalCase`,
/// implements `TypedAgentTool`: `web_search` gives `WebSearch`.
///
/// # What is said: `#[tool(…)]`
///
/// | attribute | meaning |
/// |---|---|
/// | `read_only`, `write`, `destructive` | how far the tool reaches; one of them must be said |
/// | `secrets(token, headers[].value)` | the parameters that may hold references to secrets; none without it, and must be said when a parameter is `#[tool_param(secret)]` |
/// | `description = …` | what the model is told; the doc comment otherwise |
/// | `blocking` | the function is not `async` and takes its time: it runs off the executor |
/// | `title = "…"`, `open_world` | hints for hosts and their users; see `ToolHints` |
/// | `idempotent` | a call that is repeated changes nothing more: it may run again where nobody knows whether it ran |
/// | `name = "…"` | the name that the model calls; the function's otherwise |
/// | `struct = Name` | the name of the struct |
/// | `crate = path` | where `callpact` is, when it is renamed |
///
/// # Parameters
///
/// A parameter takes a doc comment and every `#[tool_param(…)]` of the [derive](macro@ToolInput) for fields.
/// Parameters of these types do not come from the model and are not in the schema. They are recognized by the
/// last segment of their type, at any position:
///
/// | type | what it gets |
/// |---|---|
/// | `&ToolContext`, `ToolContext` | the context of the call |
/// | `State<T>` | a value that was put in the context with `with`; a halt where there is none |
/// | `Cancellation` | the call's cancellation, or one that nobody cancels |
///
/// # What it returns
///
/// Anything that is `IntoToolResult`: a text, a number, `Json`, a type with [`ToolOutput`](macro@ToolOutput),
/// a `ToolResult`, or a `Result` of these. A function that is not `async` runs on the caller's thread, and
/// blocks the other calls there. With `blocking`, it runs on a thread for such work, if tokio runs. A call
/// that is cancelled, or whose time is up, ends at once; the function runs to its end.
#[proc_macro_attribute]
pub fn tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::tool(attr.into(), &item.into()).into()
}

/// Makes an object a bundle of tools: each method with `#[tool(…)]` is one, and all share `&self`.
///
/// Methods without the attribute do not change. The object, or an `Arc` of it, is added to the
/// toolset as one thing.
#[proc_macro_attribute]
pub fn tools(attr: TokenStream, item: TokenStream) -> TokenStream {
    function::tools(attr.into(), &item.into()).into()
}

/// Makes the commands of a command line tools: each variant with `#[tool(…)]` is one.
///
/// The enum is one that also derives clap's `Subcommand`. The name and the description are those of the command, the
/// parameters are its arguments, with clap's attributes, and `CommandTool` runs them. The words in
/// `#[tool(…)]` are those of the [attribute of functions](macro@tool). A variant with a struct of arguments needs
/// [`ToolInput`](macro@ToolInput) on the struct.
#[proc_macro_derive(CommandTools, attributes(tool, tool_param, tool_input))]
pub fn derive_command_tools(input: TokenStream) -> TokenStream {
    function::command_tools(&parse_macro_input!(input as DeriveInput)).into()
}

/// The paths of `SECRET_PARAMS`, each checked against the input at its own place, in `cargo check` too.
///
/// `secret_params!(Input: token, headers[].value)` is `&["token", "headers[].value"]`. A path that leads
/// to no text of the input is a compile error. If `callpact` is renamed, write `secret_params!(crate =
/// path, Input: token)`.
#[proc_macro]
pub fn secret_params(input: TokenStream) -> TokenStream {
    function::secret_params(input.into()).into()
}

/// Makes a type the structured output of a tool: the schema follows serde's attributes.
///
/// The type also derives `serde::Serialize`, which writes the value. A field is optional only if serde may skip it,
/// and `None` is null. Descriptions are the doc comments, or those of the [input](macro@ToolInput) if the type is an
/// input too. The text for the model is the JSON, or the text of `Display`. A tool whose return type may be null has
/// no output schema: hosts take null for a missing output.
///
/// | attribute | place | meaning |
/// |---|---|---|
/// | `#[tool_output(display)]` | the type | the model reads the text of `Display` |
/// | `#[tool_output(description = "…")]` | all | what a host is told; the doc comment otherwise |
/// | `#[tool_output(with = Type)]` | fields, variants | serde writes the form of `Type`; needed beside serde's `with` and `serialize_with` |
/// | `#[tool_output(recursive)]` | fields | the type contains itself: its schema is left open here |
/// | `#[tool_output(crate = path)]` | the type | where `callpact` is, when it is renamed |
///
/// serde's `rename`, `rename_all`, `rename_all_fields`, `skip`, `skip_serializing`,
/// `skip_serializing_if`, `flatten`, `tag`, `content`, `untagged`, `transparent` and `into` are
/// understood. Other attributes that cannot be expressed are an error.
#[proc_macro_derive(ToolOutput, attributes(tool_output, serde, schemars))]
pub fn derive_tool_output(input: TokenStream) -> TokenStream {
    output::expand(&parse_macro_input!(input as DeriveInput)).into()
}

#[cfg(test)]
mod tests;
