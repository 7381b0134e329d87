//! The forms that a secret may have in a text, all read together: which there are, how they nest, and how each
//! is read. A form of digits is in `digits.rs`.
//!
//! No reading checks that its input is really so encoded: what cannot be decoded passes unchanged, and a
//! reading that makes no sense finds nothing. Every decoded byte is tied to where it came from.

use super::automaton::PatternAutomaton;
use super::digits::{DigitReadings, NumberReadings, hex_digit};
use super::lane::{ReadingSearch, ReadingUnit, SecretHit};

/// How many times a secret may have been written into a JSON string, each inside the one before.
const JSON_LEVELS: usize = 4;

/// Every reading of one text.
pub(super) struct TextReadings {
    plain: ReadingSearch,
    json: (EscapeReader, ReadingSearch),
    /// JSON within a JSON string, within another, and so on; each reads what the one before gives.
    json_deeper: [(EscapeReader, ReadingSearch); JSON_LEVELS - 1],
    percent: (EscapeReader, ReadingSearch),
    /// Percent-encoded within JSON.
    json_percent: (EscapeReader, ReadingSearch),
    form: (EscapeReader, ReadingSearch),
    /// JSON within a form or a query.
    form_json: (EscapeReader, ReadingSearch),
    percent_twice: (EscapeReader, ReadingSearch),
    quoted: (EscapeReader, ReadingSearch),
    json_quoted: (EscapeReader, ReadingSearch),
    /// The digits as they stand. What stands in front of them may look like an escape that takes some away.
    digits: DigitReadings,
    /// The digits within `json_percent`, because `+` and `/` may be escaped in both.
    escaped_digits: DigitReadings,
    numbers: NumberReadings,
}

impl TextReadings {
    pub(super) fn new() -> Self {
        let view = |escapes| (EscapeReader::new(escapes), ReadingSearch::default());
        Self {
            plain: ReadingSearch::default(),
            json: view(EscapeForm::Json),
            json_deeper: std::array::from_fn(|_| view(EscapeForm::Json)),
            percent: view(EscapeForm::Percent { plus: false }),
            json_percent: view(EscapeForm::Percent { plus: false }),
            form: view(EscapeForm::Percent { plus: true }),
            form_json: view(EscapeForm::Json),
            percent_twice: view(EscapeForm::Percent { plus: false }),
            quoted: view(EscapeForm::Quoted),
            json_quoted: view(EscapeForm::Quoted),
            digits: DigitReadings::new(),
            escaped_digits: DigitReadings::new(),
            numbers: NumberReadings::new(),
        }
    }

    /// Reads one byte of the source.
    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) {
        let Self {
            plain,
            json,
            json_deeper,
            percent,
            json_percent,
            form,
            form_json,
            percent_twice,
            quoted,
            json_quoted,
            digits,
            escaped_digits,
            numbers,
        } = self;
        plain.feed(unit, automaton, hits);
        numbers.feed(unit, automaton, hits);
        digits.feed(unit, automaton, hits);
        quoted
            .0
            .feed(unit, |unit| quoted.1.feed(unit, automaton, hits));
        percent.0.feed(unit, |unit| {
            percent.1.feed(unit, automaton, hits);
            percent_twice
                .0
                .feed(unit, |unit| percent_twice.1.feed(unit, automaton, hits));
        });
        json.0.feed(unit, |unit| {
            json.1.feed(unit, automaton, hits);
            feed_deeper(json_deeper, unit, automaton, hits);
            json_quoted
                .0
                .feed(unit, |unit| json_quoted.1.feed(unit, automaton, hits));
            json_percent.0.feed(unit, |unit| {
                json_percent.1.feed(unit, automaton, hits);
                escaped_digits.feed(unit, automaton, hits);
            });
        });
        form.0.feed(unit, |unit| {
            form.1.feed(unit, automaton, hits);
            form_json
                .0
                .feed(unit, |unit| form_json.1.feed(unit, automaton, hits));
        });
    }

    /// Where the earliest secret may have begun that is not at its end.
    pub(super) fn begun(&self, automaton: &PatternAutomaton) -> Option<usize> {
        let views = [
            &self.json,
            &self.percent,
            &self.json_percent,
            &self.form,
            &self.form_json,
            &self.percent_twice,
            &self.quoted,
            &self.json_quoted,
        ];
        let views = views.into_iter().chain(&self.json_deeper);
        let lanes = views.clone().map(|view| &view.1).chain([&self.plain]);
        lanes
            .filter_map(|lane| lane.starts.front().copied())
            .chain(views.filter_map(|view| view.0.begun()))
            .chain(self.digits.begun(automaton))
            .chain(self.escaped_digits.begun(automaton))
            .chain(self.numbers.begun(automaton))
            .min()
    }
}

/// Takes one more level of JSON off at each view.
fn feed_deeper(
    views: &mut [(EscapeReader, ReadingSearch)],
    unit: ReadingUnit,
    automaton: &PatternAutomaton,
    hits: &mut Vec<SecretHit>,
) {
    if let Some(((unescape, lane), deeper)) = views.split_first_mut() {
        unescape.feed(unit, |unit| {
            lane.feed(unit, automaton, hits);
            feed_deeper(deeper, unit, automaton, hits);
        });
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
struct EscapeReader {
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
