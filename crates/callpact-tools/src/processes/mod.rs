//! The tools that start processes.

mod agent;
mod boundary;
mod runtime;
#[cfg(feature = "shell")]
mod shell;
#[cfg(feature = "shell")]
mod shell_process;

pub use agent::{ProcessAgentTool, ProcessAgentToolBuilder};
#[cfg(feature = "shell")]
pub use shell::{Shell, ShellInput, ShellTool};
#[cfg(feature = "shell")]
pub use shell_process::{ShellProcess, ShellProcessInput};
