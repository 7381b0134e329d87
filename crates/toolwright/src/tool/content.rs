//! What a result can hold beside its text.

use serde::{Deserialize, Serialize};

/// A block of content beside the text of a result, for hosts that carry it; others show only the
/// text.
///
/// ```
/// use toolwright::{Content, ToolResult};
///
/// let chart = ToolResult::success("a chart of the temperatures")
///     .with_content(Content::image("image/png", "iVBORw0KGgo="));
/// assert_eq!(chart.content().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// More text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// The media type, such as `image/png`.
        mime: String,
        /// The bytes in base64.
        data: String,
    },
    /// A document that the host can name.
    Resource {
        /// What the host finds it by.
        uri: String,
        /// The media type, such as `text/markdown`.
        mime: String,
        /// The text of the document.
        text: String,
    },
}

impl Content {
    /// More text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A picture; `data` is base64.
    pub fn image(mime: impl Into<String>, data: impl Into<String>) -> Self {
        Self::Image {
            mime: mime.into(),
            data: data.into(),
        }
    }

    /// A document.
    pub fn resource(
        uri: impl Into<String>,
        mime: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::Resource {
            uri: uri.into(),
            mime: mime.into(),
            text: text.into(),
        }
    }

    /// Changes every text in it. The bytes of a picture stay as they are, unless their writing in
    /// base64 is what the change is about.
    pub(crate) fn change(&mut self, change: impl Fn(&str) -> Option<String>) {
        let texts: &mut [&mut String] = match self {
            Self::Text { text } => &mut [text],
            Self::Image { mime, data } => &mut [mime, data],
            Self::Resource { uri, mime, text } => &mut [uri, mime, text],
        };
        for text in texts {
            if let Some(changed) = change(text) {
                **text = changed;
            }
        }
    }
}
