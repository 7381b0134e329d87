//! [`ToolInput`](crate::ToolInput) for the types of the standard library and, behind features,
//! of other crates; and the helpers that derived readers share.

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
mod collections;
mod derived;
#[cfg(feature = "jiff")]
mod jiff;
mod json_number;
mod numbers;
mod partial;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(test)]
mod tests;
mod text;
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;
mod wrappers;

pub use derived::{
    Again, any_text, check_conversion, conversion, conversion_inside, pattern, validated,
};
