//! How many schemas are strict with a provider.

use callpact::{Dialect, DynamicTool, ToolSpec};
use callpact_tests::shapes;
use expect_test::expect;
use serde_json::Value;

use crate::{provider_lists::Shaped, server_tools};

/// The share of the shapes that can be the arguments of a tool, and of the tools of servers.
#[test]
fn counts_schemas_that_are_strict_with_provider() {
    let shapes: Vec<Shaped> = shapes::all()
        .into_iter()
        .filter(|shape| {
            serde_json::from_str::<Value>(shape.whole)
                .is_ok_and(|schema| schema["type"] == "object")
        })
        .map(|shape| Shaped(shape.schema))
        .collect();
    let servers: Vec<DynamicTool> = server_tools::server_tools()
        .iter()
        .map(server_tools::dynamic_tool)
        .collect();
    let mut lines = Vec::new();
    for dialect in [
        Dialect::OpenAiStrict,
        Dialect::AnthropicStrict,
        Dialect::BedrockStrict,
    ] {
        let own = shapes
            .iter()
            .filter(|tool| ToolSpec::of(*tool, dialect).dialect == dialect);
        let foreign = servers
            .iter()
            .filter(|tool| ToolSpec::of(*tool, dialect).dialect == dialect);
        lines.push(format!(
            "{dialect}: {} of {} shapes, {} of {} tools",
            own.count(),
            shapes.len(),
            foreign.count(),
            servers.len()
        ));
    }
    expect![[r"
        openai-strict: 72 of 81 shapes, 234 of 256 tools
        anthropic-strict: 69 of 81 shapes, 226 of 256 tools
        bedrock-strict: 70 of 81 shapes, 226 of 256 tools
    "]]
    .assert_eq(&(lines.join("\n") + "\n"));
}
