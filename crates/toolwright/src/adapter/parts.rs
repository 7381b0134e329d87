//! The parts of a reply that are sent, and their bounds.

use std::borrow::Cow;

use super::ToolReply;
use crate::tool::Content;

/// How many blocks go out.
const BLOCKS: usize = 100;

/// How many bytes of base64 a block may have: what providers take of one picture.
const DATA: usize = 5 << 20;

/// How many bytes of base64 all blocks together may have.
const ALL_DATA: usize = 20 << 20;

impl ToolReply {
    /// The text for the model: the output, or `Error: ` and the message, cut with a mark where it is
    /// longer than the limit. Blocks beside it follow as text, bytes as a note.
    pub fn to_model(&self) -> Cow<'_, str> {
        if self.result.content().is_empty() {
            return self.text();
        }
        Cow::Owned(in_words(&self.parts()))
    }

    /// The reply as blocks, for hosts that carry them: the text first, unless it is empty, then what
    /// the tool put beside it.
    ///
    /// The limit is one for the whole: what is left after the text goes to the texts of the blocks, in
    /// order. Bytes are never cut: more than 5 MiB of base64 in a block, or 20 MiB in all, is replaced
    /// by a note, and so is what is no base64. So are the blocks after the hundredth, all by one.
    ///
    /// ```
    /// # use toolwright::{Content, DynamicTool, ToolCall, ToolContext, ToolResult, Toolset};
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
        if !text.is_empty() || beside.is_empty() {
            parts.push(Content::text(text));
        }
        for block in beside.iter().take(BLOCKS) {
            parts.push(bounded(block, &mut left, &mut data));
        }
        if let Some(more @ 1..) = beside.len().checked_sub(BLOCKS) {
            parts.push(Content::text(format!("[{more} more blocks: left out]")));
        }
        parts
    }

    /// The text beside which blocks stand.
    fn text(&self) -> Cow<'_, str> {
        let text = match self.result.error() {
            None => Cow::Borrowed(self.result.output()),
            Some(_) => Cow::Owned(self.result.to_model()),
        };
        match self.limit.and_then(|limit| clipped(&text, limit)) {
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

/// A block inside what is left, which becomes less.
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
        match clipped(text, *left) {
            Some(clipped) => {
                *text = clipped;
                *left = 0;
            }
            None => *left = left.saturating_sub(text.chars().count()),
        }
    }
    block
}

/// A text that is longer than a limit, cut there with a mark.
fn clipped(text: &str, limit: usize) -> Option<String> {
    // Bytes are at least as many as characters, so most texts need no counting.
    if text.len() <= limit {
        return None;
    }
    let length = text.chars().count();
    if length <= limit {
        return None;
    }
    let kept: String = text.chars().take(limit).collect();
    Some(format!(
        "{kept}... [truncated, full length: {length} chars]"
    ))
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
