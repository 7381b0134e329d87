//! Lists of tools: how a program builds them, and how a call runs through them.

mod approve;
mod bounded;
mod builder;
mod call;
mod canonical;
mod check;
mod claim;
mod combine;
mod conflict;
mod entry;
mod gate;
mod guard;
mod json_edit;
mod key;
mod layer;
mod list;
mod observed;
mod once;
mod outcome;
mod pages;
mod parallel;
mod proposal;
mod provider;
mod reading;
mod run;
mod secrets;
mod shown;
mod stored;
mod unknown;
mod waiting;

pub use builder::ToolsetBuilder;
pub use conflict::{Conflict, ToolsetError};
pub use guard::{CallGuard, Verdict};
pub use layer::{CallLayer, LayerCall, Next};
pub use list::Toolset;
pub use provider::{ToolMethods, ToolProvider, Tools};
pub use stored::{ResumeError, forget_stored};

pub use crate::crash::BoxFuture;
