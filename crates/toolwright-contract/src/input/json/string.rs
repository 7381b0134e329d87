//! Strings: those that stand in the text as they are, and those with escapes.

use super::{Broken, Json};

impl<'de> Json<'de> {
    /// The string whose quote stands here, if there is no escape in it; else nothing is taken.
    #[inline]
    pub(in crate::input) fn plain_string(&mut self) -> Option<&'de str> {
        let start = self.at + 1;
        let end = self.plain_end(start)?;
        self.text.get(start..end)
    }

    /// The same for a key, which is compared and not kept.
    #[inline]
    pub(in crate::input) fn plain_key(&mut self) -> Option<&'de [u8]> {
        let start = self.at + 1;
        let end = self.plain_end(start)?;
        self.bytes().get(start..end)
    }

    /// Where a string ends that starts here and has no escape in it; it is taken.
    #[inline]
    fn plain_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.bytes();
        let found = first_word(bytes, start).map_or(0, specials);
        let end = if found != 0 {
            start + found.trailing_zeros() as usize / 8
        } else {
            special(bytes, start)
        };
        if bytes.get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        Some(end)
    }

    /// The string whose quote stands here.
    #[cold]
    #[inline(never)]
    pub(in crate::input) fn string(&mut self) -> Result<String, Broken> {
        let mut out = String::new();
        self.at += 1;
        loop {
            let end = special(self.bytes(), self.at);
            out.push_str(self.text.get(self.at..end).ok_or(Broken::TEXT)?);
            self.at = end;
            match self.bytes().get(end) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => return Err(Broken::TEXT),
            }
        }
    }

    /// Passes over the string whose quote stands here.
    pub(super) fn pass_string(&mut self) -> Result<(), Broken> {
        self.at += 1;
        loop {
            self.at = special(self.bytes(), self.at);
            match self.bytes().get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                // Nobody reads it, so half a character is as good as a whole one.
                Some(b'\\') if self.bytes().get(self.at + 1) == Some(&b'u') => {
                    self.unit()?;
                }
                Some(b'\\') => {
                    self.escape()?;
                }
                _ => return Err(Broken::TEXT),
            }
        }
    }

    /// The character that an escape stands for.
    fn escape(&mut self) -> Result<char, Broken> {
        let char = match self.bytes().get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(Broken::TEXT),
        };
        self.at += 2;
        Ok(char)
    }

    /// A character of one unit of UTF-16, or of two.
    fn unicode(&mut self) -> Result<char, Broken> {
        let first = self.unit()?;
        let two = (0xd800..0xdc00).contains(&first);
        let second = if two { Some(self.unit()?) } else { None };
        char::decode_utf16([first].into_iter().chain(second))
            .next()
            .and_then(Result::ok)
            .ok_or(Broken::TEXT)
    }

    /// The unit that a `\uXXXX` here stands for.
    fn unit(&mut self) -> Result<u16, Broken> {
        let escape = self.bytes().get(self.at..self.at + 6);
        let Some([b'\\', b'u', digits @ ..]) = escape else {
            return Err(Broken::TEXT);
        };
        let mut unit = 0;
        for digit in digits {
            let digit = char::from(*digit).to_digit(16).ok_or(Broken::TEXT)?;
            unit = unit * 16 + digit;
        }
        self.at += 6;
        u16::try_from(unit).map_err(|_| Broken::TEXT)
    }
}

/// The first byte from here on that a string cannot hold as it is: a quote, a backslash, a control
/// character; else the length.
#[inline(never)]
fn special(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(word) = first_word(bytes, at) {
        let found = specials(word);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
        // Most keys and many values are over by now.
        if at - start == 16 {
            at = behind_plain(bytes, at);
        }
    }
    while bytes.get(at).is_some_and(|byte| !is_special(*byte)) {
        at += 1;
    }
    at
}

#[inline]
fn first_word(bytes: &[u8], start: usize) -> Option<u64> {
    let word = bytes.get(start..)?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

/// With this bit the other way a quote is the byte behind the control characters, so that one
/// comparison finds both; a backslash stays apart.
const TURNED: u8 = 2;
const QUOTE: u8 = b'"' ^ TURNED;
const BACKSLASH: u8 = b'\\' ^ TURNED;

/// Asked of many bytes, it becomes one look at all of them.
#[inline]
fn is_special(byte: u8) -> bool {
    let turned = byte ^ TURNED;
    turned <= QUOTE || turned == BACKSLASH
}

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// The high bit of each byte in a word that is special; behind the first such byte, from the lowest
/// on, others may be marked too.
#[inline]
fn specials(word: u64) -> u64 {
    let all = |byte: u8| ONES * u64::from(byte);
    let turned = word ^ all(TURNED);
    let quotes_and_controls = turned.wrapping_sub(all(QUOTE + 1)) & !turned;
    let apart = turned ^ all(BACKSLASH);
    let backslashes = apart.wrapping_sub(ONES) & !apart;
    (quotes_and_controls | backslashes) & HIGH
}

/// Behind as many plain bytes as come in whole blocks.
#[inline(never)]
fn behind_plain(bytes: &[u8], start: usize) -> usize {
    const BLOCK: usize = 32;
    let blocks = bytes
        .get(start..)
        .unwrap_or_default()
        .as_chunks::<BLOCK>()
        .0;
    let plain = blocks.iter().take_while(|block| {
        let special = block
            .iter()
            .fold(false, |any, byte| any | is_special(*byte));
        !special
    });
    start + plain.count() * BLOCK
}
