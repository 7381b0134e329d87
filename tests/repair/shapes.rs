//! The types that the other tests read.

use std::collections::BTreeMap;

use callpact::ToolInput;

#[derive(ToolInput, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    ReadOnly,
    #[tool_param(rename = "read_write")]
    Write,
    #[tool_param(rename = "append")]
    Append,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) weight: Option<f64>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
#[tool_input(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub(crate) struct Everything {
    pub(crate) file_path: String,
    pub(crate) tags: Vec<String>,
    pub(crate) counts: Vec<i64>,
    pub(crate) items: Vec<Item>,
    pub(crate) mode: Mode,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) shape: Shape,
    pub(crate) dry_run: Option<bool>,
    pub(crate) limit: Option<u32>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) content: String,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub(crate) struct Optional {
    pub(crate) file_path: Option<String>,
    pub(crate) limit: Option<u32>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
pub(crate) struct Lists {
    pub(crate) tags: Vec<String>,
    pub(crate) counts: Option<Vec<i64>>,
    pub(crate) modes: Option<Vec<Mode>>,
    pub(crate) items: Option<Vec<Item>>,
}

#[derive(ToolInput, Debug, Clone, PartialEq)]
#[tool_input(unknown = "deny")]
pub(crate) struct Closed {
    pub(crate) a_b: i64,
    pub(crate) ab: Option<i64>,
}
