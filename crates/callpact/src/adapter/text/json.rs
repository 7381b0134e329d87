//! Bodies that are JSON.

use std::{borrow::Cow, collections::HashSet};

use serde_json::value::RawValue;

use super::{
    cursor::{BodyStep, CutText, TextCursor},
    form::JsonBody,
    template::FormHead,
};
use crate::{adapter::ToolCall, raw_object::RawObject};

const NO_JSON: CutText = CutText::Fault("it is not JSON");
const NO_CALL: CutText = CutText::Fault("expected an object with `name` and `arguments`");

pub(super) fn read_body(
    cursor: &mut TextCursor<'_>,
    body: JsonBody,
    head: Option<FormHead>,
) -> BodyStep<Vec<ToolCall>> {
    match body {
        JsonBody::Arguments | JsonBody::Fenced => {
            let fence = body == JsonBody::Fenced;
            if fence {
                cursor.skip_space();
                if !cursor.take("```")? {
                    return Err(NO_JSON);
                }
                cursor.take_until("\n")?;
            }
            let text = take_value(cursor)?;
            if !text.starts_with('{') {
                return Err(NO_CALL);
            }
            if fence {
                cursor.skip_space();
                if !cursor.take("```")? {
                    return Err(CutText::Fault("its code fence does not end"));
                }
            }
            Ok(vec![head.unwrap_or_default().call(text.to_owned())])
        }
        JsonBody::Object => Ok(vec![one(take_value(cursor)?)?]),
        JsonBody::List => list(take_value(cursor)?),
        JsonBody::Either => {
            let text = take_value(cursor)?;
            if text.starts_with('[') {
                list(text)
            } else {
                Ok(vec![one(text)?])
            }
        }
        JsonBody::Objects => {
            let mut calls = Vec::new();
            loop {
                cursor.skip_space();
                match cursor.peek() {
                    Some('{') => calls.push(one(take_value(cursor)?)?),
                    // One too many occurs at the end of a line.
                    Some('}') if !calls.is_empty() => cursor.at += 1,
                    None => return Err(CutText::More),
                    Some(_) => return Ok(calls),
                }
            }
        }
    }
}

/// Whether a body begins here.
pub(super) fn begins(cursor: &TextCursor<'_>, body: JsonBody) -> BodyStep<bool> {
    if body == JsonBody::Fenced {
        return cursor.is_at("```");
    }
    let mut inside = *cursor;
    let first = inside.next()?;
    Ok(match body {
        // A list of other things may be one of calls in Python.
        JsonBody::List | JsonBody::Either if first == '[' => {
            inside.skip_space();
            matches!(inside.next()?, '{' | ']')
        }
        JsonBody::List => false,
        _ => first == '{',
    })
}

fn take_value<'t>(cursor: &mut TextCursor<'t>) -> BodyStep<&'t str> {
    cursor.skip_space();
    let mut values = serde_json::Deserializer::from_str(cursor.rest()).into_iter::<&'t RawValue>();
    match values.next() {
        Some(Ok(value)) => {
            cursor.at += values.byte_offset();
            Ok(value.get())
        }
        Some(Err(error)) if !error.is_eof() => Err(NO_JSON),
        _ => Err(CutText::More),
    }
}

fn one(text: &str) -> BodyStep<ToolCall> {
    let RawObject(members) = serde_json::from_str(text).map_err(|_| NO_CALL)?;
    call_of(&members).ok_or(NO_CALL)
}

pub(super) fn list(text: &str) -> BodyStep<Vec<ToolCall>> {
    let items: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| NO_CALL)?;
    if items.is_empty() {
        return Err(CutText::Fault("its list of calls is empty"));
    }
    items.iter().map(|item| one(item.get())).collect()
}

const NAMES: &[&str] = &["name", "tool_name"];
const ARGUMENTS: &[&str] = &["arguments", "parameters", "args"];
const IDS: &[&str] = &["id", "tool_call_id", "call_id"];

/// More members than any call has.
const MOST: usize = 64;

/// The only member with one of these keys.
fn only<'t>(
    members: &[(Cow<'t, str>, &'t RawValue)],
    keys: &[&str],
) -> Result<Option<&'t str>, ()> {
    let mut found = members.iter().filter(|(key, _)| keys.contains(&&**key));
    match (found.next(), found.next()) {
        (_, Some(_)) => Err(()),
        (found, None) => Ok(found.map(|(_, value)| value.get())),
    }
}

/// The call that an object is. A key that comes twice is an error.
fn call_of(members: &[(Cow<'_, str>, &RawValue)]) -> Option<ToolCall> {
    let mut keys = HashSet::new();
    if members.len() > MOST || !members.iter().all(|(key, _)| keys.insert(key)) {
        return None;
    }
    let (name, arguments) = (only(members, NAMES).ok()?, only(members, ARGUMENTS).ok()?);
    let id = only(members, IDS).ok()?;
    let (name, arguments) = match (name, members) {
        (Some(name), _) => (serde_json::from_str::<String>(name).ok()?, arguments),
        // The name is the only key.
        (None, [(name, value)]) if !ARGUMENTS.contains(&&**name) => {
            (name.clone().into_owned(), Some(value.get()))
        }
        _ => return None,
    };
    let id: Option<String> = id.and_then(|id| serde_json::from_str(id).ok());
    let arguments = arguments_of(arguments)?;
    Some(ToolCall::new(id.unwrap_or_default(), name, arguments))
}

/// Arguments as an object. Some models write the object inside a string.
pub(super) fn arguments_of(raw: Option<&str>) -> Option<String> {
    match raw.map(|raw| (raw, raw.as_bytes().first())) {
        None | Some(("null", _)) => Some("{}".to_owned()),
        Some((raw, Some(b'{'))) => Some(raw.to_owned()),
        Some((raw, Some(b'"'))) => {
            let text: String = serde_json::from_str(raw).ok()?;
            if text.trim().is_empty() {
                return Some("{}".to_owned());
            }
            serde_json::from_str::<&RawValue>(&text).ok()?;
            text.trim_start().starts_with('{').then_some(text)
        }
        Some(_) => None,
    }
}
