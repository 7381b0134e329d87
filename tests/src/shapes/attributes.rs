//! Defaults, serde's attributes, names, secrets, conversions, author's rules, recursion.
use std::{collections::BTreeMap, fmt};

use super::{structs::Point, text::Color};
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;

fn thirty() -> u32 {
    30
}

const RETRIES: u8 = 3;

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Defaults {
    #[tool_param(default = true)]
    pub flag: bool,
    #[tool_param(min = 1, max = 60_000, default = 30_000)]
    pub number: u32,
    #[tool_param(default = -0.5)]
    pub float: f64,
    #[tool_param(default = "plain \"text\"")]
    pub text: String,
    #[tool_param(default = "dark-green")]
    pub color: Color,
    #[tool_param(default = ["a", "b"])]
    pub list: Vec<String>,
    #[tool_param(default = thirty)]
    pub function: u32,
    #[tool_param(default = RETRIES)]
    pub constant: u8,
    #[tool_param(default)]
    pub own: Vec<u8>,
    #[tool_param(default = 5)]
    pub option: Option<u8>,
    #[tool_param(required = false, default = 'x')]
    pub letter: char,
}

/// Said by serde
#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SerdeContainer {
    pub long_name: u8,
    #[serde(rename = "other", alias = "another")]
    pub renamed: String,
    #[serde(skip)]
    pub skipped: u8,
    pub maybe_this: Option<bool>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(rename_all = "camelCase")]
pub struct SerdeFields {
    #[serde(default)]
    pub by_trait: u8,
    #[serde(default = "thirty")]
    pub by_function: u32,
    #[serde(alias = "old_name")]
    pub new_name: String,
    #[serde(skip, default)]
    pub gone: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<u8>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Names {
    pub title: String,
    #[tool_param(rename = "type")]
    pub kind: Option<u8>,
    #[tool_param(rename = "$ref", any_name)]
    pub reference: Option<String>,
    #[tool_param(rename = "Content-Type")]
    pub content_type: Option<String>,
    #[tool_param(rename = "with space \"and\" ü", any_name)]
    pub odd: Option<bool>,
    pub r#match: Option<u8>,
    pub description: Option<Point>,
    pub properties: Option<Vec<u8>>,
    pub required: Option<bool>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Credentials {
    #[tool_param(min_length = 4, pattern = "^[a-z]*$")]
    pub user: String,
    #[tool_param(max = 99)]
    pub pin: u8,
    pub color: Color,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Secrets {
    #[tool_param(secret, min_length = 3, max_length = 8)]
    pub token: String,
    #[tool_param(secret)]
    pub number: Option<u8>,
    #[tool_param(secret)]
    pub login: Option<Credentials>,
    #[tool_param(secret)]
    pub list: Option<Vec<u8>>,
    pub open: Option<u8>,
}

#[derive(ToolOutput, Serialize, Debug, PartialEq)]
pub struct Even(pub u32);

#[derive(Debug)]
pub struct Odd(u32);

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is odd", self.0)
    }
}

impl TryFrom<u32> for Even {
    type Error = Odd;
    fn try_from(value: u32) -> Result<Self, Odd> {
        if value.is_multiple_of(2) {
            Ok(Self(value))
        } else {
            Err(Odd(value))
        }
    }
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Converted {
    #[tool_param(with = u32, max = 100)]
    pub even: Even,
    #[tool_param(with = u32)]
    pub maybe: Option<Even>,
    #[tool_param(with = u32, default = 4)]
    pub four: Even,
}

fn ordered(range: &Range) -> Result<(), String> {
    if range.from <= range.to {
        Ok(())
    } else {
        Err(format!("from {} is above to {}", range.from, range.to))
    }
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(validate = ordered)]
pub struct Range {
    #[tool_param(min = 0, max = 9)]
    pub from: i8,
    #[tool_param(min = 0, max = 9)]
    pub to: i8,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Kept {
    #[tool_param(keep_empty)]
    pub kept: Option<String>,
    pub dropped: Option<String>,
    #[tool_param(keep_empty, default = "x")]
    pub with_default: String,
    pub required: String,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Tree {
    pub name: String,
    #[tool_param(recursive)]
    pub children: Vec<Tree>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Chain {
    pub value: u8,
    #[tool_param(recursive)]
    pub next: Option<Box<Chain>>,
    #[tool_param(recursive)]
    pub named: Option<BTreeMap<String, Chain>>,
}

/// Everything that is only words
#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(description = "Words: \"quotes\", \\ and\nlines")]
pub struct Words {
    /// Over the field
    ///
    /// in two paragraphs
    #[tool_param(example = "an \"example\"")]
    pub text: String,
    #[tool_param(description = "Said by the attribute", example = 5, min = 1)]
    pub number: u8,
    #[tool_param(example = ["a", "b"])]
    pub list: Option<Vec<String>>,
    /// Beside a nested type
    pub point: Option<Point>,
    #[tool_param(skip)]
    pub skipped: Option<u8>,
    #[tool_param(skip, default = 7)]
    pub seven: u8,
    #[tool_param(alias = "colour", alias = "tint")]
    pub color: Option<Color>,
}
