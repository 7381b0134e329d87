//! The form of a request's body.

use serde_json::{Map, Value};
use url::form_urlencoded;

/// Between the parts of a form with files. No argument is sent that has it.
const BOUNDARY: &str = "callpact-6f0c1e2b9d7a4c53";

/// The form of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Json,
    Form,
    Multipart,
    /// A text under its media type.
    Text(String),
}

impl BodyKind {
    /// The form of a body that is used, with its schema: JSON before forms before text.
    pub(crate) fn choose(content: &Map<String, Value>) -> Option<(Self, &Value)> {
        let mut best: Option<(u8, Self, &Value)> = None;
        for (media, described) in content {
            let media = media.split(';').next().unwrap_or_default().trim();
            let (rank, kind) = match media {
                "application/json" => (0, Self::Json),
                media if media.ends_with("+json") || media.ends_with("/json") => (1, Self::Json),
                "*/*" | "application/*" => (2, Self::Json),
                "application/x-www-form-urlencoded" => (3, Self::Form),
                "multipart/form-data" => (4, Self::Multipart),
                media => (5, Self::Text(media.to_owned())),
            };
            if best.as_ref().is_none_or(|(least, ..)| rank < *least) {
                let schema = described.get("schema").unwrap_or(&Value::Null);
                best = Some((rank, kind, schema));
            }
        }
        best.map(|(_, kind, schema)| (kind, schema))
    }

    pub(crate) fn media_type(&self) -> String {
        match self {
            Self::Json => "application/json".to_owned(),
            Self::Form => "application/x-www-form-urlencoded".to_owned(),
            Self::Multipart => format!("multipart/form-data; boundary={BOUNDARY}"),
            Self::Text(media) => media.clone(),
        }
    }

    /// Writes a value as a body.
    ///
    /// # Errors
    /// If the value has no such form.
    pub(crate) fn write(&self, value: &Value) -> Result<String, String> {
        match (self, value) {
            (Self::Json, value) => Ok(value.to_string()),
            (Self::Text(_), value) => Ok(plain_text(value)),
            (Self::Form, Value::Object(fields)) => {
                let mut form = form_urlencoded::Serializer::new(String::new());
                for (name, value) in fields {
                    for text in texts(value) {
                        form.append_pair(name, &text);
                    }
                }
                Ok(form.finish())
            }
            (Self::Multipart, Value::Object(fields)) => write_parts(fields),
            (Self::Form | Self::Multipart, _) => Err("body: expected an object".to_owned()),
        }
    }
}

fn write_parts(fields: &Map<String, Value>) -> Result<String, String> {
    let mut out = String::new();
    for (name, value) in fields {
        if name.contains(['"', '\r', '\n']) {
            return Err("body: a name of a form's part has no quotes and line breaks".to_owned());
        }
        for text in texts(value) {
            if text.contains(BOUNDARY) {
                return Err(format!("body.{name}: the text cannot be sent in a form"));
            }
            let head = format!("Content-Disposition: form-data; name=\"{name}\"");
            let part = ["--", BOUNDARY, "\r\n", &head, "\r\n\r\n", &text, "\r\n"];
            out.push_str(&part.concat());
        }
    }
    Ok(out + &format!("--{BOUNDARY}--\r\n"))
}

/// The texts of a field of a form: one for each item of a list.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(plain_text).collect(),
        value => vec![plain_text(value)],
    }
}

/// A text unchanged, and every other value as JSON.
pub(crate) fn plain_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
