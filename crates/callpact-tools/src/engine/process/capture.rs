//! Keeps output up to a limit. The rest is read and dropped, so that the writer never waits.

use std::fmt;

/// The line after a text in which a character replaces bytes that are not UTF-8.
#[cfg(feature = "process")]
pub(crate) const LOSSY: &str = "... (bytes that are not UTF-8 are shown as \u{FFFD})";

/// The target of the bytes of a stream.
pub(crate) trait StreamSink: Send {
    /// Takes the next bytes.
    fn push(&mut self, bytes: &[u8]);
}

/// The output of a process on one stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Captured {
    /// The first bytes, up to the limit.
    pub bytes: Vec<u8>,
    /// How many bytes were read in all.
    pub total: u64,
    /// Whether bytes were dropped.
    pub truncated: bool,
}

impl Captured {
    /// The bytes as text, with a mark at the end if some were dropped. Invalid UTF-8 becomes `�`; a
    /// character that the limit has cut is left out.
    pub fn text(&self) -> String {
        let bytes = if self.truncated {
            whole_characters(&self.bytes)
        } else {
            &self.bytes
        };
        let text = String::from_utf8_lossy(bytes);
        if self.truncated {
            return format!("{text}\n[output truncated at {} bytes]", self.bytes.len());
        }
        text.into_owned()
    }
}

impl fmt::Display for Captured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// `bytes` without an incomplete character at the end.
pub(crate) fn whole_characters(bytes: &[u8]) -> &[u8] {
    match bytes.utf8_chunks().last() {
        // Among invalid ends, only one that more bytes could complete is the start of a character.
        Some(last) if !last.invalid().is_empty() && is_cut(last.invalid()) => bytes
            .get(..bytes.len().saturating_sub(last.invalid().len()))
            .unwrap_or(bytes),
        _ => bytes,
    }
}

fn is_cut(invalid: &[u8]) -> bool {
    matches!(std::str::from_utf8(invalid), Err(e) if e.error_len().is_none())
}

/// The first bytes of a stream.
#[derive(Debug)]
pub(crate) struct StreamCapture {
    kept: Captured,
    limit: usize,
}

impl StreamCapture {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            kept: Captured::default(),
            limit,
        }
    }

    pub(crate) fn finish(self) -> Captured {
        self.kept
    }
}

impl StreamSink for StreamCapture {
    fn push(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(self.kept.bytes.len());
        let fits = bytes.get(..room).unwrap_or(bytes);
        self.kept.bytes.extend_from_slice(fits);
        self.kept.total = self.kept.total.saturating_add(bytes.len() as u64);
        self.kept.truncated |= fits.len() < bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_cuts_and_says_so() {
        let mut capture = StreamCapture::new(4);
        capture.push("aé".as_bytes());
        capture.push("é".as_bytes());
        let kept = capture.finish();
        assert_eq!((kept.bytes.len(), kept.total, kept.truncated), (4, 5, true));
        assert_eq!(kept.text(), "aé\n[output truncated at 4 bytes]");
    }

    #[test]
    fn exactly_the_limit_is_whole() {
        let mut capture = StreamCapture::new(3);
        capture.push(b"abc");
        capture.push(b"");
        assert_eq!(capture.finish().text(), "abc");
    }
}
