//! Work that blocks its thread.

/// Runs a function off the executor under tokio, and on this thread otherwise.
///
/// Once started, the function runs to its end, even if the call is cancelled or its time is up: a
/// thread cannot be stopped.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    #[cfg(feature = "tokio")]
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        let span = tracing::Span::current();
        return match runtime.spawn_blocking(move || span.in_scope(work)).await {
            Ok(output) => output,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is shutting down, and this call with it.
                Err(_) => std::future::pending().await,
            },
        };
    }
    work()
}
