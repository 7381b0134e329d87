//! A server's result as a tool's.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use toolwright::ToolResult;

/// The result that the model gets. What is not text is named, since a model cannot read it here.
pub(super) fn tool_result(result: CallToolResult) -> ToolResult {
    let mut parts: Vec<String> = result.content.iter().filter_map(part).collect();
    if parts.is_empty()
        && let Some(structured) = &result.structured_content
    {
        parts.push(structured.to_string());
    }
    let text = parts.join("\n");
    let out = if result.is_error == Some(true) {
        // One that says so already need not say it twice.
        ToolResult::failure(text.strip_prefix("Error: ").unwrap_or(&text))
    } else {
        ToolResult::success(text)
    };
    match result.structured_content {
        Some(structured) => out.with_structured(structured),
        None => out,
    }
}

fn part(block: &ContentBlock) -> Option<String> {
    Some(match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => media("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => media("audio", &audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => format!("[resource {}: {}]", link.name, link.uri),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents { uri, blob, .. } => {
                media("resource", uri, blob)
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn media(what: &str, kind: &str, base64: &str) -> String {
    format!(
        "[{what} {kind}, {} bytes]",
        base64.trim_end_matches('=').len() / 4 * 3
    )
}
