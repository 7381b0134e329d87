//! Whether there is a runtime that a tool can work in.

use std::panic::catch_unwind;
use std::time::Duration;

use tokio::runtime::Handle;
use toolwright::Halt;

/// Halts a tool that has no tokio runtime with time enabled: to wait there would be a crash, of which
/// the model would hear and the program not.
pub(crate) fn needs_time(tool: &str) -> Result<(), Halt> {
    // A runtime built without it panics here, and cannot be asked beforehand.
    let has = Handle::try_current().is_ok()
        && catch_unwind(|| drop(tokio::time::sleep(Duration::ZERO))).is_ok();
    if has { Ok(()) } else { Err(halt(tool, "time")) }
}

/// The same for a tool that starts processes, which takes input and output enabled too.
#[cfg(all(feature = "process", unix))]
pub(crate) fn needs_all(tool: &str) -> Result<(), Halt> {
    use tokio::signal::unix::{SignalKind, signal};
    needs_time(tool)?;
    match catch_unwind(|| drop(signal(SignalKind::child()))) {
        Ok(()) => Ok(()),
        Err(_) => Err(halt(tool, "time and input/output")),
    }
}

fn halt(tool: &str, what: &str) -> Halt {
    Halt::misconfigured(format!(
        "Tool '{tool}' needs a tokio runtime with {what} enabled"
    ))
}
