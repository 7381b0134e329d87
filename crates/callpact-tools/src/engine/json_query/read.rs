//! Converts JSON text to a tree, in one pass.

use serde::de::{Error, IgnoredAny};

use super::error::{JsonQueryError, short};
use super::node::{JsonNode, JsonNumber, NodeKind, ObjectMembers};

/// Reads `json`, which must be one JSON text and nothing else.
pub(super) fn read(json: &str, max_depth: usize) -> Result<JsonNode, JsonQueryError> {
    // serde_json checks the text, without recursion here; the code below only has to find the
    // positions.
    serde_json::from_str::<IgnoredAny>(json).map_err(|error| invalid(&error))?;
    check_depth(json, max_depth)?;
    TextReader { json, at: 0 }
        .value()
        .map_err(|error| invalid(&error))
}

fn invalid(error: &serde_json::Error) -> JsonQueryError {
    JsonQueryError::InvalidJson(short(&error.to_string()))
}

/// Measures the nesting of a valid JSON text without recursion.
fn check_depth(json: &str, max_depth: usize) -> Result<(), JsonQueryError> {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > max_depth {
            let reason = format!("the JSON is nested deeper than {max_depth} levels");
            return Err(JsonQueryError::Limit(reason));
        }
    }
    Ok(())
}

/// Walks a text that is known to be JSON of bounded depth.
struct TextReader<'a> {
    json: &'a str,
    at: usize,
}

impl<'a> TextReader<'a> {
    fn peek(&self) -> Option<u8> {
        self.json.as_bytes().get(self.at).copied()
    }

    /// Skips white space, and the commas and colons that are known to be in place.
    fn skip(&mut self) {
        while matches!(
            self.peek(),
            Some(b' ' | b'\t' | b'\r' | b'\n' | b',' | b':')
        ) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<JsonNode, serde_json::Error> {
        self.skip();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => NodeKind::Text(self.text()?),
            _ => scalar(self.word()),
        };
        Ok(JsonNode {
            kind,
            span: start..self.at,
        })
    }

    fn object(&mut self) -> Result<NodeKind, serde_json::Error> {
        let mut members = Vec::new();
        self.at += 1;
        self.skip();
        while self.peek() == Some(b'"') {
            let name = self.text()?;
            members.push((name, self.value()?));
            self.skip();
        }
        self.at += 1;
        members.shrink_to_fit();
        ObjectMembers::new(members)
            .map(NodeKind::Object)
            .map_err(|name| {
                let name = short(&name);
                serde_json::Error::custom(format!("'{name}' stands twice in one object"))
            })
    }

    fn array(&mut self) -> Result<NodeKind, serde_json::Error> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip();
        while !matches!(self.peek(), None | Some(b']')) {
            items.push(self.value()?);
            self.skip();
        }
        self.at += 1;
        // The first item makes room for four, so a text of small arrays would take four times the
        // memory.
        items.shrink_to_fit();
        Ok(NodeKind::Array(items))
    }

    /// A text with its quotes; `serde_json` handles the escapes.
    fn text(&mut self) -> Result<String, serde_json::Error> {
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => break,
                _ => {}
            }
        }
        serde_json::from_str(self.json.get(start..self.at).unwrap_or_default())
    }

    /// A number or a literal.
    fn word(&mut self) -> &'a str {
        let rest = self.json.get(self.at..).unwrap_or_default();
        let ends = |c: char| matches!(c, ',' | ']' | '}' | ' ' | '\t' | '\r' | '\n');
        let word = rest
            .get(..rest.find(ends).unwrap_or(rest.len()))
            .unwrap_or_default();
        self.at += word.len();
        word
    }
}

fn scalar(word: &str) -> NodeKind {
    match word {
        "true" => NodeKind::Bool(true),
        "false" => NodeKind::Bool(false),
        "null" => NodeKind::Null,
        number => NodeKind::Number(JsonNumber {
            // A number beyond the range of a double reads as infinite; its text is still exact.
            float: number.parse().unwrap_or(f64::NAN),
            integer: number.parse().ok(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_kinds() {
        let json = " {\"a\" : [1 , -2.5e3,\"x\\\"]\"], \"b\":{}, \"\\u0063\":null , \"d\":[] }\n";
        let root = read(json, 9).unwrap();
        let mut out = String::new();
        root.write(json, &mut out);
        assert_eq!(
            out,
            r#"{"a":[1,-2.5e3,"x\"]"],"b":{},"\u0063":null,"d":[]}"#
        );
        let items = root.member("a").and_then(JsonNode::items).unwrap();
        assert_eq!(items.len(), 3);
        assert_eq!(items.last().and_then(JsonNode::as_text), Some("x\"]"));
        for name in ["b", "c", "d"] {
            assert!(root.member(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_word_may_be_the_whole_text() {
        for json in ["1", " null ", "-0.0", "true", "\"\""] {
            let mut out = String::new();
            read(json, 1).unwrap().write(json, &mut out);
            assert_eq!(out, json.trim());
        }
    }

    #[test]
    fn what_is_not_json() {
        for json in [
            "{",
            "[1,]",
            "{\"a\"}",
            "1 2",
            "nul",
            "01",
            "\"\\ud800\"",
            "[\"\\x\"]",
            "\u{feff}1",
        ] {
            assert!(
                matches!(read(json, 9), Err(JsonQueryError::InvalidJson(_))),
                "{json}"
            );
        }
        let deep = "[".repeat(10) + &"]".repeat(10);
        assert!(matches!(read(&deep, 9), Err(JsonQueryError::Limit(_))));
        assert!(read(&deep, 10).is_ok());
    }
}
