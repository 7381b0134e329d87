//! `#[derive(ToolOutput)]`: the schema of serde's output.
//!
//! `say` reads the attributes of serde that concern writing, `model` decides what is written, and
//! `emit` writes the impls.

mod emit;
mod model;
mod say;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::say::errors::Errors;

pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let model = model::Output::new(input, &mut errors);
    let errors = errors.finish().map(syn::Error::into_compile_error);
    emit::expand(&model, errors.as_ref())
}
