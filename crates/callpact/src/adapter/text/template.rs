//! The head of a call or of a parameter, as a pattern with places for names.

use super::cursor::{BodyStep, TextCursor, is_name};
use crate::adapter::ToolCall;

/// What a head captured.
#[derive(Clone, Debug, Default)]
pub(super) struct FormHead {
    pub(super) name: String,
    pub(super) id: Option<String>,
    /// The type of a value that the markup names.
    pub(super) type_name: Option<String>,
}

impl FormHead {
    /// The call with this head.
    pub(super) fn call(self, arguments: String) -> ToolCall {
        ToolCall::new(self.id.unwrap_or_default(), self.name, arguments)
    }
}

/// Reads a head here. `None` if another text stands here.
///
/// In a template, `{name}` is a name, `{quoted}` a name in quotes or without, `{id}` an identifier, `{index}` one in
/// quotes, `{type}` the type of a value, `{head}` a name with a number behind it, and `{space}` white space that may be
/// missing. Everything else stands for itself.
pub(super) fn read_head(cursor: &mut TextCursor<'_>, template: &str) -> BodyStep<Option<FormHead>> {
    let mut head = FormHead::default();
    let mut rest = template;
    while !rest.is_empty() {
        if let Some((place, behind)) = place_of(rest) {
            rest = behind;
            match place {
                "name" => cursor.take_while(is_name)?.clone_into(&mut head.name),
                "quoted" => head.name = take_quoted(cursor)?,
                "id" => head.id = Some(cursor.take_while(is_name)?.to_owned()),
                "index" => head.id = Some(take_quoted(cursor)?),
                "type" => head.type_name = Some(take_quoted(cursor)?),
                "head" => {
                    let text = cursor.take_while(|it| is_name(it) || it == ':')?;
                    head.id = Some(text.to_owned());
                    name_of_head(text).clone_into(&mut head.name);
                }
                _ => cursor.skip_space(),
            }
            let needs_name = matches!(place, "name" | "quoted" | "head");
            if needs_name && head.name.is_empty() {
                return Ok(None);
            }
            continue;
        }
        let end = rest
            .get(1..)
            .and_then(|it| it.find('{'))
            .map_or(rest.len(), |at| at + 1);
        let (literal, behind) = rest.split_at(end);
        if !cursor.take(literal)? {
            return Ok(None);
        }
        rest = behind;
    }
    Ok(Some(head))
}

/// The place with which a template begins.
fn place_of(template: &str) -> Option<(&str, &str)> {
    let (place, behind) = template.strip_prefix('{')?.split_once('}')?;
    let is_place = matches!(
        place,
        "name" | "quoted" | "id" | "index" | "type" | "head" | "space"
    );
    is_place.then_some((place, behind))
}

/// The text before the first place.
pub(super) fn first_literal(template: &str) -> &str {
    let place = (0..template.len()).find(|at| template.get(*at..).and_then(place_of).is_some());
    template
        .get(..place.unwrap_or(template.len()))
        .unwrap_or_default()
}

fn take_quoted(cursor: &mut TextCursor<'_>) -> BodyStep<String> {
    let quote = cursor.peek().ok_or(super::cursor::CutText::More)?;
    let text = if matches!(quote, '"' | '\'') {
        cursor.next()?;
        cursor.take_until(&quote.to_string())?
    } else {
        cursor.take_while(is_name)?
    };
    Ok(text.trim().replace("&quot;", "\"").replace("&amp;", "&"))
}

/// The name in a head such as `functions.lamp:0`. A head of digits has none.
fn name_of_head(head: &str) -> &str {
    let name = head.strip_prefix("functions.").unwrap_or(head);
    let name = match name.rsplit_once(':') {
        Some((name, index)) if !index.is_empty() && index.bytes().all(|it| it.is_ascii_digit()) => {
            name
        }
        _ => name,
    };
    if name.bytes().all(|it| it.is_ascii_digit()) {
        return "";
    }
    name
}
