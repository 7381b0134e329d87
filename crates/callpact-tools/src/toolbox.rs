//! The whole safe set in one call.

use std::path::Path;

use callpact::toolset::Tools;

use crate::ToolConfigError;

/// Every tool that needs at most one directory: `file_read`, `file_write` and `file_edit` in `dir`,
/// `json_parser`, `calculator`, `datetime` and `human_input`, if their features are on.
///
/// None of them reaches the network or starts a process.
///
/// ```
/// # #[cfg(feature = "files")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use callpact::Toolset;
/// use callpact_tools::toolbox;
///
/// # let dir = tempfile::tempdir()?;
/// # let dir = dir.path();
/// let tools = Toolset::builder().tools(toolbox(dir)?).build()?;
/// assert!(tools.contains("file_read") && tools.contains("file_write"));
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "files"))]
/// # fn main() {}
/// ```
///
/// # Errors
/// [`ToolConfigError::Directory`] when `dir` is not a directory or cannot be opened; the text names it.
pub fn toolbox(dir: impl AsRef<Path>) -> Result<Tools, ToolConfigError> {
    let tools = Tools::new();
    #[cfg(not(feature = "files"))]
    let _ = dir;
    #[cfg(feature = "files")]
    let tools = {
        let opened = crate::engine::files::Sandbox::open(dir);
        let sandbox = opened.map_err(|error| ToolConfigError::Directory(error.to_string()))?;
        tools
            .with(crate::FileRead::in_sandbox(&sandbox))
            .with(crate::FileWrite::in_sandbox(&sandbox))
            .with(crate::FileEdit::in_sandbox(&sandbox))
    };
    #[cfg(feature = "json")]
    let tools = tools.with(crate::JsonParser::new());
    #[cfg(feature = "calculator")]
    let tools = tools.with(crate::Calculator::new());
    #[cfg(feature = "datetime")]
    let tools = tools.with(crate::DateTime::new());
    #[cfg(feature = "human")]
    let tools = tools.with(crate::HumanInput::new());
    Ok(tools)
}
