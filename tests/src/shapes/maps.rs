//! Maps and open JSON.
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use super::{structs::Point, text::Color};
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Maps {
    pub hash: HashMap<String, i64>,
    pub tree: BTreeMap<String, Vec<u8>>,
    pub keys: Option<BTreeMap<Arc<str>, bool>>,
    pub points: Option<BTreeMap<String, Point>>,
    pub nested: Option<HashMap<String, HashMap<String, u8>>>,
    pub options: Option<BTreeMap<String, Option<u8>>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct EnumKeys {
    pub weights: BTreeMap<Color, f64>,
    pub maybe: Option<HashMap<Color, Point>>,
    pub list: Option<Vec<BTreeMap<Color, Option<String>>>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct NumberedKeys {
    pub small: BTreeMap<u8, String>,
    pub signed: Option<HashMap<i8, Point>>,
    pub large: Option<BTreeMap<u32, bool>>,
    pub whole: Option<BTreeMap<i64, Option<u8>>>,
    pub open: Option<HashMap<u64, Value>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct OpenJson {
    pub value: Value,
    pub map: Map<String, Value>,
    pub maybe: Option<Value>,
    #[tool_param(required)]
    pub null: Option<Value>,
    pub values: Option<Vec<Value>>,
    pub by_key: Option<BTreeMap<String, Value>>,
}
