//! Dates and times of `chrono`, behind the feature `chrono`.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::text::{formatted, read_from_text};
use crate::{output::types::written_as_read, schema::Format};

read_from_text! {
    feature "chrono";
    DateTime<Utc>:
        formatted(Format::DateTime, "a time with its offset such as 2026-05-17T09:30:00Z"), instant;
    DateTime<FixedOffset>:
        formatted(Format::DateTime, "a time with its offset such as 2026-05-17T09:30:00+02:00"), zoned;
    NaiveDate: formatted(Format::Date, "a date such as 2026-05-17"), date;
    NaiveTime: formatted(Format::LocalTime, "a time of day such as 09:30:00"), time;
    NaiveDateTime: formatted(
        Format::LocalDateTime,
        "a date and time without offset such as 2026-05-17T09:30:00"
    ), date_time;
}

written_as_read! {
    keys DateTime<Utc>, keys DateTime<FixedOffset>,
    keys NaiveDate, keys NaiveTime, keys NaiveDateTime
}

fn instant(text: &str) -> Option<DateTime<Utc>> {
    zoned(text).map(|time| time.with_timezone(&Utc))
}

fn zoned(text: &str) -> Option<DateTime<FixedOffset>> {
    let time = DateTime::parse_from_rfc3339(text).ok();
    time.filter(|_| Format::DateTime.is_match(text))
}

fn date(text: &str) -> Option<NaiveDate> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    day.filter(|_| Format::Date.is_match(text))
}

/// Seconds and their fraction may be left out.
fn time(text: &str) -> Option<NaiveTime> {
    let time = ["%H:%M:%S%.f", "%H:%M"]
        .iter()
        .find_map(|form| NaiveTime::parse_from_str(text, form).ok());
    time.filter(|_| Format::LocalTime.is_match(text))
}

fn date_time(text: &str) -> Option<NaiveDateTime> {
    let (day, clock) = text.split_once('T')?;
    Some(date(day)?.and_time(time(clock)?))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refuses, round_trips};
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

    #[test]
    fn forms() {
        let day = NaiveDate::from_ymd_opt(2026, 2, 28).unwrap();
        let clock = NaiveTime::from_hms_nano_opt(23, 59, 1, 20_000_000).unwrap();
        let both = day.and_time(clock);
        round_trips(&day, NaiveDate::to_string);
        round_trips(&clock, NaiveTime::to_string);
        round_trips(&both, |time| {
            time.format("%Y-%m-%dT%H:%M:%S%.f").to_string()
        });
        round_trips(&both.and_utc(), DateTime::to_rfc3339);
        let offset = FixedOffset::west_opt(5 * 3600).unwrap();
        round_trips(
            &both.and_local_timezone(offset).unwrap(),
            DateTime::to_rfc3339,
        );

        refuses::<NaiveDate>(&[
            "",
            "2026-02-29",
            "28.02.2026",
            "2026-02-28 ",
            "2026-02-28T00:00:00Z",
        ]);
        refuses::<NaiveTime>(&["", "24:00:00", "9", "09:30:00Z"]);
        refuses::<NaiveDateTime>(&[
            "",
            "2026-02-28",
            "2026-02-28T09:30:00Z",
            "2026-02-29T09:30:00",
        ]);
        refuses::<DateTime<Utc>>(&["", "2026-02-28T09:30:00", "yesterday", "1700000000"]);
        refuses::<DateTime<FixedOffset>>(&["", "2026-02-28T09:30:00", "2026-02-30T09:30:00Z"]);
    }

    #[test]
    fn names_impossible_calendar_day() {
        let hint = |text: &str| {
            let report = crate::read_str::<NaiveDate>(&format!("{text:?}"), &crate::Policy::lax());
            report.unwrap_err().issues[0].hint.clone()
        };
        for (day, words) in [
            ("2026-02-30", "there is no 30 February"),
            ("2026-02-29", "there is no 29 February in 2026"),
            ("2100-02-29", "there is no 29 February in 2100"),
            ("2026-04-31", "there is no 31 April"),
            ("2026-01-00", "there is no 0 January"),
            ("2026-13-01", "there is no month 13"),
            ("2026-02-30T09:30:00Z", "there is no 30 February"),
        ] {
            assert_eq!(hint(day).as_deref(), Some(words), "{day}");
        }
        let others = [
            "30.02.2026",
            "2026-2-30",
            "tomorrow",
            "2026-02-3x",
            "",
            "2026-02-2é",
        ];
        for other in others.into_iter().chain(["2024-02-29T"]) {
            assert_eq!(hint(other), None, "{other}");
        }
        let time =
            crate::read_str::<DateTime<Utc>>("\"2026-02-30T09:30:00Z\"", &crate::Policy::lax());
        assert_eq!(
            time.unwrap_err().issues[0].to_string(),
            "arguments: expected a time with its offset such as 2026-05-17T09:30:00Z, \
             found \"2026-02-30T09:30:00Z\"; there is no 30 February"
        );
    }
}
