use std::collections::BTreeMap;

use serde::Serialize;
use callpact::ToolOutput;

#[derive(Serialize, ToolOutput)]
struct Point {
    x: u8,
}

#[derive(Serialize, ToolOutput)]
enum Either {
    One(u8),
    Other(u8),
}

#[derive(Serialize, ToolOutput)]
struct FlatEnum {
    #[serde(flatten)]
    either: Either,
}

#[derive(Serialize, ToolOutput)]
struct Twice {
    x: u8,
    #[serde(flatten)]
    point: Point,
}

#[derive(Serialize, ToolOutput)]
struct TwoMaps {
    #[serde(flatten)]
    one: BTreeMap<String, u8>,
    #[serde(flatten)]
    other: BTreeMap<String, u8>,
}

#[derive(Serialize, ToolOutput)]
#[serde(tag = "x")]
enum Tagged {
    Point(Point),
    Number(u8),
}

fn main() {}
