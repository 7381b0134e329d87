//! The tools of every host, and their reviewers.

use callpact::{
    AgentTool, Content, ToolContext, ToolInput, ToolOutput, ToolResult, Toolset,
    secret::MemorySecrets, tool,
};
use serde::Serialize;

#[derive(Serialize, ToolInput, ToolOutput)]
struct Forecast {
    /// Degrees Celsius
    temperature: f64,
}

/// The weather in a city
#[tool(read_only)]
fn weather(
    /// The name of the city
    #[tool_param(min_length = 2)]
    city: String,
    /// How many days from today
    #[tool_param(min = 0, max = 7, default = 0)]
    days: u32,
) -> Forecast {
    let temperature = if city == "Bergen" { 7.5 } else { 21.5 };
    Forecast {
        temperature: temperature + f64::from(days),
    }
}

/// Deletes a report
#[tool(destructive)]
fn delete_report(
    /// The name of the report
    name: String,
) -> String {
    format!("deleted {name}")
}

/// Logs in at a service
#[tool(write, secrets(token))]
fn login(
    /// The token
    token: String,
) -> String {
    format!("logged in with {token}, {} characters", token.len())
}

/// The toolset.
pub(crate) fn toolset() -> Toolset {
    let tools = Toolset::builder().tool(Weather).tool(DeleteReport);
    tools.tool(Login).build().expect("nothing conflicts")
}

/// The report on a call with two faults.
pub(crate) const TWO_FAULTS: &str = "Error: Invalid arguments, 2 problems:\n\
    - days: expected an integer from 0 to 7, found 9\n\
    - city: missing; expected a string of at least 2 characters (The name of the city); \
    `citty` was given: rename it to `city`";

/// A context with a store of secrets.
pub(crate) fn with_secrets() -> ToolContext {
    ToolContext::new().with_secrets(MemorySecrets::new().with("api_token", "hunter2-hunter2"))
}

struct Chart;

impl AgentTool for Chart {
    fn name(&self) -> &'static str {
        "chart"
    }
    fn description(&self) -> &'static str {
        "Draws a chart. Input: of what."
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success("a chart")
            .with_content(Content::image("image/png", "iVBORw0KGgo="))
            .with_audio("audio/wav", [0, 0, 0])
    }
}

/// A toolset whose only tool returns an image and a sound beside its text.
pub(crate) fn charts() -> Toolset {
    let tools = Toolset::builder().tool(Chart).build();
    tools.expect("nothing conflicts")
}

/// The note in place of the sound.
pub(crate) const SOUND: &str = "[audio audio/wav, 3 bytes: not shown here]";

/// The text of a chart if no images are sent.
pub(crate) const CHART_IN_WORDS: &str = "a chart\n\n[image image/png, 8 bytes: not shown here]\n\n\
    [audio audio/wav, 3 bytes: not shown here]";
