//! To providers and back: tool lists out, calls in, replies out.

mod call;
mod lint;
mod message;
mod parts;
mod plan;
mod replay;
mod reply;
mod spec;
mod wire;

pub use call::ToolCall;
pub use lint::{Lint, Severity};
pub(crate) use plan::plan;
pub use plan::{StrictBudget, StrictChoice, StrictCost, StrictPlan};
pub use replay::sanitized_for_replay;
pub use reply::{Outcome, ToolReply};
pub use spec::ToolSpec;
pub use wire::CallFault;
