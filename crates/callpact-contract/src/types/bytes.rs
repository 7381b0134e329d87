//! `bytes::Bytes` as base64 text, behind the feature `bytes`.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;

use super::text::{check_form, formatted};
use crate::{
    read::{PlaceRules, QuickInput, ToolInput, read_text},
    schema::{Format, Schema},
};

#[cfg_attr(docsrs, doc(cfg(feature = "bytes")))]
impl ToolInput for Bytes {
    const SCHEMA: &'static Schema = &formatted(Format::Base64, Format::Base64.words(), |value| {
        check_form(value, |text| parse(text).is_some())
    });

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        read_text(input, rules, |text| parse(&text))
    }
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
