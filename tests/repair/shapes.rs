//! The types that the other tests read.

use std::collections::BTreeMap;

use toolwright::ToolInput;

#[derive(ToolInput, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    ReadOnly,
    #[tool_param(rename = "read_write")]
    Write,
    #[tool_param(rename = "append")]
    Append,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub struct Item {
    pub name: String,
    pub weight: Option<f64>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
#[tool_input(tag = "kind", rename_all = "snake_case")]
pub enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub struct Everything {
    pub file_path: String,
    pub tags: Vec<String>,
    pub counts: Vec<i64>,
    pub items: Vec<Item>,
    pub mode: Mode,
    pub labels: BTreeMap<String, String>,
    pub shape: Shape,
    pub dry_run: Option<bool>,
    pub limit: Option<u32>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub struct File {
    pub path: String,
    pub content: String,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub struct Optional {
    pub file_path: Option<String>,
    pub limit: Option<u32>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub struct Lists {
    pub tags: Vec<String>,
    pub counts: Option<Vec<i64>>,
    pub modes: Option<Vec<Mode>>,
    pub items: Option<Vec<Item>>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
#[tool_input(unknown = "deny")]
pub struct Closed {
    pub a_b: i64,
    pub ab: Option<i64>,
}
