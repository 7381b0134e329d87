//! Mistakes are collected, so that one compile shows all of them.

use proc_macro2::Span;
use quote::ToTokens;

#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
    lost: Lost,
}

/// What was written at a place and could not be read, so that nothing is said of its absence.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)] // each is lost alone
pub(crate) struct Lost {
    /// A whole list of attributes.
    pub(crate) list: bool,
    /// What decides which type is read, or whether there is anything to read.
    pub(crate) form: bool,
    /// What may stand in for an absent value.
    pub(crate) presence: bool,
    /// The key.
    pub(crate) name: bool,
    /// Where the runtime crate is.
    pub(crate) krate: bool,
    /// How far a tool reaches.
    pub(crate) permission: bool,
    /// What the model is told.
    pub(crate) description: bool,
    /// Which parameters may hold secrets.
    pub(crate) secrets: bool,
}

impl Errors {
    /// Underlines all the tokens of a place.
    pub(crate) fn at(&mut self, place: impl ToTokens, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new_spanned(place, message));
    }

    pub(crate) fn span(&mut self, span: Span, message: impl std::fmt::Display) {
        self.all.push(syn::Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// Adds an error, if there is one; whether there is none.
    pub(crate) fn note(&mut self, error: Option<syn::Error>) -> bool {
        let none = error.is_none();
        self.all.extend(error);
        none
    }

    /// A list of attributes that cannot be read at all.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.lost.list = true;
        self.push(error);
    }

    /// An attribute that was left out since something is wrong with it; by the name that was meant,
    /// if anybody knows.
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

    /// Something of a form that is not known to us.
    pub(crate) fn lose_form(&mut self) {
        self.lost.form = true;
    }

    /// What was lost since this was last asked.
    pub(crate) fn lost(&mut self) -> Lost {
        std::mem::take(&mut self.lost)
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn finish(self) -> Option<syn::Error> {
        self.all.into_iter().reduce(|mut all, next| {
            all.combine(next);
            all
        })
    }
}

/// Words of JSON Schema, serde and other crates, and ours for the same thing.
const SYNONYMS: [(&str, &str); 22] = [
    ("minimum", "min"),
    ("maximum", "max"),
    ("ge", "min"),
    ("le", "max"),
    ("gt", "exclusive_min"),
    ("lt", "exclusive_max"),
    ("exclusiveMinimum", "exclusive_min"),
    ("exclusiveMaximum", "exclusive_max"),
    ("exclusive_minimum", "exclusive_min"),
    ("exclusive_maximum", "exclusive_max"),
    ("step", "multiple_of"),
    ("length", "min_length"),
    ("regex", "pattern"),
    ("unique", "unique_items"),
    ("choices", "one_of"),
    ("values", "one_of"),
    ("desc", "description"),
    ("doc", "description"),
    ("name", "rename"),
    ("optional", "required"),
    ("sensitive", "secret"),
    ("readonly", "read_only"),
];

/// The known word that was probably meant.
pub(crate) fn meant<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let same = SYNONYMS.iter().find(|(theirs, _)| *theirs == word);
    same.and_then(|(_, ours)| known.iter().find(|known| *known == ours).copied())
        .or_else(|| nearest(word, known))
}

/// The known word that differs least, if it differs by little.
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
