//! Bad calls in a form that a provider takes back.

use serde_json::{Map, Value};

use super::ToolCall;
use crate::{
    input::repair::is_json,
    names::{is_provider_name, provider_name},
};

/// The key under which bad arguments are kept.
const KEY: &str = "invalid_arguments";
/// How many characters of them are kept.
const KEPT: usize = 2_000;

/// A call in a form that its provider accepts when the history is sent again: its arguments are an
/// object, and its name is one that a tool may have ([`is_provider_name`]). A good call stays as it is.
///
/// The id stays, since a provider takes back what it wrote. In a history for another provider, calls and replies
/// need other ids: [`names::provider_id`](crate::names::provider_id). Where the provider finds the call of a
/// reply by its name, as Gemini and Ollama do, give the reply this name ([`ToolReply::tool`](super::ToolReply::tool)).
///
/// A provider that gets a broken call again refuses the whole request, and with it every later turn
/// of the conversation.
///
/// ```
/// use callpact::{ToolCall, adapter::sanitized_for_replay};
///
/// let bad = ToolCall::new("call-1", "file write", r#"{"path": "a.tx"#);
/// let call = sanitized_for_replay(&bad);
/// assert_eq!(call.name, "file_write");
/// assert_eq!(call.arguments, r#"{"invalid_arguments":"{\"path\": \"a.tx"}"#);
/// assert_eq!(sanitized_for_replay(&call), call);
/// ```
pub fn sanitized_for_replay(call: &ToolCall) -> ToolCall {
    let name = if is_provider_name(&call.name) {
        call.name.clone()
    } else if call.name.is_empty() {
        "unknown".to_owned()
    } else {
        provider_name(&call.name)
    };
    let text = call.arguments.trim();
    let arguments = if text.is_empty() || text == "null" {
        "{}".to_owned()
    } else if text.starts_with('{') && is_json(text) {
        call.arguments.clone()
    } else {
        let mut kept: String = text.chars().take(KEPT).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        Value::Object(Map::from_iter([(KEY.to_owned(), Value::String(kept))])).to_string()
    };
    ToolCall {
        name,
        arguments,
        ..call.clone()
    }
}
