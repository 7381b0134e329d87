//! Testing a tool: its contract, generated inputs, an approval without a person, a conversation
//! without a model. Each function is the body of a `#[test]`.
//!
//! `cargo run --example testing_a_tool -p callpact-examples`

use std::error::Error;

use callpact::{
    Halt, Policy, ReviewDecision, ToolContext, ToolInput, Toolset, read_value, schema::Schema, tool,
};
use callpact_testing::{Generator, RecordingReviewer, ScriptedModel, assert_tool, check_contract};

#[derive(Clone, Debug, ToolInput)]
struct Tag(#[tool_param(pattern = r"^v[0-9]{1,2}\.[0-9]{1,2}$")] String);

/// Publishes a release
#[tool(destructive)]
fn publish(tag: Tag, #[tool_param(min_items = 1, max_items = 3)] notes: Vec<String>) -> String {
    format!("{} is out, with {} notes", tag.0, notes.len())
}

/// Written by hand, and unfinished: it has a schema, and no function that makes the value.
struct Volume;

impl ToolInput for Volume {
    const SCHEMA: &'static Schema = <u8 as ToolInput>::SCHEMA;
}

/// Checks schema and reader on 2,000 valid and nearly valid values.
fn contract() {
    assert_tool(&Publish);
    println!("publish keeps its contract");
    if let Err(fault) = check_contract::<Volume>(1, 2_000) {
        println!("Volume does not:\n{fault}");
    }
}

/// Values for your own tests. The same seed gives the same values.
fn generated() -> Result<(), Box<dyn Error>> {
    let mut generator = Generator::new(3);
    for _ in 0..3 {
        let value = generator.valid(Tag::SCHEMA);
        let tag = read_value::<Tag>(&value, &Policy::exact())?.value;
        println!("a tag: {}", tag.0);
    }
    Ok(())
}

/// The reviewer answers from a script and records its requests.
async fn approval(tools: &Toolset) -> Result<(), Box<dyn Error>> {
    let reviewer = RecordingReviewer::new([
        ReviewDecision::Edit(r#"{"tag": "v1.1", "notes": ["Mends a fault"]}"#.to_owned()),
        ReviewDecision::REJECT,
    ]);
    let cx = ToolContext::new().with_reviewer(reviewer.clone());
    // The model's first call does not fit. The reply says so, and nobody is asked.
    let model = ScriptedModel::new()
        .call("publish", r#"{"tag": "1.1", "notes": []}"#)
        .call("publish", r#"{"tag": "v1.1", "notes": ["?"]}"#)
        .say("It is out.");
    let went = model.run("Publish 1.1", tools, &cx).await?;
    for sent in model.sent() {
        println!("to the model: {sent}");
    }
    println!("from the model: {}", went.text.unwrap_or_default());

    let model = ScriptedModel::new().call("publish", r#"{"tag": "v2.0", "notes": ["New"]}"#);
    let halt = model.run("Publish 2.0", tools, &cx).await.err();
    assert!(matches!(
        halt,
        Some(Halt::ExitEarly {
            timed_out: false,
            ..
        })
    ));
    for request in reviewer.requests() {
        println!("to the reviewer: {} {}", request.tool, request.action);
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    contract();
    generated()?;
    approval(&Toolset::builder().tool(Publish).build()?).await
}
