//! The result of a server's tool as a [`ToolResult`].

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use toolwright::{Content, Policy, ToolResult, input::read_foreign_value, schema::ForeignSchema};

/// How many faults of a structured result are told.
const FAULTS: usize = 3;

/// Makes the result that the model gets: the leading texts become its text, and all later content
/// keeps its order. A structured result that is not what the server says of it is told as such.
pub(super) fn tool_result(result: CallToolResult, output: Option<&ForeignSchema>) -> ToolResult {
    let mut blocks = result.content.into_iter().filter_map(block).peekable();
    let mut texts = Vec::new();
    while let Some(Content::Text { text }) =
        blocks.next_if(|block| matches!(block, Content::Text { .. }))
    {
        texts.push(text);
    }
    if texts.is_empty()
        && blocks.peek().is_none()
        && let Some(structured) = &result.structured_content
    {
        texts.push(structured.to_string());
    }
    let structured = result.structured_content.as_ref();
    let checked = output
        .filter(|_| result.is_error != Some(true))
        .zip(structured);
    texts.extend(checked.and_then(|(schema, value)| misfit(schema, value)));
    let text = texts.join("\n");
    let out = if result.is_error == Some(true) {
        // The runtime writes `Error: ` before every failure.
        ToolResult::failure(text.strip_prefix("Error: ").unwrap_or(&text))
    } else {
        ToolResult::success(text)
    };
    let out = blocks.fold(out, ToolResult::with_content);
    match result.structured_content {
        Some(structured) => out.with_structured(structured),
        None => out,
    }
}

/// How a structured result differs from what the server says of it.
fn misfit(schema: &ForeignSchema, value: &Value) -> Option<String> {
    let policy = Policy::exact().with_max_issues(FAULTS);
    let report = read_foreign_value(value, schema, &policy).err()?;
    let faults: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
    let faults = faults.join("; ");
    tracing::warn!(target: "toolwright", "a structured result does not follow the server's schema: {faults}");
    Some(format!(
        "Note: the structured result does not follow the schema that the server gives for it: {faults}"
    ))
}

fn block(block: ContentBlock) -> Option<Content> {
    Some(match block {
        ContentBlock::Text(text) => Content::text(text.text),
        ContentBlock::Image(image) => Content::image(image.mime_type, image.data),
        ContentBlock::Audio(audio) => Content::audio(audio.mime_type, audio.data),
        ContentBlock::ResourceLink(link) => {
            Content::text(format!("[resource {}: {}]", link.name, link.uri))
        }
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents {
                uri,
                mime_type,
                text,
                ..
            } => Content::resource(
                uri,
                mime_type.unwrap_or_else(|| "text/plain".to_owned()),
                text,
            ),
            ResourceContents::BlobResourceContents {
                uri,
                mime_type,
                blob,
                ..
            } => {
                let unknown = || "application/octet-stream".to_owned();
                Content::blob(uri, mime_type.unwrap_or_else(unknown), blob)
            }
            _ => return None,
        },
        _ => return None,
    })
}
