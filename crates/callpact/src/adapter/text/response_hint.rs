//! Why a response without calls does not mean that the model is done.

use serde_json::Value;

use super::{
    known::KnownTools,
    reader::{Ended, TextReader},
};

/// The hint for a program whose response has a call in its text.
const HINT: &str = "the response makes no call, but its text is written like one: nothing runs. The server \
                    does not take calls out of the text; set its parser of tool calls, or read the text with \
                    `TextReader`";

/// The hint if the reader of texts cannot read the call.
const FOREIGN_HINT: &str = "the response makes no call, but its text is written like one: nothing runs. The \
                            server does not take calls out of the text; set its parser of tool calls";

/// The paths from a response, or from its message, to the text of the model.
const TEXTS: &[&str] = &[
    "/choices/0/message/content",
    "/output/message/content",
    "/candidates/0/content/parts",
    "/response/output",
    "/message/content",
    "/content/parts",
    "/content",
    "/parts",
    "/output",
    "",
];

/// The hint for a response without calls whose text looks like one.
pub(crate) fn hint_of(response: &Value) -> Option<&'static str> {
    let texts = TEXTS.iter().filter_map(|path| response.pointer(path));
    texts.into_iter().find_map(hint_of_value)
}

fn hint_of_value(said: &Value) -> Option<&'static str> {
    match said {
        Value::String(text) => text_hint(text),
        Value::Array(parts) => {
            let texts = parts
                .iter()
                .filter_map(|part| part.get("text").or_else(|| part.get("content")));
            texts.into_iter().find_map(hint_of_value)
        }
        _ => None,
    }
}

/// The hint for a text of a response without calls. The tools are not known here, so every name counts.
pub(crate) fn text_hint(text: &str) -> Option<&'static str> {
    let mut reader = TextReader::new(&KnownTools::any());
    reader.push(text);
    let turn = reader.finish(Ended::Unknown);
    if !turn.calls.is_empty() {
        return Some(HINT);
    }
    turn.hint.map(|_| FOREIGN_HINT)
}
