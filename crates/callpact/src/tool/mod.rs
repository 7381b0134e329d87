//! The traits of tools, their results, and the context of a call.

mod agent;
mod approval;
mod blocking;
mod bridge;
mod call_id;
mod cancel;
mod content;
mod context;
mod counted;
mod dynamic;
mod error;
mod extensions;
mod hints;
mod into;
mod log;
mod origin;
mod outcome;
mod parameters;
mod pending;
mod permission;
mod progress;
mod result;
mod run_state;
mod seal;
mod state;
mod typed;
mod waiting;

pub use agent::AgentTool;
pub use approval::Approval;
pub use cancel::{Cancellation, Cancelled};
pub use content::Content;
pub use context::ToolContext;
pub use dynamic::{DynamicTool, DynamicToolError};
pub use error::{Halt, ToolError};
pub use extensions::Extensions;
pub use hints::{TextInput, ToolHints};
pub use into::{IntoText, IntoToolResult, Json, Structured};
pub use log::LogLevel;
pub use origin::CallOrigin;
pub use outcome::Outcome;
pub use parameters::Parameters;
pub use pending::PendingCall;
pub use permission::{Permission, PermissionMode, UnknownName};
pub use progress::{Amount, Message};
pub use result::{NO_MESSAGE, ToolResult};
pub use seal::{SealError, SealKey};
pub use state::State;
pub use typed::TypedAgentTool;

#[doc(hidden)]
pub use agent::ParsedInput;
pub(crate) use agent::{compact, prepare_input};
pub(crate) use bridge::ErasedTool;
use call_id::CallId;
pub(crate) use counted::CountedStep;
pub(crate) use error::seconds;
pub(crate) use origin::text_arguments;
pub(crate) use permission::PermissionVerdict;
pub(crate) use run_state::{OwnPreview, RunState};

#[doc(hidden)]
pub mod generated {
    //! Functions that the code of `#[tool]` and `#[derive(ToolOutput)]` calls.
    pub use super::{
        blocking::blocking,
        into::{structured, structured_display},
        result::unusable_tool,
        state::{FromContext, cancellation, state},
        typed::precheck,
    };
}
