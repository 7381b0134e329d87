//! `url::Url`, behind the feature `url`.

use url::Url;

use super::text::{form, read_from_text};
use crate::output::types::written_as_read;

read_from_text! {
    feature "url";
    Url: form("an absolute URL such as https://example.com/a?b=c"), |text| Url::parse(text).ok();
}

written_as_read!(keys Url);

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
