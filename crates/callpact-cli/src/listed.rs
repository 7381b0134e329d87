//! Tools that a file lists: one schema, or the list of a request to a provider.

use std::path::Path;

use callpact::{AgentTool, DynamicTool, IssueKind, Policy, ToolContext, ToolResult, read_str};
use serde_json::{Map, Value};

use crate::{
    exit::Failure,
    text_file::{is_descriptor, read_file, read_input},
};

/// The most bytes of a file of tools.
const MAX_BYTES: u64 = 16 << 20;

/// The keys of a tool's parameters in the forms of providers.
const PARAMETERS: &[&str] = &[
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
];

/// The keys that wrap tools in these forms.
const WRAPPERS: &[&str] = &[
    "tools",
    "function",
    "functions",
    "functionDeclarations",
    "function_declarations",
    "toolSpec",
];

/// The types of a schema; any other `type` belongs to an entry of a list.
const TYPES: &[&str] = &[
    "object", "array", "string", "integer", "number", "boolean", "null",
];

/// A tool that a file lists. Nothing runs it.
pub(crate) struct ListedTool {
    pub(crate) tool: DynamicTool,
    /// The schema, as in the file.
    pub(crate) parameters: String,
}

impl ListedTool {
    pub(crate) fn name(&self) -> &str {
        self.tool.name()
    }
}

/// Reads the tools of a file, or of standard input for `-`; and the entries of its list that are left out.
pub(crate) fn read_listed(path: &Path) -> Result<(Vec<ListedTool>, Vec<String>), Failure> {
    let standard = path == Path::new("-");
    let shown = if standard {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let failed = |error: &dyn std::fmt::Display| Failure::failed(format!("{shown}: {error}"));
    let text = if standard {
        read_input(MAX_BYTES)
    } else {
        read_file(path, MAX_BYTES)
    };
    let text = text.map_err(|error| failed(&error))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let twice = doubled_keys(&text);
    if !twice.is_empty() {
        return Err(failed(&twice.join("\n")));
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let name: String = stem
        .filter(|_| !standard && !is_descriptor(path))
        .unwrap_or("schema")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(64)
        .collect();
    let mut list = ToolList::default();
    list.collect(&value, &name, false);
    if !list.faults.is_empty() {
        return Err(failed(&list.faults.join("\n")));
    }
    if list.tools.is_empty() {
        let left_out = list
            .left_out
            .iter()
            .map(|entry| format!("; left out: {entry}"));
        let left_out: String = left_out.collect();
        return Err(failed(&format!(
            "neither a schema nor a list of tools{left_out}"
        )));
    }
    Ok((list.tools, list.left_out))
}

/// The keys that stand twice in their object, of which serde takes the last one.
fn doubled_keys(text: &str) -> Vec<String> {
    let policy = Policy::exact().with_max_bytes(text.len());
    let Err(report) = read_str::<Value>(text, &policy) else {
        return Vec::new();
    };
    let issues = report.issues.iter();
    let twice = issues.filter(|issue| issue.kind == IssueKind::DuplicateKey);
    twice.map(ToString::to_string).collect()
}

#[derive(Default)]
struct ToolList {
    tools: Vec<ListedTool>,
    left_out: Vec<String>,
    faults: Vec<String>,
}

impl ToolList {
    fn collect(&mut self, value: &Value, name: &str, is_entry: bool) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, name, true)),
            Value::Object(object) => self.collect_object(object, name, is_entry),
            _ => self.faults.push("a tool is an object".to_owned()),
        }
    }

    fn collect_object(&mut self, object: &Map<String, Value>, name: &str, is_entry: bool) {
        let inner = WRAPPERS.iter().find_map(|key| object.get(*key));
        if let Some(inner) = inner.filter(|inner| inner.is_array() || inner.is_object()) {
            return self.collect(inner, name, true);
        }
        let text = |key: &str| object.get(key).and_then(Value::as_str);
        let schema = PARAMETERS.iter().find_map(|key| object.get(*key));
        let kind = text("type").filter(|kind| !TYPES.contains(&kind.to_lowercase().as_str()));
        match (text("name"), schema, kind) {
            (Some(own), Some(schema), _) => {
                // One provider nests the schema one level deeper.
                let schema = schema.get("json").unwrap_or(schema);
                self.add(
                    own,
                    text("description").unwrap_or_default(),
                    schema.to_string(),
                );
            }
            (Some(own), None, None | Some("function")) => {
                let nothing = r#"{"type":"object","properties":{}}"#.to_owned();
                self.add(own, text("description").unwrap_or_default(), nothing);
            }
            // A tool that the provider itself runs has a type other than `function`, or its name as the only key.
            (_, _, Some(kind)) if is_entry => self.leave_out(kind),
            (None, _, None) if is_entry && !is_schema(object) => {
                let keys: Vec<&str> = object.keys().map(String::as_str).collect();
                self.leave_out(&keys.join(", "));
            }
            (None, _, None) if is_schema(object) => {
                let described = text("description").or(text("title"));
                let described = described.unwrap_or("What this schema describes.");
                self.add(name, described, Value::Object(object.clone()).to_string());
            }
            _ => {}
        }
    }

    fn leave_out(&mut self, entry: &str) {
        let entry: String = entry.chars().take(64).collect();
        let words = "a tool of the provider, which has no schema";
        self.left_out.push(format!("{entry}: {words}"));
    }

    fn add(&mut self, name: &str, description: &str, parameters: String) {
        let nothing = |_: Value, _: ToolContext| async {
            ToolResult::failure("the file says what this tool takes, and not what it does")
        };
        match DynamicTool::new(name, description, Some(&parameters), nothing) {
            Ok(tool) => self.tools.push(ListedTool { tool, parameters }),
            Err(error) => self.faults.push(format!("{name}: {error}")),
        }
    }
}

/// Whether an object describes a value.
fn is_schema(object: &Map<String, Value>) -> bool {
    const SAYS: [&str; 9] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "$ref",
        "$schema",
        "anyOf",
        "oneOf",
        "allOf",
    ];
    SAYS.iter().any(|key| object.contains_key(*key))
}
