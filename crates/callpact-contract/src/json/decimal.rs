//! Arithmetic of decimals. A float stands for the shortest decimal that is read as it.

use std::cmp::Ordering;

/// Beyond this a float does not distinguish all whole numbers: 2^53 + 1 is rounded to 2^53.
pub(crate) const EXACT: f64 = 9_007_199_254_740_991.0;

#[allow(clippy::cast_precision_loss)] // what is lost is looked at apart
pub(crate) fn rounded(value: i128) -> f64 {
    value as f64
}

/// Compares a whole number with a bound without losing a digit.
pub(crate) fn whole_order(value: i128, bound: f64) -> Ordering {
    match rounded(value).partial_cmp(&bound) {
        #[allow(clippy::cast_possible_truncation)] // whole, since the rounded value is
        Some(Ordering::Equal) => value.cmp(&(bound as i128)),
        order => order.unwrap_or(Ordering::Equal),
    }
}

/// Whether a number is a multiple of another as decimals: `0.3` is a multiple of `0.1`.
pub(crate) fn is_multiple(value: f64, step: f64) -> bool {
    divides(step, value, decimal(value))
}

/// Whether a whole number, whose digits a float may not hold, is a multiple of another number.
pub(crate) fn is_whole_multiple(value: i128, step: f64) -> bool {
    divides(step, rounded(value), Some((value, 0)))
}

/// Divides by the digits. A number whose digits do not fit is divided as a float.
fn divides(step: f64, value: f64, digits: Option<(i128, u32)>) -> bool {
    match (digits, decimal(step)) {
        (Some((a, a_scale)), Some((b, b_scale))) => {
            let scale = a_scale.max(b_scale);
            let up = |digits: i128, by: u32| {
                10i128
                    .checked_pow(scale - by)
                    .and_then(|factor| digits.checked_mul(factor))
            };
            match (up(a, a_scale), up(b, b_scale)) {
                (Some(a), Some(b)) => a.checked_rem(b) == Some(0),
                _ => divides_floats(step, value),
            }
        }
        _ => divides_floats(step, value),
    }
}

fn divides_floats(step: f64, value: f64) -> bool {
    let times = value / step;
    if times.is_finite() {
        times.fract() == 0.0
    } else {
        // The quotient fits no float, and the rest does.
        value % step == 0.0
    }
}

/// The shortest decimal of a float: its digits, and the number of digits behind the point.
fn decimal(value: f64) -> Option<(i128, u32)> {
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{fraction}").parse().ok()?;
    Some((digits, u32::try_from(fraction.len()).ok()?))
}

/// Whether a number is whole, by its digits: a float may round away what stands behind the point.
pub(crate) fn is_whole(written: &str) -> bool {
    let (digits, exponent) = match written.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>()),
        None => (written, Ok(0)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let is_zero = |digits: &str| digits.bytes().all(|digit| matches!(digit, b'0' | b'-'));
    if fraction.is_empty() && is_zero(whole) {
        return true;
    }
    // An exponent that does not fit is far larger than the number of digits of any text.
    let Ok(exponent) = exponent else {
        return !written.contains("e-") && !written.contains("E-");
    };
    let count = |digits: usize| i64::try_from(digits).unwrap_or(i64::MAX);
    let zeros = whole.len() - whole.trim_end_matches('0').len();
    if fraction.is_empty() {
        exponent.saturating_add(count(zeros)) >= 0
    } else {
        exponent >= count(fraction.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{is_multiple, is_whole, is_whole_multiple};

    #[test]
    fn judges_whole_numbers_by_their_digits() {
        for text in [
            "0",
            "-0.0",
            "1",
            "1.0",
            "1.50e1",
            "-120e-1",
            "1e300",
            "0e-9",
            "0.0e-99999999999999999999",
            "1e99999999999999999999",
            "1234.5678e4",
            "100.00e-2",
        ] {
            assert!(is_whole(text), "{text}");
        }
        for text in [
            "1.5",
            "1.0000000000000000001",
            "9007199254740990.9",
            "1e-1",
            "120e-2",
            "1.25e1",
            "1e-99999999999999999999",
            "0.5",
        ] {
            assert!(!is_whole(text), "{text}");
        }
    }

    /// The digits of such large numbers do not fit, so they are divided as floats.
    #[test]
    fn multiples_far_out() {
        assert!(is_multiple(8e300, 4e300));
        assert!(!is_multiple(6e300, 4e300));
        assert!(is_multiple(123_456_789_012_345_680_000.0, 1e-20));
        assert!(!is_multiple(1e-40, 1.5));
        // No number is a multiple of zero.
        for value in [0.0, 1.0, 1e300] {
            assert!(!is_multiple(value, 0.0), "{value}");
        }
        assert!(!is_whole_multiple(0, 0.0));
    }
}
