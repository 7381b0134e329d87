//! Reads the characters of a `JSONPath`: spaces, whole numbers and quoted texts.

/// The largest whole number that every JSON reader preserves.
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A place in a path.
pub(super) struct PathCursor<'a> {
    pub(super) path: &'a str,
    pub(super) at: usize,
}

impl PathCursor<'_> {
    fn rest(&self) -> &str {
        self.path.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Skips `text` if it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let there = self.rest().starts_with(text);
        if there {
            self.at += text.len();
        }
        there
    }

    pub(super) fn need(&mut self, text: &str) -> Result<(), String> {
        if self.eat(text) {
            return Ok(());
        }
        Err(self.expected(&format!("`{text}`")))
    }

    pub(super) fn skip_space(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    /// The error at this place.
    pub(super) fn expected(&self, what: &str) -> String {
        let before = self.path.get(..self.at).unwrap_or_default();
        format!(
            "expected {what} at character {}",
            before.chars().count() + 1
        )
    }

    /// A whole number, if one comes next.
    pub(super) fn whole_number(&mut self) -> Result<Option<i64>, String> {
        let start = self.at;
        self.eat("-");
        self.digits();
        let text = self.path.get(start..self.at).unwrap_or_default();
        if text.is_empty() {
            return Ok(None);
        }
        let digits = text.trim_start_matches('-');
        let number = text.parse::<i64>().ok().filter(|number| {
            let plain = text == "0" || !digits.starts_with('0');
            plain && number.unsigned_abs() <= MAX_INTEGER
        });
        if number.is_none() {
            self.at = start;
            return Err(self.expected("a whole number without leading zeros, at most 2^53 - 1"));
        }
        Ok(number)
    }

    /// Skips digits, and returns how many there were.
    pub(super) fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// A text in single or double quotes.
    pub(super) fn string(&mut self) -> Result<String, String> {
        let quote = self.next().unwrap_or_default();
        let mut text = String::new();
        loop {
            let start = self.at;
            match self.next() {
                Some(c) if c == quote => return Ok(text),
                Some('\\') => {
                    let Some(c) = self.escape(quote) else {
                        self.at = start;
                        return Err(self.expected("an escape of JSON"));
                    };
                    text.push(c);
                }
                Some(c) if c >= ' ' => text.push(c),
                _ => {
                    self.at = start;
                    return Err(self.expected(&format!("`{quote}`")));
                }
            }
        }
    }

    /// The character that an escape means.
    fn escape(&mut self, quote: char) -> Option<char> {
        Some(match self.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            c @ ('/' | '\\') => c,
            c if c == quote => c,
            _ => return None,
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        if !self.eat("\\u") {
            return None;
        }
        let low = self.four_digits()?;
        if !(0xdc00..0xe000).contains(&low) {
            return None;
        }
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.chars().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(number)
    }

    /// Skips space and `text` together, or nothing.
    pub(super) fn eat_after_space(&mut self, text: &str) -> bool {
        let before = self.at;
        self.skip_space();
        let there = self.eat(text);
        if !there {
            self.at = before;
        }
        there
    }
}
