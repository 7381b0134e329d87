//! What the schemas of twelve tools cost in the context of a model.

use callpact::Dialect;

#[path = "../examples/grammars/tools.rs"]
mod tools;

/// The bytes of the first twelve tools in the dialects whose provider makes no grammar, before types that contain
/// themselves had definitions. In tokens of o200k, 1,177 became 1,196 for OpenAI, and 1,195 for Anthropic.
const BEFORE: [(Dialect, usize); 11] = [
    (Dialect::Portable, 4_492),
    (Dialect::OpenAi, 4_477),
    (Dialect::OpenAiResponses, 4_477),
    (Dialect::Anthropic, 4_477),
    (Dialect::Gemini, 4_604),
    (Dialect::GeminiOpenApi, 4_928),
    (Dialect::Bedrock, 4_477),
    (Dialect::Mistral, 4_477),
    (Dialect::Ollama, 4_717),
    (Dialect::Mcp20251125, 4_461),
    (Dialect::Mcp20260728, 4_461),
];

#[test]
fn twelve_tools_are_hardly_longer_than_before() {
    let tools = tools::tools();
    for (dialect, before) in BEFORE {
        let first = tools.iter().take(12);
        let bytes: usize = first.map(|tool| tool.schema.to_json(dialect).len()).sum();
        assert!(
            bytes * 100 <= before * 103,
            "{dialect}: {bytes}, before {before}"
        );
    }
}
