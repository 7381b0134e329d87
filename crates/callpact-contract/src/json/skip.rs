//! Skips values that nobody reads.

use super::{JsonForm, JsonScanner};

/// The open objects and arrays, with one bit for each: whether it is an object.
#[derive(Default)]
struct OpenKinds {
    count: usize,
    /// The innermost ones, from the lowest bit on.
    inner: u64,
    /// The others, sixty-four in each number.
    outer: Vec<u64>,
}

impl OpenKinds {
    #[inline]
    fn push(&mut self, is_object: bool) {
        if self.count > 0 && self.count.is_multiple_of(64) {
            self.outer.push(self.inner);
        }
        self.inner = self.inner << 1 | u64::from(is_object);
        self.count += 1;
    }

    #[inline]
    fn last(&self) -> Option<bool> {
        (self.count > 0).then_some(self.inner & 1 == 1)
    }

    #[inline]
    fn pop(&mut self) {
        self.inner >>= 1;
        self.count -= 1;
        if self.count > 0 && self.count.is_multiple_of(64) {
            self.inner = self.outer.pop().unwrap_or_default();
        }
    }
}

impl JsonScanner<'_> {
    /// Skips the next value, however deep it is.
    pub(crate) fn pass_value(&mut self) -> Option<()> {
        match self.next() {
            Some(b'{' | b'[') => self.pass_nested(),
            first => self.pass_plain(first),
        }
    }

    /// Skips a string, a number or a word that begins with this byte.
    #[inline]
    fn pass_plain(&mut self, first: Option<u8>) -> Option<()> {
        match first {
            Some(b'"') => self.pass_string(),
            Some(b'-' | b'0'..=b'9') => self.pass_number(),
            Some(b't') => self.take_rest(*b"rue"),
            Some(b'f') => self.take_rest(*b"alse"),
            Some(b'n') => self.take_rest(*b"ull"),
            _ => self.fail(),
        }
    }

    #[inline(never)]
    fn pass_nested(&mut self) -> Option<()> {
        let mut open = OpenKinds::default();
        loop {
            match self.next() {
                Some(b'{') => {
                    self.at += 1;
                    open.push(true);
                    if self.next() != Some(b'}') {
                        self.pass_key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    open.push(false);
                    if self.next() != Some(b']') {
                        continue;
                    }
                }
                first => self.pass_plain(first)?,
            }
            // Behind a value, or before the end of an empty object or array.
            loop {
                let Some(is_object) = open.last() else {
                    return Some(());
                };
                match self.next() {
                    Some(byte) if byte == if is_object { b'}' } else { b']' } => {
                        self.at += 1;
                        open.pop();
                    }
                    Some(b',') => {
                        self.at += 1;
                        if is_object {
                            self.pass_key()?;
                        }
                        break;
                    }
                    _ => return self.fail(),
                }
            }
        }
    }

    /// Skips a key and its colon.
    fn pass_key(&mut self) -> Option<()> {
        if self.next() != Some(b'"') {
            return self.fail();
        }
        self.pass_string()?;
        self.take(b':')
    }

    /// Skips a value that can be read: its numbers fit a float, its characters are whole, and it is not too deep.
    pub(crate) fn pass_readable(&mut self) -> Option<()> {
        match self.form() {
            JsonForm::Text => self.pass_text(false)?,
            JsonForm::Number => self.number().map(|_| ())?,
            JsonForm::List => {
                let mut items = self.open_list();
                while self.next_item(&mut items) {
                    self.pass_readable()?;
                }
            }
            JsonForm::Object => {
                let mut entries = self.open_object();
                while self.has_more(&mut entries, b'}') {
                    if self.form() != JsonForm::Text {
                        return self.fail();
                    }
                    self.pass_text(false)?;
                    self.take(b':')?;
                    self.pass_readable()?;
                }
            }
            _ => self.pass_value()?,
        }
        (!self.broken).then_some(())
    }
}
