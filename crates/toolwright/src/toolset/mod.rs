//! Lists of tools: how a program builds them, and how a call runs through them.

mod approve;
mod builder;
mod call;
mod check;
mod combine;
mod conflict;
mod entry;
mod guard;
mod list;
mod once;
mod parallel;
mod provider;
mod run;
mod secrets;

pub use builder::ToolsetBuilder;
pub use conflict::{Conflict, ToolsetError};
pub use guard::{CallGuard, Verdict};
pub use list::Toolset;
pub use provider::{ToolMethods, ToolProvider, Tools};
