use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 1, default = 5, description = "x")]
    mine: Option<Mine>,
}

fn main() {}
