//! Numbers: whole ones of 64 bits, and floats, each scanned once.

use super::{Json, Number};

impl Json<'_> {
    /// The number that stands here.
    #[inline]
    pub(super) fn number(&mut self) -> Option<Number> {
        let (bytes, start) = (self.bytes(), self.at);
        let mut value = 0_u64;
        let mut at = start;
        while let Some(byte) = bytes.get(at) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                if matches!(byte, b'.' | b'e' | b'E' | b'-') {
                    return self.other_number();
                }
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            at += 1;
        }
        let digits = at - start;
        // Eighteen digits always fit.
        if digits > 18 || digits == 0 || (digits > 1 && bytes.get(start) == Some(&b'0')) {
            return self.other_number();
        }
        self.at = at;
        Some(Number::Positive(value))
    }

    /// A number with a sign, a fraction or an exponent, or a long one.
    #[inline(never)]
    fn other_number(&mut self) -> Option<Number> {
        let (bytes, start) = (self.bytes(), self.at);
        let Some(scan) = Scan::of(bytes, start) else {
            return self.fail();
        };
        self.at = scan.end;
        let is_negative = bytes.get(start) == Some(&b'-');
        if !scan.is_float {
            if scan.digits <= 18 && scan.mantissa != 0 {
                let value = i64::try_from(scan.mantissa).ok()?;
                return Some(if is_negative {
                    Number::Negative(-value)
                } else {
                    Number::Positive(scan.mantissa)
                });
            }
            let text = self.text.get(start..scan.end)?;
            if let Ok(value) = text.parse() {
                return Some(Number::Positive(value));
            }
            // A zero with a sign is a float.
            if let Ok(value) = text.parse()
                && value != 0
            {
                return Some(Number::Negative(value));
            }
        }
        let exact = if scan.digits <= 19 {
            scaled(scan.mantissa, scan.exponent)
        } else {
            None
        };
        let value = match exact {
            Some(value) if is_negative => -value,
            Some(value) => value,
            // Many digits, or far from one: the standard library knows how.
            None => self.text.get(start..scan.end)?.parse().ok()?,
        };
        if value.is_finite() {
            Some(Number::Float(value))
        } else {
            self.fail()
        }
    }

    /// Passes over the number that stands here.
    pub(super) fn pass_number(&mut self) -> Option<()> {
        match Scan::of(self.bytes(), self.at) {
            Some(scan) => {
                self.at = scan.end;
                Some(())
            }
            None => self.fail(),
        }
    }
}

/// The parts of a number.
struct Scan {
    /// All digits but those of the exponent; wrapped around where there are more than nineteen.
    mantissa: u64,
    digits: usize,
    exponent: i64,
    is_float: bool,
    end: usize,
}

impl Scan {
    /// The number that starts here, if it is written as JSON asks.
    #[inline]
    fn of(bytes: &[u8], start: usize) -> Option<Self> {
        let first = start + usize::from(bytes.get(start) == Some(&b'-'));
        let (mut mantissa, mut end) = digits(bytes, first, 0);
        let mut digits_seen = end - first;
        if digits_seen == 0 || (digits_seen > 1 && bytes.get(first) == Some(&b'0')) {
            return None;
        }
        let mut exponent = 0;
        let mut is_float = false;
        if bytes.get(end) == Some(&b'.') {
            let point = end + 1;
            (mantissa, end) = digits(bytes, point, mantissa);
            if end == point {
                return None;
            }
            digits_seen += end - point;
            exponent = -i64::try_from(end - point).ok()?;
            is_float = true;
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let is_negative = bytes.get(end + 1) == Some(&b'-');
            let signed = is_negative || bytes.get(end + 1) == Some(&b'+');
            let from = end + 1 + usize::from(signed);
            end = from;
            let mut power = 0_i64;
            while let Some(digit) = digit_at(bytes, end) {
                power = (power * 10 + i64::from(digit)).min(1_000_000);
                end += 1;
            }
            if end == from {
                return None;
            }
            exponent += if is_negative { -power } else { power };
            is_float = true;
        }
        Some(Self {
            mantissa,
            digits: digits_seen,
            exponent,
            is_float,
            end,
        })
    }
}

#[inline]
fn digit_at(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit <= 9).then_some(digit)
}

/// Puts the digits from here on behind those of a number; and where they end.
#[inline]
fn digits(bytes: &[u8], start: usize, before: u64) -> (u64, usize) {
    let (mut value, mut at) = (before, start);
    while let Some(word) = super::string::word_at(bytes, at)
        && let Some(eight) = eight_digits(word)
    {
        value = value.wrapping_mul(100_000_000).wrapping_add(eight);
        at += 8;
    }
    while let Some(digit) = digit_at(bytes, at) {
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    }
    (value, at)
}

/// The number that eight bytes write, if they are all digits.
#[inline]
fn eight_digits(word: u64) -> Option<u64> {
    const ONES: u64 = u64::MAX / 255;
    let value = word.wrapping_sub(ONES * 0x30);
    if (value | word.wrapping_add(ONES * 0x46)) & (ONES << 7) != 0 {
        return None;
    }
    // Pairs, then fours, then all eight.
    let pairs = (value * 10).wrapping_add(value >> 8);
    let low = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    Some(low.wrapping_add(high) >> 32)
}

/// The powers of ten that a float holds without loss.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The powers of five that fit 64 bits.
const FIVES: [u64; 28] = {
    let mut all = [1; 28];
    let mut i = 1;
    while i < 28 {
        all[i] = all[i - 1] * 5;
        i += 1;
    }
    all
};

/// `mantissa * 10^exponent`, rounded once, where that takes no long arithmetic.
#[inline]
#[allow(clippy::cast_precision_loss)] // exact below 2^53, rounded on purpose above
fn scaled(mantissa: u64, exponent: i64) -> Option<f64> {
    if mantissa <= 1 << 53
        && let Ok(index) = usize::try_from(exponent.unsigned_abs())
        && let Some(power) = TENS.get(index)
    {
        let value = mantissa as f64;
        return Some(if exponent < 0 {
            value / power
        } else {
            value * power
        });
    }
    if mantissa == 0 {
        return Some(0.0);
    }
    // An exact division by a power of five; its remainder becomes the last bit, so that the one rounding
    // to a float is the right one. The power of two is added at the end.
    let down = exponent.checked_neg()?;
    let five = *FIVES.get(usize::try_from(down).ok()?)?;
    let (up, over) = (mantissa.leading_zeros(), five.leading_zeros());
    let numerator = u128::from(mantissa << up) << 63;
    let divisor = u128::from(five << over);
    let quotient = numerator / divisor;
    let remains = numerator - quotient * divisor != 0;
    let bits = u64::try_from(quotient).ok()? | u64::from(remains);
    let power = 1023 - 63 + i64::from(over) - i64::from(up) - down;
    Some(bits as f64 * f64::from_bits(u64::try_from(power).ok()? << 52))
}
