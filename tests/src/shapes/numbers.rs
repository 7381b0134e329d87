//! Integers, floats and their rules.
use callpact::{ToolInput, ToolOutput};
use serde::Serialize;
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8,
    NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize,
};

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Signed {
    pub a: i8,
    pub b: i16,
    pub c: i32,
    pub d: Option<i64>,
    pub e: Option<i128>,
    pub f: Option<isize>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Unsigned {
    pub a: u8,
    pub b: u16,
    pub c: u32,
    pub d: Option<u64>,
    pub e: Option<u128>,
    pub f: Option<usize>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct NonZeroSigned {
    pub a: NonZeroI8,
    pub b: NonZeroI16,
    pub c: NonZeroI32,
    pub d: Option<NonZeroI64>,
    pub e: Option<NonZeroI128>,
    pub f: Option<NonZeroIsize>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct NonZeroUnsigned {
    pub a: NonZeroU8,
    pub b: NonZeroU16,
    pub c: NonZeroU32,
    pub d: Option<NonZeroU64>,
    pub e: Option<NonZeroU128>,
    pub f: Option<NonZeroUsize>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct NonZeroRules {
    #[tool_param(min = -5, max = 5)]
    pub around: NonZeroI8,
    #[tool_param(min = 0)]
    pub above: NonZeroI32,
    #[tool_param(max = 0)]
    pub below: NonZeroI32,
    #[tool_param(multiple_of = 3)]
    pub step: NonZeroI64,
    #[tool_param(one_of = [-1, 1])]
    pub sign: NonZeroI16,
    pub inside: Vec<NonZeroI8>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Floats {
    pub double: f64,
    pub single: f32,
    pub maybe: Option<f64>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct IntegerBounds {
    #[tool_param(min = 1, max = 60_000)]
    pub closed: u32,
    #[tool_param(exclusive_min = 0, exclusive_max = 10)]
    pub open: i32,
    #[tool_param(min = 3)]
    pub low: Option<u8>,
    #[tool_param(max = -3)]
    pub high: Option<i64>,
    #[tool_param(min = 7, max = 7)]
    pub only: Option<u64>,
    #[tool_param(min = 0, exclusive_max = 2)]
    pub bit: Option<i128>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct FloatBounds {
    #[tool_param(min = 0, max = 1)]
    pub closed: f64,
    #[tool_param(exclusive_min = -1.5, exclusive_max = 2.5)]
    pub open: f64,
    #[tool_param(exclusive_min = 0, max = 100)]
    pub half: Option<f64>,
    #[tool_param(min = 0.1)]
    pub low: Option<f64>,
    #[tool_param(max = 3.5)]
    pub single: Option<f32>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Multiples {
    #[tool_param(multiple_of = 5)]
    pub five: u32,
    #[tool_param(multiple_of = 7, min = -100, max = 100)]
    pub seven: i64,
    #[tool_param(multiple_of = 0.25)]
    pub quarter: Option<f64>,
    #[tool_param(multiple_of = 0.1)]
    pub tenth: Option<f64>,
    #[tool_param(multiple_of = 0.01, min = 0, max = 10)]
    pub cent: Option<f64>,
    #[tool_param(multiple_of = 3)]
    pub three: Option<f64>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct IntegerChoices {
    #[tool_param(one_of = [1, 2, 4, 8])]
    pub power: u8,
    #[tool_param(one_of = [-1, 0, 1])]
    pub sign: Option<i32>,
    #[tool_param(one_of = [9_007_199_254_740_992, 9_007_199_254_740_993])]
    pub big: Option<i64>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct BigBounds {
    #[tool_param(max = 9_007_199_254_740_991)]
    pub safe: u64,
    #[tool_param(min = 9_007_199_254_740_993, max = 9_007_199_254_740_999)]
    pub unsafe_: Option<u64>,
    #[tool_param(min = -9_223_372_036_854_775_808, max = 9_223_372_036_854_775_807)]
    pub whole: Option<i64>,
    #[tool_param(max = 18_446_744_073_709_551_615)]
    pub all: Option<u64>,
}

#[derive(ToolInput, ToolOutput, Serialize, Debug, PartialEq)]
pub struct Switches {
    pub on: bool,
    pub off: Option<bool>,
    pub all: Vec<bool>,
}
