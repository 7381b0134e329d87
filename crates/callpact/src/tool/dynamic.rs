//! Tools that are made at run time from a name, a description, an optional schema as text, and a
//! handler.

use std::{fmt, pin::Pin, sync::Arc};

use serde_json::{Map, Value};

use super::{
    AgentTool, IntoToolResult, Parameters, ParsedInput, Permission, ToolContext, ToolHints,
    ToolResult,
};
use crate::{
    input::{Policy, Report, read_foreign_call, read_str},
    names::is_provider_name,
    schema::{ForeignSchema, SchemaFaults},
    secret::{SecretPathError, SecretPaths},
};

type ToolHandler =
    dyn Fn(Value, ToolContext) -> Pin<Box<dyn Future<Output = ToolResult> + Send>> + Send + Sync;

/// A tool made at run time, equal to every other tool.
///
/// Its name is checked. Its schema is lowered for each provider, and arguments are validated against
/// the original schema before the handler runs.
///
/// ```
/// use serde_json::{Value, json};
/// use callpact::{AgentTool, DynamicTool, ToolContext};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let greet = DynamicTool::new(
///     "greet",
///     "Greets somebody",
///     Some(r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#),
///     |arguments: Value, _| async move { format!("Hello, {}", arguments["name"].as_str().unwrap_or("you")) },
/// )?;
/// let cx = ToolContext::new();
/// assert_eq!(greet.execute(r#"{"name": "Ada"}"#, &cx).await.to_model(), "Hello, Ada");
/// assert_eq!(
///     greet.execute("{}", &cx).await.to_model(),
///     "Error: Invalid arguments, 1 problem:\n- name: missing; expected a string",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct DynamicTool {
    name: String,
    description: String,
    schema: Option<Arc<ForeignSchema>>,
    output: Option<Arc<ForeignSchema>>,
    permission: Permission,
    hints: ToolHints,
    passed: Option<SecretPaths>,
    handler: Arc<ToolHandler>,
}

/// Why a dynamic tool cannot be made.
///
/// ```
/// use callpact::{DynamicTool, DynamicToolError};
///
/// let made = DynamicTool::new("add numbers", "Adds two numbers", None, |_, _| async { "3" });
/// let Err(error) = made else { panic!("a name has no spaces") };
/// assert!(matches!(error, DynamicToolError::Name(_)));
/// assert_eq!(
///     error.to_string(),
///     "invalid tool name 'add numbers': a name is 1 to 64 letters, digits, `_` and `-`",
/// );
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum DynamicToolError {
    /// The name is not `^[a-zA-Z0-9_-]{1,64}$`.
    Name(String),
    /// The description is empty.
    Description(String),
    /// The schema is not valid.
    Schema(SchemaFaults),
}

impl fmt::Display for DynamicToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "invalid tool name '{name}': a name is 1 to 64 letters, digits, `_` and `-`"
            ),
            Self::Description(name) => write!(f, "tool '{name}' has no description"),
            Self::Schema(faults) => faults.fmt(f),
        }
    }
}

impl std::error::Error for DynamicToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Schema(faults) => Some(faults),
            _ => None,
        }
    }
}

impl DynamicTool {
    /// A tool; without a schema it takes no parameters.
    ///
    /// # Errors
    /// When not every provider takes the name or the description, or the schema is not valid, has a misspelt keyword,
    /// requires a name of no property, or accepts no value.
    pub fn new<F, Fut>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Option<&str>,
        handler: F,
    ) -> Result<Self, DynamicToolError>
    where
        F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: IntoToolResult,
    {
        let schema = schema
            .map(ForeignSchema::parse_handwritten)
            .transpose()
            .map_err(DynamicToolError::Schema)?;
        Self::with_schema(name, description, schema, handler)
    }

    /// A tool with a schema that was already read, for example from an MCP server.
    ///
    /// # Errors
    /// When not every provider takes the name or the description.
    pub fn with_schema<F, Fut>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Option<ForeignSchema>,
        handler: F,
    ) -> Result<Self, DynamicToolError>
    where
        F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future + Send + 'static,
        Fut::Output: IntoToolResult,
    {
        let (name, description) = (name.into(), description.into());
        if !is_provider_name(&name) {
            return Err(DynamicToolError::Name(name.chars().take(80).collect()));
        }
        if description.trim().is_empty() {
            return Err(DynamicToolError::Description(name));
        }
        let handler: Arc<ToolHandler> = Arc::new(move |arguments, cx| {
            let work = handler(arguments, cx);
            Box::pin(async move { work.await.into_tool_result() })
        });
        let schema = schema.map(Arc::new);
        Ok(Self {
            name,
            description,
            schema,
            output: None,
            permission: Permission::Write,
            hints: ToolHints::new(),
            passed: None,
            handler,
        })
    }

    /// Sets the permission; [`Permission::Write`] by default.
    #[must_use]
    pub fn with_permission(mut self, permission: Permission) -> Self {
        self.permission = permission;
        self
    }

    /// Sets the hints for hosts and their users.
    #[must_use]
    pub fn with_hints(mut self, hints: ToolHints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets the schema of the structured output, for hosts such as MCP. The output of the handler must fit:
    /// it is not checked here.
    ///
    /// ```
    /// use serde_json::json;
    /// use callpact::{Dialect, DynamicTool, Json, Toolset, schema::ForeignSchema};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let output = r#"{"type":"object","properties":{"lamps":{"type":"integer"}},"required":["lamps"]}"#;
    /// let stock = DynamicTool::new("stock", "Counts the stock", None, |_, _| async {
    ///     Json(json!({"lamps": 3}))
    /// })?;
    /// let tools = Toolset::single(stock.with_output(ForeignSchema::parse(output)?))?;
    /// let spec = tools.spec("stock", Dialect::Mcp20260728).expect("it is in the list");
    /// assert_eq!(spec.output.as_deref(), Some(output));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_output(mut self, schema: ForeignSchema) -> Self {
        self.output = Some(Arc::new(schema));
        self
    }

    /// Allows references to secrets in these parameters, such as `headers[].value`. The handler gets the
    /// references, not the values. Use this for a tool that runs elsewhere, where the secrets are.
    ///
    /// # Errors
    /// When one of them is not a path.
    pub fn passing_secrets<P: AsRef<str>>(
        mut self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Self, SecretPathError> {
        self.passed = Some(SecretPaths::new(paths)?);
        Ok(self)
    }
}

impl AgentTool for DynamicTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn parameters(&self) -> Parameters<'_> {
        match &self.schema {
            Some(schema) => Parameters::Foreign(schema),
            None => Parameters::None,
        }
    }

    fn permission(&self) -> Permission {
        self.permission
    }

    fn hints(&self) -> ToolHints {
        self.hints.clone()
    }

    fn passed_secrets(&self) -> Option<&SecretPaths> {
        self.passed.as_ref()
    }

    fn foreign_output(&self) -> Option<&ForeignSchema> {
        self.output.as_deref()
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        match AgentTool::prepare(self, input, cx.policy()) {
            Ok(prepared) => AgentTool::run(self, prepared, cx).await,
            Err(report) => ToolResult::invalid(report),
        }
    }

    #[allow(clippy::single_match_else)] // two kinds of parameters, side by side
    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<ParsedInput, Report> {
        match &self.schema {
            Some(schema) => {
                let read = read_foreign_call(arguments, schema, policy)?;
                Ok(ParsedInput::new(read.value, read.fixes.into()))
            }
            None => {
                let read = read_str::<Map<String, Value>>(arguments, policy)?;
                Ok(ParsedInput::new(
                    Value::Object(read.value),
                    read.fixes.into(),
                ))
            }
        }
    }

    async fn run(&self, prepared: ParsedInput, cx: &ToolContext) -> ToolResult {
        match prepared.take::<Value>() {
            Some(arguments) => (self.handler)(arguments, cx.clone()).await,
            None => ToolResult::failure(()),
        }
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
