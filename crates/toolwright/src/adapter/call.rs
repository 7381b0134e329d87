//! A call as the model made it.

use serde::{Deserialize, Serialize};

/// A call as the model made it: which tool, with which arguments, under which id.
///
/// ```
/// use toolwright::ToolCall;
///
/// let call = ToolCall::new("call-1", "add", r#"{"a": 1, "b": 2}"#);
/// assert_eq!(call.name, "add");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id that the reply refers to.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as text.
    pub arguments: String,
}

impl ToolCall {
    /// A call.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        }
    }
}
