//! Work that blocks its thread.

/// Runs a function off the executor where tokio runs, else where it stands.
///
/// A function that was started runs to its end, also when the call is cancelled or its time is up: a
/// thread cannot be stopped.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    #[cfg(feature = "tokio")]
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        let span = tracing::Span::current();
        return match runtime.spawn_blocking(move || span.in_scope(work)).await {
            Ok(output) => output,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime ends, and this call with it.
                Err(_) => std::future::pending().await,
            },
        };
    }
    work()
}
