//! The structs that the inputs are read into.

#![allow(missing_docs, clippy::struct_excessive_bools)] // fields that are there to be read

use std::collections::BTreeMap;

use callpact::ToolInput;
use serde::Deserialize;

/// A search with nested filters: about 200 bytes of JSON.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
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
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Filter {
    /// The field to compare
    pub field: String,
    /// How to compare
    pub op: Op,
    /// What to compare with
    pub value: f64,
}

/// A comparison.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub enum Op {
    /// Less
    Lt,
    /// Greater
    Gt,
    /// Equal
    Eq,
}

/// A part of a list.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Page {
    /// How many
    pub limit: u32,
    /// From where
    pub offset: u32,
}

/// A file to write: one long string.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct WriteFile {
    /// Where to
    pub path: String,
    /// What
    pub content: String,
    /// Whether behind what is there
    pub append: bool,
}

/// Many small objects.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Order {
    /// What is ordered
    pub items: Vec<Item>,
}

/// One line of an [`Order`].
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
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

/// A call with one field.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Lookup {
    pub city: String,
}

/// A call with three fields.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Weather {
    pub location: String,
    pub unit: Unit,
    pub days: u8,
}

/// A unit of temperature.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Celsius,
    Fahrenheit,
}

/// A call with sixteen fields.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Sixteen {
    pub field_01: String,
    pub field_02: i64,
    pub field_03: bool,
    pub field_04: f64,
    pub field_05: Option<String>,
    pub field_06: Option<u32>,
    pub field_07: Vec<String>,
    pub field_08: u8,
    pub field_09: String,
    pub field_10: i64,
    pub field_11: bool,
    pub field_12: f64,
    pub field_13: Option<String>,
    pub field_14: Option<u32>,
    pub field_15: Vec<String>,
    pub field_16: u8,
}

/// A call with forty fields.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Forty {
    pub field_01: String,
    pub field_02: i64,
    pub field_03: bool,
    pub field_04: f64,
    pub field_05: Option<String>,
    pub field_06: Option<u32>,
    pub field_07: Vec<String>,
    pub field_08: u8,
    pub field_09: String,
    pub field_10: i64,
    pub field_11: bool,
    pub field_12: f64,
    pub field_13: Option<String>,
    pub field_14: Option<u32>,
    pub field_15: Vec<String>,
    pub field_16: u8,
    pub field_17: String,
    pub field_18: i64,
    pub field_19: bool,
    pub field_20: f64,
    pub field_21: Option<String>,
    pub field_22: Option<u32>,
    pub field_23: Vec<String>,
    pub field_24: u8,
    pub field_25: String,
    pub field_26: i64,
    pub field_27: bool,
    pub field_28: f64,
    pub field_29: Option<String>,
    pub field_30: Option<u32>,
    pub field_31: Vec<String>,
    pub field_32: u8,
    pub field_33: String,
    pub field_34: i64,
    pub field_35: bool,
    pub field_36: f64,
    pub field_37: Option<String>,
    pub field_38: Option<u32>,
    pub field_39: Vec<String>,
    pub field_40: u8,
}

/// Sixteen fields that may be left out.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Options {
    pub query: String,
    pub option_01: Option<String>,
    pub option_02: Option<u32>,
    pub option_03: Option<bool>,
    pub option_04: Option<f64>,
    pub option_05: Option<String>,
    pub option_06: Option<u32>,
    pub option_07: Option<bool>,
    pub option_08: Option<f64>,
    pub option_09: Option<String>,
    pub option_10: Option<u32>,
    pub option_11: Option<bool>,
    pub option_12: Option<f64>,
    pub option_13: Option<String>,
    pub option_14: Option<u32>,
    pub option_15: Option<bool>,
    pub option_16: Option<f64>,
}

/// An invoice: objects in objects.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Invoice {
    pub id: String,
    pub customer: Customer,
    pub lines: Vec<Line>,
    pub note: Option<String>,
}

/// Who pays an [`Invoice`].
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Customer {
    pub name: String,
    pub email: String,
    pub address: Address,
}

/// Where a [`Customer`] lives.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Address {
    pub street: String,
    pub city: String,
    pub code: String,
}

/// One line of an [`Invoice`].
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Line {
    pub article: String,
    pub count: u32,
    pub price: f64,
}

/// A list of floats.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Floats {
    pub values: Vec<f64>,
}

/// A list of integers.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Integers {
    pub values: Vec<i64>,
}

/// A map of strings.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Texts {
    pub entries: BTreeMap<String, String>,
}

/// A map of numbers.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Counts {
    pub entries: BTreeMap<String, u32>,
}

/// A list of objects that name their variant.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Tagged {
    pub actions: Vec<TaggedAction>,
}

/// An action whose tag stands among its fields.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(tag = "kind")]
pub enum TaggedAction {
    Move { x: i32, y: i32 },
    Say { text: String },
    Wait { seconds: f64 },
}

/// A list of objects whose key names the variant.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct External {
    pub actions: Vec<ExternalAction>,
}

/// An action under the name of its variant.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub enum ExternalAction {
    Move { x: i32, y: i32 },
    Say { text: String },
    Wait { seconds: f64 },
}

/// A list of values whose form tells the variant.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Untagged {
    pub actions: Vec<UntaggedAction>,
}

/// An action without a name.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(untagged)]
pub enum UntaggedAction {
    Move { x: i32, y: i32 },
    Say { text: String },
    Wait { seconds: f64 },
}

/// Two fields, to be found among keys that nothing takes.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Few {
    pub name: String,
    pub count: u32,
}

/// A list in a list in a list.
#[derive(Debug, PartialEq, Deserialize, ToolInput)]
pub struct Node {
    pub name: String,
    #[tool_param(recursive)]
    pub inner: Option<Box<Node>>,
}
