//! Writes the replies to the calls on standard input, for `scripts/replies`: those of a typed tool, of the same tool with a
//! schema made at run time, and of the `jsonschema` crate.

use std::collections::BTreeMap;

use callpact::{Dialect, Policy, ToolInput, input::read_foreign, read_str, schema::ForeignSchema};
use serde_json::{Value, json};

#[derive(ToolInput)]
#[tool_input(rename_all = "lowercase")]
enum Mode {
    Quick,
    Thorough,
}

#[derive(ToolInput)]
#[expect(dead_code, reason = "only the schema and the replies are used")]
struct Filter {
    field: String,
    minimum: Option<i64>,
}

#[derive(ToolInput)]
#[expect(dead_code, reason = "only the schema and the replies are used")]
struct Search {
    /// What to look for
    #[tool_param(min_length = 2, max_length = 80)]
    query: String,
    #[tool_param(min = 1, max = 50)]
    limit: u8,
    mode: Mode,
    tags: Vec<String>,
    filter: Filter,
    exact: bool,
    #[tool_param(pattern = "^[A-Z]{3}-[0-9]{4}$")]
    code: String,
    headers: BTreeMap<String, String>,
    price_max: Option<f64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let calls: Vec<Value> = serde_json::from_reader(std::io::stdin())?;
    let schema = Search::SCHEMA.to_json(Dialect::Portable);
    let foreign = ForeignSchema::parse(&schema)?;
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema)?)?;
    let by_validator = |text: &str| -> Option<String> {
        let value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return Some(error.to_string()),
        };
        let faults = validator.iter_errors(&value);
        let lines = faults.map(|fault| format!("{}: {fault}", fault.instance_path()));
        let lines: Vec<String> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    let (mut typed, mut at_run_time, mut validated) = (Vec::new(), Vec::new(), Vec::new());
    for call in &calls {
        let text = call["text"].as_str().ok_or("a call without a text")?;
        let report = read_str::<Search>(text, &Policy::lax()).err();
        typed.push(report.map(|report| report.with_excerpt(Search::SCHEMA)));
        let report = read_foreign(text, &foreign, &Policy::lax()).err();
        at_run_time.push(report.map(|report| report.with_excerpt(foreign.tree())));
        validated.push(by_validator(text));
    }
    let all =
        json!({"callpact": typed, "callpact, run-time": at_run_time, "jsonschema": validated});
    println!("{all}");
    Ok(())
}
