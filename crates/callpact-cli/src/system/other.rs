//! Interrupts on systems without Unix signals, and no shell.

use std::{
    future::pending,
    path::Path,
    pin::pin,
    task::{Context, Poll, Waker},
};

use callpact::toolset::Tools;

use crate::exit::Failure;

/// Waits for an interrupt from the terminal. It listens from this call on, even before it is
/// awaited.
pub(crate) fn interrupted() -> impl Future<Output = ()> + Send {
    let mut signal = Box::pin(tokio::signal::ctrl_c());
    let mut context = Context::from_waker(Waker::noop());
    let first = pin!(&mut signal).poll(&mut context);
    async move {
        let arrived = match first {
            Poll::Ready(arrived) => arrived,
            Poll::Pending => signal.await,
        };
        if arrived.is_err() {
            // The system offers no interrupts.
            pending::<()>().await;
        }
    }
}

/// The program that opens an address in a browser.
pub(super) const BROWSER: Option<(&str, &[&str])> = if cfg!(windows) {
    Some(("rundll32", &["url.dll,FileProtocolHandler"]))
} else {
    None
};

/// Whether a person sits at a screen of this machine, which this system does not say.
pub(super) fn has_screen() -> bool {
    true
}

/// Whether a path leads to a pipe, which is waited for; this system has no pipes among its files.
pub(crate) fn is_pipe(_: &Path) -> bool {
    false
}

/// The name of the user that this process runs as. On this system, only the environment has it.
pub(crate) fn user_name() -> String {
    String::new()
}

/// Whether this process is in the foreground of its controlling terminal, which this system does
/// not say.
pub(crate) fn in_foreground() -> bool {
    true
}

/// Replaces the shell, which needs Unix.
#[derive(Default)]
pub(crate) struct ShellTools;

impl ShellTools {
    /// Adds a tool if it belongs to the shell; here no tool does.
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)] // the same signature as on Unix
    pub(crate) fn push(
        &mut self,
        _: &str,
        _: &Path,
        _: bool,
        _: &mut Tools,
    ) -> Result<bool, Failure> {
        Ok(false)
    }
}
