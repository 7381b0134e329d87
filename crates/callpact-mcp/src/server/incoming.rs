//! Reads one message of a client and keeps the raw text of a call's arguments.
//!
//! rmcp parses arguments into a map, which loses repeated keys, the order and the digits of numbers,
//! and it rejects a call whose arguments are not an object. So the text is taken out first.

use std::{borrow::Cow, fmt, marker::PhantomData, sync::Arc};

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{error::Category, value::RawValue};

use super::doubled::NoneTwice;

/// The raw text of a call's arguments, stored in the extensions of its request.
#[derive(Clone, Debug)]
pub(super) struct RawArguments(pub(super) Arc<str>);

/// A message and its text.
pub(super) struct IncomingMessage<'a> {
    pub(super) message: ClientJsonRpcMessage,
    /// The text without arguments that rmcp could not parse.
    pub(super) text: Cow<'a, [u8]>,
    pub(super) arguments: Option<RawArguments>,
}

/// A message that is answered with an error of the protocol.
pub(super) struct RefusedMessage {
    pub(super) id: Option<RequestId>,
    pub(super) error: Box<ErrorData>,
    /// Whether the message is a notification, which gets no answer over stdio.
    pub(super) is_notification: bool,
}

impl RefusedMessage {
    /// A message of which nothing was kept.
    pub(super) fn too_long(most: usize) -> Self {
        let words = format!("a message has at most {most} bytes");
        Self {
            id: None,
            error: Box::new(ErrorData::invalid_request(words, None)),
            is_notification: false,
        }
    }
}

/// The outer part of a message. The derived impl refuses a repeated key.
#[derive(Deserialize)]
struct MessageEnvelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CallParams<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// A struct written as an object. By itself, serde also reads a list of its fields.
struct StrictObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for StrictObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

impl<'a> IncomingMessage<'a> {
    /// Reads a message.
    pub(super) fn read(text: &'a [u8]) -> Result<Self, RefusedMessage> {
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let StrictObject(envelope): StrictObject<MessageEnvelope<'_>> =
            serde_json::from_slice(text).map_err(|error| {
                let fault = match error.classify() {
                    Category::Data => ErrorData::invalid_request(short(&error), None),
                    _ => ErrorData::parse_error(short(&error), None),
                };
                RefusedMessage {
                    id: None,
                    error: Box::new(fault),
                    is_notification: false,
                }
            })?;
        let method = envelope.method.and_then(parse::<String>);
        let id = envelope.id.and_then(parse::<RequestId>);
        let refused = |error: ErrorData| RefusedMessage {
            is_notification: method.is_some() && envelope.id.is_none(),
            id: id.clone(),
            error: Box::new(error),
        };
        if method.as_deref() != Some("tools/call") || envelope.id.is_none() {
            // It may hold an answer to a question, which must have one meaning.
            serde_json::from_slice::<NoneTwice<false>>(text)
                .map_err(|error| refused(ErrorData::invalid_request(short(&error), None)))?;
            return match serde_json::from_slice(text) {
                Ok(message) => Ok(Self {
                    message,
                    text: text.into(),
                    arguments: None,
                }),
                Err(_) => Err(refused(ErrorData::invalid_request(
                    "the message is not a request, a notification or a response of JSON-RPC 2.0",
                    None,
                ))),
            };
        }
        let params = envelope.params.map_or("{}", RawValue::get);
        let StrictObject(call): StrictObject<CallParams<'_>> = serde_json::from_str(params)
            .map_err(|error| refused(ErrorData::invalid_params(short(&error), None)))?;
        // An answer may be in here, too. The reader of the tool reports repeated names in its arguments.
        serde_json::from_str::<NoneTwice<true>>(params)
            .map_err(|error| refused(ErrorData::invalid_params(short(&error), None)))?;
        if call.name.and_then(parse::<String>).is_none() {
            return Err(refused(ErrorData::invalid_params(
                "`params.name` must be the name of a tool",
                None,
            )));
        }
        let arguments = call.arguments.map(|raw| RawArguments(raw.get().into()));
        if let Some(message) = read_call(text) {
            return Ok(Self {
                message,
                text: text.into(),
                arguments,
            });
        }
        let without = call.arguments.and_then(|raw| replace(text, raw.get()));
        match without.and_then(|text| Some((read_call(&text)?, text))) {
            Some((message, text)) => Ok(Self {
                message,
                text: text.into(),
                arguments,
            }),
            None => Err(refused(ErrorData::invalid_request(
                "the message is not a call of JSON-RPC 2.0",
                None,
            ))),
        }
    }
}

impl RefusedMessage {
    /// The answer to the message.
    pub(super) fn answer<T, U, V>(self) -> JsonRpcMessage<T, U, V> {
        JsonRpcMessage::error(*self.error, self.id)
    }
}

fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// Reads a call, if rmcp can parse its arguments.
fn read_call(text: &[u8]) -> Option<ClientJsonRpcMessage> {
    let message: ClientJsonRpcMessage = serde_json::from_slice(text).ok()?;
    let is_call = matches!(&message, JsonRpcMessage::Request(request)
        if matches!(request.request, ClientRequest::CallToolRequest(_)));
    is_call.then_some(message)
}

/// Replaces a part of a message by an object that marks it, so that no handler takes it for absent
/// arguments.
fn replace(text: &[u8], part: &str) -> Option<Vec<u8>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let (before, rest) = text.split_at_checked(start)?;
    let after = rest.get(part.len()..)?;
    let mark = serde_json::json!({ "invalid_arguments": part }).to_string();
    Some([before, mark.as_bytes(), after].concat())
}

/// A fault in words. `serde_json` quotes at most a key of the message.
fn short(error: &serde_json::Error) -> String {
    error.to_string().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::IncomingMessage;

    fn read(text: &str) -> Result<(String, Option<String>), i32> {
        match IncomingMessage::read(text.as_bytes()) {
            Ok(read) => Ok((
                String::from_utf8_lossy(&read.text).into_owned(),
                read.arguments.map(|raw| raw.0.to_string()),
            )),
            Err(refused) => Err(refused.error.code.0),
        }
    }

    fn call(params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
    }

    #[test]
    fn the_raw_text_of_arguments_is_kept() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        for arguments in [
            r#"{"b":1,"a":2}"#,
            r#"{ "a" : 1, "a": 2 }"#,
            r#"{"n":1.0000000000000000000001e2}"#,
            r#""text""#,
            "[1, 2]",
            "7",
            r#"{"n":1e999}"#,
            r#"{"t":"\ud800"}"#,
            &deep,
        ] {
            let text = call(&format!(r#"{{"name":"t","arguments":{arguments}}}"#));
            let (seen, raw) = read(&text).expect(arguments);
            assert_eq!(raw.as_deref(), Some(arguments));
            // rmcp gets the original text, or a mark in place of the part that it cannot parse.
            assert!(seen == text || seen.contains("invalid_arguments"), "{seen}");
        }
        for params in [r#"{"name":"t"}"#, r#"{"name":"t","arguments":null}"#] {
            assert_eq!(read(&call(params)).map(|read| read.1), Ok(None));
        }
    }

    #[test]
    fn message_faults_have_protocol_codes() {
        for (text, code) in [
            ("", -32_700),
            ("{", -32_700),
            ("not json", -32_700),
            ("{}{}", -32_700),
            ("\u{7}", -32_700),
            ("null", -32_600),
            ("7", -32_600),
            ("[]", -32_600),
            ("{}", -32_600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
            (
                r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
                -32_600,
            ),
        ] {
            assert_eq!(read(text).map(|_| ()), Err(code), "{text}");
        }
        for params in [
            "{}",
            "[]",
            "7",
            r#"{"name":7}"#,
            r#"{"name":"a","name":"b"}"#,
            r#"{"name":"a","arguments":{},"arguments":{"a":1}}"#,
        ] {
            assert_eq!(read(&call(params)).map(|_| ()), Err(-32_602), "{params}");
        }
        let invalid_utf8 = IncomingMessage::read(b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}");
        assert_eq!(
            invalid_utf8.err().map(|refused| refused.error.code.0),
            Some(-32_700)
        );
    }
}
