//! The session of every command: the tools and the context of calls, from the settings.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};

use callpact::{
    OnTimeout, PermissionMode, ToolContext, Toolset, ToolsetBuilder, review::console,
    toolset::Tools,
};
use callpact_nats::Workers;
use callpact_tools::{
    Calculator, DateTime, FileEdit, FileRead, FileWrite, HumanInput, JsonParser, WebScrape,
    WebSearch, engine::files::Sandbox,
};

use crate::{
    begun::BegunTools,
    config::{Config, no_such_tool},
    exit::Failure,
    progress::show_progress,
    reviewers::{ApprovingReviewer, NobodyAsked},
    screen::{Ink, Screen},
    system::{KNOWN, ShellTools},
};

/// The number of tools of [`KNOWN`] that are on by default.
const DEFAULT: usize = 6;

/// How long a program that ends waits for the server of its workers.
const FAREWELL: Duration = Duration::from_secs(2);

/// The variable of the environment that names the file of calls.
const STORE: &str = "CALLPACT_STORE";

/// The tools that are on by default.
pub(crate) fn default_tools() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().take(DEFAULT).copied()
}

/// The file of calls: the given one, or that of the environment, or the configured one.
pub(crate) fn store_file(given: Option<&Path>, config: &Config) -> Option<PathBuf> {
    let of_environment = || std::env::var_os(STORE).filter(|file| !file.is_empty());
    given
        .map(Path::to_owned)
        .or_else(|| of_environment().map(PathBuf::from))
        .or_else(|| config.store.clone())
}

/// The tools and the context that every command works with.
#[derive(Clone, Debug)]
pub struct Session {
    /// The settings of `callpact.toml`.
    pub config: Config,
    /// Prints results and progress.
    pub screen: Screen,
    /// The workers whose tools are used, with `--nats`.
    pub(crate) workers: Arc<OnceLock<Workers>>,
    /// The tools that are running here.
    pub(crate) begun: BegunTools,
}

impl Session {
    /// Makes a session.
    pub fn new(config: Config, screen: Screen) -> Self {
        Self {
            config,
            screen,
            workers: Arc::default(),
            begun: BegunTools::default(),
        }
    }

    /// Interrupts the calls at workers, and waits a short time for the reports of the workers.
    pub(crate) async fn leave_workers(&self) {
        let Some(workers) = self.workers.get() else {
            return;
        };
        if !workers.close(FAREWELL).await {
            let text = "a call was broken off, and its worker said nothing about it";
            self.screen.say(Ink::Yellow, "workers", text);
        }
    }

    /// The directory to work in: the given one, or the configured one, or the current one.
    pub fn root(&self, given: Option<&Path>) -> PathBuf {
        given
            .or(self.config.root.as_deref())
            .unwrap_or(Path::new("."))
            .to_owned()
    }

    /// The file of calls: the given one, or that of the environment, or the configured one.
    pub fn store(&self, given: Option<&Path>) -> Option<PathBuf> {
        store_file(given, &self.config)
    }

    /// The file of calls, which an option needs.
    ///
    /// # Errors
    /// If no file is named.
    pub(crate) fn need_store(&self, given: Option<&Path>, what: &str) -> Result<PathBuf, Failure> {
        self.store(given).ok_or_else(|| {
            Failure::invalid(format!(
                "{what} needs a file of calls: add --store FILE, or set {STORE} or `store` in callpact.toml"
            ))
        })
    }

    /// The name of a directory in a store, for calls that will run there.
    ///
    /// # Errors
    /// If the directory does not exist.
    pub fn workspace(&self, root: &Path) -> Result<String, Failure> {
        let whole = std::fs::canonicalize(root)
            .map_err(|error| Failure::failed(format!("{}: {error}", root.display())))?;
        // A path that is not UTF-8 is written in ASCII, in a form that no other path has.
        Ok(whole.to_str().map_or_else(
            || {
                whole
                    .as_os_str()
                    .as_encoded_bytes()
                    .escape_ascii()
                    .to_string()
            },
            str::to_owned,
        ))
    }

    /// The configured tools, working in a directory.
    ///
    /// # Errors
    /// If the directory cannot be opened or a tool cannot be set up.
    pub fn tools(&self, root: &Path) -> Result<Toolset, Failure> {
        let names: Vec<&str> = match &self.config.tools {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => default_tools().collect(),
        };
        let mut tools = Tools::new();
        let sandbox = Sandbox::open(root).map_err(|error| {
            let why = match std::fs::metadata(root) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    "it does not exist; make it, or name another".to_owned()
                }
                Err(error) => error.to_string(),
                Ok(data) if !data.is_dir() => "it is not a directory".to_owned(),
                Ok(_) => error.to_string(),
            };
            Failure::failed(format!(
                "the directory to work in, {}: {why}",
                root.display()
            ))
        })?;
        let limits = &self.config.limits;
        let mut shell = ShellTools::default();
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
                "file_edit" => {
                    let edit = FileEdit::in_sandbox(&sandbox);
                    tools.push(match limits.max_write_bytes {
                        Some(bytes) => edit.max_bytes(bytes),
                        None => edit,
                    });
                }
                "json_parser" => tools.push(JsonParser::new()),
                "calculator" => tools.push(Calculator::new()),
                "datetime" => tools.push(DateTime::new()),
                "human_input" => tools.push(HumanInput::new()),
                "web_scrape" => tools.push(WebScrape::new().map_err(Failure::failed)?),
                "web_search" => tools.push(web_search()?),
                other => {
                    // The tool asks by itself, unless the settings allow everything.
                    let asks = self.config.approvals.mode != Some(PermissionMode::AllowAll);
                    if !shell.push(other, root, asks, &mut tools)? {
                        let known = KNOWN.iter().copied();
                        return Err(Failure::failed(no_such_tool(other, known)));
                    }
                }
            }
        }
        let tools = self.bounded().tools(tools);
        let tools = tools.build().map_err(Failure::failed)?;
        let always = &self.config.approvals.always;
        Ok(tools.require_approval(|name| always.iter().any(|always| always == name)))
    }

    /// An empty list of tools whose replies are as long as the settings allow.
    pub(crate) fn bounded(&self) -> ToolsetBuilder {
        Toolset::builder()
            .max_output(self.config.limits.max_output)
            .around(self.begun.clone())
    }

    /// The context of calls, with limits and a reviewer. With `yes` every call is approved;
    /// otherwise the person at the terminal is asked; without a terminal, a call that needs approval
    /// halts.
    pub fn context(&self, yes: bool) -> ToolContext {
        let cx = self.limits(ToolContext::new());
        let mode = self.config.approvals.mode.unwrap_or(PermissionMode::Ask);
        let cx = show_progress(cx.with_permissions(mode), &self.screen);
        if yes {
            cx.with_reviewer(ApprovingReviewer::new(&self.screen, "--yes"))
        } else if io::stdin().is_terminal() {
            cx.with_reviewer(console())
        } else {
            cx.with_reviewer(NobodyAsked(
                "standard input is no terminal; --yes approves every call",
            ))
        }
    }

    /// Adds the limits of the settings to a context.
    pub(crate) fn limits(&self, cx: ToolContext) -> ToolContext {
        let answer = Duration::from_secs(self.config.approvals.timeout_seconds);
        cx.with_timeout(Duration::from_secs(self.config.limits.timeout_seconds))
            .with_review_timeout(answer, OnTimeout::ExitEarly)
    }
}

/// Fails if a tool exists but the settings leave it out.
pub(crate) fn check_switched_on(tools: &Toolset, name: &str) -> Result<(), Failure> {
    if tools.contains(name) || !KNOWN.contains(&name) {
        return Ok(());
    }
    Err(Failure::invalid(format!(
        "the tool `{name}` is not switched on; name it in `tools` of callpact.toml"
    )))
}

/// Makes `web_search` with the key from the environment.
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
