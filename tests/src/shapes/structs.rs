//! Structs: nesting, optionality, unknown keys, generics, newtypes, pointers.
use std::{collections::BTreeMap, num::NonZeroU8, rc::Rc, sync::Arc};

use super::text::Color;
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub x: i32,
    pub y: Option<i32>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Nested {
    pub point: Point,
    pub maybe: Option<Point>,
    pub list: Vec<Point>,
    /// Its own words
    pub described: Option<Point>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Deep {
    pub first: Nested,
    pub second: Option<Vec<Nested>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Options {
    pub plain: Option<u8>,
    #[tool_param(required)]
    pub required: Option<u8>,
    pub double: Option<Option<u8>>,
    #[tool_param(required = false)]
    pub said: Option<String>,
    #[tool_param(required)]
    pub point: Option<Point>,
    #[tool_param(required, min = 3, max = 5)]
    pub ruled: Option<u8>,
    pub triple: Option<Option<Option<bool>>>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Empty {}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Unit;

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "deny")]
pub struct Closed {
    pub a: u8,
    pub b: Option<String>,
    pub inner: Option<ClosedInner>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "deny")]
pub struct ClosedInner {
    pub c: bool,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "deny")]
pub struct ClosedEmpty {}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "ignore")]
pub struct Ignoring {
    pub a: u8,
    pub open: Option<Point>,
    pub closed: Option<ClosedInner>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
#[tool_input(unknown = "report")]
pub struct Reporting {
    pub a: u8,
    pub b: Option<Ignoring>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub first: Option<T>,
    #[tool_param(min = 1)]
    pub size: u32,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Both<A, B>
where
    A: std::fmt::Debug,
{
    pub a: A,
    pub b: BTreeMap<String, B>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Port(#[tool_param(min = 1, max = 60_000)] pub u16);

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Name(#[tool_param(min_length = 1, max_length = 8)] pub String);

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Tags(#[tool_param(max_items = 3, unique_items)] pub Vec<Name>);

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct MaybeName(pub Option<Name>);

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Newtypes {
    pub port: Port,
    #[tool_param(max = 1024)]
    pub low_port: Port,
    #[tool_param(min_length = 2, pattern = "^[a-z]*$")]
    pub name: Option<Name>,
    #[tool_param(min_items = 1)]
    pub tags: Option<Tags>,
    pub maybe: MaybeName,
    pub ports: Vec<Port>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Pointers {
    pub boxed: Box<u8>,
    pub counted: Rc<Point>,
    pub shared: Option<Arc<Color>>,
    pub outside: Box<Option<u8>>,
    pub list: Arc<Vec<Box<NonZeroU8>>>,
    #[tool_param(min = 2)]
    pub ruled: Box<u8>,
}

macro_rules! wide {
    ($($name:ident)*) => {
        /// More fields than a machine word has bits
        #[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
        pub struct Wide {
            $(pub $name: Option<u8>,)*
            pub last: u8,
        }
    };
}
wide! {
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9
    d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 f0 f1 f2 f3 f4 f5 f6 f7 f8 f9
    g0 g1 g2 g3 g4 g5 g6 g7 g8
}
