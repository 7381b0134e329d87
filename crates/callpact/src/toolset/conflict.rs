//! Conflicts between the tools of a list.

use std::fmt;

/// One reason why a list cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// Two tools have one name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A name that providers do not take.
    InvalidName {
        /// The name.
        name: String,
    },
    /// Two names that become equal when they are made safe for providers.
    SameSafeName {
        /// The one name.
        first: String,
        /// The other name.
        second: String,
        /// The name that both become.
        safe: String,
    },
    /// A tool without a description.
    EmptyDescription {
        /// Its name.
        name: String,
    },
    /// A secret parameter that is not a valid path.
    InvalidSecretPath {
        /// The name of the tool.
        name: String,
        /// The path.
        path: String,
    },
    /// A combinator names a tool that does not exist.
    NoSuchTool {
        /// The name.
        name: String,
    },
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DuplicateName { name } => write!(f, "Duplicate tool name: '{name}'"),
            Self::InvalidName { name } => write!(
                f,
                "Invalid tool name: '{}': a name is 1 to 64 letters, digits, `_` and `-`",
                crate::schema::cut(name, 80)
            ),
            Self::SameSafeName {
                first,
                second,
                safe,
            } => {
                write!(
                    f,
                    "Tool names '{first}' and '{second}' both become '{safe}' for providers"
                )
            }
            Self::EmptyDescription { name } => {
                write!(
                    f,
                    "Tool '{name}' has no description: say what it does and when to use it"
                )
            }
            Self::InvalidSecretPath { name, path } => {
                write!(
                    f,
                    "Tool '{name}' names '{path}' as a secret parameter, which is not a path"
                )
            }
            Self::NoSuchTool { name } => write!(f, "There is no tool '{name}' in this list"),
        }
    }
}

/// All conflicts in a list of tools.
///
/// ```
/// use callpact::{Toolset, tool};
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a.saturating_add(b)
/// }
///
/// # fn main() {
/// let error = Toolset::builder().tool(Add).tool(Add).build().unwrap_err();
/// assert_eq!(error.to_string(), "Duplicate tool name: 'add'");
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolsetError {
    /// All conflicts, in the order of the list.
    pub conflicts: Vec<Conflict>,
}

impl fmt::Display for ToolsetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, conflict) in self.conflicts.iter().enumerate() {
            write!(f, "{}{conflict}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolsetError {}
