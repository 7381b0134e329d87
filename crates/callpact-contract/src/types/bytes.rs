//! `bytes::Bytes` as base64 text, behind the feature `bytes`.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;

use super::text::{of_format, read_from_text};
use crate::{
    output::ToolOutput,
    schema::{Format, Schema},
};

read_from_text! {
    feature "bytes";
    Bytes: of_format(Format::Base64), parse;
}

impl ToolOutput for Bytes {
    /// serde writes the bytes as numbers, not base64.
    const SCHEMA: &'static Schema = <Vec<u8> as ToolOutput>::SCHEMA;
}

fn parse(text: &str) -> Option<Bytes> {
    BASE64_STANDARD.decode(text).ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refuses, round_trips};
    use base64::{Engine, prelude::BASE64_STANDARD};
    use bytes::Bytes;

    #[test]
    fn forms() {
        for value in [&b""[..], b"h", b"he", b"hello", &[0, 255, 254]] {
            round_trips(&Bytes::from_static(value), |bytes| {
                BASE64_STANDARD.encode(bytes)
            });
        }
        refuses::<Bytes>(&["aGVsbG8", "aGVsbG8=\n", "_-8=", "é", "a"]);
    }
}
