//! Serves the shapes of outputs over stdio: each tool gives back the generated value of a number. A client
//! that checks results against the schema of the tool must take them all.

use callpact::{
    __private::output_of, AgentTool, Permission, Schema, ToolContext, ToolResult, Toolset,
};
use callpact_mcp::server::{RateLimit, ToolServer};
use callpact_testing::Generator;
use callpact_tests::outputs::{OutputShape, all};
use serde::Deserialize;

/// One shape as a tool.
struct Shape {
    name: String,
    shape: OutputShape,
}

#[derive(Deserialize)]
struct Number {
    input: String,
}

impl AgentTool for Shape {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &'static str {
        "Gives back a generated value. Input: its number."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    fn output_schema(&self) -> Option<&'static Schema> {
        output_of(self.shape.schema)
    }

    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        let number = serde_json::from_str(input)
            .map_or_else(|_| input.to_owned(), |Number { input }| input)
            .parse();
        let Ok(seed) = number else {
            return ToolResult::failure("the input is a number");
        };
        let mut generator = Generator::new(seed);
        // A few values do not pass the rules of their author.
        let written = (0..1_000).find_map(|_| (self.shape.write)(&mut generator));
        match written {
            Some(written) => ToolResult::success(written.text).with_structured(written.value),
            None => ToolResult::failure("no value was found"),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tools = Toolset::builder().max_output(usize::MAX);
    for (number, shape) in all().into_iter().enumerate() {
        if output_of(shape.schema).is_some() {
            let name = format!("shape_{number}");
            tools = tools.tool(Shape { name, shape });
        }
    }
    let server = ToolServer::new(tools.build()?, ToolContext::new()).named("outputs", "1.0.0");
    // The client makes all of its calls at once.
    let server = server.with_rate_limit(RateLimit::new(100_000, 100_000.0));
    server.serve_stdio().await?;
    Ok(())
}
