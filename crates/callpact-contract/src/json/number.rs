//! Numbers: integers of 64 bits, and floats. Each is scanned once.

use super::{JsonScanner, ScannedNumber};

impl JsonScanner<'_> {
    /// The number that comes next; anything else breaks the text.
    #[inline]
    pub(crate) fn next_number(&mut self) -> Option<ScannedNumber> {
        self.next();
        self.number()
    }

    /// The number at this position.
    pub(crate) fn number(&mut self) -> Option<ScannedNumber> {
        let (bytes, start) = (self.bytes(), self.at);
        let is_negative = bytes.get(start) == Some(&b'-');
        let first = start + usize::from(is_negative);
        let (value, at) = add_digits(bytes, first, 0);
        let digits = at - first;
        if digits == 0 || (digits > 1 && bytes.get(first) == Some(&b'0')) {
            return self.fail();
        }
        match bytes.get(at) {
            Some(b'.') => return self.short_fraction(start, value, at),
            Some(b'e' | b'E') => return self.float(start, value, at, at),
            _ => {}
        }
        self.at = at;
        // Eighteen digits always fit. A negative zero is a float.
        if digits > 18 || (is_negative && value == 0) {
            return self.long_whole(start);
        }
        Some(if is_negative {
            ScannedNumber::Negative(0_i64.wrapping_sub_unsigned(value))
        } else {
            ScannedNumber::Positive(value)
        })
    }

    /// A whole number of many digits, or a negative zero, from `start` to this position.
    #[cold]
    fn long_whole(&mut self, start: usize) -> Option<ScannedNumber> {
        let text = self.text.get(start..self.at)?;
        if let Ok(value) = text.parse() {
            return Some(ScannedNumber::Positive(value));
        }
        if let Ok(value) = text.parse()
            && value != 0
        {
            return Some(ScannedNumber::Negative(value));
        }
        let value: f64 = text.parse().ok()?;
        if value.is_finite() {
            Some(ScannedNumber::Float(value))
        } else {
            self.fail()
        }
    }

    /// A number with a fraction, from `start`, with its point at `point`. Most fractions have few digits.
    #[inline]
    #[allow(clippy::cast_precision_loss)] // fifteen digits fit
    fn short_fraction(&mut self, start: usize, whole: u64, point: usize) -> Option<ScannedNumber> {
        let bytes = self.bytes();
        let (mantissa, at) = add_digits(bytes, point + 1, whole);
        let has_exponent = matches!(bytes.get(at), Some(b'e' | b'E'));
        let digits = at - point - 1;
        match TENS.get(digits) {
            Some(power) if !has_exponent && digits > 0 && at - start <= 16 => {
                self.at = at;
                let value = mantissa as f64 / power;
                let is_negative = bytes.get(start) == Some(&b'-');
                Some(ScannedNumber::Float(if is_negative {
                    -value
                } else {
                    value
                }))
            }
            _ => self.float(start, mantissa, point, at),
        }
    }

    /// A number with a fraction or an exponent, from `start`. Its whole digits end at `point`, and those of its fraction
    /// at `at`.
    #[inline(never)]
    fn float(
        &mut self,
        start: usize,
        mantissa: u64,
        point: usize,
        mut at: usize,
    ) -> Option<ScannedNumber> {
        let bytes = self.bytes();
        let is_negative = bytes.get(start) == Some(&b'-');
        let mut digits = point - start - usize::from(is_negative);
        let mut exponent = 0_i64;
        if at > point {
            let fraction = at - point - 1;
            if fraction == 0 {
                return self.fail();
            }
            digits += fraction;
            // The length of a text fits.
            exponent = 0_i64.wrapping_sub_unsigned(fraction as u64);
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
        let scaled = if digits <= 19 {
            scaled(mantissa, exponent)
        } else {
            None
        };
        match scaled {
            Some(value) => Some(ScannedNumber::Float(if is_negative {
                -value
            } else {
                value
            })),
            None => self.long_float(start),
        }
    }

    /// A float from `start` to this position. The standard library reads floats of many digits, of a large exponent, or
    /// halfway between two floats.
    #[cold]
    fn long_float(&mut self, start: usize) -> Option<ScannedNumber> {
        let value: f64 = self.text.get(start..self.at)?.parse().ok()?;
        if value.is_finite() {
            Some(ScannedNumber::Float(value))
        } else {
            self.fail()
        }
    }

    /// Skips the number at this position.
    pub(crate) fn pass_number(&mut self) -> Option<()> {
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

/// The exponent whose sign or first digit is at `start`, and its end. An exponent beyond every float is cut.
#[inline]
fn exponent_at(bytes: &[u8], start: usize) -> Option<(i64, usize)> {
    let is_negative = bytes.get(start) == Some(&b'-');
    let from = start + usize::from(is_negative || bytes.get(start) == Some(&b'+'));
    let (mut power, mut at) = (0_i64, from);
    while let Some(digit) = digit_at(bytes, at) {
        if power < 1_000_000 {
            power = power * 10 + i64::from(digit);
        }
        at += 1;
    }
    (at > from).then_some((if is_negative { -power } else { power }, at))
}

#[inline]
fn digit_at(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit <= 9).then_some(digit)
}

/// Appends all digits to a number, eight at once, and returns their end.
#[inline]
fn add_digits(bytes: &[u8], start: usize, before: u64) -> (u64, usize) {
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

/// The number in the leading digits of eight bytes, and the count of these digits.
#[inline]
fn leading_digits(word: u64) -> (u64, usize) {
    const ONES: u64 = u64::MAX / 255;
    let value = word.wrapping_sub(ONES * 0x30);
    // The high bit of each byte that is not a digit. Behind the first such byte, others may be marked too.
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

/// The powers of five below 5^27, each moved up until its highest bit is set.
const FIVES: [u64; 27] = {
    let mut all = [1_u64; 27];
    let mut i = 1;
    while i < all.len() {
        all[i] = all[i - 1] * 5;
        i += 1;
    }
    let mut i = 0;
    while i < all.len() {
        all[i] <<= all[i].leading_zeros();
        i += 1;
    }
    all
};

/// The step between the powers of ten in the table below.
const STEP: i64 = 27;

/// The first 64 bits of 10^-351, 10^-324 and so on up to 10^297.
const FAR_TENS: [u64; 25] = [
    0x8049_A4AC_0C58_11AE,
    0xCF42_894A_5DCE_35EA,
    0xA76C_5823_38ED_2621,
    0x873E_4F75_E222_4E68,
    0xDA7F_5BF5_9096_6848,
    0xB080_392C_C434_9DEC,
    0x8E93_8662_882A_F53E,
    0xE658_29B3_046B_0AFA,
    0xBA12_1A46_50E4_DDEB,
    0x964E_858C_91BA_2655,
    0xF2D5_6790_AB41_C2A2,
    0xC428_D05A_A475_1E4C,
    0x9E74_D1B7_91E0_7E48,
    0x8000_0000_0000_0000,
    0xCECB_8F27_F420_0F3A,
    0xA70C_3C40_A64E_6C51,
    0x86F0_AC99_B4E8_DAFD,
    0xDA01_EE64_1A70_8DE9,
    0xB01A_E745_B101_E9E4,
    0x8E41_ADE9_FBEB_C27D,
    0xE5D3_EF28_2A24_2E81,
    0xB9A7_4A06_37CE_2EE1,
    0x95F8_3D0A_1FB6_9CD9,
    0xF24A_01A7_3CF2_DCCF,
    0xC3B8_3581_09E8_4F07,
];

/// `mantissa * 10^exponent`, rounded once; `None` if 64 bits do not decide the rounding or the float is not normal.
#[inline]
#[allow(clippy::cast_precision_loss)] // exact below 2^53
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
    far_scaled(mantissa, exponent)
}

/// Like `scaled`, by the first 64 bits of the power of ten.
fn far_scaled(mantissa: u64, exponent: i64) -> Option<f64> {
    const DROPPED: u32 = 11;
    const MIDDLE: u64 = 1 << (DROPPED - 1);
    let far = exponent.div_euclid(STEP) + 13;
    let far = *FAR_TENS.get(usize::try_from(far).ok()?)?;
    let five = *FIVES.get(usize::try_from(exponent.rem_euclid(STEP)).ok()?)?;
    // The power is less than 3 above these bits: 1 for the table, 1 for the cut here, 1 for the shift.
    let (power, _) = product(far, five);
    let zeros = mantissa.leading_zeros();
    // So the result is less than 8 above these bits: the 3 and 1 for the cut here, doubled by the shift.
    let (bits, moved) = product(power, mantissa << zeros);
    let tail = bits & (2 * MIDDLE - 1);
    if (MIDDLE - 8..=MIDDLE).contains(&tail) {
        return None;
    }
    // 217706 / 2^16 is the binary logarithm of 10, precise enough for all of these powers.
    let two = ((exponent * 217_706) >> 16) - i64::from(zeros) - i64::from(moved);
    let field = u64::try_from(two + 1023 + 64).ok()?;
    if !(1..2046).contains(&field) {
        return None;
    }
    // The highest bit adds one to the exponent, and so does a carry from rounding.
    let significand = (bits >> DROPPED) + u64::from(tail > MIDDLE);
    Some(f64::from_bits(((field - 1) << 52) + significand))
}

/// The first 64 bits of the product of two numbers whose highest bit is set, and whether the product was shifted by
/// one to set its highest bit.
#[inline]
fn product(a: u64, b: u64) -> (u64, bool) {
    let product = u128::from(a) * u128::from(b);
    let moved = product >> 127 == 0;
    #[allow(clippy::cast_possible_truncation)] // the upper half, or one bit below it
    let bits = (product >> (64 - u32::from(moved))) as u64;
    (bits, moved)
}
