//! A configured program as a tool.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use callpact::review::{CommandPreview, Preview};
use callpact::{AgentTool, Permission, ToolContext, ToolResult};
use serde_json::{Map, Value, json};

use super::boundary::{check_boundary, require_boundary};
use super::runtime::needs_all;
use crate::ToolConfigError;
use crate::configured::{CallQuestion, ToolSettings};
use crate::engine::process::{Boundary, ProcessSpec, run};

/// Runs one configured program, without a shell.
///
/// The program reads `{"input": "…"}` on its standard input and writes an object with any of `success` (true when
/// left out), `output`, `error` and `structured` on its standard output. Any other text is itself the output. With
/// [`raw_input`](ProcessAgentToolBuilder::raw_input) it reads the input itself. It runs in its own process group
/// with a clean environment, and nothing that it starts outlives the call.
///
/// ```
/// use callpact::{AgentTool, ToolContext};
/// use callpact_tools::ProcessAgentTool;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tool = ProcessAgentTool::builder()
///     .name("echo")
///     .description("Says what it was sent. Input: anything.")
///     .command(["cat"])
///     .build()?;
/// let reply = tool.execute("hello", &ToolContext::new()).await;
/// assert_eq!(reply.output(), r#"{"input":"hello"}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ProcessAgentTool {
    settings: ToolSettings,
    spec: ProcessSpec,
    shown: String,
    boundary: Boundary,
    permission: Permission,
    raw_input: bool,
}

impl ProcessAgentTool {
    /// The boundary around the program.
    pub fn boundary(&self) -> Boundary {
        self.boundary
    }

    /// Starts the configuration.
    pub fn builder() -> ProcessAgentToolBuilder {
        ProcessAgentToolBuilder {
            settings: ToolSettings::new(),
            argv: Vec::new(),
            timeout: Duration::from_secs(30),
            max_output: 1 << 20,
            env: Vec::new(),
            allowed: None,
            dir: None,
            boundary: None,
            least: None,
            permission: Permission::Write,
            raw_input: false,
        }
    }
}

/// Configures a [`ProcessAgentTool`].
#[derive(Clone)]
pub struct ProcessAgentToolBuilder {
    settings: ToolSettings,
    argv: Vec<OsString>,
    timeout: Duration,
    max_output: usize,
    env: Vec<(OsString, OsString)>,
    allowed: Option<Vec<OsString>>,
    dir: Option<PathBuf>,
    boundary: Option<Boundary>,
    least: Option<Boundary>,
    permission: Permission,
    raw_input: bool,
}

impl std::fmt::Debug for ProcessAgentToolBuilder {
    /// Values of variables may be secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProcessAgentToolBuilder")
            .field("name", &self.settings.name)
            .field("program", &self.argv.first())
            .finish_non_exhaustive()
    }
}

impl ProcessAgentToolBuilder {
    /// The name that the model calls it by.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self
    }

    /// The description for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.settings.description = description.into();
        self
    }

    /// The program and its arguments.
    #[must_use]
    pub fn command<I>(mut self, argv: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.argv = argv.into_iter().map(Into::into).collect();
        self
    }

    /// How long it may run; 30 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The most bytes kept of each stream, after which it is cut and marked; 1 MiB by default.
    #[must_use]
    pub fn max_output_bytes(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// The most bytes of input; 1 MiB by default.
    #[must_use]
    pub fn max_input_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_input = bytes;
        self
    }

    /// A variable of the program's environment.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// The variables that it gets from this process, in place of
    /// [`DEFAULT_ENV`](crate::engine::process::DEFAULT_ENV).
    #[must_use]
    pub fn env_allow<I>(mut self, names: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<OsString>,
    {
        self.allowed = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// The directory that it runs in.
    #[must_use]
    pub fn working_directory(mut self, dir: impl Into<PathBuf>) -> Self {
        self.dir = Some(dir.into());
        self
    }

    /// The boundary around the program; by default the strongest of this machine.
    #[must_use]
    pub fn boundary(mut self, boundary: Boundary) -> Self {
        self.boundary = Some(boundary);
        self
    }

    /// The weakest acceptable boundary. [`build`](Self::build) fails on a machine without it.
    #[must_use]
    pub fn required(mut self, least: Boundary) -> Self {
        self.least = Some(least);
        self
    }

    /// Whether the program reads the input itself, byte for byte, not `{"input": "…"}`. Off by default.
    ///
    /// ```
    /// use callpact::{AgentTool, ToolContext};
    /// use callpact_tools::ProcessAgentTool;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tool = ProcessAgentTool::builder()
    ///     .name("sort")
    ///     .description("Sorts lines. Input: the lines.")
    ///     .command(["sort"])
    ///     .raw_input(true)
    ///     .build()?;
    /// let reply = tool.execute("pear\napple\n", &ToolContext::new()).await;
    /// assert_eq!(reply.output(), "apple\npear\n");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn raw_input(mut self, raw: bool) -> Self {
        self.raw_input = raw;
        self
    }

    /// Sends every call to the reviewer; then a call without a reviewer halts. Off by default.
    #[must_use]
    pub fn require_approval(mut self, require: bool) -> Self {
        self.settings.require_approval = require;
        self
    }

    /// How far the tool reaches; [`Permission::Write`] by default.
    #[must_use]
    pub fn permission(mut self, permission: Permission) -> Self {
        self.permission = permission;
        self
    }

    /// The tool.
    ///
    /// # Errors
    /// [`ToolConfigError`], for the first setting that is missing or wrong.
    pub fn build(self) -> Result<ProcessAgentTool, ToolConfigError> {
        self.settings.check()?;
        let program = self.argv.first().map(|program| program.to_string_lossy());
        if program.is_none_or(|program| program.trim().is_empty()) {
            return Err(ToolConfigError::Setting(
                "command must be set and non-blank",
            ));
        }
        if self.timeout.is_zero() {
            return Err(ToolConfigError::Setting("timeout must be positive"));
        }
        if self.max_output == 0 {
            return Err(ToolConfigError::Setting("maxOutputBytes must be positive"));
        }
        let boundary = match (self.boundary, self.least) {
            (Some(boundary), Some(least)) if boundary < least => {
                return Err(ToolConfigError::Setting(
                    "boundary must be at least the required one",
                ));
            }
            (Some(boundary), _) => check_boundary(boundary)?,
            (None, Some(least)) => require_boundary(least)?,
            (None, None) => Boundary::strongest(),
        };
        let shown = shown(&self.argv);
        let mut spec = ProcessSpec::new(self.argv)
            .timeout(self.timeout)
            .boundary(boundary)
            .max_output(self.max_output);
        if let Some(names) = self.allowed {
            spec = spec.env_allow(names);
        }
        for (name, value) in self.env {
            spec = spec.env(name, value);
        }
        if let Some(dir) = self.dir {
            if !dir.is_dir() {
                return Err(ToolConfigError::Directory(format!(
                    "workingDirectory must be an existing directory: {}",
                    dir.display()
                )));
            }
            spec = spec.cwd(dir);
        }
        Ok(ProcessAgentTool {
            settings: self.settings,
            spec,
            shown,
            boundary,
            permission: self.permission,
            raw_input: self.raw_input,
        })
    }
}

/// The arguments for a person; ambiguous ones are quoted.
fn shown(argv: &[OsString]) -> String {
    let mut line = String::new();
    for part in argv {
        let part = part.to_string_lossy();
        if !line.is_empty() {
            line.push(' ');
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
        if !part.is_empty() && part.chars().all(plain) {
            line.push_str(&part);
        } else {
            // Writing to a string does not fail.
            let _ = write!(line, "{part:?}");
        }
    }
    line
}

impl AgentTool for ProcessAgentTool {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn description(&self) -> &str {
        &self.settings.description
    }

    fn permission(&self) -> Permission {
        self.permission
    }

    fn asks_itself(&self) -> bool {
        self.settings.require_approval
    }

    /// Secrets of the program are in its environment; a model cannot send one.
    fn secret_params(&self) -> &'static [&'static str] {
        &[]
    }

    fn precheck_text(&self, input: &str) -> Result<(), String> {
        self.settings.check_input(input)
    }

    /// The program that a call runs.
    fn preview_text(&self, _: &str) -> Option<Preview> {
        Some(Preview::command(CommandPreview::new(&self.shown)))
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        if let Err(why) = self.precheck_text(input) {
            return ToolResult::failure(why);
        }
        if let Err(halt) = needs_all(&self.settings.name) {
            return ToolResult::halt(halt);
        }
        let question = CallQuestion {
            act: "Execute command: ",
            target: &self.shown,
            input: "Input",
            what: "Process execution",
            for_model: &self.shown,
        };
        let input = match self.settings.approve(input, question, cx).await {
            Ok(input) => input,
            Err(error) => return error.into(),
        };
        let stdin = if self.raw_input {
            input.clone()
        } else {
            json!({ "input": input }).to_string()
        };
        let spec = self.spec.clone().stdin(stdin);
        match run(&spec).await {
            Err(error) => ToolResult::failure(error.to_string()),
            Ok(outcome) if outcome.timed_out => ToolResult::failure(spec.timeout_text()),
            Ok(outcome) if !outcome.success() => ToolResult::failure(outcome.failure_text()),
            Ok(outcome) => answer(outcome.stdout.text()),
        }
    }
}

/// Reads the output of a program that succeeded.
fn answer(stdout: String) -> ToolResult {
    let Ok(Value::Object(mut said)) = serde_json::from_str::<Value>(&stdout) else {
        return ToolResult::success(stdout);
    };
    let known = ["success", "output", "error", "structured"];
    if !known.iter().any(|key| said.contains_key(*key)) {
        return ToolResult::success(stdout);
    }
    let result = match said.remove("success") {
        None | Some(Value::Null | Value::Bool(true)) => {
            ToolResult::success(text(&mut said, "output"))
        }
        Some(Value::Bool(false)) => {
            let error = text(&mut said, "error").or_else(|| text(&mut said, "output"));
            ToolResult::failure(error)
        }
        Some(_) => {
            let text =
                "Process wrote an answer that is not its protocol: `success` must be true or false";
            return ToolResult::failure(text);
        }
    };
    match said.remove("structured") {
        None | Some(Value::Null) => result,
        Some(structured) => result.with_structured(structured),
    }
}

/// A member as text; a value that is not a string becomes JSON.
fn text(said: &mut Map<String, Value>, key: &str) -> Option<String> {
    match said.remove(key)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}
