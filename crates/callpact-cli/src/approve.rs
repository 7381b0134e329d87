//! The option that approves every call.

use clap::Args;

/// Whether calls are approved without asking.
#[derive(Clone, Copy, Debug, Args)]
pub struct Approve {
    /// Approve every call without asking
    #[arg(long, short = 'y')]
    pub yes: bool,
}
