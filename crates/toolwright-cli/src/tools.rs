//! The tools and the context of a command, from the settings.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    time::Duration,
};

use toolwright::{
    OnTimeout, PermissionMode, ReviewDecision, ReviewHandler, ReviewRequest, ToolContext, Toolset,
    review::{BoxFuture, ConsoleReviewer, ReviewError, console},
    toolset::Tools,
};
use toolwright_tools::{
    Calculator, DateTime, FileRead, FileWrite, HumanInput, JsonParser, WebScrape, WebSearch,
    engine::files::Sandbox,
};

use crate::{Config, Failure, Ink, Screen};

/// The tools that there are; the first six without being asked for.
pub const KNOWN: &[&str] = &[
    "file_read",
    "file_write",
    "json_parser",
    "calculator",
    "datetime",
    "human_input",
    "web_scrape",
    "web_search",
    #[cfg(unix)]
    "shell",
    #[cfg(unix)]
    "shell_process",
];

/// How many of [`KNOWN`] are on by default.
const DEFAULT: usize = 6;

/// What every command works with.
#[derive(Clone, Debug)]
pub struct Session {
    /// The settings.
    pub config: Config,
    /// Where results and progress go.
    pub screen: Screen,
}

impl Session {
    /// A session.
    pub fn new(config: Config, screen: Screen) -> Self {
        Self { config, screen }
    }

    /// The directory to work in: the one given, the configured one, or the current one.
    pub fn root(&self, given: Option<&Path>) -> PathBuf {
        given
            .or(self.config.root.as_deref())
            .unwrap_or(Path::new("."))
            .to_owned()
    }

    /// The configured tools, working in a directory.
    ///
    /// # Errors
    /// When the directory cannot be opened or a tool cannot be set up.
    pub fn tools(&self, root: &Path) -> Result<Toolset, Failure> {
        let names: Vec<&str> = match &self.config.tools {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => KNOWN.iter().take(DEFAULT).copied().collect(),
        };
        let mut tools = Tools::new();
        let sandbox = Sandbox::open(root).map_err(|error| {
            let why = match std::fs::metadata(root) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    "it does not exist; make it, or name another".to_owned()
                }
                Err(error) => error.to_string(),
                Ok(data) if !data.is_dir() => "it is no directory".to_owned(),
                Ok(_) => error.to_string(),
            };
            Failure::failed(format!(
                "the directory to work in, {}: {why}",
                root.display()
            ))
        })?;
        let limits = &self.config.limits;
        #[cfg(unix)]
        let mut shell = None;
        for name in names {
            match name {
                "file_read" => {
                    let read = FileRead::in_sandbox(&sandbox);
                    tools.push(match limits.max_read_bytes {
                        Some(bytes) => read.max_bytes(bytes),
                        None => read,
                    });
                }
                "file_write" => {
                    let write = FileWrite::in_sandbox(&sandbox);
                    tools.push(match limits.max_write_bytes {
                        Some(bytes) => write.max_bytes(bytes),
                        None => write,
                    });
                }
                "json_parser" => tools.push(JsonParser::new()),
                "calculator" => tools.push(Calculator::new()),
                "datetime" => tools.push(DateTime::new()),
                "human_input" => tools.push(HumanInput::new()),
                "web_scrape" => tools.push(WebScrape::new().map_err(Failure::failed)?),
                "web_search" => tools.push(web_search()?),
                #[cfg(unix)]
                "shell" | "shell_process" => {
                    let shell = if let Some(shell) = &shell {
                        shell
                    } else {
                        let made = toolwright_tools::Shell::new(root).map_err(Failure::failed)?;
                        // It asks by itself, unless the settings allow everything.
                        let asks = self.config.approvals.mode != Some(PermissionMode::AllowAll);
                        shell.insert(made.require_approval(asks))
                    };
                    if name == "shell" {
                        tools.push(shell.clone());
                    } else {
                        tools.push(shell.processes());
                    }
                }
                other => {
                    let known = KNOWN.iter().copied();
                    return Err(Failure::failed(crate::config::no_such_tool(other, known)));
                }
            }
        }
        let tools = Toolset::builder()
            .tools(tools)
            .max_output(limits.max_output)
            .build()
            .map_err(Failure::failed)?;
        let always = &self.config.approvals.always;
        Ok(tools.require_approval(|name| always.iter().any(|always| always == name)))
    }

    /// The context of calls, with its limits and who approves: nobody with `yes`, the person at the
    /// terminal, else nobody can be asked and what needs approval is halted.
    pub fn context(&self, yes: bool) -> ToolContext {
        let cx = self.limits(ToolContext::new());
        let mode = self.config.approvals.mode.unwrap_or(PermissionMode::Ask);
        let cx = cx.with_permissions(mode);
        if yes {
            cx.with_reviewer(Approving::new(&self.screen, "--yes"))
        } else if io::stdin().is_terminal() {
            cx.with_reviewer(console())
        } else {
            cx.with_reviewer(Nobody(
                "standard input is no terminal; --yes approves every call",
            ))
        }
    }

    /// A context with the limits of the settings.
    pub(crate) fn limits(&self, cx: ToolContext) -> ToolContext {
        let answer = Duration::from_secs(self.config.approvals.timeout_seconds);
        cx.with_timeout(Duration::from_secs(self.config.limits.timeout_seconds))
            .with_review_timeout(answer, OnTimeout::ExitEarly)
    }
}

/// That a tool which there is was not left out by the settings.
///
/// # Errors
/// When it was.
pub(crate) fn switched_on(tools: &Toolset, name: &str) -> Result<(), Failure> {
    if tools.contains(name) || !KNOWN.contains(&name) {
        return Ok(());
    }
    Err(Failure::invalid(format!(
        "the tool `{name}` is not switched on; name it in `tools` of toolwright.toml"
    )))
}

/// `web_search` with the key that the environment has.
fn web_search() -> Result<WebSearch, Failure> {
    let key = |name: &str| std::env::var(name).ok().filter(|key| !key.is_empty());
    if let Some(key) = key("TAVILY_API_KEY") {
        return WebSearch::of_tavily(&key).map_err(Failure::failed);
    }
    if let Some(key) = key("SERPAPI_API_KEY") {
        return WebSearch::of_serpapi(&key).map_err(Failure::failed);
    }
    Err(Failure::failed(
        "`web_search` needs TAVILY_API_KEY or SERPAPI_API_KEY in the environment",
    ))
}

/// Nobody is there, for this reason, so nothing goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nobody(pub(crate) &'static str);

impl ReviewHandler for Nobody {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        self.refuse(request)
    }
}

impl Nobody {
    fn refuse<'a>(
        self,
        request: &ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let (tool, why) = (request.tool.clone(), self.0);
        Box::pin(async move {
            Err(ReviewError::failed(format!(
                "the call of '{tool}' needs approval and nobody can be asked: {why}"
            )))
        })
    }
}

/// The person at the controlling terminal, while this process may read from it.
///
/// Where it is not in the foreground, as the server of a host that starts its servers in groups of
/// their own, the terminal stops a process that reads from it instead of giving it what was typed.
#[derive(Debug)]
pub(crate) struct AtTerminal(ConsoleReviewer);

impl AtTerminal {
    /// The terminal, if there is one.
    pub(crate) fn new() -> Option<Self> {
        ConsoleReviewer::tty().ok().map(Self)
    }
}

impl ReviewHandler for AtTerminal {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        if foreground() {
            self.0.review(request)
        } else {
            Nobody("this process is in the background of its terminal").refuse(request)
        }
    }
}

/// Whether this process is in the foreground of its controlling terminal.
fn foreground() -> bool {
    #[cfg(unix)]
    {
        std::fs::File::open("/dev/tty")
            .and_then(|tty| Ok(rustix::termios::tcgetpgrp(tty)?))
            .is_ok_and(|group| group == rustix::process::getpgrp())
    }
    #[cfg(not(unix))]
    {
        true
    }
}

/// Approves everything, and says what.
#[derive(Clone, Debug)]
pub(crate) struct Approving {
    screen: Screen,
    who: &'static str,
}

impl Approving {
    pub(crate) fn new(screen: &Screen, who: &'static str) -> Self {
        Self {
            screen: screen.clone(),
            who,
        }
    }
}

impl ReviewHandler for Approving {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        let tool = &request.tool;
        self.screen.say(
            Ink::Yellow,
            "approve",
            &format!("{tool} {}", request.action),
        );
        self.screen
            .say(Ink::Green, "approved", &format!("by {}", self.who));
        Box::pin(async { Ok(ReviewDecision::Continue) })
    }
}
