//! Dates and times: section 1.10, jumps of the clocks, and the ends of the calendar.

use std::time::{Duration, UNIX_EPOCH};

use callpact_tools::engine::datetime::Calendar;

/// 2026-11-21T11:34:26.5 UTC
fn calendar() -> Calendar {
    at(1_795_260_866)
}

fn at(seconds: u64) -> Calendar {
    Calendar::with_clock(move || {
        UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(500)
    })
}

fn says(command: &str) -> String {
    calendar().answer(command).unwrap_or_else(|e| e.to_string())
}

fn check(rows: &[(&str, &str)]) {
    for (command, answer) in rows {
        assert_eq!(says(command), *answer, "{command}");
    }
}

#[test]
fn the_answers_of_section_1_10() {
    check(&[
        ("now", "2026-11-21T11:34:26 UTC"),
        ("NOW", "2026-11-21T11:34:26 UTC"),
        (
            "now in America/New_York",
            "2026-11-21T06:34:26 America/New_York",
        ),
        ("now in asia/tokyo", "2026-11-21T20:34:26 Asia/Tokyo"),
        ("now in UTC+2", "2026-11-21T13:34:26 UTC+02:00"),
        ("today", "2026-11-21"),
        ("today in Pacific/Kiritimati", "2026-11-22"),
        ("2024-01-31 + 1 month", "2024-02-29"),
        ("2024-02-29 + 1 year", "2025-02-28"),
        ("2024-01-01 - 1 days", "2023-12-31"),
        ("2024-01-01+2 WEEKS", "2024-01-15"),
        (
            "2024-01-01 + 3 hours",
            "Unsupported date unit: 'hours'. Use days, weeks, months, or years",
        ),
        ("2024-01-01T00:00:00Z + 1 hours", "2024-01-01T01:00:00Z"),
        ("2024-01-01T00:00:00 + 90 minutes", "2024-01-01T01:30:00Z"),
        // The offset and the fraction stay.
        (
            "2024-01-01T00:00:00+02:00 + 1 hours",
            "2024-01-01T01:00:00+02:00",
        ),
        (
            "2024-01-01T00:00:00-05:30 - 1 seconds",
            "2023-12-31T23:59:59-05:30",
        ),
        (
            "2024-01-01T00:00:00.125Z + 1 second",
            "2024-01-01T00:00:01.125Z",
        ),
        (
            "2024-01-01 + 99999999999 days",
            "Date/time error: the amount is out of range (years -9999 to 9999)",
        ),
        (
            "2024-01-01 + 99999999999999999999 days",
            "Date/time error: the amount is out of range (years -9999 to 9999)",
        ),
        (
            "9999-12-31 + 1 day",
            "Date/time error: the result is out of range (years -9999 to 9999)",
        ),
        (
            "2024-01-01 - 13000 years",
            "Date/time error: the result is out of range (years -9999 to 9999)",
        ),
        (
            "9999-12-30T22:00:00Z + 1 days",
            "Date/time error: the result is out of range (years -9999 to 9999)",
        ),
        (
            "convert 2024-01-01T12:00:00 from America/New_York to UTC",
            "2024-01-01T17:00:00 UTC",
        ),
        (
            "convert 2024-07-01 12:00 from utc to Europe/London",
            "2024-07-01T13:00:00 Europe/London",
        ),
        (
            "convert 2024-01-01T12:00:00Z from UTC to Asia/Kolkata",
            "2024-01-01T17:30:00 Asia/Kolkata",
        ),
        ("", "Command must not be blank"),
        ("  ", "Command must not be blank"),
        (
            "2024-13-01 + 1 day",
            "Invalid date format: '2024-13-01'. Expected yyyy-MM-dd",
        ),
        (
            "someday + 1 day",
            "Invalid date format: 'someday'. Expected yyyy-MM-dd",
        ),
        (
            "2024-01-01T25:00:00Z + 1 day",
            "Invalid datetime format: '2024-01-01T25:00:00Z'. Expected yyyy-MM-ddTHH:mm:ss[Z]",
        ),
        (
            "convert 2024-01-01 from UTC to UTC",
            "Invalid datetime format: '2024-01-01'. Expected yyyy-MM-ddTHH:mm:ss[Z]",
        ),
        (
            "2024-01-01T00:00:00Z + 1 fortnight",
            "Unsupported datetime unit: 'fortnight'. Use seconds, minutes, hours, days, weeks, months, or years",
        ),
    ]);
}

#[test]
fn an_offset_is_never_ignored() {
    // Z read as New York time was a fault: now it is said that the two contradict each other.
    check(&[
        (
            "convert 2024-01-01T12:00:00Z from America/New_York to UTC",
            "Date/time error: '2024-01-01T12:00:00Z' contradicts 'from America/New_York', whose offset was -05:00 then; leave the offset out or name the zone that it belongs to",
        ),
        (
            "convert 2024-01-01T12:00:00-05:00 from America/New_York to UTC",
            "2024-01-01T17:00:00 UTC",
        ),
        (
            "convert 2024-01-01T12:00:00+02:00 from +02:00 to UTC",
            "2024-01-01T10:00:00 UTC",
        ),
    ]);
}

#[test]
fn today_and_now_are_dates_too() {
    check(&[
        ("today + 3 days", "2026-11-24"),
        ("today - 1 month", "2026-10-21"),
        ("today in Pacific/Kiritimati + 1 day", "2026-11-23"),
        (
            "today + 3 hours",
            "Unsupported date unit: 'hours'. Use days, weeks, months, or years",
        ),
        ("now + 2 hours", "2026-11-21T13:34:26 UTC"),
        (
            "now in Asia/Tokyo - 30 minutes",
            "2026-11-21T20:04:26 Asia/Tokyo",
        ),
        // Its own answers can be gone on with.
        (
            "2026-11-21T20:04:26 Asia/Tokyo + 1 day",
            "2026-11-22T20:04:26 Asia/Tokyo",
        ),
    ]);
}

#[test]
fn unknown_commands_list_the_forms() {
    let forms = "Unrecognized command. Supported: 'now', 'now in <timezone>', 'today', 'today in <timezone>', '<date> +/- <N> <unit>', 'convert <datetime> from <tz> to <tz>'; <date> may be 'today', 'now' or a datetime, e.g. 'today + 3 days'";
    for command in [
        "hello",
        "nowhere",
        "now at UTC",
        "now in",
        "2024-01-01",
        "convert",
        "convert x to y",
        "today +",
        "+ 3 days",
        "convert a from b into c",
    ] {
        assert_eq!(says(command), forms, "{command}");
    }
}

#[test]
fn unknown_zones_suggest_near_ones() {
    for (zone, near) in [
        ("America/NewYork", "America/New_York"),
        ("New_York", "America/New_York"),
        ("tokyo", "Asia/Tokyo"),
        ("Europe/Londno", "Europe/London"),
        ("Asia/Calcuta", "Asia/Calcutta"),
    ] {
        let error = says(&format!("now in {zone}"));
        assert!(
            error.starts_with(&format!("Unknown timezone: '{zone}'. Did you mean ")),
            "{error}"
        );
        assert!(error.contains(near), "{error}");
        assert!(error.len() < 200);
    }
    assert_eq!(says("now in qqqq"), "Unknown timezone: 'qqqq'");
    assert!(says("now in UTC+25").starts_with("Unknown timezone: 'UTC+25'"));
    assert!(says(&format!("now in {}", "x".repeat(200))).len() < 120);
}

#[test]
fn gaps_and_overlaps_are_said() {
    check(&[
        (
            "convert 2024-03-10T02:30:00 from America/New_York to UTC",
            "2024-03-10T07:30:00 UTC (note: 2024-03-10T02:30:00 does not exist in America/New_York, where clocks were set forward; taken as 2024-03-10T03:30:00 (-04:00))",
        ),
        (
            "convert 2024-11-03T01:30:00 from America/New_York to UTC",
            "2024-11-03T05:30:00 UTC (note: 2024-11-03T01:30:00 happens twice in America/New_York, where clocks were set back; taken as the first (-04:00), not the second (-05:00))",
        ),
        (
            "convert 2024-11-03T01:30:00-05:00 from America/New_York to UTC",
            "2024-11-03T06:30:00 UTC",
        ),
        (
            "convert 2024-11-03T06:30:00Z from UTC to America/New_York",
            "2024-11-03T01:30:00 America/New_York (note: 2024-11-03T01:30:00 happens twice in America/New_York; this is the second (-05:00))",
        ),
        // A day keeps the clock, 24 hours do not.
        (
            "2024-03-09T12:00:00 America/New_York + 1 day",
            "2024-03-10T12:00:00 America/New_York",
        ),
        (
            "2024-03-09T12:00:00 America/New_York + 24 hours",
            "2024-03-10T13:00:00 America/New_York",
        ),
        (
            "2024-03-09T02:30:00 America/New_York + 1 day",
            "2024-03-10T03:30:00 America/New_York (note: 2024-03-10T02:30:00 does not exist in America/New_York, where clocks were set forward; taken as 2024-03-10T03:30:00 (-04:00))",
        ),
    ]);
    // 2024-11-03T06:30:00Z
    let second = at(1_730_615_400).answer("now in America/New_York").unwrap();
    assert!(second.ends_with("this is the second (-05:00))"), "{second}");
}

#[test]
fn the_input_is_bounded() {
    assert_eq!(
        says(&"9".repeat(10_000)),
        "Command is too long (10000 bytes, at most 256)"
    );
    assert!(says(&format!("{} + 1 day", "é".repeat(100))).len() < 300);
}

#[test]
fn noise_never_panics() {
    let words = [
        "now",
        "today",
        "convert",
        "in",
        "from",
        "to",
        "+",
        "-",
        "1",
        "99999999999",
        "days",
        "years",
        "seconds",
        "UTC",
        "2024-02-30",
        "2024-01-01",
        "9999-12-31T23:59:59Z",
        "-9999-01-01T00:00:00Z",
        "-009999-01-01T00:00:00+23:59",
        "2024-01-01T00:00:00+99:99",
        "T",
        "Z",
        ":",
        "é",
        "Asia/Tokyo",
        "+25:00",
        "-00:00",
        "12:00Z",
    ];
    let mut seed = 9_u64;
    for _ in 0..20_000 {
        let mut command = String::new();
        for _ in 0..6 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let choice = usize::try_from(seed >> 33).unwrap();
            command.push_str(words[choice % words.len()]);
            if choice % 5 != 0 {
                command.push(' ');
            }
        }
        let _ = calendar().answer(&command);
    }
}

/// A clock outside the calendar is an error, not a panic.
#[test]
fn a_strange_clock_is_survived() {
    let late = Calendar::with_clock(|| UNIX_EPOCH + Duration::from_secs(1 << 50));
    assert!(
        late.answer("now")
            .unwrap_err()
            .to_string()
            .starts_with("Date/time error")
    );
}
