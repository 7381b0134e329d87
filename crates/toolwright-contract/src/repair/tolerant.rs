//! The tolerant reader: one value of a broken text, written as clean JSON.
//!
//! It writes text and builds no tree: a tree of `[1,1,1]` takes sixteen times its text, and what
//! reads clean text is there already. One pass, an explicit stack, a budget on what is kept.

use super::{
    notes::{Notes, Seen},
    room::{make_room, step},
    space::skip_space,
    strings::{self, Fault},
};
use crate::{
    policy::{MAX_DEPTH, Policy},
    report::{FixKind, Path, Step},
    text::Cursor,
};

/// Why a text was not read.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It ends in the middle.
    CutOff(Path),
    /// It is broken in a way that has no certain meaning.
    Syntax,
    /// Two objects that differ.
    Several,
    /// A number that JSON does not have.
    NotFinite(Path, String),
    /// The same key with different values.
    Duplicate(Path),
    TooDeep,
    /// Mending it would take more memory than it is worth.
    TooLarge,
}

/// An open array or object.
struct Frame {
    object: bool,
    /// Values written so far.
    count: usize,
    /// Where in the output the key of the value in hand stands.
    key: (usize, usize),
    first_entry: usize,
}

/// A key of an open object, to find the same one again.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    start: u32,
    end: u32,
}

/// What comes next.
#[derive(Clone, Copy)]
enum Want {
    Value,
    /// An item or a key, or the end of what is open; whether a comma stands before.
    Next {
        comma: bool,
    },
    /// A comma, or the end of what is open.
    CommaOrEnd,
}

pub(super) struct Tolerant<'a> {
    pub(super) scan: Cursor<'a>,
    pub(super) out: String,
    pub(super) notes: Notes,
    seen: Seen,
    open: Vec<Frame>,
    entries: Vec<Entry>,
    /// Whether the innermost array or object is at one of its values, and not between two.
    in_hand: bool,
    most: usize,
}

/// What may be kept whatever the length of the text.
const FLOOR: usize = 16 << 10;

impl<'a> Tolerant<'a> {
    pub(super) fn new(text: &'a str, policy: &Policy) -> Self {
        Self {
            scan: Cursor::new(text),
            out: String::with_capacity(text.len() + 16),
            notes: Notes::new(policy),
            seen: Seen::default(),
            open: Vec::new(),
            entries: Vec::new(),
            in_hand: false,
            // The output and the keys together; both grow by small steps, see `step`, so that with the
            // output's first room all of it stays below four times the text. An entry says in 32 bits
            // where it stands.
            most: (text.len() * 2)
                .saturating_add(FLOOR)
                .min(u32::MAX as usize),
        }
    }

    /// Passes over spaces, and notes what else stood there.
    pub(super) fn space(&mut self) -> Result<(), Stop> {
        let whole = skip_space(&mut self.scan, &mut self.seen).is_some();
        self.settle();
        if whole {
            Ok(())
        } else {
            Err(Stop::CutOff(self.path()))
        }
    }

    /// Turns what was seen into fixes at this place.
    fn settle(&mut self) {
        if self.seen.is_empty() {
            return;
        }
        let path = if self.notes.has_room() {
            self.path()
        } else {
            Path::default()
        };
        for (kind, times) in self.seen.drain() {
            match kind {
                FixKind::QuoteStyle => {
                    self.notes
                        .add(kind, path.clone(), "single quotes", "double quotes");
                }
                FixKind::ControlCharacter => self.notes.add(
                    kind,
                    path.clone(),
                    "raw control characters in the string",
                    "the same, escaped",
                ),
                FixKind::InvalidEscape => self.notes.add(kind, path.clone(), "\\'", "'"),
                FixKind::LoneSurrogate => {
                    self.notes
                        .add(kind, path.clone(), "half a character", "\\ufffd");
                }
                _ => self.notes.plain(kind, path.clone(), times),
            }
        }
    }

    /// Where the value in hand stands; between two values, what they stand in.
    fn path(&self) -> Path {
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

    /// Keeps the memory bounded; growing by doubling would not.
    fn room(&mut self, more: usize) -> Result<(), Stop> {
        let entries = self.entries.len() * size_of::<Entry>();
        if self.out.len() + entries + more > self.most {
            return Err(Stop::TooLarge);
        }
        if self.entries.len() == self.entries.capacity() {
            let most = (self.most - self.out.len()) / size_of::<Entry>();
            self.entries
                .reserve_exact(step(self.entries.len(), 16, most));
        }
        make_room(&mut self.out, more, self.most);
        Ok(())
    }

    /// Reads one value, and writes it.
    pub(super) fn value(&mut self) -> Result<(), Stop> {
        let bottom = self.open.len();
        let mut want = Want::Value;
        loop {
            self.space()?;
            let Some(byte) = self.scan.peek() else {
                return Err(Stop::CutOff(self.path()));
            };
            self.room(8)?;
            want = match want {
                Want::Value => self.one(byte)?,
                Want::Next { comma } => match byte {
                    b',' => {
                        self.scan.pos += 1;
                        self.note_here(FixKind::ExtraComma);
                        // A comma too many was noted; the one that counts is still awaited.
                        Want::Next { comma }
                    }
                    b']' | b'}' => {
                        if comma {
                            self.note_here(FixKind::ExtraComma);
                        }
                        self.close(byte)?
                    }
                    _ => self.next(byte)?,
                },
                Want::CommaOrEnd => match byte {
                    b',' => {
                        self.scan.pos += 1;
                        Want::Next { comma: true }
                    }
                    b']' | b'}' => self.close(byte)?,
                    _ if self.is_next_line() => {
                        self.note_here(FixKind::MissingComma);
                        self.next(byte)?
                    }
                    _ => return Err(Stop::Syntax),
                },
            };
            if self.open.len() == bottom && matches!(want, Want::CommaOrEnd) {
                return Ok(());
            }
        }
    }

    /// Whether an item of a list begins a line of its own: two that are apart by that alone are two items.
    fn is_next_line(&self) -> bool {
        let in_list = self.open.last().is_some_and(|frame| !frame.object);
        let before = self.scan.since(0);
        let space = before.get(before.trim_ascii_end().len()..);
        in_list && space.is_some_and(|space| space.contains('\n'))
    }

    fn note_here(&mut self, kind: FixKind) {
        let path = if self.notes.has_room() {
            self.path()
        } else {
            Path::default()
        };
        self.notes.plain(kind, path, 1);
    }

    fn one(&mut self, byte: u8) -> Result<Want, Stop> {
        self.in_hand = true;
        match byte {
            b'{' | b'[' => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(Stop::TooDeep);
                }
                self.scan.pos += 1;
                self.out.push(char::from(byte));
                self.in_hand = false;
                self.open.push(Frame {
                    object: byte == b'{',
                    count: 0,
                    key: (0, 0),
                    first_entry: self.entries.len(),
                });
                return Ok(Want::Next { comma: false });
            }
            b'"' | b'\'' => {
                self.string()?;
                self.settle();
            }
            b'-' | b'0'..=b'9' => self.number()?,
            _ => self.word()?,
        }
        self.written();
        Ok(Want::CommaOrEnd)
    }

    fn string(&mut self) -> Result<(), Stop> {
        // A line break takes twice its room, the most that copying can add.
        let entries = self.entries.len() * size_of::<Entry>();
        let most = self.most.saturating_sub(entries);
        match strings::copy(&mut self.scan, &mut self.out, &mut self.seen, most) {
            Ok(()) => Ok(()),
            Err(Fault::TooLarge) => Err(Stop::TooLarge),
            Err(Fault::CutOff) => Err(Stop::CutOff(self.path())),
            Err(Fault::Syntax) => Err(Stop::Syntax),
        }
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
    fn next(&mut self, byte: u8) -> Result<Want, Stop> {
        let Some(frame) = self.open.last() else {
            return Err(Stop::Syntax);
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
            b'"' | b'\'' => {
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
                Some(key)
            }
            _ => return Err(Stop::Syntax),
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
            None => return Err(Stop::CutOff(self.path())),
            Some(b':') => self.scan.pos += 1,
            Some(_) => return Err(Stop::Syntax),
        }
        if let Some(key) = bare {
            let path = if self.notes.has_room() {
                self.path()
            } else {
                Path::default()
            };
            self.notes.key(path, key);
        }
        self.room(8)?;
        self.out.push(':');
        self.entries.push(Entry {
            hash,
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: 0,
        });
        Ok(Want::Value)
    }

    fn close(&mut self, byte: u8) -> Result<Want, Stop> {
        let Some(frame) = self.open.last() else {
            return Err(Stop::Syntax);
        };
        if frame.object != (byte == b'}') {
            return Err(Stop::Syntax);
        }
        let first = frame.first_entry;
        if frame.object {
            self.merge(first)?;
        }
        self.entries.truncate(first);
        self.open.pop();
        self.scan.pos += 1;
        self.out.push(char::from(byte));
        self.written();
        Ok(Want::CommaOrEnd)
    }

    /// Leaves out entries that repeat another word for word; two values for one key are an error.
    fn merge(&mut self, first: usize) -> Result<(), Stop> {
        let entries = self.entries.get_mut(first..).unwrap_or_default();
        if entries.len() < 2 {
            return Ok(());
        }
        entries.sort_unstable_by_key(|entry| (entry.hash, entry.start));
        let text = |entry: &Entry| {
            let entry = self.out.get(entry.start as usize..entry.end as usize);
            let entry = entry.unwrap_or_default();
            entry.split_at_checked(literal(entry)).unwrap_or_default()
        };
        let mut head: Option<Entry> = None;
        let mut again = false;
        let mut clash = None;
        for entry in entries.iter_mut() {
            let this = *entry;
            // From here on the mark of an entry that goes.
            entry.hash = 0;
            let Some(before) = head.filter(|head| head.hash == this.hash) else {
                head = Some(this);
                continue;
            };
            let ((key, value), (other, other_value)) = (text(&before), text(&this));
            // Different keys of one hash are left to the typed reader, which compares them all.
            if key != other {
                continue;
            }
            if value != other_value {
                clash = Some(key);
                break;
            }
            entry.hash = 1;
            again = true;
        }
        if let Some(key) = clash {
            let step = Step::Key(serde_json::from_str(key).unwrap_or_default());
            return Err(Stop::Duplicate(self.path().join(step)));
        }
        if again {
            entries.sort_unstable_by_key(|entry| entry.start);
            self.drop_entries(first);
        }
        Ok(())
    }

    /// Closes the gaps that the marked entries leave, in place.
    fn drop_entries(&mut self, first: usize) {
        let parent = self.path();
        let marked = || {
            self.entries
                .iter()
                .skip(first)
                .filter(|entry| entry.hash == 1)
        };
        for entry in marked() {
            if !self.notes.has_room() {
                self.notes
                    .plain(FixKind::DuplicateMerged, Path::default(), 1);
                break;
            }
            let text = self.out.get(entry.start as usize..).unwrap_or_default();
            let key = text.get(..literal(text)).unwrap_or_default();
            let step = Step::Key(serde_json::from_str(key).unwrap_or_default());
            let path = parent.clone().join(step);
            self.notes.plain(FixKind::DuplicateMerged, path, 1);
        }
        let mut bytes = std::mem::take(&mut self.out).into_bytes();
        let (mut to, mut from) = (None, 0);
        for entry in marked() {
            // Each of them follows a comma, which goes with it.
            let start = (entry.start as usize).saturating_sub(1);
            let into = *to.get_or_insert(start);
            if from > 0 && from <= start {
                bytes.copy_within(from..start, into);
                to = Some(into + start - from);
            }
            from = entry.end as usize;
        }
        if let Some(into) = to {
            let end = bytes.len();
            bytes.copy_within(from.min(end)..end, into);
            bytes.truncate(into + end - from.min(end));
        }
        // Whole entries were taken out, so that no character is cut.
        self.out = String::from_utf8(bytes).unwrap_or_default();
    }

    /// A number as JSON writes it.
    fn number(&mut self) -> Result<(), Stop> {
        let start = self.scan.pos;
        if self.scan.take("-") && self.scan.rest().starts_with("Infinity") {
            return Err(Stop::NotFinite(self.path(), "-Infinity".to_owned()));
        }
        let whole = self.digits();
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        let mut good = !whole.is_empty() && !leading_zero;
        if self.scan.take(".") {
            good &= !self.digits().is_empty();
        }
        if self.scan.take("e") || self.scan.take("E") {
            let _ = self.scan.take("+") || self.scan.take("-");
            good &= !self.digits().is_empty();
        }
        match self.scan.peek() {
            // Inside an array or object a number at the end of the text may miss digits.
            None if !self.open.is_empty() || !good => Err(Stop::CutOff(self.path())),
            _ if !good => Err(Stop::Syntax),
            // What stands behind it, such as the rest of `1_000`, is no comma and no end.
            _ => {
                let number = self.scan.since(start);
                self.room(number.len() + 8)?;
                self.out.push_str(number);
                Ok(())
            }
        }
    }

    fn digits(&mut self) -> &'a str {
        let start = self.scan.pos;
        self.scan.skip(|b| b.is_ascii_digit());
        self.scan.since(start)
    }

    /// `true`, `None` and the like; any other bare word has no certain meaning.
    fn word(&mut self) -> Result<(), Stop> {
        let start = self.scan.pos;
        self.scan
            .skip(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        let word = self.scan.since(start);
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let json = if is("true") {
            "true"
        } else if is("false") {
            "false"
        } else if is("null") || is("none") {
            "null"
        } else if is("nan") || is("inf") || is("infinity") {
            return Err(Stop::NotFinite(self.path(), word.to_owned()));
        } else if self.scan.peek().is_none() && !self.open.is_empty() {
            return Err(Stop::CutOff(self.path()));
        } else {
            return Err(Stop::Syntax);
        };
        if word != json {
            let path = if self.notes.has_room() {
                self.path()
            } else {
                Path::default()
            };
            self.notes.word(path, word, json);
        }
        self.out.push_str(json);
        Ok(())
    }
}

/// The length of the string literal that a text starts with.
fn literal(text: &str) -> usize {
    let mut escaped = false;
    text.bytes()
        .skip(1)
        .position(|b| {
            let end = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            end
        })
        .map_or(text.len(), |end| end + 2)
}

/// FNV-1a: short, and a clash costs nothing but a mend that is not made.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a value that may take so much.
    fn within(text: &str, most: usize) -> (Result<(), Stop>, String) {
        let mut reader = Tolerant::new(text, &Policy::repair());
        reader.most = most;
        (reader.value(), reader.out)
    }

    #[test]
    fn output_and_keys_stay_within_what_may_be_kept() {
        // In front of its last byte: twelve of output, two keys of twelve each, eight to spare.
        let (read, out) = within("{a:1,b:2}", 44);
        assert!(read.is_ok(), "{read:?}");
        assert_eq!(out, r#"{"a":1,"b":2}"#);
        let (read, _) = within("{a:1,b:2}", 43);
        assert!(matches!(read, Err(Stop::TooLarge)), "{read:?}");
    }

    #[test]
    fn the_room_of_keys_ends_where_the_output_needs_it() {
        let key = Entry {
            hash: 0,
            start: 0,
            end: 0,
        };
        let mut reader = Tolerant::new("", &Policy::repair());
        reader.out = "x".repeat(100);
        reader.entries = vec![key; 1000];
        reader.most = 100 + 1200 * size_of::<Entry>();
        for _ in 0..2 {
            assert!(reader.room(8).is_ok());
            assert_eq!(reader.entries.capacity(), 1200);
            reader.entries.push(key);
        }
    }

    #[test]
    fn a_string_that_does_not_fit_beside_the_keys_is_not_copied() {
        let text = format!("{{{}z:'{}'}}", "k:1,".repeat(20), "x".repeat(50));
        let whole = 126 + 21 * size_of::<Entry>() + 50;
        let (read, out) = within(&text, whole - 1);
        assert!(matches!(read, Err(Stop::TooLarge)), "{read:?}");
        assert!(!out.contains('x'), "{out}");
        let (_, out) = within(&text, whole);
        assert!(out.contains('x'), "{out}");
    }

    #[test]
    fn one_long_key_or_number_takes_its_own_length() {
        let long = "0".repeat(20_000);
        for text in [format!("{{a{long}:1}}"), format!("[1.{long}]")] {
            let read = Tolerant::new(&text, &Policy::repair()).value();
            assert!(read.is_ok(), "{read:?}");
        }
    }
}
