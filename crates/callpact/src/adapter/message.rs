//! Replies in the form of each provider.

use callpact_contract::dialect::profile::ReplyForm;
use serde_json::{Value, json};

use super::{ToolReply, parts::in_words};
use crate::{schema::Dialect, tool::Content};

/// The image types that every provider with image support takes.
const PICTURES: &[&str] = &["image/png", "image/jpeg", "image/webp"];

impl ToolReply {
    /// The reply as the provider wants it: a message for chat, an input item for responses, a
    /// content block or part elsewhere, the result of `tools/call` for MCP.
    ///
    /// Pictures beside the text are sent where providers take them in a result: Anthropic, Bedrock
    /// (its Claude and Nova models), OpenAI responses, and `Gemini` (from its third generation on;
    /// older models refuse such a request, and `GeminiOpenApi` never sends one). MCP carries every
    /// block. Elsewhere, and in a failure, which some providers want as text alone, a note of fixed
    /// form says what is not shown.
    ///
    /// ```
    /// # use callpact::{Dialect, ToolCall, ToolContext, Toolset};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::builder().build()?;
    /// let reply = tools.call(&ToolCall::new("toolu_1", "x", "{}"), &ToolContext::new()).await?;
    /// assert_eq!(
    ///     reply.to_message(Dialect::Anthropic),
    ///     serde_json::json!({
    ///         "type": "tool_result", "tool_use_id": "toolu_1", "is_error": true,
    ///         "content": "Error: Unknown tool 'x'. There are no tools.",
    ///     }),
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn to_message(&self, dialect: Dialect) -> Value {
        let (id, name) = (&self.call_id, &self.tool);
        match dialect.profile().reply {
            ReplyForm::Chat { named: false } => {
                json!({"role": "tool", "tool_call_id": id, "content": self.to_text_alone()})
            }
            ReplyForm::Chat { named: true } => {
                json!({"role": "tool", "tool_call_id": id, "name": name, "content": self.to_text_alone()})
            }
            ReplyForm::Ollama => {
                json!({"role": "tool", "tool_name": name, "content": self.to_text_alone()})
            }
            ReplyForm::Responses => {
                let output = if self.is_text() {
                    json!(self.to_text_alone())
                } else {
                    self.blocks(
                        &self.parts_alone(),
                        |text| json!({"type": "input_text", "text": text}),
                        |mime, data| {
                            let url = format!("data:{mime};base64,{data}");
                            json!({"type": "input_image", "image_url": url})
                        },
                    )
                };
                let kind = if self.origin.is_text {
                    "custom_tool_call_output"
                } else {
                    "function_call_output"
                };
                let mut item = json!({"type": kind, "call_id": id, "output": output});
                if let Some(caller) = &self.origin.caller {
                    item["caller"] = caller.clone();
                }
                item
            }
            ReplyForm::Messages => {
                let content = if self.is_text() {
                    json!(self.to_model())
                } else {
                    self.blocks(
                        &self.parts(),
                        |text| json!({"type": "text", "text": text}),
                        |mime, data| {
                            let source =
                                json!({"type": "base64", "media_type": mime, "data": data});
                            json!({"type": "image", "source": source})
                        },
                    )
                };
                let mut block =
                    json!({"type": "tool_result", "tool_use_id": id, "content": content});
                if !self.is_success() {
                    block["is_error"] = true.into();
                }
                block
            }
            ReplyForm::Gemini { pictures } => self.gemini(pictures),
            ReplyForm::Converse => {
                let status = if self.is_success() {
                    "success"
                } else {
                    "error"
                };
                let content = self.blocks(
                    &self.parts(),
                    |text| json!({"text": text}),
                    |mime, data| {
                        let format = mime.strip_prefix("image/").unwrap_or_default();
                        json!({"image": {"format": format, "source": {"bytes": data}}})
                    },
                );
                json!({"toolResult": {"toolUseId": id, "content": content, "status": status}})
            }
            ReplyForm::Mcp { any_structured } => {
                let mut content: Vec<Value> = self.parts().iter().map(mcp).collect();
                let mut result = json!({"isError": !self.is_success()});
                if any_structured {
                    result["resultType"] = "complete".into();
                }
                // The older revision takes only objects.
                let fits = |value: &&Value| any_structured || value.is_object();
                match self.bounded_structured() {
                    Ok(structured) => {
                        if let Some(structured) = structured.filter(fits) {
                            result["structuredContent"] = structured.clone();
                        }
                    }
                    Err(words) => {
                        content.push(json!({"type": "text", "text": words}));
                        result["isError"] = true.into();
                    }
                }
                result["content"] = content.into();
                result
            }
        }
    }

    fn gemini(&self, pictures: bool) -> Value {
        let mut parts = self.parts();
        let mut inside = Vec::new();
        if pictures {
            parts.retain(|part| match self.picture(part) {
                Some((mime, data)) => {
                    inside.push(json!({"inlineData": {"mimeType": mime, "data": data}}));
                    false
                }
                None => true,
            });
        }
        let text = in_words(&parts);
        // The key already says that it is an error.
        let (key, text) = match text.strip_prefix("Error: ") {
            Some(message) if !self.result.is_success() => ("error", message),
            _ => ("output", text.as_str()),
        };
        let mut response = json!({"id": self.call_id, "name": self.tool, "response": {key: text}});
        if !inside.is_empty() {
            response["parts"] = inside.into();
        }
        json!({ "functionResponse": response })
    }

    /// Whether there is nothing beside the text.
    fn is_text(&self) -> bool {
        self.result.content().is_empty()
    }

    fn blocks(
        &self,
        parts: &[Content],
        text: impl Fn(&str) -> Value,
        picture: impl Fn(&str, &str) -> Value,
    ) -> Value {
        let block = |part| match self.picture(part) {
            Some((mime, data)) => picture(mime, data),
            None => text(&part.to_text()),
        };
        parts.iter().map(block).collect()
    }

    /// The media type and the bytes of a picture that may be sent as one.
    fn picture<'a>(&self, part: &'a Content) -> Option<(&'a str, &'a str)> {
        match part {
            Content::Image { mime, data }
                if self.is_success() && PICTURES.contains(&mime.as_str()) =>
            {
                Some((mime, data))
            }
            _ => None,
        }
    }
}

/// A block in the form of MCP.
fn mcp(part: &Content) -> Value {
    match part {
        Content::Text { text } => json!({"type": "text", "text": text}),
        Content::Image { mime, data } => json!({"type": "image", "mimeType": mime, "data": data}),
        Content::Audio { mime, data } => json!({"type": "audio", "mimeType": mime, "data": data}),
        Content::Resource { uri, mime, text } => {
            json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": text}})
        }
        Content::Blob { uri, mime, data } => {
            json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, "blob": data}})
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{
        Content, Dialect, ToolResult,
        adapter::{Outcome, ToolReply},
    };

    #[test]
    fn no_block_is_blank() {
        let message = |result: ToolResult, dialect| {
            ToolReply::new("c", "t", Outcome::Success, result).to_message(dialect)
        };
        let nothing = json!([{ "text": "(no output)" }]);
        for blank in ["", " \n"] {
            let sent = message(ToolResult::success(blank), Dialect::Bedrock);
            assert_eq!(sent["toolResult"]["content"], nothing, "{blank:?}");
        }
        let chart = ToolResult::success(" ")
            .with_content(Content::text(""))
            .with_image("image/png", [0, 0, 0]);
        let sent = message(chart, Dialect::Anthropic);
        assert_eq!(sent["content"].as_array().map(Vec::len), Some(1), "{sent}");
        assert_eq!(sent["content"][0]["type"], "image");
        for dialect in [Dialect::Mcp20251125, Dialect::Mcp20260728] {
            for blank in ["", "  \n"] {
                let sent = message(ToolResult::success(blank), dialect);
                assert_eq!(
                    sent["content"],
                    json!([{"type": "text", "text": "(no output)"}])
                );
            }
        }
        let blank = ToolResult::success("").with_content(Content::text(" "));
        let sent = message(blank, Dialect::OpenAiResponses);
        assert_eq!(sent["output"][0]["text"], "(no output)");
    }

    fn chart(result: ToolResult) -> ToolReply {
        let result = result
            .with_image("image/png", [0, 0, 0])
            .with_audio("audio/wav", [0, 0, 0])
            .with_resource("file:///a.csv", "text/csv", "a,b")
            .with_content(Content::blob("file:///a.pdf", "application/pdf", "AAAA"));
        let outcome = if result.is_success() {
            Outcome::Success
        } else {
            Outcome::Failure
        };
        ToolReply::new("c1", "chart", outcome, result)
    }

    #[test]
    fn pictures_go_where_they_are_taken() {
        let reply = chart(ToolResult::success(""));
        let sound = "[audio audio/wav, 3 bytes: not shown here]";
        let csv = "[resource file:///a.csv, text/csv]\na,b";
        let pdf = "[resource file:///a.pdf, 3 bytes: not shown here]";
        let words = format!("{sound}\n\n{csv}\n\n{pdf}");
        for (dialect, message) in [
            (
                Dialect::OpenAi,
                json!({"role": "tool", "tool_call_id": "c1",
                    "content": format!("[image image/png, 3 bytes: not shown here]\n\n{words}")}),
            ),
            (
                Dialect::OpenAiResponses,
                json!({"type": "function_call_output", "call_id": "c1", "output": [
                    {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
                    {"type": "input_text", "text": sound},
                    {"type": "input_text", "text": csv},
                    {"type": "input_text", "text": pdf},
                ]}),
            ),
            (
                Dialect::Anthropic,
                json!({"type": "tool_result", "tool_use_id": "c1", "content": [
                    {"type": "image", "source":
                        {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
                    {"type": "text", "text": sound},
                    {"type": "text", "text": csv},
                    {"type": "text", "text": pdf},
                ]}),
            ),
            (
                Dialect::Bedrock,
                json!({"toolResult": {"toolUseId": "c1", "status": "success", "content": [
                    {"image": {"format": "png", "source": {"bytes": "AAAA"}}},
                    {"text": sound}, {"text": csv}, {"text": pdf},
                ]}}),
            ),
            (
                Dialect::Gemini,
                json!({"functionResponse": {"id": "c1", "name": "chart",
                    "response": {"output": words},
                    "parts": [{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]}}),
            ),
            (
                Dialect::GeminiOpenApi,
                json!({"functionResponse": {"id": "c1", "name": "chart", "response":
                    {"output": format!("[image image/png, 3 bytes: not shown here]\n\n{words}")}}}),
            ),
            (
                Dialect::Mcp20251125,
                json!({"isError": false, "content": [
                    {"type": "image", "mimeType": "image/png", "data": "AAAA"},
                    {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"},
                    {"type": "resource", "resource":
                        {"uri": "file:///a.csv", "mimeType": "text/csv", "text": "a,b"}},
                    {"type": "resource", "resource":
                        {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "AAAA"}},
                ]}),
            ),
        ] {
            assert_eq!(reply.to_message(dialect), message, "{dialect}");
        }
    }

    #[test]
    fn a_failure_is_told_in_words() {
        let reply = chart(ToolResult::failure("half of it"));
        for dialect in [
            Dialect::OpenAiResponses,
            Dialect::Anthropic,
            Dialect::Gemini,
        ] {
            let message = reply.to_message(dialect).to_string();
            assert!(message.contains("half of it"), "{message}");
            assert!(
                message.contains("[image image/png, 3 bytes: not shown here]"),
                "{message}"
            );
            assert!(!message.contains("AAAA"), "{message}");
        }
    }

    #[test]
    fn the_older_mcp_has_objects_alone() {
        let result = ToolResult::success("[1]").with_structured(json!([1]));
        let reply = ToolReply::new("c1", "list", Outcome::Success, result);
        let old = reply.to_message(Dialect::Mcp20251125);
        assert_eq!(old.get("structuredContent"), None);
        let new = reply.to_message(Dialect::Mcp20260728);
        assert_eq!(new.get("structuredContent"), Some(&json!([1])));
    }
}
