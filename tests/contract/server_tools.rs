//! Tools in the manner of public MCP servers: 256 schemas as the libraries of four languages write them.

use std::{fs, path::Path};

use callpact::{
    Dialect, DynamicTool, Policy, ToolSpec,
    input::read_foreign,
    schema::{ForeignSchema, Format},
};
use callpact_testing::Generator;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
pub(crate) struct ServerTool {
    name: String,
    schema: Value,
}

pub(crate) fn server_tools() -> Vec<ServerTool> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/server-tools.jsonl");
    let lines = fs::read_to_string(file).expect("the collection");
    let tools = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a tool"));
    tools.collect()
}

/// Whether a value holds a float that may have been another whole number: it is no integer here.
fn holds_rounded(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().unwrap_or_default();
            number.is_f64() && float.fract() == 0.0 && float.abs() > 9e15
        }
        Value::Array(items) => items.iter().any(holds_rounded),
        Value::Object(map) => map.values().any(holds_rounded),
        _ => false,
    }
}

pub(crate) fn schema_of(tool: &ServerTool) -> ForeignSchema {
    ForeignSchema::from_server(tool.schema.clone())
        .unwrap_or_else(|faults| panic!("{}: {faults}", tool.name))
}

pub(crate) fn dynamic_tool(tool: &ServerTool) -> DynamicTool {
    let made = DynamicTool::with_schema(
        &*tool.name,
        "Does it",
        Some(schema_of(tool)),
        |_, _| async { "" },
    );
    made.unwrap_or_else(|error| panic!("{}: {error}", tool.name))
}

#[test]
fn every_dialect_takes_every_tool_of_a_server() {
    let tools = server_tools();
    assert!(tools.len() >= 200, "{}", tools.len());
    for tool in &tools {
        let made = dynamic_tool(tool);
        for dialect in Dialect::ALL {
            let spec = ToolSpec::of(&made, dialect);
            let written: Value = serde_json::from_str(&spec.parameters).expect("JSON");
            assert!(written.is_object(), "{}: {dialect}", tool.name);
            // A tool that a strict mode cannot express is written plain.
            let errors: Vec<String> = spec.lint().iter().map(ToString::to_string).collect();
            let errors: Vec<&String> = errors
                .iter()
                .filter(|line| line.starts_with("error"))
                .collect();
            assert!(
                errors.is_empty(),
                "{dialect}: {errors:?}\n{}",
                spec.parameters
            );
        }
    }
}

#[test]
fn verdicts_on_calls_of_servers_are_those_of_jsonschema() {
    let mut generator = Generator::new(17);
    let (mut taken, mut refused) = (0, 0);
    for tool in server_tools() {
        let own = schema_of(&tool);
        // `jsonschema` checks these two from draft 2019-09 on; here they mean the same in every draft.
        let other = jsonschema::options()
            .should_validate_formats(true)
            .with_format("uuid", |text: &str| Format::Uuid.is_match(text))
            .with_format("duration", |text: &str| Format::Duration.is_match(text))
            .build(&tool.schema)
            .unwrap_or_else(|error| panic!("{}: {error}", tool.name));
        for _ in 0..40 {
            for value in [
                generator.valid(own.tree()),
                generator.case(own.tree()).value,
            ] {
                if !value.is_object() || holds_rounded(&value) {
                    continue;
                }
                let verdict = read_foreign(&value.to_string(), &own, &Policy::exact());
                assert_eq!(
                    verdict.is_ok(),
                    other.is_valid(&value),
                    "{}: {value}\n{verdict:?}\n{:?}",
                    tool.name,
                    other
                        .iter_errors(&value)
                        .map(|error| error.to_string())
                        .collect::<Vec<_>>(),
                );
                if verdict.is_ok() {
                    taken += 1;
                } else {
                    refused += 1;
                }
            }
        }
    }
    assert!(
        taken > 5_000 && refused > 2_000,
        "{taken} taken, {refused} refused"
    );
}
