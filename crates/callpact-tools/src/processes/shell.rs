//! `shell`: a command line, to its end or in the background.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use callpact::review::{CommandPreview, Preview, visible};
use callpact::secret::Redactor;
use callpact::{Permission, ToolContext, ToolError, ToolInput, TypedAgentTool};

use crate::ToolConfigError;
use crate::engine::process::{
    Boundary, Captured, LOSSY, Outcome, ProcessSpec, run, whole_characters,
};
use crate::engine::process_table::{ProcessTable, TableLimits};
use crate::system::processes::STARTS_IN_OPEN_DIRECTORY;
use crate::words::shorten;

use super::boundary::{check_boundary, require_boundary};
use super::runtime::needs_all;
use super::shell_process::{ShellProcess, name_process};

/// The longest command in bytes.
const MAX_COMMAND: usize = 32 << 10;

/// Runs command lines in a shell.
///
/// The reviewer sees every call in full. Without a reviewer the call halts, and the reviewer's edit runs
/// in place of the model's command. A command runs in one directory with a clean environment, inside a
/// [`Boundary`](Self::boundary) that ends its child processes. **The directory is where a command starts,
/// not a cage**: a shell can reach everything that the user of this program can reach. For a cage, run
/// the whole program in a container.
///
/// A command may hold secrets as `<secret_ref:NAME>`: reviewers and the model see the placeholder. The
/// value is put into the text of the command unchanged, so quote the placeholder. While the command
/// runs, the machine's list of processes shows the value.
///
/// With `run_in_background` the command continues after the call, and [`ShellProcess`] controls it.
/// Dropping both tools kills the commands that still run.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset, review};
/// use callpact_tools::Shell;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// let shell = Shell::new(dir)?;
/// let tools = Toolset::builder().tool(shell.processes()).tool(shell).build()?;
/// let cx = ToolContext::new().with_reviewer(review::auto_approve());
/// let call = ToolCall::new("call-1", "shell", r#"{"command": "echo hello | tr a-z A-Z"}"#);
/// assert_eq!(tools.call(&call, &cx).await?.to_model(), "HELLO\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Shell {
    /// Held open, so that the path cannot be swapped for another directory.
    open: Arc<File>,
    dir: PathBuf,
    table: Arc<ProcessTable>,
    program: OsString,
    env: Vec<(OsString, OsString)>,
    allowed: Option<Vec<OsString>>,
    timeout: Duration,
    max_timeout: Duration,
    max_output: usize,
    boundary: Boundary,
    require_approval: bool,
}

/// Another name for [`Shell`].
pub type ShellTool = Shell;

/// What to run, and for how long
#[derive(Debug, Clone, ToolInput)]
pub struct ShellInput {
    /// The command line to run
    pub command: String,
    /// How many seconds the command may run
    #[tool_param(min = 1)]
    pub timeout: Option<u32>,
    /// Whether to go on at once while the command runs; look after it with `shell_process`
    #[tool_param(default = false)]
    pub run_in_background: bool,
    /// What the command is for, in a few words, for the person who approves it
    pub description: Option<String>,
}

impl Shell {
    /// Runs in `dir`, which must exist.
    ///
    /// # Errors
    /// [`ToolConfigError::Directory`], which names `dir`.
    pub fn new(dir: impl AsRef<Path>) -> Result<Self, ToolConfigError> {
        let dir = dir.as_ref();
        let refused = |why: std::io::ErrorKind| {
            let shown = dir.display();
            ToolConfigError::Directory(format!(
                "baseDir must be an existing directory: {shown} ({why})"
            ))
        };
        let open = File::open(dir).map_err(|error| refused(error.kind()))?;
        if !open.metadata().is_ok_and(|meta| meta.is_dir()) {
            return Err(refused(std::io::ErrorKind::NotADirectory));
        }
        let dir = std::path::absolute(dir).map_err(|error| refused(error.kind()))?;
        Ok(Self {
            open: Arc::new(open),
            dir,
            table: Arc::new(ProcessTable::new(Self::table_limits())),
            program: "sh".into(),
            env: Vec::new(),
            allowed: None,
            timeout: Duration::from_secs(60),
            max_timeout: Duration::from_secs(600),
            max_output: 10_000,
            boundary: Boundary::strongest(),
            require_approval: true,
        })
    }

    /// The default limits of the background: 8 running, 32 ended, 30 minutes, 32 KiB of unread
    /// output of each stream.
    pub fn table_limits() -> TableLimits {
        TableLimits {
            max_output: 32 << 10,
            ..TableLimits::default()
        }
    }

    /// Sets other limits for the background. Call it before [`processes`](Self::processes), since it
    /// makes a new table.
    #[must_use]
    pub fn with_table_limits(mut self, limits: TableLimits) -> Self {
        self.table = Arc::new(ProcessTable::new(limits));
        self
    }

    /// The tool for the background processes of this one; both share one table.
    pub fn processes(&self) -> ShellProcess {
        ShellProcess::new(Arc::clone(&self.table), self.max_timeout)
    }

    /// Sends every command to the reviewer. On by default.
    #[must_use]
    pub fn require_approval(mut self, require: bool) -> Self {
        self.require_approval = require;
        self
    }

    /// How long a command runs if the model does not say; 60 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The longest time that the model may ask for; 600 seconds by default.
    #[must_use]
    pub fn max_timeout(mut self, timeout: Duration) -> Self {
        self.max_timeout = timeout;
        self
    }

    /// The most characters of output in a reply; 10,000 by default.
    #[must_use]
    pub fn max_output(mut self, chars: usize) -> Self {
        self.max_output = chars;
        self
    }

    /// The shell; `sh` by default. It is called with `-c -- COMMAND`.
    #[must_use]
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.program = program.into();
        self
    }

    /// A variable of the environment of every command.
    #[must_use]
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// The variables that commands get from this process, in place of
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

    /// The boundary around every command, which decides what ends with the command and what the
    /// command sees in `/proc`. By default the strongest of this machine.
    pub fn boundary(&self) -> Boundary {
        self.boundary
    }

    /// Refuses to work with a boundary weaker than `least`.
    ///
    /// ```
    /// use callpact_tools::Shell;
    /// use callpact_tools::engine::process::Boundary;
    ///
    /// # let dir = tempfile::tempdir()?;
    /// # let dir = dir.path();
    /// match Shell::new(dir)?.required(Boundary::Namespace) {
    ///     Ok(shell) => assert_eq!(shell.boundary(), Boundary::Namespace),
    ///     Err(error) => eprintln!("no shell on this machine: {error}"),
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ToolConfigError::Boundary`] when this machine has no such boundary.
    pub fn required(self, least: Boundary) -> Result<Self, ToolConfigError> {
        let boundary = require_boundary(least)?;
        Ok(Self { boundary, ..self })
    }

    /// Uses exactly this boundary, for example a weaker one for commands that must reach other
    /// processes of the machine.
    ///
    /// # Errors
    /// [`ToolConfigError::Boundary`] when this machine lacks it.
    pub fn with_boundary(self, boundary: Boundary) -> Result<Self, ToolConfigError> {
        let boundary = check_boundary(boundary)?;
        Ok(Self { boundary, ..self })
    }

    async fn approved(&self, input: &ShellInput, cx: &ToolContext) -> Result<String, ToolError> {
        let mut about = format!("Execute command: {}", shorten(&input.command));
        if input.run_in_background {
            about.push_str("\nIt goes on in the background.");
        }
        if let Some(purpose) = &input.description {
            let purpose = shorten(purpose);
            let _ = write!(about, "\nThe model says it is for: {purpose}");
        }
        let refused = format!("Command rejected by reviewer: {}", shorten(&input.command));
        cx.approved(about, input.command.clone())
            .preview(|command| show_lines(command))
            .check(|command| check_command(command))
            .refused(refused)
            .await
    }

    fn spec(&self, command: &str, timeout: Duration) -> Result<ProcessSpec, ToolError> {
        let argv: [OsString; 4] = [
            self.program.clone(),
            "-c".into(),
            "--".into(),
            command.into(),
        ];
        let mut spec = ProcessSpec::new(argv)
            .timeout(timeout)
            .boundary(self.boundary)
            .max_output(self.max_output.saturating_mul(4).saturating_add(1 << 20));
        if let Some(names) = &self.allowed {
            spec = spec.env_allow(names);
        }
        for (name, value) in &self.env {
            spec = spec.env(name, value);
        }
        if STARTS_IN_OPEN_DIRECTORY {
            return Ok(spec.cwd_open(self.open.try_clone()?));
        }
        Ok(spec.cwd(&self.dir))
    }
}

/// The lines of a command, with hidden characters written out.
fn show_lines(command: &str) -> String {
    let lines: Vec<String> = command.split('\n').map(visible).collect();
    lines.join("\n")
}

/// The fault in a command that no shell could run.
fn check_command(command: &str) -> Result<(), String> {
    if command.trim().is_empty() {
        return Err("Command must not be blank".to_owned());
    }
    if command.len() > MAX_COMMAND {
        return Err(format!("Command is longer than {MAX_COMMAND} bytes"));
    }
    if command.contains('\0') {
        return Err("Command has a NUL character in it".to_owned());
    }
    Ok(())
}

impl TypedAgentTool for Shell {
    type Input = ShellInput;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &["command"];

    fn name(&self) -> &'static str {
        "shell"
    }

    fn description(&self) -> &'static str {
        "Runs a command line in a shell and returns its output. With run_in_background it goes on \
         after the call; shell_process then shows its output, waits for it or stops it."
    }

    fn permission(&self) -> Permission {
        Permission::Destructive
    }

    fn asks_itself(&self) -> bool {
        self.require_approval
    }

    /// The lines of the command, with hidden characters written out, where it runs and for how long.
    fn preview(&self, input: &ShellInput) -> Option<Preview> {
        let asked = input.timeout.map(u64::from);
        let seconds = asked.or((!input.run_in_background).then_some(self.timeout.as_secs()));
        let command = CommandPreview::new(show_lines(&input.command))
            .with("folder", visible(&self.dir.display().to_string()));
        let command = match seconds {
            Some(seconds) => command.with("stops after", format!("{seconds} s")),
            None => command.with("stops after", "never, it runs in the background"),
        };
        Some(Preview::command(command))
    }

    fn precheck(&self, input: &ShellInput) -> Result<(), String> {
        check_command(&input.command)?;
        let most = self.max_timeout.as_secs();
        if input
            .timeout
            .is_some_and(|timeout| u64::from(timeout) > most)
        {
            return Err(format!("timeout may be at most {most} seconds"));
        }
        Ok(())
    }

    async fn execute(&self, mut input: ShellInput, cx: &ToolContext) -> Self::Output {
        needs_all("shell")?;
        if self.require_approval {
            input.command = self.approved(&input, cx).await?;
        }
        let asked = input
            .timeout
            .map(|timeout| Duration::from_secs(timeout.into()));
        let redactor = cx.redactor();
        if input.run_in_background {
            // Without its own limit, that of the table.
            let time = asked.unwrap_or(Duration::MAX);
            let spec = self.spec(&input.command, time)?;
            let id = self.table.start_redacted(spec, redactor.as_ref())?;
            let id = name_process(&id, cx);
            return Ok(format!(
                "Started in the background as process {id}. Use shell_process with process_id \"{id}\" to see its output, wait for it or stop it."
            ));
        }
        let time = asked.unwrap_or(self.timeout).min(self.max_timeout);
        let spec = self.spec(&input.command, time)?;
        let outcome = run(&spec).await?;
        let output = self.output(&outcome, redactor.as_ref());
        match status(&outcome, time) {
            None => Ok(output),
            Some(status) if output.trim().is_empty() => Err(ToolError::failed(status)),
            Some(status) => {
                let line = if output.ends_with('\n') { "" } else { "\n" };
                Err(ToolError::failed(format!("{output}{line}{status}")))
            }
        }
    }
}

impl Shell {
    /// Both streams, with secrets removed before anything is cut.
    fn output(&self, outcome: &Outcome, redactor: Option<&Redactor>) -> String {
        let mut text = clean(&outcome.stdout, redactor);
        let errors = clean(&outcome.stderr, redactor);
        if !errors.is_empty() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&errors);
        }
        let cut = text.char_indices().nth(self.max_output).map(|(at, _)| at);
        let lost = outcome.stdout.truncated || outcome.stderr.truncated;
        if let Some(at) = cut {
            text.truncate(at);
        }
        if cut.is_some() || lost {
            let most = self.max_output;
            let _ = write!(text, "\n... (output truncated at {most} characters)");
        }
        if lossy(&outcome.stdout) || lossy(&outcome.stderr) {
            let _ = write!(text, "\n{LOSSY}");
        }
        text
    }
}

/// How a command failed, if it did.
fn status(outcome: &Outcome, time: Duration) -> Option<String> {
    if outcome.timed_out {
        let time = time.as_secs_f64();
        return Some(format!("Command timed out after {time} seconds"));
    }
    match (outcome.code, outcome.signal) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("Command exited with code {code}")),
        (None, Some(signal)) => Some(format!("Command was ended by signal {signal}")),
        (None, None) => Some("Command ended without a code".to_owned()),
    }
}

/// Whether the bytes are invalid UTF-8. A character that the limit cut does not count.
fn lossy(stream: &Captured) -> bool {
    let bytes = if stream.truncated {
        whole_characters(&stream.bytes)
    } else {
        &stream.bytes
    };
    std::str::from_utf8(bytes).is_err()
}

fn clean(stream: &Captured, redactor: Option<&Redactor>) -> String {
    let text = String::from_utf8_lossy(&stream.bytes);
    let Some(redactor) = redactor else {
        return text.into_owned();
    };
    let mut pieces = redactor.stream();
    let mut out = pieces.push(&text);
    if !stream.truncated {
        out.push_str(&pieces.finish());
    }
    // At a cut, the possible start of a secret is left out.
    out
}
