//! Enums with content, in all four taggings.
use super::{structs::Point, text::Color};
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub enum External {
    Nothing,
    /// With a center
    Circle {
        #[tool_param(min = 0)]
        radius: f64,
        center: Option<Point>,
    },
    Number(u8),
    Pair(u8, String),
    Spot(Point),
    #[tool_param(rename = "other-thing", alias = "thing")]
    Other,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(tag = "type", rename_all = "snake_case")]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Internal {
    Nothing,
    /// A round one
    Circle {
        radius: f64,
        name: Option<String>,
    },
    Spot(Point),
    #[tool_param(alias = "rectangle")]
    Rect {
        width: u8,
        height: u8,
    },
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(tag = "t", content = "c")]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    Nothing,
    Circle { radius: f64 },
    Number(#[tool_param(max = 9)] u8),
    Pair(bool, Color),
    Spot(Point),
    Maybe(Option<u8>),
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(untagged)]
#[serde(untagged)]
pub enum Untagged {
    Number(#[tool_param(min = 10)] u8),
    Color(Color),
    List(Vec<u8>),
    Pair(u8, String),
    Circle { radius: f64 },
    Spot(Point),
    Flag(bool),
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "deny")]
pub enum ClosedExternal {
    Nothing,
    Circle { radius: f64 },
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(tag = "kind", unknown = "deny")]
#[serde(tag = "kind")]
pub enum ClosedInternal {
    Nothing,
    Circle { radius: f64 },
    Spot(Point),
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(tag = "t", content = "c", unknown = "deny")]
#[serde(tag = "t", content = "c")]
pub enum ClosedAdjacent {
    Nothing,
    Circle { radius: f64 },
    Number(u8),
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(tag = "op", unknown = "ignore")]
#[serde(tag = "op")]
pub enum IgnoringInternal {
    Stop,
    Go { far: u8 },
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(
    tag = "step",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
#[serde(
    tag = "step",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum OnlyUnits {
    FirstStep,
    SecondStep,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum SerdeTagged {
    None,
    Text(String),
    Many(Vec<u8>),
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Externals {
    pub one: External,
    pub maybe: Option<External>,
    pub list: Option<Vec<External>>,
    pub closed: Option<ClosedExternal>,
    #[tool_param(required)]
    pub null: Option<ClosedExternal>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Internals {
    pub one: Internal,
    pub maybe: Option<Internal>,
    pub list: Option<Vec<Internal>>,
    pub closed: Option<ClosedInternal>,
    pub ignoring: Option<IgnoringInternal>,
    pub units: Option<OnlyUnits>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Adjacents {
    pub one: Adjacent,
    pub maybe: Option<Adjacent>,
    pub list: Option<Vec<Adjacent>>,
    pub closed: Option<ClosedAdjacent>,
    pub serde: Option<SerdeTagged>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Untaggeds {
    pub one: Untagged,
    pub maybe: Option<Untagged>,
    pub list: Option<Vec<Untagged>>,
    #[tool_param(required)]
    pub null: Option<Untagged>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(untagged)]
#[serde(untagged)]
pub enum UntaggedObjects {
    ByName { name: String, exact: Option<bool> },
    ById { id: u32 },
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(tag = "op")]
#[serde(tag = "op")]
pub enum Generic<T> {
    Put { value: T },
    Drop,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Generics {
    pub number: Generic<u8>,
    pub point: Option<Generic<Vec<Point>>>,
}
