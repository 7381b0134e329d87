//! A cursor over the bytes of a text.

/// A place in a text.
#[derive(Clone, Copy)]
pub(crate) struct TextCursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) pos: usize,
}

impl<'a> TextCursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, pos: 0 }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// The byte after the next one.
    pub(crate) fn second(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos + 1).copied()
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    /// The text from `start` to here.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.pos).unwrap_or_default()
    }

    /// Skips the next bytes that fit.
    pub(crate) fn skip(&mut self, fits: impl Fn(u8) -> bool) {
        let rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        self.pos += rest.iter().position(|b| !fits(*b)).unwrap_or(rest.len());
    }

    /// Skips a text, if it comes next.
    pub(crate) fn take(&mut self, what: &str) -> bool {
        let next = self.rest().starts_with(what);
        if next {
            self.pos += what.len();
        }
        next
    }
}
