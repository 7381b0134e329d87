//! Strings: those without escapes, which are borrowed from the text, and those with escapes.

use std::borrow::Cow;

use super::JsonScanner;

impl<'de> JsonScanner<'de> {
    /// The string whose quote is at this position.
    #[inline]
    pub(crate) fn string(&mut self) -> Option<Cow<'de, str>> {
        let start = self.at + 1;
        let end = special(self.bytes(), start);
        if self.bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return self.text.get(start..end).map(Cow::Borrowed);
        }
        self.escaped(start, end).map(Cow::Owned)
    }

    /// A string whose first special byte is not a quote.
    #[inline(never)]
    fn escaped(&mut self, start: usize, first: usize) -> Option<String> {
        let bytes = self.bytes();
        let mut out = String::with_capacity((first - start) * 2 + 32);
        let mut from = start;
        let mut at = first;
        loop {
            match bytes.get(at) {
                Some(b'"') => {
                    out.push_str(self.text.get(from..at)?);
                    self.at = at + 1;
                    return Some(out);
                }
                Some(b'\\') => {}
                _ => return self.fail(),
            }
            out.push_str(self.text.get(from..at)?);
            let escape = bytes.get(at + 1).copied().unwrap_or_default();
            let byte = ESCAPES
                .get(usize::from(escape))
                .copied()
                .unwrap_or_default();
            if byte != 0 {
                out.push(char::from(byte));
                at += 2;
            } else {
                let Some((char, length)) = unicode(bytes, at) else {
                    return self.fail();
                };
                out.push(char);
                at += length;
            }
            from = at;
            at = special(bytes, at);
        }
    }

    /// Skips the string whose quote is at this position. It may contain a lone surrogate, since nobody reads it.
    pub(super) fn pass_string(&mut self) -> Option<()> {
        self.pass_text(true)
    }

    /// Skips the string whose quote is at this position, with or without lone surrogates.
    pub(super) fn pass_text(&mut self, allows_half: bool) -> Option<()> {
        let bytes = self.bytes();
        let mut at = self.at + 1;
        loop {
            at = special(bytes, at);
            match bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Some(());
                }
                Some(b'\\') => {}
                _ => return self.fail(),
            }
            let escape = bytes.get(at + 1).copied().unwrap_or_default();
            if ESCAPES
                .get(usize::from(escape))
                .is_some_and(|byte| *byte != 0)
            {
                at += 2;
            } else {
                at += match escape_length(bytes, at) {
                    Ok(length) => length,
                    Err(EscapeFault::Half) if allows_half => 6,
                    Err(_) => return self.fail(),
                };
            }
        }
    }
}

/// Why a backslash begins no escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EscapeFault {
    /// The text ends within it.
    CutOff,
    /// JSON has no such escape.
    Unknown,
    /// `\u` without four hexadecimal digits.
    Unicode,
    /// Half of a pair of surrogates.
    Half,
}

/// The length of the escape at this position.
pub(crate) fn escape_length(bytes: &[u8], at: usize) -> Result<usize, EscapeFault> {
    if let Some((_, length)) = unicode(bytes, at) {
        return Ok(length);
    }
    let is_cut = |start: usize| {
        let rest = bytes.get(start..).unwrap_or_default();
        let (mark, digits) = rest.split_at(rest.len().min(2));
        b"\\u".starts_with(mark) && digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit)
    };
    if is_cut(at) {
        return Err(EscapeFault::CutOff);
    }
    match bytes.get(at + 1).copied().unwrap_or_default() {
        b'u' => Err(match unit(bytes, at) {
            None => EscapeFault::Unicode,
            Some(0xd800..0xdc00) if is_cut(at + 6) => EscapeFault::CutOff,
            Some(_) => EscapeFault::Half,
        }),
        letter
            if ESCAPES
                .get(usize::from(letter))
                .is_some_and(|byte| *byte != 0) =>
        {
            Ok(2)
        }
        _ => Err(EscapeFault::Unknown),
    }
}

/// The byte that a backslash and this letter stand for; 0 for any other letter.
const ESCAPES: [u8; 128] = {
    let mut all = [0; 128];
    all[b'"' as usize] = b'"';
    all[b'\\' as usize] = b'\\';
    all[b'/' as usize] = b'/';
    all[b'b' as usize] = 8;
    all[b'f' as usize] = 12;
    all[b'n' as usize] = b'\n';
    all[b'r' as usize] = b'\r';
    all[b't' as usize] = b'\t';
    all
};

/// The unit of UTF-16 that a `\uXXXX` here stands for.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let [b'\\', b'u', digits @ ..] = bytes.get(at..at + 6)? else {
        return None;
    };
    let mut unit = 0;
    let mut wrong = 0;
    for digit in digits {
        let value = HEX[usize::from(*digit)];
        unit = unit << 4 | u16::from(value);
        wrong |= value;
    }
    (wrong < 16).then_some(unit)
}

/// The value of each hexadecimal digit; 255 for all other bytes.
const HEX: [u8; 256] = {
    let mut all = [u8::MAX; 256];
    let mut i = 0_u8;
    while i < 16 {
        all[b"0123456789abcdef"[i as usize] as usize] = i;
        all[b"0123456789ABCDEF"[i as usize] as usize] = i;
        i += 1;
    }
    all
};

/// The character of the escape here, of one unit or two, and the length of the escape.
#[inline]
fn unicode(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let first = unit(bytes, at)?;
    if !(0xd800..0xdc00).contains(&first) {
        return Some((char::from_u32(first.into())?, 6));
    }
    let second = unit(bytes, at + 6)?;
    if !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    let code = 0x1_0000 + (u32::from(first & 0x3ff) << 10) + u32::from(second & 0x3ff);
    Some((char::from_u32(code)?, 12))
}

/// The position of the first byte from `start` on that a string cannot contain as it is: a quote, a backslash or a
/// control character. Otherwise the length of the bytes.
#[inline]
pub(super) fn special(bytes: &[u8], start: usize) -> usize {
    match word_at(bytes, start) {
        Some(word) => {
            let found = specials(word);
            if found != 0 {
                start + found.trailing_zeros() as usize / 8
            } else {
                special_further(bytes, start + 8)
            }
        }
        None => special_near_end(bytes, start),
    }
}

#[inline(never)]
fn special_further(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    // Most keys and many values end within these bytes.
    while at < start + 16 {
        let Some(word) = word_at(bytes, at) else {
            return special_near_end(bytes, at);
        };
        let found = specials(word);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    special_far(bytes, at)
}

/// A separate function, so that the first words are searched without saving registers for this one.
#[inline(never)]
fn special_far(bytes: &[u8], start: usize) -> usize {
    let mut at = behind_plain(bytes, start);
    while let Some(word) = word_at(bytes, at) {
        let found = specials(word);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    special_near_end(bytes, at)
}

#[inline(never)]
fn special_near_end(bytes: &[u8], start: usize) -> usize {
    // The last eight bytes, without those before the start. The zeros that are shifted in are special.
    if let Some(last) = bytes.last_chunk()
        && let Some(passed) = (start + 8).checked_sub(bytes.len())
        && passed > 0
    {
        if passed >= 8 {
            return bytes.len().max(start);
        }
        let rest = u64::from_le_bytes(*last) >> (8 * passed);
        return start + specials(rest).trailing_zeros() as usize / 8;
    }
    let mut at = start;
    while bytes.get(at).is_some_and(|byte| !is_special(*byte)) {
        at += 1;
    }
    at
}

/// The eight bytes that start here.
#[inline]
pub(super) fn word_at(bytes: &[u8], start: usize) -> Option<u64> {
    let word = bytes.get(start..)?.first_chunk()?;
    Some(u64::from_le_bytes(*word))
}

/// With this bit flipped, a quote is the byte behind the control characters, so that one comparison finds both. A
/// backslash needs its own comparison.
const TURNED: u8 = 2;
const QUOTE: u8 = b'"' ^ TURNED;
const BACKSLASH: u8 = b'\\' ^ TURNED;

/// The compiler turns a loop of this into one comparison of many bytes.
#[inline]
fn is_special(byte: u8) -> bool {
    let turned = byte ^ TURNED;
    turned <= QUOTE || turned == BACKSLASH
}

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// The bytes of a word in front of its first special byte, with zeros behind them, and whether the word has none.
#[inline]
pub(super) const fn plain_part(word: u64) -> (u64, bool) {
    let found = specials(word);
    let first = found & found.wrapping_neg();
    // All bits below the special byte; all bits if there is none.
    (word & (first >> 7).wrapping_sub(1), found == 0)
}

/// The high bit of each special byte in a word. Behind the first such byte, counted from the lowest, others may be
/// marked too.
#[inline]
const fn specials(word: u64) -> u64 {
    let turned = word ^ all(TURNED);
    let quotes_and_controls = turned.wrapping_sub(all(QUOTE + 1)) & !turned;
    let apart = turned ^ all(BACKSLASH);
    let backslashes = apart.wrapping_sub(ONES) & !apart;
    (quotes_and_controls | backslashes) & HIGH
}

/// A word of this byte.
#[inline]
const fn all(byte: u8) -> u64 {
    ONES * byte as u64
}

/// The position behind the whole blocks that have no special byte.
#[inline]
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
