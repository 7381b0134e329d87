//! Collects mistakes, so that one compile shows all of them.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Meta;

#[derive(Default)]
pub(crate) struct AttributeErrors {
    all: Vec<syn::Error>,
    lost: LostSettings,
}

/// Settings that were malformed, so that they are not reported as missing.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)] // independent of each other
pub(crate) struct LostSettings {
    /// The rest of a list.
    pub(crate) list: bool,
    /// An attribute that decides which type is read, or whether anything is read.
    pub(crate) form: bool,
    /// `required` or `default`.
    pub(crate) presence: bool,
    /// The name of the key.
    pub(crate) name: bool,
    /// `crate = path`.
    pub(crate) krate: bool,
    /// The permission of a tool.
    pub(crate) permission: bool,
    /// The description.
    pub(crate) description: bool,
    /// The parameters that may hold secrets.
    pub(crate) secrets: bool,
}

impl AttributeErrors {
    /// Adds an error on all these tokens.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new_spanned(place, message));
    }

    pub(crate) fn span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// Adds an error, if there is one. Returns whether there was none.
    pub(crate) fn note(&mut self, error: Option<syn::Error>) -> bool {
        let none = error.is_none();
        self.all.extend(error);
        none
    }

    /// Adds an error about a list that cannot be read.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.lost.list = true;
        self.push(error);
    }

    /// Notes that an attribute was ignored because of a mistake in it. `name` is the intended word, if it
    /// is known.
    pub(crate) fn lose(&mut self, name: Option<&str>) {
        match name {
            Some("with" | "skip" | "flatten" | "recursive") => self.lost.form = true,
            Some("required" | "default") | None => self.lost.presence = true,
            Some("rename" | "any_name") => self.lost.name = true,
            Some("crate") => self.lost.krate = true,
            Some("read_only" | "write" | "destructive") => self.lost.permission = true,
            Some("description") => self.lost.description = true,
            Some("secrets") => self.lost.secrets = true,
            Some(_) => {}
        }
    }

    /// Adds an error about a word in an attribute of another crate. It may decide which type is read.
    pub(crate) fn refuse(&mut self, item: &Meta, attribute: &str, advice: &str) {
        let word = item.path().to_token_stream();
        let message = format!("`#[{attribute}({word})]` cannot be honoured here: {advice}");
        self.at(item.path(), message);
        self.lose_form();
    }

    /// Notes that an unknown attribute may decide which type is read.
    pub(crate) fn lose_form(&mut self) {
        self.lost.form = true;
    }

    /// Takes the settings that were lost since the last call.
    pub(crate) fn lost(&mut self) -> LostSettings {
        std::mem::take(&mut self.lost)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The errors as an item of the expansion; nothing without errors.
    pub(crate) fn into_tokens(self) -> Option<TokenStream> {
        self.finish().map(syn::Error::into_compile_error)
    }

    pub(crate) fn finish(self) -> Option<syn::Error> {
        self.all.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        })
    }
}

/// Words of JSON Schema and of other crates, and our words for them.
const SYNONYMS: &str = "minimum=min maximum=max ge=min le=max gt=exclusive_min lt=exclusive_max \
    exclusiveMinimum=exclusive_min exclusiveMaximum=exclusive_max exclusive_minimum=exclusive_min \
    exclusive_maximum=exclusive_max step=multiple_of length=min_length regex=pattern \
    unique=unique_items choices=one_of values=one_of desc=description doc=description name=rename \
    optional=required sensitive=secret min_len=min_length max_len=max_length minLength=min_length \
    maxLength=max_length minItems=min_items maxItems=max_items uniqueItems=unique_items len=min_length \
    range=min enum=one_of deny_unknown_fields=unknown";

/// The known word that the user probably meant.
pub(crate) fn meant<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let mut pairs = SYNONYMS.split(' ').filter_map(|pair| pair.split_once('='));
    let ours = pairs
        .find(|(theirs, _)| *theirs == word)
        .map(|(_, ours)| ours);
    let same = known.iter().find(|known| Some(**known) == ours).copied();
    same.or_else(|| nearest(word, known))
}

/// The known word with the smallest difference, if that is small.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|known| (strsim::osa_distance(word, known), *known))
        .filter(|(distance, known)| {
            *distance <= 2.max(known.len() / 4) && *distance < known.len() / 2 + 1
        })
        .min()
        .map(|(_, known)| known)
}
