//! Values that nobody reads.

use super::{Broken, Json};

impl Json<'_> {
    /// Passes over the next value, however deep it is.
    pub(in crate::input) fn skip(&mut self) -> Result<(), Broken> {
        // The closing brackets that are waited for; most values need none.
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
                Some(b'-' | b'0'..=b'9') => drop(self.pass_number()?),
                Some(b't') => self.word("rue")?,
                Some(b'f') => self.word("alse")?,
                Some(b'n') => self.word("ull")?,
                _ => return Err(Broken::TEXT),
            }
            // Behind a value, or in front of the end of an empty object or array.
            loop {
                let Some(end) = open.last().copied() else {
                    return Ok(());
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
                    _ => return Err(Broken::TEXT),
                }
            }
        }
    }

    /// Passes over a key and its colon.
    fn pass_key(&mut self) -> Result<(), Broken> {
        if self.next() != Some(b'"') {
            return Err(Broken::TEXT);
        }
        self.pass_string()?;
        self.take(b':')
    }
}
