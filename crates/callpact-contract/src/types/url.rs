//! `url::Url`, behind the feature `url`.

use url::Url;

use super::text::read_form;
use crate::{
    read::{at::At, input::Input, tool_input::ToolInput},
    schema::{Kind, Schema, Text},
};

#[cfg_attr(docsrs, doc(cfg(feature = "url")))]
impl ToolInput for Url {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text::form(
        "an absolute URL such as https://example.com/a?b=c",
    )));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        read_form(input, at, |text| Self::parse(text).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms::{refuses, round_trips};
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
