//! Dates and times of `jiff`, behind the feature `jiff`.

use jiff::{SignedDuration, Span, Timestamp, Zoned, civil};

use super::text::{check_parsed, form, formatted};
use crate::{
    read::{PlaceRules, QuickInput, ToolInput, read_text},
    schema::{Format, Schema},
};

macro_rules! texts {
    ($($type:ty: $form:literal $(, $format:ident)?;)*) => {$(
        #[cfg_attr(docsrs, doc(cfg(feature = "jiff")))]
        impl ToolInput for $type {
            const SCHEMA: &'static Schema =
                &texts!(@schema check_parsed::<Self>, $form $(, $format)?);

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                read_text(input, rules, |text| {
                    let takes = true $(&& Format::$format.is_match(&text))?;
                    takes.then(|| text.parse().ok())?
                })
            }
        }
    )*};
    (@schema $check:expr, $form:literal) => { form($form, $check) };
    (@schema $check:expr, $form:literal, $format:ident) => { formatted(Format::$format, $form, $check) };
}

texts! {
    Timestamp: "a time with its offset such as 2026-05-17T09:30:00Z", DateTime;
    Zoned: "a time with its zone such as 2026-05-17T09:30:00+02:00[Europe/Berlin]";
    civil::Date: "a date such as 2026-05-17", Date;
    civil::Time: "a time of day such as 09:30:00", LocalTime;
    civil::DateTime: "a date and time without offset such as 2026-05-17T09:30:00", LocalDateTime;
    Span: "a span such as P1Y2M3DT4H5M or 2 weeks 3 days";
    SignedDuration: "a duration such as PT1H30M or 1h 30m";
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
