//! A text that begins as a call and ends within it.

use std::borrow::Cow;

use super::{
    ReadStop, cut_off,
    envelope::mend_arguments,
    markup::{begins_mark, leaves_open},
};
use crate::{
    policy::Policy,
    report::{Path, Report, Step},
    schema::is_wrapper,
};

/// The report on a text that begins as an object with this key, or as a call around such an object, and ends within it.
///
/// A tool of one text takes any text that is no such object, so only the beginning tells that a call was cut off. The
/// beginning may have every form that can be mended: a fence, words, single quotes, a string around it.
#[doc(hidden)]
pub fn cut_off_call(text: &str, key: &str) -> Option<Report> {
    let begun = text.trim_start_matches('\u{feff}').trim();
    let is_cut = if let Some(inside) = object_in(begun) {
        begins_with(&inside, key) && ends_within(&inside)
    } else {
        begins_mark(begun) && leaves_open(begun)
    };
    is_cut.then(|| {
        let path = Path::from_iter([Step::Key(key.to_owned())]);
        Report::new(vec![cut_off(path, text, false)])
    })
}

/// The object at the start of a text with what stands around it, without the quotes and the escapes of a string around
/// it.
fn object_in(text: &str) -> Option<Cow<'_, str>> {
    let start = text.find('{')?;
    let before = text.get(..start)?.trim();
    if let Some(quote) = before.chars().last().filter(|c| matches!(c, '"' | '\''))
        && before.len() == 1
    {
        let inside = text.get(start..)?.trim_end_matches(quote);
        return Some(Cow::Owned(without_escapes(inside)));
    }
    let is_fence = before
        .strip_prefix("```")
        .is_some_and(|language| language.bytes().all(|b| b.is_ascii_alphanumeric()));
    if !before.is_empty() && !is_fence && !before.ends_with([':', '>', '(', '\n', '`']) {
        return None;
    }
    let inside = text.get(start + 1..)?;
    if inside.trim_start().starts_with('\\') {
        let inside = without_escapes(text.get(start..)?);
        return Some(Cow::Owned(inside));
    }
    Some(Cow::Borrowed(text))
}

/// A text with one layer of the escapes of a string removed.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(next) => out.push(next),
                None => {}
            },
            _ => out.push(c),
        }
    }
    out
}

/// Whether the first key of the object in a text is this one, or one around arguments. The text may end within the key.
fn begins_with(text: &str, key: &str) -> bool {
    let inside = text
        .split_once('{')
        .map_or("", |(_, inside)| inside.trim_start());
    let inside = inside.trim_start_matches(['"', '\'', '`', '“', '”', '‘', '’']);
    let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_');
    match end.and_then(|end| inside.split_at_checked(end)) {
        Some((name, behind)) => {
            let behind = behind.trim_start_matches(['"', '\'', '`', '“', '”', '‘', '’']);
            let is_key = behind.trim_start().starts_with(':') || behind.trim().is_empty();
            is_key && (name == key || is_wrapper(name))
        }
        None => !inside.is_empty() && key.starts_with(inside),
    }
}

/// Whether the object in a text is not closed.
fn ends_within(text: &str) -> bool {
    match mend_arguments(text, &Policy::repair()) {
        Err(ReadStop::CutOff(_)) => true,
        Err(ReadStop::Syntax) => !text.contains('}'),
        _ => false,
    }
}
