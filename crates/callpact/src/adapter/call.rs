//! A call as the model made it.

use serde::{Deserialize, Serialize};

/// A call as the model made it: which tool, with which arguments, under which id.
///
/// ```
/// use callpact::ToolCall;
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
    /// The response ended in the middle of this call, so the rest of it is unknown. A
    /// [`Toolset`](crate::Toolset) does not run it, and says so. [`parse`](Self::parse) sets this; a
    /// program that puts calls together itself sets it for the last call of such a response.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut_off: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_false(value: &bool) -> bool {
    !*value
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
            cut_off: false,
        }
    }
}
