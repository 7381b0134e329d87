//! Numbers: whole ones of 64 bits, and floats.

use super::{Broken, Json};

/// The powers of ten that a float holds without loss.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A number as it is written: whole without a sign, whole with one, any other.
pub(in crate::input) enum Number {
    Positive(u64),
    Negative(i64),
    Float(f64),
}

impl Json<'_> {
    /// The number that comes next if it is a short one: no sign, no exponent, and so few digits that
    /// nothing is lost; else nothing is taken.
    #[inline]
    pub(in crate::input) fn short_number(&mut self) -> Option<Number> {
        let first = self.next()?.wrapping_sub(b'0');
        if first > 9 {
            return None;
        }
        let (bytes, start) = (self.bytes(), self.at);
        let mut value = u64::from(first);
        let mut at = start + 1;
        while let Some(byte) = bytes.get(at) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                if matches!(byte, b'.' | b'e' | b'E') {
                    return self.short_fraction(value, at);
                }
                break;
            }
            // Eighteen digits always fit.
            if at - start == 18 || value == 0 {
                return None;
            }
            value = value * 10 + u64::from(digit);
            at += 1;
        }
        self.at = at;
        Some(Number::Positive(value))
    }

    /// A number with a fraction whose point stands here, if it is a short one.
    #[inline(never)]
    fn short_fraction(&mut self, whole: u64, point: usize) -> Option<Number> {
        let bytes = self.bytes();
        if bytes.get(point) != Some(&b'.') {
            return None;
        }
        let mut digits = whole;
        let mut at = point + 1;
        while let Some(byte) = bytes.get(at) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                if matches!(byte, b'e' | b'E') {
                    return None;
                }
                break;
            }
            digits = digits.checked_mul(10)?.checked_add(digit.into())?;
            at += 1;
        }
        // Both are floats without loss, so that there is one rounding, which is the right one.
        let power = *POWERS.get(at - point - 1)?;
        if at == point + 1 || digits > 1 << 53 {
            return None;
        }
        self.at = at;
        #[allow(clippy::cast_precision_loss)] // see above
        Some(Number::Float(digits as f64 / power))
    }

    /// The number that stands here.
    pub(super) fn number(&mut self) -> Result<Number, Broken> {
        match self.short_number() {
            Some(number) => Ok(number),
            None => self.other_number(),
        }
    }

    /// A number with a sign, a fraction or an exponent, or a long one.
    #[inline(never)]
    fn other_number(&mut self) -> Result<Number, Broken> {
        let start = self.at;
        let whole = self.pass_number()?;
        let text = self.text.get(start..self.at).ok_or(Broken::TEXT)?;
        if whole {
            if let Ok(value) = text.parse() {
                return Ok(Number::Positive(value));
            }
            // A zero with a sign is a float.
            if let Ok(value) = text.parse()
                && value != 0
            {
                return Ok(Number::Negative(value));
            }
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Number::Float(value)),
            _ => Err(Broken::TEXT),
        }
    }

    /// Passes over a number; whether it is whole.
    pub(super) fn pass_number(&mut self) -> Result<bool, Broken> {
        let bytes = self.bytes();
        let mut at = self.at;
        if bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        let first = at;
        at = behind_digits(bytes, first)?;
        if at > first + 1 && bytes.get(first) == Some(&b'0') {
            return Err(Broken::TEXT);
        }
        let mut whole = true;
        if bytes.get(at) == Some(&b'.') {
            at = behind_digits(bytes, at + 1)?;
            whole = false;
        }
        if let Some(b'e' | b'E') = bytes.get(at) {
            at += 1;
            if let Some(b'+' | b'-') = bytes.get(at) {
                at += 1;
            }
            at = behind_digits(bytes, at)?;
            whole = false;
        }
        self.at = at;
        Ok(whole)
    }
}

/// The place behind digits, of which there must be one.
fn behind_digits(bytes: &[u8], start: usize) -> Result<usize, Broken> {
    let mut at = start;
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start {
        return Err(Broken::TEXT);
    }
    Ok(at)
}
