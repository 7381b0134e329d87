//! Numbers: whole ones of 64 bits, and floats, each scanned once.

use super::{Json, Number};

impl Json<'_> {
    /// The number that stands here.
    pub(super) fn number(&mut self) -> Option<Number> {
        let (bytes, start) = (self.bytes(), self.at);
        let is_negative = bytes.get(start) == Some(&b'-');
        let first = start + usize::from(is_negative);
        let (mut value, mut at) = (0_u64, first);
        while let Some(digit) = digit_at(bytes, at) {
            value = value.wrapping_mul(10).wrapping_add(digit.into());
            at += 1;
        }
        let digits = at - first;
        if digits == 0 || (digits > 1 && bytes.get(first) == Some(&b'0')) {
            return self.fail();
        }
        match bytes.get(at) {
            Some(b'.') => return self.short_fraction(start, value, at),
            Some(b'e' | b'E') => return self.float(start, value, at),
            _ => {}
        }
        self.at = at;
        // Eighteen digits always fit. A zero with a sign is a float.
        if digits > 18 || (is_negative && value == 0) {
            return self.long_whole(start);
        }
        Some(if is_negative {
            Number::Negative(0_i64.wrapping_sub_unsigned(value))
        } else {
            Number::Positive(value)
        })
    }

    /// A whole number of many digits, or a zero with a sign, which starts there and ends here.
    #[cold]
    fn long_whole(&mut self, start: usize) -> Option<Number> {
        let text = self.text.get(start..self.at)?;
        if let Ok(value) = text.parse() {
            return Some(Number::Positive(value));
        }
        if let Ok(value) = text.parse()
            && value != 0
        {
            return Some(Number::Negative(value));
        }
        let value: f64 = text.parse().ok()?;
        if value.is_finite() {
            Some(Number::Float(value))
        } else {
            self.fail()
        }
    }

    /// A number with a fraction, which starts there; its point stands here. Most fractions are a few digits.
    #[inline]
    #[allow(clippy::cast_precision_loss)] // fifteen digits fit
    fn short_fraction(&mut self, start: usize, whole: u64, point: usize) -> Option<Number> {
        const DIGITS: usize = 4;
        let bytes = self.bytes();
        let (mut mantissa, mut at) = (whole, point + 1);
        while at <= point + DIGITS
            && let Some(digit) = digit_at(bytes, at)
        {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(digit.into());
            at += 1;
        }
        let is_over = !matches!(bytes.get(at), Some(b'0'..=b'9' | b'e' | b'E'));
        let digits = at - point - 1;
        match TENS.get(digits) {
            Some(power) if is_over && digits > 0 && at - start <= 16 => {
                self.at = at;
                let value = mantissa as f64 / power;
                let is_negative = bytes.get(start) == Some(&b'-');
                Some(Number::Float(if is_negative { -value } else { value }))
            }
            _ => self.float(start, whole, point),
        }
    }

    /// A number with a fraction or an exponent, which starts there; its whole digits end here.
    #[inline(never)]
    fn float(&mut self, start: usize, whole: u64, end: usize) -> Option<Number> {
        let bytes = self.bytes();
        let is_negative = bytes.get(start) == Some(&b'-');
        let mut digits = end - start - usize::from(is_negative);
        let (mut mantissa, mut at) = (whole, end);
        let mut exponent = 0_i64;
        if bytes.get(at) == Some(&b'.') {
            let point = at + 1;
            (mantissa, at) = fraction(bytes, point, mantissa);
            if at == point {
                return self.fail();
            }
            digits += at - point;
            // The length of a text fits.
            exponent = 0_i64.wrapping_sub_unsigned((at - point) as u64);
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            let Some((power, behind)) = exponent_at(bytes, at + 1) else {
                return self.fail();
            };
            exponent += power;
            at = behind;
        }
        self.at = at;
        // Nineteen digits fit 64 bits.
        let exact = if digits <= 19 {
            scaled(mantissa, exponent)
        } else {
            None
        };
        let value = match exact {
            Some(value) if is_negative => -value,
            Some(value) => value,
            // Many digits, or far from one: the standard library knows how.
            None => self.text.get(start..at)?.parse().ok()?,
        };
        if value.is_finite() {
            Some(Number::Float(value))
        } else {
            self.fail()
        }
    }

    /// Passes over the number that stands here.
    pub(super) fn pass_number(&mut self) -> Option<()> {
        let bytes = self.bytes();
        let first = self.at + usize::from(bytes.get(self.at) == Some(&b'-'));
        let mut at = behind_digits(bytes, first);
        if at == first || (at > first + 1 && bytes.get(first) == Some(&b'0')) {
            return self.fail();
        }
        if bytes.get(at) == Some(&b'.') {
            let point = at + 1;
            at = behind_digits(bytes, point);
            if at == point {
                return self.fail();
            }
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            let Some((_, behind)) = exponent_at(bytes, at + 1) else {
                return self.fail();
            };
            at = behind;
        }
        self.at = at;
        Some(())
    }
}

fn behind_digits(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while digit_at(bytes, at).is_some() {
        at += 1;
    }
    at
}

/// The exponent whose sign or first digit stands here, and where it ends; a power that no float has is cut.
#[inline]
fn exponent_at(bytes: &[u8], start: usize) -> Option<(i64, usize)> {
    let is_negative = bytes.get(start) == Some(&b'-');
    let from = start + usize::from(is_negative || bytes.get(start) == Some(&b'+'));
    let (mut power, mut at) = (0_i64, from);
    while let Some(digit) = digit_at(bytes, at) {
        power = (power * 10 + i64::from(digit)).min(1_000_000);
        at += 1;
    }
    (at > from).then_some((if is_negative { -power } else { power }, at))
}

#[inline]
fn digit_at(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit <= 9).then_some(digit)
}

/// Puts the digits from here on behind those of a number; and where they end.
#[inline]
fn fraction(bytes: &[u8], start: usize, before: u64) -> (u64, usize) {
    let (mut value, mut at) = (before, start);
    while let Some(word) = super::string::word_at(bytes, at) {
        let (digits, count) = leading_digits(word);
        value = value.wrapping_mul(WHOLE_TENS[count]).wrapping_add(digits);
        at += count;
        if count < 8 {
            return (value, at);
        }
    }
    while let Some(digit) = digit_at(bytes, at) {
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    }
    (value, at)
}

const WHOLE_TENS: [u64; 9] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// The number that the first of eight bytes write, up to one that is no digit, and how many they are.
#[inline]
fn leading_digits(word: u64) -> (u64, usize) {
    const ONES: u64 = u64::MAX / 255;
    let value = word.wrapping_sub(ONES * 0x30);
    // The high bit of each byte that is no digit; from the first one on others may be marked too.
    let other = (value | word.wrapping_add(ONES * 0x46)) & (ONES << 7);
    let count = (other.trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // The digits move to the end, behind zeros.
    let value = value << (64 - 8 * count);
    // Pairs, then fours, then all eight.
    let pairs = (value * 10).wrapping_add(value >> 8);
    let low = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(0x000F_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(0x0000_2710_0000_0001);
    (low.wrapping_add(high) >> 32, count)
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
