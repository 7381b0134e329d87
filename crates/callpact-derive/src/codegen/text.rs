//! The JSON of an object, written from its tokens, for the dialects that keep every rule.
//!
//! Evaluating a schema constant costs the compiler many steps; copying a ready text is one step. A name may mean
//! another type than the macro assumes, so each field carries the number of the assumed type. If the types differ,
//! or if this module does not know a rule, the text is written from the tree.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    known::{Known, described, escaped, known, literal, quoted, wrapped},
    rules,
    wire::wire,
};
use crate::{
    attrs::values::DefaultValue,
    model::{
        declaration::{Field, Model, Unknown, Variant},
        types,
    },
};

/// The number of a field whose type brings its own text.
const PART: u64 = 0;
/// The number of such a field inside an `Option`.
const OPTIONAL_PART: u64 = 1;

/// The text of an object, in pieces. The texts of other types go between the pieces.
pub(crate) struct Texts {
    head: String,
    /// With defaults in words and, if there are any, with defaults as a keyword.
    pieces: [Vec<String>; 2],
    /// The number of the type of each field.
    pub(crate) numbers: Vec<u64>,
}

impl Texts {
    /// The text of an object; `None` if its tokens do not determine it.
    pub(crate) fn of(fields: &[Field], model: &Model, description: &str) -> Option<Self> {
        let fields = fields.iter().filter(|field| field.skip.is_none());
        let mut out = Writer {
            pieces: [vec![String::new()], vec![String::new()]],
            numbers: Vec::new(),
            has_defaults: false,
        };
        let mut required = String::new();
        out.both(",\"properties\":{");
        for (index, field) in fields.enumerate() {
            let name = quoted(&field.name);
            out.both(if index > 0 { "," } else { "" });
            out.both(&format!("{name}:"));
            out.field(field, model)?;
            let default = field.default.is_some() || model.default_all.is_some();
            let switch = field.attrs.required.map(|switch| switch.value);
            let is_option = types::inside_option(&field.ty).is_some();
            if switch == Some(true) && (is_option || default) {
                return None;
            }
            if switch.unwrap_or(!default && !is_option) {
                required.push_str(if required.is_empty() { "" } else { "," });
                required.push_str(&name);
            }
        }
        out.both("}");
        if !required.is_empty() {
            out.both(&format!(",\"required\":[{required}]"));
        }
        if model.unknown == Unknown::Deny {
            out.both(",\"additionalProperties\":false");
        }
        let mut pieces = out.pieces;
        if !out.has_defaults {
            pieces[1].clear();
        }
        Some(Self {
            head: described("{\"type\":\"object\"", description),
            pieces,
            numbers: out.numbers,
        })
    }

    /// The constant of `impl Declared`.
    pub(crate) fn tokens(&self) -> TokenStream {
        let Self { head, pieces, .. } = self;
        let [words, keywords] = pieces;
        quote! {
            const TEXTS: __private::Texts = (#head, [&[#(#words),*], &[#(#keywords),*]]);
        }
    }
}

/// The constant of `impl ToolInput` for an enum of names.
pub(crate) fn names(variants: &[Variant], description: &str) -> TokenStream {
    let (mut meanings, mut names) = (String::new(), String::new());
    for Variant {
        name, description, ..
    } in variants
    {
        if !description.is_empty() {
            let separator = if meanings.is_empty() { "" } else { "; " };
            meanings.extend([separator, name, ": ", description]);
        }
        names.push_str(if names.is_empty() { "" } else { "," });
        names.push_str(&quoted(name));
    }
    let words = match (description.is_empty(), meanings.is_empty()) {
        (_, true) => description.to_owned(),
        (true, false) => meanings.clone(),
        (false, false) => format!("{description} ({meanings})"),
    };
    let (head, meanings) = (
        described("{\"type\":\"string\"", &words),
        escaped(&meanings),
    );
    let names = format!(",\"enum\":[{names}]");
    quote! {
        const TEXT: __private::Option<&'static __private::Ready> = __private::Option::Some {
            0: &__private::Ready::names(#head, #meanings, &[#names]),
        };
    }
}

struct Writer {
    pieces: [Vec<String>; 2],
    numbers: Vec<u64>,
    has_defaults: bool,
}

impl Writer {
    fn both(&mut self, text: &str) {
        self.each([text, text]);
    }

    fn each(&mut self, texts: [&str; 2]) {
        for (pieces, text) in self.pieces.iter_mut().zip(texts) {
            if let Some(last) = pieces.last_mut() {
                last.push_str(text);
            }
        }
    }

    /// Writes the schema of a field.
    fn field(&mut self, field: &Field, model: &Model) -> Option<()> {
        let is_recursive = Field::is(field.attrs.recursive);
        // Only some dialects mark a secret.
        let is_secret = Field::is(field.attrs.secret);
        if is_secret || field.flatten.is_some() || field.attrs.example.is_some() || is_recursive {
            return None;
        }
        let ty = wire(field, model);
        let inside = types::inside_option(&ty);
        let Some(Known { number, node }) = known(inside.unwrap_or(&ty)) else {
            return self.part(field, inside.is_some());
        };
        let number = if inside.is_some() {
            wrapped(number, 16)?
        } else {
            number
        };
        self.numbers.push(number);
        self.both(node.start());
        self.describe(field)?;
        self.both(&node.rules(field)?);
        self.both("}");
        Some(())
    }

    /// Leaves room for a type that brings its own text; `None` if the field has rules or a default.
    fn part(&mut self, field: &Field, is_option: bool) -> Option<()> {
        if rules::count(field) > 0 || field.default.is_some() {
            return None;
        }
        self.numbers
            .push(if is_option { OPTIONAL_PART } else { PART });
        let words = escaped(&field.description);
        for pieces in &mut self.pieces {
            pieces.extend([words.clone(), String::new()]);
        }
        Some(())
    }

    /// Writes the description and the default.
    fn describe(&mut self, field: &Field) -> Option<()> {
        let words = &field.description;
        let default = match &field.default {
            None | Some(DefaultValue::Trait(_) | DefaultValue::Function(_)) => None,
            Some(DefaultValue::Expression(_)) => return None,
            Some(DefaultValue::Literal(value)) => Some(literal(&value.kind)?),
        };
        let Some(default) = default else {
            self.both(&described("", words));
            return Some(());
        };
        self.has_defaults = true;
        let note = if words.is_empty() {
            format!("default: {default}")
        } else {
            format!("{words} (default: {default})")
        };
        let keyword = described("", words) + ",\"default\":" + &default;
        self.each([&described("", &note), &keyword]);
        Some(())
    }
}
