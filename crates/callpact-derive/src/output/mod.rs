//! `#[derive(ToolOutput)]`: the schema of serde's output.
//!
//! `model` decides what serde writes, and `codegen` writes the impls.

mod codegen;
mod model;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::attrs::errors::AttributeErrors;

pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = AttributeErrors::default();
    let model = model::OutputModel::new(input, &mut errors);
    let errors = errors.into_tokens();
    codegen::expand(&model, errors.as_ref())
}
