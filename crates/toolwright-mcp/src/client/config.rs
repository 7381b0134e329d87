//! Which server, and how far it is trusted.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fmt,
    net::IpAddr,
    path::PathBuf,
    time::Duration,
};

use toolwright::Permission;

use super::{ClientError, McpClient, Pins};

/// What a started server gets to see of the environment, beside what it is given.
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

/// Which server to use, and how far it is trusted.
///
/// Whatever a server says of its tools it says of itself. Unless the configuration says otherwise,
/// every tool of a server counts as [`Permission::Destructive`], whatever its annotations are; and
/// a tool whose description or schema changes is refused until it is accepted.
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

    /// A server that is started as a child process and spoken to over its standard input and output.
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

    /// The same with a variable in the environment of the started server, which otherwise gets only
    /// a few harmless ones, such as `PATH`.
    #[must_use]
    pub fn env(self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let pair = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.program(|program| program.env.push(pair))
    }

    /// The same with the program's whole environment for the started server, keys included.
    #[must_use]
    pub fn whole_environment(self) -> Self {
        self.program(|program| program.all_env = true)
    }

    /// The same with a directory to start the server in.
    #[must_use]
    pub fn current_dir(self, dir: impl Into<PathBuf>) -> Self {
        self.program(|program| program.dir = Some(dir.into()))
    }

    /// The same with what the started server writes to its standard error shown on the program's.
    #[must_use]
    pub fn show_errors(self) -> Self {
        self.program(|program| program.show_errors = true)
    }

    /// The same with a bearer token for a server behind HTTP. It is sent over `https`, and over
    /// `http` only to this very machine.
    #[must_use]
    pub fn bearer_token(mut self, bearer: impl Into<String>) -> Self {
        if let Target::Url { token, .. } = &mut self.target {
            *token = Some(bearer.into());
        }
        self
    }

    /// The same with a prefix for the names of all tools, such as `files_`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// The same with another time that a call may take; 60 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The same with another time that connecting and listing may take; 30 seconds by default.
    #[must_use]
    pub fn open_timeout(mut self, timeout: Duration) -> Self {
        self.open_timeout = timeout;
        self
    }

    /// The same with another time after which a call first looks whether the tools are still the
    /// ones that were accepted; 60 seconds by default.
    #[must_use]
    pub fn recheck_after(mut self, time: Duration) -> Self {
        self.recheck = time;
        self
    }

    /// The same, believing what the server says of how far its tools reach.
    #[must_use]
    pub fn trust_annotations(mut self) -> Self {
        self.trusted = true;
        self
    }

    /// The same with the program's own word on how far a tool reaches, under the name that the
    /// server gives it.
    #[must_use]
    pub fn permission(mut self, tool: impl Into<String>, permission: Permission) -> Self {
        self.permissions.insert(tool.into(), permission);
        self
    }

    /// The same with the tools that were accepted before; any other is refused until it is accepted.
    /// Without this, the tools of the first listing are accepted.
    #[must_use]
    pub fn pins(mut self, pins: Pins) -> Self {
        self.pins = Some(pins);
        self
    }

    /// Connects and lists the tools.
    ///
    /// # Errors
    /// When the server cannot be started or reached, or does not speak the protocol.
    pub async fn open(self) -> Result<McpClient, ClientError> {
        McpClient::open(self).await
    }

    /// What the server is called in messages.
    pub(super) fn label(&self) -> String {
        match &self.target {
            Target::Command(program) => {
                let path = std::path::Path::new(&program.path);
                path.file_name()
                    .unwrap_or(&program.path)
                    .to_string_lossy()
                    .into_owned()
            }
            Target::Url { url, .. } => host(url).unwrap_or("server").to_owned(),
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

/// The host and port of an address.
fn host(url: &str) -> Option<&str> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    rest.split(['/', '?', '#', '\\'])
        .next()
        .filter(|host| !host.is_empty())
}

/// Whether a request to an address may carry what it is to carry.
pub(super) fn check(url: &str, token: bool) -> Result<(), ClientError> {
    let fault = |why: &str| Err(ClientError::Address(why.to_owned()));
    let Some(authority) = host(url) else {
        return fault("it starts with neither `https://` nor `http://`, or has no host");
    };
    if authority.contains('@') {
        return fault("it has a user name in it");
    }
    if let Err(error) = reqwest::Url::parse(url) {
        return fault(&error.to_string());
    }
    if url.starts_with("https://") {
        return Ok(());
    }
    if token && !here(authority) {
        return fault("a token is not sent over `http` to another machine");
    }
    Ok(())
}

/// Whether a host, with or without its port, is this very machine.
fn here(authority: &str) -> bool {
    let name = match authority
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
    {
        Some((name, _)) => name,
        None => authority.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether the server behind an address runs on this very machine.
pub(super) fn is_here(url: &str) -> bool {
    host(url).is_some_and(here)
}

impl fmt::Debug for McpConfig {
    // Neither the token nor the environment.
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
    use super::{McpConfig, check};

    #[test]
    fn addresses() {
        for (url, token, fine) in [
            ("http://127.0.0.1:8000/mcp", true, true),
            ("http://localhost/mcp", true, true),
            ("http://[::1]:80/mcp", true, true),
            ("http://example.com/mcp", false, true),
            ("http://example.com/mcp", true, false),
            ("http://localhost.example.com/mcp", true, false),
            ("http://127.0.0.1@example.com/", false, false),
            ("http://127.0.0.1\\@example.com/", true, true),
            ("https://example.com/mcp", true, true),
            ("ftp://example.com", false, false),
            ("http://", false, false),
            ("http://127.0.0.1:99999/mcp", false, false),
            ("http://[::1/mcp", false, false),
            ("https://exa mple.com/", false, false),
            ("", false, false),
        ] {
            assert_eq!(check(url, token).is_ok(), fine, "{url}");
        }
    }

    #[test]
    fn debug_shows_no_token() {
        let config = McpConfig::url("http://localhost/mcp").bearer_token("hunter2");
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
