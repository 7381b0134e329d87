//! Finding many texts at once in one pass (Aho and Corasick's automaton).
//!
//! Its own, and not the `aho-corasick` crate's, because the states are the secrets: they are overwritten when they are
//! dropped, and that crate keeps copies which nobody can overwrite. It does not tell the depth of a state either, by
//! which a stream knows how much of a secret may have begun.
//!
//! ASCII letters are compared without their case: programs print keys in either.

use std::hint::black_box;

const ROOT: u32 = 0;

#[derive(Clone, Copy, Default)]
struct AutomatonState {
    /// The longest proper suffix of this node that is a node.
    fail: u32,
    /// The longest of the suffixes with a child whose label no child of this node has. Nothing is lost by going there at
    /// once if a byte goes on from here to no child, and a text of equal parts has no long way back.
    back: u32,
    depth: u32,
    /// The first child, and the next child of the same parent; the root for none.
    child: u32,
    sibling: u32,
    /// The longest pattern that ends here, as its length and name; 0 for none.
    length: u32,
    name: u32,
    label: u8,
}

/// A pattern that ends at a state.
#[derive(Clone, Copy)]
pub(super) struct PatternMatch {
    pub(super) length: usize,
    pub(super) name: u32,
}

/// The states for a set of patterns, each with a name.
pub(super) struct PatternAutomaton {
    nodes: Vec<AutomatonState>,
    names: Vec<String>,
    /// The states after one byte: nearly every step starts here.
    first: [u32; 256],
    /// The bytes of the shortest pattern. No reading of a text is longer than the text, so that a shorter text has none.
    pub(super) shortest: usize,
}

impl Default for PatternAutomaton {
    fn default() -> Self {
        Self {
            nodes: vec![AutomatonState::default()],
            names: Vec::new(),
            first: [ROOT; 256],
            shortest: usize::MAX,
        }
    }
}

impl PatternAutomaton {
    pub(super) fn new<'a>(patterns: impl Iterator<Item = (String, &'a str)>) -> Self {
        let patterns: Vec<_> = patterns.collect();
        let mut new = Self::default();
        // At once: a vector that grows leaves copies of its labels behind.
        new.nodes
            .reserve_exact(patterns.iter().map(|(_, text)| text.len()).sum());
        for (name, text) in patterns {
            new.shortest = new.shortest.min(text.len());
            let id = index(new.names.len());
            new.names.push(name);
            new.insert(id, text.as_bytes());
        }
        for byte in 0..=u8::MAX {
            let child = new.child(ROOT, byte.to_ascii_lowercase());
            if let Some(slot) = new.first.get_mut(usize::from(byte)) {
                *slot = child;
            }
        }
        new.link();
        new
    }

    fn insert(&mut self, name: u32, pattern: &[u8]) {
        let mut at = ROOT;
        for label in pattern.iter().map(u8::to_ascii_lowercase) {
            let mut next = self.child(at, label);
            if next == ROOT {
                next = index(self.nodes.len());
                let parent = self.node(at);
                self.nodes.push(AutomatonState {
                    depth: parent.depth + 1,
                    sibling: parent.child,
                    label,
                    ..AutomatonState::default()
                });
                self.change(at, |node| node.child = next);
            }
            at = next;
        }
        // Of two secrets with one value the first keeps it.
        self.change(at, |node| {
            if node.length == 0 {
                (node.length, node.name) = (node.depth, name);
            }
        });
    }

    /// Sets the suffix of every node, those of smaller depth first.
    fn link(&mut self) {
        let mut level = vec![ROOT];
        while !level.is_empty() {
            let mut below = Vec::new();
            for parent in level {
                let mut at = self.node(parent).child;
                while at != ROOT {
                    let node = self.node(at);
                    let fail = if parent == ROOT {
                        ROOT
                    } else {
                        self.step(self.node(parent).fail, node.label)
                    };
                    let suffix = self.node(fail);
                    let back = if self.has_children_of(at, suffix) {
                        suffix.back
                    } else {
                        fail
                    };
                    self.change(at, |node| {
                        (node.fail, node.back) = (fail, back);
                        if node.length == 0 {
                            (node.length, node.name) = (suffix.length, suffix.name);
                        }
                    });
                    below.push(at);
                    at = node.sibling;
                }
            }
            level = below;
        }
    }

    /// Whether a node has a child for each label of another one's children.
    fn has_children_of(&self, state: u32, other: AutomatonState) -> bool {
        let mut at = other.child;
        while at != ROOT {
            let node = self.node(at);
            if self.child(state, node.label) == ROOT {
                return false;
            }
            at = node.sibling;
        }
        true
    }

    fn node(&self, state: u32) -> AutomatonState {
        self.nodes.get(state as usize).copied().unwrap_or_default()
    }

    fn change(&mut self, state: u32, change: impl FnOnce(&mut AutomatonState)) {
        if let Some(node) = self.nodes.get_mut(state as usize) {
            change(node);
        }
    }

    fn child(&self, state: u32, label: u8) -> u32 {
        let mut at = self.node(state).child;
        while at != ROOT {
            let node = self.node(at);
            if node.label == label {
                return at;
            }
            at = node.sibling;
        }
        ROOT
    }

    /// The state after one more byte.
    pub(super) fn step(&self, mut state: u32, byte: u8) -> u32 {
        let byte = byte.to_ascii_lowercase();
        while state != ROOT {
            let next = self.child(state, byte);
            if next != ROOT {
                return next;
            }
            state = self.node(state).back;
        }
        self.first.get(usize::from(byte)).copied().unwrap_or(ROOT)
    }

    /// How many of the last bytes may be the beginning of a pattern.
    pub(super) fn depth(&self, state: u32) -> usize {
        self.node(state).depth as usize
    }

    /// The longest pattern that ends at a state.
    pub(super) fn matched(&self, state: u32) -> Option<PatternMatch> {
        let node = self.node(state);
        (node.length > 0).then_some(PatternMatch {
            length: node.length as usize,
            name: node.name,
        })
    }

    /// Whether a pattern may begin with a byte whose upper bits these are.
    pub(super) fn may_begin(&self, upper: u8, bits: u32) -> bool {
        let rest = 8u32.saturating_sub(bits);
        let low = usize::from(upper) << rest;
        self.first
            .iter()
            .skip(low)
            .take(1 << rest)
            .any(|&state| state != ROOT)
    }

    /// Whether a pattern may begin with a byte whose decimal digits begin with this number.
    pub(super) fn may_begin_decimal(&self, number: u16) -> bool {
        let with_digits = |count: u16| number * count..(number + 1) * count;
        let mut bytes = [1, 10, 100].into_iter().flat_map(with_digits);
        bytes.any(|byte| {
            self.first
                .get(usize::from(byte))
                .is_some_and(|&state| state != ROOT)
        })
    }

    pub(super) fn name(&self, id: u32) -> &str {
        self.names
            .get(id as usize)
            .map_or("<secret_ref>", String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl Drop for PatternAutomaton {
    fn drop(&mut self) {
        // The labels along a path are a secret.
        self.nodes.fill(AutomatonState::default());
        black_box(&mut self.nodes);
    }
}

/// The bounds on secrets keep every index far below the limit.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(patterns: &[&str], text: &str) -> Vec<(usize, usize)> {
        let automaton = PatternAutomaton::new(patterns.iter().map(|&text| (text.to_owned(), text)));
        let mut state = ROOT;
        let mut found = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            state = automaton.step(state, byte);
            if let Some(one) = automaton.matched(state) {
                found.push((at + 1 - one.length, at + 1));
                let part = &text[at + 1 - one.length..=at];
                assert!(automaton.name(one.name).eq_ignore_ascii_case(part));
            }
        }
        found
    }

    #[test]
    fn the_longest_match_at_every_end_is_found() {
        assert_eq!(
            matches(&["he", "she", "his", "hers"], "ushers"),
            [(1, 4), (2, 6)]
        );
        assert_eq!(matches(&["aab", "ab"], "aaaab"), [(2, 5)]);
        assert_eq!(matches(&["aa"], "aaaa"), [(0, 2), (1, 3), (2, 4)]);
        assert_eq!(matches(&["abcd", "bc"], "abce"), [(1, 3)]);
        assert_eq!(matches(&["aB"], "xAbab"), [(1, 3), (3, 5)]);
        assert_eq!(matches(&[], "abc"), []);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_dropped_one_leaves_no_label_in_memory() {
        let text = "Q".repeat(1000);
        let automaton = PatternAutomaton::new([("a".to_owned(), &*text)].into_iter());
        let mut memory = crate::secret::tests::Memory::of(&automaton.nodes);
        assert!(memory.count("q") >= 1000);
        drop(automaton);
        // The next owner of that memory may write a letter or two.
        assert!(memory.count("q") < 100);
    }

    #[test]
    fn reports_possible_first_bits_of_pattern() {
        let automaton = PatternAutomaton::new([("a".to_owned(), "a")].into_iter());
        assert!(automaton.may_begin(0b01, 2) && automaton.may_begin(0b0110, 4));
        assert!(!automaton.may_begin(0b00, 2) && !automaton.may_begin(0b01_1111, 6));
    }
}
