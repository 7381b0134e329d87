//! `url::Url`, behind the feature `url`.

use url::Url;

use super::text::{check_form, form};
use crate::{
    read::{PlaceRules, QuickInput, ToolInput, read_text},
    schema::Schema,
};

#[cfg_attr(docsrs, doc(cfg(feature = "url")))]
impl ToolInput for Url {
    const SCHEMA: &'static Schema = &form(
        "an absolute URL such as https://example.com/a?b=c",
        |value| check_form(value, |text| Self::parse(text).is_ok()),
    );

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        read_text(input, rules, |text| Self::parse(&text).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{refuses, round_trips};
    use url::Url;

    #[test]
    fn forms() {
        for text in [
            "https://example.com/a?b=c#d",
            "mailto:a@example.com",
            "file:///tmp/x",
        ] {
            round_trips(&Url::parse(text).unwrap(), Url::to_string);
        }
        refuses::<Url>(&["", "example.com", "/a/b", "https://", "http://[::1"]);
    }
}
