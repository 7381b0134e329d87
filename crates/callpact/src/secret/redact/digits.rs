//! Readings of digits: base64, base32, hexadecimal, and bytes as decimal numbers.

use super::automaton::PatternAutomaton;
use super::lane::{ReadingSearch, ReadingUnit, SecretHit};

/// A reading of digits that stand for bits: base64, base32 or hexadecimal.
struct BitReading {
    digit: fn(u8) -> Option<u8>,
    /// Whether a character between two digits does not end the run of digits.
    between: fn(u8) -> bool,
    /// Whether blanks may stand at the start of a line.
    indent: bool,
    at_line_start: bool,
    /// Whether a backslash came last: what follows may be a line end or a tab that was escaped.
    escaped: bool,
    width: u32,
    /// How many digits at the front of a run belong to something else.
    phase: u8,
    skip: u8,
    value: u16,
    count: u32,
    /// Where the first of the bits in `value` came from.
    start: usize,
    lane: ReadingSearch,
}

impl BitReading {
    fn base64(phase: u8) -> Self {
        Self {
            indent: true,
            ..Self::new(phase, 6, base64_digit, |byte| matches!(byte, b'\r' | b'\n'))
        }
    }

    fn base32(phase: u8) -> Self {
        Self {
            indent: true,
            ..Self::new(phase, 5, base32_digit, |byte| matches!(byte, b'\r' | b'\n'))
        }
    }

    fn hex(phase: u8) -> Self {
        // Between: `68:65`, `68 65`, `68-65`, `68, 65`, `\x68\x65`, `0x68, 0x65`, and wrapped lines.
        Self::new(phase, 4, hex_digit, |byte| {
            matches!(
                byte,
                b':' | b' ' | b'-' | b'\\' | b'x' | b'X' | b',' | b'\t' | b'\r' | b'\n'
            )
        })
    }

    fn new(phase: u8, width: u32, digit: fn(u8) -> Option<u8>, between: fn(u8) -> bool) -> Self {
        let lane = ReadingSearch::default();
        Self {
            digit,
            between,
            indent: false,
            at_line_start: false,
            escaped: false,
            width,
            phase,
            skip: phase,
            value: 0,
            count: 0,
            start: 0,
            lane,
        }
    }

    fn feed(&mut self, unit: ReadingUnit, automaton: &PatternAutomaton, hits: &mut Vec<SecretHit>) {
        if let Some(byte) = self.decode(unit) {
            self.lane.feed(byte, automaton, hits);
        }
    }

    /// Takes one byte of the source. Gives a byte of the reading when its last digit is there.
    fn decode(&mut self, unit: ReadingUnit) -> Option<ReadingUnit> {
        if is_escaped_blank(unit.byte, &mut self.escaped) {
            self.at_line_start |= unit.byte == b'n';
            return None;
        }
        let Some(digit) = (self.digit)(unit.byte) else {
            if matches!(unit.byte, b'x' | b'X') {
                self.drop_zero();
            }
            let is_indent = self.indent && self.at_line_start && matches!(unit.byte, b' ' | b'\t');
            if unit.byte == b'\n' {
                self.at_line_start = true;
            } else if !is_indent {
                self.at_line_start = false;
            }
            if !(self.between)(unit.byte) && !is_indent {
                (self.skip, self.value, self.count) = (self.phase, 0, 0);
                self.lane.reset();
            }
            return None;
        };
        self.at_line_start = false;
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        if self.count == 0 {
            self.start = unit.start;
        }
        self.value = self.value << self.width | u16::from(digit);
        self.count += self.width;
        if self.count >= 8 {
            self.count -= 8;
            let [.., byte] = (self.value >> self.count).to_be_bytes();
            let decoded = ReadingUnit {
                byte,
                start: self.start,
                end: unit.end,
            };
            self.value &= (1 << self.count) - 1;
            self.start = unit.start;
            return Some(decoded);
        }
        None
    }

    /// Forgets the zero of `0x`, which is not a digit of the value.
    fn drop_zero(&mut self) {
        if self.width == 4 && self.count == 4 && self.value == 0 {
            self.count = 0;
        }
    }

    /// Where the byte that is not complete began.
    fn partial(&self) -> Option<usize> {
        (self.count > 0).then_some(self.start)
    }

    /// Where a secret may have begun.
    fn begun(&self, automaton: &PatternAutomaton) -> Option<usize> {
        let [.., bits] = self.value.to_be_bytes();
        let partial = self.count > 0 && automaton.may_begin(bits, self.count);
        self.lane
            .starts
            .front()
            .copied()
            .or(partial.then_some(self.start))
    }
}

/// Whether a byte is part of a line end or a tab that was escaped, in JSON for example, however often.
fn is_escaped_blank(byte: u8, escaped: &mut bool) -> bool {
    let before = std::mem::replace(escaped, byte == b'\\');
    *escaped || before && matches!(byte, b'n' | b'r' | b't')
}

/// A reading of numbers from 0 to 255 with commas or blanks between, such as `[104, 117]`.
#[derive(Default)]
struct DecimalReading {
    /// The number that has begun, and its count of digits.
    number: Option<(ReadingUnit, u32)>,
    /// The search up to the number that has begun.
    before: ReadingSearch,
    /// Where a secret may have begun that goes on with that number.
    with: Option<usize>,
    /// Whether a backslash came last.
    escaped: bool,
}

impl DecimalReading {
    fn feed(&mut self, unit: ReadingUnit, automaton: &PatternAutomaton, hits: &mut Vec<SecretHit>) {
        let blank = is_escaped_blank(unit.byte, &mut self.escaped);
        match if blank { b' ' } else { unit.byte } {
            digit @ b'0'..=b'9' => {
                let (byte, digits, start) = match self.number {
                    Some((number, digits)) => (number.byte, digits, number.start),
                    None => (0, 0, unit.start),
                };
                let value = u16::from(byte) * 10 + u16::from(digit - b'0');
                let Ok(byte) = u8::try_from(value) else {
                    return self.reset();
                };
                if digits >= 3 {
                    return self.reset();
                }
                let end = unit.end;
                let number = ReadingUnit { byte, start, end };
                self.number = Some((number, digits + 1));
                self.with = self.before.try_feed(number, automaton, hits);
            }
            b',' | b' ' | b'\t' | b'\r' | b'\n' => {
                if let Some((number, _)) = self.number.take() {
                    // What ends here was found when its last digit came.
                    self.before.feed(number, automaton, &mut Vec::new());
                }
            }
            _ => self.reset(),
        }
    }

    fn reset(&mut self) {
        self.number = None;
        self.before.reset();
        self.with = None;
    }

    /// Where a secret may have begun.
    fn begun(&self, automaton: &PatternAutomaton) -> Option<usize> {
        let before = self.before.starts.front().copied();
        let number = self
            .number
            .filter(|(number, _)| automaton.may_begin_decimal(u16::from(number.byte)));
        let starts = before.into_iter().chain(self.with);
        starts.chain(number.map(|(number, _)| number.start)).min()
    }
}

/// The readings of one text as bytes in hexadecimal, at both alignments, and in decimal numbers.
pub(super) struct NumberReadings {
    hex: [BitReading; 2],
    decimals: DecimalReading,
}

impl NumberReadings {
    pub(super) fn new() -> Self {
        Self {
            hex: [0, 1].map(BitReading::hex),
            decimals: DecimalReading::default(),
        }
    }

    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) {
        self.decimals.feed(unit, automaton, hits);
        for bits in &mut self.hex {
            bits.feed(unit, automaton, hits);
        }
    }

    /// Where a secret may have begun.
    pub(super) fn begun(&self, automaton: &PatternAutomaton) -> impl Iterator<Item = usize> {
        let hex = self.hex.iter().filter_map(|bits| bits.begun(automaton));
        hex.chain(self.decimals.begun(automaton))
    }
}

/// The readings of one text as digits of base64 and base32, at every alignment.
pub(super) struct DigitReadings {
    base64: [BitReading; 4],
    /// Base64 of base64: for each reading of the outer one every reading of the inner one.
    base64_twice: [[BitReading; 4]; 4],
    base32: [BitReading; 8],
}

impl DigitReadings {
    pub(super) fn new() -> Self {
        Self {
            base64: [0, 1, 2, 3].map(BitReading::base64),
            base64_twice: [0, 1, 2, 3].map(|_| [0, 1, 2, 3].map(BitReading::base64)),
            base32: [0, 1, 2, 3, 4, 5, 6, 7].map(BitReading::base32),
        }
    }

    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) {
        for (bits, inner) in self.base64.iter_mut().zip(&mut self.base64_twice) {
            let Some(decoded) = bits.decode(unit) else {
                continue;
            };
            bits.lane.feed(decoded, automaton, hits);
            for bits in inner {
                bits.feed(decoded, automaton, hits);
            }
        }
        for bits in &mut self.base32 {
            bits.feed(unit, automaton, hits);
        }
    }

    /// Where a secret may have begun.
    pub(super) fn begun(&self, automaton: &PatternAutomaton) -> impl Iterator<Item = usize> {
        let bits = self.base64.iter().chain(&self.base32);
        bits.chain(self.base64_twice.iter().flatten())
            .filter_map(|bits| bits.begun(automaton))
            // Half a byte of the outer base64 may become the first digit of the inner one.
            .chain(self.base64.iter().filter_map(BitReading::partial))
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
fn base32_digit(byte: u8) -> Option<u8> {
    match byte.to_ascii_uppercase() {
        byte @ b'A'..=b'Z' => Some(byte - b'A'),
        byte @ b'2'..=b'7' => Some(byte - b'2' + 26),
        _ => None,
    }
}

/// The six bits of a base64 digit, of the standard or the URL-safe alphabet.
fn base64_digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
