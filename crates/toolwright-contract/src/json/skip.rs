//! Values that nobody reads.

use super::Json;

impl Json<'_> {
    /// Passes over the next value, however deep it is.
    pub(super) fn pass_value(&mut self) -> Option<()> {
        // The closing brackets that are still to come; most values need none.
        let mut open = Vec::new();
        loop {
            match self.next() {
                Some(b'"') => self.pass_string()?,
                Some(b'{') => {
                    self.at += 1;
                    open.push(b'}');
                    if self.next() != Some(b'}') {
                        self.pass_key()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.at += 1;
                    open.push(b']');
                    if self.next() != Some(b']') {
                        continue;
                    }
                }
                Some(b'-' | b'0'..=b'9') => self.pass_number()?,
                Some(b't') => self.take_rest("rue")?,
                Some(b'f') => self.take_rest("alse")?,
                Some(b'n') => self.take_rest("ull")?,
                _ => return self.fail(),
            }
            // Behind a value, or in front of the end of an empty object or array.
            loop {
                let Some(end) = open.last().copied() else {
                    return Some(());
                };
                match self.next() {
                    Some(byte) if byte == end => {
                        self.at += 1;
                        open.pop();
                    }
                    Some(b',') => {
                        self.at += 1;
                        if end == b'}' {
                            self.pass_key()?;
                        }
                        break;
                    }
                    _ => return self.fail(),
                }
            }
        }
    }

    /// Passes over a key and its colon.
    fn pass_key(&mut self) -> Option<()> {
        if self.next() != Some(b'"') {
            return self.fail();
        }
        self.pass_string()?;
        self.take(b':')
    }
}
