//! The text under construction: white space collapsed, nothing invisible, never above its limit.

use crate::engine::invisible::is_invisible;

/// The space between the last character written and the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Space,
    Line,
}

/// A text that grows up to a limit.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) written: String,
    chars: usize,
    pub(super) limit: usize,
    gap: Gap,
    pub(super) full: bool,
}

impl Text {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            written: String::new(),
            chars: 0,
            limit,
            gap: Gap::None,
            full: false,
        }
    }

    pub(super) fn gap(&mut self, gap: Gap) {
        if !self.written.is_empty() {
            self.gap = self.gap.max(gap);
        }
    }

    pub(super) fn push(&mut self, text: &str, keep_lines: bool) {
        for c in text.chars() {
            match c {
                '\n' if keep_lines => self.gap(Gap::Line),
                c if c.is_whitespace() => self.gap(Gap::Space),
                c if is_invisible(c) => {}
                c => {
                    match self.gap {
                        Gap::None => {}
                        Gap::Space => self.put(' '),
                        Gap::Line => self.put('\n'),
                    }
                    self.gap = Gap::None;
                    self.put(c);
                }
            }
            if self.full {
                return;
            }
        }
    }

    fn put(&mut self, c: char) {
        if self.chars == self.limit {
            self.full = true;
            return;
        }
        self.written.push(c);
        self.chars += 1;
    }
}
