//! `json_parser`: a value out of a JSON text.

use std::time::Duration;

use callpact::{Permission, ToolContext, ToolError, ToolInput, TypedAgentTool};

use crate::blocking::blocking;
use crate::engine::json_query::{QueryLimits, query};

/// Takes a value out of a JSON text by a path.
///
/// The path is dotted, `users[0].name`, or a JSONPath of RFC 9535 if it starts with `$`. Numbers
/// keep all their digits.
///
/// ```
/// use callpact::{AgentTool, ToolContext};
/// use callpact_tools::JsonParser;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let call = r#"{"jsonPath": "a.b[1]", "json": "{\"a\": {\"b\": [1, 12345678901234567890]}}"}"#;
/// let found = AgentTool::execute(&JsonParser::new(), call, &ToolContext::new()).await;
/// assert_eq!(found.output(), "12345678901234567890");
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonParser {
    limits: QueryLimits,
}

/// A JSON text, and the path of a value in it
#[derive(Debug, Clone, ToolInput)]
pub struct JsonParserInput {
    /// The path of the value: dotted such as `users[0].name`, or a JSONPath such as `$.users[*].name`
    #[tool_param(rename = "jsonPath", alias = "json_path")]
    pub json_path: String,
    /// The JSON text to look in
    pub json: String,
}

impl JsonParser {
    /// Uses the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The most bytes of JSON; 2 MiB by default.
    #[must_use]
    pub fn max_json(mut self, bytes: usize) -> Self {
        self.limits.max_json = bytes;
        self
    }

    /// The most bytes of an answer; 64 KiB by default.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.limits.max_output = bytes;
        self
    }

    /// The most time that a JSONPath may run; one second by default.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.limits.max_time = time;
        self
    }
}

impl TypedAgentTool for JsonParser {
    type Input = JsonParserInput;
    type Output = Result<String, ToolError>;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &'static str {
        "json_parser"
    }

    fn description(&self) -> &'static str {
        "Takes a value out of a JSON text. The path is dotted (`users[0].name`) or a JSONPath that \
         starts with `$` (`$.users[?@.age > 30].name`). Text comes without quotes, objects and lists \
         as JSON."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    async fn execute(&self, input: JsonParserInput, _: &ToolContext) -> Self::Output {
        let limits = self.limits;
        Ok(blocking(move || query(&input.json_path, &input.json, &limits)).await??)
    }
}
