//! The specification of a tool for a provider.

use std::{collections::HashMap, fmt::Write, sync::Arc};

use callpact_contract::dialect::{
    Lint, lint,
    profile::{ReplyForm, SpecForm},
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::lowered::{LoweredSpecs, LoweredTool};
use crate::{
    schema::{Dialect, Held, Schema, SchemaFaults},
    tool::{AgentTool, ErasedTool, Parameters, Permission, TextInput, ToolHints},
};

/// A tool's specification for a model: name, description and parameters.
///
/// ```
/// use callpact::{AgentTool, Dialect, ToolContext, ToolResult, ToolSpec};
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
    /// Hints about the tool for hosts and their users.
    pub hints: ToolHints,
    /// The form that the schema is in.
    pub dialect: Dialect,
    /// Why the tool is in the [fallback](Dialect::fallback) of the requested dialect.
    pub fallback_reason: Option<String>,
    /// The parts of a schema made at run time that this form can only say in words.
    pub unsaid: Option<Arc<SchemaFaults>>,
    /// Why the tool cannot be in this dialect, if its parameters do not show the reason.
    pub(super) refusal: Option<String>,
}

impl ToolSpec {
    /// The specification of a tool in a dialect, or in its [fallback](Dialect::fallback) if the
    /// dialect cannot express the parameters.
    pub fn of(tool: &impl AgentTool, dialect: Dialect) -> Self {
        let listed = LoweredTool {
            name: AgentTool::name(tool),
            tool,
            lowered: &LoweredSpecs::default(),
        };
        listed.spec_alone(dialect)
    }

    /// Writes the specification in exactly this dialect, under the tool's own name.
    pub(super) fn lower(tool: &dyn ErasedTool, dialect: Dialect) -> Self {
        let (unsaid, refusal) = match tool.parameters() {
            Parameters::Foreign(schema) => (schema.unsaid(dialect), schema.find_refusal(dialect)),
            _ => (None, None),
        };
        Self {
            name: tool.name().to_owned(),
            description: tool.description().to_owned(),
            parameters: write_parameters(tool, dialect),
            output: match tool.foreign_output() {
                Some(schema) => Some(schema.as_str().to_owned()),
                None => tool.output_schema().map(Schema::to_output_json),
            },
            permission: tool.permission(),
            hints: tool.hints(),
            dialect,
            fallback_reason: None,
            unsaid,
            refusal,
        }
    }

    /// The parts of this specification that the provider of this dialect would reject or lose.
    ///
    /// ```
    /// # use callpact::{AgentTool, Dialect, ToolContext, ToolResult, ToolSpec};
    /// # struct Search;
    /// # impl AgentTool for Search {
    /// #     fn name(&self) -> &str { "search" }
    /// #     fn description(&self) -> &str { "Searches" }
    /// #     async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult { ToolResult::success("") }
    /// # }
    /// assert!(ToolSpec::of(&Search, Dialect::OpenAiStrict).lint().is_empty());
    /// ```
    pub fn lint(&self) -> Vec<Lint> {
        let mut found = lint(
            &self.name,
            &self.description,
            &self.parameters,
            self.dialect,
        );
        if let Some(reason) = &self.fallback_reason {
            let words = format!("written as `{}`, because {reason}", self.dialect);
            found.insert(0, Lint::warning(&self.name, words));
        }
        for fault in self.unsaid.iter().flat_map(|unsaid| &unsaid.faults) {
            let unsaid = Lint::unsaid(&self.name, fault);
            // A list that was read from a file is linted as written.
            if !found.contains(&unsaid) {
                found.push(unsaid);
            }
        }
        found
    }

    /// The tool as the provider of the dialect wants it in its request.
    pub fn to_json(&self) -> String {
        let mut out = String::with_capacity(self.parameters.len() + self.description.len() + 128);
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        let profile = self.dialect.profile();
        let custom = self.hints.text.as_ref().filter(|_| profile.custom_tools);
        let flag = profile.strict.map_or("", |strict| strict.flag);
        let (open, flag, schema, close) = match profile.spec {
            SpecForm::Chat if custom.is_some() => (r#"{"type":"custom","custom":{"#, "", "", "}}"),
            _ if custom.is_some() => (r#"{"type":"custom","#, "", "", "}"),
            SpecForm::Bare => ("{", "", "parameters", "}"),
            SpecForm::Chat => (
                r#"{"type":"function","function":{"#,
                flag,
                "parameters",
                "}}",
            ),
            SpecForm::Responses => {
                // Without the flag this provider is strict.
                let flag = if flag.is_empty() {
                    r#","strict":false"#
                } else {
                    flag
                };
                (r#"{"type":"function","#, flag, "parameters", "}")
            }
            SpecForm::Messages => ("{", flag, "input_schema", "}"),
            SpecForm::Declarations {
                leaves_out_empty: true,
                ..
            } if self.takes_nothing() => ("{", "", "", "}"),
            SpecForm::Declarations { schema, .. } => ("{", "", schema, "}"),
            SpecForm::Converse => (r#"{"toolSpec":{"#, flag, r#"inputSchema":{"json"#, "}}}"),
            SpecForm::Mcp => ("{", "", "inputSchema", ""),
        };
        out.push_str(open);
        out.push_str("\"name\":");
        push_quoted(&self.name, out);
        out.push_str(",\"description\":");
        push_quoted(&self.description, out);
        out.push_str(flag);
        if !schema.is_empty() {
            out.push_str(",\"");
            out.push_str(schema);
            out.push_str("\":");
            out.push_str(&self.parameters);
        }
        if let Some(text) = custom {
            write_format(text, profile.spec == SpecForm::Chat, out);
        }
        out.push_str(close);
        if profile.spec == SpecForm::Mcp {
            // Writing to a String does not fail.
            let _ = self.write_mcp(out);
        }
    }

    /// Whether the parameters are an object without properties.
    fn takes_nothing(&self) -> bool {
        /// Only as much of the schema as the answer needs: this is asked with every request.
        #[derive(Deserialize)]
        struct Properties {
            #[allow(clippy::zero_sized_map_values)] // serde reads no map into a set
            properties: Option<HashMap<String, IgnoredAny>>,
        }
        serde_json::from_str(&self.parameters).is_ok_and(|Properties { properties }| {
            properties.is_none_or(|properties| properties.is_empty())
        })
    }

    /// Writes the parts that follow the parameters in MCP.
    fn write_mcp(&self, out: &mut String) -> std::fmt::Result {
        // The older revision takes only objects, as in a reply.
        let any = matches!(
            self.dialect.profile().reply,
            ReplyForm::Mcp {
                any_structured: true
            }
        );
        if let Some(output) = &self.output
            && (any || is_object(output))
        {
            write!(out, r#","outputSchema":{output}"#)?;
        }
        out.push_str(r#","annotations":{"#);
        if let Some(title) = &self.hints.title {
            out.push_str("\"title\":");
            push_quoted(title, out);
            out.push(',');
        }
        let (reads, destroys) = match self.permission {
            Permission::ReadOnly => (true, false),
            Permission::Write => (false, false),
            Permission::Destructive => (false, true),
        };
        write!(
            out,
            r#""readOnlyHint":{reads},"destructiveHint":{destroys}"#
        )?;
        if let Some(idempotent) = self.hints.idempotent {
            write!(out, r#","idempotentHint":{idempotent}"#)?;
        }
        if let Some(open_world) = self.hints.open_world {
            write!(out, r#","openWorldHint":{open_world}"#)?;
        }
        out.push_str("}}");
        Ok(())
    }

    /// The tool list of a request: an array of the outputs of [`to_json`](Self::to_json). Gemini
    /// wants it inside one `functionDeclarations`.
    pub(crate) fn list(specs: &[Self], dialect: Dialect) -> String {
        let gemini = matches!(dialect.profile().spec, SpecForm::Declarations { .. });
        let (open, close) = if gemini {
            (r#"[{"functionDeclarations":["#, "]}]")
        } else {
            ("[", "]")
        };
        let mut out = String::from(open);
        for spec in specs {
            spec.write(&mut out);
            out.push(',');
        }
        if out.pop() != Some(',') {
            // A group without declarations is refused; a list without groups is not.
            return "[]".to_owned();
        }
        out.push_str(close);
        out
    }
}

/// The schema of the parameters, without a description that repeats the tool's.
fn write_parameters(tool: &dyn ErasedTool, dialect: Dialect) -> String {
    let parameters = tool.parameters();
    match parameters.schema() {
        Some(schema) if *schema.description == *tool.description() => Schema {
            description: Held::Static(""),
            ..schema.clone()
        }
        .to_json(dialect),
        _ => parameters.to_json(dialect),
    }
}

/// Writes the grammar of a custom tool, if it has one.
fn write_format(text: &TextInput, is_chat: bool, out: &mut String) {
    let (syntax, definition) = match text {
        TextInput::Any => return,
        TextInput::Lark(grammar) => ("lark", grammar),
        TextInput::Regex(pattern) => ("regex", pattern),
    };
    let (open, close) = if is_chat {
        (r#"{"type":"grammar","grammar":{"#, "}}")
    } else {
        (r#"{"type":"grammar","#, "}")
    };
    for part in [
        r#","format":"#,
        open,
        r#""syntax":""#,
        syntax,
        r#"","definition":"#,
    ] {
        out.push_str(part);
    }
    push_quoted(definition, out);
    out.push_str(close);
}

fn push_quoted(text: &str, out: &mut String) {
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // A string is always JSON.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

fn is_object(schema: &str) -> bool {
    serde_json::from_str(schema).is_ok_and(|schema: Value| schema["type"] == "object")
}
