//! Child processes without a shell, bounded in time, output, environment and offspring.
//!
//! A child runs in its own process group with an environment of only the allowed variables. When it
//! ends, when its time is up or when the future is dropped, everything that it started is killed. How
//! reliable that is depends on the [`Boundary`] around the child: by default the strongest of the
//! machine. With a PID namespace, nothing outlives a call.

mod boundary;
mod capture;
mod group;
mod program;
mod spec;
mod supervise;
#[cfg(feature = "process")]
pub mod table;

pub use boundary::Boundary;
pub use capture::Captured;
pub use group::{Enclosed, ProcessGroup};
pub use spec::{DEFAULT_ENV, MAX_TIMEOUT, ProcessError, ProcessSpec};

#[cfg(feature = "shell")]
pub(crate) use capture::{LOSSY, whole_characters};
use supervise::{RunningChild, supervise};

use std::future::pending;

use capture::StreamCapture;

/// How a process ended and what it wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Standard output.
    pub stdout: Captured,
    /// Standard error.
    pub stderr: Captured,
    /// The exit code, unless a signal ended the process.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether its time was up. Then the signal came from here.
    pub timed_out: bool,
}

impl Outcome {
    /// Whether the process ended by itself with code 0.
    pub fn success(&self) -> bool {
        self.code == Some(0) && !self.timed_out
    }

    /// The text for a process that failed: its standard error, or the code if that is empty.
    pub fn failure_text(&self) -> String {
        let text = self.stderr.text();
        if !text.trim().is_empty() {
            return text;
        }
        match (self.code, self.signal) {
            (Some(code), _) => format!("Process exited with code {code}"),
            (None, Some(signal)) => format!("Process was ended by signal {signal}"),
            (None, None) => "Process ended without a code".into(),
        }
    }
}

/// Runs a process until it ends or its time is up.
///
/// Returns at the latest one second after the timeout, whatever the child does. Dropping the future
/// kills the child and its offspring.
///
/// ```
/// # use callpact_tools::engine::process::{run, ProcessSpec};
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let spec = ProcessSpec::new(["cat"]).stdin("hello");
/// let outcome = run(&spec).await?;
/// assert!(outcome.success());
/// assert_eq!(outcome.stdout.text(), "hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the process cannot be started. Anything after that is an [`Outcome`].
///
/// # Panics
/// Outside a tokio runtime with time and input/output enabled.
pub async fn run(spec: &ProcessSpec) -> Result<Outcome, ProcessError> {
    let started = RunningChild::start(spec)?;
    let mut out = StreamCapture::new(spec.max_output);
    let mut err = StreamCapture::new(spec.max_output);
    let ending = supervise(started, spec, &mut out, &mut err, pending()).await;
    Ok(Outcome {
        stdout: out.finish(),
        stderr: err.finish(),
        code: ending.code,
        signal: ending.signal,
        timed_out: ending.timed_out,
    })
}
