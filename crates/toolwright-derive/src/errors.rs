//! Mistakes are collected, so that one compile shows all of them.

use proc_macro2::Span;
use syn::spanned::Spanned;

#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
    /// Attributes were lost, so that what follows from them says nothing.
    unread: bool,
}

impl Errors {
    pub(crate) fn at(&mut self, place: &impl Spanned, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new(place.span(), message));
    }

    pub(crate) fn span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// A list of attributes that cannot be read at all.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.unread = true;
        self.push(error);
    }

    pub(crate) fn unread(&self) -> bool {
        self.unread
    }

    /// darling's errors in our own phrasing.
    pub(crate) fn darling(&mut self, error: darling::Error) {
        for error in error.flatten() {
            self.span(error.span(), rephrase(&error.to_string()));
        }
    }

    pub(crate) fn finish(self) -> Option<syn::Error> {
        self.all.into_iter().reduce(|mut all, next| {
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
