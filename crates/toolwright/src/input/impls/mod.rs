//! [`ToolInput`](super::ToolInput) for the types of the standard library and, behind features,
//! of other crates; and the helpers that derived readers share.

mod collections;
mod derived;
mod numbers;
mod text;
mod time;
mod wrappers;

pub use derived::{Open, conversion, conversion_inside, pattern, read_choice, validated};
pub(super) use numbers::{EXACT, is_multiple, json_number, whole_number};
pub use text::MapKey;
