//! Checks that the runtime can start processes.

use std::panic::catch_unwind;

use callpact::Halt;
use tokio::signal::unix::{SignalKind, signal};

use crate::runtime::{lacks, needs_time};

/// Halts a tool that has no tokio runtime with time, input and output enabled.
pub(crate) fn needs_all(tool: &str) -> Result<(), Halt> {
    needs_time(tool)?;
    match catch_unwind(|| drop(signal(SignalKind::child()))) {
        Ok(()) => Ok(()),
        Err(_) => Err(lacks(tool, "time and input/output")),
    }
}
