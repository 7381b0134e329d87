//! Every shape of the contract harness goes through the form and comes back as it was.

use callpact::{AgentTool, Parameters, Permission, Policy, ToolContext, ToolResult, Toolset};
use callpact_desk::Desk;
use callpact_tests::{
    generate::{Generator, same},
    shapes::{Shape, all},
};
use serde_json::{Value, json};

use super::driver::Browser;
use crate::kit::Served;

/// Values of each shape.
const VALUES: usize = 12;

/// Reads its input as a shape, and gives it back.
struct ShapeTool {
    name: String,
    shape: Shape,
}

impl AgentTool for ShapeTool {
    fn name(&self) -> &str {
        &self.name
    }
    fn description(&self) -> &str {
        self.shape.name
    }
    fn parameters(&self) -> Parameters<'_> {
        Parameters::Typed(self.shape.schema)
    }
    fn permission(&self) -> Permission {
        Permission::ReadOnly
    }
    async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
        match (self.shape.read_text)(input, &Policy::exact()) {
            Ok(_) => ToolResult::success(input),
            Err(report) => ToolResult::failure(report.to_string()),
        }
    }
}

#[test]
fn every_shape_is_filled_in_and_sent() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let mut tools = Toolset::builder();
    for (number, shape) in all().into_iter().enumerate() {
        let name = format!("shape_{number}");
        tools = tools.tool(ShapeTool { name, shape });
    }
    let served = Served::new(Desk::new(tools.build().unwrap(), ToolContext::new()));
    browser.open(&served.url());
    browser.wait_until_connected();
    let mut seen = 0;
    for (number, shape) in all().into_iter().enumerate() {
        let mut generator = Generator::new(number as u64);
        let values: Vec<Value> = (0..VALUES * 4)
            .map(|_| generator.valid(shape.schema))
            // Values that the exact policy reads; the others have named exceptions.
            .filter(|value| (shape.read)(value, &value.to_string(), &Policy::exact()).is_ok())
            .take(VALUES)
            .collect();
        assert!(!values.is_empty(), "{}", shape.name);
        let texts: Vec<_> = values.iter().map(Value::to_string).collect();
        let replies = browser.run_async(
            "const [name, texts, base] = args;
             const { form } = await import('/form.js');
             const { api, parse } = await import('/dom.js');
             const { tree } = await api('tool', { tool: name });
             const out = [];
             for (const [number, text] of texts.entries()) {
               const made = form(tree, parse(text), () => {});
               document.querySelector('#trace').replaceChildren(made.el);
               await api('call', { number: base + number, tool: name, arguments: made.read() });
               for (let said; (said = await api('result', { number: base + number })).state !== 'done' || !out.push(said.reply);) await new Promise((go) => setTimeout(go, 5));
             }
             return out;",
            &json!([format!("shape_{number}"), texts, number * 1_000]),
        );
        for ((value, reply), text) in values.iter().zip(replies.as_array().unwrap()).zip(&texts) {
            assert_eq!(reply["ok"], true, "{}: {text}: {reply}", shape.name);
            let output = reply["output"].as_str().unwrap();
            let back: Value = serde_json::from_str(output).unwrap();
            assert!(
                same(value, &back),
                "{}: {text} came back as {output}",
                shape.name
            );
            seen += 1;
        }
    }
    println!("{seen} values of {} shapes", all().len());
    assert_eq!(browser.log(), "");
}
