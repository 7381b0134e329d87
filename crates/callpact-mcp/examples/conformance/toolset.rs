//! The tools that a `Toolset` serves.

use std::time::Duration;

use callpact::{
    Content, DynamicTool, Permission, ToolContext, ToolInput, ToolResult, Toolset, TypedAgentTool,
    schema::{ForeignSchema, SchemaFaults},
};
use serde_json::json;

/// A red pixel.
pub(crate) const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// An empty sound.
const SILENCE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// What to add
#[derive(ToolInput)]
struct Sum {
    /// The first number
    a: i32,
    /// The second number
    #[tool_param(min = 0)]
    b: i32,
}

struct Add;

impl TypedAgentTool for Add {
    type Input = Sum;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "test_add"
    }
    fn description(&self) -> &'static str {
        "Adds two numbers."
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: Sum, _: &ToolContext) -> String {
        (i64::from(input.a) + i64::from(input.b)).to_string()
    }
}

/// A schema with keywords of JSON Schema 2020-12.
fn schema_2020_12() -> Result<ForeignSchema, SchemaFaults> {
    ForeignSchema::from_value(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
        } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    }))
}

/// A parameter that HTTP clients repeat in a header.
fn mirrored() -> Result<ForeignSchema, SchemaFaults> {
    ForeignSchema::from_value(json!({
        "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
        "required": ["region"],
    }))
}

/// The tools that the adapter serves.
pub(crate) fn toolset() -> Result<Toolset, Box<dyn std::error::Error>> {
    let text = |name: &str, about: &str, says: &'static str| {
        DynamicTool::new(name, about, None, move |_, _| async move { says })
            .map(|tool| tool.with_permission(Permission::ReadOnly))
    };
    let failing =
        |_, _| async { Err::<String, _>("This tool intentionally returns an error for testing") };
    let stepping = |_, cx: ToolContext| async move {
        for (done, words) in [(0.0, "begun"), (50.0, "half"), (100.0, "done")] {
            cx.progress(done, Some(100.0), Some(words));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        "All steps are done."
    };
    let shows = |name: &str, about: &str, shows: fn() -> ToolResult| {
        DynamicTool::new(name, about, None, move |_, _| async move { shows() })
            .map(|tool| tool.with_permission(Permission::ReadOnly))
    };
    Ok(Toolset::builder()
        .tool(Add)
        .tool(shows("test_image_content", "Shows a picture.", || {
            ToolResult::success(()).with_content(Content::image("image/png", PIXEL))
        })?)
        .tool(shows("test_audio_content", "Plays a sound.", || {
            ToolResult::success(()).with_content(Content::audio("audio/wav", SILENCE))
        })?)
        .tool(shows(
            "test_embedded_resource",
            "Gives a resource.",
            || {
                let text = "This is an embedded resource content.";
                ToolResult::success(()).with_resource(
                    "test://embedded-resource",
                    "text/plain",
                    text,
                )
            },
        )?)
        .tool(shows(
            "test_multiple_content_types",
            "Gives a text, a picture and a resource.",
            || {
                let json = r#"{"test":"data","value":123}"#;
                ToolResult::success("Multiple content types test:")
                    .with_content(Content::image("image/png", PIXEL))
                    .with_resource("test://mixed-content-resource", "application/json", json)
            },
        )?)
        .tool(text(
            "test_simple_text",
            "Says a fixed text.",
            "This is a simple text response for testing.",
        )?)
        .tool(text(
            "test_reconnection",
            "Answers after the stream was closed.",
            "Reconnected.",
        )?)
        .tool(text(
            "test_logging_tool",
            "Does something that could be logged.",
            "Nothing was logged.",
        )?)
        .tool(DynamicTool::new(
            "test_error_handling",
            "Fails.",
            None,
            failing,
        )?)
        .tool(DynamicTool::new(
            "test_tool_with_progress",
            "Takes three steps.",
            None,
            stepping,
        )?)
        .tool(DynamicTool::with_schema(
            "test_custom_header",
            "Takes a parameter that HTTP clients repeat in a header.",
            Some(mirrored()?),
            |_, _| async { "accepted" },
        )?)
        .tool(DynamicTool::with_schema(
            "json_schema_2020_12_tool",
            "Takes what the newer JSON Schema can say.",
            Some(schema_2020_12()?),
            |_, _| async { "accepted" },
        )?)
        .build()?)
}
