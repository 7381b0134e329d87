//! The steps of a call. Each step is a type in a file of its own, and only the step before makes it:
//!
//! ```text
//! FoundCall ─▶ ParsedCall ─▶ CheckedCall ─▶ ApprovedCall ─▶ ClaimedCall ─▶ FinishedCall ─▶ ToolReply
//! ```

mod approved;
mod bounded;
mod canonical;
mod check;
mod checked;
mod claim;
mod claimed;
mod doors;
mod finished;
mod found;
mod gate;
mod json_edit;
mod key;
mod layers;
mod masks;
mod observed;
mod parsed;
mod prior_decision;
mod question;
mod reply;
mod run;
mod secrets;
mod shown;
mod stored;
mod time_limit;
mod turn;
mod waiting;

pub use doors::WaitingCall;
pub use stored::{ResumeError, forget_stored};
