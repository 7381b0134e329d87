//! The result of a server's tool as a [`ToolResult`].

use callpact::{Content, Policy, ToolResult, input::read_foreign_value, schema::ForeignSchema};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::one_line;

/// The most faults of a structured result that are reported.
const FAULTS: usize = 3;

/// Makes the result that the model gets: the leading texts become its text, and all later content
/// keeps its order. The text says so if a structured result does not fit the server's schema.
pub(super) fn tool_result(result: CallToolResult, output: Option<&ForeignSchema>) -> ToolResult {
    let mut blocks = result.content.into_iter().map(block).peekable();
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

/// The types of blocks that rmcp reads, unless they are malformed.
const KNOWN: [&str; 5] = ["text", "image", "audio", "resource", "resource_link"];

/// A result with a block that rmcp cannot read: a line replaces each such block. `None` if all blocks are malformed.
pub(super) fn readable_result(mut result: Value) -> Option<CallToolResult> {
    let blocks = result.get_mut("content")?.as_array_mut()?;
    let mut says = false;
    for block in blocks {
        if ContentBlock::deserialize(&*block).is_ok() {
            says = true;
            continue;
        }
        let kind = block.get("type").and_then(Value::as_str);
        says |= kind.is_some_and(|kind| !KNOWN.contains(&kind));
        *block = json!({"type": "text", "text": left_out(kind)});
    }
    says.then(|| serde_json::from_value(result).ok())?
}

fn left_out(kind: Option<&str>) -> String {
    // The log has nothing of a result: it may repeat a secret.
    tracing::warn!(target: "callpact", "a block of a result cannot be read, and is left out");
    let kind = kind.map_or_else(|| "content".to_owned(), |kind| one_line(kind, 64));
    format!("[{kind}: a block of this type cannot be read here, and is left out]")
}

/// How a structured result differs from the server's schema.
fn misfit(schema: &ForeignSchema, value: &Value) -> Option<String> {
    let policy = Policy::exact().with_max_issues(FAULTS);
    let report = read_foreign_value(value, schema, &policy).err()?;
    tracing::warn!(target: "callpact", faults = report.issues.len(), "a structured result does not follow the server's schema");
    let faults: Vec<String> = report.issues.iter().map(ToString::to_string).collect();
    let faults = faults.join("; ");
    Some(format!(
        "Note: the structured result does not follow the schema that the server gives for it: {faults}"
    ))
}

fn block(block: ContentBlock) -> Content {
    match block {
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
            _ => Content::text(left_out(Some("resource"))),
        },
        _ => Content::text(left_out(None)),
    }
}
