//! The command to run, and its bounds.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;

use super::boundary::Boundary;
use super::group::{Enclosed, MARK};
use super::program::find_program;
use crate::system::processes::InheritedDescriptors;

/// The variables that a child gets from this process by default.
pub const DEFAULT_ENV: [&str; 8] = [
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM",
];

/// The longest timeout: a day.
pub const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// A process that could not be started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcessError {
    /// There is no program to run.
    Blank,
    /// The system refused.
    Start {
        /// The system's reason.
        message: String,
    },
}

impl fmt::Display for ProcessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("Command must not be blank"),
            Self::Start { message } => write!(f, "Failed to start process: {message}"),
        }
    }
}

impl std::error::Error for ProcessError {}

impl From<io::Error> for ProcessError {
    fn from(e: io::Error) -> Self {
        let message = match e.kind() {
            io::ErrorKind::NotFound => "the program or its working directory was not found".into(),
            io::ErrorKind::Unsupported => "this machine does not have the boundary".into(),
            _ if e.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
                "not a program of this system".into()
            }
            kind => kind.to_string(),
        };
        Self::Start { message }
    }
}

/// A program with its arguments, input, environment and bounds.
///
/// | bound | default |
/// | --- | --- |
/// | time | 30 s |
/// | time between the request to end and the kill | 200 ms, at most 300 ms |
/// | output kept of each stream | 1 MiB |
/// | environment | [`DEFAULT_ENV`] |
/// | boundary | [`Boundary::strongest`] |
#[derive(Clone)]
pub struct ProcessSpec {
    argv: Vec<OsString>,
    pub(super) stdin: Vec<u8>,
    allowed: Vec<OsString>,
    set: Vec<(OsString, OsString)>,
    cwd: Option<WorkDirectory>,
    pub(super) timeout: Duration,
    pub(super) grace: Duration,
    pub(super) max_output: usize,
    boundary: Option<Boundary>,
}

#[derive(Clone)]
enum WorkDirectory {
    Path(PathBuf),
    Open(Arc<File>),
}

impl ProcessSpec {
    /// A program, found through `PATH` when it has no `/`, and its arguments.
    pub fn new<I>(argv: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            stdin: Vec::new(),
            allowed: DEFAULT_ENV.iter().map(Into::into).collect(),
            set: Vec::new(),
            cwd: None,
            timeout: Duration::from_secs(30),
            grace: Duration::from_millis(200),
            max_output: 1 << 20,
            boundary: None,
        }
    }

    /// The standard input of the process; it is closed afterwards.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// The variables that the process gets from this one, in place of [`DEFAULT_ENV`].
    pub fn env_allow<I>(mut self, names: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.allowed = names.into_iter().map(Into::into).collect();
        self
    }

    /// A variable with a value.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set.push((name.into(), value.into()));
        self
    }

    /// The directory to run in.
    pub fn cwd(mut self, dir: impl Into<PathBuf>) -> Self {
        self.cwd = Some(WorkDirectory::Path(dir.into()));
        self
    }

    /// The open directory to run in, which cannot be swapped for another. Linux only; elsewhere the
    /// process does not start.
    pub fn cwd_open(mut self, dir: File) -> Self {
        self.cwd = Some(WorkDirectory::Open(Arc::new(dir)));
        self
    }

    /// How long the process may run, at most [`MAX_TIMEOUT`].
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout.min(MAX_TIMEOUT);
        self
    }

    #[cfg(feature = "process")]
    pub(crate) fn timeout_at_most(mut self, most: Duration) -> Self {
        self.timeout = self.timeout.min(most);
        self
    }

    /// How long the process has to end by itself after its time is up, at most 300 ms; zero kills at
    /// once.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace.min(Duration::from_millis(300));
        self
    }

    /// How many bytes of each stream are kept.
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// The boundary around the process; by default the strongest of this machine.
    pub fn boundary(mut self, boundary: Boundary) -> Self {
        self.boundary = Some(boundary);
        self
    }

    /// The program, for messages.
    pub fn program(&self) -> &OsStr {
        self.argv
            .first()
            .map_or_else(|| OsStr::new(""), OsString::as_os_str)
    }

    /// The text for a process whose time was up.
    pub fn timeout_text(&self) -> String {
        format!(
            "Process timed out after {}s: {}",
            self.timeout.as_secs_f64(),
            self.program().display()
        )
    }

    /// The command to start, with its environment, directory and process group, and the boundary around
    /// it. Standard input and output are not set.
    ///
    /// # Errors
    /// [`ProcessError`] if it is already known that the start would fail.
    pub fn prepare(&self) -> Result<(Command, Enclosed), ProcessError> {
        if self.program().to_string_lossy().trim().is_empty() {
            return Err(ProcessError::Blank);
        }
        let enclosed = Enclosed::new(self.boundary.unwrap_or_else(Boundary::strongest))?;
        let environment = self.environment();
        let dir = self.cwd.as_ref().map(WorkDirectory::path);
        let mut line = self.argv.clone();
        let inherited = InheritedDescriptors::find()?;
        // Without a boundary and such descriptors, the system itself finds the program and the faults of it.
        if enclosed.enclosure.wraps() || !inherited.is_empty() {
            let program = find_program(self.program(), &environment, dir.as_deref())?;
            if let Some(first) = line.first_mut() {
                *first = program;
            }
        }
        if enclosed.enclosure.wraps() {
            line = wrap(&enclosed, line, &environment);
        }
        let (program, arguments) = line.split_first().ok_or(ProcessError::Blank)?;
        let mut command = Command::new(program);
        command.args(arguments).env_clear().envs(environment);
        command.env(MARK, &enclosed.mark);
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        command.process_group(0).kill_on_drop(true);
        inherited.shut(&mut command)?;
        Ok((command, enclosed))
    }

    /// The variables of the process, without the mark.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let allowed = self.allowed.iter().filter_map(|name| {
            let value = std::env::var_os(name)?;
            Some((name.clone(), value))
        });
        allowed.chain(self.set.iter().cloned()).collect()
    }
}

impl WorkDirectory {
    fn path(&self) -> PathBuf {
        match self {
            Self::Path(dir) => dir.clone(),
            // The child resolves this before it runs the program, while it still has the handle.
            Self::Open(dir) => format!("/proc/self/fd/{}", dir.as_raw_fd()).into(),
        }
    }
}

/// The command line that runs `line` inside a boundary. A shell builds the boundary, so its changes to
/// the environment are undone after it.
fn wrap(
    enclosed: &Enclosed,
    mut line: Vec<OsString>,
    environment: &[(OsString, OsString)],
) -> Vec<OsString> {
    let given = |name: &str| environment.iter().any(|(given, _)| given == name);
    let added: Vec<OsString> = ["PWD", "OLDPWD", "SHLVL", "_"]
        .into_iter()
        .filter(|name| !given(name))
        .map(OsString::from)
        .collect();
    // A shell drops variables whose names it does not support.
    let dropped = environment
        .iter()
        .filter(|(name, _)| !is_shell_name(name))
        .map(|(name, value)| {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            pair
        });
    line.splice(0..0, dropped);
    enclosed.enclosure.wrap(line, &added)
}

fn is_shell_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.first().is_some_and(|byte| !byte.is_ascii_digit())
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

impl fmt::Debug for ProcessSpec {
    /// The input and the values of variables may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessSpec")
            .field("program", &self.program())
            .field("arguments", &self.argv.len().saturating_sub(1))
            .field("stdin", &self.stdin.len())
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
