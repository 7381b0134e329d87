use callpact::{ToolInput, ToolOutput};

#[derive(serde::Serialize, ToolInput, ToolOutput)]
#[tool_output(dispaly, json = true)]
struct Weather {
    _temperature: f64,
}

fn main() {}
