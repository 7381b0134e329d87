//! The encodings, each read byte by byte, with every decoded byte tied to where it came from.
//!
//! None of them checks that its input is really so encoded: what cannot be decoded passes unchanged, and a
//! reading that makes no sense finds nothing.

/// One byte of a reading, and the part of the source that it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) byte: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Encodings in which an escape sequence stands for a byte or a character.
#[derive(Clone, Copy)]
pub(super) enum Escapes {
    Json,
    /// Percent-encoding; in forms a plus is a space.
    Percent {
        plus: bool,
    },
    /// Quoted-printable, as in mail.
    Quoted,
}

/// A reader of escape sequences.
pub(super) struct Unescape {
    escapes: Escapes,
    /// A sequence that has begun.
    begun: Vec<Unit>,
}

enum Step {
    /// It may still become a sequence.
    More,
    /// The first byte stands for itself.
    Plain,
    /// The first `used` bytes stand for these.
    Decoded {
        bytes: [u8; 4],
        length: usize,
        used: usize,
    },
}

impl Step {
    fn char(c: char, used: usize) -> Self {
        let mut bytes = [0; 4];
        let length = c.encode_utf8(&mut bytes).len();
        Self::Decoded {
            bytes,
            length,
            used,
        }
    }
}

impl Unescape {
    pub(super) fn new(escapes: Escapes) -> Self {
        Self {
            escapes,
            begun: Vec::new(),
        }
    }

    pub(super) fn feed(&mut self, unit: Unit, mut out: impl FnMut(Unit)) {
        let special = match self.escapes {
            Escapes::Json => unit.byte == b'\\',
            Escapes::Percent { plus } => unit.byte == b'%' || (plus && unit.byte == b'+'),
            Escapes::Quoted => unit.byte == b'=',
        };
        if !special && self.begun.is_empty() {
            return out(unit);
        }
        self.begun.push(unit);
        while let Some(&first) = self.begun.first() {
            let step = match self.escapes {
                Escapes::Json => json(&self.begun),
                Escapes::Percent { plus } => percent(&self.begun, plus),
                Escapes::Quoted => quoted(&self.begun),
            };
            match step {
                Step::More => return,
                Step::Plain => {
                    self.begun.remove(0);
                    out(first);
                }
                Step::Decoded {
                    bytes,
                    length,
                    used,
                } => {
                    let mut taken = self.begun.drain(..used.min(self.begun.len()));
                    let end = taken.next_back().map_or(first.end, |unit| unit.end);
                    for &byte in bytes.iter().take(length) {
                        out(Unit {
                            byte,
                            start: first.start,
                            end,
                        });
                    }
                }
            }
        }
    }

    /// Where a sequence has begun that is not at its end.
    pub(super) fn begun(&self) -> Option<usize> {
        self.begun.first().map(|unit| unit.start)
    }
}

/// A byte in two hexadecimal digits, behind a mark of one character.
fn two_digits(rest: &[Unit]) -> Step {
    match hex_number(rest, 2) {
        Number::Is(number) => {
            let [.., byte] = number.to_be_bytes();
            Step::Decoded {
                bytes: [byte, 0, 0, 0],
                length: 1,
                used: 3,
            }
        }
        Number::More => Step::More,
        Number::None => Step::Plain,
    }
}

fn percent(begun: &[Unit], plus: bool) -> Step {
    match begun {
        [Unit { byte: b'+', .. }, ..] if plus => Step::char(' ', 1),
        [Unit { byte: b'%', .. }, rest @ ..] => two_digits(rest),
        _ => Step::Plain,
    }
}

/// `=68`, and `=` before a line end, which joins two lines.
fn quoted(begun: &[Unit]) -> Step {
    let joined = |used| Step::Decoded {
        bytes: [0; 4],
        length: 0,
        used,
    };
    match begun {
        [_] | [_, Unit { byte: b'\r', .. }] => Step::More,
        [_, Unit { byte: b'\n', .. }, ..] => joined(2),
        [_, Unit { byte: b'\r', .. }, Unit { byte: b'\n', .. }, ..] => joined(3),
        [_, rest @ ..] => two_digits(rest),
        [] => Step::Plain,
    }
}

/// `\u{68}`, as Rust and JavaScript write it. `rest` begins at the brace.
fn braced(rest: &[Unit]) -> Step {
    let digits = rest.get(1..).unwrap_or_default();
    let length = digits
        .iter()
        .take(6)
        .take_while(|unit| hex_digit(unit.byte).is_some())
        .count();
    match (length, digits.get(length).map(|unit| unit.byte)) {
        (0..=6, None) => Step::More,
        (1..=6, Some(b'}')) => match hex_number(digits, length) {
            Number::Is(code) => Step::char(
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                length + 4,
            ),
            _ => Step::Plain,
        },
        _ => Step::Plain,
    }
}

fn json(begun: &[Unit]) -> Step {
    match begun {
        [Unit { byte: b'\\', .. }] => Step::More,
        [Unit { byte: b'\\', .. }, second, rest @ ..] => match second.byte {
            // The single quote is not JSON's but JavaScript's and Python's.
            byte @ (b'"' | b'\\' | b'/' | b'\'') => Step::char(char::from(byte), 2),
            b'b' => Step::char('\u{8}', 2),
            b'f' => Step::char('\u{c}', 2),
            b'n' => Step::char('\n', 2),
            b'r' => Step::char('\r', 2),
            b't' => Step::char('\t', 2),
            b'u' if matches!(rest, [Unit { byte: b'{', .. }, ..]) => braced(rest),
            b'u' => match hex_number(rest, 4) {
                Number::Is(high @ 0xd800..0xdc00) => {
                    match low_surrogate(rest.get(4..).unwrap_or_default()) {
                        Number::Is(low) => {
                            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                            Step::char(
                                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                                12,
                            )
                        }
                        Number::More => Step::More,
                        Number::None => Step::char(char::REPLACEMENT_CHARACTER, 6),
                    }
                }
                Number::Is(code) => Step::char(
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                    6,
                ),
                Number::More => Step::More,
                Number::None => Step::Plain,
            },
            _ => Step::Plain,
        },
        _ => Step::Plain,
    }
}

enum Number {
    Is(u32),
    More,
    None,
}

fn low_surrogate(units: &[Unit]) -> Number {
    let digits = match units {
        [] | [Unit { byte: b'\\', .. }] => return Number::More,
        [
            Unit { byte: b'\\', .. },
            Unit { byte: b'u', .. },
            digits @ ..,
        ] => digits,
        _ => return Number::None,
    };
    match hex_number(digits, 4) {
        Number::Is(low @ 0xdc00..0xe000) => Number::Is(low),
        Number::More => Number::More,
        _ => Number::None,
    }
}

/// The number at the front, in exactly so many digits.
fn hex_number(units: &[Unit], digits: usize) -> Number {
    let mut number = 0;
    for unit in units.iter().take(digits) {
        let Some(digit) = hex_digit(unit.byte) else {
            return Number::None;
        };
        number = number << 4 | u32::from(digit);
    }
    if units.len() < digits {
        Number::More
    } else {
        Number::Is(number)
    }
}

pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// The five bits of a base32 digit, in any case.
pub(super) fn base32_digit(byte: u8) -> Option<u8> {
    match byte.to_ascii_uppercase() {
        byte @ b'A'..=b'Z' => Some(byte - b'A'),
        byte @ b'2'..=b'7' => Some(byte - b'2' + 26),
        _ => None,
    }
}

/// The six bits of a base64 digit, of the standard or the URL-safe alphabet.
pub(super) fn base64_digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(escapes: Escapes, text: &str) -> Vec<u8> {
        let mut reader = Unescape::new(escapes);
        let mut out = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            reader.feed(
                Unit {
                    byte,
                    start: at,
                    end: at + 1,
                },
                |unit| out.push(unit.byte),
            );
        }
        out.extend(reader.begun.iter().map(|unit| unit.byte));
        out
    }

    #[test]
    fn json_escapes_are_read_and_the_rest_passes() {
        for (text, expected) in [
            (r#"a\"\\\/\n\t\b\f\r"#, "a\"\\/\n\t\u{8}\u{c}\r"),
            (r"\u0041\u00e9\u00E9", "Aéé"),
            (r"\ud83d\ude42", "🙂"),
            (r"\ud83dx\ude42", "\u{fffd}x\u{fffd}"),
            (r"\ud83d\n", "\u{fffd}\n"),
            (r"\q\u00g0\u", r"\q\u00g0\u"),
            (
                r"\u{41}\u{1f642}\u{}\u{g}\u{1234567}",
                r"A🙂\u{}\u{g}\u{1234567}",
            ),
            (r"C:\dir\", r"C:\dir\"),
        ] {
            assert_eq!(read(Escapes::Json, text), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn quoted_printable_is_read_and_the_rest_passes() {
        for (text, expected) in [
            ("=41=4a=4A=C3=A9", "AJJé"),
            ("a=\nb=\r\nc=\rd", "abc=\rd"),
            ("1+1=2, a==b, =", "1+1=2, a==b, ="),
        ] {
            assert_eq!(read(Escapes::Quoted, text), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn percent_escapes_are_read_and_the_rest_passes() {
        for (text, plus, expected) in [
            ("%41%4a%4A%c3%A9", false, "AJJé"),
            ("a+b%+", false, "a+b%+"),
            ("a+b%2B", true, "a b+"),
            ("100% %4g %%41 %", false, "100% %4g %A %"),
        ] {
            assert_eq!(
                read(Escapes::Percent { plus }, text),
                expected.as_bytes(),
                "{text}"
            );
        }
    }
}
