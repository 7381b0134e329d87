//! White space and comments between the values of a broken text.

use super::notes::SeenChanges;
use crate::{report::FixKind, text::TextCursor};

/// Skips spaces, and whatever models write in place of a space. `None` if a comment has no end.
pub(super) fn skip_space(cursor: &mut TextCursor<'_>, seen: &mut SeenChanges) -> Option<()> {
    loop {
        cursor.skip(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'));
        match cursor.peek() {
            Some(b'/' | b'#') => match comment(cursor.rest()) {
                Some((_, length)) => {
                    cursor.pos += length;
                    seen.add(FixKind::Comment);
                }
                None if cursor.rest().starts_with("/*") => return None,
                None => return Some(()),
            },
            // A line break that was escaped once too often.
            Some(b'\\') if matches!(cursor.second(), Some(b'n' | b'r' | b't')) => {
                cursor.pos += 2;
                seen.add(FixKind::EscapeOutside);
            }
            Some(128..) => {
                let next = cursor.rest().chars().next().filter(|c| is_space(*c));
                let Some(c) = next else { return Some(()) };
                cursor.pos += c.len_utf8();
                seen.add(FixKind::SpecialSpace);
            }
            _ => return Some(()),
        }
    }
}

/// The words of the comment that a text begins with, and the length of the comment. `None` if it begins with none, or
/// with one that has no end.
pub(super) fn comment(text: &str) -> Option<(&str, usize)> {
    if let Some(inside) = text.strip_prefix("/*") {
        let (words, _) = inside.split_once("*/")?;
        return Some((words, words.len() + 4));
    }
    let words = text.strip_prefix("//").or_else(|| text.strip_prefix('#'))?;
    let words = words.split('\n').next().unwrap_or_default();
    let marks = if text.starts_with('#') { 1 } else { 2 };
    Some((words, words.len() + marks))
}

/// A space that JSON does not allow.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}')
}
