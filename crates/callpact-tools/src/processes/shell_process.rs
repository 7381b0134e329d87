//! `shell_process`: the background processes of `shell`.

use std::sync::Arc;
use std::time::Duration;

use callpact::{Permission, ToolContext, ToolError, ToolInput, TypedAgentTool};

use crate::engine::process_table::{ProcessTable, TableError, is_name};
use crate::runtime::needs_time;
use crate::words::shorten;

/// Controls the background processes of a [`Shell`](crate::Shell), which makes this tool.
///
/// It shows the output of a process since the last look, waits for it to end, or stops it with everything that
/// it started. It reaches only the processes of its shell. If several workers have the shell, the name of a
/// process ends with the name of its worker, and another worker refuses the call and names the right one.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset};
/// use callpact_tools::Shell;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// let shell = Shell::new(dir)?.require_approval(false);
/// let tools = Toolset::builder().tool(shell.processes()).tool(shell).build()?;
/// let cx = ToolContext::new();
/// let start = r#"{"command": "echo done", "run_in_background": true}"#;
/// tools.call(&ToolCall::new("call-1", "shell", start), &cx).await?;
/// let wait = r#"{"process_id": "p1", "block": true}"#;
/// let reply = tools.call(&ToolCall::new("call-2", "shell_process", wait), &cx).await?;
/// assert_eq!(reply.to_model(), "Process p1 exited with code 0\nstdout:\ndone\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ShellProcess {
    table: Arc<ProcessTable>,
    timeout: Duration,
    max_timeout: Duration,
}

/// Which process to look after, and how
#[derive(Debug, Clone, ToolInput)]
pub struct ShellProcessInput {
    /// The process, as `shell` named it
    pub process_id: String,
    /// Whether to wait until the process has ended
    #[tool_param(default = false)]
    pub block: bool,
    /// How many seconds to wait at most
    #[tool_param(min = 1)]
    pub timeout: Option<u32>,
    /// Whether to stop the process
    #[tool_param(default = false)]
    pub stop: bool,
}

impl ShellProcess {
    pub(crate) fn new(table: Arc<ProcessTable>, max_timeout: Duration) -> Self {
        Self {
            table,
            timeout: Duration::from_secs(30),
            max_timeout,
        }
    }

    /// How long to wait if the model does not say; 30 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The longest wait that the model may ask for; by default the longest time of the shell.
    #[must_use]
    pub fn max_timeout(mut self, timeout: Duration) -> Self {
        self.max_timeout = timeout;
        self
    }
}

impl TypedAgentTool for ShellProcess {
    type Input = ShellProcessInput;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "shell_process"
    }

    fn description(&self) -> &'static str {
        "Looks after a command that shell started in the background: returns whether it runs and what \
         it wrote since the last look; with block waits for it to end, with stop ends it."
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    fn precheck(&self, input: &ShellProcessInput) -> Result<(), String> {
        if input.process_id.trim().is_empty() {
            return Err("Process id must not be blank".to_owned());
        }
        let most = self.max_timeout.as_secs();
        if input
            .timeout
            .is_some_and(|timeout| u64::from(timeout) > most)
        {
            return Err(format!("timeout may be at most {most} seconds"));
        }
        Ok(())
    }

    async fn execute(&self, input: ShellProcessInput, cx: &ToolContext) -> Self::Output {
        needs_time("shell_process")?;
        let id = find_here(&input.process_id, cx)?;
        let report = if input.stop {
            self.table.stop(id).await
        } else if input.block {
            let asked = input
                .timeout
                .map(|timeout| Duration::from_secs(timeout.into()));
            let time = asked.unwrap_or(self.timeout).min(self.max_timeout);
            self.table.wait(id, time).await
        } else {
            self.table.poll(id)
        };
        match report {
            Ok(mut report) => {
                report.id = name_process(&report.id, cx);
                Ok(report.to_string())
            }
            Err(TableError::Unknown { known }) => {
                let known = known.iter().map(|id| name_process(id, cx)).collect();
                Err(TableError::Unknown { known }.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The model's name for a process in a table. Every worker has its own table, so the name says which worker.
pub(super) fn name_process(id: &str, cx: &ToolContext) -> String {
    match cx.worker() {
        Some(worker) => format!("{id}@{worker}"),
        None => id.to_owned(),
    }
}

/// The name of a process in the table, unless it belongs to another worker. A name without a worker is unknown
/// at every worker, since each may have a process of this number.
fn find_here<'a>(name: &'a str, cx: &ToolContext) -> Result<&'a str, ToolError> {
    let Some(here) = cx.worker() else {
        return Ok(name);
    };
    match name.trim().split_once('@') {
        Some((id, worker)) if worker == here => Ok(id),
        Some((id, worker)) if is_name(id) && resembles(worker, here) => {
            Err(ToolError::failed(format!(
                "Process {} belongs to worker {}, and worker {here} got this call, so nothing was done. Make the call \
             again: if that worker is still there, it may get it; if it is gone, so is the process",
                shorten(name),
                shorten(worker),
            )))
        }
        // No worker has a process with such a name.
        _ => Ok(""),
    }
}

/// Whether a worker may have such a name. The names of workers have one form.
fn resembles(worker: &str, here: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    worker.len() == here.len() && worker.bytes().all(is_word)
}
