//! `file_edit`: replaces a text in a file.

use std::path::Path;

use callpact::review::Preview;
use callpact::{Permission, ToolContext, ToolError, ToolInput, TypedAgentTool};

use crate::ToolConfigError;
use crate::blocking::blocking;
use crate::engine::files::{FileError, PlannedEdit, Sandbox, WriteLimits};
use crate::words::shorten;

/// Replaces text in files below one directory.
///
/// The text to replace must match exactly, and at only one place unless every place is meant; otherwise
/// nothing is written and the model learns the number of places. A reviewer sees a unified diff, and the
/// file is not written if the diff has changed by then.
///
/// ```
/// use callpact::{ToolCall, ToolContext, Toolset};
/// use callpact_tools::FileEdit;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// std::fs::write(dir.join("poem.txt"), "one\ntwo\nthree\n")?;
/// let tools = Toolset::builder().tool(FileEdit::new(dir)?).build()?;
/// let edit = r#"{"path": "poem.txt", "old_string": "two\n", "new_string": ""}"#;
/// let reply = tools.call(&ToolCall::new("call-1", "file_edit", edit), &ToolContext::new()).await?;
/// assert_eq!(reply.to_model(), "Replaced 1 place in: poem.txt");
/// assert_eq!(std::fs::read_to_string(dir.join("poem.txt"))?, "one\nthree\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct FileEdit {
    sandbox: Sandbox,
    limits: WriteLimits,
    require_approval: bool,
}

/// Which text to replace in which file
#[derive(Debug, Clone, ToolInput)]
pub struct FileEditInput {
    /// The path of the file, relative to the base directory
    pub path: String,
    /// The text to replace, exactly as it stands in the file, with white space and line ends
    #[tool_param(min_length = 1)]
    pub old_string: String,
    /// The text to put in its place; empty to delete it
    pub new_string: String,
    /// Whether to replace every place; otherwise the text must stand at one place only
    #[tool_param(default = false)]
    pub replace_all: bool,
}

impl FileEdit {
    /// Edits below `dir`, which must exist.
    ///
    /// # Errors
    /// [`ToolConfigError::Directory`], which names `dir`.
    pub fn new(dir: impl AsRef<Path>) -> Result<Self, ToolConfigError> {
        let opened = Sandbox::open(dir);
        let sandbox = opened.map_err(|error| ToolConfigError::Directory(error.to_string()))?;
        Ok(Self::in_sandbox(&sandbox))
    }

    /// Edits below a directory that is already open. Tools on clones of one sandbox take turns.
    pub fn in_sandbox(sandbox: &Sandbox) -> Self {
        Self {
            sandbox: sandbox.clone(),
            limits: WriteLimits::default(),
            require_approval: false,
        }
    }

    /// Sends every edit to the reviewer of the call; then a call without a reviewer halts. The
    /// reviewer's edit replaces the new text. Off by default.
    #[must_use]
    pub fn require_approval(mut self, require: bool) -> Self {
        self.require_approval = require;
        self
    }

    /// The most bytes in a file, before and after the edit; 16 MiB by default.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.max_bytes = bytes;
        self
    }

    fn plan(&self, input: &FileEditInput, new: &str) -> Result<PlannedEdit, FileError> {
        let old = &input.old_string;
        self.sandbox
            .plan_edit(&input.path, old, new, input.replace_all, self.limits)
    }

    /// The change as a unified diff, or why it cannot be made.
    fn show(&self, input: &FileEditInput, new: &str) -> Preview {
        match self.plan(input, new) {
            Ok(planned) => Preview::file(planned.diff()),
            Err(error) => error.to_string().into(),
        }
    }

    /// The approved text: the original, or the reviewer's.
    async fn approved(&self, input: &FileEditInput, cx: &ToolContext) -> Result<String, ToolError> {
        let path = shorten(&input.path);
        cx.approved(format!("Edit file: {path}"), input.new_string.clone())
            .preview(|new| self.show(input, new))
            .refused(format!("File edit rejected by reviewer: {path}"))
            .await
    }
}

impl TypedAgentTool for FileEdit {
    type Input = FileEditInput;
    type Output = Result<String, ToolError>;
    /// Files outlive the call and are not redacted, so no secret goes into one.
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "file_edit"
    }

    fn description(&self) -> &'static str {
        "Replaces text in a file inside the base directory. old_string must stand in the file exactly and \
         at one place only, unless replace_all is set. Paths are relative to the base directory."
    }

    fn permission(&self) -> Permission {
        Permission::Write
    }

    fn asks_itself(&self) -> bool {
        self.require_approval
    }

    /// An edit that cannot be made is refused before a reviewer is asked.
    fn precheck(&self, input: &FileEditInput) -> Result<(), String> {
        match self.plan(input, &input.new_string) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The change as a unified diff.
    fn preview(&self, input: &FileEditInput) -> Option<Preview> {
        Some(self.show(input, &input.new_string))
    }

    async fn execute(&self, mut input: FileEditInput, cx: &ToolContext) -> Self::Output {
        if self.require_approval {
            input.new_string = self.approved(&input, cx).await?;
        }
        let tool = self.clone();
        let edited = blocking(move || {
            let planned = tool.plan(&input, &input.new_string)?;
            tool.sandbox.edit(&planned, tool.limits)
        });
        Ok(edited.await??.to_string())
    }
}
