//! `bytes::Bytes` as base64 text, behind the feature `bytes`.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;

use super::text::read_form;
use crate::{
    read::{at::At, input::Input, tool_input::ToolInput},
    schema::{Kind, Schema, Text},
};

#[cfg_attr(docsrs, doc(cfg(feature = "bytes")))]
impl ToolInput for Bytes {
    const SCHEMA: &'static Schema =
        &Schema::of(Kind::Text(Text::form("bytes in base64 such as aGVsbG8=")));

    /// The standard alphabet, with its padding.
    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_form(input, at, |text| {
            BASE64_STANDARD.decode(text).ok().map(Self::from)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::{refuses, round_trips};
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
