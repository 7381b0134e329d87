//! Bodies of nested elements.

use super::{
    cursor::{BodyStep, CutText, TextCursor, is_name, object},
    template::FormHead,
    typed::{items, member, to_json},
};
use crate::{
    adapter::ToolCall,
    schema::{Kind, Schema},
};

const DEPTH: usize = 64;

/// Reads the arguments of a call: an element for each, up to the mark of the end.
pub(super) fn read_body(
    cursor: &mut TextCursor<'_>,
    mark: &str,
    head: FormHead,
    schema: Option<&Schema>,
) -> BodyStep<Vec<ToolCall>> {
    let arguments = match read_children(cursor, mark, schema, 0)? {
        ElementContent::Text(text) if text.trim().is_empty() => "{}".to_owned(),
        ElementContent::Text(_) => {
            return Err(CutText::Fault("there is text between its arguments"));
        }
        ElementContent::Value(value) => value,
    };
    Ok(vec![head.call(arguments)])
}

enum ElementContent<'t> {
    Text(&'t str),
    Value(String),
}

fn read_children<'t>(
    cursor: &mut TextCursor<'t>,
    mark: &str,
    schema: Option<&Schema>,
    depth: usize,
) -> BodyStep<ElementContent<'t>> {
    if depth > DEPTH {
        return Err(CutText::Fault("its values are nested too deeply"));
    }
    let mut children: Vec<(String, Vec<String>)> = Vec::new();
    let list = schema.is_some_and(|schema| matches!(schema.kind, Kind::List(_)));
    loop {
        let start = *cursor;
        let text = cursor.take_until(mark)?;
        if cursor.is_at("</")? {
            cursor.at -= mark.len();
            if children.is_empty() {
                return Ok(ElementContent::Text(text));
            }
            break;
        }
        if !cursor.take("<")? || !text.trim().is_empty() {
            *cursor = start;
            return Err(CutText::Fault("its elements cannot be read"));
        }
        let name = cursor.take_while(is_name)?.to_owned();
        if name.is_empty() || !cursor.take(">")? {
            return Err(CutText::Fault("its elements cannot be read"));
        }
        let inner = if list {
            items(schema)
        } else {
            member(schema, &name)
        };
        let end = format!("{mark}</{name}>");
        // Several elements of one name are a list, whose items have the schema.
        let of_items = items(inner).filter(|_| !list);
        let content = read_children(cursor, mark, inner, depth + 1)?;
        if !cursor.take(&end)? {
            return Err(CutText::Fault("an element does not end"));
        }
        let value = match content {
            ElementContent::Text(text) => match of_items {
                Some(item) if !text.trim().is_empty() && !text.trim_start().starts_with('[') => {
                    to_json(text, Some(item))
                }
                _ => to_json(text, inner),
            },
            ElementContent::Value(value) => value,
        };
        match children.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => children.push((name, vec![value])),
        }
    }
    let is_items = list || schema.is_none() && children.len() == 1 && children[0].0 == "item";
    if is_items {
        let values: Vec<&str> = children
            .iter()
            .flat_map(|(_, values)| values)
            .map(String::as_str)
            .collect();
        return Ok(ElementContent::Value(format!("[{}]", values.join(","))));
    }
    let members = children.iter().map(|(name, values)| {
        let wants_list = member(schema, name).is_some_and(|it| matches!(it.kind, Kind::List(_)));
        let value = match values.as_slice() {
            [one] if !wants_list || one.starts_with('[') => one.clone(),
            many => format!("[{}]", many.join(",")),
        };
        (name, value)
    });
    Ok(ElementContent::Value(object(members)))
}
