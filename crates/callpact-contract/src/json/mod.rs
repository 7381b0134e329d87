//! A fast scanner of JSON text, which does not say what is wrong.
//!
//! A scanner remembers that the text is broken, and then gives nothing more.

mod decimal;
mod document;
mod form;
mod growing;
mod lenient;
mod names;
mod number;
mod skip;
mod string;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::{policy::MAX_DEPTH, text::is_equal};

pub(crate) use decimal::{EXACT, is_multiple, is_whole, is_whole_multiple, rounded, whole_order};
pub(crate) use document::{JsonDocument, NodeForm, NodeId};
pub(crate) use form::{JsonForm, ScannedNumber};
pub use growing::{GrowingDocument, PartialNode};
pub(crate) use growing::{Growth, GrowthPlace};
pub(crate) use lenient::{boolean, json_number, whole_number};
pub use names::NameTable;
pub(crate) use names::places;
pub(crate) use string::{EscapeFault, escape_length};

/// A text and the position in it. A copy can look ahead.
#[derive(Clone, Copy)]
pub(crate) struct JsonScanner<'de> {
    text: &'de str,
    /// The next byte.
    at: usize,
    /// The number of open objects and arrays.
    depth: usize,
    broken: bool,
}

impl<'de> JsonScanner<'de> {
    #[inline]
    pub(crate) fn new(text: &'de str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            broken: false,
        }
    }

    #[inline]
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Whether null comes next, judged by its first letter.
    #[inline]
    pub(crate) fn is_null(&mut self) -> bool {
        self.next() == Some(b'n')
    }

    /// Whether only white space is left.
    #[inline(never)]
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.next().is_none()
    }

    /// Whether the text was read to its end and is not broken.
    #[inline]
    pub(crate) fn is_done(&mut self) -> bool {
        !self.broken && (self.at >= self.text.len() || self.is_at_end())
    }

    /// The position of the next byte.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// The text from a position to the next byte.
    pub(crate) fn written_from(&self, start: usize) -> Option<&'de str> {
        self.text.get(start..self.at)
    }

    /// Takes an empty string if one comes next, and returns whether it did.
    #[inline]
    pub(crate) fn take_empty_text(&mut self) -> bool {
        let is_empty = self.bytes().get(self.at + 1) == Some(&b'"');
        if is_empty {
            self.at += 2;
        }
        is_empty
    }

    /// The number of bytes that are left.
    pub(crate) fn rest(&self) -> usize {
        self.text.len() - self.at
    }

    /// Moves to the value of this key in an open object, and returns whether the object has the key.
    pub(crate) fn seek(&mut self, entries: &mut OpenProgress, name: &str) -> bool {
        while self.has_more(entries, b'}') {
            match self.take_key_if(name) {
                Some(true) => return true,
                Some(false) => {
                    let _ = self.pass_value();
                }
                None => break,
            }
        }
        false
    }

    /// Takes a key, and returns whether it is this one.
    #[inline]
    fn take_key_if(&mut self, name: &str) -> Option<bool> {
        if self.next() != Some(b'"') {
            return self.fail();
        }
        let (bytes, start) = (self.bytes(), self.at + 1);
        let end = string::special(bytes, start);
        let is_it = if bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            is_equal(bytes.get(start..end)?, name.as_bytes())
        } else {
            self.string()? == name
        };
        self.take(b':')?;
        Some(is_it)
    }

    /// The first key of the object that comes next, if it is written without escapes, and the position behind its
    /// colon.
    #[inline]
    pub(crate) fn first_key(&mut self) -> Option<(&'de [u8], usize)> {
        if self.next() != Some(b'{') || self.depth >= MAX_DEPTH {
            return None;
        }
        let bytes = self.bytes();
        let mut start = self.at + 1;
        if bytes.get(start) != Some(&b'"') {
            start = behind_space(bytes, start);
        }
        let end = string::special(bytes, start + 1);
        if bytes.get(start) != Some(&b'"') || bytes.get(end..end + 2) != Some(b"\":") {
            return None;
        }
        Some((bytes.get(start + 1..end)?, end + 2))
    }

    /// Whether null is at this position, judged by its first letter.
    pub(crate) fn is_null_at(&self, start: usize) -> bool {
        let bytes = self.bytes();
        bytes.get(behind_space(bytes, start)) == Some(&b'n')
    }

    /// Skips the next value and returns its text.
    pub(crate) fn take_written(&mut self) -> Option<&'de str> {
        self.next();
        let start = self.at;
        self.pass_value()?;
        self.text.get(start..self.at)
    }

    /// The string that comes next; anything else breaks the text.
    #[inline]
    pub(crate) fn next_text(&mut self) -> Option<Cow<'de, str>> {
        if self.next() != Some(b'"') {
            return self.fail();
        }
        self.string()
    }

    #[inline]
    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    /// The next byte that is not white space; it is not taken.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<u8> {
        let bytes = self.bytes();
        match bytes.get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            // Most white space is one space behind a colon or a comma.
            Some(b' ') if bytes.get(self.at + 1).is_some_and(|byte| *byte > b' ') => {
                self.at += 1;
                bytes.get(self.at).copied()
            }
            _ => self.next_behind_space(),
        }
    }

    #[inline]
    fn next_behind_space(&mut self) -> Option<u8> {
        self.at = behind_space(self.bytes(), self.at);
        self.bytes().get(self.at).copied()
    }

    /// Remembers that the text is broken, and moves to its end, so that every loop ends.
    #[cold]
    #[inline(never)]
    fn fail<T>(&mut self) -> Option<T> {
        self.broken = true;
        self.at = self.text.len();
        None
    }

    /// Takes this byte, which must come next.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> Option<()> {
        if self.next() != Some(byte) {
            return self.fail();
        }
        self.at += 1;
        Some(())
    }

    /// Takes the rest of a word behind its first letter.
    #[inline]
    pub(crate) fn take_rest<const N: usize>(&mut self, rest: [u8; N]) -> Option<()> {
        let start = self.at + 1;
        let behind = self.bytes().get(start..).unwrap_or_default();
        if behind.first_chunk() != Some(&rest) {
            return self.fail();
        }
        self.at = start + N;
        Some(())
    }

    #[inline]
    pub(crate) fn open(&mut self) -> OpenProgress {
        if self.broken || self.depth >= MAX_DEPTH {
            let _: Option<()> = self.fail();
        } else {
            self.at += 1;
            self.depth += 1;
        }
        OpenProgress { first: true }
    }

    /// The text behind the quote of the next key, if no white space is in front of its comma.
    #[inline(always)]
    #[allow(clippy::inline_always)] // a call would save and restore what a key does not need
    fn next_plain_key(&self, entries: &OpenProgress) -> Option<&'de [u8]> {
        let rest = self.bytes().get(self.at..)?;
        let rest = match rest.split_first() {
            _ if entries.first => rest,
            Some((b',', rest)) => rest,
            _ => return None,
        };
        match rest.split_first() {
            Some((b'"', behind) | (b' ', [b'"', behind @ ..])) => Some(behind),
            _ => match rest.get(behind_space(rest, 0)..)?.split_first()? {
                (b'"', behind) => Some(behind),
                _ => None,
            },
        }
    }

    /// Takes this key if the text begins with it, a quote and a colon, and returns whether it did.
    #[inline(always)]
    #[allow(clippy::inline_always)] // see `next_plain_key`
    fn key_begins(&mut self, text: &'de [u8], name: &str) -> bool {
        let name = name.as_bytes();
        let Some((key, behind)) = text.split_at_checked(name.len()) else {
            return false;
        };
        let is_it = behind.first_chunk() == Some(b"\":") && is_equal(key, name);
        if is_it {
            self.at = self.text.len() - behind.len() + 2;
        }
        is_it
    }

    /// Whether another item or entry follows in an object or array that ends with this bracket. Takes the comma or the
    /// end.
    #[inline]
    pub(crate) fn has_more(&mut self, inside: &mut OpenProgress, end: u8) -> bool {
        let next = self.next();
        if next == Some(b',') && !inside.first {
            self.at += 1;
            return true;
        }
        if next == Some(end) {
            self.at += 1;
            self.depth = self.depth.saturating_sub(1);
            return false;
        }
        if inside.first && next.is_some() {
            inside.first = false;
            return true;
        }
        let _: Option<()> = self.fail();
        false
    }
}

/// The progress of reading an object or array.
pub(crate) struct OpenProgress {
    /// Nothing has been read yet, so no comma is expected.
    first: bool,
}

impl OpenProgress {
    /// The progress behind the first item or entry.
    pub(crate) const BEHIND_FIRST: Self = Self { first: false };
}

/// The position behind the white space at `start`.
#[inline(never)]
fn behind_space(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
        // Lines are indented by many spaces.
        while let Some(word) = string::word_at(bytes, at) {
            let blanks = (word ^ u64::from_ne_bytes([b' '; 8])).trailing_zeros() as usize / 8;
            at += blanks;
            if blanks < 8 {
                break;
            }
        }
    }
    at
}

/// One value after the other, each taken or skipped. A caller looks at the form of a value, and then takes it by the method
/// for that form.
impl<'de> JsonScanner<'de> {
    /// The form of the next value, which is not taken.
    #[inline]
    pub(crate) fn form(&mut self) -> JsonForm {
        match self.next() {
            Some(b'"') => JsonForm::Text,
            Some(b'-' | b'0'..=b'9') => JsonForm::Number,
            Some(b'{') => JsonForm::Object,
            Some(b'[') => JsonForm::List,
            Some(b't') => JsonForm::Boolean(true),
            Some(b'f') => JsonForm::Boolean(false),
            Some(b'n') => JsonForm::Null,
            _ => {
                let _: Option<()> = self.fail();
                JsonForm::Broken
            }
        }
    }

    /// Takes a string; `None` if the text is broken.
    #[inline]
    pub(crate) fn take_text(&mut self) -> Option<Cow<'de, str>> {
        self.string()
    }

    /// Opens the list that comes next.
    #[inline]
    pub(crate) fn open_list(&mut self) -> OpenProgress {
        self.open()
    }

    /// Moves to the next item; `false` at the end, and if the text is broken.
    #[inline]
    pub(crate) fn next_item(&mut self, items: &mut OpenProgress) -> bool {
        self.has_more(items, b']')
    }

    /// Opens the object that comes next.
    #[inline]
    pub(crate) fn open_object(&mut self) -> OpenProgress {
        self.open()
    }

    /// Moves to the value of the next key if that key is `name`, written without escapes; otherwise takes nothing.
    #[inline]
    pub(crate) fn next_is(&mut self, entries: &mut OpenProgress, name: &str) -> bool {
        let Some(key) = self.next_plain_key(entries) else {
            return false;
        };
        let is_it = self.key_begins(key, name);
        entries.first &= !is_it;
        is_it
    }

    /// Moves to the value of the next key if that key is one of these names, written without escapes, and returns its
    /// number; otherwise takes nothing. The name with the number `likely` is compared first.
    #[inline]
    pub(crate) fn next_name(
        &mut self,
        entries: &mut OpenProgress,
        names: &NameTable,
        likely: usize,
    ) -> Option<usize> {
        let key = self.next_plain_key(entries)?;
        let number = match names.name(likely) {
            Some(name) if self.key_begins(key, name) => likely,
            _ => names.find_start(key, |name| self.key_begins(key, name))?,
        };
        entries.first = false;
        Some(number)
    }
}
