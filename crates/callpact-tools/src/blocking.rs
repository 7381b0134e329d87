//! Runs blocking work away from the threads of the executor.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use callpact::ToolError;
use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

/// Runs `work` on its own thread in a tokio runtime, and on this thread outside a runtime.
///
/// Work that has started is finished even when the call is cancelled, so `work` must be bounded. Work
/// that still waits for a thread then is not started.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ToolError> {
    if Handle::try_current().is_err() {
        return Ok(work());
    }
    match AwaitedWork(spawn_blocking(work)).await {
        Ok(done) => Ok(done),
        // The list reports the crash.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(ToolError::failed("the program is shutting down")),
    }
}

/// Work that is cancelled when nobody waits for it any more, unless it has started.
struct AwaitedWork<T>(JoinHandle<T>);

impl<T> Future for AwaitedWork<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(cx)
    }
}

impl<T> Drop for AwaitedWork<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
