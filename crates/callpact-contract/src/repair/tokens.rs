//! Numbers and bare words of a broken text.

use super::tolerant::{ReadStop, TolerantParser};
use crate::json::JsonScanner;

/// The characters of numbers.
const NUMBER_CHARS: &[char] = &[
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.', 'e', 'E',
];

impl TolerantParser<'_> {
    /// A number in JSON's form.
    pub(super) fn number(&mut self) -> Result<(), ReadStop> {
        let rest = self.scan.rest();
        if rest.starts_with("-Infinity") {
            return Err(ReadStop::NotFinite(
                Box::new(self.path()),
                "-Infinity".to_owned(),
            ));
        }
        let mut json = JsonScanner::new(rest);
        let number = json.pass_number().and_then(|()| json.written_from(0));
        let is_cut = match number {
            // Inside an array or object, a number at the end of the text may lack digits.
            Some(number) => number.len() == rest.len() && !self.open.is_empty(),
            None => rest.trim_matches(NUMBER_CHARS).is_empty(),
        };
        let Some(number) = number.filter(|_| !is_cut) else {
            return Err(if is_cut {
                ReadStop::CutOff(Box::new(self.path()))
            } else {
                ReadStop::Syntax
            });
        };
        // The next character, as in `1_000`, is neither a comma nor an end.
        self.scan.pos += number.len();
        self.room(number.len() + 8)?;
        self.out.push_str(number);
        Ok(())
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
            return self.cut_off();
        } else {
            return Err(ReadStop::Syntax);
        };
        if word != json {
            let path = self.note_path();
            self.notes.word(path, word, json);
        }
        self.out.push_str(json);
        Ok(())
    }
}
