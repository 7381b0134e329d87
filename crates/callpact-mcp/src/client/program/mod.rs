//! Starts a server, and ends it with everything that it started. Only this module differs by
//! operating system.

#[cfg(unix)]
mod family;
#[cfg(unix)]
pub use callpact_tools::engine::process::Boundary;
#[cfg(unix)]
use family::enclose;

use std::{
    ffi::{OsStr, OsString},
    path::PathBuf,
    process::Stdio,
};

use callpact::secret::Redactor;
use rmcp::transport::TokioChildProcess;

use super::{error::ClientError, watch::LastWords};

/// The variables that a started server sees besides those given to it.
const ENVIRONMENT: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TZ",
    // And on Windows:
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "PROGRAMDATA",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERNAME",
    "HOMEDRIVE",
    "HOMEPATH",
];

/// A server that is started as a child process.
#[derive(Clone)]
pub(super) struct ServerProgram {
    pub(super) path: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) all_env: bool,
    pub(super) dir: Option<PathBuf>,
    pub(super) show_errors: bool,
    pub(super) words: Option<LastWords>,
    #[cfg(unix)]
    pub(super) boundary: Option<Boundary>,
}

impl ServerProgram {
    pub(super) fn new(path: &OsStr, args: Vec<OsString>) -> Self {
        Self {
            path: path.to_owned(),
            args,
            env: Vec::new(),
            all_env: false,
            dir: None,
            show_errors: false,
            words: None,
            #[cfg(unix)]
            boundary: None,
        }
    }

    fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut all: Vec<_> = if self.all_env {
            std::env::vars_os().collect()
        } else {
            ENVIRONMENT
                .iter()
                .filter_map(|name| Some((OsString::from(*name), std::env::var_os(name)?)))
                .collect()
        };
        all.extend(self.env.iter().cloned());
        all
    }
}

/// Starts a server.
pub(super) fn start(
    program: &ServerProgram,
    redactor: &Redactor,
) -> Result<TokioChildProcess, ClientError> {
    let errors = if program.words.is_some() {
        Stdio::piped()
    } else if program.show_errors {
        Stdio::inherit()
    } else {
        Stdio::null()
    };
    let command = enclose(program).map_err(ClientError::Start)?;
    let started = TokioChildProcess::builder(command).stderr(errors).spawn();
    let (child, errors) = started.map_err(ClientError::Start)?;
    if let (Some(words), Some(errors)) = (&program.words, errors) {
        words.listen(errors, redactor, program.show_errors);
    }
    Ok(child)
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn enclose(program: &ServerProgram) -> std::io::Result<tokio::process::Command> {
    let mut command = tokio::process::Command::new(&program.path);
    command
        .args(&program.args)
        .env_clear()
        .envs(program.environment());
    if let Some(dir) = &program.dir {
        command.current_dir(dir);
    }
    Ok(command)
}
