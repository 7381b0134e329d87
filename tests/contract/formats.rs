//! Texts of formats, beside those of the test suite of JSON Schema.

use callpact::schema::Format;

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
        (
            Format::Regex,
            &["^a(b|c)$", r"\\a", r"[\]a]\d"],
            &["^(a]", "[", r"\a", r"b\Z"],
        ),
        (
            Format::IdnEmail,
            &["실례@실례.테스트", "a@b.c"],
            &["실례", "실 례@b", "@테"],
        ),
        (
            Format::Iri,
            &["http://ƒøø.ßår/?∂=π#ü", "a:é%20"],
            &["/é", "é:a", "http://é é/", "a:\u{e000}", "a:\u{85}"],
        ),
        (Format::IriReference, &["âππ", "//é/", ""], &["#é\\m"]),
        (
            Format::UriTemplate,
            &[
                "a/{term:1}/{+path,x*}{?q.r}",
                "é",
                "",
                "{%41}",
                "http://a/b%20c{&d}",
            ],
            &[
                "{",
                "}",
                "a}b",
                "{}",
                "{a",
                "{a,}",
                "{a:0}",
                "{a:12345}",
                "{a b}",
                "{-a}",
                "a b",
                "%zz",
                "{{a}}",
                "{a..b}",
            ],
        ),
        (
            Format::RelativeJsonPointer,
            &["0", "10/a~1", "0#"],
            &["", "01", "/a", "0##", "-1", "0a", "1/~"],
        ),
    ] {
        for text in good {
            assert!(format.is_match(text), "{format:?}: {text}");
        }
        for text in bad {
            assert!(!format.is_match(text), "{format:?}: {text}");
        }
    }
}
