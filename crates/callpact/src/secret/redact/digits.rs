//! Readings of digits: base64, base32, hexadecimal, and bytes as decimal numbers.

use super::automaton::PatternAutomaton;
use super::lane::{ReadingSearch, ReadingUnit, SecretHit};

/// Digits that stand for bits.
pub(super) struct DigitForm {
    digit: fn(u8) -> Option<u8>,
    /// The bits of a digit.
    width: u32,
    /// Whether a character between two digits does not end the run of digits.
    between: fn(u8) -> bool,
    /// Whether blanks may stand at the start of a line.
    indent: bool,
}

pub(super) static BASE64: DigitForm = DigitForm {
    digit: base64_digit,
    width: 6,
    between: is_line_end,
    indent: true,
};

pub(super) static BASE32: DigitForm = DigitForm {
    digit: base32_digit,
    width: 5,
    between: is_line_end,
    indent: true,
};

pub(super) static HEX: DigitForm = DigitForm {
    digit: hex_digit,
    width: 4,
    // `68:65`, `68 65`, `68-65`, `68, 65`, `\x68\x65`, `0x68, 0x65`, and wrapped lines.
    between: |byte| {
        matches!(
            byte,
            b':' | b' ' | b'-' | b'\\' | b'x' | b'X' | b',' | b'\t' | b'\r' | b'\n'
        )
    },
    indent: false,
};

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// A reading of digits that stand for bits, at every alignment: where a run of digits begins, the first ones may belong to
/// something else.
pub(super) struct DigitReading {
    form: &'static DigitForm,
    at_line_start: bool,
    /// Whether a backslash came last: what follows may be a line end or a tab that was escaped.
    escaped: bool,
    alignments: Vec<BitReader>,
}

/// A reader of bits that passes some digits first.
struct BitReader {
    phase: u8,
    skip: u8,
    value: u16,
    count: u32,
    /// Where the first of the bits in `value` came from.
    start: usize,
}

impl DigitReading {
    pub(super) fn new(form: &'static DigitForm, alignments: u8) -> Self {
        let alignments = (0..alignments).map(BitReader::new);
        Self {
            form,
            at_line_start: false,
            escaped: false,
            alignments: alignments.collect(),
        }
    }

    pub(super) fn alignments(&self) -> usize {
        self.alignments.len()
    }

    /// Reads one byte of the source. Gives the number of an alignment, and the byte whose last digit is there, or `None`
    /// if the run of digits is over.
    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        mut out: impl FnMut(usize, Option<ReadingUnit>),
    ) {
        if is_escaped_blank(unit.byte, &mut self.escaped) {
            self.at_line_start |= unit.byte == b'n';
            return;
        }
        let alignments = self.alignments.iter_mut().enumerate();
        if let Some(digit) = (self.form.digit)(unit.byte) {
            self.at_line_start = false;
            for (number, bits) in alignments {
                if let Some(byte) = bits.push(digit, self.form.width, unit) {
                    out(number, Some(byte));
                }
            }
            return;
        }
        let is_indent = self.at_line_start && matches!(unit.byte, b' ' | b'\t');
        self.at_line_start = self.form.indent && (is_indent || unit.byte == b'\n');
        let ends = !(self.form.between)(unit.byte) && !is_indent;
        for (number, bits) in alignments {
            if ends {
                *bits = BitReader::new(bits.phase);
                out(number, None);
            } else if matches!(unit.byte, b'x' | b'X') && bits.value == 0 && bits.count == 4 {
                // The zero of `0x` is not a digit of the value.
                bits.count = 0;
            }
        }
    }

    /// Where the byte began that is not complete at an alignment, if a secret may begin with it.
    pub(super) fn begun(
        &self,
        alignment: usize,
        may_begin: impl Fn(u8, u32) -> bool,
    ) -> Option<usize> {
        let bits = self.alignments.get(alignment)?;
        let [.., value] = bits.value.to_be_bytes();
        (bits.count > 0 && may_begin(value, bits.count)).then_some(bits.start)
    }
}

impl BitReader {
    fn new(phase: u8) -> Self {
        Self {
            phase,
            skip: phase,
            value: 0,
            count: 0,
            start: 0,
        }
    }

    /// Adds a digit. Gives a byte when it is complete.
    fn push(&mut self, digit: u8, width: u32, unit: ReadingUnit) -> Option<ReadingUnit> {
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        if self.count == 0 {
            self.start = unit.start;
        }
        self.value = self.value << width | u16::from(digit);
        self.count += width;
        if self.count < 8 {
            return None;
        }
        self.count -= 8;
        let [.., byte] = (self.value >> self.count).to_be_bytes();
        self.value &= (1 << self.count) - 1;
        let start = std::mem::replace(&mut self.start, unit.start);
        let end = unit.end;
        Some(ReadingUnit { byte, start, end })
    }
}

/// Whether a byte is part of a line end or a tab that was escaped, in JSON for example, however often.
fn is_escaped_blank(byte: u8, escaped: &mut bool) -> bool {
    let before = std::mem::replace(escaped, byte == b'\\');
    *escaped || before && matches!(byte, b'n' | b'r' | b't')
}

/// A reading of numbers from 0 to 255 with commas or blanks between, such as `[104, 117]`.
#[derive(Default)]
pub(super) struct DecimalReading {
    /// The number that has begun, and its count of digits. It is not in the search yet.
    number: Option<(ReadingUnit, u32)>,
    /// Where a secret may have begun that goes on with that number.
    with: Option<usize>,
    /// Whether a backslash came last.
    escaped: bool,
}

impl DecimalReading {
    pub(super) fn feed(
        &mut self,
        unit: ReadingUnit,
        search: &mut ReadingSearch,
        automaton: &PatternAutomaton,
        hits: &mut Vec<SecretHit>,
    ) {
        let blank = is_escaped_blank(unit.byte, &mut self.escaped);
        match if blank { b' ' } else { unit.byte } {
            digit @ b'0'..=b'9' => {
                let (byte, digits, start) = match self.number {
                    Some((number, digits)) => (number.byte, digits, number.start),
                    None => (0, 0, unit.start),
                };
                let value = u16::from(byte) * 10 + u16::from(digit - b'0');
                let Ok(byte) = u8::try_from(value) else {
                    return self.reset(search);
                };
                if digits >= 3 {
                    return self.reset(search);
                }
                let end = unit.end;
                let number = ReadingUnit { byte, start, end };
                self.number = Some((number, digits + 1));
                self.with = search.try_feed(number, automaton, hits);
            }
            b',' | b' ' | b'\t' | b'\r' | b'\n' => {
                if let Some((number, _)) = self.number.take() {
                    // What ends here was found when its last digit came.
                    search.feed(number, automaton, &mut Vec::new());
                }
            }
            _ => self.reset(search),
        }
    }

    fn reset(&mut self, search: &mut ReadingSearch) {
        self.number = None;
        self.with = None;
        search.reset();
    }

    /// Where a secret may have begun that goes on with the number that has begun, or begins with it.
    pub(super) fn begun(&self, automaton: &PatternAutomaton) -> Option<usize> {
        let number = self
            .number
            .filter(|(number, _)| automaton.may_begin_decimal(u16::from(number.byte)));
        let starts = self.with.into_iter();
        starts.chain(number.map(|(number, _)| number.start)).min()
    }
}

pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
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
