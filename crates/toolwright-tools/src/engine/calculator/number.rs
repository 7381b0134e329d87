//! Numbers: exact whole ones and floats.

use std::fmt;

use super::CalculatorError;

/// What arithmetic gives.
pub(super) type Answer = Result<Number, CalculatorError>;

/// A finite number. The smallest `i128` is left out, so that every number has a negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Whole(i128),
    Float(f64),
}

use Number::{Float, Whole};

/// From here on a float may have lost its fraction, so it is not shown as a whole number.
const EXACT: f64 = 1e15;

impl Number {
    fn whole(value: Option<i128>) -> Answer {
        value
            .filter(|v| *v != i128::MIN)
            .map(Whole)
            .ok_or(CalculatorError::TooLargeExact)
    }

    fn float(value: f64) -> Answer {
        match value {
            v if v.is_nan() => Err(CalculatorError::NotReal),
            v if v.is_infinite() => Err(CalculatorError::TooLarge),
            // Zero has no sign in an answer.
            v => Ok(Float(v + 0.0)),
        }
    }

    /// Reads digits with an optional point and exponent. Without a point and with a positive exponent it
    /// is a whole number if it fits.
    pub(super) fn read(digits: &str, exponent: Option<&str>) -> Answer {
        let invalid = || CalculatorError::InvalidNumber {
            text: digits.chars().take(40).collect(),
        };
        let text = match exponent {
            Some(exponent) => format!("{digits}e{exponent}"),
            None => digits.to_owned(),
        };
        let approximate: f64 = text.parse().map_err(|_| invalid())?;
        if digits.contains('.') {
            return Self::float(approximate);
        }
        let Some(exponent) = exponent else {
            return Self::whole(digits.parse().ok());
        };
        let scaled = exponent.parse().ok().and_then(|e| {
            digits
                .parse::<i128>()
                .ok()?
                .checked_mul(10_i128.checked_pow(e)?)
        });
        match Self::whole(scaled) {
            Ok(whole) => Ok(whole),
            Err(_) => Self::float(approximate),
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a mixed operation is done in floats"
    )]
    fn as_float(self) -> f64 {
        match self {
            Whole(value) => value as f64,
            Float(value) => value,
        }
    }

    fn is_zero(self) -> bool {
        self == Whole(0) || self == Float(0.0)
    }

    pub(super) fn negate(self) -> Self {
        match self {
            // Cannot overflow: the smallest one is left out.
            Whole(value) => Whole(value.wrapping_neg()),
            Float(value) => Float(0.0 - value),
        }
    }

    pub(super) fn add(self, other: Self) -> Answer {
        match (self, other) {
            (Whole(a), Whole(b)) => Self::whole(a.checked_add(b)),
            (a, b) => Self::float(a.as_float() + b.as_float()),
        }
    }

    pub(super) fn subtract(self, other: Self) -> Answer {
        self.add(other.negate())
    }

    pub(super) fn multiply(self, other: Self) -> Answer {
        match (self, other) {
            (Whole(a), Whole(b)) => Self::whole(a.checked_mul(b)),
            (a, b) => Self::float(a.as_float() * b.as_float()),
        }
    }

    pub(super) fn divide(self, other: Self) -> Answer {
        if other.is_zero() {
            return Err(CalculatorError::DivisionByZero);
        }
        match (self, other) {
            (Whole(a), Whole(b)) => match (a.checked_div(b), a.checked_rem(b)) {
                (quotient, Some(0)) => Self::whole(quotient),
                // The whole part is divided off first: rounding `a` itself would lose its last digits.
                (Some(quotient), Some(rest)) => Self::float(
                    Whole(quotient).as_float() + Whole(rest).as_float() / Whole(b).as_float(),
                ),
                _ => Err(CalculatorError::TooLargeExact),
            },
            (a, b) => Self::float(a.as_float() / b.as_float()),
        }
    }

    /// The remainder with the sign of the left side.
    pub(super) fn remainder(self, other: Self) -> Answer {
        if other.is_zero() {
            return Err(CalculatorError::ModuloByZero);
        }
        match (self, other) {
            (Whole(a), Whole(b)) => Self::whole(a.checked_rem(b)),
            (a, b) => Self::float(a.as_float() % b.as_float()),
        }
    }

    pub(super) fn power(self, exponent: Self) -> Answer {
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
            (base, exponent) => Self::float(base.as_float().powf(exponent.as_float())),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Whole(value) => write!(f, "{value}"),
            Float(value) if value.fract() == 0.0 && value.abs() < EXACT => write!(f, "{value:.0}"),
            // The point keeps it a float when it is read back.
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
