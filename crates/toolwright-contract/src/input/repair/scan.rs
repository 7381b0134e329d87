//! A place in a text, and what may stand between two values.

use super::notes::Seen;
use crate::input::FixKind;

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, pos: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// The byte behind the next one.
    pub(super) fn second(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos + 1).copied()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The text from `start` to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.pos).unwrap_or_default()
    }

    /// Passes over the next bytes that fit.
    pub(super) fn skip(&mut self, fits: impl Fn(u8) -> bool) {
        let rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        self.pos += rest.iter().position(|b| !fits(*b)).unwrap_or(rest.len());
    }

    /// Passes over a text, if it comes next.
    pub(super) fn take(&mut self, what: &str) -> bool {
        let next = self.rest().starts_with(what);
        if next {
            self.pos += what.len();
        }
        next
    }

    /// Passes over spaces, and over what models write where a space could stand. `None` where a
    /// comment has no end.
    pub(super) fn space(&mut self, seen: &mut Seen) -> Option<()> {
        loop {
            self.skip(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'));
            match self.peek() {
                Some(b'/') if self.second() == Some(b'/') => self.line_comment(seen),
                Some(b'#') => self.line_comment(seen),
                Some(b'/') if self.second() == Some(b'*') => {
                    let end = self.rest().get(2..).and_then(|rest| rest.find("*/"))?;
                    self.pos += end + 4;
                    seen.add(FixKind::Comment);
                }
                // A line break that was escaped once too often.
                Some(b'\\') if matches!(self.second(), Some(b'n' | b'r' | b't')) => {
                    self.pos += 2;
                    seen.add(FixKind::EscapeOutside);
                }
                Some(128..) => {
                    let next = self.rest().chars().next().filter(|c| is_space(*c));
                    let Some(c) = next else { return Some(()) };
                    self.pos += c.len_utf8();
                    seen.add(FixKind::SpecialSpace);
                }
                _ => return Some(()),
            }
        }
    }

    fn line_comment(&mut self, seen: &mut Seen) {
        self.skip(|b| b != b'\n');
        seen.add(FixKind::Comment);
    }
}

/// A space that JSON does not know.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}')
}
