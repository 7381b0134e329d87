//! Texts of a form that has a name: one row of a table each.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::format_checks::{
    is_date, is_date_time, is_duration, is_email, is_expression_of_json, is_hostname,
    is_json_pointer, is_local_date_time, is_local_time, is_relative_pointer, is_time, is_uri,
    is_uri_template, is_uuid, with_plain_letters,
};

/// Writes [`Format`] and its table: the name in JSON Schema, which is empty if there is none, the words, and the check.
macro_rules! formats {
    ($(#[$page:meta])* pub enum Format { $(
        $(#[$doc:meta])*
        $format:ident = $name:literal, $words:literal, $check:expr;
    )* }) => {
        $(#[$page])*
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        /// In the order of the variants.
        const ROWS: &[FormatRow] = &[$(FormatRow {
            format: Format::$format,
            name: $name,
            words: $words,
            check: $check,
        },)*];
    };
}

formats! {
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
        Date = "date", "a date such as 2026-01-31", is_date;
        /// A time of day with its zone: `09:30:00Z`.
        Time = "time", "a time such as 09:30:00Z", is_time;
        /// A day and a time with its zone: `2026-01-31T09:30:00Z`.
        DateTime = "date-time", "a date and time such as 2026-01-31T09:30:00Z", is_date_time;
        /// A time of day without a zone: `09:30` or `09:30:00`. JSON Schema has no name for it.
        LocalTime = "", "a time of day such as 09:30:00", is_local_time;
        /// A day and a time without a zone: `2026-01-31T09:30:00`. JSON Schema has no name for it.
        LocalDateTime = "", "a date and time without offset such as 2026-01-31T09:30:00",
            is_local_date_time;
        /// A duration of ISO 8601: `PT90S`.
        Duration = "duration", "an ISO 8601 duration such as PT90S", is_duration;
        /// A duration with units: `250ms` or `1h30m`. JSON Schema has no name for it.
        Units = "", "a duration such as 250ms, 90s or 1h30m", |_| true;
        /// An e-mail address.
        Email = "email", "an e-mail address", is_email;
        /// The name of a host.
        Hostname = "hostname", "a host name", is_hostname;
        /// An IPv4 address.
        Ipv4 = "ipv4", "an IPv4 address such as 192.0.2.1", |text| text.parse::<Ipv4Addr>().is_ok();
        /// An IPv6 address.
        Ipv6 = "ipv6", "an IPv6 address such as 2001:db8::1", |text| text.parse::<Ipv6Addr>().is_ok();
        /// An absolute URI.
        Uri = "uri", "a URL", |text| is_uri(text, true);
        /// A URI, or one that is relative to another.
        UriReference = "uri-reference", "a URL or a part of one", |text| is_uri(text, false);
        /// A UUID with hyphens.
        Uuid = "uuid", "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8", is_uuid;
        /// A JSON pointer.
        JsonPointer = "json-pointer", "a JSON pointer", is_json_pointer;
        /// A regular expression.
        Regex = "regex", "a regular expression", is_expression_of_json;
        /// Bytes in base64. JSON Schema has no name for it.
        Base64 = "", "bytes in base64 such as aGVsbG8=", |_| true;
        /// Digits with at most one point. JSON Schema has no name for it.
        Decimal = "", "a decimal number such as 12.50", |_| true;
        /// An e-mail address with letters of any alphabet.
        IdnEmail = "idn-email", "an e-mail address", |text| is_email(&with_plain_letters(text, 'a'));
        /// An absolute URI with letters of any alphabet.
        Iri = "iri", "a URL", |text| is_iri(text, true);
        /// A URI with letters of any alphabet, or one that is relative to another.
        IriReference = "iri-reference", "a URL or a part of one", |text| is_iri(text, false);
        /// A URI with places for variables.
        UriTemplate = "uri-template", "a URL template such as /users/{id}", is_uri_template;
        /// A JSON pointer that begins at another value.
        RelativeJsonPointer = "relative-json-pointer", "a relative JSON pointer such as 1/name",
            is_relative_pointer;
    }
}

/// Whether `format` is a rule, or only words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schema) enum FormatChecks {
    On,
    Off,
}

/// What a format is called, in JSON Schema and in words, and how a text of it is checked.
struct FormatRow {
    format: Format,
    name: &'static str,
    words: &'static str,
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

/// Whether a text is a URI whose letters may be of any alphabet, except in its scheme.
fn is_iri(text: &str, absolute: bool) -> bool {
    is_uri(&with_plain_letters(text, '~'), absolute)
}

impl Format {
    const fn row(self) -> &'static FormatRow {
        &ROWS[self as usize]
    }

    /// Whether JSON Schema has a format of this name that is not checked: names of hosts with letters of other
    /// alphabets, whose rules are large tables.
    pub(in crate::schema) fn is_unchecked(name: &str) -> bool {
        name == "idn-hostname"
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
        match self {
            Self::Date => concat!("^(?:", date!(), ")$"),
            Self::Time => concat!("^(?:", zoned!(), ")$"),
            Self::DateTime => concat!("^(?:", date!(), "T", zoned!(), ")$"),
            Self::LocalTime => concat!("^(?:", local!(), ")$"),
            Self::LocalDateTime => concat!("^(?:", date!(), "T", local!(), ")$"),
            Self::Units => {
                "^(?:[0-9]+(?:d|h|m|s|ms|us|ns)|[0-9]+d[0-9]+h|[0-9]+h[0-9]+m|[0-9]+m[0-9]+s|[0-9]+h[0-9]+m[0-9]+s)$"
            }
            Self::Ipv4 => concat!(
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
            Self::Uuid => {
                "^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$"
            }
            Self::Base64 => {
                "^(?:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?)$"
            }
            Self::Decimal => "^(?:-?[0-9]+(?:\\.[0-9]+)?)$",
            _ => "",
        }
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

    use super::ROWS;

    #[test]
    fn every_row_stands_at_its_variant() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.format as usize, index, "{:?}", row.format);
            let words = row.words.split_once("such as ");
            let sample = words.map(|(_, sample)| sample.split(", ").next().unwrap_or_default());
            if let Some(sample) = sample {
                assert!(row.format.is_match(sample), "{:?}: {sample}", row.format);
                let regex = Regex::new(row.format.pattern()).unwrap();
                assert!(regex.is_match(sample), "{:?}: {sample}", row.format);
            }
        }
    }
}
