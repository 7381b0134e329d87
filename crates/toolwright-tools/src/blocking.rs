//! Work that blocks, away from the threads that wait.

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use toolwright::ToolError;

/// Runs `work` on a thread of its own in a tokio runtime, and here outside of one.
///
/// What was begun is finished even when the call is cancelled, so `work` must be bounded.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolError> {
    if Handle::try_current().is_err() {
        return Ok(work());
    }
    match spawn_blocking(work).await {
        Ok(done) => Ok(done),
        // The list reports a crash as such.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(ToolError::failed("the program is shutting down")),
    }
}
