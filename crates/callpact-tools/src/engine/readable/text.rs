//! The text under construction: white space collapsed, nothing invisible, never above its limit.

use crate::engine::invisible::is_invisible;

/// The space between the last character written and the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextGap {
    None,
    Space,
    Line,
}

/// A text that grows up to a limit.
#[derive(Debug)]
pub(super) struct BoundedText {
    pub(super) written: String,
    chars: usize,
    pub(super) limit: usize,
    gap: TextGap,
    pub(super) full: bool,
}

impl BoundedText {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            written: String::new(),
            chars: 0,
            limit,
            gap: TextGap::None,
            full: false,
        }
    }

    pub(super) fn gap(&mut self, gap: TextGap) {
        if !self.written.is_empty() {
            self.gap = self.gap.max(gap);
        }
    }

    pub(super) fn push(&mut self, text: &str, keep_lines: bool) {
        for c in text.chars() {
            match c {
                '\n' if keep_lines => self.gap(TextGap::Line),
                c if c.is_whitespace() => self.gap(TextGap::Space),
                c if is_invisible(c) => {}
                c => {
                    match self.gap {
                        TextGap::None => {}
                        TextGap::Space => self.put(' '),
                        TextGap::Line => self.put('\n'),
                    }
                    self.gap = TextGap::None;
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
