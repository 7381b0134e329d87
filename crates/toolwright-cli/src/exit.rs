//! How the program ends.

#[cfg(unix)]
use std::future::poll_fn;
use std::{fmt, task::Poll};
#[cfg(not(unix))]
use std::{
    future::pending,
    task::{Context, Waker},
};

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use toolwright::Halt;

/// The exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// All went well.
    Done,
    /// Something could not be done: a file, a server, the configuration, or lint found errors.
    Failed,
    /// The arguments, of the program or of a tool, do not fit.
    Invalid,
    /// The tool ran and failed, or the agent came to no answer.
    Tool,
    /// The call was halted: rejected, nobody could be asked, cancelled.
    Halted,
}

impl Code {
    /// The number that the shell sees.
    pub const fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Invalid => 2,
            Self::Tool => 3,
            Self::Halted => 4,
        }
    }
}

/// What ended a command, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How the program exits.
    pub code: Code,
    /// What is said on standard error.
    pub message: String,
}

impl Failure {
    /// Something could not be done.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self {
            code: Code::Failed,
            message: message.to_string(),
        }
    }

    /// The arguments do not fit.
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self {
            code: Code::Invalid,
            message: message.to_string(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Self {
            code: Code::Halted,
            message: format!("halted: {halt}"),
        }
    }
}

/// A signal that ends the program, which is listened for from this call on, and not only once this is
/// awaited: what it started is in process groups of its own, and would be left behind.
#[cfg(unix)]
pub(crate) fn interrupted() -> impl Future<Output = ()> + Send {
    let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
    if !ignores_hangups() {
        kinds.push(SignalKind::hangup());
    }
    // One that cannot be listened for does what it always does.
    let mut signals: Vec<_> = kinds.into_iter().flat_map(signal).collect();
    poll_fn(move |cx| {
        let heard = |signal: &mut Signal| signal.poll_recv(cx).is_ready();
        if signals.iter_mut().any(heard) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
}

/// Whether a terminal that goes away is to change nothing, as under `nohup`; where the system does not
/// say, that is left as it is.
#[cfg(unix)]
fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The first bit is signal 1, SIGHUP.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_none_or(|mask| mask & 1 == 1)
}

/// An interrupt from the terminal, which is listened for from this call on, and not only once this is
/// awaited.
#[cfg(not(unix))]
pub(crate) fn interrupted() -> impl Future<Output = ()> + Send {
    let mut signal = Box::pin(tokio::signal::ctrl_c());
    let mut context = Context::from_waker(Waker::noop());
    let first = signal.as_mut().poll(&mut context);
    async move {
        let heard = match first {
            Poll::Ready(heard) => heard,
            Poll::Pending => signal.await,
        };
        if heard.is_err() {
            // Nothing can be heard here.
            pending::<()>().await;
        }
    }
}
