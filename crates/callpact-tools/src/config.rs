//! Mistakes in setting up a tool.

use std::fmt;

/// A tool whose configuration is invalid. The error is for the program, not for a model.
///
/// ```
/// # #[cfg(feature = "files")]
/// # {
/// use callpact_tools::FileRead;
///
/// let error = FileRead::new("/no/such/place").map(|_| ()).unwrap_err();
/// assert!(error.to_string().starts_with("baseDir must be an existing directory: /no/such/place"));
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolConfigError {
    /// The directory is missing, is not a directory or cannot be opened; the text names it.
    Directory(String),
    /// A setting is missing or out of range.
    Setting(&'static str),
    /// Providers do not take the name.
    Name(String),
    /// The HTTP client cannot be set up, or refuses the URL, a header or a key.
    Client(String),
    /// The machine lacks the requested boundary for processes; the text names it and the strongest one
    /// that the machine has.
    Boundary(String),
}

impl fmt::Display for ToolConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(text) | Self::Client(text) | Self::Boundary(text) => f.write_str(text),
            Self::Setting(text) => f.write_str(text),
            Self::Name(name) => write!(
                f,
                "invalid tool name '{name}': a name is 1 to 64 letters, digits, `_` and `-`"
            ),
        }
    }
}

impl std::error::Error for ToolConfigError {}
