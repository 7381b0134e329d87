//! A tool as a provider is told of it.

use std::fmt::Write;

use crate::{
    schema::Dialect,
    tool::{AgentTool, ErasedTool, Permission},
};

/// What a model is told of a tool: name, description and parameters.
///
/// ```
/// use toolwright::{AgentTool, Dialect, ToolContext, ToolResult, ToolSpec};
///
/// struct Search;
///
/// impl AgentTool for Search {
///     fn name(&self) -> &str {
///         "web_search"
///     }
///     fn description(&self) -> &str {
///         "Search the web. Input: search query string."
///     }
///     async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
///         ToolResult::success("")
///     }
/// }
///
/// assert_eq!(
///     ToolSpec::of(&Search, Dialect::Portable).parameters,
///     r#"{"type":"object","properties":{"input":{"type":"string","description":"The input to pass to the tool"}},"required":["input"]}"#,
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The JSON schema of the parameters, as text.
    pub parameters: String,
    /// The JSON schema of the structured output, as text, where the tool has one.
    pub output: Option<String>,
    /// How far the tool reaches.
    pub permission: Permission,
    /// The form that the schema is in.
    pub dialect: Dialect,
}

impl ToolSpec {
    /// The specification of a tool in a dialect.
    pub fn of(tool: &impl AgentTool, dialect: Dialect) -> Self {
        Self::erased(tool, AgentTool::name(tool), dialect)
    }

    pub(crate) fn erased(tool: &dyn ErasedTool, name: &str, dialect: Dialect) -> Self {
        Self {
            name: name.to_owned(),
            description: tool.description().to_owned(),
            parameters: tool.parameters().to_json(dialect),
            output: tool.output_schema().map(|schema| schema.to_json(dialect)),
            permission: tool.permission(),
            dialect,
        }
    }

    /// The tool as the provider of the dialect wants it in its request.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.parameters.len() + self.description.len() + 128);
        self.write(&mut out);
        out
    }

    pub(crate) fn write(&self, out: &mut String) {
        let (name, description) = (quote(&self.name), quote(&self.description));
        let parameters = &self.parameters;
        let strict = matches!(
            self.dialect,
            Dialect::OpenAiStrict
                | Dialect::OpenAiResponsesStrict
                | Dialect::AnthropicStrict
                | Dialect::BedrockStrict
        );
        let flag = if strict { ",\"strict\":true" } else { "" };
        // Writing to a String does not fail.
        let _ = match self.dialect {
            Dialect::OpenAi
            | Dialect::OpenAiStrict
            | Dialect::Mistral
            | Dialect::Ollama
            | Dialect::Vllm => {
                write!(
                    out,
                    r#"{{"type":"function","function":{{"name":{name},"description":{description}{flag},"parameters":{parameters}}}}}"#
                )
            }
            Dialect::OpenAiResponses => write!(
                out,
                r#"{{"type":"function","name":{name},"description":{description},"strict":false,"parameters":{parameters}}}"#
            ),
            Dialect::OpenAiResponsesStrict => write!(
                out,
                r#"{{"type":"function","name":{name},"description":{description}{flag},"parameters":{parameters}}}"#
            ),
            Dialect::Anthropic | Dialect::AnthropicStrict => write!(
                out,
                r#"{{"name":{name},"description":{description}{flag},"input_schema":{parameters}}}"#
            ),
            Dialect::Gemini => write!(
                out,
                r#"{{"name":{name},"description":{description},"parametersJsonSchema":{parameters}}}"#
            ),
            Dialect::Bedrock | Dialect::BedrockStrict => write!(
                out,
                r#"{{"toolSpec":{{"name":{name},"description":{description}{flag},"inputSchema":{{"json":{parameters}}}}}}}"#
            ),
            Dialect::Mcp20251125 | Dialect::Mcp20260728 => self.write_mcp(&name, &description, out),
            Dialect::Portable | Dialect::GeminiOpenApi => {
                write!(
                    out,
                    r#"{{"name":{name},"description":{description},"parameters":{parameters}}}"#
                )
            }
        };
    }

    fn write_mcp(&self, name: &str, description: &str, out: &mut String) -> std::fmt::Result {
        write!(
            out,
            r#"{{"name":{name},"description":{description},"inputSchema":{}"#,
            self.parameters
        )?;
        if let Some(output) = &self.output {
            write!(out, r#","outputSchema":{output}"#)?;
        }
        let annotations = match self.permission {
            Permission::ReadOnly => r#"{"readOnlyHint":true,"destructiveHint":false}"#,
            Permission::Write => r#"{"readOnlyHint":false,"destructiveHint":false}"#,
            Permission::Destructive => r#"{"readOnlyHint":false,"destructiveHint":true}"#,
        };
        write!(out, r#","annotations":{annotations}}}"#)
    }

    /// The tool list of a request: an array of what [`to_json`](Self::to_json) gives, which Gemini
    /// wants inside one `functionDeclarations`.
    pub(crate) fn list(specs: impl Iterator<Item = Self>, dialect: Dialect) -> String {
        let gemini = matches!(dialect, Dialect::Gemini | Dialect::GeminiOpenApi);
        let mut out = String::from(if gemini {
            r#"[{"functionDeclarations":["#
        } else {
            "["
        });
        let mut specs = specs.peekable();
        if specs.peek().is_none() {
            // A group without declarations is refused; a list without groups is not.
            return "[]".to_owned();
        }
        for (i, spec) in specs.enumerate() {
            if i > 0 {
                out.push(',');
            }
            spec.write(&mut out);
        }
        out.push_str(if gemini { "]}]" } else { "]" });
        out
    }
}

fn quote(text: &str) -> String {
    // A string is always JSON.
    serde_json::to_string(text).unwrap_or_default()
}
