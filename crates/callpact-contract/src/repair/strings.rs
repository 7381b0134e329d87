//! Strings of a broken text, rewritten as JSON.

use super::{
    room::make_room,
    tolerant::{KeyEntry, ReadStop, TolerantParser},
};
use crate::{
    json::{EscapeFault, escape_length},
    report::FixKind,
};

impl TolerantParser<'_> {
    /// Copies the string that starts here, including its quotes, and notes the changes. Its content
    /// changes only if it has no other meaning.
    pub(super) fn string(&mut self) -> Result<(), ReadStop> {
        // A line break doubles in size, which is the most that copying can add.
        let entries = self.entries.len() * size_of::<KeyEntry>();
        let most = self.most.saturating_sub(entries);
        match self.scan.peek() {
            Some(quote @ (b'"' | b'\'')) => self.quoted_string(quote, most),
            _ => self.curly_string(most),
        }
    }

    pub(super) fn cut_off<T>(&self) -> Result<T, ReadStop> {
        Err(ReadStop::CutOff(Box::new(self.path())))
    }

    fn quoted_string(&mut self, quote: u8, most: usize) -> Result<(), ReadStop> {
        if quote == b'\'' {
            self.seen.add(FixKind::QuoteStyle);
        }
        self.scan.pos += 1;
        self.out.push('"');
        loop {
            let start = self.scan.pos;
            self.scan
                .skip(|b| b >= b' ' && b != b'"' && b != b'\\' && b != b'\'');
            // The escape after the run needs at most twelve bytes: a pair of surrogates.
            self.copy_run(self.scan.since(start), 12, most)?;
            let Some(byte) = self.scan.peek() else {
                return self.cut_off();
            };
            if byte == b'\\' {
                self.escape(quote)?;
                continue;
            }
            self.scan.pos += 1;
            if byte == quote {
                self.out.push('"');
                return Ok(());
            }
            self.out.push_str(match byte {
                b'\'' => "'",
                b'"' => "\\\"",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                // Other terminal characters are useless in arguments, and may be the rest of
                // something that was lost.
                _ => return Err(ReadStop::Syntax),
            });
            if byte < b' ' {
                self.seen.add(FixKind::ControlCharacter);
            }
        }
    }

    /// Copies text with room for so many bytes behind it.
    fn copy_run(&mut self, run: &str, behind: usize, most: usize) -> Result<(), ReadStop> {
        if self.out.len() + run.len() > most {
            return Err(ReadStop::TooLarge);
        }
        make_room(&mut self.out, run.len() + behind, most);
        self.out.push_str(run);
        Ok(())
    }

    /// Copies a string between typographic quotes, if no other quote inside could end it.
    fn curly_string(&mut self, most: usize) -> Result<(), ReadStop> {
        let rest = self.scan.rest();
        let (inside, close) = if let Some(inside) = rest.strip_prefix('“') {
            (inside, '”')
        } else if let Some(inside) = rest.strip_prefix('‘') {
            (inside, '’')
        } else {
            return Err(ReadStop::Syntax);
        };
        let Some((inside, _)) = inside.split_once(close) else {
            return self.cut_off();
        };
        let may_end = |c: char| {
            matches!(c, '"' | '\\' | '“')
                || c.is_control()
                || close == '’' && matches!(c, '\'' | '‘')
        };
        if inside.contains(may_end) {
            return Err(ReadStop::Syntax);
        }
        self.room(1)?;
        self.out.push('"');
        self.copy_run(inside, 1, most)?;
        self.out.push('"');
        // Each of the two quotes has three bytes.
        self.scan.pos += inside.len() + 6;
        self.seen.add(FixKind::QuoteStyle);
        Ok(())
    }

    fn escape(&mut self, quote: u8) -> Result<(), ReadStop> {
        let start = self.scan.pos;
        match escape_length(self.scan.text.as_bytes(), start) {
            Ok(length) => {
                self.scan.pos += length;
                self.out.push_str(self.scan.since(start));
            }
            Err(EscapeFault::Half) => {
                self.scan.pos += 6;
                self.seen.add(FixKind::LoneSurrogate);
                self.out.push_str("\\ufffd");
            }
            Err(EscapeFault::Unknown) if self.scan.second() == Some(b'\'') => {
                self.scan.pos += 2;
                self.out.push('\'');
                if quote == b'"' {
                    self.seen.add(FixKind::InvalidEscape);
                }
            }
            Err(EscapeFault::CutOff) => return self.cut_off(),
            // `\d` may be a pattern or a mistake; the model must say which.
            Err(_) => return Err(ReadStop::Syntax),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    #[test]
    fn copied_string_stays_within_byte_limit() {
        let copied = |most| {
            let mut parser = TolerantParser::new("'abcdef'", &Policy::repair());
            parser.out = String::new();
            parser.most = most;
            (parser.string().is_ok(), parser.out)
        };
        let (fits, out) = copied(7);
        assert!(fits);
        assert_eq!(out, "\"abcdef\"");
        // The quote, the text, and the longest part that may follow it.
        assert!(out.capacity() <= 1 + 6 + 12, "{}", out.capacity());
        assert!(!copied(6).0);
    }
}
