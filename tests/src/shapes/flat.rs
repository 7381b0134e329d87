//! Flattened structs and maps.
use std::collections::{BTreeMap, HashMap};

use super::structs::{Page, Point};
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Paging {
    #[tool_param(min = 1)]
    pub page: u32,
    pub per_page: Option<u8>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Sorting {
    #[tool_param(one_of = ["up", "down"])]
    pub order: String,
    #[tool_param(default = true)]
    pub stable: bool,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatOne {
    pub query: String,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
    pub after: Option<u8>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatTwo {
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
    pub between: bool,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub sorting: Sorting,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatDeep {
    pub first: Option<u8>,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub two: FlatTwo,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub point: Point,
    pub last: Option<u8>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatMap {
    pub a: u8,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub rest: BTreeMap<String, u8>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatOpen {
    pub a: u8,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatBoth {
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub rest: HashMap<String, Vec<bool>>,
    pub last: Option<String>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatMapInside {
    pub own: Option<bool>,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub inner: FlatMap,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatGeneric<T> {
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub page: Page<T>,
    pub extra: Option<T>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "deny")]
pub struct FlatClosed {
    pub a: u8,
    #[tool_param(flatten)]
    #[serde(flatten)]
    pub paging: Paging,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FlatSerde {
    pub a: u8,
    #[serde(flatten)]
    pub paging: Paging,
}
