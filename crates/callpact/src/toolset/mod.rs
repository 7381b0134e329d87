//! Lists of tools: how a program builds them.

mod builder;
mod combine;
mod commands;
mod conflict;
mod decision_ids;
mod entry;
mod guard;
mod layer;
mod list;
mod pages;
mod provider;
mod unknown;

pub use builder::ToolsetBuilder;
pub use commands::{CommandTool, CommandTools};
pub use conflict::{Conflict, ToolsetError};
pub use guard::{CallGuard, Verdict};
pub use layer::{CallLayer, LayerCall, Next};
pub use list::Toolset;
pub use provider::{ToolMethods, ToolProvider, Tools};

pub use crate::crash::BoxFuture;

pub(crate) use decision_ids::{UsedDecisions, new_id, read_id};
pub(crate) use entry::{ApprovalNeed, ToolEntry};
pub(crate) use pages::HEAD;
