//! The latest bytes of a stream that nobody has read yet.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use callpact::secret::{RedactStream, Redactor};

use crate::engine::process::capture::{StreamSink, whole_characters};

/// The part of a ring that one look takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RingPart {
    pub(super) text: String,
    /// How many bytes were dropped before it.
    pub(super) dropped: u64,
    /// Whether there was invalid UTF-8.
    pub(super) lossy: bool,
}

#[derive(Debug)]
pub(super) struct ByteRing {
    bytes: VecDeque<u8>,
    limit: usize,
    dropped: u64,
}

impl ByteRing {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            bytes: VecDeque::new(),
            limit,
            dropped: 0,
        }
    }

    /// Takes the available bytes. Unless the stream has ended, an incomplete character stays for the next time.
    pub(super) fn take(&mut self, ended: bool) -> RingPart {
        if self.dropped > 0 {
            // The first character may have lost its beginning.
            let cut = self
                .bytes
                .iter()
                .take(3)
                .take_while(|b| (0x80..0xc0).contains(*b))
                .count();
            self.bytes.drain(..cut);
            self.dropped = self.dropped.saturating_add(cut as u64);
        }
        let bytes = self.bytes.make_contiguous();
        let whole = if ended {
            bytes.len()
        } else {
            whole_characters(bytes).len()
        };
        let taken: Vec<u8> = self.bytes.drain(..whole).collect();
        let text = String::from_utf8_lossy(&taken);
        RingPart {
            lossy: matches!(text, Cow::Owned(_)),
            text: text.into_owned(),
            dropped: std::mem::take(&mut self.dropped),
        }
    }
}

impl StreamSink for ByteRing {
    fn push(&mut self, bytes: &[u8]) {
        let latest = bytes
            .get(bytes.len().saturating_sub(self.limit)..)
            .unwrap_or(bytes);
        let over = self
            .bytes
            .len()
            .saturating_add(latest.len())
            .saturating_sub(self.limit);
        self.bytes.drain(..over.min(self.bytes.len()));
        self.bytes.extend(latest);
        let lost = over.saturating_add(bytes.len().saturating_sub(latest.len()));
        self.dropped = self.dropped.saturating_add(lost as u64);
    }
}

/// A ring that removes secrets before it stores the bytes.
pub(super) struct RedactingRing {
    stream: Option<RedactStream>,
    ring: Arc<Mutex<ByteRing>>,
}

impl RedactingRing {
    pub(super) fn new(ring: &Arc<Mutex<ByteRing>>, redactor: Option<&Redactor>) -> Self {
        Self {
            stream: redactor.map(Redactor::stream),
            ring: Arc::clone(ring),
        }
    }

    /// Writes the bytes that were held back as the possible start of a secret.
    pub(super) fn finish(&mut self) {
        if let Some(stream) = &mut self.stream {
            let rest = stream.finish_bytes();
            self.write(&rest);
        }
    }

    fn write(&self, bytes: &[u8]) {
        self.ring
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(bytes);
    }
}

impl StreamSink for RedactingRing {
    fn push(&mut self, bytes: &[u8]) {
        match &mut self.stream {
            None => self.write(bytes),
            Some(stream) => {
                let clean = stream.push_bytes(bytes);
                self.write(&clean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str, dropped: u64) -> RingPart {
        RingPart {
            text: text.to_owned(),
            dropped,
            lossy: false,
        }
    }

    #[test]
    fn what_no_text_can_show_is_noticed() {
        let mut ring = ByteRing::new(8);
        ring.push(b"a\xffb");
        let mut shown = taken("a\u{FFFD}b", 0);
        shown.lossy = true;
        assert_eq!(ring.take(false), shown);
        ring.push("\u{FFFD}".as_bytes());
        assert_eq!(ring.take(false), taken("\u{FFFD}", 0));
    }

    #[test]
    fn the_latest_bytes_stay() {
        let mut ring = ByteRing::new(4);
        ring.push(b"ab");
        ring.push(b"cde");
        assert_eq!(ring.take(false), taken("bcde", 1));
        ring.push(b"0123456789");
        assert_eq!(ring.take(false), taken("6789", 6));
        assert_eq!(ring.take(true), taken("", 0));
    }

    #[test]
    fn characters_are_not_split() {
        let mut ring = ByteRing::new(4);
        ring.push(&"é".as_bytes()[..1]);
        assert_eq!(ring.take(false), taken("", 0));
        ring.push(&"é".as_bytes()[1..]);
        assert_eq!(ring.take(false), taken("é", 0));
        ring.push("aéé".as_bytes());
        ring.push(b"b");
        assert_eq!(ring.take(false), taken("éb", 3));
    }
}
