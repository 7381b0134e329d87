//! A call as the model made it.

use serde::{Deserialize, Serialize};

use crate::tool::CallOrigin;

/// A call as the model made it: which tool, with which arguments, under which id.
///
/// ```
/// use callpact::ToolCall;
///
/// let call = ToolCall::new("call-1", "add", r#"{"a": 1, "b": 2}"#);
/// assert_eq!(call.name, "add");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id that the reply refers to.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments as text.
    pub arguments: String,
    /// The response ended in the middle of this call, so the rest of it is unknown. A
    /// [`Toolset`](crate::Toolset) does not run it, and says so. [`parse`](Self::parse) and
    /// [`TurnAssembler`](crate::stream::TurnAssembler) set this; a program that puts calls together itself sets it
    /// for the last call of such a response.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_off: bool,
    /// Why the call could not be put together from what the provider or the model wrote. A
    /// [`Toolset`](crate::Toolset) does not run it, and tells the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// What the provider said of the call beside this.
    #[serde(default, skip_serializing_if = "CallOrigin::is_plain")]
    pub origin: CallOrigin,
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
            fault: None,
            origin: CallOrigin::default(),
        }
    }
}
