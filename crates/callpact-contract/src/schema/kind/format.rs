//! Texts of a form that has a name: one row of a table each.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::format_checks::{
    is_date, is_date_time, is_duration, is_email, is_hostname, is_json_pointer, is_local_date_time,
    is_local_time, is_time, is_uri, is_uuid,
};
use crate::text::is_expression;

/// The form of a text, beyond its length and its characters.
///
/// ```
/// use callpact::schema::Format;
///
/// assert!(Format::Date.is_match("2028-02-29"));
/// assert!(!Format::Date.is_match("2026-02-29"));
/// assert_eq!(Format::named("date-time"), Some(Format::DateTime));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A day: `2026-01-31`.
    Date,
    /// A time of day with its zone: `09:30:00Z`.
    Time,
    /// A day and a time with its zone: `2026-01-31T09:30:00Z`.
    DateTime,
    /// A time of day without a zone: `09:30` or `09:30:00`. JSON Schema has no name for it.
    LocalTime,
    /// A day and a time without a zone: `2026-01-31T09:30:00`. JSON Schema has no name for it.
    LocalDateTime,
    /// A duration of ISO 8601: `PT90S`.
    Duration,
    /// A duration with units: `250ms` or `1h30m`. JSON Schema has no name for it.
    Units,
    /// An e-mail address.
    Email,
    /// The name of a host.
    Hostname,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// An absolute URI.
    Uri,
    /// A URI, or one that is relative to another.
    UriReference,
    /// A UUID with hyphens.
    Uuid,
    /// A JSON pointer.
    JsonPointer,
    /// A regular expression.
    Regex,
    /// Bytes in base64. JSON Schema has no name for it.
    Base64,
    /// Digits with at most one point. JSON Schema has no name for it.
    Decimal,
}

/// Whether `format` is a rule, or only words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schema) enum FormatChecks {
    On,
    Off,
}

/// What a format is called, in JSON Schema and in words, and how a text of it looks and is checked.
struct FormatRow {
    format: Format,
    name: &'static str,
    words: &'static str,
    pattern: &'static str,
    check: fn(&str) -> bool,
}

// A 29 February is in every year of these patterns.
macro_rules! date {
    () => {
        "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"
    };
}
macro_rules! minute {
    () => {
        "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    };
}
macro_rules! zoned {
    () => {
        concat!(
            minute!(),
            ":[0-5][0-9](?:Z|[+\\-]",
            minute!(),
            "|\\.[0-9]{1,9}Z|\\.[0-9]{1,9}[+\\-]",
            minute!(),
            ")"
        )
    };
}
macro_rules! local {
    () => {
        "(?:[01][0-9]|2[0-3]):(?:[0-5][0-9]|[0-5][0-9]:[0-5][0-9]|[0-5][0-9]:[0-5][0-9]\\.[0-9]{1,9})"
    };
}
macro_rules! byte {
    () => {
        "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])"
    };
}

const fn row(
    format: Format,
    name: &'static str,
    words: &'static str,
    pattern: &'static str,
    check: fn(&str) -> bool,
) -> FormatRow {
    FormatRow {
        format,
        name,
        words,
        pattern,
        check,
    }
}

/// In the order of the variants.
const ROWS: [FormatRow; 18] = [
    row(
        Format::Date,
        "date",
        "a date such as 2026-01-31",
        concat!("^(?:", date!(), ")$"),
        is_date,
    ),
    row(
        Format::Time,
        "time",
        "a time such as 09:30:00Z",
        concat!("^(?:", zoned!(), ")$"),
        is_time,
    ),
    row(
        Format::DateTime,
        "date-time",
        "a date and time such as 2026-01-31T09:30:00Z",
        concat!("^(?:", date!(), "T", zoned!(), ")$"),
        is_date_time,
    ),
    row(
        Format::LocalTime,
        "",
        "a time of day such as 09:30:00",
        concat!("^(?:", local!(), ")$"),
        is_local_time,
    ),
    row(
        Format::LocalDateTime,
        "",
        "a date and time without offset such as 2026-01-31T09:30:00",
        concat!("^(?:", date!(), "T", local!(), ")$"),
        is_local_date_time,
    ),
    row(
        Format::Duration,
        "duration",
        "an ISO 8601 duration such as PT90S",
        "",
        is_duration,
    ),
    row(
        Format::Units,
        "",
        "a duration such as 250ms, 90s or 1h30m",
        "^(?:[0-9]+(?:d|h|m|s|ms|us|ns)|[0-9]+d[0-9]+h|[0-9]+h[0-9]+m|[0-9]+m[0-9]+s|[0-9]+h[0-9]+m[0-9]+s)$",
        |_| true,
    ),
    row(Format::Email, "email", "an e-mail address", "", is_email),
    row(Format::Hostname, "hostname", "a host name", "", is_hostname),
    row(
        Format::Ipv4,
        "ipv4",
        "an IPv4 address such as 192.0.2.1",
        concat!(
            "^(?:",
            byte!(),
            "\\.",
            byte!(),
            "\\.",
            byte!(),
            "\\.",
            byte!(),
            ")$"
        ),
        |text| text.parse::<Ipv4Addr>().is_ok(),
    ),
    row(
        Format::Ipv6,
        "ipv6",
        "an IPv6 address such as 2001:db8::1",
        "",
        |text| text.parse::<Ipv6Addr>().is_ok(),
    ),
    row(Format::Uri, "uri", "a URL", "", |text| is_uri(text, true)),
    row(
        Format::UriReference,
        "uri-reference",
        "a URL or a part of one",
        "",
        |text| is_uri(text, false),
    ),
    row(
        Format::Uuid,
        "uuid",
        "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
        "^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$",
        is_uuid,
    ),
    row(
        Format::JsonPointer,
        "json-pointer",
        "a JSON pointer",
        "",
        is_json_pointer,
    ),
    row(
        Format::Regex,
        "regex",
        "a regular expression",
        "",
        is_expression,
    ),
    row(
        Format::Base64,
        "",
        "bytes in base64 such as aGVsbG8=",
        "^(?:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?)$",
        |_| true,
    ),
    row(
        Format::Decimal,
        "",
        "a decimal number such as 12.50",
        "^(?:-?[0-9]+(?:\\.[0-9]+)?)$",
        |_| true,
    ),
];

impl Format {
    const fn row(self) -> &'static FormatRow {
        &ROWS[self as usize]
    }

    /// The format of this name in JSON Schema.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut rows = ROWS.iter();
        let row = rows.find(|row| row.name == name && !name.is_empty());
        row.map(|row| row.format)
    }

    /// The name in JSON Schema; empty if it has none.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The format in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        self.row().words
    }

    /// An expression for the whole text that takes every usual spelling; empty if there is none.
    #[must_use]
    pub const fn pattern(self) -> &'static str {
        self.row().pattern
    }

    /// Whether a text has the format. For a type with a form of its own, the code of the type decides.
    #[must_use]
    pub fn is_match(self, text: &str) -> bool {
        (self.row().check)(text)
    }
}

#[cfg(test)]
mod tests {
    use regex_lite::Regex;

    use super::{Format, ROWS};

    #[test]
    fn every_row_stands_at_its_variant() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.format as usize, index, "{:?}", row.format);
            let words = row.words.split_once("such as ");
            let sample = words.map(|(_, sample)| sample.split(", ").next().unwrap_or_default());
            if let Some(sample) = sample {
                assert!(row.format.is_match(sample), "{:?}: {sample}", row.format);
                let regex = Regex::new(row.pattern).unwrap();
                assert!(regex.is_match(sample), "{:?}: {sample}", row.format);
            }
        }
    }

    #[test]
    #[allow(clippy::too_many_lines)] // a table of texts
    fn texts_are_checked_by_their_format() {
        for (format, good, bad) in [
            (
                Format::Date,
                &["2024-02-29", "0000-12-31"][..],
                &[
                    "2023-02-29",
                    "2026-04-31",
                    "2026-1-01",
                    "२026-01-01",
                    "2026-01-01T",
                ][..],
            ),
            (
                Format::Time,
                &[
                    "09:30:00Z",
                    "23:59:60z",
                    "09:30:00.5+01:00",
                    "01:29:60+01:30",
                ],
                &[
                    "09:30:00",
                    "24:00:00Z",
                    "09:30:60Z",
                    "09:30Z",
                    "09:30:00+24:00",
                    "09:30:00.Z",
                ],
            ),
            (
                Format::DateTime,
                &["2026-01-31t09:30:00z"],
                &[
                    "2026-01-31 09:30:00Z",
                    "2026-02-30T09:30:00Z",
                    "2026-01-31T09:30:00",
                ],
            ),
            (
                Format::LocalTime,
                &["09:30", "09:30:01.25"],
                &["9:30", "09:30:00Z", "09:30:"],
            ),
            (
                Format::LocalDateTime,
                &["2026-01-31T09:30"],
                &["2026-01-31T09:30Z", "2026-01-31"],
            ),
            (
                Format::Duration,
                &["P1Y2M3D", "PT1H30S", "P2W", "P1YT1S"],
                &[
                    "", "P", "PT", "P1YT", "P1Y1W", "PT1D", "P1M1Y", "1Y", "P1", "PT1.5S",
                ],
            ),
            (
                Format::Email,
                &["a.b+c@d.e", "\"a b\"@c.d", "a@[127.0.0.1]", "a@[IPv6:::1]"],
                &["a", ".a@b", "a..b@c", "a@b=c", "a@[1.2.3.300]", "@b"],
            ),
            (
                Format::Hostname,
                &["a.b-c", "xn--ls8h"],
                &["", "-a", "a-", "a_b", "a..b", "ab--c"],
            ),
            (
                Format::Ipv4,
                &["127.0.0.1"],
                &["256.0.0.1", "127.1", "01.1.1.1"],
            ),
            (
                Format::Ipv6,
                &["::1", "::ffff:1.2.3.4"],
                &["fe80::1%a", "12345::", "1:2"],
            ),
            (
                Format::Uri,
                &[
                    "https://a.b/c?d=e#f",
                    "mailto:a@b.c",
                    "http://[::1]:80/",
                    "urn:a:b",
                ],
                &[
                    "//a/b",
                    "/a",
                    "a",
                    "http:// a",
                    "b,c:d",
                    "https://[@a/",
                    "a:b^",
                    "a:%zz",
                    "a:b c",
                ],
            ),
            (
                Format::UriReference,
                &["/a", "#b", "", "a/b:c", "//a"],
                &["a\\b", "#a#b", "1:b"],
            ),
            (
                Format::Uuid,
                &["67E55044-10b1-426f-9247-bb680e5fe0c8"],
                &[
                    "67e5504410b1426f9247bb680e5fe0c8",
                    "67e55044-10b1-426f-9247-bb680e5fe0cg",
                ],
            ),
            (
                Format::JsonPointer,
                &["", "/a~0~1", "//"],
                &["a", "/~2", "/~"],
            ),
            (Format::Regex, &["^a(b|c)$"], &["^(a]", "["]),
        ] {
            for text in good {
                assert!(format.is_match(text), "{format:?}: {text}");
            }
            for text in bad {
                assert!(!format.is_match(text), "{format:?}: {text}");
            }
        }
    }
}
