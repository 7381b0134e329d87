//! The configuration of a client: which server, and how far it is trusted.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use toolwright::Permission;

use super::{address::authority, pins::Pins};

/// The variables of the environment that every started server gets.
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
    // On Windows:
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

/// Which server to use, and how far it is trusted.
///
/// The annotations of a tool are claims of its server. Unless the configuration says otherwise, every
/// tool of a server counts as [`Permission::Destructive`], whatever its annotations are; and a tool
/// whose description or schema changes is refused until a person accepts the change.
///
/// ```no_run
/// use std::time::Duration;
/// use toolwright::{Permission, Toolset};
/// use toolwright_mcp::client::McpConfig;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let files = McpConfig::command("file-server", ["--root", "docs"])
///     .prefix("files_")
///     .permission("read_file", Permission::ReadOnly)
///     .timeout(Duration::from_secs(20))
///     .open()
///     .await?;
/// let tools = Toolset::builder().tools(files.tools()).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct McpConfig {
    pub(super) target: Target,
    pub(super) prefix: String,
    pub(super) timeout: Duration,
    pub(super) open_timeout: Duration,
    pub(super) recheck: Duration,
    pub(super) trusted: bool,
    pub(super) permissions: BTreeMap<String, Permission>,
    pub(super) pins: Option<Pins>,
}

#[derive(Clone)]
pub(super) enum Target {
    Command(Program),
    Url { url: String, token: Option<String> },
}

#[derive(Clone)]
pub(super) struct Program {
    pub(super) path: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) all_env: bool,
    pub(super) dir: Option<PathBuf>,
    pub(super) show_errors: bool,
}

impl McpConfig {
    fn new(target: Target) -> Self {
        Self {
            target,
            prefix: String::new(),
            timeout: Duration::from_secs(60),
            open_timeout: Duration::from_secs(30),
            recheck: Duration::from_secs(60),
            trusted: false,
            permissions: BTreeMap::new(),
            pins: None,
        }
    }

    /// A server that is started as a child process and uses its standard input and output.
    pub fn command<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = A>,
    ) -> Self {
        Self::new(Target::Command(Program {
            path: program.as_ref().to_owned(),
            args: args
                .into_iter()
                .map(|arg| arg.as_ref().to_owned())
                .collect(),
            env: Vec::new(),
            all_env: false,
            dir: None,
            show_errors: false,
        }))
    }

    /// A server that is reached over streamable HTTP.
    pub fn url(url: impl Into<String>) -> Self {
        Self::new(Target::Url {
            url: url.into(),
            token: None,
        })
    }

    fn program(mut self, change: impl FnOnce(&mut Program)) -> Self {
        if let Target::Command(program) = &mut self.target {
            change(program);
        }
        self
    }

    /// Adds a variable to the environment of the started server. Without this it gets only a few
    /// harmless ones, such as `PATH`.
    #[must_use]
    pub fn env(self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let pair = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.program(|program| program.env.push(pair))
    }

    /// Gives the started server the whole environment of this program, with all keys in it.
    #[must_use]
    pub fn whole_environment(self) -> Self {
        self.program(|program| program.all_env = true)
    }

    /// Sets the directory in which the server is started.
    #[must_use]
    pub fn current_dir(self, dir: impl Into<PathBuf>) -> Self {
        self.program(|program| program.dir = Some(dir.into()))
    }

    /// Shows the standard error of the started server on that of this program.
    #[must_use]
    pub fn show_errors(self) -> Self {
        self.program(|program| program.show_errors = true)
    }

    /// Sets a bearer token for a server behind HTTP. It is sent over `https`, and over `http` only to
    /// this machine.
    #[must_use]
    pub fn bearer_token(mut self, bearer: impl Into<String>) -> Self {
        if let Target::Url { token, .. } = &mut self.target {
            *token = Some(bearer.into());
        }
        self
    }

    /// Sets a prefix for the names of all tools, such as `files_`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets the time that a call may take; 60 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the time that connecting and listing may take; 30 seconds by default.
    #[must_use]
    pub fn open_timeout(mut self, timeout: Duration) -> Self {
        self.open_timeout = timeout;
        self
    }

    /// Sets the age at which the list of tools is fetched again before a call; 60 seconds by default.
    #[must_use]
    pub fn recheck_after(mut self, time: Duration) -> Self {
        self.recheck = time;
        self
    }

    /// Takes the permissions of the tools from the server's annotations.
    #[must_use]
    pub fn trust_annotations(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// Sets the permission of a tool, by the name that the server gives it.
    #[must_use]
    pub fn permission(mut self, tool: impl Into<String>, permission: Permission) -> Self {
        self.permissions.insert(tool.into(), permission);
        self
    }

    /// Sets the tools that were accepted before; any other is refused until it is accepted. Without
    /// this, the tools of the first listing are accepted.
    #[must_use]
    pub fn pins(mut self, pins: Pins) -> Self {
        self.pins = Some(pins);
        self
    }

    /// The name of the server in messages.
    pub(super) fn label(&self) -> String {
        match &self.target {
            Target::Command(program) => {
                let path = Path::new(&program.path);
                path.file_name()
                    .unwrap_or(&program.path)
                    .to_string_lossy()
                    .into_owned()
            }
            Target::Url { url, .. } => authority(url).unwrap_or("server").to_owned(),
        }
    }
}

impl Program {
    pub(super) fn environment(&self) -> Vec<(OsString, OsString)> {
        let kept = ENVIRONMENT
            .iter()
            .filter_map(|name| std::env::var_os(name).map(|value| (OsString::from(*name), value)));
        let mut all: Vec<_> = kept.collect();
        all.extend(self.env.iter().cloned());
        all
    }
}

impl fmt::Debug for McpConfig {
    // Shows neither the token nor the environment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpConfig")
            .field("server", &self.label())
            .field("prefix", &self.prefix)
            .field("timeout", &self.timeout)
            .field("trusted", &self.trusted)
            .field("pins", &self.pins)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::McpConfig;

    #[test]
    fn debug_shows_no_token() {
        let config = McpConfig::url("http://localhost/mcp").bearer_token("hunter2");
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
