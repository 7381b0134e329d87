//! What a provider would reject, said before it does.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::ToolSpec;
use crate::{names::is_provider_name, schema::Dialect};

/// How bad a [`Lint`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something is lost or near a limit.
    Warning,
    /// The request would be rejected.
    Error,
}

/// One thing that a provider would not take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lint {
    /// How bad it is.
    pub severity: Severity,
    /// The tool.
    pub tool: String,
    /// Where in its parameters, as a JSON pointer.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let path = if self.path.is_empty() {
            "/"
        } else {
            &self.path
        };
        write!(f, "{severity}: {} {path}: {}", self.tool, self.message)
    }
}

/// The longest description that every provider takes.
const DESCRIPTION: usize = 1024;

/// Keywords that say what a value is where no type does.
const TYPED: [&str; 6] = ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"];

/// What one provider refuses in a schema.
#[allow(clippy::struct_excessive_bools)] // a row of a table
struct Rules {
    /// Keywords that reject the request.
    refused: &'static [&'static str],
    /// Keywords that are dropped without a word.
    dropped: &'static [&'static str],
    /// Every object is closed.
    closed: bool,
    /// Every property is required.
    all_required: bool,
    /// Only strings in an enum.
    string_enums: bool,
    /// One type a node.
    single_types: bool,
    properties: usize,
    depth: usize,
    enum_values: usize,
}

const PLAIN: Rules = Rules {
    refused: &[],
    dropped: &[],
    closed: false,
    all_required: false,
    string_enums: false,
    single_types: false,
    properties: usize::MAX,
    depth: usize::MAX,
    enum_values: usize::MAX,
};

#[allow(clippy::too_many_lines)] // a table, one row a dialect
fn rules(dialect: Dialect) -> Rules {
    match dialect {
        Dialect::OpenAiStrict | Dialect::OpenAiResponsesStrict => Rules {
            refused: &[
                "default",
                "oneOf",
                "allOf",
                "not",
                "if",
                "then",
                "else",
                "dependentRequired",
                "dependentSchemas",
                "patternProperties",
                "propertyNames",
                "minProperties",
                "maxProperties",
                "contains",
                "uniqueItems",
                "unevaluatedItems",
                "unevaluatedProperties",
                "minLength",
                "maxLength",
            ],
            closed: true,
            all_required: true,
            // The smaller numbers of Azure: what stays below them is taken everywhere.
            properties: 100,
            depth: 5,
            enum_values: 500,
            ..PLAIN
        },
        Dialect::AnthropicStrict => Rules {
            refused: &[
                "oneOf",
                "not",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "minLength",
                "maxLength",
                "maxItems",
                "uniqueItems",
                "minProperties",
                "maxProperties",
            ],
            closed: true,
            ..PLAIN
        },
        Dialect::BedrockStrict => Rules {
            refused: &[
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "maxItems",
            ],
            closed: true,
            ..PLAIN
        },
        Dialect::GeminiOpenApi => Rules {
            refused: &[
                "$schema",
                "$ref",
                "$defs",
                "definitions",
                "const",
                "oneOf",
                "allOf",
                "not",
                "examples",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "uniqueItems",
                "propertyNames",
                "patternProperties",
                "additionalProperties",
                "prefixItems",
                "title",
            ],
            string_enums: true,
            single_types: true,
            ..PLAIN
        },
        Dialect::Gemini => Rules {
            refused: &["$schema"],
            dropped: &[
                "pattern",
                "minLength",
                "maxLength",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "uniqueItems",
                "allOf",
                "not",
                "const",
                "default",
                "examples",
            ],
            ..PLAIN
        },
        Dialect::Ollama => Rules {
            dropped: &[
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "pattern",
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "uniqueItems",
                "format",
                "default",
                "const",
                "additionalProperties",
                "$ref",
                "title",
                "prefixItems",
                "oneOf",
                "allOf",
            ],
            ..PLAIN
        },
        Dialect::Vllm => Rules {
            refused: &[
                "multipleOf",
                "uniqueItems",
                "contains",
                "minContains",
                "maxContains",
                "patternProperties",
                "propertyNames",
            ],
            ..PLAIN
        },
        Dialect::Portable => Rules {
            refused: &[
                "$schema",
                "$ref",
                "$defs",
                "definitions",
                "title",
                "format",
                "oneOf",
                "allOf",
                "const",
                "not",
                "patternProperties",
                "propertyNames",
                "if",
                "then",
                "else",
                "prefixItems",
                "default",
                "examples",
            ],
            single_types: true,
            ..PLAIN
        },
        _ => PLAIN,
    }
}

impl ToolSpec {
    /// What the provider of this dialect would reject, or lose, in this specification.
    ///
    /// ```
    /// # use toolwright::{AgentTool, Dialect, ToolContext, ToolResult, ToolSpec};
    /// # struct Search;
    /// # impl AgentTool for Search {
    /// #     fn name(&self) -> &str { "search" }
    /// #     fn description(&self) -> &str { "Searches" }
    /// #     async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult { ToolResult::success("") }
    /// # }
    /// assert!(ToolSpec::of(&Search, Dialect::OpenAiStrict).lint().is_empty());
    /// ```
    pub fn lint(&self) -> Vec<Lint> {
        let mut report = Linter {
            tool: &self.name,
            rules: rules(self.dialect),
            found: Vec::new(),
            properties: 0,
            enum_values: 0,
        };
        if !is_provider_name(&self.name) {
            report.error("", "the name is not 1 to 64 letters, digits, `_` and `-`");
        }
        if self.description.trim().is_empty() {
            report.error("", "the description is empty");
        } else if self.description.chars().count() > DESCRIPTION {
            report.warn(
                "",
                &format!("the description is longer than {DESCRIPTION} characters"),
            );
        }
        match serde_json::from_str::<Value>(&self.parameters) {
            Ok(Value::Object(root)) => report.root(&root, self.dialect),
            _ => report.error("", "the parameters are not a JSON object"),
        }
        report.found
    }
}

struct Linter<'a> {
    tool: &'a str,
    rules: Rules,
    found: Vec<Lint>,
    properties: usize,
    enum_values: usize,
}

impl Linter<'_> {
    fn say(&mut self, severity: Severity, path: &str, message: &str) {
        self.found.push(Lint {
            severity,
            tool: self.tool.to_owned(),
            path: path.to_owned(),
            message: message.to_owned(),
        });
    }

    fn error(&mut self, path: &str, message: &str) {
        self.say(Severity::Error, path, message);
    }

    fn warn(&mut self, path: &str, message: &str) {
        self.say(Severity::Warning, path, message);
    }

    fn root(&mut self, root: &Map<String, Value>, dialect: Dialect) {
        let is_object = root
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|name| name.eq_ignore_ascii_case("object"));
        if !is_object {
            self.error("", "the root must be of type object");
        }
        let mcp = matches!(dialect, Dialect::Mcp20251125 | Dialect::Mcp20260728);
        for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
            if root.contains_key(keyword) && !mcp {
                self.error(&format!("/{keyword}"), "not allowed at the root");
            }
        }
        self.node(root, "", 1);
        if self.properties > self.rules.properties {
            let (count, most) = (self.properties, self.rules.properties);
            self.warn(
                "",
                &format!("{count} properties; some deployments take {most}"),
            );
        }
        if self.enum_values > self.rules.enum_values {
            let (count, most) = (self.enum_values, self.rules.enum_values);
            self.warn(
                "",
                &format!("{count} enum values; some deployments take {most}"),
            );
        }
    }

    fn node(&mut self, node: &Map<String, Value>, path: &str, depth: usize) {
        if depth > crate::input::MAX_DEPTH {
            self.error(path, "nested too deeply");
            return;
        }
        if depth == self.rules.depth.saturating_add(1) {
            let most = self.rules.depth;
            self.warn(
                path,
                &format!("nested deeper than {most} levels, which some deployments refuse"),
            );
        }
        for keyword in node.keys() {
            let at = format!("{path}/{keyword}");
            if self.rules.refused.contains(&keyword.as_str()) {
                self.error(&at, "this keyword is refused");
            } else if self.rules.dropped.contains(&keyword.as_str()) {
                self.warn(&at, "this keyword is dropped without a word");
            }
        }
        match node.get("type") {
            Some(Value::Array(_)) if self.rules.single_types => {
                self.error(&format!("{path}/type"), "a list of types is refused");
            }
            None if !path.is_empty() && !TYPED.iter().any(|word| node.contains_key(*word)) => {
                self.warn(path, "a node without a type takes anything");
            }
            _ => {}
        }
        if let Some(Value::Array(values)) = node.get("enum") {
            self.enum_values += values.len();
            if self.rules.string_enums && !values.iter().all(Value::is_string) {
                self.error(
                    &format!("{path}/enum"),
                    "only strings are allowed in an enum",
                );
            }
        }
        if has_type(node, "object") {
            self.object(node, path, depth);
        }
        if has_type(node, "array") {
            match node.get("items") {
                Some(Value::Object(items)) => self.node(items, &format!("{path}/items"), depth + 1),
                Some(Value::Bool(false)) if node.contains_key("prefixItems") => {}
                _ => self.error(path, "an array needs `items`"),
            }
        }
        for keyword in ["$defs", "definitions"] {
            let Some(Value::Object(members)) = node.get(keyword) else {
                continue;
            };
            // Whoever points to one of these is no less deep than what holds them.
            for (name, member) in members {
                if let Value::Object(member) = member {
                    let at = format!("{path}/{keyword}/{}", pointed(name));
                    self.node(member, &at, depth + 1);
                }
            }
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            let Some(Value::Array(members)) = node.get(keyword) else {
                continue;
            };
            for (index, member) in members.iter().enumerate() {
                if let Value::Object(member) = member {
                    self.node(member, &format!("{path}/{keyword}/{index}"), depth + 1);
                }
            }
        }
    }

    fn object(&mut self, node: &Map<String, Value>, path: &str, depth: usize) {
        if self.rules.closed && node.get("additionalProperties") != Some(&Value::Bool(false)) {
            self.error(path, "an object must have `additionalProperties: false`");
        }
        if let Some(Value::Object(values)) = node.get("additionalProperties") {
            self.node(values, &format!("{path}/additionalProperties"), depth + 1);
        }
        let required: Vec<&str> = match node.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let Some(Value::Object(properties)) = node.get("properties") else {
            if node
                .get("additionalProperties")
                .is_none_or(|values| !values.is_object())
            {
                self.warn(
                    path,
                    "an object without `properties` is refused by some clients",
                );
            }
            return;
        };
        for name in &required {
            if !properties.contains_key(*name) {
                self.error(
                    &format!("{path}/required"),
                    &format!("`{name}` is not a property"),
                );
            }
        }
        self.properties += properties.len();
        for (name, schema) in properties {
            let at = format!("{path}/properties/{}", pointed(name));
            let plain = !name.is_empty()
                && name.len() <= 64
                && name
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'));
            if !plain {
                self.error(
                    &at,
                    "the name is not 1 to 64 letters, digits, `_`, `.` and `-`",
                );
            }
            if self.rules.all_required && !required.contains(&name.as_str()) {
                self.error(&at, "every property must be required");
            }
            if let Value::Object(schema) = schema {
                self.node(schema, &at, depth + 1);
            }
        }
    }
}

/// A key as a step of a JSON pointer.
fn pointed(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn has_type(node: &Map<String, Value>, name: &str) -> bool {
    match node.get("type") {
        Some(Value::String(found)) => found.eq_ignore_ascii_case(name),
        Some(Value::Array(found)) => found
            .iter()
            .filter_map(Value::as_str)
            .any(|found| found.eq_ignore_ascii_case(name)),
        _ => false,
    }
}
