//! Numbers and bare words of a broken text.

use super::tolerant::{ReadStop, TolerantParser};
use crate::report::Path;

impl<'a> TolerantParser<'a> {
    /// A number in JSON's form.
    pub(super) fn number(&mut self) -> Result<(), ReadStop> {
        let start = self.scan.pos;
        if self.scan.take("-") && self.scan.rest().starts_with("Infinity") {
            return Err(ReadStop::NotFinite(
                Box::new(self.path()),
                "-Infinity".to_owned(),
            ));
        }
        let whole = self.digits();
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        let mut good = !whole.is_empty() && !leading_zero;
        if self.scan.take(".") {
            good &= !self.digits().is_empty();
        }
        if self.scan.take("e") || self.scan.take("E") {
            let _ = self.scan.take("+") || self.scan.take("-");
            good &= !self.digits().is_empty();
        }
        match self.scan.peek() {
            // Inside an array or object, a number at the end of the text may lack digits.
            None if !self.open.is_empty() || !good => Err(ReadStop::CutOff(Box::new(self.path()))),
            _ if !good => Err(ReadStop::Syntax),
            // The next character, as in `1_000`, is neither a comma nor an end.
            _ => {
                let number = self.scan.since(start);
                self.room(number.len() + 8)?;
                self.out.push_str(number);
                Ok(())
            }
        }
    }

    fn digits(&mut self) -> &'a str {
        let start = self.scan.pos;
        self.scan.skip(|b| b.is_ascii_digit());
        self.scan.since(start)
    }

    /// `true`, `None` and the like; any other bare word has no certain meaning.
    pub(super) fn word(&mut self) -> Result<(), ReadStop> {
        let start = self.scan.pos;
        self.scan
            .skip(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
        let word = self.scan.since(start);
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let json = if is("true") {
            "true"
        } else if is("false") {
            "false"
        } else if is("null") || is("none") {
            "null"
        } else if is("nan") || is("inf") || is("infinity") {
            return Err(ReadStop::NotFinite(Box::new(self.path()), word.to_owned()));
        } else if self.scan.peek().is_none() && !self.open.is_empty() {
            return Err(ReadStop::CutOff(Box::new(self.path())));
        } else {
            return Err(ReadStop::Syntax);
        };
        if word != json {
            let path = if self.notes.has_room() {
                self.path()
            } else {
                Path::default()
            };
            self.notes.word(path, word, json);
        }
        self.out.push_str(json);
        Ok(())
    }
}
