//! Background processes, for a tool that starts them in one call and controls them in others.

mod ring;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use callpact::secret::Redactor;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use super::capture::LOSSY;
use super::group::ProcessGroup;
use super::spec::{MAX_TIMEOUT, ProcessError, ProcessSpec};
use super::supervise::{ChildEnd, RunningChild, supervise};
use ring::{ByteRing, RedactingRing};

/// The limits of a table of processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableLimits {
    /// How many processes run at once: 8.
    pub max_running: usize,
    /// How many ended processes are remembered: 32.
    pub max_ended: usize,
    /// How many unread bytes of each stream are kept, the latest ones: 256 KiB.
    pub max_output: usize,
    /// How long a process may run, whatever its own timeout: 30 minutes.
    pub max_lifetime: Duration,
}

impl Default for TableLimits {
    fn default() -> Self {
        Self {
            max_running: 8,
            max_ended: 32,
            max_output: 256 << 10,
            max_lifetime: Duration::from_secs(30 * 60),
        }
    }
}

/// The state of a background process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcessState {
    /// It runs.
    Running,
    /// It ended by itself with this code.
    Exited(i32),
    /// A signal ended it.
    Signalled(i32),
    /// Its time was up.
    TimedOut,
    /// It was stopped on request.
    Stopped,
    /// The process is gone, and its end is unknown.
    Lost,
}

impl fmt::Display for ProcessState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("running"),
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signalled(signal) => write!(f, "ended by signal {signal}"),
            Self::TimedOut => f.write_str("timed out"),
            Self::Stopped => f.write_str("stopped"),
            Self::Lost => f.write_str("ended"),
        }
    }
}

/// The state of a background process, and its output since the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessReport {
    /// The name of the process in the table.
    pub id: String,
    /// Its state.
    pub state: ProcessState,
    /// New text on standard output.
    pub stdout: String,
    /// Bytes of standard output that were dropped before `stdout`, because they were not read in
    /// time.
    pub stdout_dropped: u64,
    /// New text on standard error.
    pub stderr: String,
    /// Bytes of standard error that were dropped before `stderr`.
    pub stderr_dropped: u64,
    /// Whether either shows invalid UTF-8 as U+FFFD.
    pub lossy: bool,
}

impl fmt::Display for ProcessReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Process {} {}", self.id, self.state)?;
        let streams = [
            ("stdout", &self.stdout, self.stdout_dropped),
            ("stderr", &self.stderr, self.stderr_dropped),
        ];
        for (name, text, dropped) in streams {
            if dropped > 0 {
                write!(f, "\n[{name}: {dropped} earlier bytes dropped]")?;
            }
            if !text.is_empty() {
                write!(f, "\n{name}:\n{text}")?;
            }
        }
        if self.lossy {
            write!(f, "\n{LOSSY}")?;
        }
        Ok(())
    }
}

/// Why the table refused a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// The limit on running processes was reached.
    Full {
        /// How many may run.
        limit: usize,
    },
    /// The table has no process of this name.
    Unknown {
        /// The known names.
        known: Vec<String>,
    },
    /// The process could not be started.
    Start(ProcessError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { limit } => {
                write!(
                    f,
                    "Too many background processes: at most {limit} may run, stop one first"
                )
            }
            Self::Unknown { known } if known.is_empty() => {
                f.write_str("Unknown process: there are no background processes")
            }
            Self::Unknown { known } => {
                write!(f, "Unknown process. Available: {}", known.join(", "))
            }
            Self::Start(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for TableError {}

/// A bounded number of processes that outlive the call that started them, but not the table: dropping it
/// kills them all.
#[derive(Debug)]
pub struct ProcessTable {
    limits: TableLimits,
    rows: Mutex<ProcessRows>,
}

#[derive(Debug, Default)]
struct ProcessRows {
    next: u64,
    by_number: BTreeMap<u64, ProcessRow>,
}

struct ProcessRow {
    group: Arc<ProcessGroup>,
    task: JoinHandle<()>,
    stop: Option<oneshot::Sender<()>>,
    ending: watch::Receiver<Option<ChildEnd>>,
    stdout: Arc<Mutex<ByteRing>>,
    stderr: Arc<Mutex<ByteRing>>,
}

impl fmt::Debug for ProcessRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row")
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl ProcessRow {
    fn state(&self) -> ProcessState {
        // A task that was dropped with its runtime reports nothing.
        match *self.ending.borrow() {
            None if self.task.is_finished() => ProcessState::Lost,
            None => ProcessState::Running,
            Some(ChildEnd { stopped: true, .. }) => ProcessState::Stopped,
            Some(ChildEnd {
                timed_out: true, ..
            }) => ProcessState::TimedOut,
            Some(ChildEnd {
                code: Some(code), ..
            }) => ProcessState::Exited(code),
            Some(ChildEnd {
                signal: Some(signal),
                ..
            }) => ProcessState::Signalled(signal),
            Some(_) => ProcessState::Lost,
        }
    }
}

impl ProcessTable {
    /// An empty table.
    pub fn new(limits: TableLimits) -> Self {
        Self {
            limits,
            rows: Mutex::default(),
        }
    }

    /// Starts a process and returns its name in the table.
    ///
    /// # Errors
    /// When too many are already running, or this one cannot be started.
    ///
    /// # Panics
    /// Outside a tokio runtime with time and input/output enabled.
    pub fn start(&self, spec: ProcessSpec) -> Result<String, TableError> {
        self.start_redacted(spec, None)
    }

    /// Like [`start`](Self::start), but secrets are removed from the output before it is kept: neither a cut
    /// nor a look in the middle of a secret shows a part of it.
    ///
    /// # Errors
    /// Like [`start`](Self::start).
    ///
    /// # Panics
    /// Outside a tokio runtime with time and input/output enabled.
    pub fn start_redacted(
        &self,
        spec: ProcessSpec,
        redactor: Option<&Redactor>,
    ) -> Result<String, TableError> {
        let mut rows = self.rows();
        let running = rows
            .by_number
            .values()
            .filter(|r| r.state() == ProcessState::Running)
            .count();
        if running >= self.limits.max_running {
            return Err(TableError::Full {
                limit: self.limits.max_running,
            });
        }
        let spec = spec.timeout_at_most(self.limits.max_lifetime.min(MAX_TIMEOUT));
        let started = RunningChild::start(&spec).map_err(TableError::Start)?;
        let group = started.group();
        let stdout = Arc::new(Mutex::new(ByteRing::new(self.limits.max_output)));
        let stderr = Arc::new(Mutex::new(ByteRing::new(self.limits.max_output)));
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, ending) = watch::channel(None);
        let mut out = RedactingRing::new(&stdout, redactor);
        let mut err = RedactingRing::new(&stderr, redactor);
        let task = tokio::spawn(async move {
            // Whether the message was sent or the table dropped the sender, the process ends.
            let stop = async { drop(stopped.await) };
            let ending = supervise(started, &spec, &mut out, &mut err, stop).await;
            out.finish();
            err.finish();
            tell.send_replace(Some(ending));
        });
        rows.next = rows.next.saturating_add(1);
        let number = rows.next;
        rows.by_number.insert(
            number,
            ProcessRow {
                group,
                task,
                stop: Some(stop),
                ending,
                stdout,
                stderr,
            },
        );
        rows.forget(self.limits.max_ended);
        Ok(name(number))
    }

    /// Looks at a process without waiting.
    ///
    /// # Errors
    /// When the table has no such process.
    pub fn poll(&self, id: &str) -> Result<ProcessReport, TableError> {
        let rows = self.rows();
        let (number, row) = rows.find(id)?;
        // The state first, since later output belongs to the next look.
        let state = row.state();
        let ended = state != ProcessState::Running;
        let stdout = lock(&row.stdout).take(ended);
        let stderr = lock(&row.stderr).take(ended);
        Ok(ProcessReport {
            id: name(number),
            state,
            stdout: stdout.text,
            stdout_dropped: stdout.dropped,
            stderr: stderr.text,
            stderr_dropped: stderr.dropped,
            lossy: stdout.lossy || stderr.lossy,
        })
    }

    /// Waits until a process has ended or `timeout` is over, then looks at it.
    ///
    /// # Errors
    /// When the table has no such process.
    pub async fn wait(&self, id: &str, timeout: Duration) -> Result<ProcessReport, TableError> {
        let mut ending = self.rows().find(id)?.1.ending.clone();
        let ended = ending.wait_for(Option::is_some);
        // A closed channel is an end too.
        let _ = tokio::time::timeout(timeout.min(MAX_TIMEOUT), ended).await;
        self.poll(id)
    }

    /// Ends a process and everything that it started, then looks at it for the last time.
    ///
    /// # Errors
    /// When the table has no such process.
    pub async fn stop(&self, id: &str) -> Result<ProcessReport, TableError> {
        let stop = {
            let mut rows = self.rows();
            let number = rows.find(id)?.0;
            rows.by_number
                .get_mut(&number)
                .and_then(|row| row.stop.take())
        };
        if let Some(stop) = stop {
            // It fails when the process has just ended by itself.
            let _ = stop.send(());
        }
        self.wait(id, Duration::from_secs(2)).await
    }

    /// The processes in the order of their start, with their states.
    pub fn list(&self) -> Vec<(String, ProcessState)> {
        self.rows()
            .by_number
            .iter()
            .map(|(number, row)| (name(*number), row.state()))
            .collect()
    }

    fn rows(&self) -> MutexGuard<'_, ProcessRows> {
        lock(&self.rows)
    }
}

impl Drop for ProcessTable {
    fn drop(&mut self) {
        for row in self.rows().by_number.values() {
            // Killed at once, not when the runtime happens to drop the task.
            if row.state() == ProcessState::Running {
                row.group.kill();
            }
            row.task.abort();
        }
    }
}

impl ProcessRows {
    fn find(&self, id: &str) -> Result<(u64, &ProcessRow), TableError> {
        let number = id.trim().strip_prefix('p').and_then(|n| n.parse().ok());
        let found = number.and_then(|n| Some((n, self.by_number.get(&n)?)));
        found.ok_or_else(|| TableError::Unknown {
            known: self.by_number.keys().map(|n| name(*n)).collect(),
        })
    }

    /// Forgets the oldest ended processes beyond `keep`.
    fn forget(&mut self, keep: usize) {
        let ended: Vec<u64> = self
            .by_number
            .iter()
            .filter(|(_, row)| row.state() != ProcessState::Running)
            .map(|(number, _)| *number)
            .collect();
        for number in ended.iter().take(ended.len().saturating_sub(keep)) {
            self.by_number.remove(number);
        }
    }
}

fn name(number: u64) -> String {
    format!("p{number}")
}

/// Whether a process in any table may have such a name.
pub fn is_name(text: &str) -> bool {
    let number = text.strip_prefix('p').and_then(|it| it.parse().ok());
    number.is_some_and(|number| name(number) == text)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
