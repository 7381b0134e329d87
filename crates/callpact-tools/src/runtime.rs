//! Checks that the runtime has what a tool needs.

use std::panic::catch_unwind;
use std::time::Duration;

use callpact::Halt;
use tokio::runtime::Handle;

/// Halts a tool that has no tokio runtime with time enabled. Otherwise waiting would panic, and the
/// program would not learn why.
pub(crate) fn needs_time(tool: &str) -> Result<(), Halt> {
    // A runtime without time panics here; there is no other way to ask.
    let has = Handle::try_current().is_ok()
        && catch_unwind(|| drop(tokio::time::sleep(Duration::ZERO))).is_ok();
    if has {
        Ok(())
    } else {
        Err(lacks(tool, "time"))
    }
}

/// The halt of a tool whose runtime lacks something.
pub(crate) fn lacks(tool: &str, what: &str) -> Halt {
    Halt::misconfigured(format!(
        "Tool '{tool}' needs a tokio runtime with {what} enabled"
    ))
}
