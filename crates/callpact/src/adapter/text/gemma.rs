//! Gemma's own notation.

use super::{
    cursor::{BodyStep, CutText, TextCursor, is_name, quote, read_parts},
    template::FormHead,
    typed::{items, member, to_json},
};
use crate::{adapter::ToolCall, schema::Schema};

const DEPTH: usize = 100;
const NO_VALUE: CutText = CutText::Fault("a value cannot be read");

pub(super) fn read_body(
    cursor: &mut TextCursor<'_>,
    mark: &str,
    head: FormHead,
    schema: Option<&Schema>,
) -> BodyStep<Vec<ToolCall>> {
    let close = if cursor.peek() == Some('(') { ')' } else { '}' };
    let reader = GemmaReader { mark };
    let arguments = reader.read_object(cursor, close, schema, 0)?;
    Ok(vec![head.call(arguments)])
}

struct GemmaReader<'m> {
    mark: &'m str,
}

impl GemmaReader<'_> {
    fn read_object(
        &self,
        cursor: &mut TextCursor<'_>,
        close: char,
        schema: Option<&Schema>,
        depth: usize,
    ) -> BodyStep<String> {
        if depth > DEPTH {
            return Err(CutText::Fault("its values are nested too deeply"));
        }
        cursor.next()?;
        let mut keys = std::collections::HashSet::new();
        let (parts, _) = read_parts(cursor, close, &NO_VALUE, |cursor| {
            let key = if cursor.take(self.mark)? {
                cursor.take_until(self.mark)?
            } else {
                cursor.take_while(is_name)?
            };
            cursor.skip_space();
            let separator = cursor.next()?;
            if key.is_empty() || !matches!(separator, ':' | '=') {
                return Err(NO_VALUE);
            }
            if !keys.insert(key.to_owned()) {
                return Err(CutText::Fault("an argument comes twice"));
            }
            let value = self.read_value(cursor, close, member(schema, key), depth + 1)?;
            Ok(format!("{}:{value}", quote(key)))
        })?;
        Ok(format!("{{{}}}", parts.join(",")))
    }

    fn read_value(
        &self,
        cursor: &mut TextCursor<'_>,
        close: char,
        schema: Option<&Schema>,
        depth: usize,
    ) -> BodyStep<String> {
        cursor.skip_space();
        if cursor.take(self.mark)? {
            let text = cursor.take_until(self.mark)?;
            return Ok(to_json(text, schema));
        }
        match cursor.peek().ok_or(CutText::More)? {
            '{' => self.read_object(cursor, '}', schema, depth),
            '[' => {
                if depth > DEPTH {
                    return Err(CutText::Fault("its values are nested too deeply"));
                }
                cursor.next()?;
                let (parts, _) = read_parts(cursor, ']', &NO_VALUE, |cursor| {
                    self.read_value(cursor, ']', items(schema), depth + 1)
                })?;
                Ok(format!("[{}]", parts.join(",")))
            }
            _ => {
                let word = cursor
                    .take_while(|it| !matches!(it, ',' | '<') && it != close)?
                    .trim();
                let typed = to_json(word, schema);
                // Without a schema a bare word is what it looks like.
                let is_bare = schema.is_none() && matches!(word, "true" | "false" | "null");
                let number = schema
                    .is_none()
                    .then(|| super::python::number(word))
                    .flatten();
                Ok(match number {
                    _ if is_bare => word.to_owned(),
                    Some(number) => number,
                    None => typed,
                })
            }
        }
    }
}
