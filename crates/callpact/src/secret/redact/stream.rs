//! Redacting text that comes in pieces.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::automaton::PatternAutomaton;
use super::forms::{TextReading, all_readings};
use super::lane::{ReadingUnit, SecretHit};

/// Redacts a text that comes in pieces, wherever it is cut.
///
/// Text that may be the beginning of a secret is held back until that is clear; everything else comes out at
/// once. However the text is cut, the result is the same.
///
/// ```
/// use callpact::secret::{ResolvedSecrets, SecretRef, SecretValue};
///
/// let secrets = ResolvedSecrets::new([(SecretRef::new("token")?, SecretValue::new("hunter2!"))])?;
/// let mut stream = secrets.redactor().stream();
/// assert_eq!(stream.push("it is hun"), "it is ");
/// assert_eq!(stream.push("ter2! you know"), "<secret_ref:token> you kn");
/// assert_eq!(stream.finish(), "ow");
/// # Ok::<(), callpact::secret::SecretError>(())
/// ```
pub struct RedactStream {
    automaton: Arc<PatternAutomaton>,
    readings: Vec<TextReading>,
    /// The secrets that were found and are still in the text that is held.
    hits: BTreeSet<SecretHit>,
    /// The source from `base` on. It was given out up to `start`.
    held: Vec<u8>,
    base: usize,
    start: usize,
    /// Up to here the source is covered by a placeholder that was given out.
    covered: usize,
}

impl RedactStream {
    pub(super) fn new(automaton: Arc<PatternAutomaton>) -> Self {
        Self {
            automaton,
            readings: all_readings(),
            hits: BTreeSet::new(),
            held: Vec::new(),
            base: 0,
            start: 0,
            covered: 0,
        }
    }

    /// Takes the next piece and gives what can be given.
    #[must_use = "what comes out is the text"]
    pub fn push(&mut self, piece: &str) -> String {
        text(self.push_bytes(piece.as_bytes()))
    }

    /// Takes the next piece as bytes, which may end in the middle of a character.
    #[must_use = "what comes out is the text"]
    pub fn push_bytes(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.automaton.is_empty() {
            return piece.to_vec();
        }
        let end = self.base + self.held.len();
        let mut found = Vec::new();
        for (at, &byte) in piece.iter().enumerate() {
            let unit = ReadingUnit {
                byte,
                start: end + at,
                end: end + at + 1,
            };
            for reading in &mut self.readings {
                reading.feed(unit, &self.automaton, &mut found);
            }
        }
        self.hits.extend(found);
        self.held.extend_from_slice(piece);
        let end = end + piece.len();
        let readings = self.readings.iter();
        let begun = readings.filter_map(|reading| reading.begun(&self.automaton));
        let mut limit = begun.min().unwrap_or(end);
        // A reading may begin inside a character, which must not be cut.
        while limit > self.start
            && let Some(0x80..0xC0) = self.held.get(limit - self.base)
        {
            limit -= 1;
        }
        self.give(limit)
    }

    /// Gives the rest. The stream starts anew after that.
    #[must_use = "what comes out is the text"]
    pub fn finish(&mut self) -> String {
        text(self.finish_bytes())
    }

    /// Gives the rest as bytes. The stream starts anew after that.
    #[must_use = "what comes out is the text"]
    pub fn finish_bytes(&mut self) -> Vec<u8> {
        let rest = self.give(self.base + self.held.len());
        *self = Self::new(Arc::clone(&self.automaton));
        rest
    }

    /// Gives everything before `limit`. No secret that is still to be found begins before it, so all
    /// that overlap there are known.
    fn give(&mut self, limit: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let mut from = self.start.max(self.covered);
        while let Some(hit) = self.hits.first().copied()
            && hit.start < limit
        {
            self.hits.pop_first();
            if hit.start >= self.covered {
                out.extend_from_slice(self.held_between(from, hit.start));
                out.extend_from_slice(self.automaton.name(hit.name).as_bytes());
            }
            self.covered = self.covered.max(hit.end.0);
            from = from.max(self.covered);
        }
        out.extend_from_slice(self.held_between(from, limit));
        self.start = limit;
        // Seldom, since the rest moves: a stream may come byte by byte.
        let given = limit.saturating_sub(self.base).min(self.held.len());
        if given > self.held.len() / 2 {
            self.held.drain(..given);
            self.base += given;
        }
        out
    }

    fn held_between(&self, from: usize, to: usize) -> &[u8] {
        let from = from.saturating_sub(self.base);
        self.held
            .get(from..to.saturating_sub(self.base))
            .unwrap_or_default()
    }
}

impl fmt::Debug for RedactStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedactStream(..)")
    }
}

/// Whole characters went in and secrets are whole characters, so whole characters come out.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
