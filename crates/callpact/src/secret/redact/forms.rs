//! The forms that a secret may have in a text, all read together: which there are, how they nest, and how each
//! is read. A form of digits is in `digits.rs`.
//!
//! No reading checks that its input is really so encoded: what cannot be decoded passes unchanged, and a
//! reading that makes no sense finds nothing. Every decoded byte is tied to where it came from.

use super::automaton::PatternAutomaton;
use super::digits::{BASE32, BASE64, DecimalReading, DigitReading, HEX, hex_digit};
use super::lane::{ReadingSearch, ReadingUnit, SecretHit};

/// How many times a secret may have been written into a JSON string, each inside the one before.
const JSON_LEVELS: usize = 4;

/// One way to read a text.
pub(super) enum TextReading {
    /// Each byte stands for itself.
    Plain(DecodedBytes),
    Escapes(EscapeReader, DecodedBytes),
    /// With the bytes of each alignment.
    Digits(DigitReading, Vec<DecodedBytes>),
    Decimals(DecimalReading, ReadingSearch),
}

/// The bytes of a reading: they are searched, and read further.
#[derive(Default)]
pub(super) struct DecodedBytes {
    search: ReadingSearch,
    inside: Vec<TextReading>,
}

/// Every reading of one text.
pub(super) fn all_readings() -> Vec<TextReading> {
    let quoted = || TextReading::escapes(EscapeForm::Quoted, Vec::new());
    let json = |inside| TextReading::escapes(EscapeForm::Json, inside);
    let percent = |plus, inside| TextReading::escapes(EscapeForm::Percent { plus }, inside);
    let mut deeper_json = Vec::new();
    for _ in 1..JSON_LEVELS {
        deeper_json = vec![json(deeper_json)];
    }
    // `+` and `/` of the digits may be escaped in both.
    let mut in_json = vec![quoted(), percent(false, all_digits())];
    in_json.append(&mut deeper_json);
    let mut all = vec![
        TextReading::Plain(DecodedBytes::default()),
        TextReading::Decimals(DecimalReading::default(), ReadingSearch::default()),
        TextReading::digits(DigitReading::new(&HEX, 2), Vec::new),
        quoted(),
        percent(false, vec![percent(false, Vec::new())]),
        json(in_json),
        // JSON within a form or a query.
        percent(true, vec![json(Vec::new())]),
    ];
    // The digits as they stand. What stands in front of them may look like an escape that takes some away.
    all.append(&mut all_digits());
    all
}

/// The readings as digits of base64, also of base64 of base64, and of base32.
fn all_digits() -> Vec<TextReading> {
    let base64 = |inside: fn() -> _| TextReading::digits(DigitReading::new(&BASE64, 4), inside);
    vec![
        base64(|| vec![TextReading::digits(DigitReading::new(&BASE64, 4), Vec::new)]),
        TextReading::digits(DigitReading::new(&BASE32, 8), Vec::new),
    ]
}

impl TextReading {
    fn escapes(form: EscapeForm, inside: Vec<Self>) -> Self {
        Self::Escapes(EscapeReader::new(form), DecodedBytes::read(inside))
    }

    fn digits(digits: DigitReading, inside: impl Fn() -> Vec<Self>) -> Self {
        let bytes = (0..digits.alignments()).map(|_| DecodedBytes::read(inside()));
        Self::Digits(digits, bytes.collect())
    }

    /// Reads one byte of the source.
    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) {
        match self {
            Self::Plain(bytes) => bytes.feed(unit, automaton, hits),
            Self::Escapes(reader, bytes) => {
                reader.feed(unit, |byte| bytes.feed(byte, automaton, hits));
            }
            Self::Digits(digits, bytes) => digits.feed(unit, |alignment, byte| {
                match (bytes.get_mut(alignment), byte) {
                    (Some(bytes), Some(byte)) => bytes.feed(byte, automaton, hits),
                    (Some(bytes), None) => bytes.search.reset(),
                    (None, _) => {}
                }
            }),
            Self::Decimals(decimals, search) => decimals.feed(unit, search, automaton, hits),
        }
    }

    /// Where the earliest secret may have begun that is not at its end.
    pub(super) fn begun(&self, automaton: &PatternAutomaton) -> Option<usize> {
        match self {
            Self::Plain(bytes) => bytes.begun(automaton),
            Self::Escapes(reader, bytes) => {
                let starts = reader.begun().into_iter();
                starts.chain(bytes.begun(automaton)).min()
            }
            Self::Digits(digits, bytes) => {
                let starts = bytes.iter().enumerate().flat_map(|(alignment, bytes)| {
                    // A part of a byte may become the first digit of the reading inside.
                    let may_begin = |value, count| {
                        !bytes.inside.is_empty() || automaton.may_begin(value, count)
                    };
                    let partial = digits.begun(alignment, may_begin);
                    partial.into_iter().chain(bytes.begun(automaton))
                });
                starts.min()
            }
            Self::Decimals(decimals, search) => {
                let starts = search.starts.front().copied().into_iter();
                starts.chain(decimals.begun(automaton)).min()
            }
        }
    }
}

impl DecodedBytes {
    fn read(inside: Vec<TextReading>) -> Self {
        let search = ReadingSearch::default();
        Self { search, inside }
    }

    fn feed(&mut self, byte: ReadingUnit, automaton: &PatternAutomaton, hits: &mut Vec<SecretHit>) {
        self.search.feed(byte, automaton, hits);
        for reading in &mut self.inside {
            reading.feed(byte, automaton, hits);
        }
    }

    fn begun(&self, automaton: &PatternAutomaton) -> Option<usize> {
        let inside = self.inside.iter();
        let starts = inside.filter_map(|reading| reading.begun(automaton));
        starts.chain(self.search.starts.front().copied()).min()
    }
}

/// Encodings in which an escape sequence stands for a byte or a character.
#[derive(Clone, Copy)]
enum EscapeForm {
    Json,
    /// Percent-encoding; in forms a plus is a space.
    Percent {
        plus: bool,
    },
    /// Quoted-printable, as in mail.
    Quoted,
}

/// A reader of escape sequences.
pub(super) struct EscapeReader {
    escapes: EscapeForm,
    /// A sequence that has begun.
    begun: Vec<ReadingUnit>,
}

enum FormStep {
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

impl FormStep {
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

impl EscapeReader {
    fn new(escapes: EscapeForm) -> Self {
        Self {
            escapes,
            begun: Vec::new(),
        }
    }

    fn feed(&mut self, unit: ReadingUnit, mut out: impl FnMut(ReadingUnit)) {
        let special = match self.escapes {
            EscapeForm::Json => unit.byte == b'\\',
            EscapeForm::Percent { plus } => unit.byte == b'%' || (plus && unit.byte == b'+'),
            EscapeForm::Quoted => unit.byte == b'=',
        };
        if !special && self.begun.is_empty() {
            return out(unit);
        }
        self.begun.push(unit);
        while let Some(&first) = self.begun.first() {
            let step = match self.escapes {
                EscapeForm::Json => json(&self.begun),
                EscapeForm::Percent { plus } => percent(&self.begun, plus),
                EscapeForm::Quoted => quoted(&self.begun),
            };
            match step {
                FormStep::More => return,
                FormStep::Plain => {
                    self.begun.remove(0);
                    out(first);
                }
                FormStep::Decoded {
                    bytes,
                    length,
                    used,
                } => {
                    let mut taken = self.begun.drain(..used.min(self.begun.len()));
                    let end = taken.next_back().map_or(first.end, |unit| unit.end);
                    for &byte in bytes.iter().take(length) {
                        out(ReadingUnit {
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
    fn begun(&self) -> Option<usize> {
        self.begun.first().map(|unit| unit.start)
    }
}

/// A byte in two hexadecimal digits, behind a mark of one character.
fn two_digits(rest: &[ReadingUnit]) -> FormStep {
    match hex_number(rest, 2) {
        EscapeNumber::Is(number) => {
            let [.., byte] = number.to_be_bytes();
            FormStep::Decoded {
                bytes: [byte, 0, 0, 0],
                length: 1,
                used: 3,
            }
        }
        EscapeNumber::More => FormStep::More,
        EscapeNumber::None => FormStep::Plain,
    }
}

fn percent(begun: &[ReadingUnit], plus: bool) -> FormStep {
    match begun {
        [ReadingUnit { byte: b'+', .. }, ..] if plus => FormStep::char(' ', 1),
        [ReadingUnit { byte: b'%', .. }, rest @ ..] => two_digits(rest),
        _ => FormStep::Plain,
    }
}

/// `=68`, and `=` before a line end, which joins two lines.
fn quoted(begun: &[ReadingUnit]) -> FormStep {
    let joined = |used| FormStep::Decoded {
        bytes: [0; 4],
        length: 0,
        used,
    };
    match begun {
        [_] | [_, ReadingUnit { byte: b'\r', .. }] => FormStep::More,
        [_, ReadingUnit { byte: b'\n', .. }, ..] => joined(2),
        [
            _,
            ReadingUnit { byte: b'\r', .. },
            ReadingUnit { byte: b'\n', .. },
            ..,
        ] => joined(3),
        [_, rest @ ..] => two_digits(rest),
        [] => FormStep::Plain,
    }
}

/// `\u{68}`, as Rust and JavaScript write it. `rest` begins at the brace.
fn braced(rest: &[ReadingUnit]) -> FormStep {
    let digits = rest.get(1..).unwrap_or_default();
    let length = digits
        .iter()
        .take(6)
        .take_while(|unit| hex_digit(unit.byte).is_some())
        .count();
    match (length, digits.get(length).map(|unit| unit.byte)) {
        (0..=6, None) => FormStep::More,
        (1..=6, Some(b'}')) => match hex_number(digits, length) {
            EscapeNumber::Is(code) => FormStep::char(
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                length + 4,
            ),
            _ => FormStep::Plain,
        },
        _ => FormStep::Plain,
    }
}

fn json(begun: &[ReadingUnit]) -> FormStep {
    match begun {
        [ReadingUnit { byte: b'\\', .. }] => FormStep::More,
        [ReadingUnit { byte: b'\\', .. }, second, rest @ ..] => match second.byte {
            // The single quote is not JSON's but JavaScript's and Python's.
            byte @ (b'"' | b'\\' | b'/' | b'\'') => FormStep::char(char::from(byte), 2),
            b'b' => FormStep::char('\u{8}', 2),
            b'f' => FormStep::char('\u{c}', 2),
            b'n' => FormStep::char('\n', 2),
            b'r' => FormStep::char('\r', 2),
            b't' => FormStep::char('\t', 2),
            b'u' if matches!(rest, [ReadingUnit { byte: b'{', .. }, ..]) => braced(rest),
            b'u' => match hex_number(rest, 4) {
                EscapeNumber::Is(high @ 0xd800..0xdc00) => {
                    match low_surrogate(rest.get(4..).unwrap_or_default()) {
                        EscapeNumber::Is(low) => {
                            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                            FormStep::char(
                                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                                12,
                            )
                        }
                        EscapeNumber::More => FormStep::More,
                        EscapeNumber::None => FormStep::char(char::REPLACEMENT_CHARACTER, 6),
                    }
                }
                EscapeNumber::Is(code) => FormStep::char(
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                    6,
                ),
                EscapeNumber::More => FormStep::More,
                EscapeNumber::None => FormStep::Plain,
            },
            _ => FormStep::Plain,
        },
        _ => FormStep::Plain,
    }
}

enum EscapeNumber {
    Is(u32),
    More,
    None,
}

fn low_surrogate(units: &[ReadingUnit]) -> EscapeNumber {
    let digits = match units {
        [] | [ReadingUnit { byte: b'\\', .. }] => return EscapeNumber::More,
        [
            ReadingUnit { byte: b'\\', .. },
            ReadingUnit { byte: b'u', .. },
            digits @ ..,
        ] => digits,
        _ => return EscapeNumber::None,
    };
    match hex_number(digits, 4) {
        EscapeNumber::Is(low @ 0xdc00..0xe000) => EscapeNumber::Is(low),
        EscapeNumber::More => EscapeNumber::More,
        _ => EscapeNumber::None,
    }
}

/// The number at the front, in exactly so many digits.
fn hex_number(units: &[ReadingUnit], digits: usize) -> EscapeNumber {
    let mut number = 0;
    for unit in units.iter().take(digits) {
        let Some(digit) = hex_digit(unit.byte) else {
            return EscapeNumber::None;
        };
        number = number << 4 | u32::from(digit);
    }
    if units.len() < digits {
        EscapeNumber::More
    } else {
        EscapeNumber::Is(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(escapes: EscapeForm, text: &str) -> Vec<u8> {
        let mut reader = EscapeReader::new(escapes);
        let mut out = Vec::new();
        for (at, byte) in text.bytes().enumerate() {
            reader.feed(
                ReadingUnit {
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
            assert_eq!(read(EscapeForm::Json, text), expected.as_bytes(), "{text}");
        }
    }

    #[test]
    fn quoted_printable_is_read_and_the_rest_passes() {
        for (text, expected) in [
            ("=41=4a=4A=C3=A9", "AJJé"),
            ("a=\nb=\r\nc=\rd", "abc=\rd"),
            ("1+1=2, a==b, =", "1+1=2, a==b, ="),
        ] {
            assert_eq!(
                read(EscapeForm::Quoted, text),
                expected.as_bytes(),
                "{text}"
            );
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
                read(EscapeForm::Percent { plus }, text),
                expected.as_bytes(),
                "{text}"
            );
        }
    }
}
