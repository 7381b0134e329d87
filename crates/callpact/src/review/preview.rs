//! What a call will do, as data and as text.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::secret::Redactor;

/// A tool's own preview of a call: a text, and where the tool knows more, the same as data for a page.
///
/// ```
/// use callpact::review::{CommandPreview, Preview, PreviewShape};
///
/// let preview = Preview::command(CommandPreview::new("cargo test").with("folder", "work/"));
/// assert_eq!(preview.as_str(), "$ cargo test\n  folder: work/");
/// assert!(matches!(preview.shape(), Some(PreviewShape::Command(_))));
/// assert_eq!(Preview::from("Sends 3 mails").as_str(), "Sends 3 mails");
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "StoredPreview", into = "StoredPreview")]
pub struct Preview {
    text: String,
    shape: Option<PreviewShape>,
}

/// The form of a preview in JSON: a string if it is only a text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredPreview {
    Text(String),
    Shaped { text: String, shape: PreviewShape },
}

/// A preview as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PreviewShape {
    /// A file changes.
    File(FileChange),
    /// A request is sent.
    Request(RequestPreview),
    /// A command runs.
    Command(CommandPreview),
}

/// The change of a file: the lines that differ, and some lines around them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileChange {
    /// The path, fit to be shown.
    pub path: String,
    /// The number of new lines.
    pub added: usize,
    /// The number of old lines that go.
    pub removed: usize,
    /// The lines, in order. Lines that are equal and far from a change are left out.
    pub lines: Vec<DiffLine>,
}

/// A line of a [`FileChange`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiffLine {
    /// Its number before the change; `None` for a new line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<usize>,
    /// Its number after the change; `None` for a line that goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// Its text without the line end, in parts.
    pub parts: Vec<DiffPart>,
    /// Whether it is the last line and has no line end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

/// A part of a [`DiffLine`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiffPart {
    /// The text.
    pub text: String,
    /// Whether it differs from the line on the other side.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
}

/// A request of HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RequestPreview {
    /// The method.
    pub method: String,
    /// The address.
    pub url: String,
    /// The headers, in order.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    #[serde(default)]
    pub body: Option<String>,
}

impl RequestPreview {
    /// A request without headers and without a body.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            url: url.into(),
            ..Self::default()
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<String>) -> Self {
        self.body = Some(body.into());
        self
    }
}

impl fmt::Display for RequestPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.url)?;
        for (name, value) in &self.headers {
            write!(f, "\n{name}: {value}")?;
        }
        match &self.body {
            Some(body) => write!(f, "\n\n{body}"),
            None => Ok(()),
        }
    }
}

/// A command and what is around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CommandPreview {
    /// The command, with its hidden characters written out.
    pub command: String,
    /// What else decides about its effect, such as its folder, each with a name.
    #[serde(default)]
    pub facts: Vec<(String, String)>,
}

impl CommandPreview {
    /// A command.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            facts: Vec::new(),
        }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((name.into(), value.into()));
        self
    }
}

impl fmt::Display for CommandPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}", self.command)?;
        for (name, value) in &self.facts {
            write!(f, "\n  {name}: {value}")?;
        }
        Ok(())
    }
}

impl FileChange {
    /// A file whose lines are still to be added.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            ..Self::default()
        }
    }
}

/// A unified diff.
impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--- a/{0}\n+++ b/{0}\n", self.path)?;
        for hunk in self.hunks() {
            write_header(f, hunk)?;
            for line in hunk {
                let sign = match (line.before, line.after) {
                    (Some(_), None) => '-',
                    (None, Some(_)) => '+',
                    _ => ' ',
                };
                f.write_char(sign)?;
                for part in &line.parts {
                    f.write_str(&part.text)?;
                }
                f.write_char('\n')?;
                if line.open {
                    f.write_str("\\ No newline at end of file\n")?;
                }
            }
        }
        Ok(())
    }
}

/// The head of a hunk: where it begins in both texts, and how many lines it has there.
fn write_header(f: &mut fmt::Formatter<'_>, hunk: &[DiffLine]) -> fmt::Result {
    let side = |number: fn(&DiffLine) -> Option<usize>| {
        let mut numbers = hunk.iter().filter_map(number);
        let first = numbers.next();
        (first, first.map_or(0, |_| 1 + numbers.count()))
    };
    let (before, after) = (side(|line| line.before), side(|line| line.after));
    // A side without lines has the number of the line before it.
    let start = |(first, _): (Option<usize>, usize), other: Option<usize>| {
        first.or_else(|| other.map(|other| other.saturating_sub(1)))
    };
    let write = |f: &mut fmt::Formatter<'_>, start: Option<usize>, count: usize| {
        let start = start.unwrap_or_default();
        if count == 1 {
            write!(f, "{start}")
        } else {
            write!(f, "{start},{count}")
        }
    };
    f.write_str("@@ -")?;
    write(f, start(before, after.0), before.1)?;
    f.write_str(" +")?;
    write(f, start(after, before.0), after.1)?;
    f.write_str(" @@\n")
}

impl FileChange {
    /// The lines that stand together in both texts.
    fn hunks(&self) -> impl Iterator<Item = &[DiffLine]> {
        // The numbers of a line that would follow on both sides.
        let mut next = (None::<usize>, None::<usize>);
        self.lines.chunk_by(move |one, other| {
            next = (
                one.before.map(|number| number + 1).or(next.0),
                one.after.map(|number| number + 1).or(next.1),
            );
            let follows = |number: Option<usize>, next: Option<usize>| {
                number.is_none() || next.is_none() || number == next
            };
            follows(other.before, next.0) && follows(other.after, next.1)
        })
    }
}

impl Preview {
    /// A preview that is only a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            shape: None,
        }
    }

    /// The change of a file.
    pub fn file(change: FileChange) -> Self {
        Self::shaped(PreviewShape::File(change))
    }

    /// A request that is sent.
    pub fn request(request: RequestPreview) -> Self {
        Self::shaped(PreviewShape::Request(request))
    }

    /// A command that runs.
    pub fn command(command: CommandPreview) -> Self {
        Self::shaped(PreviewShape::Command(command))
    }

    fn shaped(shape: PreviewShape) -> Self {
        let text = match &shape {
            PreviewShape::File(change) => change.to_string(),
            PreviewShape::Request(request) => request.to_string(),
            PreviewShape::Command(command) => command.to_string(),
        };
        Self {
            text,
            shape: Some(shape),
        }
    }

    /// The whole preview as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The preview as data, if the tool gave it.
    pub fn shape(&self) -> Option<&PreviewShape> {
        self.shape.as_ref()
    }

    /// The preview without secrets.
    #[must_use]
    pub(crate) fn redacted(mut self, redactor: &Redactor) -> Self {
        let clean_pairs = |pairs: &mut Vec<(String, String)>| {
            for (name, value) in pairs {
                redactor.clean(name);
                redactor.clean(value);
            }
        };
        redactor.clean(&mut self.text);
        match &mut self.shape {
            Some(PreviewShape::File(file)) => {
                redactor.clean(&mut file.path);
                for line in &mut file.lines {
                    // A secret may lie in several parts.
                    let whole: String = line.parts.iter().map(|part| &*part.text).collect();
                    if let Cow::Owned(text) = redactor.redact(&whole) {
                        let changed = false;
                        line.parts = vec![DiffPart { text, changed }];
                    }
                }
            }
            Some(PreviewShape::Request(request)) => {
                redactor.clean(&mut request.method);
                redactor.clean(&mut request.url);
                clean_pairs(&mut request.headers);
                if let Some(body) = &mut request.body {
                    redactor.clean(body);
                }
            }
            Some(PreviewShape::Command(command)) => {
                redactor.clean(&mut command.command);
                clean_pairs(&mut command.facts);
            }
            None => {}
        }
        self
    }

    /// Text and data as one text, for a digest.
    pub(crate) fn bound_text(&self) -> String {
        // Data consist of texts and numbers.
        let shape = self.shape.as_ref().map(serde_json::to_string);
        match shape {
            Some(Ok(shape)) => format!("{}\n{shape}", self.text),
            _ => self.text.clone(),
        }
    }
}

/// Two previews are equal if their texts are: the data say the same.
impl PartialEq for Preview {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Preview {}

impl Deref for Preview {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<String> for Preview {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Preview {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// What a function may return as a preview: a text, data, or an option of them.
pub trait IntoPreview {
    /// The preview, if there is one.
    fn into_preview(self) -> Option<Preview>;
}

impl IntoPreview for Preview {
    fn into_preview(self) -> Option<Preview> {
        Some(self)
    }
}

impl IntoPreview for String {
    fn into_preview(self) -> Option<Preview> {
        Some(self.into())
    }
}

impl IntoPreview for &str {
    fn into_preview(self) -> Option<Preview> {
        Some(self.into())
    }
}

impl<P: IntoPreview> IntoPreview for Option<P> {
    fn into_preview(self) -> Option<Preview> {
        self.and_then(IntoPreview::into_preview)
    }
}

impl From<StoredPreview> for Preview {
    fn from(stored: StoredPreview) -> Self {
        match stored {
            StoredPreview::Text(text) => Self::new(text),
            StoredPreview::Shaped { text, shape } => Self {
                text,
                shape: Some(shape),
            },
        }
    }
}

impl From<Preview> for StoredPreview {
    fn from(preview: Preview) -> Self {
        let Preview { text, shape } = preview;
        match shape {
            Some(shape) => Self::Shaped { text, shape },
            None => Self::Text(text),
        }
    }
}
