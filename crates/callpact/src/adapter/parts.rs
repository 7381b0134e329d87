//! The parts of a reply that are sent, and their bounds.

use std::{borrow::Cow, io};

use serde_json::Value;

use super::ToolReply;
use crate::tool::Content;

/// The tool that reads the rest of a result that was cut.
pub(crate) const RESULT_PAGE: &str = "result_page";

/// The call that reads a result from a given character on.
pub(crate) fn how_to_read_on(key: &str, from: usize) -> String {
    format!(r#"{RESULT_PAGE} {{"result":"{key}","from":{from}}}"#)
}

/// The line before a success that begins like a failure.
const SUCCEEDED: &str = "The tool succeeded. Its output:";

/// The text of an empty reply.
const NOTHING: &str = "(no output)";

/// The most blocks that are sent.
const BLOCKS: usize = 100;

/// The smallest limit under which a text keeps a part of its end.
const WITH_TAIL: usize = 64;

/// The most bytes of base64 in a block: the limit of providers for one picture.
const DATA: usize = 5 << 20;

/// The most bytes of base64 in all blocks together.
const ALL_DATA: usize = 20 << 20;

impl ToolReply {
    /// The text for the model: the output, or `Error: ` and the message. If it is longer than the limit, a
    /// mark replaces its middle. Blocks follow as text, bytes as a note, and last comes a note on the
    /// dropped arguments (see [`Notes`](super::Notes)).
    pub fn to_model(&self) -> Cow<'_, str> {
        if !self.result.content().is_empty() {
            return Cow::Owned(in_words(&self.parts()));
        }
        let text = self.text();
        match self.told_notes() {
            Some(note) if text.trim().is_empty() => Cow::Owned(note),
            Some(note) => Cow::Owned(format!("{text}\n\n{note}")),
            None => text,
        }
    }

    /// The [text for the model](Self::to_model) for a host whose replies are only text. A success that begins with
    /// `Error: ` gets a line before it that says so, since the model would take it for a failure.
    ///
    /// ```
    /// # use callpact::{DynamicTool, ToolCall, ToolContext, Toolset};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let log = DynamicTool::new("log", "The last line of the log", None, |_, _| async { "Error: disk full" })?;
    /// let reply = Toolset::single(log)?.call(&ToolCall::new("1", "log", "{}"), &ToolContext::new()).await?;
    /// assert_eq!(reply.to_model(), "Error: disk full");
    /// assert_eq!(reply.to_text_alone(), "The tool succeeded. Its output:\nError: disk full");
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_text_alone(&self) -> Cow<'_, str> {
        let text = self.to_model();
        if self.result.is_success() && text.starts_with("Error: ") {
            Cow::Owned(format!("{SUCCEEDED}\n{text}"))
        } else {
            text
        }
    }

    /// The structured output for a host that carries it.
    ///
    /// # Errors
    /// When the output is longer than the limit, with the text to send instead. A host that knows the
    /// output schema takes no success without structured output, so the reply is an error there.
    pub fn bounded_structured(&self) -> Result<Option<&Value>, String> {
        let (Some(structured), Some(limit)) = (self.result.structured(), self.limit) else {
            return Ok(self.result.structured());
        };
        match serde_json::to_writer(&mut PartLeft(limit), structured) {
            Ok(()) => Ok(Some(structured)),
            Err(_) => Err(format!(
                "The tool succeeded, but its structured output is longer than {limit} characters and is left out. Ask for less at once"
            )),
        }
    }

    /// The reply as blocks, for hosts that carry them: the text first, then the blocks of the tool, then the
    /// note on the arguments. A blank text is left out, since some providers refuse the request for it, and
    /// with it the rest of the conversation; an empty reply becomes `(no output)`.
    ///
    /// One limit applies to the whole: what is left after the text goes to the texts of the blocks, in
    /// order. Bytes are never cut. A note replaces more than 5 MiB of base64 in a block, or 20 MiB in
    /// all, and data that is not base64. One note replaces all blocks after the hundredth.
    ///
    /// ```
    /// # use callpact::{Content, DynamicTool, ToolCall, ToolContext, ToolResult, Toolset};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let draw = DynamicTool::new("draw", "Draws a point.", None, |_, _| async {
    ///     ToolResult::success("a point").with_image("image/png", [1, 2, 3])
    /// })?;
    /// let tools = Toolset::builder().tool(draw).build()?;
    /// let reply = tools.call(&ToolCall::new("1", "draw", "{}"), &ToolContext::new()).await?;
    /// assert_eq!(reply.parts(), [Content::text("a point"), Content::image("image/png", "AQID")]);
    /// assert_eq!(reply.to_model(), "a point\n\n[image image/png, 3 bytes: not shown here]");
    /// # Ok(())
    /// # }
    /// ```
    pub fn parts(&self) -> Vec<Content> {
        let beside = self.result.content();
        let text = self.text();
        let mut left = self
            .limit
            .map(|limit| limit.saturating_sub(text.chars().count()));
        let mut data = ALL_DATA;
        let mut parts = Vec::with_capacity(beside.len().min(BLOCKS) + 1);
        parts.push(Content::text(text));
        for block in beside.iter().take(BLOCKS) {
            parts.push(bounded(block, &mut left, &mut data));
        }
        if let Some(more @ 1..) = beside.len().checked_sub(BLOCKS) {
            parts.push(Content::text(format!("[{more} more blocks: left out]")));
        }
        parts.extend(self.told_notes().map(Content::text));
        parts.retain(|part| !matches!(part, Content::Text { text } if text.trim().is_empty()));
        if parts.is_empty() {
            parts.push(Content::text(NOTHING));
        }
        parts
    }

    /// The [`parts`](Self::parts) for a host that has no field for failures. The line that
    /// [`to_text_alone`](Self::to_text_alone) may add comes first.
    pub fn parts_alone(&self) -> Vec<Content> {
        let mut parts = self.parts();
        let is_misread = |part: &Content| part.to_text().starts_with("Error: ");
        if self.result.is_success() && parts.first().is_some_and(is_misread) {
            parts.insert(0, Content::text(SUCCEEDED));
        }
        parts
    }

    /// Whether the text is cut.
    pub(crate) fn is_cut(&self) -> bool {
        self.limit
            .is_some_and(|limit| is_longer(&self.whole_text(), limit))
    }

    /// The whole text of the reply, without its blocks.
    pub(crate) fn whole_text(&self) -> Cow<'_, str> {
        match self.result.error() {
            None => Cow::Borrowed(self.result.output()),
            Some(_) => Cow::Owned(self.result.to_model()),
        }
    }

    /// The text of the reply, without its blocks.
    fn text(&self) -> Cow<'_, str> {
        let text = self.whole_text();
        let rest = self.rest.as_deref();
        match self.limit.and_then(|limit| clipped(&text, limit, rest)) {
            Some(clipped) => Cow::Owned(clipped),
            None => text,
        }
    }
}

/// Blocks as one text.
pub(super) fn in_words(parts: &[Content]) -> String {
    let texts: Vec<String> = parts.iter().map(Content::to_text).collect();
    texts.join("\n\n")
}

/// A block cut to the characters that are left. Reduces that number.
fn bounded(block: &Content, left: &mut Option<usize>, data: &mut usize) -> Content {
    if let Some(base64) = block.data() {
        let why = if !block.is_written_well() {
            "left out, its data is no base64"
        } else if base64.len() > DATA.min(*data) {
            "left out, it is too large"
        } else {
            *data -= base64.len();
            return block.clone();
        };
        return Content::text(block.note(why));
    }
    let mut block = block.clone();
    if let (Content::Text { text } | Content::Resource { text, .. }, Some(left)) =
        (&mut block, left)
    {
        match clipped(text, *left, None) {
            Some(clipped) => {
                *text = clipped;
                *left = 0;
            }
            None => *left = left.saturating_sub(text.chars().count()),
        }
    }
    block
}

/// Whether a text has more characters than a limit.
fn is_longer(text: &str, limit: usize) -> bool {
    // A text has at least as many bytes as characters, so most texts need no counting.
    text.len() > limit && text.chars().nth(limit).is_some()
}

/// A text that is longer than a limit, as its head and its tail around a mark. `rest` is the key for reading
/// the whole.
fn clipped(text: &str, limit: usize, rest: Option<&str>) -> Option<String> {
    if !is_longer(text, limit) {
        return None;
    }
    let length = text.chars().count();
    let at = |character: usize| {
        let mut starts = text.char_indices().map(|(at, _)| at);
        starts.nth(character).unwrap_or(text.len())
    };
    let tail = if limit < WITH_TAIL { 0 } else { limit / 4 };
    let head = limit - tail;
    let (first, last) = (&text[..at(head)], &text[at(length - tail)..]);
    let left_out = length - limit;
    let how = rest.map_or_else(String::new, |key| {
        format!("; to read them, call {}", how_to_read_on(key, head))
    });
    if tail == 0 {
        return Some(format!(
            "{first}... [truncated, full length: {length} chars{how}]"
        ));
    }
    Some(format!(
        "{first}\n... [truncated: {left_out} of {length} characters are left out here{how}] ...\n{last}"
    ))
}

/// Takes at most this many characters.
struct PartLeft(usize);

impl io::Write for PartLeft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count())
            .ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL_DATA, BLOCKS, DATA};
    use crate::{
        Content, ToolResult,
        adapter::{Outcome, ToolReply},
    };

    fn reply(result: ToolResult, limit: Option<usize>) -> ToolReply {
        let mut reply = ToolReply::new("c", "t", Outcome::Success, result);
        reply.limit = limit;
        reply
    }

    #[test]
    fn texts_share_one_limit() {
        let result = ToolResult::success("12345")
            .with_content(Content::text("äöü"))
            .with_resource("file:///a", "text/plain", "abcdef")
            .with_content(Content::text("more"));
        let texts: Vec<String> = reply(result, Some(10))
            .parts()
            .iter()
            .map(Content::to_text)
            .collect();
        assert_eq!(
            texts,
            [
                "12345",
                "äöü",
                "[resource file:///a, text/plain]\nab... [truncated, full length: 6 chars]",
                "... [truncated, full length: 4 chars]",
            ]
        );
    }

    #[test]
    fn bytes_are_whole_or_not_there() {
        let fits = "A".repeat(DATA);
        let mut result = ToolResult::success("")
            .with_content(Content::image("image/png", format!("{fits}AAAA")))
            .with_content(Content::audio("audio/wav", "no base64"));
        for _ in 0..=ALL_DATA / DATA {
            result = result.with_content(Content::blob("file:///a", "application/pdf", &fits));
        }
        let parts = reply(result, Some(1)).parts();
        assert_eq!(
            parts.iter().filter(|part| part.data().is_some()).count(),
            ALL_DATA / DATA
        );
        assert_eq!(
            parts.first().map(Content::to_text).as_deref(),
            Some("[image image/png, 3932163 bytes: left out, it is too large]")
        );
        assert_eq!(
            parts.get(1).map(Content::to_text).as_deref(),
            Some("[audio audio/wav: left out, its data is no base64]")
        );
        assert_eq!(
            parts.last().map(Content::to_text).as_deref(),
            Some("[resource file:///a, 3932160 bytes: left out, it is too large]")
        );
    }

    #[test]
    fn blocks_are_counted() {
        let mut result = ToolResult::success("");
        for _ in 0..BLOCKS + 3 {
            result = result.with_content(Content::text("x"));
        }
        let parts = reply(result, None).parts();
        assert_eq!(parts.len(), BLOCKS + 1);
        assert_eq!(
            parts.last(),
            Some(&Content::text("[3 more blocks: left out]"))
        );
    }
}
