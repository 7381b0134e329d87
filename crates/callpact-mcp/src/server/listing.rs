//! The tools that a server has at one time, and their entries in `tools/list`.

use std::sync::Arc;

use callpact::{Dialect, Permission, ToolSpec, Toolset};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// The tools of a server and their entries in the list.
pub(super) struct ToolListing {
    pub(super) tools: Toolset,
    pub(super) listed: Vec<Tool>,
}

impl ToolListing {
    pub(super) fn new(tools: Toolset) -> Self {
        let specs = tools.spec_list(Dialect::Mcp20260728);
        let listed = specs.iter().map(describe_tool).collect();
        Self { tools, listed }
    }

    pub(super) fn entry(&self, tool: &str) -> Option<&Tool> {
        self.listed.iter().find(|listed| listed.name == tool)
    }

    pub(super) fn reads_only(&self, tool: &str) -> bool {
        self.tools.permission(tool) == Some(Permission::ReadOnly)
    }

    /// The form in which a client takes structured output. Clients of the older revisions do not take any value.
    pub(super) fn form_of_output(&self, tool: &str, takes_any_value: bool) -> OutputForm {
        if takes_any_value {
            return OutputForm::Any;
        }
        match self
            .entry(tool)
            .and_then(|tool| tool.output_schema.as_deref())
        {
            Some(schema) if !is_object(schema) && wrap_schema(schema).is_some() => {
                OutputForm::Wrapped
            }
            _ => OutputForm::Object,
        }
    }
}

/// The form of structured output that a client takes.
#[derive(Clone, Copy)]
pub(super) enum OutputForm {
    Any,
    /// An object; any other output is left out.
    Object,
    /// The output inside an object, as its schema says.
    Wrapped,
}

pub(super) fn is_object(schema: &JsonObject) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

/// The key for output that is not an object, in older revisions, which only know objects.
pub(super) const RESULT: &str = "result";

/// The schema of an output inside an object; `None` if references would no longer lead to their target.
pub(super) fn wrap_schema(schema: &JsonObject) -> Option<JsonObject> {
    if json!(schema).to_string().contains("\"$ref\"") {
        return None;
    }
    let mut wrapped = JsonObject::new();
    wrapped.insert("type".to_owned(), "object".into());
    wrapped.insert("properties".to_owned(), json!({RESULT: schema}));
    wrapped.insert("required".to_owned(), json!([RESULT]));
    Some(wrapped)
}

/// The name of the tags in `_meta` of a tool.
const TAGS: &str = "callpact/tags";

/// Makes the entry of a tool in `tools/list`.
fn describe_tool(spec: &ToolSpec) -> Tool {
    let mut tool = Tool::new(
        spec.name.clone(),
        spec.description.clone(),
        parse_schema(&spec.parameters),
    );
    if let Some(output) = &spec.output {
        tool = tool.with_raw_output_schema(Arc::new(parse_schema(output)));
    }
    let mut hints = ToolAnnotations::new();
    hints.title = spec.hints.title.as_deref().map(str::to_owned);
    hints.idempotent_hint = spec.hints.idempotent;
    hints.open_world_hint = spec.hints.open_world;
    tool.title.clone_from(&hints.title);
    let mut meta = MetaObject::new();
    if !spec.hints.tags.is_empty() {
        meta.0.insert(TAGS.to_owned(), json!(spec.hints.tags));
    }
    for (name, value) in &spec.hints.meta {
        meta.0.insert(name.clone().into_owned(), value.clone());
    }
    tool.meta = (!meta.0.is_empty()).then_some(meta);
    tool.with_annotations(match spec.permission {
        Permission::ReadOnly => hints.read_only(true).destructive(false),
        Permission::Write => hints.read_only(false).destructive(false),
        Permission::Destructive => hints.read_only(false).destructive(true),
    })
}

fn parse_schema(text: &str) -> JsonObject {
    match serde_json::from_str(text) {
        Ok(Value::Object(map)) => map,
        _ => JsonObject::new(),
    }
}
