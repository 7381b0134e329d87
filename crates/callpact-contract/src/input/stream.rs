//! Arguments as they come in, chunk by chunk.

use std::marker::PhantomData;

use super::read::{Read, read_str, schema_of};
use crate::{
    policy::Policy,
    read::ToolInput,
    repair::cut_off,
    report::{Issue, IssueKind, Path, Report},
};

pub use super::{
    partial::PartialInput,
    watch::{ArgumentWatch, Event},
};
pub use crate::json::{GrowingDocument, PartialNode};

/// Reads arguments while the model is still writing them.
///
/// Completed top-level fields are for showing progress. Nothing should run on them, since only
/// [`finish`](Self::finish) sees the whole. A stream that ends in the middle is never a value.
///
/// ```
/// use callpact::{Policy, ToolInput, input::stream::{Event, StreamReader}};
///
/// #[derive(ToolInput)]
/// struct Write { path: String, content: String }
///
/// let mut reader = StreamReader::<Write>::new(&Policy::lax());
/// assert!(reader.push(r#"{"path": "a.t"#).is_empty());
/// let events = reader.push(r#"xt", "content": "one"#);
/// assert!(matches!(&events[..], [Event::Field { name, value }] if name == "path" && value == "a.txt"));
/// reader.push("\"}");
/// assert_eq!(reader.finish()?.value.content, "one");
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Debug)]
pub struct StreamReader<T> {
    watch: ArgumentWatch<'static>,
    /// The start of a character that the next chunk completes.
    partial: Vec<u8>,
    is_text: bool,
    type_: PhantomData<fn() -> T>,
}

impl<T: ToolInput> StreamReader<T> {
    /// A reader at the start of a stream.
    pub fn new(policy: &Policy) -> Self {
        Self {
            watch: ArgumentWatch::new(schema_of::<T>(), policy),
            partial: Vec::new(),
            is_text: true,
            type_: PhantomData,
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        self.watch.document().text()
    }

    /// What has arrived of the value.
    pub fn partial(&self) -> Option<T::Partial>
    where
        T: PartialInput,
    {
        self.watch.document().partial::<T>()
    }

    /// Takes the next chunk. It may be split anywhere, even inside a character.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) -> Vec<Event> {
        if !self.is_text {
            return Vec::new();
        }
        let mut bytes = std::mem::take(&mut self.partial);
        bytes.extend_from_slice(chunk.as_ref());
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) => {
                let (text, rest) = bytes
                    .split_at_checked(error.valid_up_to())
                    .unwrap_or_default();
                self.is_text = error.error_len().is_none();
                self.partial = rest.to_vec();
                std::str::from_utf8(text).unwrap_or_default()
            }
        };
        let mut events = self.watch.take(text, self.partial.len());
        if !self.is_text {
            events.extend(self.watch.report(not_text()).map(Event::Issue));
        }
        events
    }

    /// Reads the whole.
    ///
    /// An empty stream means no arguments, like an empty text. If the provider says that the model
    /// was cut off, call [`cut_off`](Self::cut_off) instead.
    ///
    /// # Errors
    /// A [`Report`] of every issue that was found.
    pub fn finish(self) -> Result<Read<T>, Report> {
        if !self.is_text {
            return Err(Report::new(vec![not_text()]));
        }
        if let Some(issue) = self.watch.too_large() {
            return Err(Report::new(vec![issue]));
        }
        if !self.partial.is_empty() {
            return Err(self.cut_off());
        }
        read_str(self.text(), self.watch.policy())
    }

    /// The report on a stream that was cut off according to the provider, even if it happens to be complete.
    pub fn cut_off(self) -> Report {
        let has_secret = T::SCHEMA.holds_secret();
        Report::new(vec![cut_off(Path::default(), self.text(), has_secret)])
    }
}

fn not_text() -> Issue {
    let found = "bytes that are not UTF-8";
    Issue::new(Path::default(), IssueKind::NotJson, "JSON", found)
}
