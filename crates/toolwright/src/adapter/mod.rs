//! To providers and back: tool lists out, calls in, replies out.

mod call;
mod reply;
mod spec;

pub use call::ToolCall;
pub use reply::{Outcome, ToolReply};
pub use spec::ToolSpec;
