//! The inputs of the benchmark and the ways to read them.

use std::{fmt::Write, hint::black_box};

use jsonschema::Validator;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use toolwright::{Dialect, Policy, Schema, ToolInput, read_str, schema_json};

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

/// The arguments of a [`Search`].
pub fn nested() -> String {
    r#"{"query":"typed tools","filters":[{"field":"size","op":"Gt","value":1024},{"field":"stars","op":"Lt","value":4.5}],"page":{"limit":20,"offset":40},"recursive":true,"note":"asked for by the user today"}"#.to_owned()
}

/// The arguments of a [`WriteFile`] of 200 kB, with a line break every so many characters.
pub fn long_text(line: Option<usize>) -> String {
    let mut content = String::new();
    while content.len() < 200_000 {
        match line {
            Some(width) => {
                content.push_str(&"the quick brown fox ".repeat(width / 20));
                content.push_str("\\n");
            }
            None => content.push_str("the quick brown fox "),
        }
    }
    format!(r#"{{"path":"notes/today.txt","content":"{content}","append":false}}"#)
}

/// The arguments of an [`Order`] of 2,000 items.
pub fn many_items() -> String {
    let mut text = r#"{"items":["#.to_owned();
    for i in 0..2_000 {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            text,
            r#"{comma}{{"id":{i},"name":"article number {i}","price":{}.25,"count":{},"tags":["red","large"],"active":{}}}"#,
            i % 97,
            i % 12,
            i % 3 == 0,
        );
    }
    text.push_str("]}");
    text
}

/// The ways to read a text into a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `toolwright::read_str`, the lax policy.
    Lax,
    /// `toolwright::read_str`, the exact policy.
    Exact,
    /// `serde_json::from_str` with serde's derive.
    Serde,
    /// Text to `Value` to the type.
    Value,
    /// Text to `Value` to a compiled `jsonschema` validator to the type.
    Validated,
}

impl Way {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 5] = [
        Self::Lax,
        Self::Exact,
        Self::Serde,
        Self::Value,
        Self::Validated,
    ];

    /// The name in tables and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lax => "toolwright-lax",
            Self::Exact => "toolwright-exact",
            Self::Serde => "serde-derive",
            Self::Value => "via-value",
            Self::Validated => "via-value-and-jsonschema",
        }
    }
}

/// One input: a text, the validator of its type.
pub struct Input {
    /// The name in tables and on the command line.
    pub name: &'static str,
    /// The JSON text.
    pub text: String,
    validator: Validator,
    read: fn(Way, &str, &Validator),
}

impl Input {
    fn of<T: ToolInput + DeserializeOwned>(name: &'static str, text: String, schema: &str) -> Self {
        let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
        Self {
            name,
            text,
            validator: jsonschema::validator_for(&schema).expect("the schema is one"),
            read: read::<T>,
        }
    }

    /// Every input of the benchmark.
    pub fn all() -> Vec<Self> {
        const SEARCH: &str = schema_json!(Search, Dialect::Portable);
        const WRITE: &str = schema_json!(WriteFile, Dialect::Portable);
        const ORDER: &str = schema_json!(Order, Dialect::Portable);
        vec![
            Self::of::<Search>("nested-200B", nested(), SEARCH),
            Self::of::<WriteFile>("string-200kB", long_text(None), WRITE),
            Self::of::<WriteFile>("string-200kB-escapes", long_text(Some(60)), WRITE),
            Self::of::<Order>("items-2000", many_items(), ORDER),
        ]
    }

    /// Reads the text once.
    pub fn read(&self, way: Way) {
        (self.read)(way, &self.text, &self.validator);
    }
}

fn read<T: ToolInput + DeserializeOwned>(way: Way, text: &str, validator: &Validator) {
    let text = black_box(text);
    let value: T = match way {
        Way::Lax => read_str(text, &Policy::lax()).expect("good").value,
        Way::Exact => read_str(text, &Policy::exact()).expect("good").value,
        Way::Serde => serde_json::from_str(text).expect("good"),
        Way::Value => {
            let value: Value = serde_json::from_str(text).expect("good");
            serde_json::from_value(value).expect("good")
        }
        Way::Validated => {
            let value: Value = serde_json::from_str(text).expect("good");
            assert!(validator.is_valid(&value));
            serde_json::from_value(value).expect("good")
        }
    };
    black_box(value);
}

/// The schema of [`Search`] costs nothing at run time: it is a constant of known length.
pub const SEARCH: &str = schema_json!(Search, Dialect::Portable);
const _: () = assert!(SEARCH.len() > 100 && SEARCH.as_bytes()[0] == b'{');

/// The tree behind that text, also a constant.
pub static SEARCH_TREE: &Schema = <Search as ToolInput>::SCHEMA;
