//! Mistakes are collected, so that one compile shows all of them.

use proc_macro2::Span;
use syn::spanned::Spanned;

#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    pub(crate) fn at(&mut self, place: &impl Spanned, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new(place.span(), message));
    }

    pub(crate) fn span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// The value, or its errors noted in our own phrasing.
    pub(crate) fn take<T>(&mut self, result: darling::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                for error in error.flatten() {
                    self.span(error.span(), rephrase(&error.to_string()));
                }
                None
            }
        }
    }

    pub(crate) fn finish(self) -> Option<syn::Error> {
        self.0.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        })
    }
}

/// darling's messages in the phrasing of this crate.
fn rephrase(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("Unknown field: ") {
        return match rest.split_once(". Did you mean ") {
            Some((name, meant)) => format!("unknown attribute {name}: did you mean {meant}"),
            None => format!("unknown attribute {rest}"),
        };
    }
    if let Some(rest) = message.strip_prefix("Duplicate field ") {
        return format!("{rest} is given twice");
    }
    if message.starts_with("Unexpected type ") || message.starts_with("Unexpected meta-item format")
    {
        return format!("{}: see the table of attributes", lower(message));
    }
    lower(message)
}

fn lower(message: &str) -> String {
    let mut chars = message.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}
