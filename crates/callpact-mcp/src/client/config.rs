//! The configuration of a client: which server, and how far it is trusted.

use std::{
    collections::{BTreeMap, HashMap},
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use callpact::{Permission, pins::Pins, secret::Redactor};
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

#[cfg(unix)]
use super::program::Boundary;
use super::{
    elicit::{Elicitation, Elicited, OnElicitation},
    error::ClientError,
    program::ServerProgram,
    watch::{LastWords, OnMessage, WireMessage},
};
use crate::net::{authority, check_address};

/// Which server to use, and how far it is trusted.
///
/// The annotations of a tool are claims of its server. By default, every tool of a server counts as
/// [`Permission::Destructive`], whatever its annotations say. A tool whose description or schema
/// changes is refused until a person accepts the change.
///
/// ```no_run
/// use std::time::Duration;
/// use callpact::{Permission, Toolset};
/// use callpact_mcp::client::McpConfig;
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
    pub(super) target: ServerTarget,
    pub(super) prefix: String,
    pub(super) timeout: Duration,
    pub(super) open_timeout: Duration,
    pub(super) recheck: Duration,
    pub(super) trusted: bool,
    pub(super) checks_formats: bool,
    pub(super) permissions: BTreeMap<String, Permission>,
    pub(super) pins: Option<Pins>,
    pub(super) asks: Option<OnElicitation>,
    pub(super) hears: Option<OnMessage>,
    /// The target as a file of servers writes it, without the values of variables.
    pub(super) shown: Option<String>,
    /// Settings that contradict each other; [`open`](Self::open) fails with the first.
    faults: Vec<String>,
}

#[derive(Clone)]
pub(super) enum ServerTarget {
    Command(ServerProgram),
    Url(RemoteServer),
}

/// A server behind an address.
#[derive(Clone)]
pub(super) struct RemoteServer {
    pub(super) url: String,
    pub(super) token: Option<String>,
    pub(super) headers: HashMap<HeaderName, HeaderValue>,
}

impl McpConfig {
    fn new(target: ServerTarget) -> Self {
        Self {
            target,
            prefix: String::new(),
            timeout: Duration::from_secs(60),
            open_timeout: Duration::from_secs(30),
            recheck: Duration::from_secs(60),
            trusted: false,
            checks_formats: true,
            permissions: BTreeMap::new(),
            pins: None,
            asks: None,
            hears: None,
            shown: None,
            faults: Vec::new(),
        }
    }

    /// A server that is started as a child process and uses its standard input and output.
    pub fn command<A: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = A>,
    ) -> Self {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        let program = ServerProgram::new(program.as_ref(), args.collect());
        Self::new(ServerTarget::Command(program))
    }

    /// A server that is reached over streamable HTTP.
    pub fn url(url: impl Into<String>) -> Self {
        Self::new(ServerTarget::Url(RemoteServer {
            url: url.into(),
            token: None,
            headers: HashMap::new(),
        }))
    }

    fn program(mut self, what: &str, change: impl FnOnce(&mut ServerProgram)) -> Self {
        match &mut self.target {
            ServerTarget::Command(program) => change(program),
            ServerTarget::Url(_) => self.faults.push(format!(
                "`{what}` is for a server that is started by a command"
            )),
        }
        self
    }

    fn remote(
        mut self,
        what: &str,
        change: impl FnOnce(&mut RemoteServer) -> Result<(), String>,
    ) -> Self {
        let changed = match &mut self.target {
            ServerTarget::Url(remote) => change(remote),
            ServerTarget::Command(_) => Err(format!("`{what}` is for a server behind an address")),
        };
        self.faults.extend(changed.err());
        self
    }

    /// Adds a variable to the environment of the started server. By default it gets only a few
    /// harmless ones, such as `PATH`.
    #[must_use]
    pub fn env(self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        let pair = (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.program("env", |program| program.env.push(pair))
    }

    /// Gives the started server the whole environment of this program, including all API keys in
    /// it.
    #[must_use]
    pub fn whole_environment(self) -> Self {
        self.program("whole_environment", |program| program.all_env = true)
    }

    /// Sets the directory in which the server is started.
    #[must_use]
    pub fn current_dir(self, dir: impl Into<PathBuf>) -> Self {
        self.program("current_dir", |program| program.dir = Some(dir.into()))
    }

    /// Shows the standard error of the started server on the standard error of this program. A server behind an
    /// address has none to show.
    #[must_use]
    pub fn show_errors(mut self) -> Self {
        if let ServerTarget::Command(program) = &mut self.target {
            program.show_errors = true;
        }
        self
    }

    /// Keeps the end of what the started server writes to its standard error. A server behind an address has none.
    #[must_use]
    pub fn keep_last_words(mut self, words: &LastWords) -> Self {
        if let ServerTarget::Command(program) = &mut self.target {
            program.words = Some(words.clone());
        }
        self
    }

    /// Calls this with every message between this program and the server.
    ///
    /// The secrets of calls are placeholders in it, and so are the token, the headers and the variables that the
    /// configuration gives the server, if they have at least six characters. It must not block.
    ///
    /// ```
    /// use callpact_mcp::client::McpConfig;
    ///
    /// let config = McpConfig::url("http://127.0.0.1:8080/mcp").on_message(|message| {
    ///     println!("{} {}", if message.sent { "->" } else { "<-" }, message.text);
    /// });
    /// ```
    #[must_use]
    pub fn on_message(mut self, hear: impl Fn(WireMessage<'_>) + Send + Sync + 'static) -> Self {
        self.hears = Some(Arc::new(hear));
        self
    }

    /// How the server is reached: its command with arguments, or its address without what stands behind `?`. A file of
    /// servers is shown as it was written, without the values of its variables.
    ///
    /// ```
    /// use callpact_mcp::client::McpConfig;
    ///
    /// assert_eq!(McpConfig::command("file-server", ["docs"]).target(), "file-server docs");
    /// assert_eq!(McpConfig::url("https://example.com/mcp?key=1").target(), "https://example.com/mcp");
    /// ```
    pub fn target(&self) -> String {
        if let Some(shown) = &self.shown {
            return shown.clone();
        }
        match &self.target {
            ServerTarget::Command(program) => {
                let words = std::iter::once(&program.path).chain(&program.args);
                let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
                words.join(" ")
            }
            ServerTarget::Url(remote) => shown_address(&remote.url),
        }
    }

    /// Whether the server is started here, by a command.
    pub fn is_started(&self) -> bool {
        matches!(self.target, ServerTarget::Command(_))
    }

    /// Removes the settings that may be secrets.
    pub(super) fn redactor(&self) -> Redactor {
        match &self.target {
            ServerTarget::Command(program) => {
                let variables = program.env.iter();
                Redactor::of_settings(variables.filter_map(|(name, value)| {
                    Some((name.to_string_lossy().into_owned(), value.to_str()?))
                }))
            }
            ServerTarget::Url(remote) => {
                let token = remote.token.iter();
                let token = token.map(|token| ("token".to_owned(), token.as_str()));
                let headers = remote.headers.iter().filter_map(|(name, value)| {
                    Some((name.as_str().replace('-', "_"), value.to_str().ok()?))
                });
                Redactor::of_settings(token.chain(headers))
            }
        }
    }

    /// Sets the boundary around the started server. The default is the strongest boundary of this
    /// machine that ends the server with everything that it started.
    #[cfg(unix)]
    #[must_use]
    pub fn boundary(self, boundary: Boundary) -> Self {
        self.program("boundary", |program| program.boundary = Some(boundary))
    }

    /// Sets a bearer token for a server behind HTTP. It is sent over `https`, and over `http` only to
    /// this machine.
    #[must_use]
    pub fn bearer_token(self, token: impl Into<String>) -> Self {
        self.remote("bearer_token", |remote| {
            remote.token = Some(token.into());
            Ok(())
        })
    }

    /// Sets a header for every request to a server behind HTTP. Like a token, it is sent over `https`,
    /// and over `http` only to this machine.
    #[must_use]
    pub fn header(self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        self.remote("header", |remote| {
            let (name, value) = parse_header(name.as_ref(), value.as_ref())?;
            remote.headers.insert(name, value);
            Ok(())
        })
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

    /// Sends arguments whatever the `format` of a text says. By default, a text that does not have the format of its
    /// parameter, such as `"next Friday"` for a date, is refused before the call is sent.
    #[must_use]
    pub fn without_format_checks(mut self) -> Self {
        self.checks_formats = false;
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

    /// Sets the tools that were accepted before; all others are refused until accepted. Without
    /// this, the tools of the first listing are accepted.
    #[must_use]
    pub fn pins(mut self, pins: Pins) -> Self {
        self.pins = Some(pins);
        self
    }

    /// Answers the questions that the server asks during a call. Without this the server is told that nobody
    /// can be asked.
    ///
    /// The time that a person takes counts towards the time of the call: set a longer [`timeout`](Self::timeout).
    ///
    /// A server can also send the user to a page, for input that must not pass through this program. Nothing
    /// opens the page automatically. An address that is not `https` is declined without a question, unless it is
    /// of this machine. A server that refuses a call until the user has visited a page is asked again until the
    /// call succeeds, at most ten times.
    ///
    /// ```
    /// use callpact_mcp::client::{Elicited, McpConfig};
    ///
    /// let config = McpConfig::url("http://127.0.0.1:8080/mcp").on_elicitation(|asked| async move {
    ///     println!("the server asks: {}", asked.message);
    ///     if let (Some(page), Some(host)) = (&asked.page, asked.host()) {
    ///         println!("it sends you to {host}: open {page} ?");
    ///         // `Elicited::Consent` if the user agrees.
    ///     }
    ///     Elicited::Decline
    /// });
    /// ```
    #[must_use]
    pub fn on_elicitation<F, A>(mut self, answer: F) -> Self
    where
        F: Fn(Elicitation) -> A + Send + Sync + 'static,
        A: Future<Output = Elicited> + Send + 'static,
    {
        self.asks = Some(Arc::new(move |asked| Box::pin(answer(asked))));
        self
    }

    /// Checks the settings and the address.
    pub(super) fn check(&self) -> Result<(), ClientError> {
        if let Some(fault) = self.faults.first() {
            return Err(ClientError::Config(fault.clone()));
        }
        let ServerTarget::Url(remote) = &self.target else {
            return Ok(());
        };
        if remote.token.is_some() && remote.headers.contains_key(&AUTHORIZATION) {
            let both = "it has a bearer token and the header `Authorization`";
            return Err(ClientError::Config(both.to_owned()));
        }
        let token = remote.token.as_ref().map(|_| "a token");
        let header = remote.headers.keys().next().map(|_| "a header");
        check_address(&remote.url, token.or(header)).map_err(ClientError::Address)
    }

    /// The name of the server in messages.
    pub(super) fn label(&self) -> String {
        match &self.target {
            ServerTarget::Command(program) => {
                let path = Path::new(&program.path);
                path.file_name()
                    .unwrap_or(&program.path)
                    .to_string_lossy()
                    .into_owned()
            }
            ServerTarget::Url(remote) => authority(&remote.url).unwrap_or("server").to_owned(),
        }
    }
}

/// An address without what may be a key.
pub(super) fn shown_address(url: &str) -> String {
    url.split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// Headers that the transport sets itself.
const OWN_HEADERS: &[&str] = &[
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "transfer-encoding",
];

fn parse_header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), String> {
    let short: String = name.chars().take(64).collect();
    let Ok(parsed) = HeaderName::try_from(name) else {
        return Err(format!("`{short}` is not the name of a header"));
    };
    if OWN_HEADERS.contains(&parsed.as_str()) || parsed.as_str().starts_with("mcp-") {
        return Err(format!("the header `{short}` belongs to the protocol"));
    }
    // The value may be a secret, so it is not shown.
    let Ok(mut value) = HeaderValue::try_from(value) else {
        return Err(format!(
            "the value of the header `{short}` has characters that none has"
        ));
    };
    value.set_sensitive(true);
    Ok((parsed, value))
}

impl fmt::Debug for McpConfig {
    // Shows neither the token, nor the headers, nor the environment.
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
        let config = McpConfig::url("http://localhost/mcp")
            .bearer_token("hunter2")
            .header("X-Key", "hunter2");
        assert!(!format!("{config:?}").contains("hunter2"));
    }

    #[tokio::test]
    async fn rejects_setting_of_other_transport() {
        let url = || McpConfig::url("http://127.0.0.1:1/mcp");
        let command = || McpConfig::command("/bin/cat", [""; 0]);
        for (config, what) in [
            (url().env("A", "b"), "`env` is for a server that is started"),
            (url().whole_environment(), "`whole_environment` is for"),
            (url().current_dir("/"), "`current_dir` is for"),
            (
                command().bearer_token("hunter2"),
                "`bearer_token` is for a server behind",
            ),
            (
                command().header("A", "hunter2"),
                "`header` is for a server behind",
            ),
            (url().header("a b", "hunter2"), "`a b` is not the name"),
            (url().header("X", "hunter2\n"), "value of the header `X`"),
            (
                url().header("Mcp-Session-Id", "1"),
                "belongs to the protocol",
            ),
            (
                url().header("authorization", "x").bearer_token("y"),
                "a bearer token and the header `Authorization`",
            ),
        ] {
            let error = config.open().await.expect_err(what).to_string();
            assert!(
                error.contains(what) && !error.contains("hunter2"),
                "{error}"
            );
        }
    }
}
