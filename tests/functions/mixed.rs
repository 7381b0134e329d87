//! One list for everything: string tools, typed tools, functions, an object, a dynamic tool and a
//! pipeline.

use callpact::{
    AgentTool, Dialect, DynamicTool, Permission, ToolContext, ToolInput, ToolPipeline, ToolResult,
    ToolSpec, Toolset, TypedAgentTool, tool, tools,
};
use expect_test::expect;
use serde_json::Value;

use crate::call;

struct Shout;

impl AgentTool for Shout {
    fn name(&self) -> &str {
        "shout"
    }

    fn description(&self) -> &str {
        "Says it louder. Input: what to say."
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        ToolResult::success(input.to_uppercase())
    }
}

#[derive(ToolInput)]
struct RepeatInput {
    /// What to say
    text: String,
    #[tool_param(min = 1, max = 5, default = 2)]
    times: usize,
}

struct Repeat;

impl TypedAgentTool for Repeat {
    type Input = RepeatInput;
    type Output = String;
    const SECRET_PARAMS: &'static [&'static str] = &[];

    fn name(&self) -> &str {
        "repeat"
    }

    fn description(&self) -> &str {
        "Says it several times"
    }

    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }

    async fn execute(&self, input: RepeatInput, _: &ToolContext) -> String {
        input.text.repeat(input.times)
    }
}

/// The length of a text
#[tool(read_only)]
fn length(
    /// The text
    text: String,
) -> usize {
    text.chars().count()
}

struct Math;

#[tools]
impl Math {
    /// Calculate a sum
    #[tool(read_only)]
    fn sum(
        &self,
        /// What to add up
        numbers: Vec<i64>,
    ) -> i64 {
        numbers.iter().sum()
    }

    /// Halve a number
    #[tool(write)]
    async fn halve(&self, number: f64) -> f64 {
        number / 2.0
    }
}

fn list() -> Toolset {
    let greet = DynamicTool::new("greet", "Greets", None, |_: Value, _| async { "hello" }).unwrap();
    Toolset::builder()
        .tool(Shout)
        .tool(Repeat)
        .tool(Length)
        .tools(Math)
        .tool(greet)
        .tool(ToolPipeline::of(Repeat).then(Shout))
        .build()
        .unwrap()
}

#[tokio::test]
async fn each_is_called_alike() {
    let tools = list();
    let cx = ToolContext::new();
    for (name, arguments, reply) in [
        ("shout", r#"{"input":"a"}"#, "A"),
        ("repeat", r#"{"text":"ab"}"#, "abab"),
        ("length", r#"{"text":"äöü"}"#, "3"),
        ("sum", r#"{"numbers":[1,2,39]}"#, "42"),
        ("halve", r#"{"number":5}"#, "2.5"),
        ("greet", "{}", "hello"),
        ("repeat_then_shout", r#"{"text":"ab","times":3}"#, "ABABAB"),
    ] {
        let made = call(&tools, name, arguments, &cx).await.unwrap();
        assert_eq!(
            (made.to_model().as_ref(), made.is_success()),
            (reply, true),
            "{name}"
        );
    }
    let unknown = call(&tools, "lenght", "{}", &cx).await.unwrap();
    assert_eq!(
        unknown.to_model(),
        "Error: Unknown tool 'lenght'. Did you mean 'length'? Available tools: shout, repeat, \
         length, sum, halve, greet, repeat_then_shout"
    );
}

#[test]
fn the_list_of_specs() {
    let specs = list().spec_list(Dialect::Portable);
    let lines: Vec<String> = specs.iter().map(ToolSpec::to_json).collect();
    expect![[r#"
        {"name":"shout","description":"Says it louder. Input: what to say.","parameters":{"type":"object","properties":{"input":{"type":"string","description":"The input to pass to the tool"}},"required":["input"]}}
        {"name":"repeat","description":"Says it several times","parameters":{"type":"object","properties":{"text":{"type":"string","description":"What to say"},"times":{"type":"integer","description":"default: 2","minimum":1,"maximum":5}},"required":["text"]}}
        {"name":"length","description":"The length of a text","parameters":{"type":"object","properties":{"text":{"type":"string","description":"The text"}},"required":["text"]}}
        {"name":"sum","description":"Calculate a sum","parameters":{"type":"object","properties":{"numbers":{"type":"array","description":"What to add up","items":{"type":"integer"}}},"required":["numbers"]}}
        {"name":"halve","description":"Halve a number","parameters":{"type":"object","properties":{"number":{"type":"number"}},"required":["number"]}}
        {"name":"greet","description":"Greets","parameters":{"type":"object","properties":{}}}
        {"name":"repeat_then_shout","description":"Pipeline: repeat -> shout","parameters":{"type":"object","properties":{"text":{"type":"string","description":"What to say"},"times":{"type":"integer","description":"default: 2","minimum":1,"maximum":5}},"required":["text"]}}"#]].assert_eq(&lines.join("\n"));
}
