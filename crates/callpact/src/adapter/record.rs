//! The result of a call as a store keeps it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ToolReply, reply::describe_edit};
use crate::tool::{Content, Outcome, ToolResult};

/// The result of a call as a [`CallStore`](crate::store::CallStore) keeps it, written as JSON. Secrets are
/// placeholders in it.
///
/// ```
/// use callpact::{Outcome, adapter::CallRecord};
///
/// let record: CallRecord = serde_json::from_str(r#"{"outcome": "success", "output": "paid"}"#)?;
/// assert_eq!((record.outcome, &*record.to_model()), (Outcome::Success, "paid"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// The outcome of the call.
    pub outcome: Outcome,
    /// The text of a success.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// The message of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the model may try again after this failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retry: bool,
    /// The structured output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// The blocks of content beside the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<Content>,
    /// What a person wrote in place of the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
}

impl CallRecord {
    /// The record of a result and of the outcome of its call.
    pub fn new(outcome: Outcome, result: &ToolResult) -> Self {
        Self {
            outcome,
            output: result.output().to_owned(),
            error: result.error().map(str::to_owned),
            retry: result.is_retry(),
            structured: result.structured().cloned(),
            content: result.content().to_vec(),
            edited: None,
        }
    }

    /// The result.
    pub fn into_result(self) -> ToolResult {
        let mut result = match (self.error, self.retry) {
            (Some(error), true) => ToolResult::retry(error),
            (Some(error), false) => ToolResult::failure(error),
            (None, _) => ToolResult::success(self.output),
        };
        if let Some(structured) = self.structured {
            result = result.with_structured(structured);
        }
        self.content
            .into_iter()
            .fold(result, ToolResult::with_content)
    }

    /// The text that a model gets.
    pub fn to_model(&self) -> String {
        let text = self.clone().into_result().to_model();
        match &self.edited {
            Some(edited) => format!("{text}\n\n{}", describe_edit(edited)),
            None => text,
        }
    }
}

impl From<&ToolReply> for CallRecord {
    fn from(reply: &ToolReply) -> Self {
        Self {
            edited: reply.edited.clone(),
            ..Self::new(reply.outcome, &reply.result)
        }
    }
}
