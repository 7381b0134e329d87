//! Functions and methods as tools: `cargo run --example functions`.

use callpact::{Dialect, State, ToolCall, ToolContext, Toolset, tool, tools};

/// Adds two numbers
#[tool(read_only)]
fn add(a: i64, #[tool_param(default = 1)] b: i64) -> Result<i64, &'static str> {
    a.checked_add(b).ok_or("the sum is too large")
}

struct Greeter(&'static str);

#[tools]
impl Greeter {
    /// Greets somebody
    #[tool(read_only)]
    fn greet(&self, punctuation: State<char>, name: String) -> String {
        format!("{}, {name}{}", self.0, *punctuation)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Toolset::builder()
        .tool(Add)
        .tools(Greeter("Hello"))
        .build()?;
    println!("{}", tools.specs(Dialect::Anthropic));
    let cx = ToolContext::new().with('!');
    for (name, arguments) in [
        ("add", r#"{"a": 41}"#),
        ("add", r#"{"a": "forty"}"#),
        ("greet", r#"{"name": "Ada"}"#),
    ] {
        let reply = tools
            .call(&ToolCall::new("call-1", name, arguments), &cx)
            .await?;
        println!("{name}: {}", reply.to_model());
    }
    Ok(())
}
