//! Durations, as text with units.

use std::time::Duration;

use super::text::{of_format, read_from_text};
use crate::schema::Format;

read_from_text! {
    Duration: of_format(Format::Units), parse;
}

const UNITS: [(&str, u64, u32); 7] = [
    ("d", 86_400, 0),
    ("h", 3_600, 0),
    ("m", 60, 0),
    ("s", 1, 0),
    ("ms", 0, 1_000_000),
    ("us", 0, 1_000),
    ("ns", 0, 1),
];

fn parse(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut units = UNITS.iter();
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, tail) = rest.split_at(digits);
        let number: u64 = number.parse().ok()?;
        let end = tail
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        // The iterator continues after the last unit, so each unit comes once, the largest first.
        let (_, seconds, nanos) = units.find(|(name, ..)| *name == unit)?;
        let part = if *seconds > 0 {
            Duration::from_secs(number.checked_mul(*seconds)?)
        } else {
            let all = u128::from(number) * u128::from(*nanos);
            let seconds = u64::try_from(all / 1_000_000_000).ok()?;
            Duration::new(seconds, u32::try_from(all % 1_000_000_000).ok()?)
        };
        total = total.checked_add(part)?;
        rest = tail;
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::time::Duration;

    #[test]
    fn forms() {
        assert_eq!(parse("1h30m"), Some(Duration::from_secs(5400)));
        assert_eq!(
            parse("1d2h3m4s5ms6us7ns"),
            Some(Duration::new(93_784, 5_006_007))
        );
        assert_eq!(parse("0s"), Some(Duration::ZERO));
        for wrong in [
            "",
            "5",
            "h",
            "30m1h",
            "1h1h",
            "-1s",
            "1.5h",
            "1 h",
            "99999999999999999999s",
            "18446744073709551615d",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
