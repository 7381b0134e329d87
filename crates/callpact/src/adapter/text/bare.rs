//! Calls without any mark: the whole answer, with the names of tools.

use serde_json::value::RawValue;

use super::{
    block::name_key,
    code::unfenced,
    cursor::{CutText, TextCursor, is_name},
    form::JsonBody,
    json,
    known::KnownTools,
    python,
    template::{FormHead, read_head},
    thoughts::without_end,
};
use crate::adapter::ToolCall;

/// What a text without marks is.
pub(super) enum BareReader {
    Calls(Vec<ToolCall>),
    /// A call of this name that does not end.
    Cut(String),
    None,
}

/// Reads an answer that is nothing but calls.
pub(super) fn read_bare(answer: &str, tools: &KnownTools<'_>) -> BareReader {
    let text = unfenced(without_end(answer).trim());
    let calls = match text.chars().next() {
        Some('{') => objects(text),
        Some('[') => json::list(text)
            .ok()
            .filter(|_| has_arguments(text))
            .or_else(|| of_python(text)),
        Some(letter) if is_name(letter) => heads(text, tools),
        _ => None,
    };
    match calls {
        Some(calls) if calls.iter().all(|call| tools.has(&call.name)) => BareReader::Calls(calls),
        Some(_) => BareReader::None,
        None => cut(text, tools),
    }
}

/// Whether every object of a list has arguments: one without them may be an answer.
fn has_arguments(text: &str) -> bool {
    let items: Result<Vec<serde_json::Map<String, serde_json::Value>>, _> =
        serde_json::from_str(text);
    let keys = ["arguments", "parameters", "args"];
    items.is_ok_and(|items| {
        items
            .iter()
            .all(|item| keys.iter().any(|key| item.contains_key(*key)))
    })
}

/// Objects with `;` or white space between them.
fn objects(text: &str) -> Option<Vec<ToolCall>> {
    let mut calls = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let value = values.next()?.ok()?.get();
        let end = values.byte_offset();
        let list = unwrapped(value);
        if !has_arguments(&list) {
            return None;
        }
        calls.extend(json::list(&list).ok()?);
        let behind = rest.get(end..)?.trim_start();
        rest = behind.strip_prefix(';').unwrap_or(behind).trim_start();
    }
    Some(calls)
}

/// The calls of an object as a list: `{"tool_call": …}` and `{"tool_calls": […]}` hold them inside.
fn unwrapped(object: &str) -> String {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer<'t> {
        #[serde(borrow)]
        tool_call: Option<&'t RawValue>,
        #[serde(borrow)]
        tool_calls: Option<&'t RawValue>,
    }
    match serde_json::from_str::<Outer<'_>>(object) {
        Ok(Outer {
            tool_call: Some(call),
            tool_calls: None,
        }) => format!("[{}]", call.get()),
        Ok(Outer {
            tool_call: None,
            tool_calls: Some(calls),
        }) => calls.get().to_owned(),
        _ => format!("[{object}]"),
    }
}

fn of_python(text: &str) -> Option<Vec<ToolCall>> {
    let mut cursor = whole(text);
    if !python::begins(cursor).ok()? {
        return None;
    }
    let calls = python::read_body(&mut cursor).ok()?;
    cursor.is_at_end().then_some(calls)
}

/// Calls such as `functions.lamp:0{…}` and `lamp{…}`, whose marks the server removed.
fn heads(text: &str, tools: &KnownTools<'_>) -> Option<Vec<ToolCall>> {
    // Every word before an object would be a name.
    if tools.is_any() && !text.starts_with("functions.") {
        return None;
    }
    let mut cursor = whole(text);
    let mut calls = Vec::new();
    while !cursor.is_at_end() {
        let head: FormHead = read_head(&mut cursor, "{head}").ok()??;
        cursor.skip_space();
        calls.extend(json::read_body(&mut cursor, JsonBody::Arguments, Some(head)).ok()?);
        cursor.skip_space();
    }
    Some(calls)
}

fn whole(text: &str) -> TextCursor<'_> {
    TextCursor {
        text,
        at: 0,
        is_whole: true,
    }
}

/// A call that the text does not end.
fn cut(text: &str, tools: &KnownTools<'_>) -> BareReader {
    let keys = ["\"arguments\"", "\"parameters\"", "\"args\""];
    let name = if text.starts_with(['{', '[']) && keys.iter().any(|key| text.contains(key)) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        match values.next() {
            Some(Err(error)) if error.is_eof() => name_key(text),
            _ => return BareReader::None,
        }
    } else if text.starts_with('[') {
        let mut cursor = whole(text);
        match (python::begins(cursor), python::read_body(&mut cursor)) {
            (Ok(true), Err(CutText::More)) => {
                let inside = text.trim_start_matches(['[', ' ', '\n']);
                inside
                    .split('(')
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned()
            }
            _ => return BareReader::None,
        }
    } else {
        return BareReader::None;
    };
    if !name.is_empty() && tools.has(&name) {
        BareReader::Cut(name)
    } else {
        BareReader::None
    }
}
