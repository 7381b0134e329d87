//! Every shape of the contract harness and forty kinds of foreign parameters in every dialect, a line of JSON each,
//! for `scripts/providers`.
//!
//! `written` is the schema in a list. `whole` is the schema in the dialect itself, which the provider may refuse.
//! `errors` are the errors of lint for `whole`.

use callpact::{
    AgentTool, Dialect, DynamicTool, Parameters, Schema, ToolContext, ToolResult, ToolSpec,
    adapter::Severity,
};
use callpact_tests::{elsewhere::foreign_schemas, shapes::all};
use serde_json::{Value, json};

struct Shaped(&'static Schema);

impl AgentTool for Shaped {
    fn name(&self) -> &'static str {
        "t"
    }
    fn description(&self) -> &'static str {
        "Does it."
    }
    fn parameters(&self) -> Parameters<'_> {
        Parameters::Typed(self.0)
    }
    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success("")
    }
}

fn print(name: &str, tool: &impl AgentTool, dialect: Dialect) {
    let written = ToolSpec::of(tool, dialect);
    let mut whole = written.clone();
    whole.parameters = tool.parameters().to_json(dialect);
    whole.dialect = dialect;
    whole.fallback_reason = None;
    let errors: Vec<String> = whole
        .lint()
        .iter()
        .filter(|lint| lint.severity == Severity::Error)
        .map(ToString::to_string)
        .collect();
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let line = json!({
        "name": name,
        "asked": dialect.name(),
        "dialect": written.dialect.name(),
        "written": parse(&written.parameters),
        "spec": parse(&written.to_json()),
        "whole": parse(&whole.parameters),
        "errors": errors,
    });
    println!("{line}");
}

fn main() {
    for dialect in Dialect::ALL {
        for shape in all() {
            // A value that is not an object cannot be the parameters.
            let whole: Value = serde_json::from_str(shape.whole).unwrap_or_default();
            if whole["type"] == "object" {
                print(shape.name, &Shaped(shape.schema), dialect);
            }
        }
        for (number, schema) in foreign_schemas().iter().enumerate() {
            let tool = DynamicTool::new("t", "Does it", Some(&schema.to_string()), |_, _| async {
                ""
            })
            .expect("a schema");
            print(&format!("foreign {number}"), &tool, dialect);
        }
    }
}
