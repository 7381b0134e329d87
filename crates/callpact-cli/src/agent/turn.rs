//! What the model answered in one turn.

use callpact::{
    Dialect, ToolCall,
    stream::{AssembledTurn, Ended},
};
use serde_json::Value;

use crate::exit::{Code, Failure};

/// The answer of a model in one turn, whole or as it arrived.
pub(super) struct ModelTurn {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    pub(super) refusal: Option<String>,
    /// Why the text is not a whole answer.
    pub(super) gap: Option<&'static str>,
    pub(super) hint: Option<String>,
}

impl ModelTurn {
    /// Reads a chat completion.
    pub(super) fn from_completion(response: &Value) -> Result<Self, Failure> {
        let calls = ToolCall::parse(response, Dialect::OpenAi)
            .map_err(|fault| Failure::failed(format!("the model's answer: {fault}")))?;
        let word = |path| response.pointer(path).and_then(Value::as_str);
        Ok(Self {
            text: text_of(response).trim().to_owned(),
            hint: ToolCall::hint(response, Dialect::OpenAi).map(str::to_owned),
            calls,
            refusal: word("/choices/0/message/refusal").map(str::to_owned),
            gap: gap(word("/choices/0/finish_reason")),
        })
    }

    /// Takes a turn that was assembled from a stream.
    pub(super) fn from_stream(turn: AssembledTurn) -> Self {
        let lost = "the endpoint's stream ended before the model's answer; run it again";
        Self {
            gap: gap(turn.reason.as_deref()).or((turn.ended != Ended::Stopped).then_some(lost)),
            text: turn.text.trim().to_owned(),
            calls: turn.calls,
            refusal: turn.refusal,
            hint: turn.hint,
        }
    }
}

/// The failure of a run without an answer.
pub(super) fn no_answer(message: &str) -> Failure {
    Failure::new(Code::Tool, message)
}

/// Why a message that ended for this reason is not whole: half an answer must not be taken for a whole one.
fn gap(reason: Option<&str>) -> Option<&'static str> {
    match reason {
        Some("length") => Some(
            "the model's answer was cut off at its longest length (finish_reason length); ask for less at once, or set another model",
        ),
        Some("content_filter") => {
            Some("the endpoint withheld the model's answer (finish_reason content_filter)")
        }
        _ => None,
    }
}

/// The text of a message, which some endpoints write as a list of parts.
fn text_of(response: &Value) -> String {
    match response.pointer("/choices/0/message/content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
        _ => String::new(),
    }
}
