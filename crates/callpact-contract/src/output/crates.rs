//! Output schemas of types of other crates, each behind the feature of its crate.

#[cfg(any(
    feature = "chrono",
    feature = "jiff",
    feature = "url",
    feature = "uuid"
))]
use super::types::written_as_read;

#[cfg(feature = "chrono")]
written_as_read! {
    keys chrono::DateTime<chrono::Utc>, keys chrono::DateTime<chrono::FixedOffset>,
    keys chrono::NaiveDate, keys chrono::NaiveTime, keys chrono::NaiveDateTime
}

#[cfg(feature = "jiff")]
written_as_read! {
    keys jiff::Timestamp, keys jiff::Zoned,
    keys jiff::civil::Date, keys jiff::civil::Time, keys jiff::civil::DateTime,
    keys jiff::Span, keys jiff::SignedDuration
}

#[cfg(feature = "url")]
written_as_read!(keys url::Url);

#[cfg(feature = "uuid")]
written_as_read!(keys uuid::Uuid);

#[cfg(feature = "bytes")]
mod bytes {
    use crate::{output::ToolOutput, schema::Schema};

    /// serde writes the bytes as numbers, not base64.
    impl ToolOutput for bytes::Bytes {
        const SCHEMA: &'static Schema = <Vec<u8> as ToolOutput>::SCHEMA;
    }
}

#[cfg(feature = "rust_decimal")]
mod rust_decimal {
    use rust_decimal::Decimal;

    use crate::{
        input::ToolInput,
        output::{
            ToolOutput,
            types::{union, variant},
        },
        schema::{Schema, Tagging},
    };

    /// Text, or a number if a crate in the program turns on `rust_decimal/serde-float`.
    impl ToolOutput for Decimal {
        const SCHEMA: &'static Schema = &union(
            Tagging::None,
            const {
                &[
                    variant("text", <Self as ToolInput>::SCHEMA),
                    variant("number", <serde_json::Number as ToolInput>::SCHEMA),
                ]
            },
        );
    }
}
