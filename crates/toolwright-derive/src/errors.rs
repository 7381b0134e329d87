//! Mistakes are collected, so that one compile shows all of them.

use proc_macro2::Span;
use quote::ToTokens;

#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
    /// Attributes were lost, so that what follows from them says nothing.
    unread: bool,
}

impl Errors {
    /// Underlines all the tokens of a place.
    pub(crate) fn at(&mut self, place: &impl ToTokens, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new_spanned(place, message));
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

    pub(crate) fn finish(self) -> Option<syn::Error> {
        self.all.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        })
    }
}
