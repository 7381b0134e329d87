//! Numbers: exact ones and floats.

use std::fmt;

use super::CalculatorError;

/// The result of an operation.
pub(super) type NumberResult = Result<FiniteNumber, CalculatorError>;

/// A finite number. The smallest `i128` is excluded, so that every number has a negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FiniteNumber {
    Whole(i128),
    /// `digits` divided by ten to the power of `scale`, which is 1 to [`MAX_SCALE`].
    Decimal {
        digits: i128,
        scale: u32,
    },
    Float(f64),
}

use FiniteNumber::{Decimal, Float, Whole};

/// A float of this size may have lost its fraction, so it is not shown as a whole number.
const EXACT: f64 = 1e15;
/// The most digits after the point of an exact number.
const MAX_SCALE: u32 = 38;

impl FiniteNumber {
    fn whole(value: Option<i128>) -> NumberResult {
        value
            .filter(|v| *v != i128::MIN)
            .map(Whole)
            .ok_or(CalculatorError::TooLargeExact)
    }

    fn float(value: f64) -> NumberResult {
        match value {
            v if v.is_nan() => Err(CalculatorError::NotReal),
            v if v.is_infinite() => Err(CalculatorError::TooLarge),
            // Zero has no sign in an answer.
            v => Ok(Float(v + 0.0)),
        }
    }

    /// A float that is not zero; an error if the value is too small for one.
    fn nonzero_float(value: f64) -> NumberResult {
        if value == 0.0 {
            return Err(CalculatorError::TooSmall);
        }
        Self::float(value)
    }

    /// An exact number with at least one digit after the point; `None` if it has too many digits.
    fn decimal(mut digits: i128, mut scale: i64) -> Option<Self> {
        while scale > 1 && digits % 10 == 0 && digits != 0 {
            digits /= 10;
            scale -= 1;
        }
        if digits == 0 {
            scale = 1;
        }
        if scale < 1 {
            let factor = 10_i128.checked_pow(u32::try_from(1 - scale).ok()?)?;
            digits = digits.checked_mul(factor)?;
            scale = 1;
        }
        let scale = u32::try_from(scale).ok().filter(|s| *s <= MAX_SCALE)?;
        (digits != i128::MIN).then_some(Decimal { digits, scale })
    }

    /// Reads digits with an optional point and exponent. Without a point and with a positive exponent it
    /// is a whole number if it fits.
    pub(super) fn read(digits: &str, exponent: Option<&str>) -> NumberResult {
        let invalid = || CalculatorError::InvalidNumber {
            text: digits.chars().take(40).collect(),
        };
        let text = match exponent {
            Some(exponent) => format!("{digits}e{exponent}"),
            None => digits.to_owned(),
        };
        let approximate: f64 = text.parse().map_err(|_| invalid())?;
        let power = exponent.map_or(Some(0), |exponent| exponent.parse::<i64>().ok());
        let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
        let all: Option<i128> = [before, after].concat().parse().ok();
        if digits.contains('.') || exponent.is_some_and(|exponent| exponent.starts_with('-')) {
            let places = i64::try_from(after.len()).ok();
            let scale = places
                .zip(power)
                .map(|(places, power)| places.saturating_sub(power));
            // A large float is written like this, since it has lost its last digits.
            let exact = all
                .zip(scale)
                .filter(|_| power.is_some_and(|power| power < 15))
                .and_then(|(all, scale)| Self::decimal(all, scale));
            return match exact {
                Some(exact) => Ok(exact),
                None if approximate == 0.0 && digits.contains(|c| matches!(c, '1'..='9')) => {
                    Err(CalculatorError::TooSmall)
                }
                None => Self::float(approximate),
            };
        }
        let scale = |power: i64| 10_i128.checked_pow(u32::try_from(power).ok()?);
        let scaled = all
            .zip(power.and_then(scale))
            .and_then(|(all, scale)| all.checked_mul(scale));
        match Self::whole(scaled) {
            Err(_) if exponent.is_some() => Self::float(approximate),
            whole => whole,
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a mixed operation is done in floats"
    )]
    fn as_float(self) -> f64 {
        match self {
            Whole(value) => value as f64,
            // The text of a number can always be read.
            Decimal { digits, scale } => format!("{digits}e-{scale}").parse().unwrap_or(f64::NAN),
            Float(value) => value,
        }
    }

    fn is_zero(self) -> bool {
        match self {
            Whole(digits) | Decimal { digits, .. } => digits == 0,
            Float(value) => value == 0.0,
        }
    }

    /// Digits and scale of an exact number.
    fn exact(self) -> Option<(i128, u32)> {
        match self {
            Whole(value) => Some((value, 0)),
            Decimal { digits, scale } => Some((digits, scale)),
            Float(_) => None,
        }
    }

    /// Two exact numbers with the same scale.
    fn aligned(self, other: Self) -> Option<(i128, i128, u32)> {
        let ((a, from), (b, to)) = (self.exact()?, other.exact()?);
        let scale = from.max(to);
        let a = a.checked_mul(10_i128.checked_pow(scale - from)?)?;
        let b = b.checked_mul(10_i128.checked_pow(scale - to)?)?;
        Some((a, b, scale))
    }

    pub(super) fn negate(self) -> Self {
        match self {
            // Cannot overflow, since the smallest one is excluded.
            Whole(value) => Whole(value.wrapping_neg()),
            Decimal { digits, scale } => Decimal {
                digits: digits.wrapping_neg(),
                scale,
            },
            Float(value) => Float(0.0 - value),
        }
    }

    pub(super) fn add(self, other: Self) -> NumberResult {
        if let (Whole(a), Whole(b)) = (self, other) {
            return Self::whole(a.checked_add(b));
        }
        let exact = self
            .aligned(other)
            .and_then(|(a, b, scale)| Self::decimal(a.checked_add(b)?, scale.into()));
        exact.map_or_else(|| Self::float(self.as_float() + other.as_float()), Ok)
    }

    pub(super) fn subtract(self, other: Self) -> NumberResult {
        self.add(other.negate())
    }

    pub(super) fn multiply(self, other: Self) -> NumberResult {
        if let (Whole(a), Whole(b)) = (self, other) {
            return Self::whole(a.checked_mul(b));
        }
        let exact = self.exact().zip(other.exact());
        let exact = exact.and_then(|((a, from), (b, to))| {
            Self::decimal(a.checked_mul(b)?, i64::from(from) + i64::from(to))
        });
        match exact {
            Some(exact) => Ok(exact),
            None if self.is_zero() || other.is_zero() => Ok(Whole(0)),
            None => Self::nonzero_float(self.as_float() * other.as_float()),
        }
    }

    pub(super) fn divide(self, other: Self) -> NumberResult {
        if other.is_zero() {
            return Err(CalculatorError::DivisionByZero);
        }
        if self.is_zero() {
            return Ok(self);
        }
        let Some((a, b, _)) = self.aligned(other) else {
            return Self::nonzero_float(self.as_float() / other.as_float());
        };
        match (a.checked_div(b), a.checked_rem(b)) {
            (quotient, Some(0)) => Self::whole(quotient),
            // The whole part is divided first, since rounding `a` itself would lose its last
            // digits.
            (Some(quotient), Some(rest)) => divide_exactly(a, b).map_or_else(
                || {
                    let part = Whole(rest).as_float() / Whole(b).as_float();
                    Self::nonzero_float(Whole(quotient).as_float() + part)
                },
                Ok,
            ),
            _ => Err(CalculatorError::TooLargeExact),
        }
    }

    /// The remainder, with the sign of the left side.
    pub(super) fn remainder(self, other: Self) -> NumberResult {
        if other.is_zero() {
            return Err(CalculatorError::ModuloByZero);
        }
        if let (Whole(a), Whole(b)) = (self, other) {
            return Self::whole(a.checked_rem(b));
        }
        let exact = self
            .aligned(other)
            .and_then(|(a, b, scale)| Self::decimal(a.checked_rem(b)?, scale.into()));
        exact.map_or_else(|| Self::float(self.as_float() % other.as_float()), Ok)
    }

    pub(super) fn power(self, exponent: Self) -> NumberResult {
        match (self, exponent) {
            (base, exponent) if base.is_zero() && exponent.as_float() < 0.0 => {
                Err(CalculatorError::DivisionByZero)
            }
            (Whole(base @ -1..=1), Whole(exponent)) => {
                let odd = exponent.checked_rem(2).unwrap_or(0) != 0;
                Self::whole(Some(match (base, exponent) {
                    (_, 0) => 1,
                    (-1, _) if !odd => 1,
                    _ => base,
                }))
            }
            (Whole(base), Whole(exponent)) if exponent >= 0 => Self::whole(
                u32::try_from(exponent)
                    .ok()
                    .and_then(|e| base.checked_pow(e)),
            ),
            (base, Whole(exponent)) => match base.exact_power(exponent) {
                Some(exact) => Ok(exact),
                None => base.float_power(Whole(exponent)),
            },
            (base, exponent) => base.float_power(exponent),
        }
    }

    fn exact_power(self, exponent: i128) -> Option<Self> {
        let (mut digits, mut scale) = self.exact()?;
        while scale > 0 && digits % 10 == 0 {
            digits /= 10;
            scale -= 1;
        }
        let power = u32::try_from(exponent.unsigned_abs()).ok()?;
        let digits = digits.checked_pow(power)?;
        let scale = i64::from(scale.checked_mul(power)?);
        if exponent >= 0 {
            return Self::decimal(digits, scale);
        }
        // One divided by the number.
        let scale = u32::try_from(scale).ok()?;
        divide_exactly(10_i128.checked_pow(scale)?, digits)
    }

    fn float_power(self, exponent: Self) -> NumberResult {
        let power = self.as_float().powf(exponent.as_float());
        if self.is_zero() {
            return Self::float(power);
        }
        Self::nonzero_float(power)
    }
}

/// The quotient, if it is finite and has few enough digits.
fn divide_exactly(a: i128, b: i128) -> Option<FiniteNumber> {
    let mut common = (a.unsigned_abs(), b.unsigned_abs());
    while common.1 != 0 {
        common = (common.1, common.0.checked_rem(common.1)?);
    }
    let common = i128::try_from(common.0).ok()?;
    let (mut a, mut b) = (a.checked_div(common)?, b.checked_div(common)?);
    // Each factor of two or five in the divisor becomes a ten.
    let mut scale = 0;
    while b.unsigned_abs() != 1 {
        let (factor, divisor) = match (b % 10, b % 5, b % 2) {
            (0, ..) => (1, 10),
            (_, 0, _) => (2, 5),
            (.., 0) => (5, 2),
            _ => return None,
        };
        a = a.checked_mul(factor)?;
        b = b.checked_div(divisor)?;
        scale += 1;
    }
    FiniteNumber::decimal(a.checked_mul(b)?, scale)
}

impl fmt::Display for FiniteNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Whole(value) => write!(f, "{value}"),
            Decimal { digits, scale } => write_decimal(f, digits, scale),
            Float(value) if value.fract() == 0.0 && value.abs() < EXACT => write!(f, "{value:.0}"),
            // With the point, it is read back as a float.
            Float(value) if value.abs() >= EXACT || value.abs() < 1e-5 => {
                let text = format!("{value:e}");
                match text.split_once('e') {
                    Some((digits, exponent)) if !digits.contains('.') => {
                        write!(f, "{digits}.0e{exponent}")
                    }
                    _ => f.write_str(&text),
                }
            }
            Float(value) => write!(f, "{value}"),
        }
    }
}

fn write_decimal(f: &mut fmt::Formatter<'_>, digits: i128, scale: u32) -> fmt::Result {
    let places = usize::try_from(scale).unwrap_or_default();
    let sign = if digits < 0 { "-" } else { "" };
    let text = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
    let (whole, part) = text
        .split_at_checked(text.len() - places)
        .unwrap_or_default();
    let part = part.trim_end_matches('0');
    let small = part.trim_start_matches('0');
    let zeros = part.len() - small.len();
    match small.split_at_checked(1) {
        None => write!(f, "{sign}{whole}"),
        // In the notation of floats.
        Some((first, rest)) if whole == "0" && zeros >= 5 => {
            let rest = if rest.is_empty() { "0" } else { rest };
            write!(f, "{sign}{first}.{rest}e-{}", zeros + 1)
        }
        Some(_) => write!(f, "{sign}{whole}.{part}"),
    }
}
