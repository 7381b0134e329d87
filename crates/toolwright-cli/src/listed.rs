//! Tools that a file lists: one schema, or the list of a request to a provider.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

use serde_json::{Map, Value};
use toolwright::{AgentTool, DynamicTool, ToolContext, ToolResult};

use crate::exit::Failure;

/// The most bytes of a file of tools.
const MAX_BYTES: u64 = 16 << 20;

/// Where the forms of providers have the parameters of a tool.
const PARAMETERS: &[&str] = &[
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
];

/// Where they have tools inside of something.
const WRAPPERS: &[&str] = &[
    "tools",
    "function",
    "functions",
    "functionDeclarations",
    "function_declarations",
    "toolSpec",
];

/// A tool that a file lists. Nothing runs it.
pub(crate) struct Listed {
    pub(crate) tool: DynamicTool,
    /// The schema as it stands in the file.
    pub(crate) parameters: String,
}

impl Listed {
    pub(crate) fn name(&self) -> &str {
        self.tool.name()
    }
}

/// Reads the tools of a file, or of standard input for `-`.
pub(crate) fn read_listed(path: &Path) -> Result<Vec<Listed>, Failure> {
    let standard = path == Path::new("-");
    let shown = if standard {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let failed = |error: &dyn std::fmt::Display| Failure::failed(format!("{shown}: {error}"));
    let mut text = String::new();
    let read = if standard {
        io::stdin()
            .lock()
            .take(MAX_BYTES + 1)
            .read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text))
    };
    match read {
        Ok(bytes) if u64::try_from(bytes).is_ok_and(|bytes| bytes > MAX_BYTES) => {
            return Err(failed(&"more than 16 MiB"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            return Err(failed(&"not UTF-8 text"));
        }
        Err(error) => return Err(failed(&error)),
    }
    let value: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let name: String = stem
        .filter(|_| !standard)
        .unwrap_or("schema")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(64)
        .collect();
    let (mut listed, mut faults) = (Vec::new(), Vec::new());
    collect(&value, &name, &mut listed, &mut faults);
    if !faults.is_empty() {
        return Err(failed(&faults.join("\n")));
    }
    if listed.is_empty() {
        return Err(failed(&"neither a schema nor a list of tools"));
    }
    Ok(listed)
}

fn collect(value: &Value, name: &str, listed: &mut Vec<Listed>, faults: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for item in items {
                collect(item, name, listed, faults);
            }
        }
        Value::Object(object) => collect_object(object, name, listed, faults),
        _ => faults.push("a tool is an object".to_owned()),
    }
}

fn collect_object(
    object: &Map<String, Value>,
    name: &str,
    listed: &mut Vec<Listed>,
    faults: &mut Vec<String>,
) {
    let inner = WRAPPERS.iter().find_map(|key| object.get(*key));
    if let Some(inner) = inner.filter(|inner| inner.is_array() || inner.is_object()) {
        return collect(inner, name, listed, faults);
    }
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let (name, description, schema) = if let Some(own) = text("name") {
        let schema = PARAMETERS.iter().find_map(|key| object.get(*key));
        // One provider has the schema a level deeper.
        let schema = schema.map(|schema| schema.get("json").unwrap_or(schema));
        (own, text("description").unwrap_or_default(), schema)
    } else {
        let described = text("description").or(text("title"));
        (
            name,
            described.unwrap_or("What this schema describes."),
            None,
        )
    };
    let parameters = match (schema, text("name")) {
        (Some(schema), _) => schema.to_string(),
        (None, Some(_)) => r#"{"type":"object","properties":{}}"#.to_owned(),
        (None, None) => Value::Object(object.clone()).to_string(),
    };
    let nothing = |_: Value, _: ToolContext| async {
        ToolResult::failure("the file says what this tool takes, and not what it does")
    };
    match DynamicTool::new(name, description, Some(&parameters), nothing) {
        Ok(tool) => listed.push(Listed { tool, parameters }),
        Err(error) => faults.push(format!("{name}: {error}")),
    }
}
