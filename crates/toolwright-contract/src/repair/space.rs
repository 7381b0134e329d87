//! White space and comments between the values of a broken text.

use super::notes::Seen;
use crate::{report::FixKind, text::Cursor};

/// Skips spaces, and whatever models write in place of a space. `None` if a comment has no end.
pub(super) fn skip_space(cursor: &mut Cursor<'_>, seen: &mut Seen) -> Option<()> {
    loop {
        cursor.skip(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'));
        match cursor.peek() {
            Some(b'/') if cursor.second() == Some(b'/') => skip_line_comment(cursor, seen),
            Some(b'#') => skip_line_comment(cursor, seen),
            Some(b'/') if cursor.second() == Some(b'*') => {
                let end = cursor.rest().get(2..).and_then(|rest| rest.find("*/"))?;
                cursor.pos += end + 4;
                seen.add(FixKind::Comment);
            }
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

fn skip_line_comment(cursor: &mut Cursor<'_>, seen: &mut Seen) {
    cursor.skip(|b| b != b'\n');
    seen.add(FixKind::Comment);
}

/// A space that JSON does not allow.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}')
}
