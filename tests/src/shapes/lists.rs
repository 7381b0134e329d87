//! Arrays of every kind.
use std::{
    collections::{BTreeSet, HashSet, LinkedList, VecDeque},
    path::PathBuf,
};

use super::{structs::Point, text::Color};
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;
use serde_json::Value;

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Lists {
    pub vec: Vec<u8>,
    pub deque: VecDeque<String>,
    pub linked: Option<LinkedList<bool>>,
    pub boxed: Option<Box<[i16]>>,
    pub nested: Option<Vec<Vec<u8>>>,
    pub options: Option<Vec<Option<u8>>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Sets {
    pub texts: BTreeSet<String>,
    pub numbers: HashSet<u8>,
    pub colors: Option<HashSet<Color>>,
    pub options: Option<BTreeSet<Option<u8>>>,
    pub paths: Option<BTreeSet<PathBuf>>,
    pub flags: Option<BTreeSet<bool>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct SetsOfObjects {
    pub points: BTreeSet<Point>,
    pub tuples: Option<HashSet<(u8, bool)>>,
    pub lists: Option<BTreeSet<Vec<u8>>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Arrays {
    pub rgb: [u8; 3],
    pub none: Option<[bool; 0]>,
    pub one: Option<[String; 1]>,
    pub maybe: Option<[Option<i8>; 2]>,
    pub matrix: Option<[[u8; 2]; 2]>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Tuples {
    pub single: (u8,),
    pub pair: (u8, String),
    pub mixed: Option<(bool, Option<u8>, Vec<String>)>,
    pub nested: Option<((u8, u8), Point)>,
    pub list: Option<Vec<(String, f64)>>,
    pub eight: Option<(u8, u8, u8, u8, u8, u8, u8, String)>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct ItemRules {
    #[tool_param(min_items = 1)]
    pub some: Vec<u8>,
    #[tool_param(max_items = 2)]
    pub few: Vec<String>,
    #[tool_param(min_items = 2, max_items = 3)]
    pub range: Option<VecDeque<bool>>,
    #[tool_param(max_items = 0)]
    pub none: Option<Vec<u8>>,
    #[tool_param(min_items = 2)]
    pub set: Option<BTreeSet<u8>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct UniqueItems {
    #[tool_param(unique_items)]
    pub texts: Vec<String>,
    #[tool_param(unique_items)]
    pub numbers: Vec<i64>,
    #[tool_param(unique_items)]
    pub floats: Option<Vec<f64>>,
    #[tool_param(unique_items)]
    pub flags: Option<Vec<bool>>,
    #[tool_param(unique_items)]
    pub options: Option<VecDeque<Option<String>>>,
    #[tool_param(unique_items)]
    pub array: Option<[u8; 2]>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct UniqueObjects {
    #[tool_param(unique_items, min_items = 1)]
    pub points: Vec<Point>,
    #[tool_param(unique_items)]
    pub any: Option<Vec<Value>>,
    #[tool_param(unique_items, max_items = 3)]
    pub lists: Option<Vec<Vec<f64>>>,
}
