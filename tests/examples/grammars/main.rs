//! For `scripts/grammars`: the shapes of the contract harness and twenty-four tools.
//!
//! `grammars write VALUES` writes a line of JSON for each of them: its grammars and right values. `grammars read` reads
//! lines with the number of a line and texts, and writes for each text whether the reader takes it, or its report.

mod tools;

use std::{
    env,
    io::{Result, Write, stdin, stdout},
};

use callpact::{
    Dialect, Policy, Report, Schema,
    schema::{gbnf_of_calls, lark_of_calls},
};
use callpact_testing::Generator;
use callpact_tests::shapes::{self, Shape};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tools::{Tool, tools};

/// Reads a text by a type, and returns the report on one that it refuses.
type ReadText = Box<dyn Fn(&str, &Policy) -> Option<Report>>;

/// A type whose grammars are measured.
struct Contract {
    name: &'static str,
    schema: &'static Schema,
    read: ReadText,
    schemars: Option<String>,
}

impl Contract {
    fn of_shape(shape: &Shape) -> Self {
        let read = shape.read_text;
        Self {
            name: shape.name,
            schema: shape.schema,
            read: Box::new(move |text, policy| read(text, policy).err()),
            schemars: None,
        }
    }

    fn of_tool(tool: Tool) -> Self {
        Self {
            name: tool.name,
            schema: tool.schema,
            read: Box::new(tool.read),
            schemars: Some(tool.schemars),
        }
    }
}

fn contracts() -> Vec<Contract> {
    // A value that is not an object cannot be the arguments.
    let objects = shapes::all().into_iter().filter(|shape| {
        serde_json::from_str::<Value>(shape.whole).is_ok_and(|schema| schema["type"] == "object")
    });
    let tools = tools().into_iter().map(Contract::of_tool);
    objects
        .map(|shape| Contract::of_shape(&shape))
        .chain(tools)
        .collect()
}

fn write(values: usize) -> Result<()> {
    let mut generator = Generator::new(40);
    for contract in contracts() {
        let made = (0..4 * values).map(|_| generator.valid(contract.schema));
        // The author's code and text forms refuse some.
        let right =
            made.filter(|value| (contract.read)(&value.to_string(), &Policy::exact()).is_none());
        let line = json!({
            "name": contract.name,
            "values": right.take(values).collect::<Vec<_>>(),
            "schemars": contract.schemars,
            "vllm": contract.schema.to_json(Dialect::Vllm),
            "llguidance": contract.schema.to_json(Dialect::Llguidance),
            "lark": contract.schema.to_lark(),
            "gbnf": contract.schema.to_gbnf(),
            "llama-cpp": contract.schema.to_json(Dialect::LlamaCpp),
        });
        writeln!(stdout(), "{line}")?;
    }
    writeln!(stdout(), "{}", list(values, &mut generator))
}

/// The name of the list of all tools.
const LIST: &str = "(list)";

/// The grammars of calls to all tools, with right calls.
fn list(values: usize, generator: &mut Generator) -> Value {
    let listed = || tools().into_iter().map(|tool| (tool.name, tool.schema));
    let mut calls = Vec::new();
    for tool in tools() {
        let made = (0..4 * values).map(|_| generator.valid(tool.schema));
        let right =
            made.filter(|value| (tool.read)(&value.to_string(), &Policy::exact()).is_none());
        let own = right.take(values.div_ceil(24));
        calls.extend(own.map(|value| json!({"name": tool.name, "arguments": value})));
    }
    json!({
        "name": LIST,
        "values": calls,
        "lark": lark_of_calls(listed()),
        "gbnf": gbnf_of_calls(listed()),
    })
}

/// A call to a tool of the list.
#[derive(Deserialize)]
struct ListedCall<'a> {
    name: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// Reads a call by the tool that it names.
fn read_call(text: &str, contracts: &[Contract]) -> Option<String> {
    let call: ListedCall<'_> = match serde_json::from_str(text) {
        Ok(call) => call,
        // A number that no float holds, for example.
        Err(error) => return Some(error.to_string()),
    };
    let mut known = contracts.iter();
    match known.find(|contract| contract.name == call.name) {
        Some(contract) => read_one(contract, call.arguments.get()),
        None => Some("no such tool".to_owned()),
    }
}

fn read_one(contract: &Contract, text: &str) -> Option<String> {
    let report = (contract.read)(text, &Policy::lax());
    report.map(|report| report.to_string())
}

#[derive(Deserialize)]
struct Walks {
    name: String,
    texts: Vec<String>,
}

fn read() -> Result<()> {
    let contracts = contracts();
    for line in stdin().lines() {
        let walks: Walks = serde_json::from_str(&line?)?;
        let contract = contracts
            .iter()
            .find(|contract| contract.name == walks.name);
        let reports: Vec<Option<String>> = walks
            .texts
            .iter()
            .map(|text| match contract {
                Some(contract) => read_one(contract, text),
                None => read_call(text, &contracts),
            })
            .collect();
        writeln!(stdout(), "{}", json!(reports))?;
    }
    Ok(())
}

fn main() -> Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", values] => write(values.parse().unwrap_or(100)),
        _ => read(),
    }
}
