//! Schemas that were made at run time are written for each provider like derived ones.

use serde_json::{Value, json};
use toolwright::{
    AgentTool, Dialect, DynamicTool, Parameters, Schema, ToolCall, ToolContext, ToolResult,
    ToolSpec, Toolset, adapter::Severity, schema::ForeignSchema,
};
use toolwright_tests::shapes;

/// A tool with the parameters of a shape.
struct Shaped(&'static Schema);

impl AgentTool for Shaped {
    fn name(&self) -> &'static str {
        "shaped"
    }

    fn description(&self) -> &'static str {
        "Takes a shape"
    }

    fn parameters(&self) -> Parameters<'_> {
        Parameters::Typed(self.0)
    }

    async fn execute(&self, _: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success("")
    }
}

fn dynamic(text: &str) -> DynamicTool {
    let echo = |arguments: Value, _| async move { ToolResult::success(arguments.to_string()) };
    DynamicTool::new("shaped", "Takes a shape", Some(text), echo)
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// The places that a provider refuses.
fn refused(spec: &ToolSpec) -> Vec<String> {
    let errors = spec.lint().into_iter();
    let errors = errors.filter(|lint| lint.severity == Severity::Error);
    errors.map(|lint| lint.path).collect()
}

#[test]
fn what_is_written_for_a_shape_is_taken_in_every_dialect() {
    for shape in shapes::all() {
        for dialect in Dialect::ALL {
            dynamic(&shape.schema.to_json(dialect));
        }
    }
}

#[test]
fn a_provider_refuses_nothing_that_it_takes_of_the_derived_schema() {
    let mut compared = 0;
    for shape in shapes::all() {
        let foreign = dynamic(shape.whole);
        for dialect in Dialect::ALL {
            let derived = refused(&ToolSpec::of(&Shaped(shape.schema), dialect));
            let lowered = refused(&ToolSpec::of(&foreign, dialect));
            if derived.is_empty() {
                compared += 1;
                assert_eq!(lowered, derived, "{} {dialect}", shape.name);
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[tokio::test]
async fn a_server_gets_its_own_form_of_what_a_strict_dialect_asks_for() {
    let schema = r#"{"type":"object","properties":{
        "parent":{"type":["string","null"]},
        "labels":{"type":"object","additionalProperties":{"type":"integer"}},
        "text":{"type":"string"}
    },"required":["parent"]}"#;
    let tools = Toolset::builder().tool(dynamic(schema)).build().unwrap();
    let sent = r#"{"parent":null,"labels":[{"key":"a","value":1}],"text":""}"#;
    let reply = tools
        .call(&ToolCall::new("1", "shaped", sent), &ToolContext::new())
        .await
        .unwrap();
    let got: Value = serde_json::from_str(&reply.to_model()).unwrap();
    assert_eq!(got, json!({"parent": null, "labels": {"a": 1}, "text": ""}));
}

#[test]
fn an_unreadable_schema_is_still_refused() {
    assert!(ForeignSchema::parse(r#"{"type": "strin"}"#).is_err());
    let made = DynamicTool::new("a", "b", Some(r#"{"type": 3}"#), |_, _| async { "" });
    assert!(made.is_err());
}
