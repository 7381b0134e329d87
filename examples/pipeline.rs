//! Several tools as one: the model makes a single call and does not see the steps.
//!
//! `cargo run --example pipeline -p callpact-examples`

use callpact::{
    Dialect, PipelineErrorStrategy, ToolCall, ToolContext, ToolError, ToolPipeline, ToolResult,
    Toolset, tool,
};

/// The orders of a customer, as lines of a name and a price
#[tool(read_only)]
fn orders(customer: String) -> Result<String, ToolError> {
    match customer.as_str() {
        "ada" => Ok("lamp 40\ndesk 210\nchair 95".to_owned()),
        "bob" => Ok("lamp 40\ndesk free".to_owned()),
        _ => Err(ToolError::failed(format!("no customer '{customer}'"))),
    }
}

/// Adds the prices of lines up
#[tool(read_only)]
fn total(lines: String) -> Result<u32, ToolError> {
    lines.lines().try_fold(0_u32, |sum, line| {
        let price = line.rsplit(' ').next().and_then(|word| word.parse().ok());
        price
            .and_then(|price| sum.checked_add(price))
            .ok_or_else(|| ToolError::failed(format!("'{line}' has no price")))
    })
}

/// Writes a bill
#[tool(write)]
fn bill(text: String) -> String {
    format!("billed: {text}")
}

/// Turns the result of a step into the arguments of the next. A step is an ordinary tool and takes
/// JSON.
fn as_argument(name: &'static str) -> impl Fn(&ToolResult) -> String + Send + Sync + 'static {
    move |result| serde_json::json!({ name: result.output() }).to_string()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let steps = |name: &str| {
        ToolPipeline::new(name, "Adds a customer's orders up and bills them")
            .then(Orders)
            .adapt(as_argument("lines"))
            .then(Total)
            .adapt(as_argument("text"))
            .then(Bill)
    };
    // After a failure the next step gets its message, without the adapter.
    let lenient = ToolPipeline::new("total_or_reason", "Adds orders up, or says why not")
        .then(Orders)
        .adapt(|result| result.output().replace("free", "0"))
        .then(Summary)
        .on_error(PipelineErrorStrategy::ContinueOnFailure);
    let tools = Toolset::builder()
        .tool(steps("bill_orders"))
        .tool(lenient)
        .build()?;

    // The model sees one tool, with the parameters of the first step and the permission of the
    // farthest.
    for spec in tools.spec_list(Dialect::Portable) {
        println!("{} {} ({})", spec.name, spec.parameters, spec.permission);
    }

    for (name, arguments) in [
        ("bill_orders", r#"{"customer": "ada"}"#),
        // The failure names its step, and nothing was billed.
        ("bill_orders", r#"{"customer": "bob"}"#),
        ("bill_orders", r#"{"customer": 7}"#),
        ("total_or_reason", r#"{"customer": "bob"}"#),
        ("total_or_reason", r#"{"customer": "eve"}"#),
    ] {
        let call = ToolCall::new("call-1", name, arguments);
        let reply = tools.call(&call, &ToolContext::new()).await?;
        println!("\n{name} {arguments}\n{}", reply.to_model());
    }
    Ok(())
}

/// A tool that takes plain text.
struct Summary;

impl callpact::AgentTool for Summary {
    fn name(&self) -> &'static str {
        "summary"
    }
    fn description(&self) -> &'static str {
        "Says in one line what it was given"
    }
    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(format!("{}: {input:?}", input.lines().count()))
    }
}
