//! Calls in the form of each provider.

use std::collections::HashSet;

use callpact_contract::dialect::profile::CallForm;
use serde_json::Value;

use super::{CallFault, ToolCall, text::hint_of};
use crate::{
    schema::Dialect,
    tool::{CallOrigin, text_arguments},
};

/// How a provider writes a call.
#[derive(Clone, Copy)]
struct WireForm {
    /// The paths from a response to the list of calls.
    lists: &'static [&'static str],
    /// The key in an item that holds the call, if it is nested.
    nested: Option<&'static str>,
    /// The `type` of the items that are calls, where items have one.
    kind: Option<&'static str>,
    /// The `type` of the items that are calls with free text, and the key that holds such a call, if it is nested.
    custom: Option<(&'static str, Option<&'static str>)>,
    /// The key of the id; beside `nested` for chat, inside it elsewhere.
    id: &'static str,
    id_outside: bool,
    arguments: &'static str,
    /// The paths from a response to the word that says why it ended.
    endings: &'static [&'static str],
    /// Whether an item says that it is complete; `None` if it does not say.
    whole: fn(&Value) -> Option<bool>,
}

/// The words of the providers for a response that was stopped by a limit or a filter.
const CUT_OFF: &[&str] = &[
    "length",
    "model_length",
    "max_tokens",
    "max_output_tokens",
    "model_context_window_exceeded",
    "incomplete",
    "in_progress",
    "failed",
    "cancelled",
    "error",
    "refusal",
    "content_filter",
    "content_filtered",
    "guardrail_intervened",
    "safety",
    "recitation",
    "language",
    "blocklist",
    "prohibited_content",
    "spii",
    "malformed_function_call",
    "malformed_response",
    "malformed_model_output",
    "malformed_tool_use",
];

/// The `type` of a call that the provider makes and answers itself.
const OF_PROVIDER: &str = "server_tool_use";

const CHAT: WireForm = WireForm {
    lists: &[
        "/choices/0/message/tool_calls",
        "/message/tool_calls",
        "/tool_calls",
    ],
    nested: Some("function"),
    kind: Some("function"),
    custom: Some(("custom", Some("custom"))),
    id: "id",
    id_outside: true,
    arguments: "arguments",
    endings: &["/choices/0/finish_reason", "/finish_reason", "/done_reason"],
    whole: |_| None,
};
const RESPONSES: WireForm = WireForm {
    lists: &["/response/output", "/output"],
    nested: None,
    kind: Some("function_call"),
    custom: Some(("custom_tool_call", None)),
    id: "call_id",
    id_outside: false,
    arguments: "arguments",
    endings: &["/response/status", "/status"],
    whole: |item| Some(!is_cut_word(item.get("status")?.as_str()?)),
};
const MESSAGES: WireForm = WireForm {
    lists: &["/message/content", "/content"],
    nested: None,
    kind: Some("tool_use"),
    custom: None,
    id: "id",
    id_outside: false,
    arguments: "input",
    endings: &["/message/stop_reason", "/stop_reason"],
    whole: |_| None,
};
const GEMINI: WireForm = WireForm {
    lists: &["/candidates/0/content/parts", "/content/parts", "/parts"],
    nested: Some("functionCall"),
    kind: None,
    custom: None,
    id: "id",
    id_outside: false,
    arguments: "args",
    endings: &["/candidates/0/finishReason", "/finishReason"],
    whole: is_no_piece,
};
const CONVERSE: WireForm = WireForm {
    lists: &["/output/message/content", "/message/content", "/content"],
    nested: Some("toolUse"),
    kind: None,
    custom: None,
    id: "toolUseId",
    id_outside: false,
    arguments: "input",
    endings: &["/stopReason"],
    whole: |_| None,
};

const fn form(dialect: Dialect) -> Option<&'static WireForm> {
    match dialect.profile().call {
        CallForm::Chat => Some(&CHAT),
        CallForm::Responses => Some(&RESPONSES),
        CallForm::Messages => Some(&MESSAGES),
        CallForm::Gemini => Some(&GEMINI),
        CallForm::Converse => Some(&CONVERSE),
        CallForm::Mcp => None,
    }
}

impl ToolCall {
    /// The calls in a provider's response: the whole of it, its message, or the list of its parts.
    ///
    /// Text parts are skipped, and so are calls that the provider answers itself. A response without calls
    /// gives an empty list. A call without an id, which some servers leave out, gets one by its position
    /// that no other call has. If the response says that it was cut off and its last part is a call, that
    /// call is [`cut_off`](Self::cut_off). Only the whole response says so, not its message.
    ///
    /// ```
    /// use serde_json::json;
    /// use callpact::{Dialect, ToolCall};
    ///
    /// let response = json!({"content": [
    ///     {"type": "text", "text": "I will look."},
    ///     {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {"query": "lamp"}},
    /// ]});
    /// let calls = ToolCall::parse(&response, Dialect::Anthropic)?;
    /// assert_eq!(calls, [ToolCall::new("toolu_1", "search", r#"{"query":"lamp"}"#)]);
    /// # Ok::<(), callpact::adapter::CallFault>(())
    /// ```
    ///
    /// # Errors
    /// When a part is marked as a call and is not one. Arguments that are not JSON are not an error
    /// here: the reader reports them to the model.
    pub fn parse(response: &Value, dialect: Dialect) -> Result<Vec<Self>, CallFault> {
        let calls = calls(response, dialect)?;
        if calls.is_empty()
            && let Some(hint) = hint_of(response)
        {
            tracing::warn!(target: "callpact", %dialect, "{hint}");
        }
        Ok(calls)
    }

    /// Why a response without calls does not mean that the model is done: its text is written like a call.
    /// [`parse`](Self::parse) says it in a warning to the log; a loop can show it to its user.
    ///
    /// ```
    /// use serde_json::json;
    /// use callpact::{Dialect, ToolCall};
    ///
    /// let response = json!({"message": {
    ///     "role": "assistant",
    ///     "content": "<tool_call>\n{\"name\": \"search\", \"arguments\": {}}\n</tool_call>",
    /// }});
    /// assert!(ToolCall::parse(&response, Dialect::Ollama)?.is_empty());
    /// assert!(ToolCall::hint(&response, Dialect::Ollama).unwrap().contains("`TextReader`"));
    /// # Ok::<(), callpact::adapter::CallFault>(())
    /// ```
    pub fn hint(response: &Value, dialect: Dialect) -> Option<&'static str> {
        match calls(response, dialect) {
            Ok(calls) if calls.is_empty() => hint_of(response),
            _ => None,
        }
    }
}

fn calls(response: &Value, dialect: Dialect) -> Result<Vec<ToolCall>, CallFault> {
    let Some(form) = form(dialect) else {
        return mcp(response).map(|call| vec![call]);
    };
    let found = form
        .lists
        .iter()
        .find_map(|path| Some((*path, response.pointer(path)?)));
    let (path, items) = match (found, response) {
        (Some((path, Value::Array(items))), _) => (path, items.as_slice()),
        (None, Value::Array(items)) => ("", items.as_slice()),
        // A message without calls has no list, or null in its place.
        (found, Value::Object(map)) if found.is_none_or(has_no_list) => {
            let kind = map.get("type").and_then(Value::as_str);
            let single = form.nested.is_some_and(|key| map.contains_key(key))
                || (form.kind.is_some() && kind == form.kind)
                || form.custom.is_some_and(|(name, _)| kind == Some(name));
            if single {
                ("", std::slice::from_ref(response))
            } else {
                return Ok(Vec::new());
            }
        }
        (Some((path, _)), _) => return Err(fault(path, "expected a list")),
        (None, _) => return Err(fault("", "expected an object")),
    };
    let cut_off = form
        .endings
        .iter()
        .find_map(|path| response.pointer(path)?.as_str())
        .is_some_and(is_cut_word);
    let mut calls = Vec::new();
    for (index, item) in items.iter().enumerate() {
        // Items are written in order, so only the last can be cut off.
        let cut_off = (form.whole)(item).map_or(cut_off && index + 1 == items.len(), |it| !it);
        let place = format!("{path}/{index}");
        match one(item, form, &place, cut_off)? {
            Some(call) => calls.push(call),
            None if holds_calls(path) && item.get("type").is_none() => {
                return Err(fault(&place, "expected a call"));
            }
            None => {}
        }
    }
    name_calls(&mut calls);
    Ok(calls)
}

/// Whether a list holds only calls, with no text parts.
fn holds_calls(path: &str) -> bool {
    path.ends_with("/tool_calls")
}

/// Whether a value in the place of the list means that the message has none.
fn has_no_list((path, said): (&str, &Value)) -> bool {
    said.is_null() || said.is_string() && !holds_calls(path)
}

/// Gives each call without an id one made from its position.
pub(crate) fn name_calls(calls: &mut [ToolCall]) {
    let given: HashSet<String> = calls.iter().map(|call| call.id.clone()).collect();
    let mut next = 0;
    for (position, call) in calls.iter_mut().enumerate() {
        if !call.id.is_empty() {
            continue;
        }
        next = next.max(position);
        while call.id.is_empty() {
            let id = format!("call_{next}");
            next += 1;
            if !given.contains(&id) {
                call.id = id;
            }
        }
    }
}

/// Whether a provider's word for the end of a response means that it was stopped.
pub(crate) fn is_cut_word(word: &str) -> bool {
    CUT_OFF.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Gemini can send a call in pieces.
fn is_no_piece(part: &Value) -> Option<bool> {
    let call = part.get("functionCall")?;
    let goes_on = call.get("willContinue").and_then(Value::as_bool) == Some(true);
    let is_piece = goes_on || call.get("partialArgs").is_some_and(|args| !args.is_null());
    is_piece.then_some(false)
}

fn fault(path: &str, message: &str) -> CallFault {
    CallFault {
        path: path.to_owned(),
        message: message.to_owned(),
    }
}

/// A call, or nothing if the item is something else. A missing id is left empty.
fn one(
    item: &Value,
    form: &WireForm,
    path: &str,
    cut_off: bool,
) -> Result<Option<ToolCall>, CallFault> {
    let kind = item.get("type").and_then(Value::as_str);
    let custom = form.custom.filter(|(name, _)| kind == Some(*name));
    let nested = custom.map_or(form.nested, |(_, nested)| nested);
    let inner = match nested {
        Some(key) => match item.get(key).filter(|inner| !inner.is_null()) {
            Some(inner) => inner,
            None if custom.is_some() || form.kind.is_some() && kind == form.kind => {
                return Err(fault(path, &format!("a call without `{key}`")));
            }
            None => return Ok(None),
        },
        None if custom.is_some() || kind == form.kind => item,
        None => return Ok(None),
    };
    if inner.get("type").and_then(Value::as_str) == Some(OF_PROVIDER) {
        return Ok(None);
    }
    let name = match inner.get("name").and_then(Value::as_str) {
        Some(name) => name,
        // The response ended before the name.
        None if cut_off => "",
        None => return Err(fault(path, "a call without a name")),
    };
    let outer = if form.id_outside { item } else { inner };
    let id = outer.get(form.id).and_then(Value::as_str).unwrap_or("");
    let arguments = match custom {
        Some(_) => text_arguments(inner.get("input").and_then(Value::as_str).unwrap_or("")),
        None => text(inner.get(form.arguments)),
    };
    let mut call = ToolCall::new(id, name, arguments);
    call.cut_off = cut_off;
    call.origin = CallOrigin::of(item);
    call.origin.is_text = custom.is_some();
    Ok(Some(call))
}

/// Arguments as text: some providers send text, others the object itself.
fn text(arguments: Option<&Value>) -> String {
    match arguments {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// A `tools/call` request, or its `params`.
fn mcp(request: &Value) -> Result<ToolCall, CallFault> {
    let (path, params) = match request.get("params") {
        Some(params) => ("/params", params),
        None => ("", request),
    };
    let Some(name) = params.get("name").and_then(Value::as_str) else {
        return Err(fault(path, "a call without a name"));
    };
    let id = match request.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => "call_0".to_owned(),
    };
    Ok(ToolCall::new(id, name, text(params.get("arguments"))))
}
