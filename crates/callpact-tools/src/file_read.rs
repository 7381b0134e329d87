//! `file_read`: a text file below one directory.

use std::path::Path;

use callpact::{Permission, ToolContext, ToolError, ToolInput, TypedAgentTool};

use crate::ToolConfigError;
use crate::blocking::blocking;
use crate::engine::files::{LineRange, ReadLimits, Sandbox};

/// Reads text files below one directory.
///
/// It reads only regular files of UTF-8 text, only inside the directory. Links are followed as long
/// as they stay inside, and nothing in a reply depends on files outside.
///
/// ```
/// use callpact::{AgentTool, ToolContext};
/// use callpact_tools::FileRead;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// std::fs::write(dir.join("poem.txt"), "one\ntwo\nthree\n")?;
/// let tool = FileRead::new(dir)?;
/// let cx = ToolContext::new();
/// let call = r#"{"path": "poem.txt", "first_line": 2, "last_line": 2}"#;
/// let read = AgentTool::execute(&tool, call, &cx).await;
/// assert_eq!(read.output(), "two\n");
/// let read = AgentTool::execute(&tool, r#"{"path": "../secret"}"#, &cx).await;
/// assert_eq!(read.to_model(), "Error: Access denied: path is outside the sandbox directory");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FileRead {
    sandbox: Sandbox,
    limits: ReadLimits,
}

/// Which file to read, and which lines of it
#[derive(Debug, Clone, ToolInput)]
pub struct FileReadInput {
    /// The path of the file, relative to the base directory
    pub path: String,
    /// The first line to read, counted from 1; leave it out to read from the start
    #[tool_param(min = 1)]
    pub first_line: Option<u64>,
    /// The last line to read; leave it out to read to the end
    #[tool_param(min = 1)]
    pub last_line: Option<u64>,
}

impl FileRead {
    /// Reads below `dir`, which must exist.
    ///
    /// # Errors
    /// [`ToolConfigError::Directory`], which names `dir`.
    pub fn new(dir: impl AsRef<Path>) -> Result<Self, ToolConfigError> {
        let opened = Sandbox::open(dir);
        let sandbox = opened.map_err(|error| ToolConfigError::Directory(error.to_string()))?;
        Ok(Self::in_sandbox(&sandbox))
    }

    /// Reads below a directory that is already open.
    pub fn in_sandbox(sandbox: &Sandbox) -> Self {
        Self {
            sandbox: sandbox.clone(),
            limits: ReadLimits::default(),
        }
    }

    /// The most bytes that one call returns; 1 MiB by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.max_bytes = bytes;
        self
    }

    /// The most bytes that are scanned for a range of lines; 64 MiB by default.
    #[must_use]
    pub fn max_scan(mut self, bytes: u64) -> Self {
        self.limits.max_scan = bytes;
        self
    }
}

impl TypedAgentTool for FileRead {
    type Input = FileReadInput;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "file_read"
    }

    fn description(&self) -> &'static str {
        "Reads a text file inside the base directory and returns its content, whole or a range of \
         lines. Paths are relative to the base directory; nothing outside it can be read."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    async fn execute(&self, input: FileReadInput, _: &ToolContext) -> Self::Output {
        let (sandbox, limits) = (self.sandbox.clone(), self.limits);
        let range = match (input.first_line, input.last_line) {
            (None, None) => None,
            (first, last) => Some(LineRange::new(first.unwrap_or(1), last)),
        };
        let read = blocking(move || sandbox.read(&input.path, range, limits)).await??;
        Ok(read.text)
    }
}
