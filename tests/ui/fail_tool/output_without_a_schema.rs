use toolwright::ToolOutput;

#[derive(ToolOutput)]
#[tool_output(dispaly)]
struct Weather {
    _temperature: f64,
}

fn main() {}
