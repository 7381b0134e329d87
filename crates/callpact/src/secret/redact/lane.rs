//! The search for secrets through one reading of a text.

use std::{cmp::Reverse, collections::VecDeque};

use super::automaton::PatternAutomaton;

/// One byte of a reading, and the part of the source that it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadingUnit {
    pub(super) byte: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A secret in the source. Of those with one start, the longest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SecretHit {
    pub(super) start: usize,
    pub(super) end: Reverse<usize>,
    pub(super) name: u32,
}

/// The search through one reading.
#[derive(Default)]
pub(super) struct ReadingSearch {
    state: u32,
    /// Where the bytes came from that may be the beginning of a secret.
    pub(super) starts: VecDeque<usize>,
}

impl ReadingSearch {
    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) {
        self.state = automaton.step(self.state, unit.byte);
        if self.state == 0 {
            return self.starts.clear();
        }
        let depth = automaton.depth(self.state);
        self.starts.push_back(unit.start);
        let surplus = self.starts.len().saturating_sub(depth);
        self.starts.drain(..surplus);
        if let Some(found) = automaton.matched(self.state)
            && let Some(&start) = self.starts.get(depth.saturating_sub(found.length))
        {
            hits.push(SecretHit {
                start,
                end: Reverse(unit.end),
                name: found.name,
            });
        }
    }

    /// Looks one byte ahead, which may still change: finds the secret that would end with it, and returns where the
    /// earliest secret would begin that goes on.
    pub(super) fn try_feed(
        &self,
        unit: ReadingUnit,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) -> Option<usize> {
        let state = automaton.step(self.state, unit.byte);
        // The starts of the last bytes, the newest being the one of this byte.
        let start_of = |length: usize| match length {
            0 => None,
            1 => Some(unit.start),
            _ => self
                .starts
                .get((self.starts.len() + 1).checked_sub(length)?)
                .copied(),
        };
        if let Some(found) = automaton.matched(state)
            && let Some(start) = start_of(found.length)
        {
            hits.push(SecretHit {
                start,
                end: Reverse(unit.end),
                name: found.name,
            });
        }
        start_of(automaton.depth(state))
    }

    pub(super) fn reset(&mut self) {
        self.state = 0;
        self.starts.clear();
    }
}
