//! Bodies with a text between marks for each parameter.

use std::collections::HashSet;

use super::{
    cursor::{Alternatives, BodyStep, CutText, TextCursor, object, quote},
    form::{JsonBody, ParameterForm, TextForm, Trim},
    json,
    template::{FormHead, first_literal, read_head},
    typed::{is_value, member, to_json},
};
use crate::{adapter::ToolCall, schema::Schema};

/// Reads the parameters up to the mark that ends the call, which is left.
pub(super) fn read_body(
    cursor: &mut TextCursor<'_>,
    row: &TextForm,
    form: &ParameterForm,
    head: FormHead,
    schema: Option<&Schema>,
) -> BodyStep<Vec<ToolCall>> {
    cursor.skip_breaks();
    if form.takes_json && cursor.peek() == Some('{') {
        return json::read_body(cursor, JsonBody::Arguments, Some(head));
    }
    let mut given: Vec<(String, String)> = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    loop {
        cursor.skip_breaks();
        if cursor.find(&row.closers)?.is_some() || cursor.find(&row.section_ends)?.is_some() {
            break;
        }
        let Some(parameter) = begin(cursor, form)? else {
            return Err(CutText::Fault(
                "expected a parameter or the end of the call",
            ));
        };
        if !names.insert(parameter.name.clone()) {
            return Err(CutText::Fault("a parameter comes twice"));
        }
        let is_new = |name: &str| {
            !names.contains(name)
                && schema.is_some_and(|schema| schema.fields().any(|field| *field.name == *name))
        };
        let value = take_value(cursor, row, form, &is_new)?;
        let value = trimmed(value, form.trim);
        given.push((
            parameter.name.clone(),
            typed(value, &parameter, member(schema, &parameter.name)),
        ));
    }
    // A model may write all arguments as one object.
    if let [(name, value)] = given.as_slice()
        && matches!(name.as_str(), "arguments" | "input")
        && schema.is_some_and(|schema| !schema.fields().any(|field| *field.name == **name))
    {
        let inside: Option<String> = serde_json::from_str(value).ok();
        let whole = inside.unwrap_or_else(|| value.clone());
        if whole.trim_start().starts_with('{') && is_value(&whole) {
            return Ok(vec![head.call(whole)]);
        }
    }
    let given = given.iter().map(|(name, value)| (name, value));
    Ok(vec![head.call(object(given))])
}

/// Whether a body begins here.
pub(super) fn begins(
    mut cursor: TextCursor<'_>,
    row: &TextForm,
    form: &ParameterForm,
) -> BodyStep<bool> {
    cursor.skip_breaks();
    if form.takes_json && cursor.peek() == Some('{') || cursor.find(&row.closers)?.is_some() {
        return Ok(true);
    }
    for head in &form.heads {
        if cursor.is_at(first_literal(head))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The head of a parameter, if one stands here.
fn begin(cursor: &mut TextCursor<'_>, form: &ParameterForm) -> BodyStep<Option<FormHead>> {
    for template in &form.heads {
        let mut ahead = *cursor;
        if let Some(head) = read_head(&mut ahead, template)? {
            *cursor = ahead;
            return Ok(Some(head));
        }
    }
    Ok(None)
}

/// Takes a value and its closing mark. The mark counts only if a parameter or the end of the call follows.
fn take_value<'t>(
    cursor: &mut TextCursor<'t>,
    row: &TextForm,
    form: &ParameterForm,
    is_new: &dyn Fn(&str) -> bool,
) -> BodyStep<&'t str> {
    let text = cursor.rest();
    let opens: Vec<&str> = form.heads.iter().map(|head| first_literal(head)).collect();
    let mut from = 0;
    // Whether the value seems to contain the end of its call and the beginning of another.
    let mut has_end = false;
    loop {
        let behind = text.get(from..).unwrap_or_default();
        let mut first = None;
        let at_close = find_first(behind, [form.closer.as_str()], &mut first);
        let at_open = find_first(behind, opens.iter().copied(), &mut first);
        let at_end = find_first(behind, row.closers.iter().map(String::as_str), &mut first);
        let calls = row.openers.iter().chain(&row.sections);
        let at_call = find_first(behind, calls.map(String::as_str), &mut first);
        let Some(first) = first else {
            return Err(if has_end && cursor.is_whole {
                CutText::Fault("a parameter does not end")
            } else {
                CutText::More
            });
        };
        let at = from + first;
        let mut ahead = TextCursor {
            at: cursor.at + at,
            ..*cursor
        };
        if at_close == Some(first) {
            ahead.at += form.closer.len();
            let end = ahead;
            if follows(ahead, row, &opens)? {
                if has_end {
                    return Err(CutText::Fault("a value contains the marks of other calls"));
                }
                *cursor = end;
                return Ok(text.get(..at).unwrap_or_default());
            }
        } else if at_open == Some(first) {
            let before = text.get(..at).unwrap_or_default();
            let begins_line = before.ends_with(char::is_whitespace);
            if begins_line
                && let Some(head) = begin(&mut ahead, form)?
                && is_new(&head.name)
            {
                cursor.at += at;
                return Ok(before);
            }
        } else if at_call == Some(first) && has_end {
            // The value did not end before its call did.
            return Err(CutText::Fault("a parameter does not end"));
        } else if at_end == Some(first) {
            has_end = true;
        }
        from = at
            + text
                .get(at..)
                .and_then(|it| it.chars().next())
                .map_or(1, char::len_utf8);
    }
}

/// Finds the earliest of some marks, in the text up to the first mark so far.
fn find_first<'m>(
    text: &str,
    marks: impl IntoIterator<Item = &'m str>,
    first: &mut Option<usize>,
) -> Option<usize> {
    let mut found = None;
    for mark in marks {
        let mut end = first.map_or(text.len(), |first| text.len().min(first + mark.len()));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if let Some(at) = text.get(..end).unwrap_or_default().find(mark) {
            found = Some(at);
            *first = found;
        }
    }
    found
}

/// Whether what follows a closing mark is the next parameter or the end of the call.
fn follows(mut cursor: TextCursor<'_>, row: &TextForm, opens: &[&str]) -> BodyStep<bool> {
    cursor.skip_breaks();
    if cursor.is_at_end() && cursor.is_whole {
        return Ok(true);
    }
    let mut tried = Alternatives::default();
    let ends = row.closers.iter().chain(&row.section_ends);
    let ends = ends.map(String::as_str);
    for mark in opens.iter().copied().chain(ends) {
        if tried.is(cursor.is_at(mark)) {
            return Ok(true);
        }
    }
    tried.none(false)
}

fn trimmed(value: &str, trim: Trim) -> &str {
    match trim {
        Trim::Nothing => value,
        Trim::Space => value.trim(),
        Trim::Newlines => match value.strip_prefix('\n') {
            Some(inside) => inside.strip_suffix('\n').unwrap_or(inside),
            None => value,
        },
    }
}

fn typed(value: &str, parameter: &FormHead, schema: Option<&Schema>) -> String {
    let value = value
        .strip_prefix("<![CDATA[")
        .and_then(|it| it.strip_suffix("]]>"))
        .unwrap_or(value);
    match (&parameter.type_name, schema) {
        // The schema wins over the markup.
        (_, Some(schema)) => to_json(value, Some(schema)),
        (Some(kind), None) if !matches!(kind.as_str(), "true" | "string") && is_value(value) => {
            value.to_owned()
        }
        (None, None) if parameter.type_name.is_none() => quote(value),
        _ => quote(value),
    }
}
