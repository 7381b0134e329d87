//! Dates and times of `jiff`, behind the feature `jiff`.

use std::str::FromStr;

use jiff::{SignedDuration, Span, Timestamp, Zoned, civil};

use super::text::{form, formatted, read_from_text};
use crate::{output::types::written_as_read, schema::Format};

read_from_text! {
    feature "jiff";
    Timestamp: formatted(Format::DateTime, "a time with its offset such as 2026-05-17T09:30:00Z"),
        |text| parse_format(Format::DateTime, text);
    Zoned: form("a time with its zone such as 2026-05-17T09:30:00+02:00[Europe/Berlin]"),
        |text| text.parse().ok();
    civil::Date: formatted(Format::Date, "a date such as 2026-05-17"),
        |text| parse_format(Format::Date, text);
    civil::Time: formatted(Format::LocalTime, "a time of day such as 09:30:00"),
        |text| parse_format(Format::LocalTime, text);
    civil::DateTime: formatted(
        Format::LocalDateTime,
        "a date and time without offset such as 2026-05-17T09:30:00"
    ), |text| parse_format(Format::LocalDateTime, text);
    SignedDuration: form("a duration such as PT1H30M or 1h 30m"), |text| text.parse().ok();
}

// Spans cannot be compared, as what is there of a value that still arrives must be.
read_from_text! {
    @one Span, form("a span such as P1Y2M3DT4H5M or 2 weeks 3 days"), |text| text.parse().ok(),
    #[cfg_attr(docsrs, doc(cfg(feature = "jiff")))]
}

written_as_read! {
    keys Timestamp, keys Zoned, keys civil::Date, keys civil::Time, keys civil::DateTime,
    keys Span, keys SignedDuration
}

/// The value of a text that also has a format.
fn parse_format<T: FromStr>(format: Format, text: &str) -> Option<T> {
    format.is_match(text).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refuses, round_trips};
    use jiff::{SignedDuration, Span, Timestamp, Zoned, civil, tz::TimeZone};

    #[test]
    fn forms() {
        let both = civil::date(2026, 2, 28).at(23, 59, 1, 20_000_000);
        round_trips(&both, civil::DateTime::to_string);
        round_trips(&both.date(), civil::Date::to_string);
        round_trips(&both.time(), civil::Time::to_string);
        let zoned = both.to_zoned(TimeZone::UTC).unwrap();
        round_trips(&zoned, Zoned::to_string);
        round_trips(&zoned.timestamp(), Timestamp::to_string);
        round_trips(&SignedDuration::new(-5400, -7), SignedDuration::to_string);
        let span: Span = super::super::tests::read("P1Y2M3DT4H5M");
        assert_eq!(
            span.fieldwise(),
            Span::new().years(1).months(2).days(3).hours(4).minutes(5)
        );

        refuses::<Timestamp>(&["", "2026-02-28T09:30:00", "yesterday", "1700000000"]);
        refuses::<Zoned>(&[
            "",
            "2026-02-28T09:30:00Z",
            "2026-02-28T09:30:00+01:00[Moon/Base]",
        ]);
        refuses::<civil::Date>(&["", "2026-02-29", "28.02.2026"]);
        refuses::<civil::Time>(&["", "24:00:00", "9"]);
        refuses::<civil::DateTime>(&["", "2026-02-29T09:30:00"]);
        refuses::<Span>(&["", "5", "soon"]);
        refuses::<SignedDuration>(&["", "5", "P1Y"]);
    }
}
