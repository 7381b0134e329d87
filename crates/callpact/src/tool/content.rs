//! Content that a result can hold beside its text.

use std::{borrow::Cow, fmt::Write, io};

use base64::{
    alphabet,
    engine::{GeneralPurpose, GeneralPurposeConfig},
    read::DecoderReader,
};
use serde::{Deserialize, Serialize};

use crate::{schema::cut, secret::Redactor};

/// The alphabet that MCP and every provider want, with padding. Unused trailing bits may be set: some
/// servers write them, and every host reads such texts.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// How many bytes a base64 text decodes to; `None` if it is not base64.
fn decoded_len(text: &str) -> Option<u64> {
    let mut bytes = DecoderReader::new(text.as_bytes(), &BASE64);
    io::copy(&mut bytes, &mut io::sink()).ok()
}

/// A block of content beside the text of a result.
///
/// Hosts that carry blocks get them as they are; other hosts get [`to_text`](Self::to_text). Binary
/// content is base64 text, as every host wants it: content that passes from an MCP server to a
/// provider is never decoded.
///
/// ```
/// use callpact::{Content, ToolResult};
///
/// let chart = ToolResult::success("a chart of the temperatures")
///     .with_image("image/png", b"\x89PNG")
///     .with_content(Content::resource("file:///data.csv", "text/csv", "21.5,22"));
/// assert_eq!(chart.content()[0], Content::image("image/png", "iVBORw=="));
/// assert_eq!(chart.content()[0].to_text(), "[image image/png, 4 bytes: not shown here]");
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
    /// Sound.
    Audio {
        /// The media type, such as `audio/wav`.
        mime: String,
        /// The bytes in base64.
        data: String,
    },
    /// A document that the host can name.
    Resource {
        /// The URI by which the host finds it.
        uri: String,
        /// The media type, such as `text/markdown`.
        mime: String,
        /// The text of the document.
        text: String,
    },
    /// A document that is not text.
    Blob {
        /// The URI by which the host finds it.
        uri: String,
        /// The media type, such as `application/pdf`.
        mime: String,
        /// The bytes in base64.
        data: String,
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

    /// Sound; `data` is base64.
    pub fn audio(mime: impl Into<String>, data: impl Into<String>) -> Self {
        Self::Audio {
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

    /// A document that is not text; `data` is base64.
    pub fn blob(uri: impl Into<String>, mime: impl Into<String>, data: impl Into<String>) -> Self {
        Self::Blob {
            uri: uri.into(),
            mime: mime.into(),
            data: data.into(),
        }
    }

    /// The text for a model that takes only text; a note stands in for bytes.
    pub fn to_text(&self) -> String {
        match self {
            Self::Text { text } => text.clone(),
            Self::Resource { uri, mime, text } => {
                format!(
                    "[resource {}, {}]\n{text}",
                    cut(uri, NAMED),
                    cut(mime, NAMED)
                )
            }
            _ => self.note("not shown here"),
        }
    }

    /// The bytes in base64, if there are any.
    pub(crate) fn data(&self) -> Option<&str> {
        match self {
            Self::Image { data, .. } | Self::Audio { data, .. } | Self::Blob { data, .. } => {
                Some(data)
            }
            Self::Text { .. } | Self::Resource { .. } => None,
        }
    }

    /// Whether the bytes, if any, are valid base64.
    pub(crate) fn is_written_well(&self) -> bool {
        self.data().is_none_or(|data| decoded_len(data).is_some())
    }

    /// The note that stands in for bytes.
    pub(crate) fn note(&self, why: &str) -> String {
        let (what, name) = match self {
            Self::Text { .. } => ("text", None),
            Self::Image { mime, .. } => ("image", Some(mime)),
            Self::Audio { mime, .. } => ("audio", Some(mime)),
            Self::Resource { uri, .. } | Self::Blob { uri, .. } => ("resource", Some(uri)),
        };
        let mut note = format!("[{what}");
        if let Some(name) = name {
            note.push(' ');
            note.push_str(&cut(name, NAMED));
        }
        if let Some(bytes) = self.data().and_then(decoded_len) {
            // Writing to a String does not fail.
            let _ = write!(note, ", {bytes} bytes");
        }
        note + ": " + why + "]"
    }

    /// Removes secrets from every text. Bytes with a secret in them are left out.
    pub(crate) fn redact(&mut self, redactor: &Redactor) {
        let texts: &mut [&mut String] = match self {
            Self::Text { text } => &mut [text],
            Self::Image { mime, .. } | Self::Audio { mime, .. } => &mut [mime],
            Self::Resource { uri, mime, text } => &mut [uri, mime, text],
            Self::Blob { uri, mime, .. } => &mut [uri, mime],
        };
        for text in texts {
            redactor.clean(text);
        }
        let has_secret = |data| matches!(redactor.redact(data), Cow::Owned(_));
        if self.data().is_some_and(has_secret) {
            *self = Self::text(self.note("left out, a secret is in it"));
        }
    }
}

/// The most characters of an address or a media type in a note.
const NAMED: usize = 200;
