//! To providers and back: tool lists out, calls in, replies out.

mod call;
mod fault;
mod lowered;
mod message;
mod parts;
mod plan;
mod record;
mod replay;
mod reply;
mod spec;
pub(crate) mod text;
mod wire;

pub use crate::tool::{CallOrigin, Outcome};
pub use call::ToolCall;
pub use callpact_contract::dialect::{Lint, Severity, StrictBudget, StrictChoice, StrictCost};
pub use fault::CallFault;
pub(crate) use lowered::{LoweredSpecs, LoweredTool};
pub(crate) use parts::{RESULT_PAGE, how_to_read_on};
pub use plan::StrictPlan;
pub(crate) use plan::plan;
pub use record::CallRecord;
pub use replay::sanitized_for_replay;
pub use reply::{Notes, ToolReply};
pub use spec::ToolSpec;
pub(crate) use text::text_hint;
pub(crate) use wire::{is_cut_word, name_calls};
