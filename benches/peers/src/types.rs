//! The input types of the reading benchmark, with the derives of all peers.

#![expect(dead_code, reason = "the fields are filled, that is all")]

use schemars::JsonSchema;
use serde::Deserialize;
use callpact::ToolInput;

/// A search with nested filters: about 200 bytes of JSON.
#[derive(Deserialize, JsonSchema, ToolInput)]
#[cfg_attr(feature = "autoagents", derive(autoagents_derive::ToolInput))]
pub struct Search {
    /// What to look for
    pub query: String,
    /// Filters that all must hold
    pub filters: Vec<Filter>,
    /// Which part of the answer
    pub page: Page,
    /// Whether to look into folders
    pub recursive: bool,
    /// A note for the log
    pub note: Option<String>,
}

/// One filter of a [`Search`].
#[derive(Deserialize, JsonSchema, ToolInput)]
pub struct Filter {
    /// The field to compare
    pub field: String,
    /// How to compare
    pub op: Op,
    /// What to compare with
    pub value: f64,
}

/// A comparison.
#[derive(Deserialize, JsonSchema, ToolInput)]
pub enum Op {
    /// Less
    Lt,
    /// Greater
    Gt,
    /// Equal
    Eq,
}

/// A part of a list.
#[derive(Deserialize, JsonSchema, ToolInput)]
pub struct Page {
    /// How many
    pub limit: u32,
    /// From where
    pub offset: u32,
}

/// A file to write: one long string.
#[derive(Deserialize, JsonSchema, ToolInput)]
pub struct WriteFile {
    /// Where to
    pub path: String,
    /// What
    pub content: String,
    /// Whether behind what is there
    pub append: bool,
}

/// Many small objects.
#[derive(Deserialize, JsonSchema, ToolInput)]
pub struct Order {
    /// What is ordered
    pub items: Vec<Item>,
}

/// One line of an [`Order`].
#[derive(Deserialize, JsonSchema, ToolInput)]
pub struct Item {
    /// The number of the article
    pub id: u64,
    /// Its name
    pub name: String,
    /// Its price
    pub price: f64,
    /// How many
    pub count: u16,
    /// Words for the search
    pub tags: Vec<String>,
    /// Whether it is in stock
    pub active: bool,
}

/// Two numbers: the input of every tool in the long list.
#[derive(Deserialize, JsonSchema, ToolInput)]
pub struct Add {
    /// The first
    pub a: i64,
    /// The second
    pub b: i64,
}

/// A [`Search`] of the usual size with seven faults: a list for a text, an unknown choice, a word
/// for a number, a missing number, a negative one, one with a fraction, a word for a boolean.
pub const FAULTS: &str = r#"{"query":["typed tools"],"filters":[{"field":"size","op":"Greater","value":"large"},{"field":"stars","op":"Lt"}],"page":{"limit":-20,"offset":4.5},"recursive":"often","note":"asked for by the user today"}"#;
