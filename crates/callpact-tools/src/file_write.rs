//! `file_write`: a text file below one directory, with a reviewer's consent if required.

use std::path::Path;

use callpact::review::Preview;
use callpact::{Permission, ToolContext, ToolError, ToolInput, TypedAgentTool};

use crate::ToolConfigError;
use crate::blocking::blocking;
use crate::engine::files::{Sandbox, WriteLimits, WriteMode};
use crate::words::shorten;

/// Writes text files below one directory.
///
/// A file is replaced in one step, so it is always the old one or the new one, never half of each. Appended text
/// is added in one write, so that nothing is lost when several processes append ([`Sandbox::write`] lists the
/// exceptions). Missing directories are created. A link at the end of the path is never followed.
///
/// With [`require_approval`](Self::require_approval), a reviewer sees the complete content of every write and the
/// change that it makes, and the reviewer's edit is written in its place. If the file is another one by then, nothing
/// is written.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset, review};
/// use callpact_tools::FileWrite;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// let tools = Toolset::builder().tool(FileWrite::new(dir)?.require_approval(true)).build()?;
/// let cx = ToolContext::new().with_reviewer(review::auto_approve());
/// let call = ToolCall::new("call-1", "file_write", r#"{"path": "a/b.txt", "content": "hello"}"#);
/// assert_eq!(tools.call(&call, &cx).await?.to_model(), "Successfully wrote to: a/b.txt");
/// assert_eq!(std::fs::read_to_string(dir.join("a/b.txt"))?, "hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FileWrite {
    sandbox: Sandbox,
    limits: WriteLimits,
    require_approval: bool,
}

/// What to write, and into which file
#[derive(Debug, Clone, ToolInput)]
pub struct FileWriteInput {
    /// The path of the file, relative to the base directory
    pub path: String,
    /// The text to write
    pub content: String,
    /// What to do with a file that is there already; `overwrite` when left out
    pub mode: Option<FileWriteMode>,
}

/// How an existing file is treated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ToolInput)]
#[tool_input(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileWriteMode {
    /// The file is replaced
    #[default]
    Overwrite,
    /// The text is added at the end
    Append,
    /// Writing fails when the file exists
    CreateNew,
}

impl FileWriteInput {
    fn mode(&self) -> WriteMode {
        match self.mode.unwrap_or_default() {
            FileWriteMode::Overwrite => WriteMode::Overwrite,
            FileWriteMode::Append => WriteMode::Append,
            FileWriteMode::CreateNew => WriteMode::CreateNew,
        }
    }
}

impl FileWrite {
    /// Writes below `dir`, which must exist.
    ///
    /// # Errors
    /// [`ToolConfigError::Directory`], which names `dir`.
    pub fn new(dir: impl AsRef<Path>) -> Result<Self, ToolConfigError> {
        let opened = Sandbox::open(dir);
        let sandbox = opened.map_err(|error| ToolConfigError::Directory(error.to_string()))?;
        Ok(Self::in_sandbox(&sandbox))
    }

    /// Writes below a directory that is already open. Tools on clones of one sandbox take turns.
    pub fn in_sandbox(sandbox: &Sandbox) -> Self {
        Self {
            sandbox: sandbox.clone(),
            limits: WriteLimits::default(),
            require_approval: false,
        }
    }

    /// Sends every write to the reviewer of the call; then a call without a reviewer halts. Off by
    /// default.
    #[must_use]
    pub fn require_approval(mut self, require: bool) -> Self {
        self.require_approval = require;
        self
    }

    /// The most bytes in the file after the write; 16 MiB by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.max_bytes = bytes;
        self
    }

    /// The approved content: the original, or the reviewer's.
    async fn approved(
        &self,
        input: &FileWriteInput,
        cx: &ToolContext,
    ) -> Result<String, ToolError> {
        let how = match input.mode.unwrap_or_default() {
            FileWriteMode::Overwrite => "",
            FileWriteMode::Append => " (append)",
            FileWriteMode::CreateNew => " (only if it is new)",
        };
        let path = &input.path;
        let start = shorten(&input.content);
        let what = format!("Write to file: {path}{how}\nContent preview: {start}");
        cx.approved(what, input.content.clone())
            .preview(|content| self.show(input, content))
            .refused(format!(
                "File write rejected by reviewer: {}",
                shorten(path)
            ))
            .await
    }

    /// The change that this content makes to the file.
    fn show(&self, input: &FileWriteInput, content: &str) -> Option<Preview> {
        self.sandbox
            .preview_write(&input.path, content, input.mode(), self.limits)
    }
}

impl TypedAgentTool for FileWrite {
    type Input = FileWriteInput;
    type Output = Result<String, ToolError>;
    /// Files outlive the call and are not redacted, so no secret goes into one.
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "file_write"
    }

    fn description(&self) -> &'static str {
        "Writes text to a file inside the base directory: replaces the file, appends to it, or only \
         creates it. Missing directories are made. Paths are relative to the base directory."
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    fn asks_itself(&self) -> bool {
        self.require_approval
    }

    /// A path that cannot be written is refused before a reviewer is asked.
    fn precheck(&self, input: &FileWriteInput) -> Result<(), String> {
        self.sandbox
            .check_write(&input.path)
            .map_err(|error| error.to_string())
    }

    /// The change to an existing file, as a unified diff. For a file that cannot be compared: its size and a
    /// digest of its content.
    fn preview(&self, input: &FileWriteInput) -> Option<Preview> {
        self.show(input, &input.content)
    }

    async fn execute(&self, mut input: FileWriteInput, cx: &ToolContext) -> Self::Output {
        if self.require_approval {
            input.content = self.approved(&input, cx).await?;
        }
        let (sandbox, limits) = (self.sandbox.clone(), self.limits);
        let written =
            blocking(move || sandbox.write(&input.path, &input.content, input.mode(), limits));
        Ok(written.await??.to_string())
    }
}
