//! The fields of a call beside its id, its name and its arguments.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::schema::cut;

/// What a provider said of a call beside its id, its name and its arguments. The reply to the call carries it too,
/// and repeats what the provider wants to see again.
///
/// ```
/// use serde_json::json;
/// use callpact::{Dialect, ToolCall};
///
/// let response = json!({"output": [{
///     "type": "function_call", "call_id": "c1", "name": "list", "arguments": "{}", "namespace": "crm",
///     "caller": {"type": "program", "caller_id": "p1"},
/// }]});
/// let calls = ToolCall::parse(&response, Dialect::OpenAiResponses)?;
/// assert_eq!(calls[0].origin.namespace.as_deref(), Some("crm"));
/// assert_eq!(calls[0].origin.caller.as_ref().unwrap()["caller_id"], "p1");
/// # Ok::<(), callpact::adapter::CallFault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallOrigin {
    /// The namespace of the tool. In a list, this is the tool `namespace_name`, as [`Toolset::prefix`](crate::Toolset::prefix)
    /// names it; a name that no other tool of the list ends with may stand there alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Who made the call, if the model did not make it directly: a program that the model wrote, for example. The reply
    /// to Responses repeats it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Value>,
    /// The set of the provider's tools to which the tool belongs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub toolset: Option<String>,
    /// The call is that of a custom tool: its input came as free text, and the arguments are an object with this text as
    /// `input`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_text: bool,
    /// The result may be sent with a later request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub answers_later: bool,
}

impl CallOrigin {
    /// Whether the provider said nothing.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Reads the fields of an item that is a call.
    pub(crate) fn of(item: &Value) -> Self {
        let text = |key| item.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            namespace: text("namespace").filter(|name| !name.is_empty()),
            caller: item
                .get("caller")
                .filter(|caller| caller.is_object())
                .cloned(),
            toolset: text("toolset_name"),
            is_text: false,
            answers_later: item.get("async").and_then(Value::as_bool) == Some(true),
        }
    }

    /// The namespace and the caller in words for a reviewer; nothing about a plain call.
    pub(crate) fn describe(&self) -> String {
        // Writing to a String does not fail.
        let mut words = String::new();
        for name in self.namespace.iter().chain(&self.toolset) {
            let _ = write!(words, " in the namespace {:?}", cut(name, 64));
        }
        let kind = self.caller.as_ref().and_then(|caller| caller.get("type"));
        if let Some(kind) = kind.and_then(Value::as_str)
            && kind != "direct"
        {
            let _ = write!(
                words,
                ", which a program of the model calls ({:?})",
                cut(kind, 64)
            );
        }
        words
    }

    /// The fields as one text, for a digest; `None` for a plain call.
    pub(crate) fn to_text(&self) -> Option<String> {
        // All fields are texts, booleans and JSON.
        (!self.is_plain()).then(|| serde_json::to_string(self).unwrap_or_default())
    }
}

/// The arguments of a call whose input is free text.
pub(crate) fn text_arguments(input: &str) -> String {
    let mut arguments = serde_json::Map::new();
    arguments.insert("input".to_owned(), input.into());
    Value::Object(arguments).to_string()
}
