//! One call in the marks of a row.

use super::{
    cursor::{Alternatives, BodyStep, CutText, TextCursor},
    elements,
    form::{BodyForm, TextForm},
    gemma, json,
    known::KnownTools,
    parameters, python,
    template::{FormHead, read_head},
};
use crate::adapter::ToolCall;

/// The calls of a block.
pub(super) struct TextBlock {
    pub(super) calls: Vec<ToolCall>,
    /// Whether the mark that ends it is there.
    pub(super) is_closed: bool,
}

/// What of a row begins at a place.
pub(super) enum RowStart {
    /// Its section, with the length of the mark.
    Section(usize),
    Call,
}

/// What of a row begins here: its section with a call in it, or a call.
pub(super) fn row_start(cursor: TextCursor<'_>, row: &TextForm) -> BodyStep<Option<RowStart>> {
    let mut tried = Alternatives::default();
    for mark in &row.sections {
        if tried.is(cursor.is_at(mark)) {
            let mut inside = cursor;
            inside.at += mark.len();
            inside.skip_breaks();
            if tried.is(begins(inside, row)) {
                return Ok(Some(RowStart::Section(mark.len())));
            }
        }
    }
    if !row.needs_section && tried.is(begins(cursor, row)) {
        return Ok(Some(RowStart::Call));
    }
    tried.none(None)
}

/// Whether a call of a row begins here, with its mark.
pub(super) fn begins(mut cursor: TextCursor<'_>, row: &TextForm) -> BodyStep<bool> {
    if !cursor.take_one(&row.openers)? {
        return Ok(false);
    }
    let mut tried = Alternatives::default();
    for head in heads(row) {
        if tried.is(begins_with(cursor, row, head)) {
            return Ok(true);
        }
    }
    tried.none(false)
}

fn begins_with(mut cursor: TextCursor<'_>, row: &TextForm, head: &str) -> BodyStep<bool> {
    if take_head(&mut cursor, row, head)?.is_none() {
        return Ok(false);
    }
    match &row.body {
        BodyForm::Json(body) => json::begins(&cursor, *body),
        BodyForm::Python => python::begins(cursor),
        BodyForm::Parameters(form) => parameters::begins(cursor, row, form),
        BodyForm::Gemma { .. } => Ok(matches!(cursor.peek().ok_or(CutText::More)?, '{' | '(')),
        BodyForm::Elements { mark } => cursor.is_at(mark),
    }
}

fn heads(row: &TextForm) -> impl Iterator<Item = &str> {
    let none = row.heads.is_empty().then_some("");
    row.heads.iter().map(String::as_str).chain(none)
}

fn take_head(
    cursor: &mut TextCursor<'_>,
    row: &TextForm,
    head: &str,
) -> BodyStep<Option<FormHead>> {
    // A mark in a sentence has a blank behind it, and no name has.
    if head.starts_with("{name}") && cursor.peek() == Some(' ') {
        return Ok(None);
    }
    cursor.skip_space();
    let Some(head) = read_head(cursor, head)? else {
        return Ok(None);
    };
    cursor.skip_breaks();
    if cursor.take_one(&row.filler)? {
        cursor.skip_space();
    }
    Ok(Some(head))
}

/// Reads a call with its marks. It [begins](begins) here.
pub(super) fn read_block(
    cursor: &mut TextCursor<'_>,
    row: &TextForm,
    tools: &KnownTools<'_>,
) -> BodyStep<TextBlock> {
    cursor.take_one(&row.openers)?;
    let mut head = None;
    for template in heads(row) {
        if begins_with(*cursor, row, template)? {
            head = take_head(cursor, row, template)?;
            break;
        }
    }
    let head = head.unwrap_or_default();
    let schema = tools.schema(&head.name);
    let calls = match &row.body {
        BodyForm::Json(body) => json::read_body(cursor, *body, Some(head))?,
        BodyForm::Python => python::read_body(cursor)?,
        BodyForm::Parameters(form) => parameters::read_body(cursor, row, form, head, schema)?,
        BodyForm::Gemma { quote } => gemma::read_body(cursor, quote, head, schema)?,
        BodyForm::Elements { mark } => elements::read_body(cursor, mark, head, schema)?,
    };
    if calls.iter().any(|call| call.name.is_empty()) {
        return Err(CutText::Fault("it has no name"));
    }
    let mut ahead = *cursor;
    ahead.skip_breaks();
    let is_closed = match ahead.take_one(&row.closers) {
        Ok(true) => {
            *cursor = ahead;
            true
        }
        Err(CutText::More) if !cursor.is_whole => return Err(CutText::More),
        _ if !row.needs_closer => true,
        Err(_) => {
            // A part of the mark is nothing else.
            cursor.at = cursor.text.len();
            false
        }
        Ok(false) if ahead.is_at_end() => {
            if !cursor.is_whole {
                return Err(CutText::More);
            }
            false
        }
        Ok(false) => {
            // The mark is missing where the next call or the end of the section follows.
            let next = ahead.find(&row.section_ends)?.or(ahead.find(&row.openers)?);
            if next.is_none() {
                return Err(CutText::Fault("its closing mark is missing"));
            }
            true
        }
    };
    Ok(TextBlock { calls, is_closed })
}

/// The name in a block that cannot be read, as far as it can be seen.
pub(super) fn guess_name(cursor: TextCursor<'_>, row: &TextForm) -> String {
    let mut inside = cursor;
    if !matches!(inside.take_one(&row.openers), Ok(true)) {
        return String::new();
    }
    for template in heads(row).filter(|head| !head.is_empty()) {
        let mut ahead = inside;
        ahead.skip_space();
        if let Ok(Some(head)) = read_head(&mut ahead, template) {
            return head.name;
        }
    }
    if matches!(row.body, BodyForm::Python) {
        let rest = inside.rest().trim_start().trim_start_matches('[');
        let name = rest.split('(').next().unwrap_or_default().trim();
        return if rest.contains('(') && name.chars().all(super::cursor::is_name) {
            name.to_owned()
        } else {
            String::new()
        };
    }
    name_key(inside.rest())
}

/// The first value of the key `name` in a text.
pub(super) fn name_key(text: &str) -> String {
    let name = || {
        let behind = text
            .split_once("name\"")?
            .1
            .trim_start()
            .strip_prefix(':')?;
        let (name, _) = behind.trim_start().strip_prefix('"')?.split_once('"')?;
        name.chars()
            .all(super::cursor::is_name)
            .then(|| name.to_owned())
    };
    name().unwrap_or_default()
}

/// A call that cannot run: one with a fault, or one that is cut off.
pub(super) fn broken(name: &str, fault: Option<&str>) -> ToolCall {
    let mut call = ToolCall::new("", name, "");
    call.cut_off = fault.is_none();
    call.fault = fault.map(str::to_owned);
    call
}
