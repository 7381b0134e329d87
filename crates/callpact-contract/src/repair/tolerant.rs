//! The tolerant reader: one value of a broken text, written as clean JSON.
//!
//! It writes text and builds no tree: a tree of `[1,1,1]` takes sixteen times its text, and the
//! reader of clean text already exists. It needs one pass, an explicit stack, and a budget for kept
//! data.

use super::{
    notes::{RepairNotes, SeenChanges},
    room::{make_room, step},
    space::skip_space,
};
use crate::{
    policy::{MAX_DEPTH, Policy},
    report::{FixKind, Path, Step},
    text::TextCursor,
};

/// Why a text was not read.
#[derive(Debug)]
pub(crate) enum ReadStop {
    /// It ends in the middle.
    CutOff(Box<Path>),
    /// It is broken in a way that has no certain meaning.
    Syntax,
    /// Two objects that differ.
    Several,
    /// A number that JSON does not have.
    NotFinite(Box<Path>, String),
    /// One key with different values.
    Duplicate(Box<Path>),
    TooDeep,
    /// Mending it would need too much memory.
    TooLarge,
}

/// A key of an open object, kept to find repetitions.
#[derive(Clone, Copy)]
pub(super) struct KeyEntry {
    pub(super) hash: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// An open array or object.
pub(super) struct OpenFrame {
    object: bool,
    /// The bracket that closes it; a list may be in parentheses.
    closes: u8,
    /// Its start in the output.
    start: usize,
    /// The number of values so far.
    count: usize,
    /// Whether there was a comma between or after them.
    comma: bool,
    /// The position of the current value's key in the output.
    key: (usize, usize),
    first_entry: usize,
}

/// The next token.
#[derive(Clone, Copy)]
enum NextToken {
    Value,
    /// An item or a key, or the end of the open container; whether a comma came before.
    Next {
        comma: bool,
    },
    /// A comma, or the end of the open container.
    CommaOrEnd,
}

pub(super) struct TolerantParser<'a> {
    pub(super) scan: TextCursor<'a>,
    pub(super) out: String,
    pub(super) notes: RepairNotes,
    pub(super) seen: SeenChanges,
    pub(super) open: Vec<OpenFrame>,
    pub(super) entries: Vec<KeyEntry>,
    /// Whether the innermost array or object is at one of its values, not between two.
    in_hand: bool,
    /// Whether only its colon makes the current text a key.
    needs_colon: bool,
    pub(super) most: usize,
}

/// The least budget, whatever the length of the text.
const FLOOR: usize = 16 << 10;

impl<'a> TolerantParser<'a> {
    pub(super) fn new(text: &'a str, policy: &Policy) -> Self {
        Self {
            scan: TextCursor::new(text),
            out: String::with_capacity(text.len() + 16),
            notes: RepairNotes::new(policy),
            seen: SeenChanges::default(),
            open: Vec::new(),
            entries: Vec::new(),
            in_hand: false,
            needs_colon: false,
            // The output and the keys together. Both grow in small steps, see `step`, so with the
            // output's first room the total stays below four times the text. An entry has a position
            // of 32 bits.
            most: (text.len() * 2)
                .saturating_add(FLOOR)
                .min(u32::MAX as usize),
        }
    }

    /// Skips spaces, and notes everything else that was there.
    pub(super) fn space(&mut self) -> Result<(), ReadStop> {
        let whole = skip_space(&mut self.scan, &mut self.seen).is_some();
        self.settle();
        if whole { Ok(()) } else { self.cut_off() }
    }

    /// Turns the collected classes into fixes at this place.
    fn settle(&mut self) {
        if self.seen.is_empty() {
            return;
        }
        let path = self.note_path();
        for (kind, times) in self.seen.drain() {
            let (from, to) = match kind {
                FixKind::QuoteStyle => ("single quotes", "double quotes"),
                FixKind::ControlCharacter => {
                    ("raw control characters in the string", "the same, escaped")
                }
                FixKind::InvalidEscape => ("\\'", "'"),
                FixKind::LoneSurrogate => ("half a character", "\\ufffd"),
                _ => {
                    self.notes.plain(kind, path.clone(), times);
                    continue;
                }
            };
            self.notes.add(kind, path.clone(), from, to);
        }
    }

    /// The path of the current value; between two values, that of their container.
    pub(super) fn path(&self) -> Path {
        let steps = self.open.len() - usize::from(!self.in_hand && !self.open.is_empty());
        self.open
            .iter()
            .take(steps)
            .map(|frame| {
                if !frame.object {
                    return Step::Index(frame.count);
                }
                let literal = self.out.get(frame.key.0..frame.key.1).unwrap_or_default();
                Step::Key(serde_json::from_str(literal).unwrap_or_default())
            })
            .collect()
    }

    /// The path of a note here; none is needed if it is not kept.
    pub(super) fn note_path(&self) -> Path {
        if self.notes.has_room() {
            self.path()
        } else {
            Path::default()
        }
    }

    /// Keeps the memory bounded; doubling would not.
    pub(super) fn room(&mut self, more: usize) -> Result<(), ReadStop> {
        let entries = self.entries.len() * size_of::<KeyEntry>();
        if self.out.len() + entries + more > self.most {
            return Err(ReadStop::TooLarge);
        }
        if self.entries.len() == self.entries.capacity() {
            let most = (self.most - self.out.len()) / size_of::<KeyEntry>();
            self.entries
                .reserve_exact(step(self.entries.len(), 16, most));
        }
        make_room(&mut self.out, more, self.most);
        Ok(())
    }

    /// Reads one value, and writes it.
    pub(super) fn value(&mut self) -> Result<(), ReadStop> {
        let bottom = self.open.len();
        let mut want = NextToken::Value;
        loop {
            self.space()?;
            let Some(byte) = self.scan.peek() else {
                return self.cut_off();
            };
            self.room(8)?;
            want = match want {
                NextToken::Value => self.one(byte)?,
                NextToken::Next { comma } => match byte {
                    b',' => {
                        self.scan.pos += 1;
                        self.note_here(FixKind::ExtraComma);
                        // An extra comma was noted; the required one is still missing.
                        NextToken::Next { comma }
                    }
                    b']' | b'}' | b')' => {
                        if comma && byte != b')' {
                            self.note_here(FixKind::ExtraComma);
                        }
                        self.close(byte)?
                    }
                    _ => self.next(byte)?,
                },
                NextToken::CommaOrEnd => match byte {
                    b',' => {
                        self.scan.pos += 1;
                        if let Some(frame) = self.open.last_mut() {
                            frame.comma = true;
                        }
                        NextToken::Next { comma: true }
                    }
                    b']' | b'}' | b')' => self.close(byte)?,
                    _ if self.is_another(byte) => {
                        self.note_here(FixKind::MissingComma);
                        self.needs_colon = true;
                        self.next(byte)?
                    }
                    _ => return Err(ReadStop::Syntax),
                },
            };
            if self.open.len() == bottom && matches!(want, NextToken::CommaOrEnd) {
                return Ok(());
            }
        }
    }

    /// Whether the next value certainly follows: an item or a quoted key on a new line, or an
    /// object directly after an object.
    fn is_another(&self, byte: u8) -> bool {
        let before = self.scan.since(0);
        let value = before.trim_ascii_end();
        let next_line = before
            .get(value.len()..)
            .is_some_and(|space| space.contains('\n'));
        match self.open.last() {
            Some(frame) if frame.object => next_line && byte == b'"',
            Some(frame) if frame.closes == b']' => {
                next_line || byte == b'{' && value.ends_with('}')
            }
            _ => false,
        }
    }

    fn note_here(&mut self, kind: FixKind) {
        let path = self.note_path();
        self.notes.plain(kind, path, 1);
    }

    fn one(&mut self, byte: u8) -> Result<NextToken, ReadStop> {
        self.in_hand = true;
        match byte {
            // Around the whole text, they are a call or words.
            b'(' if self.open.is_empty() => return Err(ReadStop::Syntax),
            b'{' | b'[' | b'(' => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(ReadStop::TooDeep);
                }
                self.scan.pos += 1;
                self.in_hand = false;
                let start = self.out.len();
                let (opens, closes) = match byte {
                    b'{' => ('{', b'}'),
                    b'[' => ('[', b']'),
                    _ => ('[', b')'),
                };
                self.out.push(opens);
                self.open.push(OpenFrame {
                    object: byte == b'{',
                    closes,
                    start,
                    count: 0,
                    comma: false,
                    key: (0, 0),
                    first_entry: self.entries.len(),
                });
                return Ok(NextToken::Next { comma: false });
            }
            b'"' | b'\'' | 128.. => {
                self.string()?;
                self.settle();
            }
            b'-' | b'0'..=b'9' => self.number()?,
            _ => self.word()?,
        }
        self.written();
        Ok(NextToken::CommaOrEnd)
    }

    /// A value is complete.
    fn written(&mut self) {
        let end = u32::try_from(self.out.len()).unwrap_or(u32::MAX);
        self.in_hand = false;
        if let Some(frame) = self.open.last_mut() {
            frame.count += 1;
            if frame.object
                && let Some(entry) = self.entries.last_mut()
            {
                entry.end = end;
            }
        }
    }

    /// An item, or a key and its colon.
    fn next(&mut self, byte: u8) -> Result<NextToken, ReadStop> {
        let Some(frame) = self.open.last() else {
            return Err(ReadStop::Syntax);
        };
        let object = frame.object;
        if frame.count > 0 {
            self.out.push(',');
        }
        if !object {
            return self.one(byte);
        }
        let start = self.out.len();
        let bare = match byte {
            b'"' | b'\'' | 128.. => {
                self.string()?;
                None
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                let from = self.scan.pos;
                self.scan
                    .skip(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'-'));
                let key = self.scan.since(from);
                self.room(key.len() + 8)?;
                self.out.push('"');
                self.out.push_str(key);
                self.out.push('"');
                // The first of its quotes may be the only missing one.
                self.scan.take("\"");
                self.needs_colon = true;
                Some(key)
            }
            _ => return Err(ReadStop::Syntax),
        };
        let end = self.out.len();
        let hash = hash(self.out.get(start..end).unwrap_or_default());
        if let Some(frame) = self.open.last_mut() {
            frame.key = (start, end);
        }
        self.in_hand = true;
        self.settle();
        self.space()?;
        match self.scan.peek() {
            None => return self.cut_off(),
            Some(b':') => self.scan.pos += 1,
            Some(b'"' | b'\'' | b'-' | b'0'..=b'9' | b'{' | b'[') if !self.needs_colon => {
                self.note_here(FixKind::MissingColon);
            }
            Some(_) => return Err(ReadStop::Syntax),
        }
        if let Some(key) = bare {
            let path = self.note_path();
            self.notes.key(path, key);
        }
        self.needs_colon = false;
        self.room(8)?;
        self.out.push(':');
        self.entries.push(KeyEntry {
            hash,
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: 0,
        });
        Ok(NextToken::Value)
    }

    fn close(&mut self, byte: u8) -> Result<NextToken, ReadStop> {
        let Some(frame) = self.open.last() else {
            return Err(ReadStop::Syntax);
        };
        if frame.closes != byte {
            return Err(ReadStop::Syntax);
        }
        let (first, start) = (frame.first_entry, frame.start);
        // Without a comma, the parentheses surround one value and are not a list.
        let alone = byte == b')' && frame.count == 1 && !frame.comma;
        if frame.object {
            self.merge(first)?;
        }
        self.entries.truncate(first);
        self.open.pop();
        self.scan.pos += 1;
        if byte == b')' {
            self.note_here(FixKind::Parentheses);
        }
        if alone {
            self.out.remove(start);
        } else {
            self.out.push(if byte == b'}' { '}' } else { ']' });
        }
        self.written();
        Ok(NextToken::CommaOrEnd)
    }
}

/// FNV-1a is short, and a clash only costs a mend that is not made.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a value with this budget.
    fn within(text: &str, most: usize) -> (Result<(), ReadStop>, String) {
        let mut reader = TolerantParser::new(text, &Policy::repair());
        reader.most = most;
        (reader.value(), reader.out)
    }

    #[test]
    fn output_and_keys_share_byte_limit() {
        // Before its last byte: twelve of output, two keys of twelve each, eight to spare.
        let (read, out) = within("{a:1,b:2}", 44);
        assert!(read.is_ok(), "{read:?}");
        assert_eq!(out, r#"{"a":1,"b":2}"#);
        let (read, _) = within("{a:1,b:2}", 43);
        assert!(matches!(read, Err(ReadStop::TooLarge)), "{read:?}");
    }

    #[test]
    fn key_capacity_leaves_room_for_output() {
        let key = KeyEntry {
            hash: 0,
            start: 0,
            end: 0,
        };
        let mut reader = TolerantParser::new("", &Policy::repair());
        reader.out = "x".repeat(100);
        reader.entries = vec![key; 1000];
        reader.most = 100 + 1200 * size_of::<KeyEntry>();
        for _ in 0..2 {
            assert!(reader.room(8).is_ok());
            assert_eq!(reader.entries.capacity(), 1200);
            reader.entries.push(key);
        }
    }

    #[test]
    fn rejects_oversized_string_before_copying() {
        let text = format!("{{{}z:'{}'}}", "k:1,".repeat(20), "x".repeat(50));
        let whole = 126 + 21 * size_of::<KeyEntry>() + 50;
        let (read, out) = within(&text, whole - 1);
        assert!(matches!(read, Err(ReadStop::TooLarge)), "{read:?}");
        assert!(!out.contains('x'), "{out}");
        let (_, out) = within(&text, whole);
        assert!(out.contains('x'), "{out}");
    }

    #[test]
    fn accepts_long_key_and_long_number() {
        let long = "0".repeat(20_000);
        for text in [format!("{{a{long}:1}}"), format!("[1.{long}]")] {
            let read = TolerantParser::new(&text, &Policy::repair()).value();
            assert!(read.is_ok(), "{read:?}");
        }
    }
}
